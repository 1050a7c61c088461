"""Class labels: which classes there are, and the code of every row."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from niwaki.table.frame import Column, distinct_numbers, read_objects, recode
from niwaki.table.schema import MISSING, UNSEEN, Label, is_missing, natural_order, plain


def read_classes(
    y: Any, n_rows: int, declared: Sequence[Label] | None = None
) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
    """Read class labels.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels of any hashable scalar type; a categorical series declares its classes.
    n_rows : int
        How many there must be.
    declared : sequence of hashable, optional
        The classes, in order.

    Returns
    -------
    labels : tuple
        The classes: as declared, else those seen in natural order.
    codes : ndarray of int32
        The class of every row.

    Examples
    --------
    >>> read_classes(["yes", "no", "yes"], 3)
    (('no', 'yes'), array([1, 0, 1], dtype=int32))
    """
    column = _read_labels(y, n_rows)
    labels = column.labels
    assert labels is not None
    if (column.data == MISSING).any():
        row = int(np.argmax(column.data == MISSING))
        raise ValueError(
            f"Input y contains NaN: the class label of row {row} is missing; drop the row"
        )
    if declared is None:
        return labels, column.data
    wanted = tuple(plain(label) for label in declared)
    if len(set(wanted)) != len(wanted):
        raise ValueError("classes names a class twice")
    codes = recode(column.data, labels, wanted)
    if (codes == UNSEEN).any():
        strange = labels[column.data[int(np.argmax(codes == UNSEEN))]]
        raise ValueError(f"the class {strange!r} is not among the declared classes {wanted}")
    return wanted, codes


def encode_classes(y: Any, n_rows: int, classes: tuple[Label, ...]) -> NDArray[np.int32]:
    """Return the class codes of `y` under known classes; a new class is an error."""
    return read_classes(y, n_rows, classes)[1]


def _read_labels(y: Any, n_rows: int) -> Column:
    if y is None:
        raise ValueError(
            "requires y to be passed, but the target y is None: every row needs a class label"
        )
    if nw.dependencies.is_into_dataframe(y):
        y = nw.from_native(y, eager_only=True).to_numpy()
    if nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        _check_length(len(series), n_rows)
        if series.dtype in (nw.Categorical, nw.Enum):
            from niwaki.table.frame import _read_categories

            return _read_categories("y", series)
        y = series.to_numpy()
    values = np.ma.filled(y, np.nan) if isinstance(y, np.ma.MaskedArray) else y
    if not isinstance(values, np.ndarray):
        converted = np.asarray(values)
        values = converted if converted.dtype.kind in "biuf" else _objects(values)
    if values.ndim == 2 and values.shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. "
            "Please change the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {values.shape} instead; "
            "trees with several targets are out of scope: fit one tree for each"
        )
    _check_length(values.size, n_rows)
    return _labels_of(values)


def _objects(values: Any) -> NDArray[Any]:
    items = list(values) if hasattr(values, "__iter__") else [values]
    if items and all(isinstance(item, (list, tuple, np.ndarray)) for item in items):
        return np.asarray(items, dtype=object)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _labels_of(values: NDArray[Any]) -> Column:
    kind = values.dtype.kind
    if kind == "b":
        labels = np.unique(values)
        return Column("y", np.searchsorted(labels, values).astype(np.int32), tuple(labels.tolist()))
    if kind in "iu":
        labels, codes = np.unique(values, return_inverse=True)
        return Column("y", codes.astype(np.int32), tuple(labels.tolist()))
    if kind == "f":
        numbers = values.astype(np.float64)
        if np.isinf(numbers).any():
            raise ValueError("Input y contains infinity; a class label must be finite")
        fractional = numbers[np.isfinite(numbers) & (numbers != np.floor(numbers))]
        if fractional.size:
            raise ValueError(
                f"Unknown label type: continuous. y holds numbers such as {fractional[0]}; "
                "regression is out of scope: pass class labels"
            )
        distinct, codes = distinct_numbers(numbers)
        return Column("y", codes, tuple(float(label) for label in distinct))  # type: ignore[arg-type]
    if kind == "U":
        labels, codes = np.unique(values, return_inverse=True)
        return Column("y", codes.astype(np.int32), tuple(labels.tolist()))
    if kind == "O":
        return _labels_of_objects(values.tolist())
    raise ValueError(f"Unknown label type: {values.dtype}; pass text, numbers or truth values")


def _labels_of_objects(values: list[Any]) -> Column:
    if all(isinstance(value, str) for value in values):
        return read_objects("y", values)
    codes_of: dict[tuple[bool, Any], int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for row, value in enumerate(values):
        if is_missing(value):
            codes[row] = MISSING
            continue
        value = plain(value)
        try:
            codes[row] = codes_of.setdefault((isinstance(value, bool), value), len(codes_of))
        except TypeError:
            raise TypeError(
                f"y, row {row}: a class label must be hashable, not {type(value).__name__}"
            ) from None
    labels = [label for _, label in codes_of]
    order = natural_order(labels)
    return Column("y", recode(codes, labels, order), tuple(order))


def _check_length(length: int, n_rows: int) -> None:
    if length != n_rows:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows and y has {length} labels"
        )
