"""What a division of the classes is worth."""

from __future__ import annotations

from niwaki.reference.counts import Arithmetic, BranchCounts
from niwaki.reference.nodes import total

MEASURES = ("gain", "gain_ratio", "gini", "km_distance")


def worth(counts: BranchCounts, measure: str, arithmetic: Arithmetic) -> float:
    """Return the value of a measure, less the more rows have a missing value.

    Parameters
    ----------
    counts : BranchCounts
        The division.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        What to measure.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    float
        The measure over the known rows, times their share.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> worth(BranchCounts([[3.0, 0.0], [0.0, 3.0]], unknown=6.0), "gain", RealArithmetic())
    0.5
    """
    if measure == "gain":
        value = information_gain(counts, arithmetic)
    elif measure == "gain_ratio":
        value = per_bit(information_gain(counts, arithmetic), split_info(counts, arithmetic))
    elif measure == "gini":
        value = gini_decrease(counts)
    elif measure == "km_distance":
        value = per_bit(information_gain(counts, arithmetic), joint_info(counts, arithmetic))
    else:
        raise ValueError(f"measure must be one of {MEASURES}, not {measure!r}")
    return value * (counts.known / counts.weight)


def per_bit(gain: float, info: float) -> float:
    """Return a gain for every bit of information, 0 where there is none."""
    return gain / info if info > 0 else 0.0


def information_gain(counts: BranchCounts, arithmetic: Arithmetic) -> float:
    """Return by how many bits the branches lower the entropy of the class.

    Parameters
    ----------
    counts : BranchCounts
        The division.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    float
        Bits per known row.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> information_gain(BranchCounts([[2.0, 0.0], [0.0, 2.0]]), RealArithmetic())
    1.0
    """
    return total_gain(counts, arithmetic) / counts.known


def total_gain(counts: BranchCounts, arithmetic: Arithmetic) -> float:
    """Return by how many bits the branches lower the entropy of the class, over all known rows.

    Parameters
    ----------
    counts : BranchCounts
        The division.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    float
        Bits, not divided by the weight of the rows.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> total_gain(BranchCounts([[2.0, 0.0], [0.0, 2.0]]), RealArithmetic())
    4.0
    """
    term = arithmetic.term
    before = term(counts.known) - total(map(term, counts.classes))
    after = total(
        term(weight) - total(map(term, branch))
        for weight, branch in zip(counts.weights, counts.branches, strict=True)
    )
    return arithmetic.scaled(before - after)


def entropy(classes: list[float], arithmetic: Arithmetic) -> float:
    """Return the entropy of the class.

    Parameters
    ----------
    classes : list of float
        Weight of every class.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    float
        Bits per row.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> entropy([2.0, 2.0], RealArithmetic())
    1.0
    """
    weight = total(classes)
    return (
        arithmetic.scaled(arithmetic.term(weight) - total(map(arithmetic.term, classes))) / weight
    )


def split_info(counts: BranchCounts, arithmetic: Arithmetic) -> float:
    """Return the entropy of the branches, in bits per known row."""
    term = arithmetic.term
    bits = term(counts.known) - total(map(term, counts.weights))
    return arithmetic.scaled(bits) / counts.known


def split_info_of_all(counts: BranchCounts, arithmetic: Arithmetic) -> float:
    """Return the entropy of the branches and the unknown rows as one more, in bits per row."""
    term = arithmetic.term
    bits = term(counts.weight) - total(map(term, [*counts.weights, counts.unknown]))
    return arithmetic.scaled(bits) / counts.weight


def joint_info(counts: BranchCounts, arithmetic: Arithmetic) -> float:
    """Return the joint entropy of branch and class, in bits per known row."""
    term = arithmetic.term
    cells = [count for branch in counts.branches for count in branch]
    return arithmetic.scaled(term(counts.known) - total(map(term, cells))) / counts.known


def gini_decrease(counts: BranchCounts) -> float:
    """Return by how much the branches lower the Gini impurity of the class.

    Parameters
    ----------
    counts : BranchCounts
        The division.

    Returns
    -------
    float
        The decrease per known row.

    Examples
    --------
    >>> gini_decrease(BranchCounts([[2.0, 0.0], [0.0, 2.0]]))
    0.5
    """
    after = total(
        float(sum_of_squares(branch)) / weight
        for weight, branch in zip(counts.weights, counts.branches, strict=True)
        if weight > 0
    )
    before = float(sum_of_squares(counts.classes)) / counts.known
    return (after - before) / counts.known


def sum_of_squares(counts: list[float]) -> float:
    """Return the sum of the squared counts."""
    return total(count * count for count in counts)
