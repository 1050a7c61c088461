"""SID3: trees whose questions are drawn, the better ones more often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from niwaki.reference import id3
from niwaki.reference.candidates import Candidate
from niwaki.reference.counts import Arithmetic, BranchCounts, Rows, Training
from niwaki.reference.expected import expected_errors
from niwaki.reference.growth import grow, read_whole_rows
from niwaki.reference.measures import total_gain, worth
from niwaki.reference.nodes import Node, total, tree_of
from niwaki.reference.settings import Measure, NominalSplits, Settings, Threshold
from niwaki.reference.streams import SAMPLE_TREES, Stream, stream_of_node
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Tree

Objective = Literal["size", "error"]

LEAST_SHARE = 0.01
"""The weight of a useless question in a draw, as a share of the weight of the best."""


def sample_tree(
    table: Table,
    *,
    sample: int = 0,
    measure: Measure = "gain",
    objective: Objective = "size",
    nominal_splits: NominalSplits = "multiway",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
    seed: int = 0,
) -> tuple[float, Tree]:
    """Grow one tree with SID3, which draws every question from the best that each attribute has.

    A question whose branches are all pure is asked if there is one. The chance of any other is
    proportional to what it is worth, or to a hundredth of what the best one is worth.

    Parameters
    ----------
    table : Table
        The training rows.
    sample : int, default=0
        Number of the tree among those of the same rows.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}, default="gain"
        What a good question has most of.
    objective : {"size", "error"}, default="size"
        What the tree is judged by: the number of its leaves, empty ones included, or the
        expected errors of its leaves.
    nominal_splits : {"multiway", "value", "auto", "subset"}, default="multiway"
        One branch per value, `= v`, both, or `in S`.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    missing : {"category", "drop", "error"}, default="category"
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Least weight of a branch; 0 by default.
    seed : int, default=0
        Other seeds give other trees.

    Returns
    -------
    value : float
        What the tree is worth; less is better.
    tree : Tree
        The tree.

    Examples
    --------
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], ["no", "no", "yes"])
    >>> value, tree = sample_tree(table)
    >>> value, tree.to_text().splitlines()
    (2, ['x0 = a: no (2.0)', 'x0 = b: yes (1.0)'])
    """
    settings = Settings(
        measure, "id3", nominal_splits, threshold, max_depth=max_depth, min_leaf=min_leaf
    )
    training = read_whole_rows(table, missing)
    stochastic = Stochastic(training, settings, objective, seed)
    root = stochastic.sample(training.all_rows, max_depth, sample)
    return stochastic.value(root), tree_of(root, training.schema, fractional=False)


@dataclass(frozen=True)
class Draw:
    """What may be asked at a node of a sample tree.

    Parameters
    ----------
    candidates : list of Candidate
        At most one for each attribute and form.
    weights : list of float
        Beside them: their chances in a draw, up to a factor; empty if they are all the same.
    """

    candidates: list[Candidate]
    weights: list[float]

    def take(self, stream: Stream) -> Candidate:
        """Return one of the candidates, from one uniform number."""
        if self.weights:
            return self.candidates[stream.position(self.weights)]
        return self.candidates[stream.below(len(self.candidates))]


class Stochastic:
    """Grows sample trees of the rows at nodes, and judges them.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    settings : Settings
        What the learner was told.
    objective : {"size", "error"}
        What a tree is judged by.
    seed : int
        What the user chose.
    count_empty_leaves : bool, default=True
        Whether leaves without rows count in the size of a tree.

    Examples
    --------
    >>> training = read_whole_rows(Table.from_frame([["a"], ["b"]], [0, 1]), "category")
    >>> stochastic = Stochastic(training, Settings(), "size", seed=0)
    >>> stochastic.value(stochastic.sample(training.all_rows, None, 0))
    2
    """

    def __init__(
        self,
        training: Training,
        settings: Settings,
        objective: Objective,
        seed: int,
        count_empty_leaves: bool = True,
    ) -> None:
        if objective not in get_args(Objective):
            raise ValueError(f"objective must be one of {get_args(Objective)}, not {objective!r}")
        self.training = training
        self.settings = settings
        self.objective = objective
        self.count_empty_leaves = count_empty_leaves
        self.seed = seed
        self._draws: dict[tuple[int, ...], Draw] = {}

    def sample(self, rows: Rows, remaining: int | None, number: int) -> Node:
        """Return the root of a sample tree.

        Parameters
        ----------
        rows : Rows
            The rows at its root.
        remaining : int or None
            Largest number of questions on a path; None without a limit.
        number : int
            Number of the tree among those of these rows.

        Returns
        -------
        Node
            The root.
        """
        name = self.training.fingerprint(rows)
        stream = stream_of_node(self.seed, SAMPLE_TREES, name, remaining, number)

        def choose(rows: Rows, counts: list[float], _: int | None) -> Candidate | None:
            if id3.stops(counts):
                return None
            draw = self.draw_at(rows)
            return draw.take(stream) if draw.candidates else None

        return grow(self.training, rows, choose, self.settings.threshold, remaining)

    def draw_at(self, rows: Rows) -> Draw:
        """Return what may be asked about some rows; found out once for the same rows."""
        key = tuple(row for row, _ in rows)
        if key not in self._draws:
            self._draws[key] = self.new_draw(rows)
        return self._draws[key]

    def new_draw(self, rows: Rows) -> Draw:
        """Find out what may be asked about some rows: the best of each attribute and form."""
        measure, arithmetic = self.settings.measure, self.training.arithmetic
        groups = id3.candidate_groups(self.training, rows, self.settings)
        found = (id3.best_of(group, measure, arithmetic) for group in groups)
        candidates = [candidate for candidate in found if candidate is not None]
        separating = [candidate for candidate in candidates if separates(candidate)]
        if separating or not candidates:
            return Draw(separating, [])
        values = [attraction(candidate.counts, measure, arithmetic) for candidate in candidates]
        largest = max(values)
        if largest <= 0:
            return Draw(candidates, [1.0] * len(candidates))
        return Draw(candidates, [max(value, LEAST_SHARE * largest) for value in values])

    def value(self, root: Node) -> float:
        """Return what a tree is worth: the sum over its leaves, left to right."""
        return total(self.value_of_leaf(leaf) for leaf in leaves_below(root))

    def value_of_leaf(self, leaf: Node) -> float:
        """Return what a leaf is worth: 1, or its expected errors."""
        if self.objective == "error":
            return expected_errors(leaf.weight, leaf.errors)
        return 1 if leaf.weight > 0 or self.count_empty_leaves else 0


def attraction(counts: BranchCounts, measure: Measure, arithmetic: Arithmetic) -> float:
    """Return what the chance of a question is proportional to: its total gain, or its measure.

    Parameters
    ----------
    counts : BranchCounts
        Its division.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        What a good question has most of.
    arithmetic : Arithmetic
        How entropies are added.

    Returns
    -------
    float
        The total gain if the measure is the gain, and else the measure.

    Examples
    --------
    >>> from niwaki.reference.counts import RealArithmetic
    >>> counts = BranchCounts([[2.0, 0.0], [0.0, 2.0]])
    >>> [attraction(counts, measure, RealArithmetic()) for measure in ("gain", "gain_ratio")]
    [4.0, 1.0]
    """
    if measure == "gain":
        return total_gain(counts, arithmetic)
    return worth(counts, measure, arithmetic)


def separates(candidate: Candidate) -> bool:
    """Return whether all branches are pure or empty."""
    return all(id3.stops(branch) for branch in candidate.counts.branches)


def leaves_below(node: Node) -> list[Node]:
    """Return the leaves of a subtree, left to right."""
    if node.question is None:
        return [node]
    return [leaf for child in node.children for leaf in leaves_below(child)]
