"""One lookahead tree by several threads: large nodes by attributes, then whole subtrees."""

from __future__ import annotations

from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from niwaki import _core
from niwaki.splits import SplitKind
from niwaki.training import Training, subtree_state
from niwaki.tree import Nodes, Tree

LEAST_WORK = 50_000
"""Rows times attributes times samples from which on a node is judged by several threads."""

SAME_TOTAL = 1e-12
BLOCKS_PER_WORKER = 3
SLICE_MILLISECONDS = 20.0
SAMPLER_OPTIONS = (
    "measure",
    "nominal_splits",
    "threshold",
    "min_leaf",
    "samples",
    "numeric_cuts",
    "drawn_fraction",
    "objective",
    "confidence",
    "deviate",
    "binomial",
    "seed",
    "remember_statistics",
    "cut_off",
    "known_sizes",
    "bits",
    "count_empty_leaves",
)


@dataclass(frozen=True)
class Question:
    """The core's answer to which question is best, field by field."""

    attribute: int
    kind: SplitKind
    code: int
    members: int
    missing_branch: int
    threshold: float
    total: float
    value: float

    def beats(self, other: Question) -> bool:
        """Return whether the samples below are smaller, or as small and the measure larger."""
        if abs(self.total - other.total) <= SAME_TOTAL:
            return self.value > other.value + SAME_TOTAL
        return self.total < other.total

    def branches(self, codes: NDArray[np.uint32], n_values: int) -> NDArray[np.int64]:
        """Return the branch of every row, from its code."""
        if self.kind == SplitKind.MULTIWAY:
            return codes.astype(np.int64)
        if self.kind == SplitKind.VALUE:
            return np.asarray(codes != self.code, dtype=np.int64)
        if self.kind == SplitKind.SUBSET:
            member = np.array([self.members >> code & 1 for code in range(n_values)])
            return np.asarray(1 - member[codes])
        known = (codes > self.code).astype(np.int64)
        return np.asarray(np.where(codes >= n_values, self.missing_branch, known))


def grow_in_parallel(training: Training, samples: int, n_workers: int) -> Tree:
    """Grow the tree that one thread would grow, with several.

    Parameters
    ----------
    training : Training
        Rows and options of a sampling chooser.
    samples : int
        Sample trees per branch, for the estimate of the work.
    n_workers : int
        Number of threads.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> from niwaki import Sampling, Table, grow
    >>> from niwaki.datasets import make_parity
    >>> table = Table.from_frame(*make_parity(3, 3, 60, random_state=0))
    >>> grow(table, Sampling(2), n_jobs=2) == grow(table, Sampling(2))
    True
    """
    table = training.table
    team = Team(training, n_workers)
    everything = np.arange(table.n_rows, dtype=np.uint32)
    fair_share = table.n_rows // (2 * n_workers)
    top = Top(training)
    subtrees: list[tuple[int, NDArray[np.uint32], int]] = []
    stack = [(everything, 0, -1, 0)]
    while stack:
        rows, depth, parent, branch = stack.pop()
        node = top.add(rows, parent, branch)
        if top.is_settled(node):
            continue
        work = rows.size * table.n_attributes * samples
        question = None
        if rows.size > fair_share and work >= LEAST_WORK and depth != team.max_depth:
            question = team.best_question(rows, depth)
        if question is None:
            subtrees.append((node, rows, depth))
            continue
        parts = top.ask(rows, question)
        stack.extend(
            (part, depth + 1, node, position) for position, part in reversed(list(enumerate(parts)))
        )
    nodes = top.nodes()
    grown = team.grow([(rows, depth) for _, rows, depth in subtrees])
    for (node, _, _), subtree in reversed(list(zip(subtrees, grown, strict=True))):
        nodes = nodes.spliced(node, subtree)
    return Tree(table.schema, nodes)


class Team:
    """Threads, each with a sampler of its own."""

    def __init__(self, training: Training, n_workers: int) -> None:
        self.training = training
        self.n_workers = n_workers
        self.max_depth: int = training.options["max_depth"]
        self.samplers: SimpleQueue[_core.Sampler] = SimpleQueue()
        options = {name: training.options[name] for name in SAMPLER_OPTIONS}
        for _ in range(n_workers):
            self.samplers.put(_core.Sampler(*training.arrays, **options))

    def best_question(self, rows: NDArray[np.uint32], depth: int) -> Question | None:
        """Return the best question at a node; blocks of attributes are judged side by side."""
        n_attributes = self.training.table.n_attributes
        remaining = -1 if self.max_depth < 0 else self.max_depth - depth
        blocks = np.array_split(
            np.arange(n_attributes, dtype=np.int32),
            min(n_attributes, BLOCKS_PER_WORKER * self.n_workers),
        )
        best = None
        for question in self._run(delayed(self._judge)(rows, block, remaining) for block in blocks):
            if question is not None and (best is None or question.beats(best)):
                best = question
        return best

    def _judge(
        self, rows: NDArray[np.uint32], block: NDArray[np.int32], remaining: int
    ) -> Question | None:
        sampler = self.samplers.get()
        try:
            answer = sampler.judge(rows, block, remaining)
        finally:
            self.samplers.put(sampler)
        if answer is None:
            return None
        return Question(answer[0], SplitKind(answer[1]), *answer[2:])

    def grow(self, tasks: list[tuple[NDArray[np.uint32], int]]) -> list[Nodes]:
        """Return the subtrees over some sets of rows, each at its depth."""
        order = np.argsort([-rows.size for rows, _ in tasks], kind="stable")
        grown = self._run(delayed(self._grow)(*tasks[place]) for place in order)
        subtrees: list[Any] = [None] * len(tasks)
        for place, nodes in zip(order, grown, strict=True):
            subtrees[place] = nodes
        return subtrees

    def _grow(self, rows: NDArray[np.uint32], depth: int) -> Nodes:
        state = subtree_state(self.training, rows, depth)
        growth = _core.Growth(*self.training.arrays, **self.training.options, state=state)
        while not growth.advance(SLICE_MILLISECONDS):
            pass
        return Nodes(*growth.tree())

    def _run(self, tasks: Any) -> list[Any]:
        return list(Parallel(n_jobs=self.n_workers, prefer="threads")(tasks))


class Top:
    """The upper part of a tree, appended in pre-order; what hangs below is spliced in later."""

    def __init__(self, training: Training) -> None:
        self.table = training.table
        self.codes, self.n_values = training.arrays[0], training.arrays[1]
        self.weights = (
            np.ones(self.table.n_rows) if self.table.weights is None else self.table.weights
        )
        self.counts: list[NDArray[np.float64]] = []
        self.labels: list[int] = []
        self.questions: list[Question | None] = []
        self.edges: list[list[int]] = []
        self.shares: list[list[float]] = []

    def add(self, rows: NDArray[np.uint32], parent: int, branch: int) -> int:
        """Append a leaf as the child of a node and return its number."""
        counts = np.bincount(
            self.table.classes[rows], self.weights[rows], self.table.schema.n_classes
        ).astype(np.float64)
        number = len(self.counts)
        self.counts.append(counts)
        self.labels.append(int(np.argmax(counts)) if rows.size else self.labels[parent])
        self.questions.append(None)
        self.edges.append([])
        self.shares.append([])
        if parent >= 0:
            self.edges[parent][branch] = number
        return number

    def is_settled(self, node: int) -> bool:
        """Return whether a node has at most one class."""
        return int(np.count_nonzero(self.counts[node])) < 2

    def ask(self, rows: NDArray[np.uint32], question: Question) -> list[NDArray[np.uint32]]:
        """Turn the last node into a question and return the rows of its branches."""
        n_values = self.n_values[question.attribute]
        n_branches = n_values if question.kind == SplitKind.MULTIWAY else 2
        taken = question.branches(self.codes[question.attribute][rows], n_values)
        weights = np.bincount(taken, self.weights[rows], n_branches)
        self.questions[-1] = question
        self.edges[-1] = [-1] * n_branches
        self.shares[-1] = (weights / weights.sum()).tolist()
        return [rows[taken == branch] for branch in range(n_branches)]

    def nodes(self) -> Nodes:
        """Return the nodes appended so far."""
        asked = [
            question or Question(-1, SplitKind.LEAF, 0, 0, -1, np.nan, 0.0, 0.0)
            for question in self.questions
        ]
        members = [
            [code for code in range(64) if question.members >> code & 1] for question in asked
        ]
        cut = [question.kind == SplitKind.THRESHOLD for question in asked]
        value = [question.kind == SplitKind.VALUE for question in asked]
        return Nodes(
            np.array([question.kind for question in asked], dtype=np.uint8),
            np.array([question.attribute for question in asked], dtype=np.int32),
            np.array([question.threshold for question in asked]),
            np.array(
                [
                    question.code if is_value else -1
                    for question, is_value in zip(asked, value, strict=True)
                ],
                dtype=np.int32,
            ),
            offsets(members),
            np.array([code for codes in members for code in codes], dtype=np.int32),
            offsets(self.edges),
            np.array([child for edges in self.edges for child in edges], dtype=np.int32),
            np.array([share for shares in self.shares for share in shares]),
            np.array(
                [
                    question.missing_branch if is_cut else -1
                    for question, is_cut in zip(asked, cut, strict=True)
                ],
                dtype=np.int32,
            ),
            np.array(self.labels, dtype=np.int32),
            np.array(self.counts),
        )


def offsets(lists: list[list[int]]) -> NDArray[np.int64]:
    """Return where each list begins when all are put one after the other."""
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)
