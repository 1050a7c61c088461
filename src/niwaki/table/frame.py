"""Reads arrays and data frames into plain columns, and says clearly what it cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.table.schema import (
    MISSING,
    UNSEEN,
    Attribute,
    Label,
    is_missing,
    natural_order,
    plain,
)


@dataclass(frozen=True)
class Column:
    """One raw column: numbers, or codes into the distinct labels it holds.

    `labels` is None for numbers (then `data` is float64, NaN where missing). Otherwise `data` is
    int32, codes into `labels`, `MISSING` where missing. `declared` says whether the labels are
    the whole domain in its order, `ordered` whether that order means something, `mixed` whether
    numbers and text stand side by side.
    """

    name: str
    data: NDArray[Any]
    labels: tuple[Label, ...] | None = None
    declared: bool = False
    ordered: bool = False
    mixed: bool = False


def read_columns(X: Any, names: Sequence[str] | None = None) -> list[Column]:
    """Read the columns of an array or data frame.

    Parameters
    ----------
    X : array-like or data frame of shape (n_rows, n_attributes)
        numpy array, nested sequence, or any eager frame that narwhals knows.
    names : sequence of str, optional
        Names for the columns of an array.

    Returns
    -------
    list of Column
        The columns in order.

    Examples
    --------
    >>> [column.name for column in read_columns([[1.0, 2.0], [3.0, 4.0]])]
    ['x0', 'x1']
    """
    if nw.dependencies.is_into_dataframe(X):
        return _read_frame(X)
    from sklearn.utils import check_array

    if isinstance(X, np.ma.MaskedArray):
        X = X.astype(np.float64 if X.dtype.kind in "biuf" else object).filled(
            np.nan if X.dtype.kind in "biuf" else None
        )
    elif not isinstance(X, np.ndarray) and not hasattr(X, "tocsr"):
        converted = np.asarray(X)
        X = np.asarray(X, dtype=object) if converted.dtype.kind in "US" else converted
    X = check_array(X, dtype=None, ensure_all_finite=False, estimator="niwaki")
    if names is None:
        names = [f"x{position}" for position in range(X.shape[1])]
    elif len(names) != X.shape[1]:
        raise ValueError(f"{len(names)} names for {X.shape[1]} columns")
    check_names(names)
    finite = X.dtype.kind in "biu" or (X.dtype.kind == "f" and bool(np.isfinite(X.sum())))
    return [
        _read_array(name, X[:, position], finite) for position, name in enumerate(names)
    ]


def check_names(names: Iterable[str]) -> None:
    """Raise if two columns have the same name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(
                f"two columns are named {name!r}; give every column a name of its own"
            )
        seen.add(name)


def _read_frame(X: Any) -> list[Column]:
    raw_names = getattr(X, "columns", None)
    if raw_names is not None and not hasattr(X, "column_names"):
        check_names([str(name) for name in raw_names])
    elif hasattr(X, "column_names"):
        check_names(X.column_names)
    frame = nw.from_native(X)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("a lazy frame has no rows yet; call .collect() first")
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        raise ValueError(
            f"Found array with {frame.shape[0]} sample(s) and {frame.shape[1]} feature(s) "
            f"(shape={frame.shape}) while a minimum of 1 is required."
        )
    return [_read_series(str(series.name), series) for series in frame.iter_columns()]


def _read_series(name: str, series: nw.Series[Any]) -> Column:
    dtype = series.dtype
    if dtype.is_numeric():
        return _numbers(name, series.cast(nw.Float64()).to_numpy())
    if dtype == nw.Boolean:
        return _truth_values(name, series.to_list())
    if dtype in (nw.Categorical, nw.Enum):
        return _read_categories(name, series)
    if dtype in (nw.String, nw.Object, nw.Unknown):
        return read_objects(name, series.to_list())
    raise TypeError(
        f"column {name!r} holds {dtype}; a tree asks about numbers and categories: "
        "turn dates into numbers (days, hours, weekday) and nested values into columns"
    )


def _read_categories(name: str, series: nw.Series[Any]) -> Column:
    native = series.to_native()
    categories = [plain(label) for label in series.cat.get_categories().to_list()]
    accessor = getattr(native, "cat", None)
    if accessor is not None and hasattr(accessor, "codes"):
        codes = np.asarray(accessor.codes, dtype=np.int32)
        return Column(name, codes, tuple(categories), True, bool(native.dtype.ordered))
    column = read_objects(name, series.to_list())
    declared = series.dtype == nw.Enum or hasattr(native, "combine_chunks")
    if not declared:
        return column
    ordered = bool(getattr(getattr(native, "type", None), "ordered", False))
    assert column.labels is not None
    recoded = recode(column.data, column.labels, categories)
    return Column(name, recoded, tuple(categories), True, ordered)


def _read_array(name: str, values: NDArray[Any], finite: bool) -> Column:
    kind = values.dtype.kind
    if kind == "b":
        return Column(name, values.astype(np.int32), (False, True), declared=True)
    if kind in "iuf":
        return _numbers(name, np.asarray(values, dtype=np.float64), finite)
    if kind == "U":
        labels, codes = np.unique(values, return_inverse=True)
        return Column(name, codes.astype(np.int32), tuple(labels.tolist()))
    if kind == "O":
        return read_objects(name, values.tolist())
    raise TypeError(
        f"column {name!r} holds {values.dtype}; a tree asks about numbers and categories: "
        "turn dates into numbers and bytes into text"
    )


def _numbers(name: str, values: NDArray[Any], finite: bool = False) -> Column:
    values = np.asarray(values, dtype=np.float64)
    if not finite and np.isinf(values).any():
        raise ValueError(
            f"column {name!r} contains inf (infinity) or a value too large; "
            "clip it, or use NaN where the value is missing"
        )
    return Column(name, values)


def _truth_values(name: str, values: list[Any]) -> Column:
    codes = [MISSING if is_missing(value) else int(value) for value in values]
    return Column(name, np.array(codes, dtype=np.int32), (False, True), declared=True)


def read_objects(name: str, values: list[Any]) -> Column:
    """Read a column of Python objects: all numbers, or labels in natural order.

    Parameters
    ----------
    name : str
        Name of the column, for messages.
    values : list
        The cells.

    Returns
    -------
    Column
        Numbers if every present cell is a number, labels otherwise.

    Examples
    --------
    >>> read_objects("size", ["b", None, "a"]).labels
    ('a', 'b')
    """
    codes_of: dict[tuple[bool, Any], int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for row, value in enumerate(values):
        if is_missing(value):
            codes[row] = MISSING
            continue
        try:
            codes[row] = codes_of.setdefault((isinstance(value, bool), value), len(codes_of))
        except TypeError:
            raise TypeError(
                f"column {name!r}, row {row}: a cell's argument must be a string or a number, "
                f"not {type(value).__name__}"
            ) from None
    labels = [plain(value) for _, value in codes_of]
    for label in labels:
        if not isinstance(label, (str, bool, int, float)):
            raise TypeError(
                f"column {name!r}: a cell's argument must be a string or a number, not "
                f"{type(label).__name__} such as {label!r}; turn dates into numbers"
            )
    if all(isinstance(label, bool) for label in labels) and labels:
        return _truth_values(name, values)
    if all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in labels):
        table = np.array([float(label) for label in labels] + [np.nan])
        return _numbers(name, table[codes])
    order = natural_order(labels)
    n_text = sum(isinstance(label, str) for label in labels)
    return Column(name, recode(codes, labels, order), tuple(order), mixed=0 < n_text < len(labels))


def recode(
    codes: NDArray[Any], labels: Sequence[Label], domain: Sequence[Label]
) -> NDArray[np.int32]:
    """Translate codes into `labels` to codes into `domain`.

    Parameters
    ----------
    codes : ndarray of int
        Codes into `labels`; `MISSING` stays.
    labels, domain : sequence of hashable
        The labels that the codes stand for, and those that the result shall stand for.

    Returns
    -------
    ndarray of int32
        The new codes; `UNSEEN` where the domain lacks the label.

    Examples
    --------
    >>> recode(np.array([0, 1, -1]), ["b", "z"], ["a", "b"]).tolist()
    [1, -2, -1]
    """
    position = {(isinstance(label, bool), label): code for code, label in enumerate(domain)}
    table = [position.get((isinstance(label, bool), label), UNSEEN) for label in labels]
    return np.array([*table, MISSING], dtype=np.int32)[codes]


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
    labels: list[Label] = [
        int(number) if number.is_integer() else number for number in distinct.tolist()
    ]
    codes = ranks.astype(np.int32)
    codes[codes == len(labels)] = MISSING
    return labels, codes


def attribute_of(
    column: Column, categorical: bool | None, domain: Sequence[Label] | None
) -> Attribute:
    """Decide what kind of attribute a training column is.

    Parameters
    ----------
    column : Column
        The training column.
    categorical : bool or None
        True: nominal, whatever it holds; False: numbers; None: as its type says.
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
        return Attribute(column.name, "nominal", tuple(plain(value) for value in domain))
    if column.labels is None:
        if categorical:
            return Attribute(
                column.name, "nominal", tuple(distinct_numbers(column.data)[0])
            )
        return Attribute(column.name, "numeric")
    if categorical is False:
        if column.ordered:
            return Attribute(column.name, "ordinal", column.labels)
        raise ValueError(
            f"column {column.name!r} holds categories and is not named in "
            "categorical_features; add it there, or use categorical_features='from_dtype'"
        )
    if column.mixed and not categorical:
        numbers = next(label for label in column.labels if not isinstance(label, str))
        text = next(label for label in column.labels if isinstance(label, str))
        raise TypeError(
            f"column {column.name!r} mixes numbers and text, such as {numbers!r} and {text!r}; "
            "make it one or the other, or name it in categorical_features"
        )
    if column.ordered and not categorical:
        return Attribute(column.name, "ordinal", column.labels)
    return Attribute(column.name, "nominal", column.labels)


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
        if column.labels is not None:
            if all(isinstance(label, bool) for label in column.labels):
                numbers = np.array([0.0, 1.0, np.nan])
                return numbers[column.data]
            raise ValueError(
                f"column {column.name!r} was numeric in training and now holds "
                f"{next(iter(column.labels), None)!r}; pass numbers"
            )
        return column.data
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
