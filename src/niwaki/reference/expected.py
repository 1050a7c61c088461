"""How many errors to expect of a leaf, given those it makes in training."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist
from typing import Literal, get_args

from scipy.special import betaincinv

ErrorBound = Literal["j48", "r8", "binomial"]

R8_QUANTILES = (
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
)
"""Confidence and deviation, as C4.5 release 8 tabulates the normal distribution."""

NO_ERROR = 1e-6
ONE_ERROR = 0.9999


def expected_errors(
    weight: float, errors: float, confidence: float = 0.25, bound: ErrorBound = "j48"
) -> float:
    """Return the upper confidence limit of the number of errors of a leaf.

    Parameters
    ----------
    weight : float
        Training weight of the leaf.
    errors : float
        The part of it that is misclassified.
    confidence : float, default=0.25
        Chance of seeing so few errors; less prunes more.
    bound : {"j48", "r8", "binomial"}, default="j48"
        C4.5's approximation with exact normal quantiles, the same with the quantiles of release
        8, or the binomial distribution itself.

    Returns
    -------
    float
        The expected number of errors; their rate is this divided by the weight.

    Examples
    --------
    >>> round(expected_errors(16, 1) / 16, 4)
    0.1547
    """
    if bound not in get_args(ErrorBound):
        raise ValueError(f"error_bound must be one of {get_args(ErrorBound)}, not {bound!r}")
    if not 0 < confidence <= 1:
        raise ValueError(f"confidence must be in (0, 1], not {confidence!r}")
    if weight <= 0:
        return 0.0
    if bound == "binomial":
        return weight * binomial_limit(weight, errors, confidence)
    deviation = r8_deviation(confidence) if bound == "r8" else normal_deviation(confidence)
    return errors + further_errors(weight, errors, confidence, deviation)


def binomial_limit(weight: float, errors: float, confidence: float) -> float:
    """Return the error rate under which so few errors have the chance `confidence`.

    Parameters
    ----------
    weight : float
        Training weight of the leaf.
    errors : float
        The part of it that is misclassified.
    confidence : float
        The chance.

    Returns
    -------
    float
        A rate; 1 if everything is misclassified.

    Examples
    --------
    >>> binomial_limit(1, 0, 0.25)
    0.75
    """
    if errors >= weight:
        return 1.0
    return float(betaincinv(errors + 1, weight - errors, 1 - confidence))


def normal_deviation(confidence: float) -> float:
    """Return the standard deviations that belong to a confidence, at least 0.

    Parameters
    ----------
    confidence : float
        Above 0, at most 1.

    Returns
    -------
    float
        Number of standard deviations.

    Examples
    --------
    >>> round(normal_deviation(0.25), 5), normal_deviation(0.5)
    (0.67449, 0.0)
    """
    return -NormalDist().inv_cdf(confidence) if confidence < 0.5 else 0.0


def r8_deviation(confidence: float) -> float:
    """Return the deviation that belongs to a confidence, between the entries of the table.

    Parameters
    ----------
    confidence : float
        From 0 to 1.

    Returns
    -------
    float
        Number of standard deviations.

    Examples
    --------
    >>> round(r8_deviation(0.25), 4)
    0.6925
    """
    for (low, at_low), (high, at_high) in pairwise(R8_QUANTILES):
        if confidence <= high:
            return at_low + (at_high - at_low) * (confidence - low) / (high - low)
    raise ValueError(f"confidence must be at most 1, not {confidence!r}")


def further_errors(weight: float, errors: float, confidence: float, deviation: float) -> float:
    """Return how many errors to expect beside those seen.

    Parameters
    ----------
    weight : float
        Training weight of the leaf, more than 0.
    errors : float
        The part of it that is misclassified.
    confidence : float
        Chance of seeing so few errors.
    deviation : float
        The standard deviations that belong to it.

    Returns
    -------
    float
        A number of errors.

    Examples
    --------
    >>> further_errors(1, 0, 0.25, 0.6925)
    0.75
    """
    if errors < ONE_ERROR:
        without_errors = weight * (1 - math.pow(confidence, 1 / weight))
        if errors < NO_ERROR:
            return without_errors
        with_one = further_errors(weight, 1.0, confidence, deviation)
        return without_errors + errors * (with_one - without_errors)
    if errors + 0.5 >= weight:
        return 0.67 * (weight - errors)
    square = deviation * deviation
    seen = errors + 0.5
    spread = math.sqrt(square * (seen * (1 - seen / weight) + square / 4))
    return weight * (seen + square / 2 + spread) / (weight + square) - errors
