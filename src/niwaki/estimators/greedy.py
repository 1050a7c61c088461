"""ID3 and C4.5: a greedy tree, and how it is pruned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from niwaki.choosers import Greedy
from niwaki.estimators.base import TreeClassifier
from niwaki.growth import grow
from niwaki.measures import MeasureName
from niwaki.objectives import ERROR_BOUNDS, ErrorBound
from niwaki.parameters import Number, OneOf, Rule, Truth
from niwaki.prune import prune_errors
from niwaki.table import MissingPolicy, Table
from niwaki.training import NominalSplits, Threshold
from niwaki.tree import Smoothing, Tree


class ID3Classifier(TreeClassifier):
    """Quinlan's ID3: the question of largest gain, until the leaves are pure.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio", "gini", "km_distance"}
        The split measure.
    nominal_splits : {"multiway", "value", "auto", "subset"}
        One branch per value, one value against the rest, the better of both at each node, or any
        set of values against the rest.
    threshold : {"midpoint", "value", "training"}
        Where a numeric cut lies between two values.
    missing : {"category", "fraction", "drop", "error"}
        What a missing value is. Under "category" it is a further value of a nominal attribute;
        a missing number goes where most known rows go.
    max_depth : int, optional
        Largest number of questions on a path.
    max_leaf_nodes : int, optional
        Largest number of leaves; weakest links are cut from the grown tree until it holds.
    min_samples_leaf : float, optional
        Weight that every non-empty branch must have.
    min_weight_fraction_leaf : float, default=0.0
        The same as a fraction of the whole training weight; the larger of the two counts.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning.
    class_weight : dict, "balanced" or None
        Weights of the classes.
    categorical_features : "from_dtype", mask, names or positions
        Which columns are nominal.
    smoothing : {"none", "laplace", "m"}
        How counts become probabilities.
    random_state, n_jobs : optional
        For a common signature; this learner draws nothing and uses one core.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        Class labels.

    Examples
    --------
    >>> from niwaki import ID3Classifier
    >>> model = ID3Classifier().fit([["red"], ["green"]], ["stop", "go"])
    >>> print(model.tree_.to_text())
    x0 = green: go (1.0)
    x0 = red: stop (1.0)
    """

    def __init__(
        self,
        *,
        criterion: MeasureName = "gain",
        nominal_splits: NominalSplits = "multiway",
        threshold: Threshold = "midpoint",
        missing: MissingPolicy = "category",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        smoothing: Smoothing = "none",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.nominal_splits = nominal_splits
        self.threshold = threshold
        self.missing = missing
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.smoothing = smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, table: Table) -> Tree:
        return grow(
            table,
            Greedy(self.criterion),
            nominal_splits=self.nominal_splits,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
        )


class C45Classifier(TreeClassifier):
    """Quinlan's C4.5, release 8, with every switch of its own.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain", "gini", "km_distance"}
        The split measure.
    confidence : float, default=0.25
        Of the expected errors that pruning compares; smaller prunes more.
    error_bound : {"j48", "r8", "binomial"}
        How the expected errors are computed.
    prune : bool, default=True
        Whether the grown tree is pruned.
    raise_subtrees : bool, default=True
        Whether pruning may put a node's heaviest child in its place.
    collapse : bool, default=True
        Whether splits that do not lower the training error are undone first.
    mdl_correction : bool, default=True
        Whether a numeric cut pays for the choice among cuts.
    nominal_splits : {"multiway", "value", "auto"}
        One branch per value, one value against the rest, or both as candidates.
    threshold : {"training", "midpoint", "value"}
        Where a numeric cut lies: C4.5 takes a value of the whole training table.
    missing : {"fraction", "category", "drop", "error"}
        What a missing value is; C4.5 sends parts of the row down all branches.
    max_depth : int, optional
        Largest number of questions on a path.
    max_leaf_nodes : int, optional
        Largest number of leaves; weakest links are cut from the finished tree until it holds.
    min_samples_leaf : float, default=2
        Weight that at least two branches of every split must have.
    min_weight_fraction_leaf : float, default=0.0
        The same as a fraction of the whole training weight; the larger of the two counts.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning, after the error-based one.
    class_weight : dict, "balanced" or None
        Weights of the classes.
    categorical_features : "from_dtype", mask, names or positions
        Which columns are nominal.
    smoothing : {"none", "laplace", "m"}
        How counts become probabilities.
    random_state, n_jobs : optional
        For a common signature; this learner draws nothing and uses one core.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        Class labels.

    Examples
    --------
    >>> from niwaki import C45Classifier
    >>> model = C45Classifier().fit([[1], [2], [3], [8], [9]], ["a", "a", "a", "b", "b"])
    >>> print(model.tree_.to_text())
    x0 <= 3: a (3.0)
    x0 > 3: b (2.0)
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        **TreeClassifier.rules,
        "nominal_splits": OneOf(("multiway", "value", "auto")),
        "confidence": Number(0, 1, above=True),
        "error_bound": OneOf(ERROR_BOUNDS),
        "prune": Truth(),
        "raise_subtrees": Truth(),
        "collapse": Truth(),
        "mdl_correction": Truth(),
    }

    def __init__(
        self,
        *,
        criterion: MeasureName = "gain_ratio",
        confidence: float = 0.25,
        error_bound: ErrorBound = "j48",
        prune: bool = True,
        raise_subtrees: bool = True,
        collapse: bool = True,
        mdl_correction: bool = True,
        nominal_splits: NominalSplits = "multiway",
        threshold: Threshold = "training",
        missing: MissingPolicy = "fraction",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: float = 2,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        smoothing: Smoothing = "none",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.confidence = confidence
        self.error_bound = error_bound
        self.prune = prune
        self.raise_subtrees = raise_subtrees
        self.collapse = collapse
        self.mdl_correction = mdl_correction
        self.nominal_splits = nominal_splits
        self.threshold = threshold
        self.missing = missing
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.smoothing = smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, table: Table) -> Tree:
        chooser = Greedy(
            self.criterion,
            rules="c45",
            mdl_correction=bool(self.mdl_correction),
            collapse=bool(self.collapse),
        )
        tree = grow(
            table,
            chooser,
            nominal_splits=self.nominal_splits,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
        )
        if not self.prune:
            return tree
        return prune_errors(
            tree,
            self._kept_rows(table),
            confidence=float(self.confidence),
            error_bound=self.error_bound,
            raise_subtrees=bool(self.raise_subtrees),
        )
