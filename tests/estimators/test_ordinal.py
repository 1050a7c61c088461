"""Ordered categories: cuts that keep their labels."""

import numpy as np
import pandas as pd
import pytest

from niwaki import C45Classifier, ID3Classifier
from niwaki.tree import Tree

SIZES = ["small", "medium", "large", "huge"]


def sizes(*values, order=SIZES, ordered=True):
    """Return a frame of one ordered column."""
    return pd.DataFrame({"size": pd.Categorical(values, categories=order, ordered=ordered)})


def fitted(learner):
    """Return a model that cuts between medium and large."""
    return learner(min_samples_leaf=1).fit(sizes(*SIZES[:3] * 2, SIZES[3]), list("aabaabb"))


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_the_text_of_a_cut_has_labels(learner):
    """A cut reads `<=` the last label below it."""
    model = fitted(learner)
    assert model.tree_.to_text() == "size <= medium: a (4.0)\nsize > medium: b (3.0)"
    assert Tree.from_json(model.tree_.to_json()) == model.tree_


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_prediction_goes_by_label(learner):
    """Text, another order of categories and unordered categories mean the same labels."""
    model = fitted(learner)
    for rows in (
        sizes(*SIZES),
        sizes(*SIZES, order=SIZES[::-1]),
        sizes(*SIZES, ordered=False),
        sizes(*SIZES, order=["tiny", *SIZES]),
        pd.DataFrame({"size": SIZES}),
    ):
        assert model.predict(rows).tolist() == ["a", "a", "b", "b"]


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_an_unseen_level_is_treated_as_missing(learner):
    """A level without a place in the order, and a missing one, get the same valid answer."""
    model = fitted(learner)
    answers = model.predict_proba(pd.DataFrame({"size": ["tiny", None]}))
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_flagged_ordered_categories_are_nominal(learner):
    """`categorical_features` takes the order away."""
    model = learner(categorical_features=["size"]).fit(sizes(*SIZES), list("abab"))
    assert model.tree_.schema.attributes[0].kind == "nominal"
