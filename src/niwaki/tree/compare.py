"""When two trees are the same: by questions, labels and weights, not by codes."""

from __future__ import annotations

import numpy as np

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
    if not np.array_equal(first.nodes.kind, second.nodes.kind):
        return False
    for node in range(first.n_nodes):
        one, other = first.split(node), second.split(node)
        if one is not None and other is not None:
            if one.literals() != other.literals() or one.threshold != other.threshold:
                return False
            if (one.value, one.values) != (other.value, other.values):
                return False
    first_labels = [first.schema.classes[code] for code in first.nodes.label]
    if first_labels != [second.schema.classes[code] for code in second.nodes.label]:
        return False
    classes = set(first.schema.classes) | set(second.schema.classes)
    for label in classes:
        weights = [
            tree.nodes.counts[:, tree.schema.classes.index(label)]
            if label in tree.schema.classes
            else np.zeros(tree.n_nodes)
            for tree in (first, second)
        ]
        if not np.allclose(*weights, rtol=0.0, atol=WEIGHT_TOLERANCE):
            return False
    return bool(
        np.allclose(first.nodes.share, second.nodes.share, rtol=0.0, atol=WEIGHT_TOLERANCE)
    ) and np.array_equal(first.nodes.missing_branch, second.nodes.missing_branch)
