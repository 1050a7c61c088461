"""Choosers: which question is asked at a node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from niwaki.measures import MEASURES, MeasureName, measure_id
from niwaki.objectives import ERROR_BOUNDS, ErrorBound, normal_deviate
from niwaki.parameters import Count, Number, OneOf, Rule, Truth, check_parameter

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
        check_parameter("measure", self.measure, OneOf(tuple(MEASURES)))
        check_parameter("rules", self.rules, OneOf(tuple(RULES)))
        check_parameter("mdl_correction", self.mdl_correction, Truth())
        check_parameter("collapse", self.collapse, Truth())

    def native_options(self) -> dict[str, Any]:
        """Return the chooser as the native core takes it."""
        return {
            "measure": measure_id(self.measure),
            "rules": RULES[self.rules],
            "mdl_correction": bool(self.mdl_correction),
            "collapse": bool(self.collapse),
        }


NumericCuts = Literal["best", "all", "mc_p", "mc_r"]
NUMERIC_CUTS: dict[str, int] = {"best": 0, "all": 1, "mc_p": 2, "mc_r": 3}
SampleObjective = Literal["size", "error"]
SAMPLE_OBJECTIVES: dict[str, int] = {"size": 0, "error": 1}
LARGEST_SUBSET_DOMAIN = 16

SAMPLING_RULES: dict[str, Rule] = {
    "samples": Count(0, optional=False),
    "measure": OneOf(tuple(MEASURES)),
    "objective": OneOf(tuple(SAMPLE_OBJECTIVES)),
    "numeric_cuts": OneOf(tuple(NUMERIC_CUTS)),
    "drawn_fraction": Number(0, above=True),
    "confidence": Number(0, 1, above=True),
    "error_bound": OneOf(ERROR_BOUNDS),
    "seed": Count(0, optional=False, most=2**64 - 1),
}


@dataclass(frozen=True)
class SpeedDevices:
    """What saves time while samples are drawn, and changes no result.

    Parameters
    ----------
    remember_statistics : bool, default=True
        The candidates of rows that several samples start from are evaluated once.
    cut_off : bool, default=True
        Samples and candidates that can no longer win are given up.
    known_sizes : bool, default=True
        Samples whose size is certain are not drawn.
    merge_rows : bool, default=True
        Equal rows of one class become one row of larger weight, where many are equal.
    bits : bool, default=True
        Small nodes of nominal attributes are sets of bits.
    """

    remember_statistics: bool = True
    cut_off: bool = True
    known_sizes: bool = True
    merge_rows: bool = True
    bits: bool = True


@dataclass(frozen=True)
class Sampling:
    """LSID3: takes the question under which the smallest stochastic trees were drawn.

    Parameters
    ----------
    samples : int, default=5
        Sample trees per branch of every question; 0 is greedy.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        Sample trees ask questions with probability proportional to it.
    objective : {"size", "error"}
        What a sample is judged by: its leaves, or their expected errors.
    numeric_cuts : {"mc_r", "mc_p", "all", "best"}
        Cuts tried per numeric attribute: as many draws as samples; draws in proportion to the
        rows; every cut, with all samples each; only the best cut.
    drawn_fraction : float, default=1.0
        Draws per unit of weight under "mc_p".
    confidence : float, default=0.25
        Of the expected errors.
    error_bound : {"j48", "r8", "binomial"}
        How the expected errors are computed.
    seed : int, default=0
        Names the random streams.
    devices : SpeedDevices, optional
        Which speed devices are on; by default all.

    Examples
    --------
    >>> Sampling(3).objective
    'size'
    """

    samples: int = 5
    measure: MeasureName = "gain"
    objective: SampleObjective = "size"
    numeric_cuts: NumericCuts = "mc_r"
    drawn_fraction: float = 1.0
    confidence: float = 0.25
    error_bound: ErrorBound = "j48"
    seed: int = 0
    devices: SpeedDevices = field(default_factory=SpeedDevices)

    rules: Rules = field(default="id3", init=False)

    def __post_init__(self) -> None:
        for name, rule in SAMPLING_RULES.items():
            check_parameter(name, getattr(self, name), rule)

    def native_options(self) -> dict[str, Any]:
        """Return the chooser as the native core takes it."""
        return {
            "measure": measure_id(self.measure),
            "rules": RULES["id3"],
            "mdl_correction": False,
            "collapse": False,
            "samples": int(self.samples),
            "numeric_cuts": NUMERIC_CUTS[self.numeric_cuts],
            "drawn_fraction": float(self.drawn_fraction),
            "objective": SAMPLE_OBJECTIVES[self.objective],
            "confidence": float(self.confidence),
            "deviate": normal_deviate(self.confidence, self.error_bound),
            "binomial": self.error_bound == "binomial",
            "seed": int(self.seed),
            "remember_statistics": self.devices.remember_statistics,
            "cut_off": self.devices.cut_off,
            "known_sizes": self.devices.known_sizes,
            "bits": self.devices.bits,
        }


SkewingFallback = Literal["id3", "leaf"]

SKEWING_RULES: dict[str, Rule] = {
    "trials": Count(0, optional=False),
    "sequential": Truth(),
    "gain_fraction": Number(0, 1),
    "skew": Number(0, 1),
    "fallback": OneOf(("id3", "leaf")),
    "seed": Count(0, optional=False, most=2**64 - 1),
}


@dataclass(frozen=True)
class Skewing:
    """Takes the attribute that gains most often when rows are weighted at random.

    Parameters
    ----------
    trials : int, default=30
        Random weightings at a node; with `sequential`, for each attribute.
    sequential : bool, default=False
        Whether a weighting skews one attribute alone, in turn, and not all at once.
    gain_fraction : float, default=0.05
        What a vote takes: a gain of this share of the entropy of the class.
    skew : float, default=0.75
        Weight of rows with the favoured value; the others have `1 - skew`.
    fallback : {"id3", "leaf"}
        Without votes: ask as ID3 does, or make a leaf unless ID3's question gains enough.
    seed : int, default=0
        Names the random streams.

    Examples
    --------
    >>> Skewing(10, sequential=True).trials
    10
    """

    trials: int = 30
    sequential: bool = False
    gain_fraction: float = 0.05
    skew: float = 0.75
    fallback: SkewingFallback = "id3"
    seed: int = 0

    rules: Rules = field(default="id3", init=False)

    def __post_init__(self) -> None:
        for name, rule in SKEWING_RULES.items():
            check_parameter(name, getattr(self, name), rule)

    def native_options(self) -> dict[str, Any]:
        """Return the chooser as the native core takes it."""
        return {
            "measure": measure_id("gain"),
            "rules": RULES["id3"],
            "mdl_correction": False,
            "collapse": False,
            "trials": int(self.trials),
            "sequential": bool(self.sequential),
            "gain_fraction": float(self.gain_fraction),
            "skew": float(self.skew),
            "leaf_without_votes": self.fallback == "leaf",
            "seed": int(self.seed),
        }


Chooser = Greedy | Sampling | Skewing
