"""The anytime loop: run a strategy in steps, within a budget, and keep the best tree."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from niwaki.budget import Budget, Progress, Status, StopReason
from niwaki.table import Table
from niwaki.tree import Tree

SLICE_MILLISECONDS = 20.0
IMPATIENT_SECONDS = 1.0

Callback = Callable[[Progress], Any]


@dataclass(frozen=True)
class StepResult:
    """What one finished step did.

    Parameters
    ----------
    kind : str
        greedy, rebuild, …
    accepted : bool
        Whether the best tree changed.
    old_value, new_value : float
        Objective of the part that was worked on, before and as proposed.
    evaluations : float
        Sample trees over all rows that the step drew.
    details : dict
        What else the history should tell, such as depth and resource.
    """

    kind: str
    accepted: bool
    old_value: float
    new_value: float
    evaluations: float
    details: dict[str, Any]


class Strategy(Protocol):
    """What a search can run: begins with a tree and then improves it step by step."""

    def begin(self, table: Table) -> StepResult:
        """Grow the first tree."""

    def advance(self, milliseconds: float, evaluations: float) -> StepResult | None:
        """Work on a step for a while, or up to a number of evaluations; return it when done."""

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing left to try."""

    @property
    def pending_evaluations(self) -> float:
        """Evaluations of the step under way."""

    @property
    def value(self) -> float:
        """Objective of the best tree."""

    @property
    def n_leaves(self) -> int:
        """Leaves of the best tree."""

    def tree(self) -> Tree:
        """Return the best tree."""


class Search:
    """Improves one tree for as long as it is given time.

    Parameters
    ----------
    table : Table
        The training rows.
    strategy : Strategy
        How to improve, such as `Improve()`.

    Attributes
    ----------
    history : list of dict
        One entry per finished step.

    Examples
    --------
    >>> from niwaki import Budget, Improve, Search, Table
    >>> from niwaki.datasets import make_parity
    >>> table = Table.from_frame(*make_parity(4, 4, 200, random_state=0))
    >>> search = Search(table, Improve("size")).run(Budget(steps=40))
    >>> search.best.n_leaves
    16
    """

    def __init__(self, table: Table, strategy: Strategy) -> None:
        self.table = table
        self.strategy = strategy
        self.history: list[dict[str, Any]] = []
        self._seconds = 0.0
        self._cpu_seconds = 0.0
        self._evaluations = 0.0
        self._overspent = 0.0
        self._steps = 0
        self._stalled = 0
        self._reason: StopReason | None = None

    @property
    def best(self) -> Tree:
        """The best tree so far."""
        if not self.history:
            raise ValueError("the search has no tree yet; call run() first")
        return self.strategy.tree()

    @property
    def status(self) -> Status:
        """Where the search stands."""
        return Status(**asdict(self._progress()), reason=self._reason)

    def _progress(self) -> Progress:
        begun = bool(self.history)
        return Progress(
            self._seconds,
            self._cpu_seconds,
            self._evaluations + (self.strategy.pending_evaluations if begun else 0.0),
            self._steps,
            self.strategy.value if begun else float("inf"),
            self.strategy.n_leaves if begun else 0,
        )

    def run(self, budget: Any = None, on_progress: Callback | None = None) -> Search:
        """Search until a limit is reached.

        A step that a limit cuts short is suspended; the next run goes on with it.

        Parameters
        ----------
        budget : Budget, number, str or None
            Limits of this run; a number is seconds, a text such as "30s" too.
        on_progress : callable, optional
            Called with a `Progress` after every step; returning "stop" ends the run.

        Returns
        -------
        Search
            The search itself.
        """
        budget = Budget.of(budget, self.table.n_rows, self.table.n_attributes)
        clock = Clock(budget, self)
        self._stalled = 0
        try:
            if not self.history:
                self._finish(self.strategy.begin(self.table), clock)
            with interruptible() as interrupted:
                self._reason = self._loop(budget, clock, interrupted, on_progress)
        finally:
            clock.stop()
        return self

    def _loop(
        self,
        budget: Budget,
        clock: Clock,
        interrupted: Callable[[], bool],
        on_progress: Callback | None,
    ) -> StopReason:
        while True:
            if interrupted():
                return StopReason.INTERRUPTED
            reason = clock.limit_reached()
            if reason is not None:
                return reason
            if budget.target is not None and self.strategy.value <= budget.target:
                return StopReason.TARGET
            if budget.stall is not None and self._stalled >= budget.stall:
                return StopReason.STALLED
            if self.strategy.exhausted:
                return StopReason.EXHAUSTED
            result = self.strategy.advance(clock.slice(), clock.evaluations_left())
            if result is None:
                continue
            self._finish(result, clock)
            if on_progress is not None and on_progress(self._progress()) == "stop":
                return StopReason.CALLBACK

    def _finish(self, result: StepResult, clock: Clock) -> None:
        clock.tick()
        self._evaluations += result.evaluations
        if result.kind != "greedy":
            self._steps += 1
        self._stalled = 0 if result.accepted else self._stalled + 1
        self.history.append(
            {
                "wall_seconds": self._seconds,
                "cpu_seconds": self._cpu_seconds,
                "evaluations": self._evaluations,
                "step": self._steps,
                "kind": result.kind,
                **result.details,
                "old_value": result.old_value,
                "new_value": result.new_value,
                "accepted": result.accepted,
                "value": self.strategy.value,
                "n_leaves": self.strategy.n_leaves,
            }
        )


class Clock:
    """The limits of one run, measured from where it began."""

    def __init__(self, budget: Budget, search: Search) -> None:
        self.budget = budget
        self.search = search
        self.wall = time.perf_counter()
        self.cpu = time.process_time()
        self.seconds_before = search._seconds
        self.cpu_before = search._cpu_seconds
        self.steps_before = search._steps
        status = search._progress()
        self.evaluations_limit = float("inf")
        if budget.evaluations is not None:
            self.evaluations_limit = status.evaluations + budget.evaluations - search._overspent

    def tick(self) -> None:
        """Write the time down."""
        self.search._seconds = self.seconds_before + time.perf_counter() - self.wall
        self.search._cpu_seconds = self.cpu_before + time.process_time() - self.cpu

    def stop(self) -> None:
        """Write down the time, and what was spent beyond the limit in evaluations."""
        self.tick()
        if self.budget.evaluations is not None:
            spent = self.search._progress().evaluations
            self.search._overspent = max(spent - self.evaluations_limit, 0.0)

    def slice(self) -> float:
        """Return how many milliseconds to work before the next look."""
        left = float("inf")
        if self.budget.seconds is not None:
            left = self.budget.seconds - (time.perf_counter() - self.wall)
        return max(min(1000 * left, SLICE_MILLISECONDS), 0.1)

    def evaluations_left(self) -> float:
        """Return how many evaluations may still be drawn."""
        return self.evaluations_limit - self.search._progress().evaluations

    def limit_reached(self) -> StopReason | None:
        """Return which limit is reached, if any."""
        budget = self.budget
        if budget.seconds is not None and time.perf_counter() - self.wall >= budget.seconds:
            return StopReason.TIME
        if budget.cpu_seconds is not None and time.process_time() - self.cpu >= budget.cpu_seconds:
            return StopReason.TIME
        if self.evaluations_left() <= 0:
            return StopReason.EVALUATIONS
        if budget.steps is not None and self.search._steps - self.steps_before >= budget.steps:
            return StopReason.STEPS
        return None


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C into a wish to stop; a second within a second raises.

    Outside the main thread signals are left alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    pressed: list[float] = []

    def on_interrupt(*_: Any) -> None:
        now = time.monotonic()
        if pressed and now - pressed[-1] < IMPATIENT_SECONDS:
            raise KeyboardInterrupt
        pressed.append(now)

    earlier = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, earlier)
