"""Reads arrays and data frames into plain columns, and says clearly what it cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from niwaki.table.cells import cell_codes, check_hashable, distinct_cells, recode
from niwaki.table.schema import MISSING, UNSEEN, Label, is_missing, natural_order, plain, whole

A_CELL = "a cell's argument must be a string or a number"


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

    def kept(self, rows: NDArray[np.bool_]) -> Column:
        """Return some rows; labels that only the others held are gone unless declared.

        Parameters
        ----------
        rows : ndarray of bool
            True where a row stays.

        Returns
        -------
        Column
            The rows that stay.

        Examples
        --------
        >>> column = Column("size", np.array([0, 1]), ("l", "s"))
        >>> column.kept(np.array([False, True])).labels
        ('s',)
        """
        data = self.data[rows]
        if self.labels is None or self.declared:
            return replace(self, data=data)
        used = np.unique(data[data >= 0])
        labels = tuple(self.labels[code] for code in used)
        return replace(self, data=recode(data, self.labels, labels), labels=labels)


def read_columns(X: Any, names: Sequence[str] | None = None) -> list[Column]:
    """Read the columns of an array or data frame.

    Parameters
    ----------
    X : array-like or data frame of shape (n_rows, n_attributes)
        numpy array, nested sequence, or any eager frame that narwhals knows.
    names : sequence of str, optional
        Names for the columns of an array; a data frame has its own.

    Returns
    -------
    list of Column
        The columns in order.

    Examples
    --------
    >>> [column.name for column in read_columns([[1.0, 2.0], [3.0, 4.0]])]
    ['x0', 'x1']
    """
    X = check_rows(X)
    if isinstance(names, str) or not all(isinstance(name, str) for name in names or ()):
        raise TypeError(f"names must be a sequence of text, not {names!r}")
    if not isinstance(X, np.ndarray):
        own = [str(name) for name in _native_names(X)]
        if names is not None and list(names) != own:
            raise ValueError("names differs from the data frame's columns; rename those instead")
        frame = nw.from_native(X, eager_only=True)
        return [
            _read_series(name, series)
            for name, series in zip(own, frame.iter_columns(), strict=True)
        ]
    if names is None:
        names = [f"x{position}" for position in range(X.shape[1])]
    elif len(names) != X.shape[1]:
        raise ValueError(f"names has {len(names)} entries for {X.shape[1]} columns")
    _check_names(names)
    with np.errstate(over="ignore", invalid="ignore"):
        finite = X.dtype.kind in "biu" or (X.dtype.kind == "f" and bool(np.isfinite(X.sum())))
    return [_read_array(name, X[:, position], finite) for position, name in enumerate(names)]


def check_rows(X: Any) -> Any:
    """Return rows as a data frame or a two-dimensional array that is not empty.

    Parameters
    ----------
    X : array-like or data frame
        What was passed as X.

    Returns
    -------
    data frame or ndarray
        A frame as it is, anything else as an array.

    Examples
    --------
    >>> check_rows([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if hasattr(X, "__arrow_c_stream__") and hasattr(X, "to_struct_array"):
        import pyarrow

        X = pyarrow.table(X)
    if nw.dependencies.is_into_dataframe(X):
        _check_names([str(name) for name in _native_names(X)])
        shape = nw.from_native(X, eager_only=True).shape
        if 0 in shape:
            raise ValueError(
                f"Found array with {shape[0]} sample(s) and {shape[1]} feature(s) "
                f"(shape={shape}) while a minimum of 1 is required."
            )
        return X
    if not hasattr(X, "tocsr"):
        _check_holds_rows(X)
    from sklearn.utils import check_array

    if isinstance(X, np.ma.MaskedArray):
        X = unmasked(X)
    elif not isinstance(X, np.ndarray) and not hasattr(X, "tocsr"):
        X = _array_of_sequence(X)
    return check_array(X, dtype=None, ensure_all_finite=False, estimator="niwaki")


def has_names(X: Any) -> bool:
    """Return whether rows bring names for their columns."""
    return hasattr(X, "columns") or hasattr(X, "column_names")


def _native_names(X: Any) -> list[Any]:
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def _check_holds_rows(X: Any) -> None:
    if nw.dependencies.is_into_lazyframe(X):
        raise TypeError("X is a lazy frame, which has no rows yet; call .collect() first")
    if X is None:
        raise ValueError("X is None; pass an array or a data frame with one row per example")
    if isinstance(X, (str, bytes, Mapping, set, frozenset)):
        raise TypeError(
            f"X is a {type(X).__name__}; pass an array, a nested list or a data frame "
            "such as pandas.DataFrame(X)"
        )
    if hasattr(X, "__next__"):
        raise TypeError("X is a generator or iterator; pass list(X)")
    if isinstance(X, np.ndarray) and X.dtype.names is not None:
        raise TypeError("X is a structured array; pass pandas.DataFrame(X) to keep its columns")


def unmasked(values: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    """Return a masked array as one that has NaN or None where it is masked.

    Parameters
    ----------
    values : masked array
        Any values.

    Returns
    -------
    ndarray
        float64 with NaN for numbers, objects with None for anything else.

    Examples
    --------
    >>> unmasked(np.ma.array([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    filled = values.data.astype(np.float64 if values.dtype.kind in "iuf" else object)
    filled[np.ma.getmaskarray(values)] = np.nan if filled.dtype.kind == "f" else None
    return filled


def _array_of_sequence(X: Any) -> NDArray[Any]:
    """Return nested sequences as an array that keeps truth values and text as they are."""
    if hasattr(X, "__array__"):
        return np.asarray(X)
    nested = isinstance(X, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in X)
    kinds = {type(cell) for row in X for cell in row} if nested else set()
    if type(np.ma.masked) in kinds:
        X = [[None if cell is np.ma.masked else cell for cell in row] for row in X]
    try:
        values = np.asarray(X)
        truths = bool(kinds & {bool, np.bool_}) and values.dtype.kind != "b"
        return np.asarray(X, dtype=object) if truths or values.dtype.kind in "US" else values
    except ValueError:
        raise ValueError(
            "X holds rows of different lengths; every row must have one value per column"
        ) from None


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"two columns are named {name!r}; give every column a name of its own")
        seen.add(name)


def _read_series(name: str, series: nw.Series[Any]) -> Column:
    dtype = series.dtype
    if dtype.is_numeric():
        return _numbers(name, series.cast(nw.Float64()).to_numpy())
    if dtype == nw.Boolean:
        return _truth_values(name, series.to_list())
    if dtype in (nw.Categorical, nw.Enum):
        return read_categories(name, series)
    if dtype in (nw.String, nw.Object, nw.Unknown):
        return read_objects(name, series.to_list())
    raise TypeError(
        f"column {name!r} holds {dtype}; a tree asks about numbers and categories: "
        "turn dates into numbers (days, hours, weekday) and nested values into columns"
    )


def read_categories(name: str, series: nw.Series[Any]) -> Column:
    """Read a categorical series: the declared labels in their order, else those seen.

    Parameters
    ----------
    name : str
        Name of the column.
    series : narwhals Series
        Its type is Categorical or Enum.

    Returns
    -------
    Column
        Codes into the labels.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"size": pandas.Categorical(["s"], categories=["l", "s"])})
    >>> read_categories("size", nw.from_native(frame)["size"]).labels
    ('l', 's')
    """
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):
        return declared_column(name, native.cat.categories, native.cat.codes, native.cat.ordered)
    if series.dtype == nw.Enum:
        categories = series.cat.get_categories().to_list()
        code_of = {label: code for code, label in enumerate(categories)}
        return declared_column(name, categories, cell_codes(series.to_list(), code_of))
    if series.implementation.is_polars():
        return read_objects(name, series.to_list())
    return read_dictionary(name, series.to_arrow())


def read_dictionary(name: str, array: Any) -> Column:
    """Read an Arrow dictionary array, whose dictionary declares the labels.

    Parameters
    ----------
    name : str
        Name of the column.
    array : pyarrow.DictionaryArray or ChunkedArray of such
        The column.

    Returns
    -------
    Column
        Codes into the dictionary.

    Examples
    --------
    >>> import pyarrow
    >>> read_dictionary("size", pyarrow.array(["s", "l"]).dictionary_encode()).labels
    ('s', 'l')
    """
    chunks = array.unify_dictionaries().chunks if hasattr(array, "chunks") else [array]
    parts = [np.asarray(chunk.indices.fill_null(MISSING), dtype=np.int32) for chunk in chunks]
    labels = chunks[0].dictionary.to_pylist() if chunks else []
    return declared_column(name, labels, np.concatenate(parts), array.type.ordered)


def declared_column(
    name: str, categories: Iterable[Any], codes: Any, ordered: bool = False
) -> Column:
    """Return a column whose labels are declared.

    Parameters
    ----------
    name : str
        Name of the column.
    categories : iterable
        The labels in order; a missing one stands for no label.
    codes : array-like of int
        Codes into them, `MISSING` where missing.
    ordered : bool, default=False
        Whether the order means something.

    Returns
    -------
    Column
        The column.

    Examples
    --------
    >>> declared_column("size", ["l", None, "s"], [2, 1, 0]).data.tolist()
    [1, -1, 0]
    """
    declared = [plain(label) for label in categories]
    for label in declared:
        check_hashable(label, f"column {name!r}", "a category must be hashable")
    labels = tuple(label for label in declared if not is_missing(label))
    recoded = np.asarray(codes, dtype=np.int32)
    if len(labels) < len(declared):
        recoded = recode(recoded, declared, labels)
        recoded[recoded == UNSEEN] = MISSING
    return Column(name, recoded, labels, declared=True, ordered=bool(ordered))


def _read_array(name: str, values: NDArray[Any], finite: bool) -> Column:
    kind = values.dtype.kind
    if kind == "b":
        return Column(name, values.astype(np.int32), (False, True), declared=True)
    if kind in "iuf":
        return _numbers(name, values, finite)
    if kind == "U":
        labels, codes = np.unique(values, return_inverse=True)
        return Column(name, codes.astype(np.int32), tuple(labels.tolist()))
    if kind in "OT":
        return read_objects(name, values.tolist())
    raise TypeError(
        f"column {name!r} holds {values.dtype}; a tree asks about numbers and categories: "
        "turn dates into numbers and bytes into text"
    )


def _numbers(name: str, values: NDArray[Any], finite: bool = False) -> Column:
    with np.errstate(over="ignore"):
        numbers = np.asarray(values, dtype=np.float64)
    if not finite and np.isinf(numbers).any():
        raise ValueError(
            f"column {name!r} contains inf (infinity) or a value too large; "
            "clip it, or use NaN where the value is missing"
        )
    return Column(name, numbers)


def _truth_values(name: str, values: Sequence[Any]) -> Column:
    return Column(name, cell_codes(values, {False: 0, True: 1}), (False, True), declared=True)


def read_objects(name: str, values: Sequence[Any]) -> Column:
    """Read a column of Python objects: all numbers, or labels in natural order.

    Truth values beside numbers count as numbers. A column without a present cell has no labels.

    Parameters
    ----------
    name : str
        Name of the column, for messages.
    values : sequence
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
    cells = distinct_cells(values, f"column {name!r}", A_CELL)
    n_text = sum(isinstance(label, str) for label in cells.values())
    if n_text < len(cells):
        if n_text == 0 and _are_truth_values(values):
            return _truth_values(name, values)
        cells = {cell: _text_or_number(name, label) for cell, label in cells.items()}
        if n_text == 0:
            return _numbers(name, _floats(name, [cells.get(value, np.nan) for value in values]))
    labels = natural_order(set(cells.values()))
    position = {label: code for code, label in enumerate(labels)}
    codes = cell_codes(values, {cell: position[label] for cell, label in cells.items()})
    return Column(name, codes, tuple(labels), mixed=0 < n_text < len(cells))


def _are_truth_values(values: Sequence[Any]) -> bool:
    truths = (bool, np.bool_)
    return not set(map(type, values)).isdisjoint(truths) and all(
        isinstance(value, truths) or is_missing(value) for value in values
    )


def _text_or_number(name: str, label: Label) -> Label:
    """Return text as it is, whole numbers and truth values as int, other numbers as float."""
    if isinstance(label, str):
        return label
    if isinstance(label, int):
        return int(label)
    if isinstance(label, (float, Decimal, Fraction)):
        number: Label = whole(float(label))
        return number
    raise TypeError(
        f"column {name!r}: {A_CELL}, not {type(label).__name__} such as {label!r}; "
        "turn dates into numbers"
    )


def _floats(name: str, numbers: list[Any]) -> NDArray[np.float64]:
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"column {name!r} contains a value too large; clip it") from None
