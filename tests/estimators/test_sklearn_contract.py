"""The estimators keep scikit-learn's contract."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from niwaki import (
    C45Classifier,
    GOTAClassifier,
    ID3Classifier,
    IDXClassifier,
    LSID3Classifier,
    SkewingClassifier,
)

ESTIMATORS = [
    ID3Classifier(),
    ID3Classifier(criterion="gini", nominal_splits="value", smoothing="laplace", max_depth=5),
    ID3Classifier(missing="fraction", max_leaf_nodes=6, criterion="km_distance"),
    ID3Classifier(missing="error", class_weight="balanced"),
    C45Classifier(),
    C45Classifier(prune=False, missing="category", nominal_splits="auto"),
    C45Classifier(criterion="gain", error_bound="binomial", ccp_alpha=0.001),
    LSID3Classifier(samples=2),
    LSID3Classifier(samples=1, prune=True, nominal_splits="value", numeric_cuts="best"),
    SkewingClassifier(trials=3),
    IDXClassifier(max_cuts=2),
    IDXClassifier(lookahead=1, per_cost=False, class_weight="balanced", smoothing="laplace"),
    GOTAClassifier(max_cuts=2, max_candidates=3),
]


@parametrize_with_checks(ESTIMATORS)
@pytest.mark.filterwarnings("default")
def test_estimator_passes_every_check(estimator, check):
    """scikit-learn's own checks pass, without a single expected failure."""
    check(estimator)
