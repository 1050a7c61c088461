"""Growth from the root down; a chooser says what to ask at a node."""

from __future__ import annotations

from collections.abc import Callable

from niwaki.reference.candidates import Candidate
from niwaki.reference.counts import Rows, Training, read_training
from niwaki.reference.nodes import Node, Question
from niwaki.reference.settings import Threshold
from niwaki.table import MissingPolicy, Table

Chooser = Callable[[Rows, list[float], int | None], Candidate | None]
"""Gives the question for some rows, from them, the weights of their classes and how many
questions may still follow on a path (None without a limit); None to make a leaf."""


def read_whole_rows(table: Table, missing: MissingPolicy) -> Training:
    """Read a table as a learner does that never divides a row.

    Parameters
    ----------
    table : Table
        The training rows.
    missing : {"category", "drop", "error"}
        What a missing value is.

    Returns
    -------
    Training
        The rows.

    Examples
    --------
    >>> read_whole_rows(Table.from_frame([["a"], [None]], [0, 1]), "category").columns
    [[0, 1]]
    """
    if missing == "fraction":
        raise ValueError("missing='fraction' is for greedy growth alone; pass missing='category'")
    return read_training(table.under(missing), fractional=False)


def grow(
    training: Training,
    rows: Rows,
    choose: Chooser,
    threshold: Threshold = "midpoint",
    remaining: int | None = None,
) -> Node:
    """Return the node that the rows lead to, with everything below it.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    choose : callable
        Says what to ask.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    remaining : int, optional
        Largest number of questions on a path; no limit by default.

    Returns
    -------
    Node
        The node.

    Examples
    --------
    >>> from niwaki.reference.candidates import multiway
    >>> training = read_training(Table.from_frame([["a"], ["b"]], [0, 1]), fractional=False)
    >>> def choose(rows, counts, remaining):
    ...     return multiway(training, rows, 0)
    >>> [child.counts for child in grow(training, training.all_rows, choose, remaining=1).children]
    [[1, 0], [0, 1]]
    """
    node = Node(training.class_counts(rows))
    if remaining == 0:
        return node
    candidate = choose(rows, node.counts, remaining)
    if candidate is None:
        return node
    parts = ask(node, training, rows, question_of(candidate, training, threshold))
    below = one_less(remaining)
    node.children = [grow(training, part, choose, threshold, below) for part in parts]
    return node


def question_of(candidate: Candidate, training: Training, threshold: Threshold) -> Question:
    """Return a candidate's question, with a threshold if it is numeric."""
    return candidate.with_threshold(threshold, training.present(candidate.question.attribute))


def ask(node: Node, training: Training, rows: Rows, question: Question) -> list[Rows]:
    """Make a node ask a question, and return the rows of every branch."""
    parts, node.shares = training.send(rows, question)
    node.question = question
    return parts


def one_less(remaining: int | None) -> int | None:
    """Return how many questions may follow after one more; None without a limit."""
    return None if remaining is None else remaining - 1
