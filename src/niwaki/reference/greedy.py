"""Greedy growth from the root down, as ID3 or C4.5 does it."""

from __future__ import annotations

from niwaki.reference import c45, id3
from niwaki.reference.candidates import Candidate
from niwaki.reference.counts import Rows, Training, read_training
from niwaki.reference.nodes import Node, total, tree_of
from niwaki.reference.settings import Measure, NominalSplits, RuleSet, Settings, Threshold
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Tree

COLLAPSE_TOLERANCE = 1e-3
"""A subtree must make fewer training errors than its root alone, by more than this."""


def grow_greedy(
    table: Table,
    *,
    measure: Measure = "gain",
    rules: RuleSet = "id3",
    nominal_splits: NominalSplits = "multiway",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
    mdl_correction: bool = True,
    collapse: bool = True,
) -> Tree:
    """Grow a tree greedily.

    Parameters
    ----------
    table : Table
        The training rows.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}, default="gain"
        What a good question has most of.
    rules : {"id3", "c45"}, default="id3"
        When to stop and which questions to admit. ID3 goes on until it has no question left.
    nominal_splits : {"multiway", "value", "auto"}, default="multiway"
        One branch per value, `= v`, or the better of both.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    missing : {"category", "fraction", "drop", "error"}, default="category"
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Least weight of a branch; 0 for ID3 and 2 for C4.5 by default.
    mdl_correction : bool, default=True
        Whether C4.5 lowers the gain of a cut by what choosing among the cuts explains.
    collapse : bool, default=True
        Whether C4.5 makes a leaf of a subtree that does not lower the training error.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], ["no", "no", "yes"])
    >>> print(grow_greedy(table).to_text())
    x0 = a: no (2.0)
    x0 = b: yes (1.0)
    """
    settings = Settings(
        measure,
        rules,
        nominal_splits,
        threshold,
        max_depth,
        min_leaf,
        mdl_correction,
        collapse,
    )
    training = read_training(table.under(missing), fractional=missing == "fraction")
    root = grow(training, training.all_rows, settings)
    if settings.rules == "c45" and settings.collapse:
        collapse_idle(root)
    return tree_of(root, training.schema, training.fractional)


def grow(training: Training, rows: Rows, settings: Settings, depth: int = 0) -> Node:
    """Return the node that the rows lead to, with everything below it.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    settings : Settings
        What the learner was told.
    depth : int, default=0
        Number of questions above the node.

    Returns
    -------
    Node
        The node.

    Examples
    --------
    >>> training = read_training(Table.from_frame([["a"], ["b"]], [0, 1]), fractional=False)
    >>> [child.counts for child in grow(training, training.all_rows, Settings()).children]
    [[1, 0], [0, 1]]
    """
    node = Node(training.class_counts(rows))
    if depth == settings.max_depth:
        return node
    candidate = choose(training, rows, node.counts, settings)
    if candidate is None:
        return node
    attribute = candidate.question.attribute
    question = candidate.with_threshold(settings.threshold, training.present(attribute))
    parts, node.shares = training.send(rows, question)
    node.question = question
    node.children = [grow(training, part, settings, depth + 1) for part in parts]
    return node


def choose(
    training: Training, rows: Rows, counts: list[float], settings: Settings
) -> Candidate | None:
    """Return the question to ask at a node with these class counts, None to make it a leaf."""
    if settings.rules == "c45":
        if c45.stops(counts, settings):
            return None
        return c45.choose(training, rows, settings)
    if id3.stops(counts):
        return None
    return id3.choose(training, rows, settings)


def collapse_idle(node: Node) -> float:
    """Make a leaf of every subtree that does not lower the training error, from the leaves up.

    Parameters
    ----------
    node : Node
        Root of the subtree; changed.

    Returns
    -------
    float
        Training errors of what is left.

    Examples
    --------
    >>> from niwaki.reference.nodes import Question
    >>> from niwaki.splits import SplitKind
    >>> question = Question(SplitKind.VALUE, 0, value=0)
    >>> node = Node([3, 1], question, [Node([2, 0]), Node([1, 1])], [0.5, 0.5])
    >>> collapse_idle(node), node.question
    (1, None)
    """
    if node.question is None:
        return node.errors
    errors_below = total([collapse_idle(child) for child in node.children])
    if errors_below >= node.errors - COLLAPSE_TOLERANCE:
        node.become_leaf()
        return node.errors
    return errors_below
