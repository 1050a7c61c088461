"""Split measures: their names, and the numbers the native core knows them by."""

from __future__ import annotations

from typing import Literal

MeasureName = Literal["gain", "gain_ratio", "gini", "km_distance"]

MEASURES: dict[str, int] = {"gain": 0, "gain_ratio": 1, "gini": 2, "km_distance": 3}
"""Information gain; gain per split information; decrease of the Gini impurity; gain per joint
entropy of class and branch (one minus the normalised distance of López de Mántaras)."""


def measure_id(name: str) -> int:
    """Return the native number of a measure.

    Parameters
    ----------
    name : str
        A key of `MEASURES`.

    Returns
    -------
    int
        Its number.

    Examples
    --------
    >>> measure_id("gini")
    2
    """
    if name not in MEASURES:
        raise ValueError(f"the measure must be one of {tuple(MEASURES)}, not {name!r}")
    return MEASURES[name]


def impurity_of(name: str) -> str:
    """Return the impurity of nodes that goes with a measure of splits."""
    return "gini" if name == "gini" else "entropy"
