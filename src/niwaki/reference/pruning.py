"""Error-based pruning with subtree raising, as C4.5 does it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from niwaki.reference.counts import Rows, Training, read_training
from niwaki.reference.expected import ErrorBound, expected_errors
from niwaki.reference.nodes import Node, root_of, total, tree_of
from niwaki.splits import SplitKind
from niwaki.table import Table, encode_rows
from niwaki.table.table import Block
from niwaki.tree import Tree

SIMPLER = 0.1
"""A simpler tree is preferred if it is not expected to make more than this many errors more."""


def prune_errors(
    tree: Tree,
    table: Table,
    *,
    confidence: float = 0.25,
    error_bound: ErrorBound = "j48",
    raise_subtrees: bool = True,
) -> Tree:
    """Prune a tree where it is not expected to make fewer errors than something simpler.

    From the leaves up, a subtree becomes a leaf, or its heaviest branch takes its place,
    whichever is expected to make no more errors than the subtree.

    Parameters
    ----------
    tree : Tree
        The tree.
    table : Table
        The rows to judge it by, usually those it was grown from.
    confidence : float, default=0.25
        Chance of seeing as few errors as in training; less prunes more.
    error_bound : {"j48", "r8", "binomial"}, default="j48"
        How the expected errors are computed, see `expected_errors`.
    raise_subtrees : bool, default=True
        Whether a branch may take the place of its parent.

    Returns
    -------
    Tree
        The pruned tree, with the counts of the table.

    Examples
    --------
    >>> from niwaki.reference import grow_greedy
    >>> classes = ["no"] * 6 + ["no"] * 9 + ["yes"]
    >>> table = Table.from_frame([["a"]] * 6 + [["b"]] * 9 + [["c"]], classes)
    >>> tree = grow_greedy(table)
    >>> print(prune_errors(tree, table).to_text())
    : no (16.0/1.0)
    """
    if table.schema.classes != tree.schema.classes:
        raise ValueError("the table has other classes than the tree")
    block = Block(encode_rows(table, tree.schema), table.classes, table.weights)
    training = read_training(Table(tree.schema, (block,)), tree.fractional)

    def expect(node: Node) -> float:
        return expected_errors(node.weight, node.errors, confidence, error_bound)

    root = root_of(tree)
    settle_missing(root, training.all_rows, training)
    prune(root, training.all_rows, training, expect, raise_subtrees)
    return tree_of(root, tree.schema, tree.fractional)


def prune(
    node: Node,
    rows: Rows,
    training: Training,
    expect: Callable[[Node], float],
    raise_subtrees: bool,
) -> None:
    """Prune everything below a node and then the node itself.

    Parameters
    ----------
    node : Node
        The node; changed. Its counts and those below become those of the rows.
    rows : Rows
        The rows that reach the node.
    training : Training
        The table they come from.
    expect : callable
        Gives the expected errors of a leaf.
    raise_subtrees : bool
        Whether a branch may take the place of its parent.
    """
    node.counts = training.class_counts(rows)
    if node.question is None:
        return
    parts, node.shares = training.send(rows, node.question)
    for child, part in zip(node.children, parts, strict=True):
        prune(child, part, training, expect, raise_subtrees)
    as_leaf = expect(Node(node.counts))
    as_tree = errors_below(node, rows, training, expect)
    as_branch = math.inf
    branch = heaviest(node.children)
    if raise_subtrees:
        as_branch = errors_below(branch, rows, training, expect)
    if as_leaf <= as_tree + SIMPLER and as_leaf <= as_branch + SIMPLER:
        node.become_leaf()
    elif as_branch <= as_tree + SIMPLER:
        node.become(branch)
        settle_missing(node, rows, training)
        prune(node, rows, training, expect, raise_subtrees)


def errors_below(
    node: Node, rows: Rows, training: Training, expect: Callable[[Node], float]
) -> float:
    """Return the expected errors of all leaves below a node, if the rows went there.

    Parameters
    ----------
    node : Node
        Root of a subtree; not changed.
    rows : Rows
        The rows that would reach it.
    training : Training
        The table they come from.
    expect : callable
        Gives the expected errors of a leaf.

    Returns
    -------
    float
        The sum, child by child.
    """
    if node.question is None:
        return expect(Node(training.class_counts(rows)))
    parts, _ = training.send(rows, node.question)
    return total(
        errors_below(child, part, training, expect)
        for child, part in zip(node.children, parts, strict=True)
    )


def heaviest(children: list[Node]) -> Node:
    """Return the heaviest of some nodes, the last of equals.

    Parameters
    ----------
    children : list of Node
        At least one.

    Returns
    -------
    Node
        One of them.

    Examples
    --------
    >>> heaviest([Node([2.0]), Node([1.0, 1.0]), Node([1.0])])
    Node(counts=[1.0, 1.0], question=None, children=[], shares=[])
    """
    best = children[0]
    for child in children[1:]:
        if child.weight >= best.weight:
            best = child
    return best


def settle_missing(node: Node, rows: Rows, training: Training) -> None:
    """Send whole rows with a missing number to the heavier side, from a node down.

    Parameters
    ----------
    node : Node
        Root of a subtree; its questions are changed.
    rows : Rows
        The rows that reach it.
    training : Training
        The table they come from.
    """
    if training.fractional or node.question is None:
        return
    if node.question.kind == SplitKind.THRESHOLD:
        counts = training.branch_counts(rows, node.question)
        left, right = counts.weights
        node.question = replace(node.question, missing_branch=0 if left >= right else 1)
    parts, _ = training.send(rows, node.question)
    for child, part in zip(node.children, parts, strict=True):
        settle_missing(child, part, training)
