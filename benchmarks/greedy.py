"""Greedy growth and prediction against scikit-learn's trees, as ratios measured in one run.

Prints a table; the exit status is 1 if a limit is missed. Both sides grow to pure leaves by
entropy, and the processor time of this process counts; wall time stands beside it.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from niwaki import C45Classifier

Matrix = NDArray[np.float64]
Classes = NDArray[np.int64]

REPEATS = 7
ROWS = 20_000
SMALL_MIXED_ROWS = 10_000
LARGE_MIXED_ROWS = 1_000_000
N_VALUES = 8
MIXED_COLUMNS = 20
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes per unit of the peak that the operating system reports."""


@dataclass(frozen=True)
class Data:
    """Rows to learn from, as both sides read them, and which of our columns are nominal."""

    X: Matrix
    y: Classes
    nominal: NDArray[np.intp]
    other: Matrix

    def ours(self) -> C45Classifier:
        """Fit our tree."""
        model = C45Classifier(
            criterion="gain",
            mdl_correction=False,
            collapse=False,
            prune=False,
            min_samples_leaf=1,
            categorical_features=self.nominal,
        )
        return model.fit(self.X, self.y)

    def theirs(self) -> DecisionTreeClassifier:
        """Fit scikit-learn's tree."""
        return DecisionTreeClassifier(criterion="entropy", random_state=0).fit(self.other, self.y)


NONE_NOMINAL = np.zeros(0, dtype=np.intp)


class Letters:
    """Rows like those of letter recognition: whole numbers around the centre of each class."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.centres = self.random.integers(0, 16, (26, 16))

    def draw(self, n_rows: int) -> tuple[Matrix, Classes]:
        """Draw rows with 16 whole numbers from 0 to 15 and one of 26 classes."""
        y = self.random.integers(0, 26, n_rows)
        noise = self.random.normal(0, 2.5, (n_rows, 16))
        return np.clip(np.rint(self.centres[y] + noise), 0, 15), y


def continuous(n_rows: int, seed: int) -> Data:
    """Draw 20 continuous columns, three of them relevant, the classes noisy."""
    random = np.random.default_rng(seed)
    X = random.random((n_rows, 20))
    y = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(0, 0.2, n_rows) > 0.8
    X = X[:, random.permutation(20)]
    return Data(X, y.astype(int), NONE_NOMINAL, X)


def nominal(n_rows: int, seed: int) -> Data:
    """Draw 20 nominal columns of 8 values; scikit-learn reads one column per value."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, N_VALUES, (n_rows, 20))
    y = (codes[:, 0] + codes[:, 3] * codes[:, 5] + random.integers(0, 9, n_rows)) % 7 > 3
    X = codes[:, random.permutation(20)].astype(np.float64)
    indicators = OneHotEncoder(sparse_output=False).fit_transform(X)
    return Data(X, y.astype(int), np.arange(20), indicators)


def mixed(n_rows: int, seed: int) -> Data:
    """Draw 10 continuous and 10 nominal columns; scikit-learn reads the codes as numbers."""
    random = np.random.default_rng(seed)
    place = random.permutation(MIXED_COLUMNS)
    X = np.empty((n_rows, MIXED_COLUMNS))
    for column in range(MIXED_COLUMNS):
        drawn = random.random(n_rows) if column < 10 else random.integers(0, N_VALUES, n_rows)
        X[:, place[column]] = drawn
    signal = X[:, place[0]] + X[:, place[1]] * X[:, place[2]] + X[:, place[12]] / N_VALUES
    y = signal + random.normal(0, 0.2, n_rows) > 1.2
    return Data(X, y.astype(int), np.sort(place[10:]), X)


@dataclass(frozen=True)
class Timing:
    """Processor and wall seconds of one side, medians over the repeats."""

    cpu: float
    wall: float


def measure(
    ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int
) -> tuple[Timing, Timing, Any, Any]:
    """Time both sides in turns; return the times and what each gave last."""
    sides = (ours, theirs)
    cpu: list[list[float]] = [[], []]
    wall: list[list[float]] = [[], []]
    results: list[Any] = [None, None]
    for _ in range(repeats):
        for side, call in enumerate(sides):
            results[side] = None
            gc.collect()
            began_cpu, began_wall = time.process_time(), time.perf_counter()
            results[side] = call()
            cpu[side].append(time.process_time() - began_cpu)
            wall[side].append(time.perf_counter() - began_wall)
    first, second = (
        Timing(statistics.median(cpu[side]), statistics.median(wall[side])) for side in (0, 1)
    )
    return first, second, *results


class Report:
    """The table, printed line by line, and whether a limit was missed."""

    def __init__(self) -> None:
        self.missed = False
        print("| case | figure | limit | | ours, ms cpu (wall) | theirs | nodes | per node |")
        print("|---|---|---|---|---|---|---|---|")

    def line(self, case: str, figure: float, limit: float, *notes: str) -> None:
        """Print a figure beside its limit."""
        good = figure <= limit
        self.missed |= not good
        cells = [case, f"{figure:.3f}", f"{limit:g}", "ok" if good else "MISSED", *notes]
        print("| " + " | ".join([*cells, *[""] * (8 - len(cells))]) + " |", flush=True)

    def times(
        self, case: str, ours: Timing, theirs: Timing, limit: float, nodes: tuple[int, int] | None
    ) -> float:
        """Print the ratio of two times; return it."""
        ratio = ours.cpu / theirs.cpu
        notes = [f"{1e3 * side.cpu:.1f} ({1e3 * side.wall:.1f})" for side in (ours, theirs)]
        if nodes is not None:
            per_node = ratio / (nodes[0] / nodes[1])
            notes += [f"{nodes[0]} / {nodes[1]}", f"{per_node:.3f}"]
        self.line(case, ratio, limit, *notes)
        return ratio


def compare_fits(report: Report, case: str, data: Data, limit: float) -> tuple[Any, Any]:
    """Time both fits, print their ratio and return the models."""
    ours, theirs, model, other = measure(data.ours, data.theirs, REPEATS)
    report.times(case, ours, theirs, limit, node_counts(model, other))
    return model, other


def node_counts(model: C45Classifier, other: DecisionTreeClassifier) -> tuple[int, int]:
    """Return the numbers of nodes of both trees."""
    return int(model.tree_.n_nodes), int(other.tree_.node_count)


def fit_mixed_alone(n_rows: int, seed: int) -> None:
    """Fit mixed rows once on both sides; print times, nodes and our peak of memory as JSON."""
    mixed(1000, seed).ours()
    data = mixed(n_rows, seed)
    gc.collect()
    before = resident_bytes()
    began_cpu, began_wall = time.process_time(), time.perf_counter()
    model = data.ours()
    ours = Timing(time.process_time() - began_cpu, time.perf_counter() - began_wall)
    peak = peak_bytes() - before
    began_cpu, began_wall = time.process_time(), time.perf_counter()
    other = data.theirs()
    theirs = Timing(time.process_time() - began_cpu, time.perf_counter() - began_wall)
    print(
        json.dumps(
            {
                "ours": vars(ours),
                "theirs": vars(theirs),
                "nodes": node_counts(model, other),
                "peak": peak,
                "matrix": data.X.nbytes,
            }
        )
    )


def resident_bytes() -> int:
    """Return the memory that this process holds now; its peak where that is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[1]) * resource.getpagesize()
    except OSError:
        return peak_bytes()


def peak_bytes() -> int:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT


def compare_large(report: Report, small_ratio: float, seed: int) -> None:
    """Compare a million mixed rows, fitted once in a process of their own."""
    command = [sys.executable, __file__, "--seed", str(seed), "--alone", str(LARGE_MIXED_ROWS)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    ratio = report.times(
        f"mixed, {LARGE_MIXED_ROWS:,} x {MIXED_COLUMNS}, once",
        Timing(**found["ours"]),
        Timing(**found["theirs"]),
        1.0,
        tuple(found["nodes"]),
    )
    megabytes = [f"{found[name] / 1e6:.0f} MB" for name in ("peak", "matrix")]
    report.line("its peak memory / matrix", found["peak"] / found["matrix"], 3.0, *megabytes)
    report.line("mixed ratio, large / small", ratio / small_ratio, 1.3)


def main() -> int:
    """Run the comparison.

    Returns
    -------
    int
        Exit status: 1 if a limit was missed.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="seed of rows and columns")
    parser.add_argument(
        "--skip-large", action="store_true", help="leave the million rows out (about a minute)"
    )
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.alone is not None:
        fit_mixed_alone(chosen.alone, chosen.seed)
        return 0

    report = Report()
    letters = Letters(chosen.seed)
    X, y = letters.draw(ROWS)
    data = Data(X, y, NONE_NOMINAL, X)
    model, other = compare_fits(report, f"letters, {ROWS:,} x 16, 26 classes", data, 0.8)
    fresh, _ = letters.draw(100_000)
    ours, theirs, _, _ = measure(
        lambda: model.predict(fresh), lambda: other.predict(fresh), REPEATS
    )
    report.times("predict 100,000 letters", ours, theirs, 1.0, None)
    compare_fits(report, f"continuous, {ROWS:,} x 20", continuous(ROWS, chosen.seed), 1.0)
    compare_fits(report, f"nominal, {ROWS:,} x 20 of 8", nominal(ROWS, chosen.seed), 0.2)
    small = mixed(SMALL_MIXED_ROWS, chosen.seed)
    ours, theirs, model, other = measure(small.ours, small.theirs, REPEATS)
    case = f"mixed, {SMALL_MIXED_ROWS:,} x {MIXED_COLUMNS}"
    ratio = report.times(case, ours, theirs, 1.0, node_counts(model, other))
    if not chosen.skip_large:
        compare_large(report, ratio, chosen.seed)
    return int(report.missed)


if __name__ == "__main__":
    sys.exit(main())
