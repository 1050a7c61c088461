"""Class labels: which classes there are, and the code of every row."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from niwaki.table.cells import cell_codes, check_hashable, distinct_cells, recode
from niwaki.table.encoding import distinct_numbers
from niwaki.table.frame import (
    Column,
    declared_column,
    read_categories,
    read_dictionary,
    unmasked,
)
from niwaki.table.schema import MISSING, UNSEEN, Label, is_missing, natural_order, plain

A_LABEL = "a class label must be a hashable scalar"


def read_classes(y: Any, n_rows: int, declared: Sequence[Label] | None = None) -> Column:
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
    Column
        The classes, as declared, else those seen in natural order; and the class of every row.

    Examples
    --------
    >>> classes = read_classes(["yes", "no", "yes"], 3)
    >>> classes.labels, classes.data.tolist()
    (('no', 'yes'), [1, 0, 1])
    """
    column = _read_labels(y, n_rows)
    if column.data.size != n_rows:
        raise ValueError(_other_length(column.data.size, n_rows))
    if (column.data == MISSING).any():
        row = int(np.argmax(column.data == MISSING))
        raise ValueError(
            f"Input y contains NaN: the class label of row {row} is missing; drop the row"
        )
    if declared is None:
        return column
    labels = class_labels(column)
    wanted = _declared_classes(declared)
    codes = recode(column.data, labels, wanted)
    if (codes == UNSEEN).any():
        strange = labels[column.data[int(np.argmax(codes == UNSEEN))]]
        raise ValueError(f"the class {strange!r} is not among the declared classes {wanted}")
    return Column("y", codes, wanted, declared=True)


def class_labels(column: Column) -> tuple[Label, ...]:
    """Return the classes of a column that `read_classes` read."""
    assert column.labels is not None
    return column.labels


def encode_classes(y: Any, n_rows: int, classes: tuple[Label, ...]) -> NDArray[np.int32]:
    """Return the class codes of `y` under known classes; a new class is an error."""
    return read_classes(y, n_rows, classes).data


def _declared_classes(declared: Sequence[Label]) -> tuple[Label, ...]:
    if isinstance(declared, str) or not hasattr(declared, "__iter__"):
        raise TypeError(f"classes must be a sequence of labels, not {declared!r}")
    wanted = tuple(plain(label) for label in declared)
    for label in wanted:
        check_hashable(label, "classes", A_LABEL)
        if is_missing(label):
            raise ValueError(f"classes holds {label!r}, which stands for a missing label")
    if len(set(wanted)) != len(wanted):
        raise ValueError("classes names a class twice")
    return wanted


def _read_labels(y: Any, n_rows: int) -> Column:
    if y is None:
        raise ValueError(
            "requires y to be passed, but the target y is None: every row needs a class label"
        )
    if nw.dependencies.is_into_lazyframe(y) and not nw.dependencies.is_into_dataframe(y):
        raise TypeError("y is a lazy frame, which has no rows yet; call .collect() first")
    if isinstance(y, (str, bytes, Mapping, set, frozenset)) or not (
        hasattr(y, "__iter__") or hasattr(y, "__array__")
    ):
        raise TypeError(f"y must be a sequence of class labels, not {type(y).__name__}")
    if hasattr(y, "tocsr"):
        raise TypeError("y is sparse; pass a dense sequence of class labels")
    if nw.dependencies.is_into_dataframe(y):
        frame = nw.from_native(y, eager_only=True)
        if frame.shape[1] != 1:
            raise ValueError(_several_targets(frame.shape))
        _warn_of_column()
        y = frame.to_native()[frame.columns[0]]
    if hasattr(y, "categories") and hasattr(y, "codes"):
        return declared_column("y", y.categories, y.codes)
    if nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        if series.dtype in (nw.Categorical, nw.Enum):
            return read_categories("y", series)
        y = series.to_numpy()
    if hasattr(y, "dictionary") and hasattr(y, "indices"):
        return read_dictionary("y", y)
    values = _label_values(y)
    if values.ndim == 2 and values.shape[1] == 1:
        _warn_of_column()
        values = values.ravel()
    if values.ndim != 1:
        raise ValueError(_several_targets(values.shape))
    if values.size != n_rows:
        raise ValueError(_other_length(values.size, n_rows))
    return _labels_of(values)


def _label_values(y: Any) -> NDArray[Any]:
    """Return labels as an array that keeps each as it is."""
    if isinstance(y, np.ma.MaskedArray):
        return unmasked(y)
    if hasattr(y, "__array__"):
        return np.asarray(y)
    items = list(y)
    if items and all(isinstance(item, (list, tuple, np.ndarray)) for item in items):
        if len({np.shape(item) for item in items}) > 1:
            raise ValueError("y holds sequences of different lengths; pass one label per row")
        return np.asarray(items, dtype=object)
    kinds = set(map(type, items))
    if kinds <= {int, float} or kinds == {bool}:
        return np.asarray(items)
    values = np.empty(len(items), dtype=object)
    values[:] = items
    return values


def _labels_of(values: NDArray[Any]) -> Column:
    kind = values.dtype.kind
    if kind in "biuU":
        seen, inverse = np.unique(values, return_inverse=True)
        return Column("y", inverse.astype(np.int32), tuple(seen.tolist()))
    if kind == "f":
        numbers = values.astype(np.float64)
        distinct, codes = distinct_numbers(numbers)
        for label in distinct:
            _check_class_number(label)
        return Column("y", codes, tuple(float(label) for label in distinct))  # type: ignore[arg-type]  # numbers
    if kind in "OST":
        return _labels_of_objects(values.tolist())
    raise ValueError(
        f"Unknown label type: y holds {values.dtype}; pass text, numbers or truth values "
        "(dates as text)"
    )


def _labels_of_objects(values: list[Any]) -> Column:
    cells = distinct_cells(values, "y", A_LABEL)
    kinds = set(map(type, values))
    if kinds & {bool, np.bool_}:
        truths = {value for value in values if isinstance(value, (bool, np.bool_))}
        for value in values:
            if value in truths and not isinstance(value, (bool, np.bool_)):
                raise ValueError(
                    f"y holds both {bool(value)} and {value!r}, which are equal in Python; "
                    "use one of them"
                )
    for label in cells.values():
        _check_class_number(label)
    labels = natural_order(set(cells.values()))
    position = {label: code for code, label in enumerate(labels)}
    codes = cell_codes(values, {cell: position[label] for cell, label in cells.items()})
    return Column("y", codes, tuple(labels))


def _check_class_number(label: Label) -> None:
    if isinstance(label, complex):
        raise ValueError(f"Unknown label type: complex. y holds {label}; pass class labels")
    if not isinstance(label, float) or label.is_integer():
        return
    if np.isinf(label):
        raise ValueError("Input y contains infinity; a class label must be finite")
    raise ValueError(
        f"Unknown label type: continuous. y holds numbers such as {label}; "
        "regression is out of scope: pass class labels (numbers with fractions as text)"
    )


def _several_targets(shape: tuple[int, ...]) -> str:
    return (
        f"y should be a 1d array, got an array of shape {shape} instead; "
        "trees with several targets are out of scope: fit one tree for each"
    )


def _other_length(length: int, n_rows: int) -> str:
    return (
        "Found input variables with inconsistent numbers of samples: "
        f"X has {n_rows} rows and y has {length} labels"
    )


def _warn_of_column() -> None:
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. "
        "Please change the shape of y to (n_samples,), for example using ravel().",
        DataConversionWarning,
        stacklevel=5,
    )
