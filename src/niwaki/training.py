"""What a tree is grown from: the table made ready for the core, and the checked options."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from niwaki.choosers import LARGEST_SUBSET_DOMAIN, Chooser, Greedy, Horizon, Sampling, Skewing
from niwaki.parameters import Count, Number, OneOf, check_parameter
from niwaki.table import MissingPolicy, Table
from niwaki.tree import no_nodes

NominalSplits = Literal["multiway", "value", "auto", "subset"]
NOMINAL_SPLITS: dict[str, int] = {"multiway": 0, "value": 1, "auto": 2, "subset": 3}
Threshold = Literal["midpoint", "value", "training"]
THRESHOLDS: dict[str, int] = {"midpoint": 0, "value": 1, "training": 2}
LONG_SEARCH = 2e9
"""Rows counted by an exhaustive lookahead from which on a warning is due: a quarter of a minute's
work if all attributes are nominal, some minutes' if they are numeric."""


@dataclass(frozen=True)
class Training:
    """What the native learners of one tree read.

    Parameters
    ----------
    table : Table
        The rows as they are counted: distinct ones where that matters or helps.
    arrays : tuple
        Its codes and what belongs to them.
    options : dict
        The chooser and the limits, by the names that the core knows.
    """

    table: Table
    arrays: tuple[Any, ...]
    options: dict[str, Any]


def training_for(
    table: Table,
    chooser: Chooser,
    *,
    nominal_splits: NominalSplits = "multiway",
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
) -> Training:
    """Check how a tree shall be grown and make the table ready for the core.

    Parameters
    ----------
    table : Table
        The training rows as the policy for missing values sees them.
    chooser, nominal_splits, threshold, missing, max_depth, min_leaf
        As in `grow`.

    Returns
    -------
    Training
        What `_core.Growth` takes.

    Examples
    --------
    >>> table = Table.from_frame([[1], [2]], [0, 1])
    >>> training_for(table, Greedy()).options["fractions"]
    False
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
    if isinstance(chooser, Horizon) and nominal_splits != "multiway":
        raise ValueError("Horizon asks with one branch per value: nominal_splits='multiway'")
    if isinstance(chooser, Horizon):
        _warn_of_long_search(table, chooser)
    if isinstance(chooser, Sampling) and chooser.devices.merge_rows:
        table = _merged(table)
    if not table.counts_are_whole(fractions=fractions):
        table = table.distinct()
    codes, n_values, numeric, classes = table.coded()
    distinct = [
        table.ranks(position)[0] if ordered else None for position, ordered in enumerate(numeric)
    ]
    arrays = (codes, n_values, distinct, classes, table.schema.n_classes, table.weights)
    options = {
        "nominal_splits": NOMINAL_SPLITS[nominal_splits],
        "threshold": THRESHOLDS[threshold],
        "fractions": fractions,
        "max_depth": -1 if max_depth is None else int(max_depth),
        "min_leaf": float(min_leaf),
        **(
            chooser.native_options(table.schema)
            if isinstance(chooser, Horizon)
            else chooser.native_options()
        ),
    }
    return Training(table, arrays, options)


def subtree_state(training: Training, rows: NDArray[np.uint32], depth: int) -> tuple[Any, ...]:
    """Return the state of a growth that begins with some rows, at some depth.

    Parameters
    ----------
    training : Training
        What the tree is grown from.
    rows : ndarray of uint32
        Rows of its table.
    depth : int
        Number of questions above them.

    Returns
    -------
    tuple
        What `_core.Growth` takes as `state`.

    Examples
    --------
    >>> training = training_for(Table.from_frame([[1], [2]], [0, 1]), Greedy())
    >>> len(subtree_state(training, np.arange(2, dtype=np.uint32), 0))
    5
    """
    table = training.table
    whole = table.counts_are_whole(fractions=bool(training.options["fractions"]))
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    return (
        no_nodes(table.schema.n_classes).arrays(),
        np.array([-1, 0, depth, -2, 0, rows.size], dtype=np.int64),
        np.zeros(1),
        rows,
        np.zeros(0) if whole else weights[rows],
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


def _warn_of_long_search(table: Table, chooser: Horizon) -> None:
    """Warn if exhaustive lookahead would count so many rows that it takes minutes or more."""
    n_questions = 0
    for position, attribute in enumerate(table.schema.attributes):
        if attribute.is_nominal:
            n_questions += 1
        else:
            n_questions += min(chooser.max_cuts, max(len(table.ranks(position)[0]) - 1, 0))
    prices = [] if chooser.costs is None else chooser.costs.prices(table.schema).tolist()
    visits = chooser.row_visits(table.n_rows, table.n_attributes, n_questions, prices)
    if visits > LONG_SEARCH:
        warnings.warn(
            f"exhaustive lookahead may count about {visits:.0e} rows here, which takes a minute "
            "or much longer; plans of fewer levels, or max_candidates, make the search smaller",
            UserWarning,
            stacklevel=4,
        )
