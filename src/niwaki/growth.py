"""Top-down induction: a chooser and the limits of growth, run natively in slices."""

from __future__ import annotations

import math
from typing import Literal

from niwaki import _core
from niwaki.choosers import RULES, Greedy
from niwaki.measures import measure_id
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Nodes, Tree

NominalSplits = Literal["multiway", "value", "auto"]
NOMINAL_SPLITS: dict[str, int] = {"multiway": 0, "value": 1, "auto": 2}
Threshold = Literal["midpoint", "value", "training"]
THRESHOLDS: dict[str, int] = {"midpoint": 0, "value": 1, "training": 2}

SLICE_MILLISECONDS = 20.0


def grow(
    table: Table,
    chooser: Greedy | None = None,
    *,
    nominal_splits: NominalSplits = "multiway",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
) -> Tree:
    """Grow one tree from the root down.

    Parameters
    ----------
    table : Table
        The training rows.
    chooser : Greedy, optional
        Which question is asked at a node; by default the one of largest gain.
    nominal_splits : {"multiway", "value", "auto"}
        One branch per value, one value against the rest, or the better of both at each node.
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
    chooser = Greedy() if chooser is None else chooser
    for name, value, known in (
        ("nominal_splits", nominal_splits, NOMINAL_SPLITS),
        ("threshold", threshold, THRESHOLDS),
    ):
        if value not in known:
            raise ValueError(f"{name} must be one of {tuple(known)}, not {value!r}")
    table = table.under(missing)
    growth = _growth(table, chooser, nominal_splits, threshold, missing, max_depth, min_leaf)
    while not growth.advance(SLICE_MILLISECONDS):
        pass
    return Tree(table.schema, Nodes(*growth.tree()), fractional=missing == "fraction")


def _growth(
    table: Table,
    chooser: Greedy,
    nominal_splits: str,
    threshold: str,
    missing: str,
    max_depth: int | None,
    min_leaf: float | None,
) -> _core.Growth:
    if max_depth is not None and (isinstance(max_depth, bool) or max_depth < 0):
        raise ValueError(f"max_depth must be None or a whole number of at least 0, not {max_depth}")
    if min_leaf is None:
        min_leaf = 2.0 if chooser.rules == "c45" else 0.0
    if not (math.isfinite(min_leaf) and min_leaf >= 0):
        raise ValueError(f"min_leaf must be a weight of at least 0, not {min_leaf}")
    if not table.counts_are_whole(fractions=missing == "fraction"):
        table = table.distinct()
    codes, n_values, numeric, classes = table.coded()
    distinct = [
        table.ranks(position)[0] if ordered else None for position, ordered in enumerate(numeric)
    ]
    return _core.Growth(
        codes,
        n_values,
        distinct,
        classes,
        table.schema.n_classes,
        table.weights,
        measure=measure_id(chooser.measure),
        rules=RULES[chooser.rules],
        nominal_splits=NOMINAL_SPLITS[nominal_splits],
        threshold=THRESHOLDS[threshold],
        fractions=missing == "fraction",
        mdl_correction=chooser.mdl_correction,
        collapse=chooser.collapse,
        max_depth=-1 if max_depth is None else max_depth,
        min_leaf=min_leaf,
    )
