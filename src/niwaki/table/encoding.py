"""From raw columns to attributes, and from raw values to the codes of an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.table.cells import check_hashable, recode
from niwaki.table.frame import Column, has_names, read_columns
from niwaki.table.schema import MISSING, Attribute, Label, Schema, is_missing, plain, whole

EXACT_LIMIT = 2.0**53
"""From here on neighbouring whole numbers are the same float."""


def distinct_numbers(values: NDArray[np.float64]) -> tuple[list[Label], NDArray[np.int32]]:
    """Return the distinct numbers as labels in order, and each row's code.

    Parameters
    ----------
    values : ndarray of float64
        A numeric column, NaN where missing.

    Returns
    -------
    labels : list of int or float
        Whole numbers as int.
    codes : ndarray of int32
        `MISSING` where NaN.

    Examples
    --------
    >>> distinct_numbers(np.array([2.0, 1.5, np.nan]))[0]
    [1.5, 2]
    """
    distinct, ranks = _core.rank_values(values)
    labels: list[Label] = [whole(number) for number in distinct.tolist()]
    codes = ranks.astype(np.int32)
    codes[codes == len(labels)] = MISSING
    return labels, codes


def categorical_flags(choice: Any, columns: Sequence[Column]) -> list[bool]:
    """Turn `categorical_features` into one flag per column: True is nominal, whatever it holds.

    Parameters
    ----------
    choice : "from_dtype", mask, names or positions
        The parameter.
    columns : sequence of Column
        The columns it speaks of.

    Returns
    -------
    list of bool
        False where the column's type decides.

    Examples
    --------
    >>> columns = [Column("a", np.zeros(1)), Column("b", np.zeros(1))]
    >>> categorical_flags(["b"], columns), categorical_flags([-2], columns)
    ([False, True], [True, False])
    """
    if choice is None or (isinstance(choice, str) and choice == "from_dtype"):
        return [False] * len(columns)
    if isinstance(choice, (str, bytes)) or not hasattr(choice, "__iter__"):
        raise TypeError(
            f"categorical_features must be 'from_dtype', a mask, names or positions, not {choice!r}"
        )
    entries = [plain(entry) for entry in choice]
    if entries and all(isinstance(entry, bool) for entry in entries):
        if len(entries) != len(columns):
            raise ValueError(
                f"categorical_features is a mask of {len(entries)} entries for "
                f"{len(columns)} columns"
            )
        return entries
    flags = [False] * len(columns)
    for entry in entries:
        flags[_position(entry, columns)] = True
    return flags


def _position(entry: Any, columns: Sequence[Column]) -> int:
    if isinstance(entry, str):
        names = [column.name for column in columns]
        if entry not in names:
            raise ValueError(f"categorical_features names no column of X: {entry!r}")
        return names.index(entry)
    if not isinstance(entry, int) or isinstance(entry, bool):
        raise TypeError(
            f"categorical_features must hold names or positions (or be a mask), not {entry!r}"
        )
    if not -len(columns) <= entry < len(columns):
        raise ValueError(
            f"categorical_features has position {entry}, but X has {len(columns)} columns"
        )
    return entry


def attribute_of(column: Column, categorical: bool, domain: Sequence[Label] | None) -> Attribute:
    """Decide what kind of attribute a training column is.

    Parameters
    ----------
    column : Column
        The training column.
    categorical : bool
        True: nominal, whatever it holds; False: as its type says.
    domain : sequence of hashable or None
        Declared values.

    Returns
    -------
    Attribute
        Name, kind and domain.

    Examples
    --------
    >>> attribute_of(Column("x0", np.array([1.0, 3.0])), True, None).values
    (1, 3)
    """
    if domain is not None:
        return Attribute(column.name, "nominal", _declared_domain(column.name, domain))
    if column.labels is None:
        if not categorical:
            return Attribute(column.name, "numeric")
        if (np.abs(column.data) >= EXACT_LIMIT).any():
            raise ValueError(
                f"column {column.name!r} is named in categorical_features and holds numbers "
                "beyond 2**53, which cannot be told apart; turn them into text"
            )
        return Attribute(column.name, "nominal", tuple(distinct_numbers(column.data)[0]))
    labels = tuple(map(whole, column.labels))
    if categorical:
        return Attribute(column.name, "nominal", labels)
    if column.mixed:
        number = next(label for label in labels if not isinstance(label, str))
        text = next(label for label in labels if isinstance(label, str))
        raise TypeError(
            f"column {column.name!r} mixes numbers and text, such as {number!r} and {text!r}; "
            "make it one or the other, or name it in categorical_features"
        )
    return Attribute(column.name, "ordinal" if column.ordered else "nominal", labels)


def _declared_domain(name: str, domain: Sequence[Label]) -> tuple[Label, ...]:
    if isinstance(domain, str):
        raise TypeError(f"domains: the values of column {name!r} must be a sequence, not text")
    values = tuple(whole(plain(value)) for value in domain)
    for value in values:
        check_hashable(value, f"domains: column {name!r}", "a value must be hashable")
        if is_missing(value):
            raise ValueError(
                f"domains: column {name!r} declares {value!r}; missing values need no declaration"
            )
    if len(set(values)) < len(values):
        raise ValueError(f"domains: column {name!r} declares a value twice")
    return values


def encode(column: Column, attribute: Attribute) -> NDArray[Any]:
    """Encode a raw column by an attribute.

    Parameters
    ----------
    column : Column
        Any column that claims to be this attribute.
    attribute : Attribute
        How the values are encoded.

    Returns
    -------
    ndarray
        int32 codes for a nominal attribute, float64 otherwise.

    Examples
    --------
    >>> encode(Column("x0", np.array([0, 1]), ("a", "z")), Attribute("x0", "nominal", ("z",)))
    array([-2,  0], dtype=int32)
    """
    if attribute.kind == "numeric":
        return _encode_numbers(column)
    labels: Sequence[Label]
    if column.labels is None:
        labels, codes = distinct_numbers(column.data)
    else:
        labels, codes = column.labels, column.data
    codes = recode(codes, labels, attribute.values)
    if attribute.kind == "nominal":
        if attribute.missing_is_value:
            codes[codes == MISSING] = len(attribute.values) - 1
        return codes
    positions = codes.astype(np.float64)
    positions[codes < 0] = np.nan
    return positions


def _encode_numbers(column: Column) -> NDArray[np.float64]:
    if column.labels is None:
        return column.data
    numbers = [*column.labels, np.nan]
    if not all(isinstance(label, (int, float)) for label in column.labels):
        text = next(label for label in column.labels if not isinstance(label, (int, float)))
        raise ValueError(
            f"column {column.name!r} was numeric in training and now holds {text!r}; pass numbers"
        )
    return np.take(np.array(numbers, dtype=np.float64), column.data)


def match_columns(X: Any, schema: Schema) -> list[Column]:
    """Read rows and check their columns against a schema.

    Parameters
    ----------
    X : array-like or data frame
        The rows.
    schema : Schema
        What they must look like.

    Returns
    -------
    list of Column
        The columns, in the schema's order.

    Examples
    --------
    >>> schema = Schema((Attribute("x0", "numeric"),), (0, 1))
    >>> match_columns([[1.0, 2.0]], schema)
    Traceback (most recent call last):
    ...
    ValueError: X has 2 columns, but 1 is expected: 'x0'
    """
    columns = read_columns(X)
    check_columns([column.name for column in columns], schema, named=has_names(X))
    return columns


def check_columns(names: Sequence[str], schema: Schema, *, named: bool) -> None:
    """Raise if columns are not those of a schema.

    Parameters
    ----------
    names : sequence of str
        The columns' names.
    schema : Schema
        What they must look like.
    named : bool
        Whether the names count, or only how many there are.

    Examples
    --------
    >>> schema = Schema((Attribute("width", "numeric"),), (0, 1))
    >>> check_columns(["height", "width"], schema, named=True)
    Traceback (most recent call last):
    ...
    ValueError: X has 2 columns, but 1 is expected: 'width'
    """
    expected = [attribute.name for attribute in schema.attributes]
    if len(names) != len(expected):
        listed = ", ".join(map(repr, expected[:10])) + (", …" if len(expected) > 10 else "")
        verb = "is" if len(expected) == 1 else "are"
        raise ValueError(
            f"X has {len(names)} columns, but {len(expected)} {verb} expected: {listed}"
        )
    for name, wanted in zip(names, expected, strict=True):
        if named and name != wanted:
            raise ValueError(
                f"column {name!r} stands where {wanted!r} is expected; "
                "pass the columns of the training table in their order"
            )
