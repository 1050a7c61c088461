"""How C4.5 (release 8, as J48 has it) chooses: gain ratio among the better half by gain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from niwaki.reference.candidates import (
    Candidate,
    cuts,
    multiway,
    one_value_against_the_rest,
)
from niwaki.reference.counts import WEIGHT_TOLERANCE, Rows, Training
from niwaki.reference.measures import split_info_of_all, worth
from niwaki.reference.nodes import total
from niwaki.reference.settings import Settings
from niwaki.splits import SplitKind

BETTER = 1e-6
"""An offer replaces an earlier one only if it is better by more than this."""

LITTLE = 1e-3
"""How far a gain may be below the average, and how much split information is too little."""

CLOSEST_VALUES = 1e-5
"""Values no farther apart than this are not cut between."""

MANY_VALUES = 0.3
"""An attribute with more values than this share of the rows does not count in the average."""


@dataclass(frozen=True)
class Offer:
    """The best that an attribute has to offer at a node.

    Parameters
    ----------
    candidate : Candidate
        The question and its division.
    value : float
        Its gain, corrected for the choice among cuts; another criterion's value.
    info : float
        Its split information.

    Examples
    --------
    >>> from niwaki.reference.counts import BranchCounts
    >>> from niwaki.reference.nodes import Question
    >>> question = Question(SplitKind.VALUE, 0, value=0)
    >>> Offer(Candidate(question, BranchCounts([[1], [1]])), 0.5, 1.0).value
    0.5
    """

    candidate: Candidate
    value: float
    info: float


def stops(counts: list[float], settings: Settings) -> bool:
    """Return whether a node is a leaf whatever could be asked: it is empty, pure or small.

    Parameters
    ----------
    counts : list of float
        Weight of every class.
    settings : Settings
        What the learner was told.

    Returns
    -------
    bool
        Whether not to ask.

    Examples
    --------
    >>> stops([2, 1], Settings(rules="c45")), stops([2, 2], Settings(rules="c45"))
    (True, False)
    """
    weight = total(counts)
    return (
        weight - max(counts) < WEIGHT_TOLERANCE
        or weight + WEIGHT_TOLERANCE < 2 * settings.smallest_branch
    )


def choose(training: Training, rows: Rows, settings: Settings) -> Candidate | None:
    """Return the candidate with the best score; None if none has a score above 0.

    The score is the criterion. Under gain ratio it is the gain for every bit of split
    information, of those offers whose gain is not below the average of all.

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
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], [0, 0, 1, 1])
    >>> training = read_training(table, fractional=False)
    >>> choose(training, training.all_rows, Settings("gain_ratio", "c45")).question.attribute
    0
    """
    offers = list(all_offers(training, rows, settings))
    averaged = [offer.value for offer in offers if counts_in_average(training, offer)]
    if not averaged:
        return None
    least_gain = total(averaged) / len(averaged) - LITTLE
    best: Candidate | None = None
    best_score = 0.0
    for offer in offers:
        score = offer.value
        if settings.measure == "gain_ratio":
            if offer.value < least_gain or offer.info <= LITTLE:
                continue
            score = offer.value / offer.info
        if score > best_score + BETTER:
            best, best_score = offer.candidate, score
    return best


def all_offers(training: Training, rows: Rows, settings: Settings) -> Iterator[Offer]:
    """Yield what every attribute has to offer, in order; at most one offer of each form.

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
    Offer
        The admissible ones.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([["a"], ["a"], ["b"], ["b"]], [0, 0, 1, 1])
    >>> training = read_training(table, fractional=False)
    >>> [offer.value for offer in all_offers(training, training.all_rows, Settings(rules="c45"))]
    [1.0]
    """
    for attribute, described in enumerate(training.schema.attributes):
        offers: list[Offer | None] = []
        if not described.is_nominal:
            offers.append(offer_cut(training, rows, attribute, settings))
        if described.is_nominal and settings.asks_multiway:
            offers.append(offer_multiway(training, rows, attribute, settings))
        if described.is_nominal and settings.asks_value(described):
            offers.append(offer_value(training, rows, attribute, settings))
        yield from (offer for offer in offers if offer is not None)


def counts_in_average(training: Training, offer: Offer) -> bool:
    """Return whether an offer's gain counts in the average.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    offer : Offer
        The offer.

    Returns
    -------
    bool
        False for one branch per value of an attribute with very many values, unless all
        attributes are such.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([["a", 1], ["a", 2], ["b", 3], ["b", 4]], [0, 0, 1, 1])
    >>> training = read_training(table, fractional=False)
    >>> offers = all_offers(training, training.all_rows, Settings(rules="c45"))
    >>> [counts_in_average(training, offer) for offer in offers]
    [False, True]
    """
    question = offer.candidate.question
    many = [
        attribute.is_nominal and len(attribute.values) >= MANY_VALUES * training.total_weight
        for attribute in training.schema.attributes
    ]
    is_multiway = question.kind == SplitKind.MULTIWAY
    return all(many) or not (is_multiway and many[question.attribute])


def offer_multiway(
    training: Training, rows: Rows, attribute: int, settings: Settings
) -> Offer | None:
    """Return the offer of one branch per value, if two branches or more are large enough."""
    candidate = multiway(training, rows, attribute)
    large = [weight for weight in candidate.counts.weights if is_large(weight, settings)]
    return offer_of(candidate, training, settings) if len(large) >= 2 else None


def offer_value(training: Training, rows: Rows, attribute: int, settings: Settings) -> Offer | None:
    """Return the value with the best score against the rest, if both sides are large enough."""
    best: Offer | None = None
    best_score = 0.0
    for candidate in one_value_against_the_rest(training, rows, attribute):
        if not all(is_large(weight, settings) for weight in candidate.counts.weights):
            continue
        offer = offer_of(candidate, training, settings)
        score = offer.value
        if settings.measure == "gain_ratio":
            score = offer.value / offer.info if offer.info > LITTLE else 0.0
        if best is None or score > best_score + BETTER:
            best, best_score = offer, score
    return best


def offer_cut(training: Training, rows: Rows, attribute: int, settings: Settings) -> Offer | None:
    """Return the best cut, its gain lowered by what choosing among so many cuts explains."""
    tried = cuts_to_try(training, rows, attribute, settings)
    best: Offer | None = None
    best_value = 0.0
    for candidate in tried:
        offer = offer_of(candidate, training, settings)
        if offer.value > best_value + BETTER:
            best, best_value = offer, offer.value
    if best is None:
        return None
    if settings.mdl_correction and settings.measure in ("gain", "gain_ratio"):
        best_value -= math.log2(len(tried)) / best.candidate.counts.weight
    return Offer(best.candidate, best_value, best.info) if best_value > BETTER else None


def cuts_to_try(
    training: Training, rows: Rows, attribute: int, settings: Settings
) -> list[Candidate]:
    """Return the cuts with enough weight on both sides, between values far enough apart.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    rows : Rows
        The rows at the node.
    attribute : int
        Position of a numeric attribute.
    settings : Settings
        What the learner was told.

    Returns
    -------
    list of Candidate
        Ascending; none if too few rows have a value.

    Examples
    --------
    >>> from niwaki.reference.counts import read_training
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([[1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 1, 1, 1])
    >>> training = read_training(table, fractional=False)
    >>> tried = cuts_to_try(training, training.all_rows, 0, Settings(rules="c45"))
    >>> [(candidate.below, candidate.above) for candidate in tried]
    [(2.0, 3.0), (3.0, 4.0)]
    """
    candidates = cuts(training, rows, attribute)
    if not candidates:
        return []
    known = candidates[0].counts.known
    if known + WEIGHT_TOLERANCE < 2 * settings.smallest_branch:
        return []
    smallest = smallest_side(known, training.schema.n_classes, settings.smallest_branch)
    return [
        candidate
        for candidate in candidates
        if candidate.below + CLOSEST_VALUES < candidate.above
        and min(candidate.counts.weights) >= smallest - WEIGHT_TOLERANCE
    ]


def offer_of(candidate: Candidate, training: Training, settings: Settings) -> Offer:
    """Return a candidate with its gain or other criterion, and its split information."""
    measure = "gain" if settings.measure == "gain_ratio" else settings.measure
    return Offer(
        candidate,
        worth(candidate.counts, measure, training.arithmetic),
        split_info_of_all(candidate.counts, training.arithmetic),
    )


def is_large(weight: float, settings: Settings) -> bool:
    """Return whether a branch has rows, and the least weight that the learner was told."""
    return weight > 0 and weight >= settings.smallest_branch - WEIGHT_TOLERANCE


def smallest_side(known: float, n_classes: int, smallest_branch: float) -> float:
    """Return the least weight on each side of a cut: a tenth of the mean class, within limits.

    Parameters
    ----------
    known : float
        Weight of the rows whose value is known.
    n_classes : int
        Number of declared classes.
    smallest_branch : float
        The least weight of a branch.

    Returns
    -------
    float
        At least `smallest_branch`, at most 25 unless that is more.

    Examples
    --------
    >>> [smallest_side(known, 2, 2.0) for known in (14, 100, 1000)]
    [2.0, 5.0, 25.0]
    """
    smallest = 0.1 * known / n_classes
    if smallest <= smallest_branch + WEIGHT_TOLERANCE:
        return smallest_branch
    return 25.0 if smallest > 25 + WEIGHT_TOLERANCE else smallest
