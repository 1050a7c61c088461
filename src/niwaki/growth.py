"""Top-down induction: a chooser and the limits of growth, run natively in slices."""

from __future__ import annotations

import math
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal, TypedDict

from niwaki import _core
from niwaki.choosers import LARGEST_SUBSET_DOMAIN, Chooser, Greedy, Sampling, Skewing
from niwaki.parameters import LARGEST_COUNT, Count, Number, OneOf, check_parameter
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Nodes, Tree

NominalSplits = Literal["multiway", "value", "auto", "subset"]
NOMINAL_SPLITS: dict[str, int] = {"multiway": 0, "value": 1, "auto": 2, "subset": 3}
Threshold = Literal["midpoint", "value", "training"]
THRESHOLDS: dict[str, int] = {"midpoint": 0, "value": 1, "training": 2}

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
) -> Tree:
    """Grow one tree from the root down.

    Parameters
    ----------
    table : Table
        The training rows.
    chooser : Greedy, Sampling or Skewing, optional
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
    limits: Limits = {
        "nominal_splits": nominal_splits,
        "threshold": threshold,
        "missing": missing,
        "max_depth": max_depth,
        "min_leaf": min_leaf,
    }
    chooser = chooser or Greedy()
    if seconds is None:
        return _finished(table, new_growth(table, chooser, **limits), missing)
    return _by_contract(table, chooser, seconds, limits)


class Limits(TypedDict):
    """The keywords of `grow` that every growth takes."""

    nominal_splits: NominalSplits
    threshold: Threshold
    missing: MissingPolicy
    max_depth: int | None
    min_leaf: float | None


def _by_contract(table: Table, chooser: Chooser, seconds: float, limits: Limits) -> Tree:
    """Grow with one sample, then with as many as the rest of the time pays for."""
    check_parameter("seconds", seconds, Number(0, above=True))
    if not isinstance(chooser, Sampling):
        raise ValueError("seconds buys samples, and only Sampling draws any")
    began = perf_counter()
    deadline = began + seconds
    single = replace(chooser, samples=1)
    first = _finished(table, new_growth(table, single, **limits), limits["missing"], deadline)
    samples = int((deadline - perf_counter()) / max(perf_counter() - began, 1e-6))
    if samples < 2:
        return first
    many = replace(chooser, samples=min(samples, LARGEST_COUNT))
    second = _finished(table, new_growth(table, many, **limits), limits["missing"], deadline)
    return second if second.n_leaves <= first.n_leaves else first


def _finished(
    table: Table, growth: _core.Growth, missing: MissingPolicy, deadline: float = math.inf
) -> Tree:
    while not growth.advance(SLICE_MILLISECONDS):
        if perf_counter() >= deadline:
            growth.hurry()
    return Tree(table.schema, Nodes(*growth.tree()), fractional=missing == "fraction")


def new_growth(
    table: Table,
    chooser: Chooser,
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
    check_parameter("nominal_splits", nominal_splits, OneOf(tuple(NOMINAL_SPLITS)))
    check_parameter("threshold", threshold, OneOf(tuple(THRESHOLDS)))
    check_parameter("max_depth", max_depth, Count(0))
    check_parameter("min_leaf", min_leaf, Number(0, optional=True))
    if min_leaf is None:
        min_leaf = 2.0 if chooser.rules == "c45" else 0.0
    fractions = missing == "fraction"
    if nominal_splits == "subset":
        if chooser.rules == "c45":
            raise ValueError("nominal_splits='subset' is not for the rules of C4.5; use 'value'")
        _check_subset_domains(table)
    if fractions and not isinstance(chooser, Greedy):
        raise ValueError(
            "missing='fraction' divides rows, and only greedy growth sees parts of rows; "
            "use missing='category', 'drop' or 'error'"
        )
    if isinstance(chooser, Skewing) and nominal_splits != "multiway":
        raise ValueError("Skewing asks with one branch per value: nominal_splits='multiway'")
    if isinstance(chooser, Sampling) and chooser.devices.merge_rows:
        table = _merged(table)
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
        nominal_splits=NOMINAL_SPLITS[nominal_splits],
        threshold=THRESHOLDS[threshold],
        fractions=fractions,
        max_depth=-1 if max_depth is None else int(max_depth),
        min_leaf=float(min_leaf),
        state=state,
        **chooser.native_options(),
    )


def _merged(table: Table) -> Table:
    """Return the distinct rows where they are few, so that each is drawn with its weight."""
    distinct = table.distinct()
    return distinct if 3 * distinct.n_rows <= table.n_rows else table


def _check_subset_domains(table: Table) -> None:
    for attribute in table.schema.attributes:
        if attribute.is_nominal and len(attribute.values) > LARGEST_SUBSET_DOMAIN:
            raise ValueError(
                f"nominal_splits='subset' tries every set of values, and column "
                f"{attribute.name!r} has {len(attribute.values)}; at most "
                f"{LARGEST_SUBSET_DOMAIN} are possible: use 'value'"
            )
