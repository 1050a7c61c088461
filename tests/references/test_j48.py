"""Every tree that J48 printed is learned again, line by line."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niwaki.splits import Split, SplitKind
from niwaki.table import MISSING, Table
from niwaki.tree import Tree

from .arff import read_arff
from .j48_text import PrintedNode, read_printed
from .learning import ENGINES, confusion, learn

REPOSITORY = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("NIWAKI_REFERENCE", REPOSITORY.parent / "shared" / "reference"))
FOLDER = REFERENCE / "j48"
PRINTED = sorted(path.name for path in FOLDER.glob("*.txt"))
HALF_A_HUNDREDTH = 0.005 + 1e-9

Rows = NDArray[np.bool_]

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not PRINTED, reason="no J48 trees; set NIWAKI_REFERENCE"),
]


@cache
def training_table(name: str) -> Table:
    """Read the table of a data set."""
    return read_arff(FOLDER / "data" / f"{name}.arff")


@cache
def learned(file: str, engine: str) -> tuple[Table, Tree]:
    """Return the table that a printed tree was learned from, and the tree learned from it now."""
    name, variant = file.removesuffix(".txt").removesuffix(".weka397").rsplit(".", 1)
    table = training_table(name)
    return table, learn(table, variant, engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("file", PRINTED or ["no folder"])
def test_tree(file: str, engine: str) -> None:
    """Questions, leaf classes, weights and errors are those that were printed."""
    printed = read_printed((FOLDER / file).read_text("utf-8"))
    table, tree = learned(file, engine)
    compare(printed.root, tree, 0, table, np.ones(table.n_rows, dtype=bool))
    assert printed.n_leaves in (None, tree.n_leaves)
    assert printed.n_nodes in (None, tree.n_nodes)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("file", PRINTED or ["no folder"])
def test_confusion_matrix(file: str, engine: str) -> None:
    """The tree gives every training row the class that was printed, as far as it was counted."""
    printed = read_printed((FOLDER / file).read_text("utf-8"))
    table, tree = learned(file, engine)
    assert confusion(tree, table, engine) == printed.confusion


def compare(printed: PrintedNode, tree: Tree, node: int, table: Table, reached: Rows) -> None:
    """Compare a node and everything below it; `reached` marks the training rows it gets."""
    split = tree.split(node)
    if split is None:
        assert not printed.branches, f"node {node} does not ask about {printed.attribute}"
        compare_leaf(printed, tree, node)
        return
    assert printed.attribute == split.attribute.name, f"node {node}"
    signs_and_values = [(sign, value) for sign, value, _ in printed.branches]
    below = rows_below(split, table, reached)
    if split.kind == SplitKind.THRESHOLD:
        value = signs_and_values[0][1]
        assert signs_and_values == [("<=", value), (">", value)]
        as_printed = Split(split.attribute, split.kind, threshold=float(value))
        expected = rows_below(as_printed, table, reached)
        assert np.array_equal(below, expected), f"node {node} does not cut at {value}"
    elif split.kind == SplitKind.VALUE:
        assert signs_and_values == [("=", split.value), ("!=", split.value)]
    else:
        assert signs_and_values == [("=", value) for value in split.attribute.values]
    for (_, _, child), number, rows in zip(
        printed.branches, tree.children(node).tolist(), below, strict=True
    ):
        compare(child, tree, number, table, rows)


def compare_leaf(printed: PrintedNode, tree: Tree, node: int) -> None:
    """Compare a leaf's class, weight and errors, as far as they are printed."""
    counts, label = tree.nodes.counts[node], int(tree.nodes.label[node])
    if printed.label is None:
        assert counts.sum() == 0, f"leaf {node} has rows"
        return
    assert printed.label == tree.schema.classes[label], f"leaf {node}"
    if printed.weight is not None and printed.errors is not None:
        errors = counts.sum() - counts[label]
        assert abs(counts.sum() - printed.weight) <= HALF_A_HUNDREDTH, f"weight of leaf {node}"
        assert abs(errors - printed.errors) <= HALF_A_HUNDREDTH, f"errors of leaf {node}"


def rows_below(split: Split, table: Table, reached: Rows) -> list[Rows]:
    """Mark the rows that go down each branch; those with a missing value go down all."""
    attribute = split.attribute
    column = table.columns[table.schema.index_of(attribute.name)].tolist()
    branches: list[int | None] = []
    for value in column:
        if value == MISSING if attribute.is_nominal else np.isnan(value):
            branches.append(None)
        else:
            branches.append(
                split.branch(attribute.values[value] if attribute.is_nominal else value)
            )
    return [
        reached & np.array([taken in (None, branch) for taken in branches])
        for branch in range(split.n_branches)
    ]
