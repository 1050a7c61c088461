"""The tables that the tests of lookahead learn from."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from niwaki.table import Table
from niwaki.tree import Tree


def truth_table(n_bits: int, concept: Callable[..., Any]) -> Table:
    """Return all rows of some bits, with the value of a concept as class."""
    rows = list(product((0, 1), repeat=n_bits))
    return binary_table(rows, [int(concept(*row)) for row in rows])


def binary_table(rows: list[tuple[int, ...]], classes: list[Any], **options: Any) -> Table:
    """Return a table of nominal bits."""
    cells = [[str(bit) for bit in row] for row in rows]
    domains = {f"x{position}": ("0", "1") for position in range(len(rows[0]))}
    return Table.from_frame(cells, classes, domains=domains, **options)


def norton_table() -> Table:
    """Return Figure 1 of Norton (1989), the probabilities in percent as weights."""
    rows = [("no", "no", "no"), ("yes", "no", "yes"), ("yes", "yes", "no"), ("yes", "yes", "yes")]
    classes, weights = ["+", "-", "-", "+"], [15, 15, 35, 35]
    return Table.from_frame(
        [list(row) for row in rows], classes, weights=weights, names=["X", "Y", "Z"]
    )


def random_table(seed: int, *, real_weights: bool = False) -> Table:
    """Draw a small table of nominal and numeric columns, some values missing."""
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(6, 24))
    cells = np.empty((n_rows, 4), dtype=object)
    cells[:, 0] = random.choice(np.array(["a", "b", "c", None]), n_rows, p=[0.3, 0.3, 0.3, 0.1])
    cells[:, 1] = random.choice(np.array(["a", "b"]), n_rows)
    cells[:, 2] = random.integers(0, 5, n_rows).astype(float)
    cells[:, 3] = random.integers(0, 40, n_rows) / 4
    cells[random.random(n_rows) < 0.1, 3] = np.nan
    weights = random.choice([0.3, 1.0, 2.5], n_rows) if real_weights else None
    domains = {"x0": ("a", "b", "c"), "x1": ("a", "b")}
    classes = random.integers(0, 3, n_rows)
    return Table.from_frame(cells, classes, weights=weights, domains=domains, classes=(0, 1, 2))


def shuffled(table: Table, seed: int) -> Table:
    """Return the same rows in another order."""
    return table.take(np.random.default_rng(seed).permutation(table.n_rows))


def attributes_asked(tree: Tree) -> list[str]:
    """Return the names of the attributes that the inner nodes ask about, in pre-order."""
    return [split.attribute.name for _, _, split in tree.walk() if split is not None]


def expected_cost(tree: Tree, prices: dict[str, float]) -> float:
    """Return what it costs on average to measure what the path of a row asks about."""
    costs: dict[int, float] = {0: 0.0}
    whole = leaves = 0.0
    for node, _, split in tree.walk():
        weight = float(tree.nodes.counts[node].sum())
        for child in tree.children(node).tolist():
            assert split is not None
            costs[child] = costs[node] + prices[split.attribute.name]
        if split is None:
            whole += weight * costs[node]
            leaves += weight
    return whole / leaves
