"""Hostile input at the door: the right answer, or an error that names the culprit and a remedy."""

import datetime
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from niwaki import C45Classifier, ID3Classifier

NAN = float("nan")
FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x", "y"]})
Y = ["no", "no", "yes", "yes"]
both = pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])


@both
def test_one_row(learner):
    """One row gives one leaf that answers its class with certainty."""
    model = learner().fit([[1, "x"]], ["only"])
    assert model.tree_.n_nodes == 1
    assert model.predict([[7, "z"], [None, None]]).tolist() == ["only", "only"]
    assert model.predict_proba([[7, "z"]]).tolist() == [[1.0]]
    assert model.feature_importances_.tolist() == [0.0, 0.0]


@both
def test_one_class(learner):
    """One class gives one leaf."""
    model = learner().fit(FRAME, ["same"] * 4)
    assert model.get_n_leaves() == 1
    assert model.predict(FRAME).tolist() == ["same"] * 4


@both
@pytest.mark.parametrize("missing", ["category", "fraction"])
@pytest.mark.parametrize("nominal_splits", ["multiway", "value", "auto"])
def test_constant_and_empty_columns_are_never_asked(learner, missing, nominal_splits):
    """Columns that are constant or all missing do no harm, in training and in prediction."""
    X = pd.DataFrame(
        {
            "constant": ["k"] * 6,
            "number": [1.0] * 6,
            "nan": [NAN] * 6,
            "none": pd.Series([None] * 6, dtype=object),
            "category": pd.Categorical([None] * 6),
            "levels": pd.Categorical([None] * 6, categories=["p", "q"], ordered=True),
            "good": [1, 2, 3, 7, 8, 9],
        }
    )
    y = [0, 0, 0, 1, 1, 1]
    model = learner(missing=missing, nominal_splits=nominal_splits).fit(X, y)
    asked = {split.attribute.name for _, _, split in model.tree_.walk() if split}
    assert asked == {"good"}
    assert model.predict(X).tolist() == y
    now = X.assign(constant="other", number=5.0, nan=1.0, none="text", category="c")
    assert model.predict(now).tolist() == y
    assert model.predict(now.assign(none=3.5)).tolist() == y


@both
def test_all_columns_empty(learner):
    """Nothing but holes gives the majority."""
    model = learner().fit([[None, NAN]] * 3, [0, 1, 1])
    assert model.predict([[None, NAN], ["a", 1.0]]).tolist() == [1, 1]


@both
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values(learner, value):
    """Infinity is an error that names the column, in training and in prediction."""
    with pytest.raises(ValueError, match=r"'a'.*infinity.*clip"):
        learner().fit(FRAME.assign(a=[1.0, 2.0, 3.0, value]), Y)
    with pytest.raises(ValueError, match=r"'a'.*infinity.*clip"):
        learner().fit(FRAME, Y).predict(FRAME.assign(a=value))


@both
def test_extreme_values(learner):
    """The largest and smallest floats are split without overflow."""
    X, y = np.repeat([-1.7e308, -1.6e308, 1.6e308, 1.7e308], 9).reshape(-1, 1), np.repeat(Y, 9)
    model = learner().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.tree_.split(0).threshold)


@pytest.mark.parametrize("threshold", ["midpoint", "value", "training"])
@pytest.mark.parametrize("low", [0.0, 1.0, -1.0, 1e300])
def test_adjacent_floats(low, threshold):
    """Two neighbouring floats are told apart by ID3; C4.5 asks for a gap of 1e-5."""
    X = np.repeat([low, np.nextafter(low, np.inf)], 9).reshape(-1, 1)
    y = np.repeat([0, 1], 9)
    np.testing.assert_array_equal(ID3Classifier(threshold=threshold).fit(X, y).predict(X), y)


@both
def test_numbers_and_text_in_a_column(learner):
    """A mixed column is an error with a remedy, which works."""
    X, y = [[1, 5], ["a", 5]] * 4, [0, 1] * 4
    with pytest.raises(TypeError, match=r"'x0' mixes numbers and text.*categorical_features"):
        learner().fit(X, y)
    model = learner(categorical_features=[0]).fit(X, y)
    assert model.predict(X).tolist() == y


@both
def test_dates(learner):
    """Dates are an error with a remedy."""
    for dates in (
        pd.to_datetime(["2020-01-01"] * 4),
        [datetime.date(2020, 1, 1)] * 4,
        pd.to_timedelta([1, 2, 3, 4]),
    ):
        with pytest.raises(TypeError, match=r"'b'.*dates into numbers"):
            learner().fit(FRAME.assign(b=dates), Y)


@both
def test_duplicate_names(learner):
    """Two columns of one name are an error that says so."""
    with pytest.raises(ValueError, match="two columns are named 'a'"):
        learner().fit(FRAME.set_axis(["a", "a"], axis=1), Y)


@both
@pytest.mark.parametrize(
    "rows",
    [FRAME[["a"]], FRAME[["b", "a"]], FRAME.assign(c=1), FRAME.rename(columns={"a": "z"})],
    ids=["missing", "reordered", "extra", "renamed"],
)
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_other_columns_at_predict(learner, rows, library):
    """A missing, reordered, extra or renamed column is a ValueError that speaks of columns."""
    arrow = pa.Table.from_pandas(rows, preserve_index=False)
    held = {"pandas": rows, "polars": pl.from_arrow(arrow), "arrow": arrow}[library]
    model = learner().fit(FRAME, Y)
    for answer in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(ValueError, match=r"feature names|columns|stands where"):
            answer(held)


@both
def test_other_number_of_columns_at_predict(learner):
    """Arrays with another number of columns are a ValueError."""
    model = learner().fit(np.eye(3), [0, 1, 2])
    for rows in (np.eye(2), [[1]], np.zeros((1, 9))):
        with pytest.raises(ValueError, match=r"features|columns"):
            model.predict(rows)


@both
def test_other_type_of_column_at_predict(learner):
    """Text where numbers were is an error that names the column; truth values are 0 and 1."""
    model = learner().fit(FRAME, Y)
    with pytest.raises(ValueError, match=r"'a' was numeric in training.*'x'.*pass numbers"):
        model.predict(FRAME.assign(a="x"))
    truth = learner().fit([[True], [False]] * 3, [1, 0] * 3)
    assert truth.predict([[1.0], [0.0]]).tolist() == [1, 0]
    numbers = learner().fit([[1], [0]] * 3, [1, 0] * 3)
    assert numbers.predict(np.array([[True], [False]])).tolist() == [1, 0]


@both
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0, 0, 0], "every sample_weight is zero"),
        ([1, 1, 1, -1], "Negative values in sample_weight"),
        ([1, 1, 1, NAN], "sample_weight contains NaN"),
        ([1, 1], "sample_weight"),
        ("a", "sample_weight must hold numbers"),
        ([1e308] * 4, "sample_weight adds up to"),
    ],
)
def test_wrong_weights(learner, weights, message):
    """Weights that cannot count are an error that names them."""
    with pytest.raises(ValueError, match=message):
        learner().fit(FRAME, Y, sample_weight=weights)


@both
@pytest.mark.parametrize("nominal_splits", ["multiway", "value"])
def test_a_category_never_seen(learner, nominal_splits):
    """An unseen category stops at a multiway question and is not the value of a `= v` question."""
    X = [["u"], ["u"], ["v"], ["v"], ["v"]]
    model = learner(nominal_splits=nominal_splits).fit(X, [0, 0, 1, 1, 1])
    answer = model.predict_proba([["never"], [5]])
    np.testing.assert_allclose(answer.sum(axis=1), 1.0)
    np.testing.assert_array_equal(answer[0], answer[1])
    if nominal_splits == "multiway":
        np.testing.assert_allclose(answer[0], [0.4, 0.6])
        assert model.apply([["never"]]).tolist() == [0]
    else:
        assert model.apply([["never"]]).tolist() == [2]


@both
def test_sixty_thousand_categories(learner):
    """A column of distinct texts is grown from and predicted with in seconds."""
    names = np.array([f"id{number:05d}" for number in range(60_000)], dtype=object).reshape(-1, 1)
    y = np.arange(60_000) % 2
    start = time.perf_counter()
    model = learner().fit(names, y)
    model.predict(names)
    assert model.tree_.n_leaves in (1, 60_000)
    assert time.perf_counter() - start < 20


@both
def test_two_hundred_classes(learner):
    """Many classes are told apart."""
    X = np.arange(800.0).reshape(-1, 2)
    y = np.repeat(np.arange(200), 2)
    model = learner(min_samples_leaf=1).fit(X, y)
    assert model.predict_proba(X).shape == (400, 200)
    assert model.score(X, y) > 0.99


@both
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (sparse.csr_matrix(np.eye(4)), "dense data is required"),
        (sparse.coo_array(np.eye(4)), "dense data is required"),
        (np.eye(4) * 1j, "Complex data not supported"),
        (np.zeros(4, dtype=[("a", float), ("b", int)]), "structured array.*DataFrame"),
        (np.zeros((4, 1, 1)), "dim"),
        (np.zeros(4), "Reshape your data"),
        (pd.Series([1, 2, 3, 4]), "Reshape your data"),
        (pd.DataFrame(), "0 sample"),
        (FRAME.iloc[:0], "0 sample"),
        (pd.DataFrame(index=range(4)), "0 feature"),
        (np.zeros((0, 2)), "0 sample"),
        (np.zeros((4, 0)), "0 feature"),
        (pl.DataFrame(), "0 sample"),
        (pl.from_pandas(FRAME).lazy(), r"lazy frame.*collect\(\)"),
        (([number] for number in range(4)), "generator.*list"),
        (iter([[1], [2], [3], [4]]), "generator.*list"),
        (None, "X is None"),
        ("text", "X is a str"),
        (b"text", "X is a bytes"),
        ({"a": [1, 2, 3, 4]}, "X is a dict.*DataFrame"),
        ({1, 2, 3, 4}, "X is a set"),
        (5, "2D array"),
        (len, "2D array"),
        ([], "2D array"),
        (["a", "b", "c", "d"], "2D array"),
        ([[1], [1, 2], [3], [4]], "different lengths"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_table(learner, X, message):
    """Whatever holds no rows is a ValueError or TypeError, in training and in prediction."""
    with pytest.raises((ValueError, TypeError), match=message):
        learner().fit(X, Y)
    fitted = learner().fit([[1.0], [2.0], [3.0], [4.0]], Y)
    with pytest.raises((ValueError, TypeError)):
        fitted.predict(X)


@both
def test_a_table_with_other_columns_at_predict(learner):
    """A Table is matched by number and names as a frame is."""
    from niwaki import Table

    model = learner().fit(FRAME, Y)
    table = Table.from_frame(FRAME, Y)
    assert model.predict(table).tolist() == model.predict(FRAME).tolist()
    with pytest.raises(ValueError, match="1 columns, but 2 are expected"):
        model.predict(Table.from_frame(FRAME[["a"]], Y))
    with pytest.raises(ValueError, match="'b' stands where 'a'"):
        model.predict(Table.from_frame(FRAME[["b", "a"]], Y))
    with pytest.raises(ValueError, match="pass neither beside it"):
        learner().fit(table, Y)
    with pytest.raises(ValueError, match="no rows"):
        learner().fit(table.take(np.array([], dtype=int)))
