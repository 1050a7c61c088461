"""SID3 and LSID3 in plain Python."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from niwaki.reference import expected_errors, grow_greedy, grow_sampling, sample_tree
from niwaki.reference.candidates import multiway, some_values_against_the_others
from niwaki.reference.counts import Rows
from niwaki.reference.growth import read_whole_rows
from niwaki.reference.measures import information_gain
from niwaki.reference.nodes import Node
from niwaki.reference.sampling import Sampling
from niwaki.reference.settings import Settings
from niwaki.reference.stochastic import Stochastic
from niwaki.table import Table

from .tables import attributes_asked, binary_table, random_table, shuffled, truth_table

EXAMPLE_2A = binary_table(
    [
        (1, 0, 0, 1),
        (0, 1, 0, 0),
        (0, 0, 0, 0),
        (1, 1, 0, 0),
        (0, 1, 1, 1),
        (0, 0, 1, 1),
        (1, 0, 1, 1),
    ],
    ["+", "+", "-", "-", "+", "-", "+"],
)
XOR_2_OF_3 = truth_table(3, lambda x, y, _: x ^ y)
XOR_3_OF_4 = truth_table(4, lambda x, y, z, _: x ^ y ^ z)


def chooser(table: Table, samples: int, seed: int = 0, **options: Any) -> Sampling:
    """Return what chooses questions for a table."""
    training = read_whole_rows(table, "category")
    stochastic = Stochastic(training, Settings(**options), "size", seed)
    return Sampling(stochastic, samples, "all", 1.0)


def totals_at_root(table: Table, samples: int, seed: int = 0, **options: Any) -> list[float]:
    """Return what LSID3 judges the candidates at the root to be worth."""
    sampling = chooser(table, samples, seed, **options)
    return [trial.value for trial in sampling.trials(sampling.training.all_rows, None)]


def smallest_size(table: Table) -> int:
    """Return the leaves of the smallest tree with binary questions, by dynamic programming."""
    rows = list(zip(*(column.tolist() for column in table.columns), strict=True))
    classes = table.classes.tolist()

    @cache
    def size(members: frozenset[int]) -> int:
        if len({classes[row] for row in members}) <= 1:
            return 1
        sizes = []
        for position in range(table.n_attributes):
            left = frozenset(row for row in members if rows[row][position] == 0)
            if 0 < len(left) < len(members):
                sizes.append(size(left) + size(members - left))
        return min(sizes, default=1)

    return size(frozenset(range(len(rows))))


def test_gains_of_example_2a() -> None:
    """The gains at the root are those of the example, so that ID3 takes a4."""
    training = read_whole_rows(EXAMPLE_2A, "category")
    gains = [
        information_gain(multiway(training, training.all_rows, a).counts, training.arithmetic)
        for a in range(4)
    ]
    assert gains == pytest.approx([0.0202, 0.0202, 0.0202, 0.1281], abs=5e-5)
    assert attributes_asked(grow_greedy(EXAMPLE_2A))[0] == "x3"


def test_smallest_trees_of_example_2a() -> None:
    """Under a1 to a4 the smallest of many sample trees have 4, 4, 7 and 6 leaves."""
    assert totals_at_root(EXAMPLE_2A, 100) == [4, 4, 7, 6]
    assert smallest_size(EXAMPLE_2A) == 4


@pytest.mark.parametrize("seed", range(25))
def test_example_2a_needs_one_sample(seed: int) -> None:
    """LSID3(1) always finds the tree with 4 leaves."""
    assert grow_sampling(EXAMPLE_2A, samples=1, seed=seed).n_leaves == 4


def test_sizes_of_xor_2() -> None:
    """SID3 has 4 leaves in two thirds of the trees of XOR-2 with one more bit, and else 8."""
    sizes = Counter(sample_tree(XOR_2_OF_3, sample=sample)[0] for sample in range(900))
    assert set(sizes) == {4, 8}
    assert sizes[4] / 900 == pytest.approx(2 / 3, abs=0.05)


@pytest.mark.parametrize("seed", range(10))
def test_lsid3_of_xor_2(seed: int) -> None:
    """One sample shows 4, 4 and 8 leaves, in whatever order the attributes come."""
    assert totals_at_root(XOR_2_OF_3, 1, seed) == [4, 4, 8]
    irrelevant_first = truth_table(3, lambda _, x, y: x ^ y)
    assert grow_greedy(irrelevant_first).n_leaves == 8
    assert totals_at_root(irrelevant_first, 1, seed) == [8, 4, 4]
    assert grow_sampling(irrelevant_first, samples=1, seed=seed).n_leaves == 4


def test_sizes_of_xor_3() -> None:
    """SID3 has 8, 12 and 16 leaves in about a third of the trees each."""
    sizes = Counter(sample_tree(XOR_3_OF_4, sample=sample)[0] for sample in range(900))
    assert set(sizes) == {8, 12, 16}
    for size in sizes:
        assert sizes[size] / 900 == pytest.approx(1 / 3, abs=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_lsid3_of_xor_3(seed: int) -> None:
    """LSID3(1) always finds the tree with 8 leaves."""
    assert grow_sampling(XOR_3_OF_4, samples=1, seed=seed).n_leaves == 8


class Scripted(Stochastic):
    """Grows nothing, and says what it is told about the trees of every branch."""

    script = ((4, 3), (2, 6))

    def sample(self, rows: Rows, remaining: int | None, number: int) -> Node:
        """Return a leaf whose only count is the value of the tree."""
        assert remaining is None
        return Node([self.script[int(self.training.columns[0][rows[0][0]])][number]])

    def value(self, root: Node) -> float:
        """Return that value."""
        return root.counts[0]


def test_minima_are_added() -> None:
    """Samples of sizes (4, 3) and (2, 6) under two values make 3 + 2 = 5."""
    training = read_whole_rows(binary_table([(0,), (1,)], [0, 1]), "category")
    sampling = Sampling(Scripted(training, Settings(), "size", 0), 2, "all", 1.0)
    assert [trial.value for trial in sampling.trials(training.all_rows, None)] == [5]


@pytest.mark.parametrize("seed", range(30))
def test_many_samples_find_the_minimum(seed: int) -> None:
    """With many samples LSID3 reaches the smallest size of any concept over few bits."""
    random = np.random.default_rng(seed)
    n_bits = int(random.integers(2, 5))
    rows = list(product((0, 1), repeat=n_bits))
    kept = [row for row in rows if random.random() < 0.8] or rows
    table = binary_table(kept, random.integers(0, 2, len(kept)).tolist())
    sizes = (
        grow_sampling(table, samples=samples, seed=seed).n_leaves for samples in (30, 300, 3000)
    )
    assert smallest_size(table) in sizes


@pytest.mark.parametrize("seed", range(8))
def test_more_samples_contain_fewer(seed: int) -> None:
    """Twice as many samples never make a candidate look worse."""
    table = random_table(seed)
    once, twice = totals_at_root(table, 2, seed), totals_at_root(table, 4, seed)
    assert len(once) == len(twice) > 0
    assert all(few >= many for few, many in zip(once, twice, strict=True))


OPTIONS = [
    {"samples": 0},
    {"samples": 2},
    {"samples": 2, "objective": "error", "nominal_splits": "value", "numeric_cuts": "best"},
    {"samples": 1, "nominal_splits": "auto", "numeric_cuts": "all", "measure": "gini"},
    {"samples": 2, "nominal_splits": "subset", "numeric_cuts": "mc_p", "mc_fraction": 0.2},
    {"samples": 2, "max_depth": 2, "min_leaf": 2.0, "missing": "drop"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("real_weights", [False, True])
def test_order_of_rows(options: dict[str, Any], real_weights: bool) -> None:
    """The order of the rows changes nothing."""
    for seed in range(6):
        table = random_table(seed, real_weights=real_weights)
        tree = grow_sampling(table, **options)
        assert grow_sampling(shuffled(table, seed), **options) == tree


@pytest.mark.parametrize("seed", range(20))
def test_no_samples_are_id3(seed: int) -> None:
    """Without samples the tree is that of ID3."""
    table = random_table(seed)
    assert grow_sampling(table, samples=0) == grow_greedy(table)


@pytest.mark.parametrize("seed", range(10))
def test_sample_trees_fit(seed: int) -> None:
    """Sample trees are judged by their leaves, and as deep as they may be."""
    table = random_table(seed)
    size, tree = sample_tree(table, sample=seed)
    assert size == tree.n_leaves
    expected, same_tree = sample_tree(table, sample=seed, objective="error")
    assert same_tree == tree
    counts = tree.nodes.counts[tree.leaves()]
    assert expected == pytest.approx(
        sum(expected_errors(leaf.sum(), leaf.sum() - leaf.max()) for leaf in counts)
    )
    assert sample_tree(table, sample=seed, max_depth=2)[1].depth <= 2


@pytest.mark.parametrize("seed", range(10))
def test_sample_trees_are_consistent(seed: int) -> None:
    """Where no two equal rows have different classes, all leaves are pure."""
    classes = iter(np.random.default_rng(seed).integers(0, 2, 16).tolist())
    _, tree = sample_tree(truth_table(4, lambda *_: next(classes)), sample=seed)
    assert np.count_nonzero(tree.nodes.counts[tree.leaves()], axis=1).max() == 1


def test_error_objective_prefers_one_leaf_fewer() -> None:
    """Limited to one question, the one that leaves fewer expected errors is asked."""
    table = binary_table([(0, 0), (0, 1), (1, 0), (1, 1)] * 3, [0, 0, 1, 1] * 2 + [0, 1, 1, 1])
    tree = grow_sampling(table, samples=1, objective="error", max_depth=1)
    assert attributes_asked(tree) == ["x0"]


def test_numeric_xor() -> None:
    """Where no cut gains, drawn cuts find the tree with 4 leaves that ID3 does not find."""
    random = np.random.default_rng(1)
    X = random.uniform(-1, 1, (40, 2))
    table = Table.from_frame(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    greedy = grow_greedy(table).n_leaves
    for numeric_cuts in ("mc_r", "mc_p"):
        tree = grow_sampling(table, samples=10, numeric_cuts=numeric_cuts, mc_fraction=0.5)
        assert tree.n_leaves < greedy
    assert grow_sampling(table, samples=2, numeric_cuts="all").n_leaves == 4


def test_subsets() -> None:
    """All divisions of the present values are tried, so XOR of hidden bits is found."""
    values = np.array(list("ACGT"))
    rows = [[first, second] for first in values for second in values]
    classes = [(first in "GT") != (second in "GT") for first, second in rows]
    table = Table.from_frame(rows, classes)
    training = read_whole_rows(table, "category")
    questions = list(some_values_against_the_others(training, training.all_rows, 0))
    assert len(questions) == 2**3 - 1
    tree = grow_sampling(table, samples=3, nominal_splits="subset")
    assert tree.n_leaves == 4
    assert grow_sampling(table, samples=3).n_leaves == 16


def test_too_many_values_for_subsets() -> None:
    """More than 16 present values cannot be divided, and the message names the column."""
    table = Table.from_frame([[f"v{number}"] for number in range(17)], [0, 1] * 8 + [0])
    with pytest.raises(ValueError, match="'x0'"):
        grow_sampling(table, nominal_splits="subset")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": -1}, "samples"),
        ({"numeric_cuts": "some"}, "numeric_cuts"),
        ({"objective": "beauty"}, "objective"),
        ({"mc_fraction": 0.0}, "mc_fraction"),
        ({"missing": "fraction"}, "fraction"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """What cannot be done is refused by name."""
    with pytest.raises(ValueError, match=message):
        grow_sampling(EXAMPLE_2A, **options)
