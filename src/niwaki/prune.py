"""Pruning: by expected errors as in C4.5, and by cost and complexity as in CART."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.objectives import ErrorBound, normal_deviate
from niwaki.parameters import Count, Number, Truth, check_parameter
from niwaki.splits import SplitKind
from niwaki.table import Table, encode_rows
from niwaki.tree import Nodes, Tree, node_impurity


def prune_errors(
    tree: Tree,
    table: Table,
    *,
    confidence: float = 0.25,
    error_bound: ErrorBound = "j48",
    raise_subtrees: bool = True,
) -> Tree:
    """Prune by the expected errors of leaves, bottom-up.

    Every subtree is kept, made a leaf, or replaced by its heaviest child, whichever promises the
    fewest errors; a tenth of an error in favour of the simpler tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : Table
        The rows to judge it by, usually those it was grown from; its counts become theirs.
    confidence : float, default=0.25
        Smaller prunes more.
    error_bound : {"j48", "r8", "binomial"}
        How the expected errors are computed.
    raise_subtrees : bool, default=True
        Whether a subtree may be replaced by its heaviest child.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from niwaki import grow
    >>> table = Table.from_frame([[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 0, 0])
    >>> grow(table).n_leaves, prune_errors(grow(table), table).n_leaves
    (3, 1)
    """
    check_parameter("raise_subtrees", raise_subtrees, Truth())
    deviate = normal_deviate(confidence, error_bound)
    if not table.counts_are_whole(fractions=tree.fractional):
        table = table.distinct()
    arrays = _core.prune_errors(
        tree.nodes.arrays(),
        encode_rows(table, tree.schema),
        table.classes,
        table.weights,
        confidence,
        deviate,
        error_bound == "binomial",
        bool(raise_subtrees),
        tree.fractional,
    )
    return Tree(tree.schema, Nodes(*arrays), tree.fractional)


@dataclass(frozen=True)
class ComplexityPath:
    """The trees of cost-complexity pruning, from the whole tree to the root alone.

    Parameters
    ----------
    ccp_alphas : ndarray
        Complexity prices at which a further subtree falls.
    impurities : ndarray
        Total impurity of the leaves from there on.
    n_leaves : ndarray
        Number of leaves from there on.
    collapsed : tuple of int
        The node made a leaf at each step after the first.
    """

    ccp_alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    collapsed: tuple[int, ...]


def cost_complexity_path(tree: Tree, impurity: str = "entropy") -> ComplexityPath:
    """Return the weakest links of a tree, in the order in which they fall.

    A link's strength is the impurity that its subtree removes per leaf it has beyond one.

    Parameters
    ----------
    tree : Tree
        The tree.
    impurity : {"entropy", "gini"}
        Impurity of the leaves, weighted by their share of the training weight.

    Returns
    -------
    ComplexityPath
        Prices, impurities and collapsed nodes.

    Examples
    --------
    >>> from niwaki import grow
    >>> tree = grow(Table.from_frame([[1], [2], [3], [4]], [0, 0, 1, 1]))
    >>> cost_complexity_path(tree).ccp_alphas.tolist()
    [0.0, 1.0]
    """
    nodes = tree.nodes
    weight = nodes.counts.sum(axis=1)
    own = weight * node_impurity(nodes.counts, impurity) / (weight[0] if weight[0] > 0 else 1.0)
    leaves, below = _sums_of_leaves(nodes, own)
    is_leaf = nodes.kind == SplitKind.LEAF
    strength = np.divide(own - below, leaves - 1, out=np.full(own.size, np.inf), where=~is_leaf)
    parent, ends = nodes.parent.tolist(), nodes.end.tolist()
    # Strengths mostly rise, so the heap's keys may be too low, but never too high.
    heap = [(float(strength[node]), node) for node in np.flatnonzero(~is_leaf).tolist()]
    heapq.heapify(heap)
    gone = bytearray(is_leaf.tobytes())
    alphas, impurities, sizes, collapsed = [0.0], [float(below[0])], [int(leaves[0])], []
    while heap:
        key, node = heapq.heappop(heap)
        alpha = float(strength[node])
        if gone[node] or key > alpha:
            continue
        if key < alpha:
            heapq.heappush(heap, (alpha, node))
            continue
        gone[node : ends[node]] = b"\x01" * (ends[node] - node)
        way_up = [node]
        while way_up[-1]:
            way_up.append(parent[way_up[-1]])
        path = np.array(way_up)
        leaves[path] -= leaves[node] - 1
        below[path] += own[node] - below[node]
        above = path[1:]
        now = (own[above] - below[above]) / (leaves[above] - 1)
        for place in np.flatnonzero(now < strength[above]).tolist():
            heapq.heappush(heap, (float(now[place]), int(above[place])))
        strength[above] = now
        alphas.append(max(alpha, alphas[-1]))
        impurities.append(float(below[0]))
        sizes.append(int(leaves[0]))
        collapsed.append(node)
    return ComplexityPath(np.array(alphas), np.array(impurities), np.array(sizes), tuple(collapsed))


def _sums_of_leaves(
    nodes: Nodes, own: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return number and impurity of the leaves at or below each node.

    They are added one by one, left to right, as scikit-learn does: links of equal strength are
    told apart by rounding alone.
    """
    is_leaf = nodes.kind == SplitKind.LEAF
    of_leaves = own[is_leaf]
    first = np.concatenate([[0], np.cumsum(is_leaf)])
    last = first[nodes.end]
    below = np.array(
        [
            np.cumsum(of_leaves[start:stop])[-1]
            for start, stop in zip(first[:-1].tolist(), last.tolist(), strict=True)
        ]
    )
    return last - first[:-1], below


def prune_complexity(tree: Tree, ccp_alpha: float, impurity: str = "entropy") -> Tree:
    """Make leaves of all weakest links whose strength is at most a price.

    Parameters
    ----------
    tree : Tree
        The tree.
    ccp_alpha : float
        Price of a leaf, at least 0.
    impurity : {"entropy", "gini"}
        Impurity of the leaves.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from niwaki import grow
    >>> tree = grow(Table.from_frame([[1], [2], [3], [4]], [0, 0, 1, 1]))
    >>> prune_complexity(tree, 0.5).n_leaves, prune_complexity(tree, 2.0).n_leaves
    (2, 1)
    """
    check_parameter("ccp_alpha", ccp_alpha, Number(0))
    path = cost_complexity_path(tree, impurity)
    steps = int(np.searchsorted(path.ccp_alphas[1:], ccp_alpha, side="right"))
    return _with_leaves(tree, path.collapsed[:steps])


def prune_to_leaves(tree: Tree, max_leaf_nodes: int, impurity: str = "entropy") -> Tree:
    """Make leaves of weakest links until a tree has few enough leaves.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_leaf_nodes : int
        Largest number of leaves, empty ones included; at least 1.
    impurity : {"entropy", "gini"}
        Impurity of the leaves.

    Returns
    -------
    Tree
        The pruned tree.

    Examples
    --------
    >>> from niwaki import grow
    >>> prune_to_leaves(grow(Table.from_frame([[1], [2], [3]], [0, 1, 2])), 2).n_leaves
    2
    """
    check_parameter("max_leaf_nodes", max_leaf_nodes, Count(1, optional=False))
    if tree.n_leaves <= max_leaf_nodes:
        return tree
    path = cost_complexity_path(tree, impurity)
    steps = int(np.argmax(path.n_leaves <= max_leaf_nodes))
    return _with_leaves(tree, path.collapsed[:steps])


def _with_leaves(tree: Tree, collapsed: tuple[int, ...]) -> Tree:
    """Make leaves of nodes."""
    inside = np.zeros(tree.n_nodes + 1, dtype=np.int64)
    np.add.at(inside, np.array(collapsed, dtype=np.intp) + 1, 1)
    np.add.at(inside, tree.nodes.end[list(collapsed)], -1)
    keep = np.cumsum(inside)[:-1] == 0
    return Tree(tree.schema, tree.nodes.pruned(keep), tree.fractional)
