"""LSID3: asks the question under which sample trees are smallest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from niwaki.reference import id3
from niwaki.reference.candidates import Candidate, counts_of_values
from niwaki.reference.counts import Rows
from niwaki.reference.growth import grow, one_less, question_of, read_whole_rows
from niwaki.reference.id3 import BETTER
from niwaki.reference.measures import worth
from niwaki.reference.nodes import total, tree_of
from niwaki.reference.settings import Measure, NominalSplits, Settings, Threshold
from niwaki.reference.stochastic import Objective, Stochastic, attraction
from niwaki.reference.streams import CUT_DRAWS, Stream, stream_of_node
from niwaki.splits import SplitKind
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Tree

NumericCuts = Literal["all", "mc_p", "mc_r", "best"]


def grow_sampling(
    table: Table,
    *,
    samples: int = 5,
    measure: Measure = "gain",
    objective: Objective = "size",
    count_empty_leaves: bool = True,
    nominal_splits: NominalSplits = "multiway",
    numeric_cuts: NumericCuts = "mc_r",
    mc_fraction: float = 1.0,
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
    seed: int = 0,
) -> Tree:
    """Grow a tree with LSID3: at every node, the question whose sample trees are worth most.

    A question is judged by the sum, over its branches, of the best of some sample trees. Among
    equals the one with the larger measure is asked, then the first.

    Parameters
    ----------
    table : Table
        The training rows.
    samples : int, default=5
        Number of sample trees for each branch; with 0 the tree is that of ID3.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}, default="gain"
        What a good question has most of, in sample trees, among cuts and among equals.
    objective : {"size", "error"}, default="size"
        What a tree is judged by: the number of its leaves, or their expected errors.
    count_empty_leaves : bool, default=True
        Whether leaves without rows count in the size of a tree.
    nominal_splits : {"multiway", "value", "auto", "subset"}, default="multiway"
        One branch per value, `= v`, both, or `in S`.
    numeric_cuts : {"all", "mc_p", "mc_r", "best"}, default="mc_r"
        Which cuts of a numeric attribute are judged: all; the one with the largest measure and
        some that are drawn, with one sample tree for each side (mc_r: `samples` in all; mc_p: a
        multiple of the weight of the rows); or the one with the largest measure.
    mc_fraction : float, default=1.0
        This multiple, more than 0.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    missing : {"category", "drop", "error"}, default="category"
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Least weight of a branch; 0 by default.
    seed : int, default=0
        Other seeds give other sample trees.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> X = [[i, x, y] for i in "01" for x in "01" for y in "01"]
    >>> table = Table.from_frame(X, [x != y for _, x, y in X])
    >>> grow_sampling(table, samples=0).n_leaves, grow_sampling(table, samples=1).n_leaves
    (8, 4)
    """
    if samples < 0:
        raise ValueError(f"samples must be at least 0, not {samples}")
    if numeric_cuts not in get_args(NumericCuts):
        raise ValueError(
            f"numeric_cuts must be one of {get_args(NumericCuts)}, not {numeric_cuts!r}"
        )
    if not mc_fraction > 0:
        raise ValueError(f"mc_fraction must be more than 0, not {mc_fraction}")
    settings = Settings(
        measure, "id3", nominal_splits, threshold, max_depth=max_depth, min_leaf=min_leaf
    )
    training = read_whole_rows(table, missing)
    stochastic = Stochastic(training, settings, objective, seed, count_empty_leaves)
    choose = Sampling(stochastic, samples, numeric_cuts, mc_fraction).choose
    root = grow(training, training.all_rows, choose, threshold, max_depth)
    return tree_of(root, training.schema, fractional=False)


@dataclass(frozen=True)
class Trial:
    """A question that was judged by sample trees.

    Parameters
    ----------
    candidate : Candidate
        The question.
    value : float
        What the tree below it is worth; less is better.
    measured : float
        The measure of its division; more is better.
    """

    candidate: Candidate
    value: float
    measured: float

    def beats(self, other: Trial) -> bool:
        """Return whether it is worth more than another, or as much with a larger measure."""
        if self.value < other.value - BETTER:
            return True
        return self.value <= other.value + BETTER and self.measured > other.measured + BETTER


class Sampling:
    """Chooses questions by sample trees.

    Parameters
    ----------
    stochastic : Stochastic
        Grows and judges the sample trees.
    samples : int
        Number of sample trees for each branch.
    numeric_cuts : {"all", "mc_p", "mc_r", "best"}
        Which cuts are judged.
    mc_fraction : float
        Number of cuts that are judged under "mc_p", as a multiple of the weight of the rows.

    Examples
    --------
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], [0, 0, 1])
    >>> training = read_whole_rows(table, "category")
    >>> sampling = Sampling(Stochastic(training, Settings(), "size", 0), 1, "mc_r", 1.0)
    >>> [trial.value for trial in sampling.trials(training.all_rows, None)]
    [2, 3]
    """

    def __init__(
        self, stochastic: Stochastic, samples: int, numeric_cuts: NumericCuts, mc_fraction: float
    ) -> None:
        self.stochastic = stochastic
        self.training = stochastic.training
        self.settings = stochastic.settings
        self.samples = samples
        self.numeric_cuts = numeric_cuts
        self.mc_fraction = mc_fraction

    def choose(self, rows: Rows, counts: list[float], remaining: int | None) -> Candidate | None:
        """Return the question to ask, None to make a leaf."""
        if id3.stops(counts):
            return None
        if self.samples == 0:
            return id3.choose(self.training, rows, self.settings)
        best: Trial | None = None
        for trial in self.trials(rows, remaining):
            if best is None or trial.beats(best):
                best = trial
        return None if best is None else best.candidate

    def trials(self, rows: Rows, remaining: int | None) -> Iterator[Trial]:
        """Judge the candidates at a node.

        Parameters
        ----------
        rows : Rows
            The rows at the node.
        remaining : int or None
            How many questions may still follow on a path; None without a limit.

        Yields
        ------
        Trial
            In canonical order; of an attribute whose cuts are drawn only the best.
        """
        below = one_less(remaining)
        for group in id3.candidate_groups(self.training, rows, self.settings):
            if not group:
                continue
            is_numeric = group[0].question.kind == SplitKind.THRESHOLD
            if is_numeric and self.numeric_cuts in ("mc_r", "mc_p"):
                yield self.best_of_draws(group, rows, remaining)
            elif is_numeric and self.numeric_cuts == "best":
                yield self.judged(self.best_cut(group), rows, below, range(self.samples))
            else:
                for candidate in group:
                    yield self.judged(candidate, rows, below, range(self.samples))

    def judged(self, candidate: Candidate, rows: Rows, below: int | None, numbers: range) -> Trial:
        """Judge a candidate: the sum over its branches of the best of some sample trees.

        Parameters
        ----------
        candidate : Candidate
            The question.
        rows : Rows
            The rows at the node.
        below : int or None
            How many questions may follow on a path below it; None without a limit.
        numbers : range
            Numbers of the sample trees.

        Returns
        -------
        Trial
            The verdict.
        """
        question = question_of(candidate, self.training, self.settings.threshold)
        parts, _ = self.training.send(rows, question)
        value = total(
            min(
                self.stochastic.value(self.stochastic.sample(part, below, number))
                for number in numbers
            )
            for part in parts
        )
        measured = worth(candidate.counts, self.settings.measure, self.training.arithmetic)
        return Trial(candidate, value, measured)

    def best_of_draws(self, cuts: list[Candidate], rows: Rows, remaining: int | None) -> Trial:
        """Judge cuts that are drawn, each by one sample tree for each side, named by the draw.

        Parameters
        ----------
        cuts : list of Candidate
            All cuts of a numeric attribute, at least one.
        rows : Rows
            The rows at the node.
        remaining : int or None
            How many questions may still follow on a path; None without a limit.

        Returns
        -------
        Trial
            The verdict on the best, the first of equals.
        """
        n_draws = self.samples
        if self.numeric_cuts == "mc_p":
            weight = total(self.training.class_counts(rows))
            n_draws = max(1, math.ceil(self.mc_fraction * weight))
        name = self.training.fingerprint(rows)
        attribute = cuts[0].question.attribute
        stream = stream_of_node(self.stochastic.seed, CUT_DRAWS, name, remaining, attribute)
        weights = self.weights_of_cuts(cuts, rows)
        best: Trial | None = None
        for number in range(n_draws):
            cut = self.drawn(cuts, weights, stream) if number > 0 else self.best_cut(cuts)
            trial = self.judged(cut, rows, one_less(remaining), range(number, number + 1))
            if best is None or trial.value < best.value - BETTER:
                best = trial
        assert best is not None
        return best

    def weights_of_cuts(self, cuts: list[Candidate], rows: Rows) -> list[float]:
        """Return the chances of cuts: the weight of the rows at the cut, times its attraction."""
        counts = counts_of_values(self.training, rows, cuts[0].question.attribute)
        measure, arithmetic = self.settings.measure, self.training.arithmetic
        return [
            total(counts[cut.below]) * max(attraction(cut.counts, measure, arithmetic), 0.0)
            for cut in cuts
        ]

    def drawn(self, cuts: list[Candidate], weights: list[float], stream: Stream) -> Candidate:
        """Return a cut from one uniform number; all are alike if none gains anything."""
        if max(weights) <= 0:
            return cuts[stream.below(len(cuts))]
        return cuts[stream.position(weights)]

    def best_cut(self, cuts: list[Candidate]) -> Candidate:
        """Return the cut with the largest measure, the first of equals."""
        best = id3.best_of(cuts, self.settings.measure, self.training.arithmetic)
        assert best is not None
        return best
