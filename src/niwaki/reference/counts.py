"""The rows that a learner reads, how it counts them, and how they go down the branches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Protocol

import numpy as np

from niwaki import _core
from niwaki.reference.nodes import Question, is_missing, total
from niwaki.reference.streams import row_fingerprint
from niwaki.table import Schema, Table

Rows = list[tuple[int, float]]
"""The rows at a node, in order: the number of the row, and its weight there."""

WEIGHT_TOLERANCE = 1e-6
"""Parts of rows do not add up exactly, so limits of weight are compared with this tolerance."""


class Arithmetic(Protocol):
    """Adds entropies: of whole counts exactly, of any other weights in floats."""

    def term(self, count: float) -> float:
        """Return `count * log2(count)` in the unit of this arithmetic."""

    def scaled(self, amount: float) -> float:
        """Return a sum of terms in bits."""

    def units(self, weight: float) -> int:
        """Return a weight as a whole number."""


class WholeArithmetic:
    """Terms of whole counts: integers, in a unit so small that nothing is lost.

    Parameters
    ----------
    largest : int
        The largest count: the weight of the whole table.

    Examples
    --------
    >>> arithmetic = WholeArithmetic(16)
    >>> arithmetic.scaled(arithmetic.term(8) - arithmetic.term(4))
    16.0
    """

    def __init__(self, largest: int) -> None:
        self._shift = _core.entropy_shift(largest)
        self._terms: dict[float, int] = {}

    def term(self, count: float) -> int:
        """Return `count * log2(count)` as a whole number of units."""
        if count not in self._terms:
            counts = np.array([count], dtype=np.int64)
            self._terms[count] = int(_core.entropy_terms(counts, self._shift)[0])
        return self._terms[count]

    def scaled(self, amount: float) -> float:
        """Return a whole number of units in bits."""
        return math.ldexp(float(amount), -self._shift)

    def units(self, weight: float) -> int:
        """Return the weight as it is."""
        return int(weight)


class RealArithmetic:
    """Terms of weights that are not whole: floats, so that the order of additions matters.

    Examples
    --------
    >>> RealArithmetic().term(0.5)
    -0.5
    """

    def term(self, count: float) -> float:
        """Return `count * log2(count)`."""
        return count * math.log2(count) if count > 0 else 0.0

    def scaled(self, amount: float) -> float:
        """Return a sum of terms as it is."""
        return amount

    def units(self, weight: float) -> int:
        """Return a weight in units of 2^-32, the nearest whole number of them."""
        return round(weight * 2.0**32)


@dataclass(frozen=True)
class BranchCounts:
    """How a question divides the classes at a node.

    Parameters
    ----------
    branches : list of list of float
        Weight of every class in every branch.
    unknown : float, default=0
        Weight of the rows that go down several branches, because their value is missing.

    Examples
    --------
    >>> counts = BranchCounts([[2, 0], [1, 3]])
    >>> counts.weights, counts.classes, counts.known
    ([2, 4], [3, 3], 6)
    """

    branches: list[list[float]]
    unknown: float = 0

    @cached_property
    def weights(self) -> list[float]:
        """Weight of every branch."""
        return [total(branch) for branch in self.branches]

    @cached_property
    def classes(self) -> list[float]:
        """Weight of every class, over all branches."""
        return [total(weights) for weights in zip(*self.branches, strict=True)]

    @cached_property
    def known(self) -> float:
        """Weight of all branches."""
        return total(self.classes)

    @cached_property
    def weight(self) -> float:
        """Weight of all branches and of the rows with a missing value."""
        return self.known + self.unknown


@dataclass(frozen=True)
class Training:
    """The rows that a learner reads, as plain lists.

    Parameters
    ----------
    schema : Schema
        Attributes and classes.
    columns : list of list of float
        One list of codes (int) or numbers (float) per attribute.
    classes : list of int
        Class of every row.
    weights : list of float
        Weight of every row.
    arithmetic : Arithmetic
        How entropies are added.
    fractional : bool
        Whether a row with a missing value goes down all branches in parts.

    Examples
    --------
    >>> table = Table.from_frame([["a"], ["b"], ["b"]], ["no", "yes", "yes"])
    >>> training = read_training(table, fractional=False)
    >>> training.class_counts(training.all_rows)
    [1, 2]
    """

    schema: Schema
    columns: list[list[float]]
    classes: list[int]
    weights: list[float]
    arithmetic: Arithmetic
    fractional: bool

    @property
    def all_rows(self) -> Rows:
        """Every row with its weight."""
        return list(enumerate(self.weights))

    @cached_property
    def total_weight(self) -> float:
        """Weight of all rows."""
        return total(self.weights)

    @cached_property
    def row_fingerprints(self) -> list[int]:
        """Name of every row with its class, times its weight."""
        columns = zip(*self.columns, strict=True) if self.columns else repeat(())
        return [
            row_fingerprint(cells, code) * self.arithmetic.units(weight)
            for cells, code, weight in zip(columns, self.classes, self.weights, strict=False)
        ]

    def fingerprint(self, rows: Rows) -> int:
        """Return a number of 128 bits that names some whole rows, in whatever order."""
        return sum(self.row_fingerprints[row] for row, _ in rows) % 2**128

    def present(self, attribute: int) -> set[float]:
        """Return the values of an attribute that occur."""
        return self._present[attribute]

    @cached_property
    def _present(self) -> list[set[float]]:
        return [{value for value in column if not is_missing(value)} for column in self.columns]

    def no_counts(self) -> list[float]:
        """Return a weight of 0 for every class."""
        return [0] * self.schema.n_classes

    def class_counts(self, rows: Rows) -> list[float]:
        """Return the weight of every class among some rows."""
        counts = self.no_counts()
        for row, weight in rows:
            counts[self.classes[row]] += weight
        return counts

    def branch_counts(self, rows: Rows, question: Question) -> BranchCounts:
        """Count the rows whose value is known, branch by branch and class by class."""
        branches = [self.no_counts() for _ in range(question.n_branches)]
        unknown: float = 0
        column = self.columns[question.attribute]
        for row, weight in rows:
            if is_missing(column[row]):
                unknown += weight
                continue
            branch = question.branch_of(column[row])
            if branch is not None:
                branches[branch][self.classes[row]] += weight
        return BranchCounts(branches, unknown)

    def send(self, rows: Rows, question: Question) -> tuple[list[Rows], list[float]]:
        """Send rows down the branches of a question.

        Parameters
        ----------
        rows : Rows
            The rows at the node.
        question : Question
            What the node asks.

        Returns
        -------
        parts : list of Rows
            The rows of every branch, in the order of the node. Where rows are fractional, one
            with a missing value is in every branch whose share is not 0, with that part of its
            weight; else it follows the question's branch for missing values. A whole row that
            has no branch is in none.
        shares : list of float
            Share of the weight that goes to every branch, of the known rows if rows are
            fractional; equal shares where no row decides.
        """
        n_branches = question.n_branches
        parts: list[Rows] = [[] for _ in range(n_branches)]
        column = self.columns[question.attribute]
        shares: list[float] = []
        if self.fractional:
            shares = shares_of(self.branch_counts(rows, question))
        for row, weight in rows:
            missing = is_missing(column[row])
            if missing and self.fractional:
                for part, share in zip(parts, shares, strict=True):
                    if share > 0:
                        part.append((row, weight * share))
                continue
            branch = question.branch_of_missing() if missing else question.branch_of(column[row])
            if branch is not None:
                parts[branch].append((row, weight))
        if not self.fractional:
            shares = shares_of(BranchCounts([self.class_counts(part) for part in parts]))
        return parts, shares


def shares_of(counts: BranchCounts) -> list[float]:
    """Return the share of every branch; equal shares if all are empty.

    Parameters
    ----------
    counts : BranchCounts
        The weights.

    Returns
    -------
    list of float
        Shares that add up to 1.

    Examples
    --------
    >>> shares_of(BranchCounts([[2, 1], [0, 1]])), shares_of(BranchCounts([[0], [0]]))
    ([0.75, 0.25], [0.5, 0.5])
    """
    if counts.known <= 0:
        return [1 / len(counts.branches)] * len(counts.branches)
    return [weight / counts.known for weight in counts.weights]


def read_training(table: Table, fractional: bool) -> Training:
    """Read a table as a learner does.

    Whole weights of whole rows are counted exactly, in any order. All others are added in
    canonical order, so that the order of the table's rows does not matter.

    Parameters
    ----------
    table : Table
        The rows, as the policy for missing values sees them.
    fractional : bool
        Whether a row with a missing value goes down all branches in parts.

    Returns
    -------
    Training
        The rows.

    Examples
    --------
    >>> read_training(Table.from_frame([[2.0], [1.0]], [0, 1], weights=[1, 0.5]), False).weights
    [0.5, 1.0]
    """
    arithmetic: Arithmetic
    if table.counts_are_whole(fractions=fractional):
        weights: list[float] = [int(weight) for weight in weights_of(table)]
        arithmetic = WholeArithmetic(int(total(weights)))
    else:
        table = table.distinct()
        weights = weights_of(table)
        arithmetic = RealArithmetic()
    return Training(
        table.schema,
        [column.tolist() for column in table.columns],
        table.classes.tolist(),
        weights,
        arithmetic,
        fractional,
    )


def weights_of(table: Table) -> list[float]:
    """Return the weight of every row of a table."""
    if table.weights is None:
        return [1.0] * table.n_rows
    weights: list[float] = table.weights.tolist()
    return weights
