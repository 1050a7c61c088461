"""Class labels are kept as they are given."""

import datetime
import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from niwaki import C45Classifier, ID3Classifier, Table

X = np.array([[1.0], [2.0], [3.0], [4.0]])
FIRST, SECOND = datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)


class Colour(enum.Enum):
    """Labels that are neither text nor numbers."""

    RED = 1
    BLUE = 2


LABELS = {
    "text": ["b", "a"],
    "text with a trailing null": ["a\0", "a"],
    "ints": [3, -1],
    "large ints": [10**30, 1],
    "truth": [True, False],
    "whole floats": [2.0, 1.0],
    "numpy ints": [np.int64(2), np.int64(1)],
    "numpy text": [np.str_("b"), np.str_("a")],
    "numpy truth": [np.True_, np.False_],
    "ints and text": ["a", 1],
    "floats and text": [1.0, "a"],
    "truth and text": [True, "a"],
    "dates": [SECOND, FIRST],
    "enumeration": [Colour.RED, Colour.BLUE],
    "frozen sets": [frozenset([1]), frozenset([2])],
    "decimals": [Decimal(1), Decimal(2)],
    "fractions": [Fraction(1, 2), Fraction(1, 3)],
    "bytes": [b"b", b"a"],
}


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
@pytest.mark.parametrize("name", LABELS)
def test_labels_come_back_as_given(learner, name):
    """Predictions are the labels, of the same type, for every hashable scalar."""
    one, other = LABELS[name]
    model = learner().fit(X, [one, one, other, other])
    predicted = model.predict(X)
    expected = [one, one, other, other]
    assert predicted.tolist() == expected
    plain = [label.item() if isinstance(label, np.generic) else label for label in expected]
    assert [type(label) for label in predicted.tolist()] == [type(label) for label in plain]
    assert set(model.classes_.tolist()) == set(plain)


@pytest.mark.parametrize("dtype", ["i1", "u8", "f4", "?", "i8", "U3", "O"])
def test_classes_have_the_dtype_of_an_array(dtype):
    """`classes_` and predictions have the type of the array of labels."""
    y = np.array([0, 0, 1, 1], dtype=dtype)
    model = ID3Classifier().fit(X, y)
    assert model.classes_.dtype == (y.dtype if dtype != "U3" else np.dtype("U1"))
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(pd.Categorical(["b", "b", "c", "c"], categories=["c", "b", "a"])),
        pd.Categorical(["b", "b", "c", "c"], categories=["c", "b", "a"]),
        pd.CategoricalIndex(["b", "b", "c", "c"], categories=["c", "b", "a"]),
        pl.Series(["b", "b", "c", "c"], dtype=pl.Enum(["c", "b", "a"])),
        pa.DictionaryArray.from_arrays([1, 1, 0, 0], ["c", "b", "a"]),
        pa.chunked_array([pa.DictionaryArray.from_arrays([1, 1, 0, 0], ["c", "b", "a"])]),
    ],
    ids=lambda y: type(y).__module__ + "." + type(y).__name__,
)
def test_declared_classes_have_a_column_even_if_unseen(y):
    """A categorical target declares its classes in its order; an unseen one has probability 0."""
    model = C45Classifier().fit(X, y)
    assert model.classes_.tolist() == ["c", "b", "a"]
    np.testing.assert_array_equal(model.predict_proba(X[[0, 3]]), [[0, 1, 0], [1, 0, 0]])
    assert model.predict(X).tolist() == ["b", "b", "c", "c"]


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([2, 2, 1, 1], dtype="Int64"),
        pl.Series([2, 2, 1, 1]),
        pa.array([2, 2, 1, 1]),
        pa.chunked_array([[2, 2], [1, 1]]),
        (2, 2, 1, 1),
        range(4),
    ],
    ids=lambda y: type(y).__module__ + "." + type(y).__name__,
)
def test_targets_of_all_libraries(y):
    """Integers are integers, whoever holds them."""
    model = ID3Classifier().fit(X, y)
    assert model.predict(X).tolist() == list(y) or model.predict(X).tolist() == [2, 2, 1, 1]
    assert model.classes_.dtype.kind == "i"


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        (["a", None, "a", "b"], "NaN.*row 1"),
        ([1.0, np.nan, 1, 2], "NaN.*row 1"),
        (pd.Series(["a", pd.NA, "a", "b"]), "NaN.*row 1"),
        (pd.Series([1, None, 1, 2], dtype="Int64"), "NaN.*row 1"),
        (pd.Series(pd.Categorical(["a", None, "a", "b"])), "NaN.*row 1"),
        (pl.Series([1, None, 1, 2]), "NaN.*row 1"),
        (pa.array(["a", None, "a", "b"]).dictionary_encode(), "NaN.*row 1"),
        (np.ma.array([1, 2, 1, 2], mask=[0, 1, 0, 0]), "NaN.*row 1"),
        (np.ma.array(["a", "b", "a", "b"], mask=[0, 1, 0, 0]), "NaN.*row 1"),
        ([1.5, 2, 1, 2], "continuous.*regression is out of scope"),
        (np.array([1.5, 2, 1, 2], dtype=object), "continuous.*regression is out of scope"),
        ([np.inf, 1, 1, 2], "infinity"),
        ([1j, 2, 1, 2], "complex"),
        (np.array([1j, 2, 1, 2]), "complex"),
        (np.zeros((4, 2), dtype=int), "several targets are out of scope"),
        (pd.DataFrame({"a": [1, 2, 1, 2], "b": [1, 2, 1, 2]}), "several targets"),
        ([(1, 2), (3, 4), (1, 2), (3, 4)], "several targets"),
        (np.zeros((4, 1, 1), dtype=int), "several targets"),
        ([[1], [2, 3], [1], [2]], "y holds sequences"),
        ([{1}, {2}, {1}, {2}], "y, row 0.*hashable"),
        ([1, 2], "inconsistent numbers of samples"),
        ([], "inconsistent numbers of samples"),
        (3, "y must be a sequence"),
        ("abab", "y must be a sequence"),
        ({"a": 1}, "y must be a sequence"),
        (pl.LazyFrame({"a": [1, 2, 1, 2]}), "y is a lazy frame.*collect"),
        (np.array(["2020", "2021"] * 2, dtype="M8[Y]"), "Unknown label type.*dates as text"),
        (pd.Series(pd.to_datetime(["2020-01-01"] * 4)), "Unknown label type.*dates as text"),
        ([True, 1, False, 2], "both True and 1"),
        (np.array([0, "a", False, 2], dtype=object), "both False and 0"),
    ],
)
@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_wrong_targets_are_named(learner, y, message):
    """A target that is no list of class labels is an error that says why."""
    with pytest.raises((ValueError, TypeError), match=message):
        learner().fit(X, y)


@pytest.mark.parametrize("y", [np.array([[1], [2], [1], [2]]), pl.DataFrame({"y": [1, 2, 1, 2]})])
def test_a_column_of_labels_is_taken_with_a_warning(y):
    """A column vector is read as labels; scikit-learn's warning says so."""
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = ID3Classifier().fit(X, y)
    assert model.predict(X).tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ((0,), "the class 1 is not among"),
        ((0, 1, 1), "twice"),
        ("01", "classes must be a sequence"),
        (5, "classes must be a sequence"),
        ((0, 1, None), "missing"),
        ((0, 1, []), "hashable"),
    ],
)
def test_wrong_declared_classes_are_named(classes, message):
    """Declared classes are distinct labels and hold every label that occurs."""
    with pytest.raises((ValueError, TypeError), match=message):
        Table.from_frame([[1], [2]], [0, 1], classes=classes)
