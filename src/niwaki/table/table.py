"""The table: encoded rows with classes and weights, immutable and cheap to extend."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from niwaki import _core
from niwaki.table.classes import class_labels, encode_classes, read_classes
from niwaki.table.encoding import (
    attribute_of,
    categorical_flags,
    check_columns,
    encode,
    match_columns,
)
from niwaki.table.frame import Column, read_columns
from niwaki.table.schema import MISSING, UNSEEN, Attribute, Label, Schema, tag_label
from niwaki.table.weights import check_weights

MissingPolicy = Literal["category", "fraction", "drop", "error"]
MISSING_POLICIES: tuple[MissingPolicy, ...] = ("category", "fraction", "drop", "error")


@dataclass(frozen=True)
class Block:
    """Rows that arrived together, never changed afterwards."""

    columns: tuple[NDArray[Any], ...]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64] | None
    _ranks: dict[int, tuple[NDArray[np.float64], NDArray[np.uint32]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.classes.size)

    def ranks(self, attribute: int) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
        """Return the distinct values of a numeric attribute and each row's rank among them."""
        if attribute not in self._ranks:
            distinct, ranks = _core.rank_values(self.columns[attribute])
            self._ranks[attribute] = _frozen(distinct), _frozen(ranks)
        return self._ranks[attribute]


@dataclass(frozen=True, eq=False)
class Table:
    """Encoded rows: a schema, one column of values or codes per attribute, classes, weights.

    Build one with `from_frame`; every array of a table is read-only.

    Parameters
    ----------
    schema : Schema
        What the columns and class codes mean.
    blocks : tuple of Block
        The rows.

    Examples
    --------
    >>> table = Table.from_frame([[1.0], [2.0]], ["no", "yes"])
    >>> table.n_rows, table.schema.classes
    (2, ('no', 'yes'))
    """

    schema: Schema
    blocks: tuple[Block, ...]

    @staticmethod
    def from_frame(
        X: Any,
        y: Any,
        *,
        weights: ArrayLike | None = None,
        categorical_features: Any = "from_dtype",
        names: Sequence[str] | None = None,
        domains: Mapping[str, Sequence[Label]] | None = None,
        classes: Sequence[Label] | None = None,
    ) -> Table:
        """Encode an array or data frame.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_attributes)
            The attributes.
        y : array-like of shape (n_rows,)
            The class labels; a categorical series declares its classes.
        weights : array-like of shape (n_rows,), optional
            Non-negative weights; rows of weight 0 are left out.
        categorical_features : "from_dtype", mask, names or positions
            Which columns are nominal.
        names : sequence of str, optional
            Names for the columns of an array.
        domains : mapping of str to sequence, optional
            Declared values of nominal attributes, by name.
        classes : sequence of hashable, optional
            Declared classes.

        Returns
        -------
        Table
            The encoded rows.

        Examples
        --------
        >>> Table.from_frame([["a"], ["b"]], [0, 1]).schema.attributes[0].values
        ('a', 'b')
        """
        _refuse_table(X)
        columns = read_columns(X, names)
        n_rows = columns[0].data.size
        labels = read_classes(y, n_rows, classes)
        checked = check_weights(weights, n_rows)
        if checked is not None and not checked.all():
            kept = checked > 0
            columns, labels = [column.kept(kept) for column in columns], labels.kept(kept)
            checked = checked[kept]
        if not isinstance(domains, Mapping | None):
            raise TypeError(f"domains must map names to values, not {type(domains).__name__}")
        domains = dict(domains or {})
        flags = categorical_flags(categorical_features, columns)
        attributes = tuple(
            attribute_of(column, flag, domains.pop(column.name, None))
            for column, flag in zip(columns, flags, strict=True)
        )
        if domains:
            raise ValueError(f"domains names unknown columns: {', '.join(map(repr, domains))}")
        table = Table(Schema(attributes, class_labels(labels)), ())
        return table._with_block(columns, labels.data, checked)

    def _with_block(
        self,
        columns: list[Column],
        classes: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
    ) -> Table:
        encoded = [
            encode(column, attribute)
            for column, attribute in zip(columns, self.schema.attributes, strict=True)
        ]
        for column, codes in zip(columns, encoded, strict=True):
            if codes.dtype == np.int32 and (codes == UNSEEN).any():
                row = int(np.argmax(codes == UNSEEN))
                value = (
                    column.data[row] if column.labels is None else column.labels[column.data[row]]
                )
                raise ValueError(
                    f"column {column.name!r}, row {row}: {value!r} is not in the declared domain"
                )
        block = Block(
            tuple(_owned(values) for values in encoded), _owned(classes), _owned_weights(weights)
        )
        return replace(self, blocks=(*self.blocks, block))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(block.n_rows for block in self.blocks)

    @property
    def n_attributes(self) -> int:
        """Number of attributes."""
        return self.schema.n_attributes

    @cached_property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """One array per attribute: int32 codes (nominal) or float64 values."""
        return tuple(
            _joined([block.columns[position] for block in self.blocks])
            for position in range(self.n_attributes)
        )

    @cached_property
    def classes(self) -> NDArray[np.int32]:
        """Class code of every row."""
        return _joined([block.classes for block in self.blocks])

    @cached_property
    def weights(self) -> NDArray[np.float64] | None:
        """Weight of every row; None where all are 1."""
        if all(block.weights is None for block in self.blocks):
            return None
        return _joined(
            [
                np.ones(block.n_rows) if block.weights is None else block.weights
                for block in self.blocks
            ]
        )

    @property
    def total_weight(self) -> float:
        """Sum of the weights, the same for any order of the rows."""
        return float(self.n_rows) if self.weights is None else float(np.sort(self.weights).sum())

    def ranks(self, attribute: int) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
        """Return the distinct values of a numeric attribute and each row's rank among them.

        Parameters
        ----------
        attribute : int
            Position of a numeric or ordinal attribute.

        Returns
        -------
        distinct : ndarray of float64
            Ascending.
        ranks : ndarray of uint32
            Missing values have the rank `len(distinct)`.

        Examples
        --------
        >>> Table.from_frame([[5.0], [3.0], [5.0]], [0, 1, 0]).ranks(0)[1].tolist()
        [1, 0, 1]
        """
        parts = [block.ranks(attribute) for block in self.blocks]
        if len(parts) == 1:
            return parts[0]
        distinct = np.unique(np.concatenate([values for values, _ in parts]))
        merged = []
        for values, ranks in parts:
            position = np.append(np.searchsorted(distinct, values), distinct.size)
            merged.append(position.astype(np.uint32)[ranks])
        return _frozen(distinct), _frozen(np.concatenate(merged))

    def append(self, X: Any, y: Any, *, weights: ArrayLike | None = None) -> Table:
        """Return a table with further rows; the rows of this one are shared, not copied.

        New categories are added at the end of their domain, so that no code changes. A new class
        is an error.

        Parameters
        ----------
        X : array-like or data frame
            Rows with the same columns.
        y : array-like
            Their classes.
        weights : array-like, optional
            Their weights.

        Returns
        -------
        Table
            The longer table.

        Examples
        --------
        >>> table = Table.from_frame([["a"], ["b"]], [0, 1])
        >>> table.append([["c"]], [1]).schema.attributes[0].values
        ('a', 'b', 'c')
        """
        _refuse_table(X)
        columns = match_columns(X, self.schema)
        n_rows = columns[0].data.size
        codes = encode_classes(y, n_rows, self.schema.classes)
        checked = check_weights(weights, n_rows)
        if checked is not None and not checked.all():
            kept = checked > 0
            columns, codes = [column.kept(kept) for column in columns], codes[kept]
            checked = checked[kept]
        attributes = []
        for column, attribute in zip(columns, self.schema.attributes, strict=True):
            if attribute.is_nominal:
                seen = attribute_of(column, True, None).values
                known = set(attribute.values)
                added = tuple(value for value in seen if value not in known)
                if added and attribute.missing_is_value:
                    raise ValueError(
                        f"column {column.name!r}: a table whose missing values are a category "
                        "takes no new categories; append before choosing the policy"
                    )
                if added and not known and column.labels is None:
                    raise ValueError(
                        f"column {column.name!r} had no value so far and now holds numbers; "
                        "make a new table of all rows"
                    )
                attribute = replace(attribute, values=attribute.values + added)
            elif attribute.kind == "ordinal":
                self._check_levels(column, attribute)
            attributes.append(attribute)
        grown = replace(self, schema=Schema(tuple(attributes), self.schema.classes))
        return grown._with_block(columns, codes, checked)

    @staticmethod
    def _check_levels(column: Column, attribute: Attribute) -> None:
        for level in attribute_of(column, True, None).values:
            if level not in attribute.values:
                raise ValueError(
                    f"column {column.name!r}: {level!r} has no place among the ordered values "
                    f"{attribute.values}; make a new table of all rows"
                )

    def under(self, policy: MissingPolicy) -> Table:
        """Return the table as a policy for missing values sees it.

        Parameters
        ----------
        policy : {"category", "fraction", "drop", "error"}
            category: a nominal attribute with missing values gets one more value; fraction:
            unchanged; drop: rows with missing values are left out; error: raise if there are any.

        Returns
        -------
        Table
            Table without missing nominal values, except under "fraction".

        Examples
        --------
        >>> table = Table.from_frame([["a"], [None]], [0, 1])
        >>> table.under("category").schema.attributes[0].values
        ('a', None)
        """
        if policy not in MISSING_POLICIES:
            raise ValueError(f"missing must be one of {MISSING_POLICIES}, not {policy!r}")
        if policy == "fraction":
            return self
        holes = [
            np.isnan(values) if values.dtype == np.float64 else values == MISSING
            for values in self.columns
        ]
        affected = [position for position, hole in enumerate(holes) if hole.any()]
        if not affected:
            return self
        if policy == "error":
            name = self.schema.attributes[affected[0]].name
            raise ValueError(
                f"column {name!r} has missing values (NaN); fill them, or pass missing='category'"
            )
        if policy == "drop":
            kept = ~np.logical_or.reduce([holes[position] for position in affected])
            if not kept.any():
                raise ValueError(
                    "every row has a missing value, so missing='drop' leaves none; "
                    "pass missing='category'"
                )
            return self.take(np.flatnonzero(kept))
        attributes = list(self.schema.attributes)
        columns = list(self.columns)
        for position in affected:
            if attributes[position].is_nominal:
                attributes[position] = attributes[position].with_missing_value()
                codes = columns[position].copy()
                codes[codes == MISSING] = len(attributes[position].values) - 1
                columns[position] = _owned(codes)
        block = Block(tuple(columns), self.classes, self.weights)
        return Table(Schema(tuple(attributes), self.schema.classes), (block,))

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Return the table of some rows, with the same schema.

        Parameters
        ----------
        rows : ndarray of int
            Row numbers.

        Returns
        -------
        Table
            Those rows, in that order.

        Examples
        --------
        >>> Table.from_frame([[1.0], [2.0]], [0, 1]).take(np.array([1])).columns[0]
        array([2.])
        """
        block = Block(
            tuple(_owned(values[rows]) for values in self.columns),
            _owned(self.classes[rows]),
            _owned_weights(None if self.weights is None else self.weights[rows]),
        )
        return Table(self.schema, (block,))

    def reweighted(self, weights: NDArray[np.float64]) -> Table:
        """Return the same rows with other, positive, weights."""
        checked = check_weights(weights, self.n_rows, "weights")
        if checked is None or not checked.all():
            raise ValueError("every one of the weights must be above 0; leave rows out by take()")
        return Table(self.schema, (Block(self.columns, self.classes, _owned_weights(checked)),))

    def counts_are_whole(self, *, fractions: bool) -> bool:
        """Return whether all counts are whole numbers, so that their sums are exact.

        Parameters
        ----------
        fractions : bool
            Whether rows with missing values are divided.

        Returns
        -------
        bool
            False with real weights, or with missing values under `fractions`.

        Examples
        --------
        >>> Table.from_frame([[1.0], [2.0]], [0, 1]).counts_are_whole(fractions=True)
        True
        """
        if fractions and any(
            bool(np.isnan(values).any() if values.dtype == np.float64 else (values < 0).any())
            for values in self.columns
        ):
            return False
        return self.weights is None or bool(
            (self.weights == np.floor(self.weights)).all() and self.weights.sum() < 2.0**53
        )

    def distinct(self) -> Table:
        """Return the distinct (row, class) pairs in canonical order, their weights added.

        Canonical order compares attribute by attribute, then the class. It does not depend on
        the order of the rows.

        Returns
        -------
        Table
            One row per distinct pair.

        Examples
        --------
        >>> Table.from_frame([[2.0], [1.0], [2.0]], [0, 1, 0]).distinct().weights.tolist()
        [1.0, 2.0]
        """
        codes, _, _, classes = self.coded()
        weights = np.ones(self.n_rows) if self.weights is None else self.weights
        order, starts = _core.canonical_rows(codes, classes, weights)
        merged = np.add.reduceat(weights[order], starts)
        return self.take(order[starts]).reweighted(merged)

    def coded(self) -> tuple[list[NDArray[np.uint32]], list[int], list[bool], NDArray[np.int32]]:
        """Return what native code reads: codes, their number, whether numeric, classes.

        A missing value has the code one past the last.

        Returns
        -------
        codes : list of ndarray of uint32
            Nominal codes or numeric ranks.
        n_values : list of int
            Number of codes of each attribute.
        numeric : list of bool
            Whether the codes are ordered ranks.
        classes : ndarray of int32
            Class codes.

        Examples
        --------
        >>> Table.from_frame([[5.0], [3.0]], [0, 1]).coded()[0][0].tolist()
        [1, 0]
        """
        codes, n_values, numeric = [], [], []
        for position, attribute in enumerate(self.schema.attributes):
            if attribute.is_nominal:
                values = self.columns[position].astype(np.uint32)
                values[self.columns[position] == MISSING] = len(attribute.values)
                codes.append(values)
                n_values.append(len(attribute.values))
            else:
                distinct, ranks = self.ranks(position)
                codes.append(ranks)
                n_values.append(int(distinct.size))
            numeric.append(not attribute.is_nominal)
        return codes, n_values, numeric, self.classes

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of kinds, domains, classes, values and weights; names and layout do not count."""
        digest = hashlib.sha256()
        domains = [
            [a.kind, [_identity(value) for value in a.values]] for a in self.schema.attributes
        ]
        classes = [_identity(label) for label in self.schema.classes]
        digest.update(json.dumps([domains, classes]).encode())
        for values in (*self.columns, self.classes):
            digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
        if self.weights is not None:
            digest.update(self.weights.astype("<f8").tobytes())
        return digest.hexdigest()


def encode_rows(X: Any, schema: Schema) -> tuple[NDArray[Any], ...]:
    """Encode rows without classes by a schema, as prediction needs them.

    Parameters
    ----------
    X : Table, array-like or data frame
        The rows.
    schema : Schema
        The schema of the tree that will read them.

    Returns
    -------
    tuple of ndarray
        One column per attribute.

    Examples
    --------
    >>> encode_rows([["b"], ["z"]], Schema((Attribute("x0", "nominal", ("a", "b")),), ()))
    (array([ 1, -2], dtype=int32),)
    """
    if isinstance(X, Table):
        check_columns([own.name for own in X.schema.attributes], schema, named=True)
        columns = []
        for values, own, wanted in zip(
            X.columns, X.schema.attributes, schema.attributes, strict=True
        ):
            labels = None if own.kind == "numeric" else own.values
            if own.kind == "ordinal":
                holes = np.isnan(values)
                values = np.where(holes, MISSING, values).astype(np.int32)
            elif own.missing_is_value and labels is not None:
                values, labels = np.where(values == len(labels) - 1, MISSING, values), labels[:-1]
            columns.append(encode(Column(own.name, values, labels), wanted))
        return tuple(columns)
    return tuple(
        encode(column, attribute)
        for column, attribute in zip(match_columns(X, schema), schema.attributes, strict=True)
    )


def _refuse_table(X: Any) -> None:
    if isinstance(X, Table):
        raise TypeError("X is a Table already; pass the array or data frame it was made from")


def _owned(values: NDArray[Any]) -> NDArray[Any]:
    owned = np.array(values, order="C")
    if owned.dtype == np.float64:
        owned += 0.0
    return _frozen(owned)


def _owned_weights(weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return a table's own copy of weights, None where all are 1."""
    return None if weights is None or (weights == 1).all() else _owned(weights)


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    values.setflags(write=False)
    return values


def _identity(label: Label) -> list[Any]:
    """Return what a fingerprint knows of a label; one that no file can hold counts by its text."""
    try:
        return tag_label(label)
    except TypeError:
        return [type(label).__name__, repr(label)]


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    if len(parts) == 1:
        return parts[0]
    return _frozen(np.concatenate(parts))
