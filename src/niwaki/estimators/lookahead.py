"""Lookahead learners: what a question is worth is judged by the trees below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.utils import check_random_state

from niwaki.choosers import NUMERIC_CUTS, NumericCuts, Sampling
from niwaki.estimators.base import TreeClassifier
from niwaki.growth import grow
from niwaki.measures import MeasureName
from niwaki.objectives import ERROR_BOUNDS, ErrorBound
from niwaki.parameters import Count, Jobs, Number, OneOf, Rule, Truth
from niwaki.prune import prune_errors
from niwaki.table import Table
from niwaki.training import NominalSplits, Threshold
from niwaki.tree import Smoothing, Tree

WHOLE_ROW_POLICIES = ("category", "drop", "error")


class LSID3Classifier(TreeClassifier):
    """Esmeir and Markovitch's LSID3: the question under which the smallest trees can be drawn.

    Under every candidate, stochastic trees are drawn for each branch, and the sum of the smallest
    decides. It learns parities and multiplexers, on which greedy trees fail, and more samples make
    smaller trees.

    Parameters
    ----------
    samples : int, default=5
        Sample trees per branch of every candidate; time grows in proportion.
    prune : bool, default=False
        Whether the tree is pruned by expected errors (LSID3-p).
    contract : float, optional
        Seconds to learn in; the number of samples is then found from the time one sample takes.
    criterion : {"gain", "gain_ratio", "gini", "km_distance"}
        Sample trees ask questions with probability proportional to it.
    confidence : float, default=0.25
        Of the expected errors that pruning compares.
    error_bound : {"j48", "r8", "binomial"}
        How the expected errors are computed.
    nominal_splits : {"multiway", "value", "auto", "subset"}
        One branch per value, one value against the rest, both, or any set of values against the
        rest (BLSID3).
    numeric_cuts : {"mc_r", "mc_p", "all", "best"}
        Cuts tried per numeric attribute: as many draws as samples, as many draws as rows, every
        cut, or the best one only.
    count_empty_leaves : bool, default=True
        Whether leaves without rows count in the size of a sample tree.
    threshold : {"midpoint", "value", "training"}
        Where a numeric cut lies between two values.
    missing : {"category", "drop", "error"}
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path, in sample trees too.
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
    n_jobs : int, optional
        Threads, as joblib understands it; the tree is the same for any number. A contract in
        seconds is kept by one.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        Class labels.

    Examples
    --------
    >>> from niwaki import LSID3Classifier
    >>> from niwaki.datasets import make_parity
    >>> X, y = make_parity(3, 3, 60, random_state=0)
    >>> LSID3Classifier(random_state=0).fit(X, y).get_n_leaves()
    8
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        **TreeClassifier.rules,
        "samples": Count(0, optional=False),
        "prune": Truth(),
        "contract": Number(0, above=True, optional=True),
        "confidence": Number(0, 1, above=True),
        "error_bound": OneOf(ERROR_BOUNDS),
        "numeric_cuts": OneOf(tuple(NUMERIC_CUTS)),
        "count_empty_leaves": Truth(),
        "missing": OneOf(WHOLE_ROW_POLICIES),
        "n_jobs": Jobs(),
    }

    def __init__(
        self,
        *,
        samples: int = 5,
        prune: bool = False,
        contract: float | None = None,
        criterion: MeasureName = "gain",
        confidence: float = 0.25,
        error_bound: ErrorBound = "j48",
        nominal_splits: NominalSplits = "multiway",
        numeric_cuts: NumericCuts = "mc_r",
        count_empty_leaves: bool = True,
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
        self.samples = samples
        self.prune = prune
        self.contract = contract
        self.criterion = criterion
        self.confidence = confidence
        self.error_bound = error_bound
        self.nominal_splits = nominal_splits
        self.numeric_cuts = numeric_cuts
        self.count_empty_leaves = count_empty_leaves
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
        chooser = Sampling(
            self.samples,
            self.criterion,
            numeric_cuts=self.numeric_cuts,
            count_empty_leaves=self.count_empty_leaves,
            seed=seed_of(self.random_state),
        )
        tree = grow(
            table,
            chooser,
            nominal_splits=self.nominal_splits,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
            seconds=self.contract,
            n_jobs=self.n_jobs,
        )
        if not self.prune:
            return tree
        return prune_errors(
            tree,
            self._kept_rows(table),
            confidence=self.confidence,
            error_bound=self.error_bound,
        )


def seed_of(random_state: Any) -> int:
    """Return the seed of the random streams for scikit-learn's kind of random state.

    Parameters
    ----------
    random_state : int, RandomState or None
        A number is the seed itself; anything else is drawn from.

    Returns
    -------
    int
        A whole number of at least 0.

    Examples
    --------
    >>> seed_of(7)
    7
    """
    if isinstance(random_state, int) and 0 <= random_state < 2**32:
        return random_state
    return int(check_random_state(random_state).randint(2**31 - 1))
