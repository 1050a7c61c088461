"""Tables 2 and 3 of Esmeir and Markovitch (JMLR 8, 2007): leaves and accuracy, ours beside theirs.

Ten runs of ten-fold cross-validation for each data set; see docs/experiments.md for the protocol.
Finished runs are kept in a cache, so that an interrupted experiment goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from compare import (
    Summary,
    corrected_resampled,
    holm,
    markdown_table,
    repeated_folds,
    summarise,
    welch,
    wilcoxon,
)

from niwaki import (
    C45Classifier,
    ID3Classifier,
    IDXClassifier,
    LSID3Classifier,
    Table,
    Tree,
    prune_errors,
)
from niwaki.datasets import (
    load,
    make_corral,
    make_multiplex_xor,
    make_multiplexer,
    make_numeric_parity,
    make_parity,
)

FOLDS = 10
LEVEL = 0.01
EVERY_CUT = 10**6
FAMILIES = {
    "ID3": ("ID3",),
    "C4.5": ("C4.5",),
    "ID3-k": ("ID3-k, k=2",),
    "LSID3": ("LSID3(5)", "LSID3-p(5)"),
}
LEARNERS = tuple(learner for family in FAMILIES.values() for learner in family)
PAPER_COLUMNS = ("ID3", "C4.5", "ID3-k, k=2", "LSID3(5)", "LSID3-p(5)")
NUMERIC = ("iris", "wine", "glass", "xor-3d", "xor-4d")
NOT_AVAILABLE = "Autos-make, Autos-symboling, Connect-4 and Zoo"
HAND_WRITTEN = "<!-- Below this line the text is written by hand; the script keeps it. -->"

# Esmeir and Markovitch, "Anytime Learning of Decision Trees", JMLR 8 (2007) 891-933, Tables 2, 3.
# Of each learner in PAPER_COLUMNS: leaves, their deviation; accuracy in per cent, its deviation.
PAPER_TABLE = """
monks-1         62 0 82.9 0      | 11 0 75.7 0      | 27 0 100 0          | 27 0 100 0         | 21 0 94.4 0
monks-2         109 0 69.2 0     | 20 0 65.0 0      | 105 0 63.0 0        | 92.4 3.4 67.1 0.5  | 18.3 5.0 63.6 1.1
monks-3         31 0 94.4 0      | 9 0 97.2 0       | 34 0 91.7 0         | 26.8 1.6 91.5 1.5  | 9.9 1.4 98.1 1.3
corral          9.2 2.1 69.7 25.4 | 5.3 1.2 65.3 19.8 | 7.0 0.6 89.0 19.9 | 6.7 0.5 83.5 20.9 | 6.3 0.8 79.6 19.8
iris            8.5 1.0 93.3 5.9 | 4.7 0.5 95.3 4.8 | 9.1 0.9 93.1 6.7    | 7.6 0.8 94.5 6.0   | 6.6 1.6 94.3 6.2
vote            13.6 2.2 95.1 4.1 | 2.8 1.5 96.4 3.8 | 12.3 1.6 95.9 4.5  | 13.0 2.0 95.6 4.9  | 3.5 2.1 96.5 3.5
breast-cancer   129.6 5.9 67.0 8.8 | 6.1 4.0 74.7 8.1 | 124.0 4.9 64.4 8.4 | 100.3 4.4 66.9 9.1 | 7.7 7.1 71.1 8.2
flare1          68.9 2.9 86.6 6.1 | 2.0 1.0 88.9 5.2 | 68.4 3.2 86.6 6.0  | 63.2 2.9 86.5 6.4  | 1.2 0.8 88.9 5.1
balance-scale   353.9 6.9 68.8 5.4 | 34.8 5.5 63.8 4.9 | 351.6 7.3 69.7 5.0 | 347.7 7.7 70.3 5.7 | 40.1 6.5 67.9 5.5
tic-tac-toe     189.0 13.6 85.5 3.8 | 83.4 7.8 85.8 3.3 | 176.7 9.0 84.2 3.4 | 151.7 5.6 87.0 3.2 | 112.6 8.9 87.2 3.1
mushroom        24.0 0 100 0     | 19.0 0.2 100 0   | 24.9 0.2 100 0      | 16.2 0.9 100 0     | 16.2 0.9 100 0
wine            7.9 1.0 92.6 6.9 | 5.3 0.7 92.9 6.9 | 7.3 0.9 91.4 6.3    | 6.2 0.7 92.5 6.2   | 7.4 1.3 92.3 6.2
glass           38.7 2.3 66.1 10.2 | 23.9 2.6 67.4 10.3 | 32.3 2.3 70.6 11.0 | 34.2 2.1 70.5 10.7 | 35.5 2.4 69.5 10.4
xor-5           92.3 7.8 55.5 12.2 | 21.9 5.3 54.1 12.8 | 82.1 9.3 55.8 13.2 | 32.0 0 100 0     | 32.0 0 100 0
xor-5-noise     93.6 6.0 54.1 12.5 | 23.2 5.9 51.7 11.9 | 82.4 7.3 56.6 12.6 | 58.2 6.1 74.4 11.4 | 40.4 5.0 78.2 14.0
multiplex-xor   84.0 5.6 58.2 12.0 | 26.0 5.2 55.4 11.5 | 70.2 5.3 61.2 12.2 | 43.9 5.7 76.5 11.8 | 31.6 4.8 80.1 9.6
multiplexer-20  142.8 8.3 61.3 7.2 | 66.1 6.5 62.1 7.5 | 67.1 29.0 87.2 14.2 | 46.6 20.0 95.5 8.5 | 41.2 16.8 94.5 9.5
xor-3d          43.0 5.1 57.7 11.1 | 1.0 0.1 43.0 5.4 | 15.6 6.8 89.5 11.7 | 9.2 1.0 96.1 4.3   | 11.7 1.7 93.4 5.5
xor-4d          104.7 4.5 49.8 7.0 | 2.7 1.8 52.1 4.7 | 75.5 14.0 62.3 11.8 | 26.8 4.7 93.2 4.4 | 30.9 5.9 91.9 4.7
xor-10          3901 34 49.9 1.8 | 1367 39 49.8 1.8 | 3287 37 50.3 1.6    | 2004 585 77.4 14.9 | 1641 524 79.4 16.5
"""  # noqa: E501 - a table is read across

EXACT_TARGETS = (
    ("monks-1", "ID3", 62.0, 82.9),
    ("monks-2", "ID3", 109.0, 69.2),
    ("monks-3", "ID3", 31.0, 94.4),
    ("monks-1", "LSID3(5)", 27.0, 100.0),
    ("xor-5", "LSID3(5)", 32.0, 100.0),
)


class Cell(NamedTuple):
    """One learner on one data set: leaves, accuracy in per cent, processor seconds of a tree."""

    leaves: Sequence[float]
    accuracy: Sequence[float]
    seconds: float


@dataclass(frozen=True)
class Problem:
    """A data set of the tables: its rows in a run, and how it is to be learned."""

    table: Callable[[int], Table]
    test: Callable[[], Table] | None = None
    numeric_cuts: str = "all"

    @property
    def is_split(self) -> bool:
        """Whether the test rows are given, as for the Monks problems."""
        return self.test is not None

    def parts(self, run: int) -> Iterator[tuple[Table, Table]]:
        """Give the training and test rows of each fold of a run."""
        rows = self.table(run)
        if self.test is not None:
            yield rows, self.test()
            return
        for training, test in repeated_folds(rows.classes, folds=FOLDS, seed=run):
            yield rows.take(training), rows.take(test)


def stored(name: str, missing: Any = "drop", kinds: Any = "manifest") -> Problem:
    """Take a data set of the data folder, without incomplete rows unless told otherwise."""
    return Problem(lambda _: load(name, kinds=kinds).table().under(missing))


def monks(name: str) -> Problem:
    """Take a Monks problem with its published training and test rows."""
    return Problem(lambda _: load(name, "train").table(), lambda: load(name, "test").table())


def drawn(make: Callable[..., tuple[Any, ...]], *arguments: object, **options: object) -> Problem:
    """Draw a data set anew for each run, which is the seed."""
    return Problem(lambda run: Table.from_frame(*make(*arguments, random_state=run, **options)))


PROBLEMS = {
    "monks-1": monks("monks-1"),
    "monks-2": monks("monks-2"),
    "monks-3": monks("monks-3"),
    "corral": drawn(make_corral),
    "iris": stored("iris"),
    "vote": stored("vote"),
    "breast-cancer": stored("breast-cancer"),
    "flare1": stored("flare1"),
    "balance-scale": stored("balance-scale", kinds="paper"),
    "tic-tac-toe": stored("tic-tac-toe"),
    "mushroom": stored("mushroom", missing="category"),
    "wine": stored("wine"),
    "glass": stored("glass"),
    "xor-5": drawn(make_parity, 5, 5, 200),
    "xor-5-noise": drawn(make_parity, 5, 5, 200, noise=0.1),
    "multiplex-xor": drawn(make_multiplex_xor, 200),
    "multiplexer-20": drawn(make_multiplexer, 4, 500),
    "xor-3d": drawn(make_numeric_parity, 3, 3, 200),
    "xor-4d": replace(drawn(make_numeric_parity, 4, 4, 500), numeric_cuts="mc_r"),
    "xor-10": drawn(make_parity, 10, 10, 10_000),
}


class Options(NamedTuple):
    """What may be varied to look into a difference."""

    numeric_cuts: str | None = None
    threshold: Any = "value"

    def cuts(self, problem: Problem) -> str:
        """Return which cuts LSID3 tries: the problem's own choice unless there is another."""
        return self.numeric_cuts or problem.numeric_cuts


def paper_figures() -> dict[tuple[str, str], tuple[Summary, Summary]]:
    """Return the paper's leaves and accuracy by data set and learner."""
    figures = {}
    for line in PAPER_TABLE.strip().splitlines():
        name, _, cells = line.partition(" ")
        for learner, cell in zip(PAPER_COLUMNS, cells.split("|"), strict=True):
            leaves, leaves_deviation, accuracy, accuracy_deviation = map(float, cell.split())
            number = 10 if PROBLEMS[name].is_split else 100
            figures[name, learner] = (
                Summary(leaves, leaves_deviation, number),
                Summary(accuracy, accuracy_deviation, number),
            )
    return figures


def learn(family: str, rows: Table, seed: int, cuts: Any, threshold: Any) -> Iterator[Tree]:
    """Grow the tree of each learner of a family; LSID3-p prunes the very tree of LSID3."""
    if family == "ID3":
        yield ID3Classifier(threshold=threshold).fit(rows).tree_
    elif family == "C4.5":
        yield C45Classifier().fit(rows).tree_
    elif family == "ID3-k":
        model = IDXClassifier(lookahead=2, per_cost=False, max_cuts=EVERY_CUT, threshold=threshold)
        yield model.fit(rows).tree_
    else:
        model = LSID3Classifier(
            samples=5, numeric_cuts=cuts, threshold=threshold, random_state=seed
        )
        tree = model.fit(rows).tree_
        yield tree
        yield prune_errors(tree, rows)


def perform(name: str, family: str, run: int, options: Options) -> dict[str, Cell]:
    """Perform one run of a family of learners on one data set.

    The run is the seed of folds and samples; a cell has one number for each fold.
    """
    problem = PROBLEMS[name]
    leaves, accuracy, seconds = defaultdict(list), defaultdict(list), defaultdict(list)
    for number, (training, test) in enumerate(problem.parts(run)):
        seed = FOLDS * run + number
        start = time.process_time()
        trees = learn(family, training, seed, options.cuts(problem), options.threshold)
        for learner, tree in zip(FAMILIES[family], trees, strict=True):
            seconds[learner].append(time.process_time() - start)
            leaves[learner].append(tree.n_leaves if problem.is_split else tree.n_nonempty_leaves)
            right = tree.predict_codes(test) == test.classes
            accuracy[learner].append(100 * float(np.mean(right)))
    return {
        learner: Cell(leaves[learner], accuracy[learner], sum(seconds[learner]))
        for learner in FAMILIES[family]
    }


class Cache:
    """Finished runs, one line of JSON for each, in the order in which they were finished."""

    def __init__(self, path: Path, options: Options) -> None:
        self.path = path
        self.options = options
        self.runs: dict[tuple[str, str, int], dict[str, Cell]] = {}
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                record = json.loads(line)
                key = record["set"], record["family"], record["run"]
                if record["options"] == self.effective(key[0]):
                    self.runs[key] = {
                        learner: Cell(*cell) for learner, cell in record["cells"].items()
                    }

    def effective(self, name: str) -> list[str]:
        """Return the options as they are for a data set."""
        return [self.options.cuts(PROBLEMS[name]), self.options.threshold]

    def add(self, key: tuple[str, str, int], cells: dict[str, Cell]) -> None:
        """Keep a run, on disk too."""
        self.runs[key] = cells
        record = dict(zip(("set", "family", "run"), key, strict=True))
        record["options"] = self.effective(key[0])
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**record, "cells": cells}) + "\n")

    def seconds(self, name: str, family: str) -> float:
        """Return what a run of a family on a data set took on average, 0 if there was none."""
        known = [
            max(cell.seconds for cell in cells.values())
            for (known_name, known_family, _), cells in self.runs.items()
            if (known_name, known_family) == (name, family)
        ]
        return sum(known) / len(known) if known else 0.0

    def gather(self, runs: int) -> dict[tuple[str, str], Cell]:
        """Join the first `runs` runs of each data set and learner."""
        found: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        for (name, _, run), cells in sorted(self.runs.items()):
            if run < runs:
                for learner, cell in cells.items():
                    found[name, learner].append(cell)
        return {
            key: Cell(
                [number for cell in cells for number in cell.leaves],
                [number for cell in cells for number in cell.accuracy],
                sum(cell.seconds for cell in cells),
            )
            for key, cells in found.items()
        }


def perform_all(
    cache: Cache, names: Sequence[str], families: Sequence[str], runs: int, limit: float
) -> list[tuple[str, str, int]]:
    """Perform what the cache lacks, always the cheapest known run next, and return what is left.

    A run that is expected to exceed the limit, in processor seconds, is not begun.
    """
    start = time.process_time()
    pending = [key for key in product(names, families, range(runs)) if key not in cache.runs]
    while pending:
        key = min(pending, key=lambda entry: (cache.seconds(*entry[:2]), entry[2]))
        if time.process_time() - start + cache.seconds(*key[:2]) > limit:
            break
        cache.add(key, perform(*key, cache.options))
        pending.remove(key)
    return pending


class Row(NamedTuple):
    """One learner on one data set beside the paper."""

    name: str
    learner: str
    cell: Cell
    paper: tuple[Summary, Summary]
    corrected: tuple[float, float] | None

    @property
    def ours(self) -> tuple[Summary, Summary]:
        """Our leaves and accuracy."""
        return summarise(self.cell.leaves), summarise(self.cell.accuracy)


def compare_with_paper(cells: dict[tuple[str, str], Cell]) -> list[Row]:
    """Set our cells beside the paper's; p values are corrected over all of them."""
    figures = paper_figures()
    keys = sorted(cells, key=lambda key: (list(PROBLEMS).index(key[0]), LEARNERS.index(key[1])))
    tested = [key for key in keys if not PROBLEMS[key[0]].is_split]
    p_values = [
        welch(summarise(ours), theirs).p_value
        for key in tested
        for ours, theirs in zip(cells[key][:2], figures[key], strict=True)
    ]
    corrected = iter(holm(p_values).tolist())
    pairs = dict(zip(tested, zip(corrected, corrected, strict=True), strict=True))
    return [Row(*key, cells[key], figures[key], pairs.get(key)) for key in keys]


def cell_lines(rows: Sequence[Row], runs: int) -> list[list[str]]:
    """Return the lines of the table of all cells."""
    lines = []
    for row in rows:
        problem = PROBLEMS[row.name]
        done = len(row.cell.leaves) // (1 if problem.is_split else FOLDS)
        line = [
            row.name,
            row.learner + (" †" if done < runs else ""),
            str(done),
        ]
        for position, (ours, theirs) in enumerate(zip(row.ours, row.paper, strict=True)):
            p_value = "–" if row.corrected is None else f"{row.corrected[position]:.2g}"
            differs = row.corrected is not None and row.corrected[position] < LEVEL
            line += [ours.text(), theirs.text(), p_value + (" *" if differs else "")]
        trees = len(row.cell.leaves)
        lines.append([*line, f"{1000 * row.cell.seconds / trees:.1f}"])
    return lines


def differing_lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines of the table of cells that differ from the paper."""
    lines = []
    for row in rows:
        for position, quantity in enumerate(("leaves", "accuracy")):
            if row.corrected is None or row.corrected[position] >= LEVEL:
                continue
            ours, theirs = row.ours[position], row.paper[position]
            difference = ours.mean - theirs.mean
            in_deviations = f"{difference / theirs.deviation:+.2f}" if theirs.deviation else "–"
            cell = [row.name, row.learner, quantity, ours.text(), theirs.text()]
            lines.append([*cell, f"{difference:+.1f}", in_deviations])
    return lines


def contest_lines(cells: dict[tuple[str, str], Cell]) -> list[list[str]]:
    """Compare our learners with each other on the paired folds, and over the data sets."""
    lines = []
    for first, second in (("LSID3(5)", "ID3"), ("LSID3(5)", "C4.5"), ("LSID3-p(5)", "C4.5")):
        signs, means = [], []
        for name, problem in PROBLEMS.items():
            pair = cells.get((name, first)), cells.get((name, second))
            if problem.is_split or pair[0] is None or pair[1] is None:
                continue
            number = min(len(pair[0].accuracy), len(pair[1].accuracy))
            differences = np.subtract(pair[0].accuracy[:number], pair[1].accuracy[:number])
            result = corrected_resampled(differences, 1 / FOLDS)
            signs.append(np.sign(result.statistic) if result.p_value < 0.05 else 0.0)
            means.append(float(np.mean(differences)))
        if signs:
            counts = [str(signs.count(sign)) for sign in (1.0, 0.0, -1.0)]
            p_value = wilcoxon(means, np.zeros(len(means))).p_value
            lines.append([f"{first} against {second}", *counts, f"{p_value:.2g}"])
    return lines


def target_lines(cells: dict[tuple[str, str], Cell]) -> list[list[str]]:
    """Check the cells that must agree to the last printed digit."""
    lines = []
    for name, learner, leaves, accuracy in EXACT_TARGETS:
        if (name, learner) in cells:
            cell = cells[name, learner]
            ours = [summarise(cell.leaves), summarise(cell.accuracy)]
            met = all(
                round(summary.mean, 1) == target and round(summary.deviation, 1) == 0
                for summary, target in zip(ours, (leaves, accuracy), strict=True)
            )
            texts = [summary.text() for summary in ours]
            wanted = f"{leaves:.1f}; {accuracy:.1f}"
            lines.append([name, learner, "; ".join(texts), wanted, "yes" if met else "no"])
    return lines


def report(cells: dict[tuple[str, str], Cell], command: str, runs: int, options: Options) -> str:
    """Write the result file, up to the part that is written by hand."""
    rows = compare_with_paper(cells)
    differing = differing_lines(rows)
    number = 2 * sum(row.corrected is not None for row in rows)
    cuts = [
        f"{name} {options.cuts(PROBLEMS[name])}" for name in NUMERIC if (name, "LSID3(5)") in cells
    ]
    total = sum(row.cell.seconds for row in rows if row.learner != "LSID3-p(5)")
    sections = [
        "# Tables 2 and 3 of JMLR 2007",
        f"Made by `{command}`. Our figures stand before those of Esmeir and Markovitch (JMLR 8, "
        "2007, Tables 2 and 3), as mean ± standard deviation over folds. Leaves are non-empty "
        "ones, on the Monks problems all. *p* is that of Welch's test of the two summaries, "
        f"corrected by Holm's method over the {number} tested figures; `*` marks *p* < {LEVEL}. "
        f"`†` marks fewer than {runs} runs. *ms* is the processor time of one tree; that of "
        "LSID3-p contains that of the LSID3 tree which it prunes. Numeric attributes: "
        f'`threshold="{options.threshold}"`; cuts that LSID3 tries: {", ".join(cuts)}. '
        f"No data: {NOT_AVAILABLE}. All trees together took {total:.0f} processor seconds.",
        markdown_table(
            ["data", "learner", "runs", "leaves", "paper", "p", "accuracy", "paper", "p", "ms"],
            cell_lines(rows, runs),
            left_columns=2,
        ),
        "## Exact targets",
        markdown_table(
            ["data", "learner", "leaves; accuracy", "paper", "met"],
            target_lines(cells),
            left_columns=2,
        ),
        f"## Cells that differ: {len(differing)} of {number}",
        "The last column is the difference in standard deviations of the paper's folds.",
        markdown_table(
            ["data", "learner", "figure", "ours", "paper", "difference", "in deviations"],
            differing,
            left_columns=3,
        ),
        "## Our learners against each other",
        "On how many data sets (without the Monks problems) the accuracy of the first is better, "
        "even or worse by the corrected resampled t test at 5 %, and the *p* of Wilcoxon's signed "
        "ranks over the mean differences.",
        markdown_table(["", "better", "even", "worse", "Wilcoxon p"], contest_lines(cells)),
    ]
    return "\n\n".join(sections) + "\n"


def write_report(path: Path, text: str) -> None:
    """Write the result file and keep what is written by hand below the mark."""
    old = path.read_text("utf-8") if path.is_file() else ""
    by_hand = old.partition(HAND_WRITTEN)[2] or "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n{HAND_WRITTEN}{by_hand}", encoding="utf-8")


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=10, help="runs of ten-fold cross-validation")
    parser.add_argument("--sets", nargs="+", choices=PROBLEMS, default=list(PROBLEMS))
    parser.add_argument("--learners", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="processor time")
    parser.add_argument("--numeric-cuts", choices=("all", "mc_r", "mc_p", "best"))
    parser.add_argument("--threshold", choices=("value", "midpoint", "training"), default="value")
    parser.add_argument("--out", type=Path, default=Path("experiments/results/jmlr2007_table.md"))
    parser.add_argument("--cache", type=Path, default=Path("build/experiments/jmlr2007.jsonl"))
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Perform what is lacking and write the result file."""
    chosen = parse_arguments(arguments)
    options = Options(chosen.numeric_cuts, chosen.threshold)
    cache = Cache(chosen.cache, options)
    left = perform_all(cache, chosen.sets, chosen.learners, chosen.runs, chosen.seconds)
    cells = {key: cell for key, cell in cache.gather(chosen.runs).items() if key[0] in chosen.sets}
    command = f"python experiments/jmlr2007_table.py --runs {chosen.runs}"
    for name, value in options._asdict().items():
        if value != getattr(Options(), name):
            command += f" --{name.replace('_', '-')} {value}"
    text = report(cells, command, chosen.runs, options)
    write_report(chosen.out, text)
    print(text)
    if left:
        print(f"{len(left)} runs are left, of {sorted({key[:2] for key in left})}")


if __name__ == "__main__":
    main()
