"""Speed and quality of lookahead by sampling, against one fit of scikit-learn in the same run.

Every figure stands beside its limit; the exit status is 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable
from statistics import mean, median
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from niwaki import ID3Classifier, LSID3Classifier, Sampling, SkewingClassifier, Table, _core, grow
from niwaki.datasets import load, make_parity
from niwaki.parallel import SAMPLER_OPTIONS
from niwaki.training import training_for

SEEDS = range(30)


def cpu_seconds(work: Callable[[], Any], repeats: int) -> float:
    """Return the median CPU time of some work."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return median(times)


def peer(X: Any, y: Any) -> DecisionTreeClassifier:
    """Fit the tree that all times are compared with."""
    return DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)


class Report:
    """Collects figures and says whether they keep their limits."""

    def __init__(self) -> None:
        self.missed = 0
        print("| figure | value | limit | |\n|---|---|---|---|")

    def line(self, name: str, value: float, limit: float, *, at_least: bool = False) -> None:
        """Print one figure."""
        kept = value >= limit if at_least else value <= limit
        self.missed += not kept
        sign = "≥" if at_least else "≤"
        print(f"| {name} | {value:.4g} | {sign} {limit:g} | {'ok' if kept else 'MISSED'} |")


def small_parity(report: Report) -> None:
    """XOR-5: 200 rows, 10 columns in random order, 30 draws."""
    cube = np.array([list(f"{number:010b}") for number in range(1024)], dtype=object)
    seconds, right = [], []
    for seed in SEEDS:
        X, y, concept = make_parity(5, 5, 200, random_state=seed, return_concept=True)
        model = LSID3Classifier(samples=5, random_state=seed)
        began = time.process_time()
        model.fit(X, y)
        seconds.append(time.process_time() - began)
        right.append(float(np.mean(model.predict(cube) == concept.label(cube))))
    report.line("XOR-5, LSID3(5): mean CPU seconds of a fit", mean(seconds), 0.004)
    report.line("XOR-5, LSID3(5): accuracy on all 1,024 inputs", mean(right), 0.99, at_least=True)


def large_parity(report: Report) -> None:
    """XOR-10: 10,000 rows, 20 columns."""
    X, y = make_parity(10, 10, 10_000, random_state=0)
    numbers_of_X = X.astype(float)
    one_fit = cpu_seconds(lambda: peer(numbers_of_X, y), 7)
    table = Table.from_frame(X, y)
    training = training_for(table, Sampling(1))
    options = {name: training.options[name] for name in SAMPLER_OPTIONS}
    sampler = _core.Sampler(*training.arrays, **options)
    everything = np.arange(table.n_rows, dtype=np.uint32)
    sampler.draw(everything, -1, 0)
    began = time.process_time()
    for sample in range(50):
        sampler.draw(everything, -1, sample)
    report.line("XOR-10: one sample tree / fit", (time.process_time() - began) / 50 / one_fit, 0.1)
    costs = {
        samples: cpu_seconds(lambda r=samples: grow(table, Sampling(r)), 3) for samples in (1, 2, 4)
    }
    report.line("XOR-10: LSID3(1) / fit", costs[1] / one_fit, 10)
    report.line("XOR-10: LSID3(2) / LSID3(1)", costs[2] / costs[1], 2.1)
    report.line("XOR-10: LSID3(4) / LSID3(2)", costs[4] / costs[2], 2.1)


def numbers(report: Report) -> None:
    """Glass: 214 rows, 9 numeric columns; speed of a fit, size in 10 x 10-fold cross-validation."""
    from sklearn.model_selection import RepeatedKFold

    glass = load("glass")
    one_fit = cpu_seconds(lambda: peer(glass.data, glass.target), 15)
    table = glass.table()
    report.line(
        "glass: LSID3(5) / fit", cpu_seconds(lambda: grow(table, Sampling(5)), 7) / one_fit, 30
    )
    folds = RepeatedKFold(n_splits=10, n_repeats=10, random_state=0)
    sizes: dict[str, list[int]] = {"ID3": [], "LSID3(5)": []}
    for number, (train, _) in enumerate(folds.split(glass.data)):
        for name, model in (
            ("ID3", ID3Classifier()),
            ("LSID3(5)", LSID3Classifier(random_state=number)),
        ):
            model.fit(glass.data[train], glass.target[train])
            sizes[name].append(model.get_n_leaves())
    report.line(
        "glass: mean leaves, LSID3(5) / ID3", mean(sizes["LSID3(5)"]) / mean(sizes["ID3"]), 0.999
    )


def skewing(report: Report) -> None:
    """Skewing learns parities of two and three columns and not of five; LSID3 learns all.

    Judged are fresh rows whose relevant values occur together in the training rows: of the others
    no learner can know.
    """
    for n_relevant in (2, 3, 5):
        right: dict[str, list[float]] = {"Skewing": [], "LSID3(200)": []}
        for seed in range(10):
            X, y, concept = make_parity(n_relevant, 5, 1200, random_state=seed, return_concept=True)
            decisive = [tuple(row) for row in X[:, list(concept.relevant)]]
            known = [place for place in range(200, 1200) if decisive[place] in decisive[:200]]
            for name, model in (
                ("Skewing", SkewingClassifier(random_state=seed)),
                ("LSID3(200)", LSID3Classifier(samples=200, random_state=seed)),
            ):
                model.fit(X[:200], y[:200])
                right[name].append(float(model.score(X[known], y[known])))
        name = f"XOR-{n_relevant}"
        if n_relevant == 5:
            report.line(f"{name}: Skewing, accuracy", mean(right["Skewing"]), 0.65)
        else:
            report.line(f"{name}: Skewing, accuracy", mean(right["Skewing"]), 1.0, at_least=True)
        report.line(f"{name}: LSID3(200), accuracy", mean(right["LSID3(200)"]), 1.0, at_least=True)


def fit_large_parity(samples: int) -> None:
    """Fit one tree, for a process of its own."""
    X, y = make_parity(10, 10, 10_000, random_state=0)
    grow(Table.from_frame(X, y), Sampling(samples))


def threads(report: Report, samples: int) -> None:
    """Two threads on one tree, against two processes on a tree each."""
    X, y = make_parity(10, 10, 10_000, random_state=0)
    table = Table.from_frame(X, y)
    began = time.perf_counter()
    alone = grow(table, Sampling(samples))
    single = time.perf_counter() - began
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=fit_large_parity, args=(samples,)) for _ in range(2)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    both = time.perf_counter() - began
    began = time.perf_counter()
    together = grow(table, Sampling(samples), n_jobs=2)
    shared = time.perf_counter() - began
    assert together == alone
    gained_by_processes, gained_by_threads = 2 * single / both, single / shared
    report.line(
        f"XOR-10, LSID3({samples}): speed-up of 2 threads / of 2 processes",
        gained_by_threads / gained_by_processes,
        0.8,
        at_least=True,
    )


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=5, help="samples for the thread figure")
    chosen = parser.parse_args()
    report = Report()
    small_parity(report)
    large_parity(report)
    numbers(report)
    skewing(report)
    threads(report, chosen.samples)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
