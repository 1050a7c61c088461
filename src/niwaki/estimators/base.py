"""What every tree classifier shares: fitting through a table, answering through a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from niwaki.measures import MEASURES, MeasureName, impurity_of
from niwaki.parameters import Count, Number, OneOf, Rule, check_parameter
from niwaki.prune import ComplexityPath, cost_complexity_path, prune_complexity, prune_to_leaves
from niwaki.table import MISSING, Label, MissingPolicy, Table, encode_rows
from niwaki.table.frame import check_rows
from niwaki.table.table import MISSING_POLICIES
from niwaki.table.weights import finite_weights
from niwaki.training import NOMINAL_SPLITS, THRESHOLDS
from niwaki.tree import Smoothing, Tree
from niwaki.tree.tree import SMOOTHINGS

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # bases untyped
    """Base of the classifiers whose model is one tree.

    A subclass has a constructor that stores its parameters, and `_learn`, which maps a table to a
    tree. The attributes it must have as parameters are those that this class reads.
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "criterion": OneOf(tuple(MEASURES)),
        "nominal_splits": OneOf(tuple(NOMINAL_SPLITS)),
        "threshold": OneOf(tuple(THRESHOLDS)),
        "missing": OneOf(MISSING_POLICIES),
        "max_depth": Count(0),
        "max_leaf_nodes": Count(1),
        "min_samples_leaf": Number(0, optional=True),
        "min_weight_fraction_leaf": Number(0, 0.5),
        "ccp_alpha": Number(0),
        "smoothing": OneOf(SMOOTHINGS),
    }
    """What each parameter may be; checked when a tree is learned, not when it is set."""

    criterion: MeasureName
    missing: MissingPolicy
    max_leaf_nodes: int | None
    min_samples_leaf: float | None
    min_weight_fraction_leaf: float
    ccp_alpha: float
    class_weight: Any
    categorical_features: Any
    smoothing: Smoothing

    tree_: Tree
    classes_: NDArray[Any]
    n_classes_: int
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def _learn(self, table: Table) -> Tree:
        raise NotImplementedError(f"{type(self).__name__} must say how it learns")

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> TreeClassifier:
        """Learn a tree.

        Parameters
        ----------
        X : array-like, data frame or Table
            The training rows; a Table brings its classes and weights.
        y : array-like of shape (n_rows,)
            Class labels; left out only where X is a Table.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows, at least 0; a row of weight 0 counts as left out.

        Returns
        -------
        TreeClassifier
            The fitted estimator itself.
        """
        table = self._table(X, y, sample_weight)
        tree = self._limited(self._learn(table))
        if isinstance(X, Table):
            self.n_features_in_ = X.n_attributes
            names = [attribute.name for attribute in X.schema.attributes]
            self.feature_names_in_ = np.array(names, dtype=object)
        else:
            validate_data(self, X, skip_check_array=True)
        self.tree_ = tree
        self.classes_ = _label_array(table.schema.classes, y)
        self.n_classes_ = int(self.classes_.size)
        return self

    def _table(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Table:
        """Check the parameters and return the training table."""
        for name, rule in self.rules.items():
            check_parameter(name, getattr(self, name), rule)
        if isinstance(X, Table):
            if y is not None or sample_weight is not None:
                raise ValueError("a Table has its classes and weights; pass neither beside it")
            if X.n_rows == 0:
                raise ValueError("the Table has no rows; at least one is needed to learn from")
            return self._weighted(X)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, "
                "but the target y is None."
            )
        table = Table.from_frame(
            X,
            y,
            weights=sample_weight,
            categorical_features=self.categorical_features,
        )
        return self._weighted(table)

    def _weighted(self, table: Table) -> Table:
        if self.class_weight is None:
            return table
        choice = self.class_weight
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        if isinstance(choice, str) and choice == "balanced":
            order = np.argsort(weights)  # so that no sum depends on the order of the rows
            per_class = np.bincount(table.classes[order], weights[order], table.schema.n_classes)
            fair = per_class.sum() / np.count_nonzero(per_class)
            return table.reweighted(weights * fair / per_class[table.classes])
        if not isinstance(choice, Mapping):
            raise ValueError(f"class_weight must be None, 'balanced' or a dict, not {choice!r}")
        code = {label: position for position, label in enumerate(table.schema.classes)}
        unknown = [label for label in choice if label not in code]
        if unknown:
            raise ValueError(
                f"class_weight names the class {unknown[0]!r}; "
                f"the classes are {list(table.schema.classes)}"
            )
        factors = np.ones(table.schema.n_classes)
        for label, factor in choice.items():
            factors[code[label]] = finite_weights(factor, "class_weight")
        weights = weights * factors[table.classes]
        kept = np.flatnonzero(weights > 0)
        if kept.size == 0:
            raise ValueError("class_weight leaves no row: every class that occurs has weight 0")
        return table.take(kept).reweighted(weights[kept])

    def _min_leaf(self, table: Table) -> float | None:
        """Return the weight that a branch must reach, None for the learner's own default."""
        if self.min_weight_fraction_leaf == 0:
            return self.min_samples_leaf
        return max(self.min_samples_leaf or 0, self.min_weight_fraction_leaf * table.total_weight)

    def _kept_rows(self, table: Table) -> Table:
        """Return the rows that the tree was grown from."""
        return table.under("drop") if self.missing == "drop" else table

    def _limited(self, tree: Tree) -> Tree:
        impurity = impurity_of(self.criterion)
        if self.ccp_alpha != 0:
            tree = prune_complexity(tree, self.ccp_alpha, impurity)
        if self.max_leaf_nodes is not None:
            tree = prune_to_leaves(tree, self.max_leaf_nodes, impurity)
        return tree

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        if isinstance(X, Table):
            return X
        X = check_rows(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        if self.missing == "error":
            columns = encode_rows(X, self.tree_.schema)
            for values, attribute in zip(columns, self.tree_.schema.attributes, strict=True):
                if (values == MISSING if values.dtype == np.int32 else np.isnan(values)).any():
                    raise ValueError(
                        f"column {attribute.name!r} has missing values (NaN); fill them, or learn "
                        "with missing='category'"
                    )
        return X

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row.

        Parameters
        ----------
        X : array-like, data frame or Table
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            Class labels.
        """
        X = self._checked(X)
        return np.asarray(self.classes_[self.tree_.predict_codes(X)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class distribution of each row.

        Parameters
        ----------
        X : array-like, data frame or Table
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Probabilities, in the order of `classes_`.
        """
        X = self._checked(X)
        return self.tree_.predict_proba(X, self.smoothing)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node where each row stops."""
        X = self._checked(X)
        return self.tree_.apply(X)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row reaches, as a sparse indicator matrix."""
        X = self._checked(X)
        return self.tree_.decision_path(X)

    def get_depth(self) -> int:
        """Return the largest number of questions on a path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves, empty ones included."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each attribute in the impurity that the tree removes."""
        check_is_fitted(self)
        return self.tree_.impurity_decrease(impurity_of(self.criterion))

    def cost_complexity_pruning_path(
        self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> ComplexityPath:
        """Learn a tree without its limits and return its weakest links, weakest first.

        Parameters
        ----------
        X : array-like, data frame or Table
            The training rows.
        y : array-like of shape (n_rows,)
            Class labels.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        ComplexityPath
            `ccp_alphas` and `impurities` as in scikit-learn, and the collapsed nodes.
        """
        table = self._table(X, y, sample_weight)
        return cost_complexity_path(self._learn(table), impurity_of(self.criterion))

    def __sklearn_tags__(self) -> Tags:
        """Say what input the classifier takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _label_array(labels: tuple[Label, ...], y: Any) -> NDArray[Any]:
    """Return the labels as an array, of the given labels' own type where it has one."""
    dtype = getattr(y, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "biufO":
        dtype = None
    same = len({type(label) for label in labels}) == 1
    array = np.array(labels, dtype=dtype if same else None)
    if array.ndim == 1 and array.tolist() == list(labels) and (same or array.dtype.kind == "O"):
        return array
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array
