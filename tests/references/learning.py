"""One function that learns a tree as a named variant of J48 does, with any engine."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import niwaki
from niwaki.reference import grow_greedy, predict_row, prune_errors
from niwaki.table import Table, encode_rows
from niwaki.tree import Tree

Options = dict[str, Any]


@dataclass(frozen=True)
class Engine:
    """An implementation: how it grows (with options of the chooser), prunes and predicts codes."""

    grow: Callable[[Table, Options, Options], Tree]
    prune: Callable[..., Tree]
    predict: Callable[[Tree, Table], list[int]]


@dataclass(frozen=True)
class Variant:
    """Options of the chooser, of growth, and of pruning; None: unpruned."""

    chooser: Options
    growth: Options
    pruning: Options | None = field(default_factory=dict)


def grow_by_reference(table: Table, chooser: Options, growth: Options) -> Tree:
    """Grow a tree."""
    return grow_greedy(table, **chooser, **growth)


def predict_by_reference(tree: Tree, table: Table) -> list[int]:
    """Return the class code of every row of a table."""
    columns = encode_rows(table, tree.schema)
    return [predict_row(tree, columns, row) for row in range(table.n_rows)]


def grow_natively(table: Table, chooser: Options, growth: Options) -> Tree:
    """Grow a tree with the native core."""
    return niwaki.grow(table, niwaki.Greedy(**chooser), **growth)


ENGINES = {
    "reference": Engine(grow_by_reference, prune_errors, predict_by_reference),
    "native": Engine(
        grow_natively, niwaki.prune_errors, lambda tree, table: tree.predict_codes(table).tolist()
    ),
}

CHOOSER: Options = {"measure": "gain_ratio", "rules": "c45"}
PLAIN: Options = {**CHOOSER, "collapse": False, "mdl_correction": False}
GROWTH: Options = {"threshold": "training", "missing": "fraction"}

VARIANTS = {
    "default": Variant(CHOOSER, GROWTH),
    "unpruned": Variant(CHOOSER, GROWTH, None),
    "noraise": Variant(CHOOSER, GROWTH, {"raise_subtrees": False}),
    "binary": Variant(CHOOSER, {**GROWTH, "nominal_splits": "value"}),
    "U-M1": Variant(CHOOSER, {**GROWTH, "min_leaf": 1}, None),
    "C05-M5": Variant(CHOOSER, {**GROWTH, "min_leaf": 5}, {"confidence": 0.05}),
    "U-O-J-M1": Variant(PLAIN, {**GROWTH, "min_leaf": 1}, None),
    "Id3": Variant({"measure": "gain", "rules": "id3"}, {}, None),
}


def learn(table: Table, variant: str, engine: str) -> Tree:
    """Learn a tree as a named variant of J48 does."""
    options, implementation = VARIANTS[variant], ENGINES[engine]
    tree = implementation.grow(table, options.chooser, options.growth)
    if options.pruning is None:
        return tree
    return implementation.prune(tree, table, **options.pruning)


def confusion(tree: Tree, table: Table, engine: str) -> list[list[int]]:
    """Count predictions by class (rows) and predicted class (columns)."""
    n_classes = tree.schema.n_classes
    matrix = [[0] * n_classes for _ in range(n_classes)]
    predicted = ENGINES[engine].predict(tree, table)
    for actual, answer in zip(table.classes.tolist(), predicted, strict=True):
        matrix[actual][answer] += 1
    return matrix
