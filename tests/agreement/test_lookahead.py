"""The core draws samples and casts votes exactly as the plain-Python reference does."""

import numpy as np
import pytest

from niwaki import Sampling, Skewing, Stochastic, Tree, grow, reference
from niwaki.choosers import SpeedDevices
from niwaki.growth import new_growth
from niwaki.training import training_for
from niwaki.tree import Nodes

from .random_tables import random_table

MEASURES = ["gain", "gain", "gain_ratio", "gini", "km_distance"]


def sampling_options(seed: int) -> tuple[dict, dict]:
    """Draw options of a sampling chooser and of growth."""
    random = np.random.default_rng([seed, 5])
    chooser = {
        "samples": int(random.integers(0, 4)),
        "measure": str(random.choice(MEASURES)),
        "objective": str(random.choice(["size", "error"])),
        "numeric_cuts": str(random.choice(["mc_r", "mc_p", "all", "best"])),
        "count_empty_leaves": bool(random.integers(3)),
        "seed": seed,
    }
    growth = {
        "nominal_splits": str(random.choice(["multiway", "value", "auto", "subset"])),
        "threshold": str(random.choice(["midpoint", "value", "training"])),
        "max_depth": [None, None, 2, 4][random.integers(4)],
        "min_leaf": [None, None, 2.0][random.integers(3)],
    }
    return chooser, growth


@pytest.mark.parametrize("block", range(20))
def test_sampling_agrees(block: int) -> None:
    """Any table, any options: LSID3 grows the same tree."""
    for seed in range(block * 20, (block + 1) * 20):
        table = random_table(seed)
        chooser, growth = sampling_options(seed)
        native = grow(table, Sampling(drawn_fraction=0.5, **chooser), **growth)
        truth = reference.grow_sampling(table, mc_fraction=0.5, **chooser, **growth)
        assert native == truth, f"seed {seed}: {chooser} {growth}"


@pytest.mark.parametrize("block", range(10))
def test_speed_devices_change_nothing(block: int) -> None:
    """With each speed device switched off, and with all off, LSID3 grows the same tree."""
    names = ["remember_statistics", "cut_off", "known_sizes", "merge_rows", "bits"]
    switched = [{name: False} for name in names] + [dict.fromkeys(names, False)]
    for seed in range(1000 + block * 20, 1000 + (block + 1) * 20):
        table = random_table(seed)
        chooser, growth = sampling_options(seed)
        truth = grow(table, Sampling(**chooser), **growth)
        for off in switched:
            devices = SpeedDevices(**off)
            assert grow(table, Sampling(devices=devices, **chooser), **growth) == truth, off


@pytest.mark.parametrize("block", range(10))
def test_sample_trees_agree(block: int) -> None:
    """Any table, any options, any number: the same SID3 tree, also when cut into slices."""
    for seed in range(block * 20, (block + 1) * 20):
        table = random_table(seed)
        chooser, growth = sampling_options(seed)
        drawn = Stochastic(chooser["measure"], seed=seed, sample=seed % 3)
        native = grow(table, drawn, **growth)
        _, truth = reference.sample_tree(
            table, sample=seed % 3, measure=chooser["measure"], seed=seed, **growth
        )
        assert native == truth, f"seed {seed}: {growth}"
        training = training_for(table.under("category"), drawn, **growth)
        sliced = new_growth(training)
        while not any(sliced.advance(0.0) for _ in range(table.n_attributes + 2)):
            state = sliced.state()
            sliced.close()
            sliced = new_growth(training, state)
        assert Tree(native.schema, Nodes(*sliced.tree())) == native


@pytest.mark.parametrize("block", range(10))
def test_skewing_agrees(block: int) -> None:
    """Any table, any options: Skewing grows the same tree."""
    for seed in range(block * 20, (block + 1) * 20):
        table = random_table(seed)
        random = np.random.default_rng([seed, 6])
        chooser = {
            "trials": int(random.integers(0, 6)),
            "sequential": bool(random.integers(2)),
            "gain_fraction": float(random.choice([0.0, 0.05, 0.3])),
            "skew": float(random.choice([0.75, 0.6, 1.0])),
            "fallback": str(random.choice(["id3", "leaf"])),
            "seed": seed,
        }
        growth = {
            "threshold": str(random.choice(["midpoint", "value"])),
            "max_depth": [None, None, 2][random.integers(3)],
            "min_leaf": [None, None, 2.0][random.integers(3)],
        }
        native = grow(table, Skewing(**chooser), **growth)
        truth = reference.grow_skewing(table, **chooser, **growth)
        assert native == truth, f"seed {seed}: {chooser} {growth}"
