"""IDX and GOTA: exhaustive lookahead for the most information per cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

from niwaki.choosers import LEVEL_COSTS, Horizon, LevelCost, Levels, Scope
from niwaki.costs import Costs
from niwaki.estimators.base import TreeClassifier
from niwaki.estimators.lookahead import WHOLE_ROW_POLICIES
from niwaki.growth import grow
from niwaki.parameters import Count, OneOf, Rule, Truth
from niwaki.table import Table
from niwaki.training import Threshold
from niwaki.tree import Smoothing, Tree

SHARED_RULES: dict[str, Rule] = {
    **TreeClassifier.rules,
    "per_cost": Truth(),
    "level_cost": OneOf(tuple(LEVEL_COSTS)),
    "max_candidates": Count(1),
    "max_cuts": Count(1, optional=False),
    "missing": OneOf(WHOLE_ROW_POLICIES),
}


class IDXClassifier(TreeClassifier):
    """Norton's IDX: the question that begins the best plan a few levels deep.

    At every node all plans of some depth are searched for the one with the most information per
    cost, and its first question is asked. The time grows with the power of the number of
    attributes that the lookahead is.

    Parameters
    ----------
    lookahead : int, tuple of int or "auto", default=2
        Levels of a plan, at least 1; a tuple gives them for nodes at depth 0, 1 and so on, its
        last entry for all further ones. "auto" looks deeper where prices vary little, as Norton
        advises: with a coefficient of variation below 0.1 three levels, below 0.5 two, else one.
    per_cost : bool, default=True
        Whether a plan shall bring most information per cost, or most information whatever it
        costs (ID3-k).
    level_cost : {"expected", "nodes", "distinct_tests"}
        What a plan costs: every row pays for its questions, or every question is paid for once,
        or every attribute is.
    max_candidates : int, optional
        Only so many attributes are considered at a node: those that gain most.
    max_cuts : int, default=8
        Of a numeric attribute, only so many cuts are considered at a node: those that gain most.
    costs : Costs, optional
        Prices of the attributes; without them every question costs 1.
    threshold : {"midpoint", "value", "training"}
        Where a numeric cut lies between two values.
    missing : {"category", "drop", "error"}
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path; plans go no deeper either.
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
    >>> from niwaki import IDXClassifier
    >>> from niwaki.datasets import make_parity
    >>> X, y = make_parity(2, 3, 60, random_state=0)
    >>> [IDXClassifier(lookahead=levels).fit(X, y).get_n_leaves() for levels in (1, 2)]
    [8, 4]
    """

    criterion = "gain"
    nominal_splits = "multiway"
    rules: ClassVar[Mapping[str, Rule]] = {
        **SHARED_RULES,
        "lookahead": Levels("first"),
    }

    def __init__(
        self,
        *,
        lookahead: int | tuple[int, ...] | Literal["auto"] = 2,
        per_cost: bool = True,
        level_cost: LevelCost = "expected",
        max_candidates: int | None = None,
        max_cuts: int = 8,
        costs: Costs | None = None,
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
        self.lookahead = lookahead
        self.per_cost = per_cost
        self.level_cost = level_cost
        self.max_candidates = max_candidates
        self.max_cuts = max_cuts
        self.costs = costs
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
        chooser = Horizon(
            self.lookahead,
            per_cost=self.per_cost,
            level_cost=self.level_cost,
            max_cuts=self.max_cuts,
            max_candidates=self.max_candidates,
            costs=self.costs,
        )
        return grow(
            table,
            chooser,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
        )


class GOTAClassifier(TreeClassifier):
    """Hartmann's GOTA: the best plans of a few levels each, one below the other.

    The tree is cut into branch levels. For each level all plans are searched for the one with the
    most information per cost, and all its questions are asked.

    Parameters
    ----------
    levels : tuple of int or int, default=(0, 2)
        Depths at which branch levels end, ascending; the last step is repeated. (0, 2) stands for
        levels of two depths ("evens"), (1, 3) for one of one and then levels of two ("odds").
    per_cost : bool, default=True
        Whether a plan shall bring most information per cost, or most information whatever it
        costs.
    level_cost : {"expected", "nodes", "distinct_tests"}
        What a plan costs: every row pays for its questions, or every question is paid for once,
        or every attribute is.
    scope : {"node", "level"}
        Whether every node of a branch level is planned for on its own, or all together.
    max_candidates : int, optional
        Only so many attributes are considered at a node: those that gain most.
    max_cuts : int, default=8
        Of a numeric attribute, only so many cuts are considered at a node: those that gain most.
    costs : Costs, optional
        Prices of the attributes; without them every question costs 1.
    threshold : {"midpoint", "value", "training"}
        Where a numeric cut lies between two values.
    missing : {"category", "drop", "error"}
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path; plans go no deeper either.
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
    >>> from niwaki import GOTAClassifier
    >>> X = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]]
    >>> GOTAClassifier().fit(X, [0, 1, 1, 0]).get_depth()
    2
    """

    criterion = "gain"
    nominal_splits = "multiway"
    rules: ClassVar[Mapping[str, Rule]] = {
        **SHARED_RULES,
        "levels": Levels("level"),
        "scope": OneOf(get_args(Scope)),
    }

    def __init__(
        self,
        *,
        levels: int | tuple[int, ...] = (0, 2),
        per_cost: bool = True,
        level_cost: LevelCost = "expected",
        scope: Scope = "node",
        max_candidates: int | None = None,
        max_cuts: int = 8,
        costs: Costs | None = None,
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
        self.levels = levels
        self.per_cost = per_cost
        self.level_cost = level_cost
        self.scope = scope
        self.max_candidates = max_candidates
        self.max_cuts = max_cuts
        self.costs = costs
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
        chooser = Horizon(
            self.levels,
            commit="level",
            per_cost=self.per_cost,
            level_cost=self.level_cost,
            scope=self.scope,
            max_cuts=self.max_cuts,
            max_candidates=self.max_candidates,
            costs=self.costs,
        )
        return grow(
            table,
            chooser,
            threshold=self.threshold,
            missing=self.missing,
            max_depth=self.max_depth,
            min_leaf=self._min_leaf(table),
        )
