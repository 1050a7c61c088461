"""The questions that can be asked at a node, with the counts that they lead to."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from niwaki.reference.counts import BranchCounts, Rows, Training
from niwaki.reference.nodes import Question, is_missing, total
from niwaki.reference.settings import Threshold
from niwaki.splits import SplitKind


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
    column = training.columns[attribute]
    groups: dict[float, list[float]] = {}
    missing = training.no_counts()
    unknown: float = 0
    for row, weight in rows:
        if is_missing(column[row]):
            missing[training.classes[row]] += weight
            unknown += weight
        else:
            group = groups.setdefault(column[row], training.no_counts())
            group[training.classes[row]] += weight
    values = sorted(groups)
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


def running_totals(groups: list[list[float]]) -> list[list[float]]:
    """Return for each group of class counts its sum with all before it."""
    totals: list[list[float]] = []
    for group in groups:
        totals.append(added(totals[-1], group) if totals else group)
    return totals


def added(first: list[float], second: list[float]) -> list[float]:
    """Add class counts."""
    return [one + other for one, other in zip(first, second, strict=True)]
