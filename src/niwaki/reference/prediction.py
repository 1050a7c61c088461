"""Where a row stops in a tree, and what the tree answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from niwaki.reference.nodes import is_missing, question_at, total
from niwaki.tree import Tree


def stops_of_row(tree: Tree, columns: Sequence[NDArray[Any]], row: int) -> list[tuple[int, float]]:
    """Return the nodes where a row stops, left to right, with the part of it that stops there.

    A row stops at a leaf, or where its value has no branch. Where rows are fractional, one with
    a missing value goes down every branch by its share.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : sequence of ndarray
        Encoded rows, as `encode_rows` gives them.
    row : int
        Number of the row.

    Returns
    -------
    list of (int, float)
        Nodes and parts; the parts add up to 1.

    Examples
    --------
    >>> from niwaki.reference import grow_greedy
    >>> from niwaki.table import Table, encode_rows
    >>> tree = grow_greedy(Table.from_frame([["a"], ["b"], ["b"]], [0, 1, 1]), missing="fraction")
    >>> stops_of_row(tree, encode_rows([[None]], tree.schema), 0)
    [(1, 0.3333333333333333), (2, 0.6666666666666666)]
    """
    stops: list[tuple[int, float]] = []

    def descend(node: int, part: float) -> None:
        children = tree.children(node).tolist()
        if not children:
            stops.append((node, part))
            return
        question = question_at(tree, node)
        value = columns[question.attribute][row].item()
        if is_missing(value) and tree.fractional:
            first = int(tree.nodes.child_start[node])
            for place, child in enumerate(children):
                share = float(tree.nodes.share[first + place])
                if share > 0:
                    descend(child, part * share)
            return
        missing = is_missing(value)
        branch = question.branch_of_missing() if missing else question.branch_of(value)
        if branch is None:
            stops.append((node, part))
        else:
            descend(children[branch], part)

    descend(0, 1.0)
    return stops


def apply_row(tree: Tree, columns: Sequence[NDArray[Any]], row: int) -> int:
    """Return the node where a row, or the largest part of it, stops.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : sequence of ndarray
        Encoded rows, as `encode_rows` gives them.
    row : int
        Number of the row.

    Returns
    -------
    int
        Number of a node, the first of equals.

    Examples
    --------
    >>> from niwaki.reference import grow_greedy
    >>> from niwaki.table import Table, encode_rows
    >>> tree = grow_greedy(Table.from_frame([["a"], ["b"]], [0, 1]))
    >>> apply_row(tree, encode_rows([["b"], ["z"]], tree.schema), 0)
    2
    >>> apply_row(tree, encode_rows([["b"], ["z"]], tree.schema), 1)
    0
    """
    stops = stops_of_row(tree, columns, row)
    return max(stops, key=lambda stop: stop[1])[0]


def predict_row(tree: Tree, columns: Sequence[NDArray[Any]], row: int) -> int:
    """Return the class code that a tree answers for a row.

    Parameters
    ----------
    tree : Tree
        The tree.
    columns : sequence of ndarray
        Encoded rows, as `encode_rows` gives them.
    row : int
        Number of the row.

    Returns
    -------
    int
        The label of the node where the row stops. Where rows are fractional, the class with the
        largest share over all parts, the first of equals.

    Examples
    --------
    >>> from niwaki.reference import grow_greedy
    >>> from niwaki.table import Table, encode_rows
    >>> tree = grow_greedy(Table.from_frame([["a"], ["b"], ["b"]], [0, 1, 1]), missing="fraction")
    >>> predict_row(tree, encode_rows([[None]], tree.schema), 0)
    1
    """
    if not tree.fractional:
        return int(tree.nodes.label[apply_row(tree, columns, row)])
    shares: list[float] = [0.0] * tree.schema.n_classes
    for node, part in stops_of_row(tree, columns, row):
        counts = tree.nodes.counts[tree.nodes.distribution_node[node]].tolist()
        weight = total(counts)
        for code, count in enumerate(counts):
            shares[code] += part * (count / weight)
    return shares.index(max(shares))
