"""The estimators do what scikit-learn's own tools expect, and keep what they have learned."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from niwaki import C45Classifier, ID3Classifier, Table

both = pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
X, Y = load_iris(return_X_y=True)


def nominal_rows(n_rows=200, seed=0):
    """Return a frame of categories, numbers and holes, and classes."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "hue": random.choice(["red", "green", "blue", None], n_rows),
            "width": random.random(n_rows).round(2),
            "depth": random.random(n_rows),
        }
    )
    return frame, np.where((frame["hue"] == "red") ^ (frame["width"] > 0.5), "in", "out")


@both
def test_parameters_round_trip(learner):
    """What the constructor takes is what get_params gives; clone and set_params keep it."""
    defaults = learner().get_params()
    assert learner(**defaults).get_params() == defaults
    changed = clone(learner(max_depth=3)).set_params(criterion="gini", smoothing="laplace")
    assert changed.get_params() == defaults | {
        "max_depth": 3,
        "criterion": "gini",
        "smoothing": "laplace",
    }


@both
def test_pickle_and_joblib(learner, tmp_path):
    """A model read back is the same model."""
    frame, y = nominal_rows()
    model = learner().fit(frame, y)
    joblib.dump(model, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
        assert copy.tree_ == model.tree_
        np.testing.assert_array_equal(copy.predict_proba(frame), model.predict_proba(frame))
        assert copy.get_params() == model.get_params()


@both
def test_fit_returns_the_estimator_and_replaces_everything(learner):
    """A second fit leaves nothing of the first."""
    frame, y = nominal_rows()
    model = learner().fit(frame, y)
    assert model.fit(X, Y) is model
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.tree_ == learner().fit(X, Y).tree_


@both
@pytest.mark.parametrize(
    "attempt",
    [
        lambda model: model.fit(np.full((3, 7), np.inf), [0, 1, 0]),
        lambda model: model.fit(np.zeros((3, 7)), [0, None, 0]),
        lambda model: model.set_params(max_depth=-1).fit(np.zeros((3, 7)), [0, 1, 0]),
        lambda model: model.fit(pd.DataFrame([[1, 2]], columns=[1, "b"]), [0]),
        lambda model: model.cost_complexity_pruning_path(np.zeros((3, 7)), ["a"]),
    ],
    ids=["values", "labels", "parameter", "names", "path"],
)
def test_a_failed_fit_leaves_the_model_usable(learner, attempt):
    """After an error the earlier model answers as before."""
    frame, y = nominal_rows()
    model = learner().fit(frame, y)
    tree, answers = model.tree_, model.predict(frame)
    with pytest.raises((ValueError, TypeError)):
        attempt(model)
    assert model.tree_ is tree
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(model.predict(frame), answers)


@both
def test_a_pruning_path_leaves_the_model_alone(learner):
    """The path of other data changes nothing in a fitted model."""
    frame, y = nominal_rows()
    model = learner().fit(frame, y)
    model.cost_complexity_pruning_path(X, Y)
    assert model.n_features_in_ == 3
    assert model.predict(frame).shape == (200,)


@both
def test_fitting_a_table(learner):
    """A Table brings classes, weights and names."""
    frame, y = nominal_rows()
    weights = np.arange(200) % 3
    one = learner().fit(Table.from_frame(frame, y, weights=weights))
    other = learner().fit(frame, y, sample_weight=weights)
    assert one.tree_ == other.tree_
    assert one.feature_names_in_.tolist() == ["hue", "width", "depth"]


@both
def test_grid_search_and_cross_validation(learner):
    """Model selection runs, over numbers and over categories."""
    frame, y = nominal_rows()
    search = GridSearchCV(learner(), {"max_depth": [1, None], "max_leaf_nodes": [2, 9]}, cv=3)
    assert search.fit(X, Y).best_score_ > 0.9
    assert cross_val_score(learner(), frame, y, scoring="roc_auc").mean() > 0.9


@both
def test_metadata_routing(learner):
    """Weights that were asked for are routed to fit."""
    weights = (np.arange(len(Y)) % 2).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = learner().set_fit_request(sample_weight=True)
        pipeline = make_pipeline(FunctionTransformer(), model).fit(X, Y, sample_weight=weights)
    kept = weights > 0
    assert pipeline[-1].tree_ == learner().fit(X[kept], Y[kept]).tree_


@both
@pytest.mark.parametrize("nominal_splits", ["multiway", "value"])
@pytest.mark.parametrize("missing", ["category", "fraction"])
def test_feature_importances(learner, nominal_splits, missing):
    """Importances are shares, and the columns that decide have them."""
    frame, y = nominal_rows()
    model = learner(nominal_splits=nominal_splits, missing=missing).fit(frame, y)
    importances = model.feature_importances_
    assert importances.shape == (3,)
    assert importances.min() >= 0
    np.testing.assert_allclose(importances.sum(), 1.0)
    assert importances[2] == importances.min()


@both
@pytest.mark.parametrize("missing", ["category", "fraction"])
def test_decision_path_matches_apply(learner, missing):
    """A path holds the root, the node of apply and, for a whole row, exactly its ancestors."""
    frame, y = nominal_rows()
    model = learner(missing=missing).fit(frame, y)
    frame.loc[::5, "hue"] = "unseen"
    path, stop = model.decision_path(frame), model.apply(frame)
    assert path.shape == (200, model.tree_.n_nodes)
    assert set(path.data) == {1}
    parent = model.tree_.nodes.parent
    whole = frame.notna().all(axis=1).to_numpy()
    for row in range(200):
        reached = set(path.indices[path.indptr[row] : path.indptr[row + 1]].tolist())
        assert {0, int(stop[row])} <= reached
        ancestors, node = set(), int(stop[row])
        while node >= 0:
            ancestors.add(node)
            node = int(parent[node])
        assert ancestors <= reached
        if whole[row]:
            assert ancestors == reached


@both
def test_size_depth_and_logarithms(learner):
    """Leaves, depth and log-probabilities are those of the tree."""
    model = learner().fit(X, Y)
    assert model.get_n_leaves() == model.tree_.n_leaves == len(model.tree_.leaves())
    assert model.get_depth() == max(depth for _, depth, _ in model.tree_.walk())
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))


@pytest.mark.parametrize(("criterion", "theirs"), [("gain", "entropy"), ("gini", "gini")])
@pytest.mark.parametrize("seed", range(5))
def test_pruning_path_is_that_of_scikit_learn(criterion, theirs, seed):
    """Where both grow the same tree, prices and impurities agree to 1e-9."""
    random = np.random.default_rng(seed)
    X = random.permutation(500)[:400, None].astype(float)
    y = (np.sin(X[:, 0] / 40) + random.normal(0, 0.7, 400) > 0).astype(int)
    weights = random.integers(500, 1500, 400)  # no two questions or links are equally good
    model = ID3Classifier(criterion=criterion).fit(X, y, weights)
    other = DecisionTreeClassifier(criterion=theirs, random_state=seed).fit(X, y, weights)
    assert model.get_n_leaves() == other.get_n_leaves()
    ours, inner = model.tree_.nodes, other.tree_.children_left >= 0
    np.testing.assert_allclose(
        np.sort(ours.counts.sum(axis=1)), np.sort(other.tree_.weighted_n_node_samples)
    )
    np.testing.assert_allclose(
        np.sort(ours.threshold[ours.kind != 0]), np.sort(other.tree_.threshold[inner])
    )
    path = model.cost_complexity_pruning_path(X, y, weights)
    expected = other.cost_complexity_pruning_path(X, y, weights)
    np.testing.assert_allclose(path.ccp_alphas, expected.ccp_alphas, rtol=0, atol=1e-9)
    np.testing.assert_allclose(path.impurities, expected.impurities, rtol=0, atol=1e-9)
    for alpha in path.ccp_alphas[1::9] * 1.0001:
        pruned = clone(model).set_params(ccp_alpha=alpha).fit(X, y, weights)
        theirs_pruned = clone(other).set_params(ccp_alpha=alpha).fit(X, y, weights)
        assert pruned.get_n_leaves() == theirs_pruned.get_n_leaves()


@both
def test_limits_of_size(learner):
    """Leaves, depth and the weight of leaves keep their limits."""
    random = np.random.default_rng(0)
    y = random.integers(0, 3, len(Y))
    free = learner(min_samples_leaf=1).fit(X, y)
    for limit in (1, 2, 5):
        assert learner(min_samples_leaf=1, max_leaf_nodes=limit).fit(X, y).get_n_leaves() <= limit
        assert learner(min_samples_leaf=1, max_depth=limit).fit(X, y).get_depth() <= limit
    assert learner(min_samples_leaf=1, max_leaf_nodes=10**6).fit(X, y).tree_ == free.tree_
    limited = learner(min_weight_fraction_leaf=0.1).fit(X, y)
    assert limited.tree_.nodes.counts.sum(axis=1).min() >= 15
    assert limited.tree_ == learner(min_samples_leaf=15).fit(X, y).tree_
    assert learner(ccp_alpha=100).fit(X, y).get_n_leaves() == 1


def test_bagging():
    """scikit-learn's bagging works around C4.5, with categories too."""
    ensemble = BaggingClassifier(C45Classifier(), n_estimators=5, random_state=0)
    assert ensemble.fit(X, Y).score(X, Y) > 0.9


@both
def test_pipeline_with_pandas_output(learner):
    """A ColumnTransformer that puts out pandas keeps names and categories for the tree."""
    frame, y = nominal_rows()
    frame["width"] = frame["width"].mask(frame["width"] > 0.9)
    transformer = make_column_transformer(
        (SimpleImputer(), ["width"]),
        ("passthrough", ["hue", "depth"]),
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(transformer, learner()).fit(frame, y)
    kinds = {each.name: each.kind for each in pipeline[-1].tree_.schema.attributes}
    assert kinds == {"width": "numeric", "hue": "nominal", "depth": "numeric"}
    assert pipeline.score(frame, y) > 0.9


@both
def test_answers_before_fit_are_refused(learner):
    """An unfitted model says so."""
    from sklearn.exceptions import NotFittedError

    for ask in ("predict", "predict_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError):
            getattr(learner(), ask)(X)
    with pytest.raises(NotFittedError):
        learner().get_depth()


@pytest.mark.parametrize("missing", ["error"])
def test_missing_values_as_errors(missing):
    """Under `error` a hole is refused with the name of its column, in fit and predict."""
    frame, y = nominal_rows()
    with pytest.raises(ValueError, match="'hue' has missing values"):
        ID3Classifier(missing=missing).fit(frame, y)
    model = ID3Classifier(missing=missing).fit(frame.fillna("none"), y)
    with pytest.raises(ValueError, match="'hue' has missing values"):
        model.predict(frame)
