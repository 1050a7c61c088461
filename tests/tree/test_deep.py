"""Trees as deep as they have rows: no recursion, and nothing that grows with depth squared."""

import time
from collections.abc import Iterator

import numpy as np
import pytest

from niwaki import (
    Costs,
    Table,
    Tree,
    cost_complexity_path,
    prune_complexity,
    prune_errors,
    prune_to_leaves,
)

from .making import chain

CUTS = 25_000
CPU_SECONDS = 20.0


@pytest.fixture(scope="module")
def deep() -> Tree:
    """Return a chain of 50,001 nodes."""
    return chain(CUTS)


@pytest.fixture(autouse=True)
def _within_reason() -> Iterator[None]:
    """Bound each test's time."""
    began = time.process_time()
    yield
    assert time.process_time() - began < CPU_SECONDS


def test_answers(deep: Tree) -> None:
    """Rows reach the far end; paths and charges are those of the whole way."""
    rows = np.array([[0.0], [CUTS / 2], [float(CUTS)]])
    assert deep.apply(rows).tolist() == [1, CUTS + 1, 2 * CUTS]
    assert deep.predict(rows) == [0, 0, 0]
    assert deep.decision_path(rows).sum(axis=1).ravel().tolist() == [[2, CUTS // 2 + 2, CUTS + 1]]
    assert deep.cost(rows, costs=Costs(tests={"x0": 3})).tolist() == [3, 3, 3]


def test_text(deep: Tree) -> None:
    """The text has a line per branch and stays readable."""
    lines = deep.to_text().splitlines()
    assert len(lines) == deep.n_nodes - 1
    assert lines[-1].endswith(f"[{CUTS - 1}] x0 > {CUTS - 0.5}: 0 (1.0)")
    assert max(map(len, lines)) < 500


def test_json(deep: Tree) -> None:
    """The tree goes round through JSON."""
    assert Tree.from_json(deep.to_json()) == deep


def test_surgery(deep: Tree) -> None:
    """Subtrees are cut out and put back at any depth."""
    for node in (0, 2, CUTS, 2 * CUTS - 2, 2 * CUTS):
        assert deep.replace(node, deep.subtree(node)).n_nodes == deep.n_nodes
        assert deep.as_leaf(node).n_nodes == node + 1
    assert sum(1 for _ in deep.walk()) == deep.n_nodes


def test_cost_complexity(deep: Tree) -> None:
    """The weakest links are found, and leaves made of them."""
    path = cost_complexity_path(deep)
    assert path.n_leaves[0] == CUTS + 1
    assert path.n_leaves[-1] == 1
    assert prune_complexity(deep, 1.0).n_nodes == 1
    assert prune_to_leaves(deep, 10).n_leaves <= 10


@pytest.mark.parametrize("raised", [True, False])
def test_error_based_pruning(deep: Tree, raised: bool) -> None:
    """Questions that no row justifies go, however deep they are."""
    rows = np.linspace(0, CUTS, 100).round()[:, None]
    table = Table.from_frame(rows, rows[:, 0].astype(int) % 2, classes=[0, 1])
    assert prune_errors(deep, table, raise_subtrees=raised).n_nodes < 200
