"""IIDT: rebuild one subtree after the other, each time from more samples than before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.choosers import NUMERIC_CUTS, Chooser, Greedy, NumericCuts, Sampling
from niwaki.measures import MEASURES, MeasureName
from niwaki.objectives import ERROR_BOUNDS, ErrorBound, normal_deviate
from niwaki.parameters import Count, Number, OneOf, Rule, Truth, check_parameter
from niwaki.prune import prune_errors
from niwaki.search import SLICE_MILLISECONDS, StepResult
from niwaki.splits import SplitKind
from niwaki.table import MissingPolicy, Table
from niwaki.training import (
    NOMINAL_SPLITS,
    THRESHOLDS,
    NominalSplits,
    Threshold,
    Training,
    subtree_state,
    training_for,
)
from niwaki.tree import Nodes, Tree

SearchObjective = Literal["size", "error"]
SMALLEST_GAIN = 1e-9
ELIGIBLE = 1e-12

LowerBound = Literal["paper", "exact"]

RULES: dict[str, Rule] = {
    "objective": OneOf(("size", "error")),
    "granularity": Number(0, 1),
    "lower_bound": OneOf(("paper", "exact")),
    "measure": OneOf(tuple(MEASURES)),
    "confidence": Number(0, 1, above=True),
    "error_bound": OneOf(ERROR_BOUNDS),
    "numeric_cuts": OneOf(tuple(NUMERIC_CUTS)),
    "max_depth": Count(0),
    "nominal_splits": OneOf(tuple(NOMINAL_SPLITS)),
    "threshold": OneOf(tuple(THRESHOLDS)),
    "missing": OneOf(("category", "drop", "error")),
    "fresh_draws": Truth(),
    "seed": Count(0, optional=False, most=2**64 - 1),
}


@dataclass
class NodeTable:
    """What is known of every node of the best tree, one array per quantity.

    Parameters
    ----------
    resource : ndarray of int
        Samples of the last attempt to rebuild the node, 0 before the first.
    cost, benefit : ndarray of float
        Work of the next attempt, and what it may bring.
    """

    resource: NDArray[np.int64]
    cost: NDArray[np.float64]
    benefit: NDArray[np.float64]
    attributes: NDArray[np.int64]
    depth: NDArray[np.int32]


def choose_node(nodes: NodeTable, granularity: float) -> int | None:
    """Return the node to rebuild: most benefit per cost among those that cost enough.

    Parameters
    ----------
    nodes : NodeTable
        The nodes of the best tree.
    granularity : float
        Least cost, as a share of the root's.

    Returns
    -------
    int or None
        Node number, the shallower of equals, then the first; None if nothing is left to try.

    Examples
    --------
    >>> one = np.ones(2)
    >>> table = NodeTable(one.astype(int), one * 8, one, one.astype(int), np.array([0, 1]))
    >>> choose_node(table, 0.1)
    0
    """
    eligible = (
        (nodes.cost >= granularity * nodes.cost[0] - ELIGIBLE * nodes.cost[0])
        & (nodes.attributes > 0)
        & (nodes.benefit > 0)
    )
    if not eligible.any():
        return None
    utility = np.where(eligible, nodes.benefit / np.maximum(nodes.cost, 1.0), -np.inf)
    best = np.flatnonzero(utility >= utility.max() * (1 - ELIGIBLE))
    return int(best[np.lexsort((best, nodes.depth[best]))[0]])


class Improve:
    """Interruptible induction of decision trees (IIDT-TS and IIDT-EE).

    Parameters
    ----------
    objective : {"error", "size"}
        What a subtree is judged by: the expected errors of its leaves (IIDT-EE; the first tree is
        C4.5's by gain), or its number of leaves (IIDT-TS; the first tree is ID3's).
    granularity : float, default=0.1
        Only nodes whose rebuilding costs at least this share of the root's are rebuilt.
    measure : {"gain", "gain_ratio", "gini", "km_distance"}
        Measure of the first tree and of sample trees.
    confidence, error_bound
        Of the expected errors.
    nominal_splits, numeric_cuts, threshold, missing, max_depth
        As in `grow` and `Sampling`.
    seed : int, default=0
        Names the random streams.
    fresh_draws : bool, default=False
        Whether every rebuild draws samples of its own, as in the paper. By default a sample is
        named by its rows, so that the next rebuild's samples contain this one's.
    lower_bound : {"paper", "exact"}
        Leaves that a subtree is taken to need under "size": the square of the smallest domain
        among its attributes, or the leaves of the smallest tree of two questions.
    choose : callable, default=choose_node
        Which node is rebuilt next.

    Examples
    --------
    >>> Improve("size").granularity
    0.1
    """

    def __init__(
        self,
        objective: SearchObjective = "error",
        *,
        granularity: float = 0.1,
        measure: MeasureName = "gain",
        confidence: float = 0.25,
        error_bound: ErrorBound = "j48",
        nominal_splits: NominalSplits = "multiway",
        numeric_cuts: NumericCuts = "mc_r",
        threshold: Threshold = "midpoint",
        missing: MissingPolicy = "category",
        max_depth: int | None = None,
        seed: int = 0,
        fresh_draws: bool = False,
        lower_bound: LowerBound = "paper",
        choose: Callable[[NodeTable, float], int | None] = choose_node,
    ) -> None:
        self.objective = objective
        self.granularity = granularity
        self.measure = measure
        self.confidence = confidence
        self.error_bound = error_bound
        self.nominal_splits = nominal_splits
        self.numeric_cuts = numeric_cuts
        self.threshold = threshold
        self.missing = missing
        self.max_depth = max_depth
        self.seed = seed
        self.fresh_draws = fresh_draws
        self.lower_bound = lower_bound
        self.choose = choose
        for name, rule in RULES.items():
            check_parameter(name, getattr(self, name), rule)
        if objective == "error" and nominal_splits == "subset":
            raise ValueError(
                "nominal_splits='subset' is not for objective='error', whose first tree follows "
                "C4.5's rules; use 'value'"
            )
        self._pending: Rebuild | None = None
        self._rebuilds = 0
        self._deviate = normal_deviate(confidence, error_bound)

    # -- the strategy's part of a search ---------------------------------------------------------

    def begin(self, table: Table) -> StepResult:
        """Grow the first tree: ID3 for size, C4.5 by gain for errors."""
        table = table.under(self.missing)
        self._training = self._training_for(table, Sampling(1, self.measure, seed=self.seed))
        table = self._training.table
        rules: Literal["id3", "c45"] = "id3" if self.objective == "size" else "c45"
        greedy = self._training_for(table, Greedy(self.measure, rules))
        growth = _core.Growth(*greedy.arrays, **greedy.options)
        while not growth.advance(SLICE_MILLISECONDS):
            pass
        everything = np.arange(table.n_rows, dtype=np.uint32)
        self._nodes = self._pruned(Nodes(*growth.tree()), everything)
        self._leaf = _core.apply_rows(self._nodes.arrays(), table.columns, False)
        self._resource = np.zeros(self._nodes.n_nodes, dtype=np.int64)
        self._leaf_values = self.values_of_leaves(self._nodes)
        self._describe()
        return StepResult("greedy", True, float("inf"), self.value, 0.0, {})

    def advance(self, milliseconds: float, evaluations: float) -> StepResult | None:
        """Work on the rebuilding of one node."""
        n_rows = self._training.table.n_rows
        if self._pending is None:
            self._pending = self._new_rebuild()
        rebuild = self._pending
        spent = rebuild.growth.sampled_rows
        limit = min(spent + max(evaluations * n_rows, 1.0), 2.0**62)
        if not rebuild.growth.advance(milliseconds, int(np.ceil(limit))):
            return None
        self._pending = None
        return self._finish(rebuild)

    @property
    def exhausted(self) -> bool:
        """Whether no node promises anything."""
        return self._pending is None and self.choose(self.node_table, self.granularity) is None

    @property
    def pending_evaluations(self) -> float:
        """Evaluations of the rebuild under way."""
        if self._pending is None:
            return 0.0
        return self._pending.growth.sampled_rows / self._training.table.n_rows

    @property
    def value(self) -> float:
        """Objective of the best tree."""
        return float(self._leaf_values.sum())

    @property
    def n_leaves(self) -> int:
        """Leaves of the best tree."""
        return int((self._nodes.kind == SplitKind.LEAF).sum())

    def tree(self) -> Tree:
        """Return the best tree."""
        return Tree(self._training.table.schema, self._nodes)

    # -- rebuilding ------------------------------------------------------------------------------

    def _training_for(self, table: Table, chooser: Chooser) -> Training:
        if isinstance(chooser, Sampling):
            chooser = replace(chooser, numeric_cuts=self.numeric_cuts)
        return training_for(
            table,
            chooser,
            nominal_splits=self.nominal_splits,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
        )

    def _new_rebuild(self) -> Rebuild:
        node = self.choose(self.node_table, self.granularity)
        if node is None:
            raise ValueError("there is nothing left to rebuild")
        resource = next_resource(self._resource[node : node + 1])[0]
        self._rebuilds += 1
        seed = self.seed + (self._rebuilds << 32 if self.fresh_draws else 0)
        rows = self._rows_at(node)
        depth = int(self._nodes.depth[node])
        options = {**self._training.options, "samples": int(resource), "seed": seed % 2**64}
        state = subtree_state(self._training, rows, depth)
        growth = _core.Growth(*self._training.arrays, **options, state=state)
        return Rebuild(node, int(resource), depth, rows, growth)

    def _finish(self, rebuild: Rebuild) -> StepResult:
        node = rebuild.node
        evaluations = rebuild.growth.sampled_rows / self._training.table.n_rows
        proposed = self._pruned(Nodes(*rebuild.growth.tree()), rebuild.rows)
        rebuild.growth.close()
        values = self.values_of_leaves(proposed)
        last = int(self._nodes.end[node])
        old, new = float(self._leaf_values[node:last].sum()), float(values.sum())
        accepted = new < old - SMALLEST_GAIN
        self._resource[node] = rebuild.resource
        if accepted:
            self._splice(rebuild, proposed, values)
        self._describe()
        details = {"depth": rebuild.depth, "resource": rebuild.resource, "rows": rebuild.rows.size}
        return StepResult("rebuild", accepted, old, new, evaluations, details)

    def _splice(self, rebuild: Rebuild, proposed: Nodes, values: NDArray[np.float64]) -> None:
        node, last = rebuild.node, int(self._nodes.end[rebuild.node])
        growth = proposed.n_nodes - (last - node)
        resource = np.zeros(proposed.n_nodes, dtype=np.int64)
        resource[0] = rebuild.resource
        self._resource = np.concatenate([self._resource[:node], resource, self._resource[last:]])
        self._leaf_values = np.concatenate(
            [self._leaf_values[:node], values, self._leaf_values[last:]]
        )
        columns = [values_of[rebuild.rows] for values_of in self._training.table.columns]
        leaf = np.where(self._leaf >= last, self._leaf + growth, self._leaf).astype(np.int32)
        leaf[rebuild.rows] = _core.apply_rows(proposed.arrays(), columns, False) + node
        self._leaf = leaf
        self._nodes = self._nodes.spliced(node, proposed)

    def _rows_at(self, node: int) -> NDArray[np.uint32]:
        inside = (self._leaf >= node) & (self._leaf < self._nodes.end[node])
        return np.flatnonzero(inside).astype(np.uint32)

    def _pruned(self, nodes: Nodes, rows: NDArray[np.uint32]) -> Nodes:
        if self.objective == "size":
            return nodes
        table = self._training.table
        tree = Tree(table.schema, nodes)
        return prune_errors(
            tree,
            table if rows.size == table.n_rows else table.take(rows.astype(np.intp)),
            confidence=self.confidence,
            error_bound=self.error_bound,
        ).nodes

    # -- what is known of nodes ------------------------------------------------------------------

    def values_of_leaves(self, nodes: Nodes) -> NDArray[np.float64]:
        """Return the objective's value of every leaf, 0 elsewhere."""
        values = np.zeros(nodes.n_nodes)
        leaves = np.flatnonzero(nodes.kind == SplitKind.LEAF)
        if self.objective == "size":
            values[leaves] = 1.0
            return values
        weight = nodes.counts[leaves].sum(axis=1)
        errors = weight - nodes.counts[leaves].max(axis=1)
        binomial = self.error_bound == "binomial"
        values[leaves] = [
            _core.expected_errors(*leaf, self.confidence, self._deviate, binomial)
            for leaf in zip(weight.tolist(), errors.tolist(), strict=True)
        ]
        return values

    def _describe(self) -> None:
        """Bring the node table up to date."""
        nodes = self._nodes
        sums = np.concatenate([[0.0], np.cumsum(self._leaf_values)])
        value = sums[nodes.end] - sums[:-1]
        attributes, smallest = available_attributes(nodes, self._training.table)
        weight = nodes.counts.sum(axis=1)
        cost = next_resource(self._resource) * weight * attributes.astype(np.float64) ** 3
        self.node_table = NodeTable(
            self._resource,
            cost,
            value - self._least_values(nodes, smallest),
            attributes,
            nodes.depth,
        )

    def _least_values(self, nodes: Nodes, smallest: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what a subtree is taken to be worth at best."""
        if self.objective == "size":
            if self.lower_bound == "paper":
                return smallest.astype(np.float64) ** 2
            pure = np.count_nonzero(nodes.counts, axis=1) < 2
            return np.where(pure, 1.0, 2.0 * smallest - 1.0)
        counts = nodes.counts
        present = np.maximum(counts, 1e-300)
        each = np.where(counts > 0, counts * (1.0 - self.confidence ** (1.0 / present)), 0.0)
        return np.asarray(each.sum(axis=1))


@dataclass
class Rebuild:
    """A subtree under construction: which node, from how many samples, over which rows."""

    node: int
    resource: int
    depth: int
    rows: NDArray[np.uint32]
    growth: _core.Growth


def next_resource(resource: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the samples of the next attempt: 1 first, then twice as many as before.

    Parameters
    ----------
    resource : ndarray of int
        Samples of the last attempt.

    Returns
    -------
    ndarray of int
        Samples of the next.

    Examples
    --------
    >>> next_resource(np.array([0, 1, 4]))
    array([1, 2, 8])
    """
    return np.where(resource == 0, 1, 2 * resource)


def available_attributes(nodes: Nodes, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many attributes each node may still ask about, and the smallest domain of them.

    Parameters
    ----------
    nodes : Nodes
        The tree. A nominal attribute asked with one branch per value is used up below.
    table : Table
        The training rows.

    Returns
    -------
    count, smallest : ndarray of int
        Numeric attributes count as domains of two values.

    Examples
    --------
    >>> from niwaki import grow
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], [0, 1, 1])
    >>> available_attributes(grow(table).nodes, table)[0].tolist()
    [2, 1, 0, 0, 1]
    """
    domains = np.array(
        [len(one.values) if one.is_nominal else 2 for one in table.schema.attributes]
    )
    sizes, size_of = np.unique(domains, return_inverse=True)
    used = np.zeros((nodes.n_nodes, sizes.size), dtype=np.int64)
    multiway = nodes.kind == SplitKind.MULTIWAY
    order = np.argsort(nodes.depth, kind="stable")
    starts = np.searchsorted(nodes.depth[order], np.arange(1, int(nodes.depth.max()) + 2))
    for first, last in pairwise(starts.tolist()):
        here = order[first:last]
        above = nodes.parent[here]
        used[here] = used[above]
        asked = here[multiway[above]]
        used[asked, size_of[nodes.attribute[nodes.parent[asked]]]] += 1
    left = np.bincount(size_of, minlength=sizes.size) - used
    smallest = np.where(left.any(axis=1), sizes[np.argmax(left > 0, axis=1)], 1)
    return left.sum(axis=1), smallest
