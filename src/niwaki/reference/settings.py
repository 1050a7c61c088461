"""What a learner that grows by splits is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from niwaki.table import Attribute

Measure = Literal["gain", "gain_ratio", "gini", "km_distance"]
RuleSet = Literal["id3", "c45"]
NominalSplits = Literal["multiway", "value", "auto", "subset"]
Threshold = Literal["midpoint", "value", "training"]


@dataclass(frozen=True)
class Settings:
    """The settings of `grow_greedy`, checked.

    Parameters
    ----------
    measure, rules, nominal_splits, threshold, max_depth, min_leaf, mdl_correction, collapse
        As there.

    Examples
    --------
    >>> Settings(rules="c45").smallest_branch
    2.0
    """

    measure: Measure = "gain"
    rules: RuleSet = "id3"
    nominal_splits: NominalSplits = "multiway"
    threshold: Threshold = "midpoint"
    max_depth: int | None = None
    min_leaf: float | None = None
    mdl_correction: bool = True
    collapse: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError for a word that is no choice."""
        for name, choices in (
            ("measure", Measure),
            ("rules", RuleSet),
            ("nominal_splits", NominalSplits),
            ("threshold", Threshold),
        ):
            if getattr(self, name) not in get_args(choices):
                raise ValueError(
                    f"{name} must be one of {get_args(choices)}, not {getattr(self, name)!r}"
                )
        if self.rules == "c45" and self.nominal_splits == "subset":
            raise ValueError("nominal_splits='subset' is not for the rules of C4.5")

    @property
    def smallest_branch(self) -> float:
        """The least weight of a branch: `min_leaf`, or what the rules have instead."""
        if self.min_leaf is not None:
            return float(self.min_leaf)
        return 2.0 if self.rules == "c45" else 0.0

    @property
    def asks_multiway(self) -> bool:
        """Whether a nominal attribute may have one branch per value."""
        return self.nominal_splits in ("multiway", "auto")

    def asks_value(self, attribute: Attribute) -> bool:
        """Whether one value of a nominal attribute may be asked for.

        With two values, one branch per value and one value against the rest are one question.
        """
        if self.nominal_splits == "auto":
            return len(attribute.values) > 2
        return self.nominal_splits == "value"

    @property
    def asks_subset(self) -> bool:
        """Whether some values may stand against the others."""
        return self.nominal_splits == "subset"
