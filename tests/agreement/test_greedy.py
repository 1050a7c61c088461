"""The native core grows, prunes and predicts exactly as the plain-Python reference does."""

import numpy as np
import pytest

from niwaki import Greedy, Table, Tree, grow, prune_errors, reference
from niwaki.growth import new_growth
from niwaki.table import encode_rows
from niwaki.training import training_for
from niwaki.tree.nodes import NODE_TYPES

from .random_tables import random_options, random_table

TABLES_PER_TEST = 50
CHOOSER = ("measure", "rules", "mdl_correction", "collapse")


def grow_natively(table: Table, options: dict) -> Tree:
    """Grow with the core, from the reference's keywords."""
    chooser = Greedy(**{name: options[name] for name in CHOOSER})
    rest = {name: value for name, value in options.items() if name not in CHOOSER}
    return grow(table, chooser, **rest)


@pytest.mark.parametrize("block", range(50))
def test_growth_agrees(block: int) -> None:
    """Any table, any options: the same tree."""
    for seed in range(block * TABLES_PER_TEST, (block + 1) * TABLES_PER_TEST):
        table, options = random_table(seed), random_options(seed)
        native = grow_natively(table, options)
        truth = reference.grow_greedy(table, **options)
        assert native == truth, f"seed {seed}: {options}\n{native.to_text()}\n\n{truth.to_text()}"
        for name, array in zip(NODE_TYPES, native.nodes.arrays(), strict=True):
            assert np.array_equal(array, getattr(truth.nodes, name), equal_nan=True), name


@pytest.mark.parametrize("block", range(12))
@pytest.mark.parametrize("bound", ["j48", "r8", "binomial"])
def test_pruning_agrees(block: int, bound: str) -> None:
    """Any grown tree is pruned to the same tree, with and without raising."""
    for seed in range(10_000 + block * 20, 10_000 + (block + 1) * 20):
        table, options = random_table(seed), random_options(seed)
        options["collapse"] = False
        tree = reference.grow_greedy(table, **options)
        for raised in (True, False):
            confidence = [0.25, 0.05, 0.6][seed % 3]
            settings = {"confidence": confidence, "error_bound": bound, "raise_subtrees": raised}
            native = prune_errors(tree, table, **settings)
            truth = reference.prune_errors(tree, table, **settings)
            assert native == truth, f"seed {seed}: {settings}"


@pytest.mark.parametrize("block", range(4))
def test_prediction_agrees(block: int) -> None:
    """Rows with missing and unseen values stop at the same nodes, in the same shares."""
    for seed in range(20_000 + block * 25, 20_000 + (block + 1) * 25):
        table, options = random_table(seed), random_options(seed)
        tree = grow_natively(table, options)
        random = np.random.default_rng(seed)
        X = np.empty((30, table.n_attributes), dtype=object)
        for position, attribute in enumerate(tree.schema.attributes):
            if attribute.is_nominal:
                X[:, position] = random.choice(np.array(["a", "b", "c", "z", None]), 30)
            else:
                X[:, position] = random.normal(2, 3, 30)
                X[::4, position] = np.nan
        columns = encode_rows(X, tree.schema)
        probabilities = tree.node_probabilities()
        stopped, answers = tree.apply(X), tree.predict_proba(X)
        for row in range(30):
            assert stopped[row] == reference.apply_row(tree, columns, row)
            expected = reference.stops_of_row(tree, columns, row)
            mean = sum(share * probabilities[node] for node, share in expected)
            assert np.allclose(answers[row], mean, atol=1e-12)


def test_states_resume_where_they_stopped() -> None:
    """Cut into small slices, saved and restored each time, a growth ends in the same tree."""
    for seed in range(30_000, 30_060):
        table, options = random_table(seed), random_options(seed)
        whole = grow_natively(table, options)
        chooser = Greedy(**{name: options[name] for name in CHOOSER})
        rest = {name: value for name, value in options.items() if name not in CHOOSER}
        training = training_for(table.under(options["missing"]), chooser, **rest)
        growth = new_growth(training)
        pieces = (
            table.n_attributes + 2
        )  # enough to finish a node, which is begun anew when restored
        while not any(growth.advance(0.0) for _ in range(pieces)):
            state = growth.state()
            growth.close()
            growth = new_growth(training, state)
        assert Tree(whole.schema, type(whole.nodes)(*growth.tree()), whole.fractional) == whole
