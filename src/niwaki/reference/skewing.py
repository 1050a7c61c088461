"""Skewing: asks about the attribute that gains most often when rows are weighted at random.

At an impure node every trial weights the rows anew and gives a vote to every attribute that gains
enough. A nominal attribute is asked about with one branch per value.

1. Trial `t` has the stream (seed, 3, fingerprint of the rows at the node, 0, remaining depth, t).
   Without `sequential` the trials are 0, 1, ..., `trials` - 1, and each skews all attributes, in
   order. With it there are `trials` trials for each of the n attributes, and trial t skews the
   attribute t modulo n alone. An attribute is skewed whether or not it is a candidate.
2. To skew a nominal attribute with two values, one uniform number u of the stream chooses the
   favoured value floor(2u); a row with this value has the factor `skew`, any other 1 - `skew`.
3. To skew one with b > 2 values, they are shuffled: the list 0, 1, ..., b - 1; for i = b - 1,
   ..., 1, one uniform number u, and the entries i and floor(u * (i + 1)) change places. A row has
   as its factor the place of its value in the list, counted from 1.
4. To skew a numeric attribute, one uniform number chooses the favoured side, floor(2u), of the
   median cut: the one whose two sides, rows with a missing value included on the heavier, differ
   least in their own weight; the first of equals. A row on this side has the factor `skew`, any
   other 1 - `skew`.
   Without a cut, or with fewer than two values in the domain, nothing is drawn and nothing skewed.
5. The factors of a row are multiplied in the order of attributes, starting with 1.0. Divided by
   the largest product of a row at the node, times 2^30, rounded to a whole number (half to even)
   and times the weight of the row, it is the row's weight in this trial, a float. So sums are
   exact, in any order, for whole weights. If the largest product is 0 or infinite, the trial
   gives no votes.
6. With these weights, entropies and gains per row are computed in floats. A candidate that is
   admissible without them gets a vote if its gain is more than 1e-12 and at least
   `gain_fraction` times the entropy of the class. A numeric attribute enters with the cut that
   gains most in this trial, the first of those within 1e-12 of each other; rows with a missing
   value are counted on the side that is heavier in this trial.

The attribute with the most votes is asked about, the first of equals; a numeric one with the cut
that has the most of its votes, the lowest of equals. Without any votes the node asks as ID3 does,
by gain without skewed weights; under fallback "leaf" only if this gain is at least `gain_fraction`
times the entropy of the class, and else becomes a leaf.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, get_args

from niwaki.reference import id3
from niwaki.reference.candidates import Candidate, cuts
from niwaki.reference.counts import BranchCounts, RealArithmetic, Rows, Training
from niwaki.reference.growth import grow, read_whole_rows
from niwaki.reference.id3 import BETTER
from niwaki.reference.measures import entropy, worth
from niwaki.reference.nodes import is_missing, tree_of
from niwaki.reference.settings import Settings, Threshold
from niwaki.reference.streams import SKEWED_WEIGHTS, Stream, stream_of_node
from niwaki.splits import SplitKind
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Tree

Fallback = Literal["id3", "leaf"]

UNITS = 2.0**30
"""The weight in a trial of the row that is favoured most, for each unit of its own weight."""


def grow_skewing(
    table: Table,
    *,
    trials: int = 30,
    sequential: bool = False,
    gain_fraction: float = 0.05,
    skew: float = 0.75,
    fallback: Fallback = "id3",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
    seed: int = 0,
) -> Tree:
    """Grow a tree with Skewing: ask about what gains most often when rows have random weights.

    Parameters
    ----------
    table : Table
        The training rows.
    trials : int, default=30
        Number of random weightings at a node; under `sequential` for each attribute.
    sequential : bool, default=False
        Whether a weighting depends on one attribute alone, not on all.
    gain_fraction : float, default=0.05
        What an attribute must gain, as a share of the entropy of the class.
    skew : float, default=0.75
        Weight of rows with the favoured value; the others have 1 - `skew`.
    fallback : {"id3", "leaf"}, default="id3"
        What to do where no attribute gains enough: ask as ID3 does, or make a leaf.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    missing : {"category", "drop", "error"}, default="category"
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Least weight of a branch; 0 by default.
    seed : int, default=0
        Other seeds give other weightings.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> X = [[i, x, y] for i in "01" for x in "01" for y in "01"]
    >>> table = Table.from_frame(X, [x != y for _, x, y in X])
    >>> grow_skewing(table, trials=0).n_leaves, grow_skewing(table).n_leaves
    (8, 4)
    """
    if fallback not in get_args(Fallback):
        raise ValueError(f"fallback must be one of {get_args(Fallback)}, not {fallback!r}")
    if trials < 0:
        raise ValueError(f"trials must be at least 0, not {trials}")
    for name, share in (("gain_fraction", gain_fraction), ("skew", skew)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} must be from 0 to 1, not {share}")
    settings = Settings(threshold=threshold, max_depth=max_depth, min_leaf=min_leaf)
    training = read_whole_rows(table, missing)
    skewing = Skewing(training, settings, trials, sequential, gain_fraction, skew, fallback, seed)
    root = grow(training, training.all_rows, skewing.choose, threshold, max_depth)
    return tree_of(root, training.schema, fractional=False)


class Skewing:
    """Chooses questions by votes under random weights.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    settings : Settings
        Which questions are candidates.
    trials, sequential, gain_fraction, skew, fallback, seed
        As for `grow_skewing`.

    Examples
    --------
    >>> X = [[x, y, z] for x in "01" for y in "01" for z in "01"]
    >>> training = read_whole_rows(Table.from_frame(X, [x != y for x, y, _ in X]), "category")
    >>> skewing = Skewing(training, Settings(), 4, False, 0.05, 0.75, "id3", 0)
    >>> [sum(votes) for votes in skewing.votes(training.all_rows, None)]
    [4, 4, 0]
    """

    def __init__(
        self,
        training: Training,
        settings: Settings,
        trials: int,
        sequential: bool,
        gain_fraction: float,
        skew: float,
        fallback: Fallback,
        seed: int,
    ) -> None:
        self.training = training
        self.settings = settings
        self.trials = trials
        self.sequential = sequential
        self.gain_fraction = gain_fraction
        self.skew = skew
        self.fallback = fallback
        self.seed = seed

    def choose(self, rows: Rows, counts: list[float], remaining: int | None) -> Candidate | None:
        """Return the question to ask, None to make a leaf."""
        if id3.stops(counts):
            return None
        votes = self.votes(rows, remaining)
        most = max(map(sum, votes), default=0)
        if most > 0:
            attribute = list(map(sum, votes)).index(most)
            place = votes[attribute].index(max(votes[attribute]))
            return self.groups(rows)[attribute][place]
        best = id3.choose(self.training, rows, self.settings)
        if best is None or self.fallback == "id3":
            return best
        arithmetic = self.training.arithmetic
        least = self.gain_fraction * entropy(counts, arithmetic)
        return best if worth(best.counts, "gain", arithmetic) >= least else None

    def groups(self, rows: Rows) -> list[list[Candidate]]:
        """Return the candidates at a node, one list for each attribute."""
        return list(id3.candidate_groups(self.training, rows, self.settings))

    def votes(self, rows: Rows, remaining: int | None) -> list[list[int]]:
        """Count the votes at a node.

        Parameters
        ----------
        rows : Rows
            The rows at the node.
        remaining : int or None
            How many questions may still follow on a path; None without a limit.

        Returns
        -------
        list of list of int
            The votes of every attribute, candidate by candidate.
        """
        groups = self.groups(rows)
        votes = [[0] * len(group) for group in groups]
        name = self.training.fingerprint(rows)
        n_trials = self.trials * (len(groups) if self.sequential else 1)
        for trial in range(n_trials):
            stream = stream_of_node(self.seed, SKEWED_WEIGHTS, name, remaining, trial)
            skewed = [trial % len(groups)] if self.sequential else range(len(groups))
            weighted = self.weighted(rows, skewed, stream)
            if weighted is None:
                continue
            bits = entropy(self.training.class_counts(weighted), RealArithmetic())
            least = self.gain_fraction * bits
            for group, tally in zip(groups, votes, strict=True):
                place, gain = self.best_place(group, weighted)
                if gain > BETTER and gain >= least:
                    tally[place] += 1
        return votes

    def weighted(self, rows: Rows, skewed: Iterable[int], stream: Stream) -> Rows | None:
        """Weight rows at random.

        Parameters
        ----------
        rows : Rows
            The rows at a node.
        skewed : iterable of int
            The attributes that the weights depend on.
        stream : Stream
            Where the random numbers come from.

        Returns
        -------
        Rows or None
            The rows with their weights in a trial; None if these cannot be represented.
        """
        products = [1.0] * len(rows)
        for attribute in skewed:
            factors = self.factors(rows, attribute, stream)
            products = [product * one for product, one in zip(products, factors, strict=True)]
        largest = max(products)
        if largest == 0 or math.isinf(largest):
            return None
        return [
            (row, float(round(product / largest * UNITS)) * weight)
            for (row, weight), product in zip(rows, products, strict=True)
        ]

    def factors(self, rows: Rows, attribute: int, stream: Stream) -> list[float]:
        """Return the factor of every row that comes from skewing one attribute."""
        column = self.training.columns[attribute]
        described = self.training.schema.attributes[attribute]
        if not described.is_nominal:
            sides = self.sides_of_median(rows, attribute)
            return self.favoured(sides, stream) if sides else [1.0] * len(rows)
        n_values = len(described.values)
        if n_values == 2:
            return self.favoured([int(column[row]) for row, _ in rows], stream)
        order = list(range(n_values))
        for last in range(n_values - 1, 0, -1):
            chosen = stream.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return [float(order.index(int(column[row])) + 1) for row, _ in rows]

    def favoured(self, sides: list[int], stream: Stream) -> list[float]:
        """Return the factors of rows of which each is on one of two sides."""
        favourite = stream.below(2)
        return [self.skew if side == favourite else 1 - self.skew for side in sides]

    def sides_of_median(self, rows: Rows, attribute: int) -> list[int]:
        """Return the side of the median cut for every row; nothing if there is no cut."""
        column = self.training.columns[attribute]
        all_cuts = cuts(self.training, rows, attribute)
        if not all_cuts:
            return []
        median = min(all_cuts, key=lambda cut: abs(cut.counts.weights[0] - cut.counts.weights[1]))
        missing_side = median.question.missing_branch
        return [
            missing_side if is_missing(column[row]) else int(column[row] > median.below)
            for row, _ in rows
        ]

    def best_place(self, group: list[Candidate], weighted: Rows) -> tuple[int, float]:
        """Return the place of the candidate that gains most under some weights, and its gain."""
        best, best_gain = 0, 0.0
        for place, counts in enumerate(self.divisions(group, weighted)):
            gain = worth(counts, "gain", RealArithmetic())
            if place == 0 or gain > best_gain + BETTER:
                best, best_gain = place, gain
        return best, best_gain

    def divisions(self, group: list[Candidate], weighted: Rows) -> list[BranchCounts]:
        """Return how some candidates of one attribute divide rows with other weights."""
        if not group or group[0].question.kind != SplitKind.THRESHOLD:
            return [self.training.branch_counts(weighted, one.question) for one in group]
        attribute = group[0].question.attribute
        by_value = {cut.below: cut.counts for cut in cuts(self.training, weighted, attribute)}
        return [by_value[cut.below] for cut in group]
