"""Greedy growth from the root down, as ID3 or C4.5 does it."""

from __future__ import annotations

from niwaki.reference import c45, id3
from niwaki.reference.candidates import Candidate
from niwaki.reference.counts import Rows, read_training
from niwaki.reference.growth import grow
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
    nominal_splits : {"multiway", "value", "auto", "subset"}, default="multiway"
        One branch per value, `= v`, or the better of both; or `in S`, which C4.5 does not ask.
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

    def choose(rows: Rows, counts: list[float], _: int | None) -> Candidate | None:
        if settings.rules == "c45":
            return None if c45.stops(counts, settings) else c45.choose(training, rows, settings)
        return None if id3.stops(counts) else id3.choose(training, rows, settings)

    root = grow(training, training.all_rows, choose, settings.threshold, max_depth)
    if settings.rules == "c45" and settings.collapse:
        collapse_idle(root)
    return tree_of(root, training.schema, training.fractional)


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
