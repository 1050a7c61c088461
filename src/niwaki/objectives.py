"""What makes a tree good: the pessimistic number of errors of its leaves."""

from __future__ import annotations

from statistics import NormalDist
from typing import Literal

from niwaki import _core
from niwaki.parameters import Number, OneOf, check_parameter

ErrorBound = Literal["j48", "r8", "binomial"]
ERROR_BOUNDS: tuple[ErrorBound, ...] = ("j48", "r8", "binomial")

_R8_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_R8_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def normal_deviate(confidence: float, bound: ErrorBound = "j48") -> float:
    """Return how many standard deviations a confidence stands for.

    Parameters
    ----------
    confidence : float
        Probability of an error rate above the bound, in (0, 1].
    bound : {"j48", "r8", "binomial"}
        j48 takes the exact normal quantile, r8 the table of C4.5 release 8; the binomial bound
        needs none.

    Returns
    -------
    float
        The one-sided quantile of `1 - confidence`, at least 0.

    Examples
    --------
    >>> round(normal_deviate(0.25), 5), round(normal_deviate(0.25, "r8"), 4)
    (0.67449, 0.6925)
    """
    check_parameter("confidence", confidence, Number(0, 1, above=True))
    check_parameter("error_bound", bound, OneOf(ERROR_BOUNDS))
    confidence = float(confidence)
    if bound == "binomial":
        return 0.0
    if bound == "j48":
        return -NormalDist().inv_cdf(confidence) if confidence < 0.5 else 0.0
    upper = next(i for i in range(1, 9) if confidence <= _R8_CONFIDENCES[i])
    low, high = _R8_CONFIDENCES[upper - 1], _R8_CONFIDENCES[upper]
    rise = _R8_DEVIATES[upper] - _R8_DEVIATES[upper - 1]
    return _R8_DEVIATES[upper - 1] + rise * (confidence - low) / (high - low)


def expected_errors(
    weight: float, errors: float, confidence: float = 0.25, bound: ErrorBound = "j48"
) -> float:
    """Return the pessimistic number of errors of a leaf.

    Parameters
    ----------
    weight : float
        Training weight at the leaf.
    errors : float
        The part of it that the leaf's class gets wrong.
    confidence : float, default=0.25
        Probability of an error rate above the bound; smaller is more pessimistic.
    bound : {"j48", "r8", "binomial"}
        How the upper limit is computed.

    Returns
    -------
    float
        Number of errors, not a rate.

    Examples
    --------
    >>> round(expected_errors(16, 1), 4), round(expected_errors(16, 1, bound="binomial"), 4)
    (2.4757, 2.5538)
    """
    deviate = normal_deviate(confidence, bound)
    return _core.expected_errors(weight, errors, confidence, deviate, bound == "binomial")
