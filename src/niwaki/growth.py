"""Top-down induction: a chooser and the limits of growth, run natively in slices."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from joblib import effective_n_jobs

from niwaki import _core
from niwaki.choosers import Chooser, Greedy, Sampling
from niwaki.objectives import expected_errors
from niwaki.parallel import grow_in_parallel
from niwaki.parameters import LARGEST_COUNT, Number, check_parameter
from niwaki.table import MissingPolicy, Table
from niwaki.training import NominalSplits, Threshold, Training, training_for
from niwaki.tree import Nodes, Tree

SLICE_MILLISECONDS = 20.0


def grow(
    table: Table,
    chooser: Chooser | None = None,
    *,
    nominal_splits: NominalSplits = "multiway",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
    seconds: float | None = None,
    n_jobs: int | None = None,
) -> Tree:
    """Grow one tree from the root down.

    Parameters
    ----------
    table : Table
        The training rows.
    chooser : Greedy, Sampling, Skewing or Horizon, optional
        Which question is asked at a node; by default the one of largest gain.
    nominal_splits : {"multiway", "value", "auto", "subset"}
        One branch per value; one value against the rest; the better of both at each node; or any
        set of values against the rest.
    threshold : {"midpoint", "value", "training"}
        Where a cut lies: halfway between two values of the node's rows, on the lower one, or on
        the largest value of the whole table that is not above the midpoint.
    missing : {"category", "fraction", "drop", "error"}
        What a missing value is: a value of its own, a reason to send parts of the row down all
        branches, a reason to leave the row out, or an error.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Weight that a branch must reach: every non-empty branch under ID3's rules (by default no
        limit), at least two under C4.5's (by default 2).
    seconds : float, optional
        Time for a sampling chooser: its number of samples is then found from the time that one
        sample takes, and what is left at the end is chosen greedily.
    n_jobs : int, optional
        Threads for a sampling chooser on large tables, as joblib understands it; the tree is the
        same for any number.

    Returns
    -------
    Tree
        The tree, unpruned.

    Examples
    --------
    >>> table = Table.from_frame([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> grow(table).n_leaves
    4
    """
    table = table.under(missing)
    chooser = chooser or Greedy()

    def training(of: Chooser) -> Training:
        return training_for(
            table,
            of,
            nominal_splits=nominal_splits,
            threshold=threshold,
            missing=missing,
            max_depth=max_depth,
            min_leaf=min_leaf,
        )

    if seconds is not None:
        check_parameter("seconds", seconds, Number(0, above=True))
        if not isinstance(chooser, Sampling):
            raise ValueError("seconds buys samples, and only Sampling draws any")
        return _by_contract(chooser, seconds, training)
    n_workers = effective_n_jobs(n_jobs)
    if n_workers > 1 and isinstance(chooser, Sampling) and chooser.samples > 0:
        return grow_in_parallel(training(chooser), chooser.samples, n_workers)
    return _finished(training(chooser))


def _by_contract(
    chooser: Sampling, seconds: float, training: Callable[[Chooser], Training]
) -> Tree:
    """Grow with one sample, then with as many as the rest of the time pays for."""
    began = perf_counter()
    deadline = began + seconds
    first = _finished(training(replace(chooser, samples=1)), deadline)
    samples = int((deadline - perf_counter()) / max(perf_counter() - began, 1e-6))
    if samples < 2:
        return first
    second = _finished(training(replace(chooser, samples=min(samples, LARGEST_COUNT))), deadline)
    return second if _worth(second, chooser) <= _worth(first, chooser) else first


def _worth(tree: Tree, chooser: Sampling) -> float:
    """Return what the chooser's objective makes of a tree; less is better."""
    if chooser.objective == "size":
        return tree.n_leaves
    counts = tree.nodes.counts[tree.leaves()]
    return sum(
        expected_errors(sum(leaf), sum(leaf) - max(leaf), chooser.confidence, chooser.error_bound)
        for leaf in counts.tolist()
    )


def _finished(training: Training, deadline: float = math.inf) -> Tree:
    growth = new_growth(training)
    while not growth.advance(SLICE_MILLISECONDS):
        if perf_counter() >= deadline:
            growth.hurry()
    fractional = bool(training.options["fractions"])
    return Tree(training.table.schema, Nodes(*growth.tree()), fractional)


def new_growth(training: Training, state: Any = None) -> _core.Growth:
    """Begin a growth that can be suspended, or go on with one from its saved state.

    Parameters
    ----------
    training : Training
        Rows and options.
    state : optional
        What `state()` of a growth of the same training returned.

    Returns
    -------
    _core.Growth
        Its `advance(milliseconds)` returns True when the tree is finished.

    Examples
    --------
    >>> growth = new_growth(training_for(Table.from_frame([[1], [2]], [0, 1]), Greedy()))
    >>> growth.advance(20.0)
    True
    """
    return _core.Growth(*training.arrays, **training.options, state=state)
