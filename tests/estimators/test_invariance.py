"""What must not change a tree: row order, names, duplicates for weights, the width of floats."""

import numpy as np
import pandas as pd
import pytest

from niwaki import C45Classifier, ID3Classifier

LEARNERS = [
    ID3Classifier(),
    ID3Classifier(criterion="gini", nominal_splits="value", threshold="value"),
    ID3Classifier(criterion="km_distance", missing="fraction", nominal_splits="auto"),
    ID3Classifier(criterion="gain_ratio", missing="drop", max_leaf_nodes=7, min_samples_leaf=2),
    C45Classifier(),
    C45Classifier(missing="category", error_bound="binomial", confidence=0.1),
    C45Classifier(criterion="gain", nominal_splits="value", error_bound="r8", ccp_alpha=0.01),
    C45Classifier(class_weight="balanced", min_weight_fraction_leaf=0.02),
]
learners = pytest.mark.parametrize("learner", LEARNERS, ids=repr)
seeds = pytest.mark.parametrize("seed", range(4))


def mixed_rows(seed, n_rows=120):
    """Return a frame with holes of two numbers and two categories, and classes."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 12, n_rows) / 4,
            "b": random.choice(list("uvwx"), n_rows),
            "c": random.integers(0, 40, n_rows).astype(float),
            "d": random.choice(["yes", "no"], n_rows),
        }
    )
    target = (frame["a"] > 1.4) ^ (frame["b"].isin(["u", "x"])) ^ (random.random(n_rows) < 0.15)
    for name in frame:
        frame.loc[random.random(n_rows) < 0.08, name] = None
    return frame, np.where(target, "good", "bad")


def tree_of(learner, *data, **more):
    """Return the tree that a fresh copy of a learner makes."""
    return type(learner)(**learner.get_params()).fit(*data, **more).tree_


@learners
@seeds
def test_whole_weights_are_duplicates(learner, seed):
    """A row of weight 3 is three rows, one of weight 0 is none."""
    X, y = mixed_rows(seed)
    weights = np.random.default_rng(seed).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    weighted = tree_of(learner, X, y, sample_weight=weights)
    assert weighted == tree_of(learner, X.iloc[rows], y[rows])


@learners
@seeds
def test_rows_of_weight_zero_are_left_out(learner, seed):
    """Real weights with zeros give the tree of the other rows."""
    X, y = mixed_rows(seed)
    weights = np.random.default_rng(seed).random(len(y)) + 0.5
    weights[::3] = 0
    kept = weights > 0
    one = tree_of(learner, X, y, sample_weight=weights)
    assert one == tree_of(learner, X[kept], y[kept], sample_weight=weights[kept])


@learners
@seeds
@pytest.mark.parametrize("real", [False, True])
def test_the_order_of_rows_changes_nothing(learner, seed, real):
    """Any order of the rows gives the same tree, with and without real weights."""
    X, y = mixed_rows(seed)
    random = np.random.default_rng(seed)
    weights = random.random(len(y)) * 3 if real else None
    order = random.permutation(len(y))
    other = None if weights is None else weights[order]
    one = tree_of(learner, X, y, sample_weight=weights)
    assert one == tree_of(learner, X.iloc[order], y[order], sample_weight=other)
    assert one.to_json() == tree_of(learner, X.iloc[order], y[order], sample_weight=other).to_json()


@learners
def test_the_names_of_columns_change_nothing(learner):
    """Renamed columns give a tree with other names and nothing else."""
    X, y = mixed_rows(0)
    renamed = X.set_axis(["zz", "y", "x", "a"], axis=1)
    one, other = tree_of(learner, X, y), tree_of(learner, renamed, y)
    for name, array in zip(one.nodes.__dataclass_fields__, one.nodes.arrays(), strict=False):
        np.testing.assert_array_equal(array, getattr(other.nodes, name))


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_float32_is_float64(learner):
    """Exactly representable data gives one tree, and predictions see what float32 holds."""
    random = np.random.default_rng(0)
    narrow = random.random((200, 4)).astype(np.float32)
    y = (narrow[:, 0] * narrow[:, 1] > 0.3).astype(int)
    wide = narrow.astype(np.float64)
    one, other = learner().fit(narrow, y), learner().fit(wide, y)
    assert one.tree_ == other.tree_
    for rows in (narrow, random.random((300, 4)).astype(np.float32)):
        np.testing.assert_array_equal(one.predict(rows), other.predict(rows.astype(np.float64)))
        np.testing.assert_array_equal(
            one.predict_proba(rows), other.predict_proba(rows.astype(np.float64))
        )


@pytest.mark.parametrize("learner", [ID3Classifier(), C45Classifier()])
def test_libraries_predict_alike(learner):
    """A model answers equally to numpy, pandas, polars and arrow rows."""
    import polars as pl
    import pyarrow as pa

    X, y = mixed_rows(1)
    model = learner.fit(X, y)
    expected = model.predict_proba(X)
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    for rows in (pl.from_arrow(arrow), arrow):
        np.testing.assert_array_equal(model.predict_proba(rows), expected)
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(model.predict_proba(X.to_numpy(dtype=object)), expected)


def test_class_weights_multiply_row_weights():
    """A weight for a class is a weight for its rows; 0 leaves them out; unnamed classes have 1."""
    X, y = mixed_rows(2)
    weights = np.where(y == "good", 3.0, 1.0)
    expected = tree_of(C45Classifier(), X, y, sample_weight=weights)
    assert tree_of(C45Classifier(class_weight={"good": 3}), X, y) == expected
    alone = C45Classifier(class_weight={"good": 0}).fit(X, y)
    assert alone.classes_.tolist() == ["bad", "good"]
    assert set(alone.predict(X)) == {"bad"}
    assert tree_of(C45Classifier(class_weight={}), X, y) == tree_of(C45Classifier(), X, y)


def test_balanced_classes_weigh_the_same():
    """Under `balanced` every class has the same total weight, the sum unchanged."""
    X, y = mixed_rows(3)
    tree = ID3Classifier(class_weight="balanced", max_depth=0).fit(X, y).tree_
    np.testing.assert_allclose(tree.nodes.counts[0], [60, 60])
