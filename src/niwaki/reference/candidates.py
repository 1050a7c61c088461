"""The questions that can be asked at a node, with the counts that they lead to."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from niwaki.reference.counts import BranchCounts, Rows, Training
from niwaki.reference.nodes import Question, is_missing, total
from niwaki.reference.settings import Threshold
from niwaki.splits import SplitKind

MOST_DIVIDED_VALUES = 16
"""With more values there are too many ways to divide them."""


@dataclass(frozen=True)
class Candidate:
    """A question and how it divides the rows at a node.

    Parameters
    ----------
    question : Question
        The question; the threshold of a numeric one is not chosen yet.
    counts : BranchCounts
        The division.
    below, above : float, optional
        The values that a numeric question cuts between.

    Examples
    --------
    >>> question = Question(SplitKind.THRESHOLD, 0)
    >>> cut = Candidate(question, BranchCounts([[1, 0], [0, 1]]), below=1.0, above=2.0)
    >>> cut.with_threshold("midpoint", []).threshold
    1.5
    """

    question: Question
    counts: BranchCounts
    below: float = math.nan
    above: float = math.nan

    def with_threshold(self, threshold: Threshold, in_training: Collection[float]) -> Question:
        """Return the question, with a threshold if it is numeric.

        Parameters
        ----------
        threshold : {"midpoint", "value", "training"}
            Between the two values, at the lower one, or at the largest value of the training
            table that is not above the middle.
        in_training : collection of float
            The values of the attribute in the training table.

        Returns
        -------
        Question
            What to ask.
        """
        if self.question.kind != SplitKind.THRESHOLD:
            return self.question
        cut = self.below if threshold == "value" else midpoint(self.below, self.above)
        if threshold == "training":
            cut = max(value for value in in_training if value <= cut)
        return replace(self.question, threshold=cut)


def midpoint(below: float, above: float) -> float:
    """Return the middle of two numbers; the lower one if no float lies between them.

    Parameters
    ----------
    below, above : float
        Two different numbers in order.

    Returns
    -------
    float
        At least `below`, less than `above`.

    Examples
    --------
    >>> midpoint(1.0, 2.0), midpoint(1.5e308, 1.7e308)
    (1.5, 1.6e+308)
    """
    middle = (below + above) / 2
    if math.isinf(middle):
        middle = below / 2 + above / 2
    return middle if middle < above else below


def multiway(training: Training, rows: Rows, attribute: int) -> Candidate:
    """Return the question with one branch per value of a nominal attribute.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    attribute : int
        Position of a nominal attribute.

    Returns
    -------
    Candidate
        The question and its division.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> training = read_training(Table.from_frame([["a"], ["b"], ["c"]], [0, 1, 1]), False)
    >>> multiway(training, training.all_rows, 0).counts.branches
    [[1, 0], [0, 1], [0, 1]]
    """
    n_values = len(training.schema.attributes[attribute].values)
    question = Question(SplitKind.MULTIWAY, attribute, n_branches=n_values)
    return Candidate(question, training.branch_counts(rows, question))


def one_value_against_the_rest(
    training: Training, rows: Rows, attribute: int
) -> Iterator[Candidate]:
    """Yield the questions `= v` about a nominal attribute, in the order of its domain.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    attribute : int
        Position of a nominal attribute.

    Yields
    ------
    Candidate
        A question and its division.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> training = read_training(Table.from_frame([["a"], ["b"], ["c"]], [0, 1, 1]), False)
    >>> candidates = one_value_against_the_rest(training, training.all_rows, 0)
    >>> [candidate.counts.branches for candidate in candidates]
    [[[1, 0], [0, 2]], [[0, 1], [1, 1]], [[0, 1], [1, 1]]]
    """
    for value in range(len(training.schema.attributes[attribute].values)):
        question = Question(SplitKind.VALUE, attribute, value=value)
        yield Candidate(question, training.branch_counts(rows, question))


def some_values_against_the_others(
    training: Training, rows: Rows, attribute: int
) -> Iterator[Candidate]:
    """Yield the questions `in S` about a nominal attribute: each division of its present values.

    S holds the first value that is present. Whether it holds the second is the lowest bit of a
    number, the third the next bit, and so on; the number counts up from 0, and S never holds all.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    attribute : int
        Position of a nominal attribute.

    Yields
    ------
    Candidate
        A question and its division.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> training = read_training(Table.from_frame([["a"], ["b"], ["c"]], [0, 1, 1]), False)
    >>> candidates = some_values_against_the_others(training, training.all_rows, 0)
    >>> [candidate.question.values for candidate in candidates]
    [(0,), (0, 1), (0, 2)]
    """
    column = training.columns[attribute]
    first, *others = sorted({int(column[row]) for row, _ in rows}) or [0]
    if len(others) >= MOST_DIVIDED_VALUES:
        raise ValueError(
            f"column {training.schema.attributes[attribute].name!r} has {len(others) + 1} values "
            f"at a node; nominal_splits='subset' takes at most {MOST_DIVIDED_VALUES}"
        )
    for chosen in range(2 ** len(others) - 1):
        with_first = (value for place, value in enumerate(others) if chosen >> place & 1)
        question = Question(SplitKind.SUBSET, attribute, values=(first, *with_first))
        yield Candidate(question, training.branch_counts(rows, question))


def cuts(training: Training, rows: Rows, attribute: int) -> list[Candidate]:
    """Return the cuts between neighbouring values of a numeric attribute, ascending.

    Whole rows with a missing value are counted on the side with the larger known weight; the
    left one if they are equal.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    attribute : int
        Position of a numeric attribute.

    Returns
    -------
    list of Candidate
        The questions, still without thresholds, and their divisions.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([[1.0], [2.0], [2.0], [float("nan")]], [0, 1, 1, 0])
    >>> training = read_training(table, fractional=False)
    >>> [candidate.counts.branches for candidate in cuts(training, training.all_rows, 0)]
    [[[1, 0], [1, 2]]]
    """
    groups = counts_of_values(training, rows, attribute)
    missing = groups.pop(None, training.no_counts())
    column = training.columns[attribute]
    unknown = total(weight for row, weight in rows if is_missing(column[row]))
    values = sorted(value for value in groups if value is not None)
    up_to = running_totals([groups[value] for value in values])
    down_to = running_totals([groups[value] for value in reversed(values)])[::-1]
    candidates = []
    for place in range(len(values) - 1):
        left, right = up_to[place], down_to[place + 1]
        if training.fractional:
            question = Question(SplitKind.THRESHOLD, attribute)
            counts = BranchCounts([left, right], unknown)
        else:
            branch = 0 if total(left) >= total(right) else 1
            question = Question(SplitKind.THRESHOLD, attribute, missing_branch=branch)
            if branch == 0:
                left = added(left, missing)
            else:
                right = added(right, missing)
            counts = BranchCounts([left, right])
        candidates.append(Candidate(question, counts, values[place], values[place + 1]))
    return candidates


def counts_of_values(
    training: Training, rows: Rows, attribute: int
) -> dict[float | None, list[float]]:
    """Return the class counts of every value of an attribute; those of None have none."""
    column = training.columns[attribute]
    counts: dict[float | None, list[float]] = {}
    for row, weight in rows:
        value = None if is_missing(column[row]) else column[row]
        counts.setdefault(value, training.no_counts())[training.classes[row]] += weight
    return counts


def running_totals(groups: list[list[float]]) -> list[list[float]]:
    """Return for each group of class counts its sum with all before it."""
    totals: list[list[float]] = []
    for group in groups:
        totals.append(added(totals[-1], group) if totals else group)
    return totals


def added(first: list[float], second: list[float]) -> list[float]:
    """Add class counts."""
    return [one + other for one, other in zip(first, second, strict=True)]
