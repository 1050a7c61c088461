"""Pruning: by expected errors as in C4.5, and by cost and complexity as in CART."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.checks import check_count
from niwaki.objectives import ErrorBound, normal_deviate
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
        raise_subtrees,
        tree.fractional,
    )
    return Tree(tree.schema, Nodes(*arrays), tree.fractional)


TIE = 1e-13
"""Strengths of links that differ by no more are equal; of equal links the upper falls first."""


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
    weight = tree.nodes.counts.sum(axis=1)
    root_weight = weight[0] if weight[0] > 0 else 1.0
    own = weight / root_weight * node_impurity(tree.nodes.counts, impurity)
    leaves = tree.leaves()
    events = _in_order(_collapses(tree, own.tolist()))
    removed = np.array([event.removed_leaves for event in events], dtype=np.int64)
    added = np.array([event.added_impurity for event in events])
    strengths = np.array([0.0, *(event.strength for event in events)])
    return ComplexityPath(
        np.maximum.accumulate(strengths),
        own[leaves].sum() + np.concatenate([[0.0], np.cumsum(added)]),
        leaves.size - np.concatenate([[0], np.cumsum(removed)]),
        tuple(event.node for event in events),
    )


class Collapse(NamedTuple):
    """A node made a leaf: at what price of a leaf, and what that changes."""

    strength: float
    node: int
    removed_leaves: int
    added_impurity: float


def _collapses(tree: Tree, own: list[float]) -> list[Collapse]:
    """Return which nodes fall before anything above them does.

    A node falls when its subtree, with everything below that has fallen earlier, is its weakest
    link. So the last collapses below it are taken back while they would come after its own.
    """
    waiting: list[list[tuple[float, Collapse]]] = [[] for _ in range(tree.n_nodes)]
    parent = tree.nodes.parent.tolist()
    for node in range(tree.n_nodes - 1, -1, -1):
        children = tree.children(node).tolist()
        latest = waiting[node]
        if children:
            leaves, impurity = len(children), sum(own[child] for child in children)
            while True:
                strength = (own[node] - impurity) / (leaves - 1)
                if not latest or latest[0][1].strength < strength - TIE:
                    break
                undone = heapq.heappop(latest)[1]
                leaves += undone.removed_leaves
                impurity -= undone.added_impurity
            collapse = Collapse(strength, node, leaves - 1, own[node] - impurity)
            heapq.heappush(latest, (-strength, collapse))
        if node:
            waiting[parent[node]] = _joined(waiting[parent[node]], latest)
            waiting[node] = []
    return [collapse for _, collapse in waiting[0]]


def _in_order(collapses: list[Collapse]) -> list[Collapse]:
    """Sort collapses by strength and, where strengths differ by rounding only, by node."""
    ordered = sorted(collapses)
    rises = [after.strength > before.strength + TIE for before, after in pairwise(ordered)]
    group = [0, *accumulate(rises)]
    places = sorted(range(len(ordered)), key=lambda place: (group[place], ordered[place].node))
    return [ordered[place] for place in places]


def _joined(first: list[Any], second: list[Any]) -> list[Any]:
    """Move the items of the smaller heap into the larger."""
    small, large = sorted((first, second), key=len)
    for item in small:
        heapq.heappush(large, item)
    return large


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
    if isinstance(ccp_alpha, bool) or not (math.isfinite(ccp_alpha) and ccp_alpha >= 0):
        raise ValueError(f"ccp_alpha must be a number of at least 0, not {ccp_alpha!r}")
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
    check_count("max_leaf_nodes", max_leaf_nodes, least=1)
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
