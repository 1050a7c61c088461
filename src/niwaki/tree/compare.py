"""When two trees are the same: by questions, labels and weights, not by codes."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from niwaki.splits import Split, SplitKind, label_key
from niwaki.table import Label
from niwaki.tree.tree import Tree

WEIGHT_TOLERANCE = 1e-9


def same_tree(first: Tree, second: Tree) -> bool:
    """Return whether two trees ask the same questions and give the same answers.

    Parameters
    ----------
    first, second : Tree
        Trees, possibly over differently coded schemas.

    Returns
    -------
    bool
        Equal attributes, values, thresholds, class labels, and weights to 1e-9.

    Examples
    --------
    >>> from niwaki import Table, Greedy, grow
    >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
    >>> same_tree(tree, Tree.from_json(tree.to_json()))
    True
    """
    if first.n_nodes != second.n_nodes or first.fractional != second.fractional:
        return False
    partner = _partners(first, second)
    if partner is None:
        return False
    labels = [[label_key(label) for label in tree.schema.classes] for tree in (first, second)]
    other_label = second.nodes.label[partner].tolist()
    for own, other in zip(first.nodes.label.tolist(), other_label, strict=True):
        if labels[0][own] != labels[1][other]:
            return False
    if not np.array_equal(first.nodes.missing_branch, second.nodes.missing_branch[partner]):
        return False
    for label in {*labels[0], *labels[1]}:
        weights = [
            tree.nodes.counts[:, keys.index(label)] if label in keys else np.zeros(tree.n_nodes)
            for tree, keys in zip((first, second), labels, strict=True)
        ]
        if not _close(weights[0], weights[1][partner]):
            return False
    return _close(_share_of_node(first), _share_of_node(second)[partner])


def _partners(first: Tree, second: Tree) -> NDArray[np.intp] | None:
    """Find the node of the second tree that each node of the first stands for."""
    partner = np.zeros(first.n_nodes, dtype=np.intp)
    for node in range(first.n_nodes):
        other = int(partner[node])
        own_split, other_split = first.split(node), second.split(other)
        if own_split is None or other_split is None:
            if own_split is not other_split:
                return None
            continue
        if _question(own_split) != _question(other_split):
            return None
        children = second.children(other)
        if own_split.kind == SplitKind.MULTIWAY:
            children = children[_same_values(own_split, other_split)]
        partner[first.children(node)] = children
    return partner


def _question(split: Split) -> Hashable:
    attribute = split.attribute
    asked: Hashable = None
    if split.kind == SplitKind.MULTIWAY:
        asked = _label_keys(attribute.values)
    elif split.kind == SplitKind.VALUE:
        asked = label_key(split.value)
    elif split.kind == SplitKind.SUBSET:
        asked = _label_keys(split.values)
    elif attribute.kind == "ordinal":
        asked = (split.threshold, split.threshold_text())
    else:
        asked = split.threshold
    return attribute.name, attribute.kind, split.kind, asked


def _label_keys(labels: tuple[Label, ...]) -> frozenset[Hashable]:
    return frozenset(map(label_key, labels))


def _same_values(first: Split, second: Split) -> list[int]:
    """Return the branch of the second split for each branch of the first."""
    branch = {label_key(value): place for place, value in enumerate(second.attribute.values)}
    return [branch[label_key(value)] for value in first.attribute.values]


def _share_of_node(tree: Tree) -> NDArray[np.float64]:
    """Return the share of each node in its parent's rows with a missing value."""
    share = np.ones(tree.n_nodes)
    share[tree.nodes.children] = tree.nodes.share
    return share


def _close(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    return bool((np.abs(first - second) <= WEIGHT_TOLERANCE).all())
