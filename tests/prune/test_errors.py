"""Error-based pruning: what must hold of any tree and any rows."""

import numpy as np
import pytest

from niwaki import Greedy, Table, Tree, grow, prune_errors


def noisy_table(seed: int) -> Table:
    """Draw rows of two nominal and two numeric columns, some cells missing, classes noisy."""
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(2, 120))
    X = np.empty((n_rows, 4), dtype=object)
    X[:, 0] = random.choice(np.array(["a", "b", "c"], dtype=object), n_rows)
    X[:, 1] = random.choice(np.array(["p", "q"], dtype=object), n_rows)
    X[:, 2:] = random.normal(size=(n_rows, 2)).round(1)
    y = np.where(random.random(n_rows) < 0.6, X[:, 0] == "a", random.random(n_rows) < 0.5)
    X[random.random((n_rows, 4)) < 0.05 * (seed % 3)] = None
    weights = [None, random.integers(1, 4, n_rows), random.random(n_rows) + 0.1][seed % 3]
    return Table.from_frame(
        X, y.astype(int), weights=weights, domains={"x0": list("abc"), "x1": list("pq")}
    )


def grown(table: Table, missing: str) -> Tree:
    """Grow an unpruned tree."""
    return grow(table, Greedy("gain", rules="c45", collapse=False), missing=missing, min_leaf=1)


@pytest.mark.parametrize("missing", ["category", "fraction"])
@pytest.mark.parametrize("raised", [True, False])
@pytest.mark.parametrize("seed", range(15))
def test_pruning_never_enlarges(seed: int, raised: bool, missing: str) -> None:
    """A pruned tree has no more nodes, leaves or levels, and all of the rows' weight."""
    table = noisy_table(seed).under(missing)
    tree = grown(table, missing)
    sizes = []
    for confidence in (0.75, 0.25, 0.01):
        pruned = prune_errors(tree, table, confidence=confidence, raise_subtrees=raised)
        assert pruned.n_nodes <= tree.n_nodes
        assert pruned.n_leaves <= tree.n_leaves
        assert pruned.depth <= tree.depth
        assert pruned.nodes.counts[0].sum() == pytest.approx(table.total_weight)
        assert pruned.fractional == tree.fractional
        sizes.append(pruned.n_nodes)
    assert tree == grown(table, missing)


@pytest.mark.parametrize("seed", range(10))
def test_counts_are_those_of_the_rows(seed: int) -> None:
    """After pruning by other rows every node holds what those rows bring there."""
    tree = grown(noisy_table(seed).under("category"), "category")
    fresh = noisy_table(seed + 3 * 100)
    pruned = prune_errors(tree, fresh, confidence=0.5)
    reached = pruned.decision_path(fresh).toarray()
    weights = np.ones(fresh.n_rows) if fresh.weights is None else fresh.weights
    for label in range(2):
        here = (reached * (weights * (fresh.classes == label))[:, None]).sum(axis=0)
        assert np.allclose(pruned.nodes.counts[:, label], here)


def test_pure_leaves_stay() -> None:
    """A tree that is right for good reasons is left as it is."""
    X = np.repeat([["a"], ["b"]], 50, axis=0)
    table = Table.from_frame(X, np.repeat([0, 1], 50))
    assert prune_errors(grow(table), table) == grow(table)


@pytest.mark.parametrize("confidence", [0.0, -0.1, float("nan"), 2])
def test_impossible_confidence(confidence: float) -> None:
    """A confidence that is no probability above 0 is refused."""
    table = Table.from_frame([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="confidence"):
        prune_errors(grow(table), table, confidence=confidence)
