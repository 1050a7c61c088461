"""How ID3 chooses: the best candidate by the measure, whatever it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from niwaki.reference.candidates import (
    Candidate,
    cuts,
    multiway,
    one_value_against_the_rest,
    some_values_against_the_others,
)
from niwaki.reference.counts import WEIGHT_TOLERANCE, Arithmetic, BranchCounts, Rows, Training
from niwaki.reference.measures import worth
from niwaki.reference.settings import Measure, Settings

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
    groups = candidate_groups(training, rows, settings)
    return best_of(chain.from_iterable(groups), settings.measure, training.arithmetic)


def best_of(
    candidates: Iterable[Candidate], measure: Measure, arithmetic: Arithmetic
) -> Candidate | None:
    """Return the candidate with the largest measure, the first of equals; None without one.

    Parameters
    ----------
    candidates : iterable of Candidate
        The admissible ones.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        What the best has most of.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    Candidate or None
        The best.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> best_of([], "gain", RealArithmetic()) is None
    True
    """
    best: Candidate | None = None
    best_value = 0.0
    for candidate in candidates:
        value = worth(candidate.counts, measure, arithmetic)
        if best is None or value > best_value + BETTER:
            best, best_value = candidate, value
    return best


def candidate_groups(
    training: Training, rows: Rows, settings: Settings
) -> Iterator[list[Candidate]]:
    """Yield the admissible candidates at a node in canonical order, by attribute and form.

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
    list of Candidate
        What can be asked about one attribute in one form: one branch per value (first), one
        value against the rest, some values against the others, or a cut. Perhaps nothing.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> training = read_training(Table.from_frame([["a", 1], ["b", 2]], [0, 1]), False)
    >>> groups = candidate_groups(training, training.all_rows, Settings(nominal_splits="auto"))
    >>> [[candidate.question.kind.name for candidate in group] for group in groups]
    [['MULTIWAY'], ['THRESHOLD']]
    """
    for attribute, described in enumerate(training.schema.attributes):
        groups: list[Iterable[Candidate]] = []
        if not described.is_nominal:
            groups.append(cuts(training, rows, attribute))
        if described.is_nominal and settings.asks_multiway:
            groups.append([multiway(training, rows, attribute)])
        if described.is_nominal and settings.asks_value(described):
            groups.append(one_value_against_the_rest(training, rows, attribute))
        if described.is_nominal and settings.asks_subset:
            groups.append(some_values_against_the_others(training, rows, attribute))
        for group in groups:
            yield [
                candidate
                for candidate in group
                if is_admissible(candidate.counts, settings.smallest_branch)
            ]


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
