"""Cost-complexity pruning against scikit-learn's, and what must hold of any tree."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from niwaki import (
    Attribute,
    Schema,
    Table,
    Tree,
    cost_complexity_path,
    grow,
    prune_complexity,
    prune_to_leaves,
)
from niwaki.tree import Nodes

DATA = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def noisy(seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw rows of four numbers with three classes, a third of them at random."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(150, 4))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
    return X, np.where(random.random(150) < 0.3, random.integers(0, 3, 150), y)


def drawn(name: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return rows and classes of a data set."""
    if name.startswith("noisy"):
        return noisy(int(name.removeprefix("noisy ")))
    return DATA[name](return_X_y=True)


def tree_of(model: DecisionTreeClassifier) -> Tree:
    """Turn scikit-learn's tree, whose nodes are in pre-order too, into one of ours."""
    tree = model.tree_
    inner = tree.children_left >= 0
    children = np.column_stack([tree.children_left, tree.children_right])[inner]
    weight = tree.weighted_n_node_samples
    counts = tree.value[:, 0, :] * weight[:, None]
    nodes = Nodes(
        kind=np.where(inner, 3, 0),
        attribute=np.where(inner, tree.feature, -1),
        threshold=np.where(inner, tree.threshold, np.nan),
        value=np.full(inner.size, -1),
        subset_start=np.zeros(inner.size + 1),
        subset_values=np.zeros(0),
        child_start=np.concatenate([[0], np.cumsum(np.where(inner, 2, 0))]),
        children=children.ravel(),
        share=(weight[children] / weight[inner][:, None]).ravel(),
        missing_branch=np.where(inner, 0, -1),
        label=counts.argmax(axis=1),
        counts=counts,
    )
    attributes = tuple(Attribute(f"x{at}", "numeric") for at in range(model.n_features_in_))
    return Tree(Schema(attributes, tuple(model.classes_.tolist())), nodes)


def leaves_at(path_alphas: NDArray[np.float64], values: NDArray, at: NDArray) -> NDArray:
    """Read a path as a function of the price, which ties in the order of steps do not change."""
    return values[np.searchsorted(path_alphas, at, side="right") - 1]


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("name", [*DATA, *(f"noisy {seed}" for seed in range(8))])
def test_the_path_is_that_of_scikit_learn(name: str, criterion: str) -> None:
    """From the same tree the same weakest links fall at the same prices."""
    X, y = drawn(name)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    truth = model.cost_complexity_pruning_path(X, y)
    tree = tree_of(model)
    path = cost_complexity_path(tree, criterion)
    steps = np.unique(np.concatenate([truth.ccp_alphas, path.ccp_alphas]).round(9))
    between = np.concatenate([(steps[1:] + steps[:-1]) / 2, [steps[-1] + 1]])
    assert np.allclose(
        leaves_at(path.ccp_alphas, path.impurities, between),
        leaves_at(truth.ccp_alphas, truth.impurities, between),
        atol=1e-9,
    )
    for alpha in between[:: max(1, between.size // 6)]:
        pruned = prune_complexity(tree, alpha, criterion)
        expected = DecisionTreeClassifier(criterion=criterion, random_state=0, ccp_alpha=alpha)
        assert pruned == tree_of(expected.fit(X, y))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("impurity", ["entropy", "gini"])
def test_the_path_says_what_pruning_does(seed: int, impurity: str) -> None:
    """Every price of the path gives a tree with the leaves and impurity that the path names."""
    X, y = noisy(seed)
    tree = grow(Table.from_frame(X.round(1), y, categorical_features=[seed % 4]))
    path = cost_complexity_path(tree, impurity)
    assert len(path.collapsed) + 1 == path.ccp_alphas.size == path.n_leaves.size
    assert (np.diff(path.ccp_alphas) >= 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.impurities) >= -1e-12).all()
    assert path.n_leaves[0] == tree.n_leaves
    assert path.n_leaves[-1] == 1
    assert path.collapsed[-1] == 0
    for step in range(1, path.ccp_alphas.size):
        if step + 1 == path.ccp_alphas.size or path.ccp_alphas[step] < path.ccp_alphas[step + 1]:
            pruned = prune_complexity(tree, path.ccp_alphas[step], impurity)
            assert pruned.n_leaves == path.n_leaves[step]
            final = cost_complexity_path(pruned, impurity)
            assert final.impurities[0] == pytest.approx(path.impurities[step])


@pytest.mark.parametrize("seed", range(5))
def test_a_higher_price_never_gives_a_larger_tree(seed: int) -> None:
    """The trees of rising prices are nested: each is pruned from the one before."""
    X, y = noisy(seed)
    tree = grow(Table.from_frame(X, y))
    previous, sizes = tree, []
    for alpha in np.linspace(0, 0.5, 30):
        pruned = prune_complexity(tree, alpha)
        assert pruned == prune_complexity(previous, alpha)
        sizes.append(pruned.n_leaves)
        previous = pruned
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("seed", range(5))
def test_prune_to_leaves(seed: int) -> None:
    """The tree has at most as many leaves as allowed, and the most that the path offers."""
    X, y = noisy(seed)
    tree = grow(Table.from_frame(X, y))
    offered = cost_complexity_path(tree).n_leaves
    for limit in range(1, tree.n_leaves + 2):
        pruned = prune_to_leaves(tree, limit)
        assert pruned.n_leaves == offered[offered <= limit].max()
    assert prune_to_leaves(tree, tree.n_leaves) is tree


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "3"])
def test_impossible_numbers_of_leaves(limit: object) -> None:
    """A limit that is no positive whole number is refused."""
    with pytest.raises(ValueError, match="max_leaf_nodes"):
        prune_to_leaves(grow(Table.from_frame([[1], [2]], [0, 1])), limit)


@pytest.mark.parametrize("alpha", [-1.0, np.nan, np.inf, True])
def test_impossible_prices(alpha: float) -> None:
    """A price that is no number of at least 0 is refused."""
    with pytest.raises(ValueError, match="ccp_alpha"):
        prune_complexity(grow(Table.from_frame([[1], [2]], [0, 1])), alpha)


def test_parts_without_rows() -> None:
    """A subtree that holds no rows is a weakest link of strength 0."""
    table = Table.from_frame(
        [["a", "p"], ["b", "q"]], [0, 1], domains={"x0": ["a", "b", "c"], "x1": ["p", "q"]}
    )
    tree = grow(table)
    empty = next(node for node in tree.leaves() if tree.nodes.counts[node].sum() == 0)
    assert cost_complexity_path(tree.subtree(int(empty))).ccp_alphas.tolist() == [0.0]
    larger = tree.replace(int(empty), tree.replace(0, tree))
    assert prune_complexity(larger, 1.0).n_leaves == 1
