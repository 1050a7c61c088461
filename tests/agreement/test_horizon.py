"""Exhaustive lookahead in the core plans exactly as the plain-Python reference does."""

from typing import Any

import numpy as np
import pytest

from niwaki import Costs, Horizon, Schema, Table, Tree, grow, reference
from niwaki.growth import new_growth
from niwaki.training import training_for
from niwaki.tree import Nodes
from niwaki.tree.nodes import NODE_TYPES

from .random_tables import random_table

TABLES_PER_TEST = 60
LIMITS = ("threshold", "missing", "max_depth", "min_leaf")


def prices_for(table: Table, random: np.random.Generator) -> Costs | None:
    """Draw prices: none, small whole ones with many ties, any, or some of them 0."""
    n = table.n_attributes
    drawn = [
        None,
        random.integers(1, 4, n).astype(float),
        random.uniform(1, 10, n),
        random.choice([0.0, 1.0, 2.5], n),
    ][random.choice([0, 0, 1, 2, 3])]
    names = [attribute.name for attribute in table.schema.attributes]
    return None if drawn is None else Costs(tests=dict(zip(names, drawn.tolist(), strict=True)))


def random_options(seed: int, table: Table) -> dict[str, Any]:
    """Draw options of exhaustive lookahead; only small tables are searched three levels deep."""
    random = np.random.default_rng([seed, 2])
    first = [1, 2, 2, (1, 2), (2, 1)]
    level = [1, 2, (0, 2), (1, 3)]
    if table.n_rows <= 25 and table.n_attributes <= 4:
        first += [3, (1, 3)]
        level += [3, (1, 2, 4)]
    commit = str(random.choice(["first", "first", "level"]))
    choices = first if commit == "first" else level
    return {
        "commit": commit,
        "lookahead": choices[random.integers(len(choices))],
        "per_cost": bool(random.random() < 0.7),
        "level_cost": str(random.choice(["expected", "expected", "nodes", "distinct_tests"])),
        "scope": str(random.choice(["node", "node", "level"])),
        "max_cuts": int(random.choice([1, 2, 3, 8])),
        "max_candidates": [None, None, 1, 2, 3][random.integers(5)],
        "costs": prices_for(table, random),
        "threshold": str(random.choice(["midpoint", "value", "training"])),
        "missing": str(random.choice(["category", "category", "drop"])),
        "max_depth": [None, None, None, 0, 1, 3][random.integers(6)],
        "min_leaf": [None, None, 1.0, 3.0][random.integers(4)],
    }


def tied_table(seed: int) -> Table:
    """Draw a table of bits, in which many plans are worth the same."""
    random = np.random.default_rng([seed, 3])
    n_rows, n_bits = int(random.integers(6, 24)), int(random.integers(3, 6))
    X = random.integers(0, 2, (n_rows, n_bits))
    y = X[:, 0] ^ X[:, 1] ^ (random.random(n_rows) < 0.1)
    weights = [None, random.choice([0.3, 0.5, 1.0, 2.5], n_rows)][seed % 2]
    return Table.from_frame(X.astype(str).astype(object), y, weights=weights)


def chooser_and_limits(options: dict[str, Any]) -> tuple[Horizon, dict[str, Any]]:
    """Separate what the chooser is told from what growth is told."""
    told = {name: value for name, value in options.items() if name not in LIMITS}
    return Horizon(**told), {name: options[name] for name in LIMITS}


def drawn(seed: int) -> tuple[Table, dict[str, Any]] | None:
    """Draw a table and options; nothing where every row would be dropped."""
    table = tied_table(seed) if seed % 3 == 0 else random_table(seed)
    options = random_options(seed, table)
    try:
        table.under(options["missing"])
    except ValueError:
        return None
    return table, options


@pytest.mark.parametrize("block", range(15))
def test_plans_agree(block: int) -> None:
    """Any table, any options: the same tree, number by number."""
    for seed in range(block * TABLES_PER_TEST, (block + 1) * TABLES_PER_TEST):
        case = drawn(seed)
        if case is None:
            continue
        table, options = case
        chooser, limits = chooser_and_limits(options)
        native = grow(table, chooser, **limits)
        truth = reference.grow_horizon(table, **options)
        assert native == truth, f"seed {seed}: {options}\n{native.to_text()}\n\n{truth.to_text()}"
        for name, array in zip(NODE_TYPES, native.nodes.arrays(), strict=True):
            assert np.array_equal(array, getattr(truth.nodes, name), equal_nan=True), name


def finished(growth: Any, schema: Schema) -> Tree:
    """Return the tree of a finished growth."""
    return Tree(schema, Nodes(*growth.tree()))


def test_slices_change_nothing() -> None:
    """Suspended after every piece of work, a search ends in the same tree."""
    for seed in range(50_000, 50_090):
        case = drawn(seed)
        if case is None:
            continue
        table, options = case
        chooser, limits = chooser_and_limits(options)
        whole = grow(table, chooser, **limits)
        growth = new_growth(training_for(table.under(limits["missing"]), chooser, **limits))
        while not growth.advance(0.0):
            pass
        assert finished(growth, whole.schema) == whole


def test_states_resume_where_they_stopped() -> None:
    """Saved and restored between nodes, a growth ends in the same tree."""
    for seed in range(60_000, 60_060):
        case = drawn(seed)
        if case is None:
            continue
        table, options = case
        chooser, limits = chooser_and_limits(options)
        whole = grow(table, chooser, **limits)
        training = training_for(table.under(limits["missing"]), chooser, **limits)
        growth = new_growth(training)
        pieces = 1  # a search is begun anew when restored, so let it end some time
        while not any(growth.advance(0.0) for _ in range(pieces)):
            state = growth.state()
            growth.close()
            growth = new_growth(training, state)
            pieces *= 2
        assert finished(growth, whole.schema) == whole


def test_hurried_growth_ends_greedily() -> None:
    """What is left when a growth is hurried is chosen without lookahead."""
    table = tied_table(4)
    growth = new_growth(training_for(table, Horizon(3)))
    growth.hurry()
    growth.advance(1000.0)
    assert finished(growth, table.schema) == grow(table, Horizon(1))
