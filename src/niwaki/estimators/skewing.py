"""Skewing: greedy growth that looks at the rows under random weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from niwaki.choosers import Skewing
from niwaki.estimators.base import TreeClassifier
from niwaki.estimators.lookahead import WHOLE_ROW_POLICIES, seed_of
from niwaki.growth import grow
from niwaki.parameters import Count, OneOf, Rule, Truth
from niwaki.table import Table
from niwaki.training import Threshold
from niwaki.tree import Smoothing, Tree


class SkewingClassifier(TreeClassifier):
    """Page and Ray's Skewing: the attribute that gains most often under random weights of rows.

    Parameters
    ----------
    trials : int, default=30
        Random weightings at a node; with `sequential`, for each attribute.
    sequential : bool, default=False
        Whether a weighting skews one attribute alone, in turn (Sequential Skewing).
    threshold : {"midpoint", "value", "training"}
        Where a numeric cut lies between two values.
    missing : {"category", "drop", "error"}
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    max_leaf_nodes : int, optional
        Largest number of leaves; weakest links are cut from the finished tree until it holds.
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
    random_state : int, RandomState or None
        Names the random streams; with an int the tree is the same every time.
    n_jobs : optional
        For a common signature; one core is used.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        Class labels.

    Examples
    --------
    >>> from niwaki import SkewingClassifier
    >>> from niwaki.datasets import make_parity
    >>> X, y = make_parity(2, 5, 200, random_state=0)
    >>> SkewingClassifier(random_state=0).fit(X, y).get_n_leaves()
    4
    """

    criterion = "gain"
    nominal_splits = "multiway"
    rules: ClassVar[Mapping[str, Rule]] = {
        **TreeClassifier.rules,
        "trials": Count(0, optional=False),
        "sequential": Truth(),
        "missing": OneOf(WHOLE_ROW_POLICIES),
    }

    def __init__(
        self,
        *,
        trials: int = 30,
        sequential: bool = False,
        threshold: Threshold = "midpoint",
        missing: Any = "category",
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
        self.trials = trials
        self.sequential = sequential
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
        chooser = Skewing(self.trials, self.sequential, seed=seed_of(self.random_state))
        return grow(
            table,
            chooser,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
        )
