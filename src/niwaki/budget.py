"""How long a search may take, and why it stopped."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from niwaki.parameters import Count, Number, check_parameter

UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DEFAULT_WORK = 2e8


class StopReason(Enum):
    """Why a run ended.

    Examples
    --------
    >>> StopReason("time") is StopReason.TIME
    True
    """

    TIME = "time"
    EVALUATIONS = "evaluations"
    STEPS = "steps"
    TARGET = "target"
    STALLED = "stalled"
    CALLBACK = "callback"
    INTERRUPTED = "interrupted"
    EXHAUSTED = "exhausted"
    PROVEN = "proven"


@dataclass(frozen=True)
class Budget:
    """Limits of one run; the first that is reached ends it.

    Parameters
    ----------
    seconds, cpu_seconds : float, optional
        Wall-clock time and processor time.
    evaluations : float, optional
        Sample trees over all rows; one over a part of the rows counts as that part.
    steps : int, optional
        Steps of the search.
    target : float, optional
        A value of the objective that is good enough.
    stall : int, optional
        Steps in a row that bring nothing better.

    Examples
    --------
    >>> Budget(seconds=2.0, steps=10).steps
    10
    """

    seconds: float | None = None
    cpu_seconds: float | None = None
    evaluations: float | None = None
    steps: int | None = None
    target: float | None = None
    stall: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "cpu_seconds", "evaluations"):
            check_parameter(f"Budget({name}=…)", getattr(self, name), Number(0, optional=True))
        check_parameter("Budget(target=…)", self.target, Number(float("-inf"), optional=True))
        check_parameter("Budget(steps=…)", self.steps, Count(0))
        check_parameter("Budget(stall=…)", self.stall, Count(1))
        if all(getattr(self, field.name) is None for field in fields(self)):
            raise ValueError(
                "an empty Budget never ends a search; give seconds, cpu_seconds, evaluations, "
                "steps, target or stall"
            )

    @staticmethod
    def of(value: Any, n_rows: int, n_attributes: int) -> Budget:
        """Read a budget as users write it.

        Parameters
        ----------
        value : Budget, number, str or None
            Seconds, a text such as "30s" or "5 min", or None for about a second's work on a
            thousand rows.
        n_rows, n_attributes : int
            Size of the table, for None.

        Returns
        -------
        Budget
            The limits.

        Examples
        --------
        >>> Budget.of("1.5 min", 10, 2).seconds
        90.0
        """
        if isinstance(value, Budget):
            return value
        if value is None:
            return Budget(evaluations=max(DEFAULT_WORK / max(n_rows * n_attributes, 1), 1.0))
        if isinstance(value, str):
            found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", value.lower())
            if found is None or (found[2] or "s") not in UNITS:
                raise ValueError(
                    f"budget {value!r} is not a time such as '30s', '500ms', '5 min' or '1h'"
                )
            value = float(found[1]) * UNITS[found[2] or "s"]
        check_parameter("budget", value, Number(0))
        return Budget(seconds=float(value))


@dataclass(frozen=True)
class Progress:
    """Where a search stands, for callbacks.

    Parameters
    ----------
    seconds, cpu_seconds : float
        Time spent in all runs.
    evaluations : float
        Sample trees over all rows.
    steps : int
        Steps finished.
    value : float
        Objective of the best tree; smaller is better.
    n_leaves : int
        Leaves of the best tree.
    """

    seconds: float
    cpu_seconds: float
    evaluations: float
    steps: int
    value: float
    n_leaves: int


@dataclass(frozen=True)
class Status(Progress):
    """Where a search stands after a run, and why the run ended.

    Parameters
    ----------
    reason : StopReason or None
        None before the first run.
    """

    reason: StopReason | None = None
