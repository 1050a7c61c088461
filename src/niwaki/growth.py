"""Top-down induction: a chooser and the limits of growth, run natively in slices."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

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
    table = table.under(missing)
    growth = new_growth(
        table,
        chooser or Greedy(),
        nominal_splits=nominal_splits,
        threshold=threshold,
        missing=missing,
        max_depth=max_depth,
        min_leaf=min_leaf,
    )
    while not growth.advance(SLICE_MILLISECONDS):
        pass
    return Tree(table.schema, Nodes(*growth.tree()), fractional=missing == "fraction")


def new_growth(
    table: Table,
    chooser: Greedy,
    *,
    nominal_splits: NominalSplits,
    threshold: Threshold,
    missing: MissingPolicy,
    max_depth: int | None,
    min_leaf: float | None,
    state: Any = None,
) -> _core.Growth:
    """Begin a growth that can be suspended, or go on with one from its saved state.

    Parameters
    ----------
    table : Table
        The training rows as the policy for missing values sees them.
    chooser, nominal_splits, threshold, missing, max_depth, min_leaf
        As in `grow`.
    state : optional
        What `state()` of a growth of the same table and options returned.

    Returns
    -------
    _core.Growth
        Its `advance(milliseconds)` returns True when the tree is finished.

    Examples
    --------
    >>> limits = {"max_depth": None, "min_leaf": None, "missing": "category"}
    >>> styles = {"nominal_splits": "multiway", "threshold": "midpoint"}
    >>> growth = new_growth(Table.from_frame([[1], [2]], [0, 1]), Greedy(), **limits, **styles)
    >>> growth.advance(20.0)
    True
    """
    for name, value, known in (
        ("nominal_splits", nominal_splits, NOMINAL_SPLITS),
        ("threshold", threshold, THRESHOLDS),
    ):
        if value not in known:
            raise ValueError(f"{name} must be one of {tuple(known)}, not {value!r}")
    check_count("max_depth", max_depth, least=0)
    if min_leaf is None:
        min_leaf = 2.0 if chooser.rules == "c45" else 0.0
    if not (math.isfinite(min_leaf) and min_leaf >= 0):
        raise ValueError(f"min_leaf must be a weight of at least 0, not {min_leaf}")
    fractions = missing == "fraction"
    if not table.counts_are_whole(fractions=fractions):
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
        fractions=fractions,
        mdl_correction=chooser.mdl_correction,
        collapse=chooser.collapse,
        max_depth=-1 if max_depth is None else int(max_depth),
        min_leaf=float(min_leaf),
        state=state,
    )


def check_count(name: str, value: Any, least: int) -> None:
    """Raise unless a parameter is None or a whole number that is large enough."""
    if value is None:
        return
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name} must be None or a whole number of at least {least}, not {value!r}")
