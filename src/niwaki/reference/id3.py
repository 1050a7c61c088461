"""How ID3 chooses: the best candidate by the measure, whatever it is worth."""

from __future__ import annotations

from collections.abc import Iterator

from niwaki.reference.candidates import (
    Candidate,
    cuts,
    multiway,
    one_value_against_the_rest,
)
from niwaki.reference.counts import WEIGHT_TOLERANCE, BranchCounts, Rows, Training
from niwaki.reference.measures import worth
from niwaki.reference.settings import Settings

BETTER = 1e-12
"""A candidate replaces an earlier one only if it is better by more than this."""


def stops(counts: list[float]) -> bool:
    """Return whether a node is a leaf whatever could be asked: it is empty or pure.

    Parameters
    ----------
    counts : list of float
        Weight of every class.

    Returns
    -------
    bool
        Whether at most one class has weight.

    Examples
    --------
    >>> stops([0, 3]), stops([1, 3])
    (True, False)
    """
    return sum(count > 0 for count in counts) <= 1


def choose(training: Training, rows: Rows, settings: Settings) -> Candidate | None:
    """Return the candidate with the largest measure, the first of equals; None without one.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    settings : Settings
        What the learner was told.

    Returns
    -------
    Candidate or None
        What to ask.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], [0, 0, 1])
    >>> training = read_training(table, fractional=False)
    >>> choose(training, training.all_rows, Settings()).question.attribute
    0
    """
    best: Candidate | None = None
    best_value = 0.0
    for candidate in all_candidates(training, rows, settings):
        if not is_admissible(candidate.counts, settings.smallest_branch):
            continue
        value = worth(candidate.counts, settings.measure, training.arithmetic)
        if best is None or value > best_value + BETTER:
            best, best_value = candidate, value
    return best


def all_candidates(training: Training, rows: Rows, settings: Settings) -> Iterator[Candidate]:
    """Yield the candidates at a node in canonical order, admissible or not.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    settings : Settings
        What the learner was told.

    Yields
    ------
    Candidate
        By attribute; the question with one branch per value first; by value or cut.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> training = read_training(Table.from_frame([["a", 1], ["b", 2]], [0, 1]), False)
    >>> candidates = all_candidates(training, training.all_rows, Settings(nominal_splits="auto"))
    >>> [candidate.question.kind.name for candidate in candidates]
    ['MULTIWAY', 'VALUE', 'VALUE', 'THRESHOLD']
    """
    for attribute, described in enumerate(training.schema.attributes):
        if not described.is_nominal:
            yield from cuts(training, rows, attribute)
            continue
        if settings.asks_multiway:
            yield multiway(training, rows, attribute)
        if settings.asks_value:
            yield from one_value_against_the_rest(training, rows, attribute)


def is_admissible(counts: BranchCounts, smallest_branch: float) -> bool:
    """Return whether at least two branches have weight, and none that has any too little.

    Parameters
    ----------
    counts : BranchCounts
        The division.
    smallest_branch : float
        The least weight of a branch.

    Returns
    -------
    bool
        Whether the question may be asked.

    Examples
    --------
    >>> is_admissible(BranchCounts([[2], [0], [1]]), 1.0), is_admissible(BranchCounts([[2]]), 1.0)
    (True, False)
    """
    reached = [weight for weight in counts.weights if weight > 0]
    return len(reached) >= 2 and min(reached) >= smallest_branch - WEIGHT_TOLERANCE
