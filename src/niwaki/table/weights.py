"""Weights of rows: what is accepted, and what is said about the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_TOTAL = 1e100
SMALLEST_TOTAL = 1e-100


def check_weights(
    weights: Any, n_rows: int, name: str = "sample_weight"
) -> NDArray[np.float64] | None:
    """Return weights as float64, or raise an error that says what is wrong with them.

    Parameters
    ----------
    weights : array-like, number or None
        One weight for every row, one for all rows, or none.
    n_rows : int
        How many there must be.
    name : str, default="sample_weight"
        The parameter, for messages.

    Returns
    -------
    ndarray of float64 or None
        Finite weights of at least 0, not all of them 0.

    Examples
    --------
    >>> check_weights([1, 2], 2)
    array([1., 2.])
    """
    if weights is None:
        return None
    checked = finite_weights(weights, name)
    if checked.ndim == 0:
        checked = np.full(n_rows, float(checked))
    if checked.shape != (n_rows,):
        raise ValueError(f"{name}.shape == {checked.shape}, expected ({n_rows},)!")
    if not (checked > 0).any():
        raise ValueError(f"every {name} is zero; at least one row must count")
    with np.errstate(over="ignore"):
        total = float(checked.sum())
    if not SMALLEST_TOTAL <= total <= LARGEST_TOTAL:
        raise ValueError(
            f"{name} adds up to {total}, which must be from {SMALLEST_TOTAL} to {LARGEST_TOTAL}; "
            "rescale the weights"
        )
    return checked


def finite_weights(weights: Any, name: str) -> NDArray[np.float64]:
    """Return numbers as float64 if all are finite and at least 0.

    Parameters
    ----------
    weights : array-like
        The numbers.
    name : str
        The parameter, for messages.

    Returns
    -------
    ndarray of float64
        The numbers.

    Examples
    --------
    >>> finite_weights([0, 2.5], "class_weight")
    array([0. , 2.5])
    """
    if np.ma.is_masked(weights):
        raise ValueError(f"{name} has masked entries; every weight must be a number")
    if np.asarray(weights).dtype.kind in "USc":
        raise ValueError(f"{name} must hold numbers, not text or complex numbers")
    try:
        checked = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold finite numbers") from None
    if not np.isfinite(checked).all():
        raise ValueError(f"{name} contains NaN or infinity; every weight must be a number")
    if (checked < 0).any():
        raise ValueError(f"Negative values in {name}; every weight must be at least 0")
    return checked
