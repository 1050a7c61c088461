"""Choosers: which question is asked at a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from niwaki.measures import MeasureName, measure_id

Rules = Literal["id3", "c45"]
RULES: dict[str, int] = {"id3": 0, "c45": 1}


@dataclass(frozen=True)
class Greedy:
    """Takes the question that the measure likes best.

    Parameters
    ----------
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        The measure.
    rules : {"id3", "c45"}
        id3: any question that divides the rows, as long as there is one. c45: the admissible ones
        of C4.5 release 8, none if nothing is gained.
    mdl_correction : bool, default=True
        Under c45, subtract from a cut's gain what it costs to name the cut.
    collapse : bool, default=True
        Under c45, undo splits that do not lower the number of training errors.

    Examples
    --------
    >>> Greedy("gain_ratio", rules="c45").rules
    'c45'
    """

    measure: MeasureName = "gain"
    rules: Rules = "id3"
    mdl_correction: bool = True
    collapse: bool = True

    def __post_init__(self) -> None:
        measure_id(self.measure)
        if self.rules not in RULES:
            raise ValueError(f"rules must be one of {tuple(RULES)}, not {self.rules!r}")
