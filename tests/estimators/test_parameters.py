"""A wrong parameter is an error that names it and its range."""

import numpy as np
import pytest

from niwaki import C45Classifier, ID3Classifier

X, Y = np.arange(6.0).reshape(6, 1), [0, 0, 1, 1, 0, 0]
NAN = float("nan")
WORDS = ("foo", None, 3, ["gain"])
BOTH = {
    "criterion": WORDS,
    "nominal_splits": WORDS,
    "threshold": WORDS,
    "missing": WORDS,
    "smoothing": WORDS,
    "max_depth": (-1, 2.5, "3", True, NAN, 10**30),
    "max_leaf_nodes": (-1, 0, 2.5, "3", True),
    "min_samples_leaf": (-1, NAN, "a", np.inf, True, [1]),
    "min_weight_fraction_leaf": (-1, 0.6, "a", NAN, None, True),
    "ccp_alpha": (-1, "x", NAN, None, True, np.inf),
    "class_weight": ("foo", {7: 1}, {0: -1}, {0: "a"}, {0: NAN}, {0: 0, 1: 0}, [1, 2], 3),
    "categorical_features": ("x", 5, [7], [True, False], ["q"], object()),
}
C45_ONLY = {
    "confidence": (0, 2, -0.5, "a", NAN, None, True),
    "error_bound": ("x", None, [1]),
    **dict.fromkeys(("prune", "raise_subtrees", "collapse", "mdl_correction"), ("no", None, 1)),
}
CASES = [
    (learner, name, value)
    for learner, families in ((ID3Classifier, BOTH), (C45Classifier, BOTH | C45_ONLY))
    for name, values in families.items()
    for value in values
]


@pytest.mark.parametrize(("learner", "name", "value"), CASES)
def test_wrong_parameters_are_named(learner, name, value):
    """The message names the parameter, and says what it may be."""
    with pytest.raises((ValueError, TypeError), match=name):
        learner(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", np.int64(2)),
        ("max_depth", 0),
        ("max_leaf_nodes", 1),
        ("min_samples_leaf", np.float32(1.5)),
        ("min_samples_leaf", None),
        ("min_weight_fraction_leaf", 0.5),
        ("ccp_alpha", np.float64(0.1)),
        ("confidence", np.float32(0.25)),
        ("confidence", 1),
        ("confidence", 0.5),
        ("prune", np.True_),
        ("raise_subtrees", np.False_),
        ("collapse", np.True_),
        ("mdl_correction", np.False_),
        ("class_weight", {np.int64(0): np.float32(2)}),
        ("class_weight", {}),
    ],
)
def test_numpy_scalars_and_bounds_are_accepted(name, value):
    """Values at the bounds and of numpy's types are taken."""
    model = C45Classifier(**{name: value}).fit(X, Y)
    assert model.get_params()[name] is value


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_only_known_parameters_exist(learner):
    """What is out of scope is no parameter, so that setting it is an error."""
    with pytest.raises(TypeError, match="monotonic_cst"):
        learner(monotonic_cst=[1])
    with pytest.raises(ValueError, match="monotonic_cst"):
        learner().set_params(monotonic_cst=[1])
