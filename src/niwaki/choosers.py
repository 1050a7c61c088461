"""Choosers: which question is asked at a node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, get_args

from niwaki.costs import Costs
from niwaki.measures import MEASURES, MeasureName, measure_id
from niwaki.objectives import ERROR_BOUNDS, ErrorBound, normal_deviate
from niwaki.parameters import (
    LARGEST_COUNT,
    Count,
    Number,
    OneOf,
    Rule,
    Truth,
    check_parameter,
)
from niwaki.table import Schema

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


@dataclass(frozen=True)
class Stochastic:
    """SID3: draws the question with probability proportional to its gain.

    Questions that separate the classes are drawn first, all alike.

    Parameters
    ----------
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        What probabilities are proportional to.
    seed : int, default=0
        Names the random streams.
    sample : int, default=0
        Number of the sample: other numbers are other trees over the same rows.

    Examples
    --------
    >>> Stochastic("gain", sample=3).sample
    3
    """

    measure: MeasureName = "gain"
    seed: int = 0
    sample: int = 0

    rules: Rules = field(default="id3", init=False)

    def __post_init__(self) -> None:
        check_parameter("measure", self.measure, OneOf(tuple(MEASURES)))
        for name in ("seed", "sample"):
            check_parameter(name, getattr(self, name), Count(0, optional=False, most=2**64 - 1))

    def native_options(self) -> dict[str, Any]:
        """Return the chooser as the native core takes it."""
        return {
            "measure": measure_id(self.measure),
            "rules": RULES["id3"],
            "mdl_correction": False,
            "collapse": False,
            "drawn": True,
            "seed": int(self.seed),
            "sample": int(self.sample),
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
    "count_empty_leaves": Truth(),
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
    count_empty_leaves : bool, default=True
        Whether leaves without rows count in the size of a sample.
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
    count_empty_leaves: bool = True
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
            "count_empty_leaves": bool(self.count_empty_leaves),
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


Commit = Literal["first", "level"]
LevelCost = Literal["expected", "nodes", "distinct_tests"]
LEVEL_COSTS: dict[str, int] = {"expected": 0, "nodes": 1, "distinct_tests": 2}
Scope = Literal["node", "level"]


@dataclass(frozen=True)
class Levels:
    """How far to look ahead: numbers of levels, or depths where levels end.

    Parameters
    ----------
    commit : {"first", "level"}
        first: a whole number from 1, a sequence of them, or "auto". level: the same number, or
        ascending depths from 0, at least one of them not 0.

    Examples
    --------
    >>> Levels("first").allows((1, 2)), Levels("level").allows((1, 1)), Levels("first").allows(0)
    (True, False, False)
    """

    commit: Commit

    def allows(self, value: Any) -> bool:
        """Return whether a value says how far to look ahead."""
        if self.commit == "first" and isinstance(value, str):
            return value == "auto"
        entries = value if isinstance(value, (tuple, list)) else (value,)
        rule = Count(0 if self.commit == "level" else 1, optional=False)
        if not entries or not all(map(rule.allows, entries)):
            return False
        return self.commit == "first" or (
            entries[-1] > 0 and all(low < high for low, high in pairwise(entries))
        )

    def text(self) -> str:
        """Return what is allowed."""
        if self.commit == "first":
            return (
                f"a whole number from 1 to {LARGEST_COUNT}, a tuple of them that is not empty, "
                "or 'auto'"
            )
        return f"a whole number from 1, or a tuple of ascending depths from 0 to {LARGEST_COUNT}"


HORIZON_RULES: dict[str, Rule] = {
    "commit": OneOf(get_args(Commit)),
    "per_cost": Truth(),
    "level_cost": OneOf(tuple(LEVEL_COSTS)),
    "scope": OneOf(get_args(Scope)),
    "max_cuts": Count(1, optional=False),
    "max_candidates": Count(1),
}

DEEPEST_AUTOMATIC = 3
VARIATION_OF_TWO_LEVELS, VARIATION_OF_ONE_LEVEL = 0.1, 0.5


@dataclass(frozen=True)
class Horizon:
    """Takes the question that begins the best plan a few levels deep: IDX, GOTA, ID3-k.

    Parameters
    ----------
    lookahead : int, tuple of int or "auto", default=2
        Levels that are planned; a tuple gives the levels for nodes at depth 0, 1 and so on, the
        last entry all further ones. Under commit "level", depths where levels end: (0, 2) or 2
        for levels of two depths, (1, 3) for one of one and then levels of two. "auto" looks
        deeper where prices vary little: with a coefficient of variation of the attributes' prices
        below 0.1 three levels, below 0.5 two, else one.
    commit : {"first", "level"}
        Ask only the first question of a plan (IDX), or all of them (GOTA).
    per_cost : bool, default=True
        Whether a plan shall bring most information per cost, or most information (ID3-k).
    level_cost : {"expected", "nodes", "distinct_tests"}
        What a plan costs: every row pays for its questions, or every question is paid for once,
        or every attribute is.
    scope : {"node", "level"}
        Whether every open node is planned for on its own, or all together.
    max_cuts : int, default=8
        Of a numeric attribute, only so many cuts are considered at a node: the best by gain.
    max_candidates : int, optional
        Only so many attributes are considered at a node: the best by gain.
    costs : Costs, optional
        Prices of the attributes; without them every question costs 1.

    Examples
    --------
    >>> Horizon(3).levels()
    (3,)
    """

    lookahead: int | tuple[int, ...] | Literal["auto"] = 2
    commit: Commit = "first"
    per_cost: bool = True
    level_cost: LevelCost = "expected"
    scope: Scope = "node"
    max_cuts: int = 8
    max_candidates: int | None = None
    costs: Costs | None = None

    rules: Rules = field(default="id3", init=False)

    def __post_init__(self) -> None:
        for name, rule in HORIZON_RULES.items():
            check_parameter(name, getattr(self, name), rule)
        check_parameter("lookahead", self.lookahead, Levels(self.commit))
        if self.costs is not None and not isinstance(self.costs, Costs):
            raise TypeError(f"costs must be None or a Costs, not {self.costs!r}")

    def levels(self, prices: Sequence[float] = ()) -> tuple[int, ...]:
        """Return the lookahead as a tuple, without a leading depth of 0.

        Parameters
        ----------
        prices : sequence of float, optional
            Prices of the attributes, which "auto" looks at; without them all are equal.

        Returns
        -------
        tuple of int
            Numbers of levels, or depths where levels end.

        Examples
        --------
        >>> Horizon("auto").levels(), Horizon("auto").levels([1.0, 1.5, 2.0])
        ((3,), (2,))
        """
        if isinstance(self.lookahead, str):
            varied = variation(prices)
            return (
                DEEPEST_AUTOMATIC
                if varied < VARIATION_OF_TWO_LEVELS
                else DEEPEST_AUTOMATIC - 1
                if varied < VARIATION_OF_ONE_LEVEL
                else 1,
            )
        given = self.lookahead if isinstance(self.lookahead, (tuple, list)) else (self.lookahead,)
        entries = tuple(int(entry) for entry in given)
        return entries[1:] if entries[0] == 0 else entries

    def row_visits(
        self, n_rows: int, n_attributes: int, n_questions: int, prices: Sequence[float] = ()
    ) -> float:
        """Return about how often the search counts a row: Norton's bound, times the rows.

        The bound is the sum over the depths of the tree of the questions that can follow each
        other in a plan, an attribute being asked about once. It is loose, since it takes no node
        to be pure.

        Parameters
        ----------
        n_rows, n_attributes : int
            Size of the table.
        n_questions : int
            Questions at the root, the cuts of all numeric attributes included.
        prices : sequence of float, optional
            Prices of the attributes, which "auto" looks at.

        Returns
        -------
        float
            Number of rows counted, each once for every attribute.

        Examples
        --------
        >>> [Horizon(levels).row_visits(1, 4, 4) for levels in (1, 2)]
        [10.0, 20.0]
        """
        entries = self.levels(prices)
        if self.commit == "level":
            entries = tuple(high - low for low, high in pairwise((0, *entries)))
        levels = min(max(entries), n_attributes)
        per_attribute = n_questions / max(n_attributes, 1)
        most = n_attributes if self.max_candidates is None else int(self.max_candidates)
        visits = 0.0
        for depth in range(n_attributes - levels + 1 if levels else 0):
            left = n_attributes - depth
            plans = float(left - levels + 1)
            for level in range(levels - 1):
                plans *= per_attribute * min(left - level, most)
            visits += plans
        return n_rows * visits

    def native_options(self, schema: Schema | None = None) -> dict[str, Any]:
        """Return the chooser as the native core takes it, for the attributes of a schema."""
        prices: list[float] = []
        if self.costs is not None and schema is not None:
            prices = self.costs.prices(schema).tolist()
        return {
            "measure": measure_id("gain"),
            "rules": RULES["id3"],
            "mdl_correction": False,
            "collapse": False,
            "lookahead": list(self.levels(prices)),
            "commit_level": self.commit == "level",
            "per_cost": bool(self.per_cost),
            "level_cost": LEVEL_COSTS[self.level_cost],
            "level_scope": self.scope == "level",
            "max_cuts": int(self.max_cuts),
            "max_candidates": -1 if self.max_candidates is None else int(self.max_candidates),
            "prices": prices,
        }


def variation(prices: Sequence[float]) -> float:
    """Return the coefficient of variation: standard deviation by mean; 0 if all prices are 0.

    Parameters
    ----------
    prices : sequence of float
        Amounts of at least 0.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> variation([1.0, 3.0]), variation([])
    (0.5, 0.0)
    """
    mean = math.fsum(prices) / len(prices) if prices else 0.0
    if mean == 0:
        return 0.0
    return math.sqrt(math.fsum((price - mean) ** 2 for price in prices) / len(prices)) / mean


Chooser = Greedy | Stochastic | Sampling | Skewing | Horizon
