"""ID3-k, IDX and GOTA in plain Python."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from niwaki.costs import Costs
from niwaki.reference import grow_greedy, grow_horizon
from niwaki.reference.growth import read_whole_rows
from niwaki.reference.plans import Aims, LevelCost, Planner, Spot
from niwaki.reference.settings import Settings
from niwaki.table import Table

from .tables import (
    attributes_asked,
    binary_table,
    expected_cost,
    norton_table,
    random_table,
    shuffled,
    truth_table,
)

UNIT = {"X": 1.0, "Y": 1.0, "Z": 1.0}
NORTON_ROWS = [
    {"X": "no", "Y": "no", "Z": "no", "class": "+"},
    {"X": "yes", "Y": "no", "Z": "yes", "class": "-"},
    {"X": "yes", "Y": "yes", "Z": "no", "class": "-"},
    {"X": "yes", "Y": "yes", "Z": "yes", "class": "+"},
]


@dataclass(frozen=True)
class Configuration:
    """Questions down to some depth, with what they gain and cost."""

    gain: float
    cost: float
    attributes: frozenset[int]
    order: tuple[int, ...]

    @property
    def ratio(self) -> float:
        """Gain per cost."""
        return self.gain / self.cost


Cells = list[tuple[tuple[int, ...], int, float]]


def entropy(rows: Cells) -> float:
    """Return the entropy of the class times the weight, in bits."""
    weights: dict[int, float] = {}
    for _, label, weight in rows:
        weights[label] = weights.get(label, 0.0) + weight
    whole = sum(weights.values())
    return -sum(weight * math.log2(weight / whole) for weight in weights.values())


def configurations(
    rows: Cells, depth: int, prices: list[float], measured: frozenset[int] = frozenset()
) -> Iterator[Configuration]:
    """Yield all configurations of some depth; charged by weight, an attribute once on a path."""
    options = []
    if depth > 0 and len({label for _, label, _ in rows}) > 1:
        options = [a for a in range(len(prices)) if len({cells[a] for cells, _, _ in rows}) > 1]
    if not options:
        yield Configuration(0.0, 0.0, frozenset(), ())
        return
    weight = sum(weight for _, _, weight in rows)
    for number, attribute in enumerate(options):
        parts = [[row for row in rows if row[0][attribute] == value] for value in (0, 1)]
        own_gain = entropy(rows) - entropy(parts[0]) - entropy(parts[1])
        own_cost = 0.0 if attribute in measured else weight * prices[attribute]
        below = (
            list(configurations(part, depth - 1, prices, measured | {attribute})) for part in parts
        )
        for left, right in product(*below):
            yield Configuration(
                own_gain + left.gain + right.gain,
                own_cost + left.cost + right.cost,
                left.attributes | right.attributes | {attribute},
                (number, *left.order, *right.order),
            )


def random_rows(seed: int, n_bits: int, n_rows: int) -> Cells:
    """Draw rows of bits with a class and a weight."""
    random = np.random.default_rng(seed)
    return [
        (tuple(random.integers(0, 2, n_bits).tolist()), int(random.integers(0, 2)), 1.0)
        for _ in range(n_rows)
    ]


def planner_of(table: Table, prices: list[float] | None, level_cost: LevelCost) -> Planner:
    """Return what finds the best plans for a table."""
    training = read_whole_rows(table, "category")
    return Planner(training, Settings(), Aims(True, level_cost, prices), 8, None)


def costs_of(prices: list[float]) -> Costs:
    """Return the costs of attributes x0, x1, ..."""
    return Costs(tests={f"x{position}": price for position, price in enumerate(prices)})


def table_of(rows: Cells) -> Table:
    """Return a table of rows of bits."""
    return binary_table(
        [cells for cells, _, _ in rows],
        [label for _, label, _ in rows],
        weights=[weight for _, _, weight in rows],
    )


# -- Norton's example ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lookahead", "asked", "depth"),
    [(1, ["X", "Z", "Y"], 2.35), (2, ["Y", "Z", "Z"], 2.0), (3, ["Y", "Z", "Z"], 2.0)],
)
def test_norton_trees(lookahead: int, asked: list[str], depth: float) -> None:
    """IDX(1) is tree 1 of Figure 1; IDX(2) and IDX(3) are tree 2, of two different questions."""
    tree = grow_horizon(norton_table(), lookahead=lookahead)
    assert attributes_asked(tree) == asked
    assert expected_cost(tree, UNIT) == pytest.approx(depth)


def test_norton_ratios_of_single_questions() -> None:
    """At the root X gains .1692, Z .1187 and Y nothing; below X, Z gains .4590 and Y .1539."""
    training = read_whole_rows(norton_table(), "category")
    planner = planner_of(norton_table(), None, "expected")
    root = [option.gain / 100 for option in planner.options(training.all_rows)]
    assert root == pytest.approx([0.1692, 0.0, 0.1187], abs=5e-5)
    below = planner.options(planner.options(training.all_rows)[0].parts[1])
    assert [option.gain / 85 for option in below] == pytest.approx([0.1539, 0.4590], abs=5e-5)


def test_norton_configurations() -> None:
    """There are six configurations of two levels; four have F = 1/2."""
    rows = [
        ((0, 0, 0), 0, 0.15),
        ((1, 0, 1), 1, 0.15),
        ((1, 1, 0), 1, 0.35),
        ((1, 1, 1), 0, 0.35),
    ]
    ratios = sorted(each.ratio for each in configurations(rows, 2, [1.0] * 3))
    assert ratios == pytest.approx([0.1622, 0.3024, 0.5, 0.5, 0.5, 0.5], abs=5e-5)
    x_then_z = next(each for each in configurations(rows, 2, [1.0] * 3) if each.order == (0, 1))
    assert (1 - x_then_z.gain, x_then_z.cost) == pytest.approx((0.4406, 1.85), abs=5e-5)
    planner = planner_of(norton_table(), None, "expected")
    plan = planner.best([Spot(planner.training.all_rows)], 2)
    assert plan.information / plan.charge == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("prices", "lookahead", "asked", "cost"),
    [
        ((1, 1, 5), 1, ["X", "Y", "Z"], 5.35),
        ((1, 1, 5), 2, ["Y", "X", "Z"], 4.80),
        ((1, 5, 1), 1, ["X", "Z", "Y"], 4.35),
        ((1, 5, 1), 2, ["X", "Z", "Y"], 4.35),
    ],
)
def test_norton_with_costs(
    prices: tuple[int, ...], lookahead: int, asked: list[str], cost: float
) -> None:
    """With prices for X, Y and Z, deeper lookahead is cheaper or the same."""
    tests = dict(zip("XYZ", map(float, prices), strict=True))
    tree = grow_horizon(norton_table(), lookahead=lookahead, costs=Costs(tests=tests))
    assert attributes_asked(tree) == asked
    assert expected_cost(tree, tests) == pytest.approx(cost)


def covers(rule: dict[str, str], row: dict[str, str]) -> bool:
    """Return whether a row meets all conditions of a rule."""
    return all(row[name] == value for name, value in rule.items())


def reduced_forms(rule: dict[str, str], label: str) -> list[dict[str, str]]:
    """Return the rules that are left when conditions are dropped until each one is needed."""
    shorter = [{n: v for n, v in rule.items() if n != dropped} for dropped in rule]
    right = [
        form
        for form in shorter
        if all(row["class"] == label for row in NORTON_ROWS if covers(form, row))
    ]
    if not right:
        return [rule]
    return [form for one in right for form in reduced_forms(one, label)]


def test_dropping_conditions_keeps_the_needless_question() -> None:
    """Whatever conditions of tree 1's rules are dropped, X is asked; IDX(2) does without it."""
    rules = [
        ({"X": "no"}, "+"),
        ({"X": "yes", "Z": "no"}, "-"),
        ({"X": "yes", "Z": "yes", "Y": "no"}, "-"),
        ({"X": "yes", "Z": "yes", "Y": "yes"}, "+"),
    ]
    forms = [reduced_forms(rule, label) for rule, label in rules]
    assert forms[2] == [{"Z": "yes", "Y": "no"}, {"X": "yes", "Y": "no"}]
    for rule_set in product(*forms):
        assert any("X" in rule for rule in rule_set)
    assert "X" not in attributes_asked(grow_horizon(norton_table(), lookahead=2))


def test_cost_complexity_keeps_the_needless_question() -> None:
    """Every pruned version of tree 1 asks X first, but for the one that asks nothing."""
    tree = grow_greedy(norton_table())
    pruned = [tree]
    for node, _, split in tree.walk():
        if split is not None:
            pruned.append(tree.as_leaf(node))
    asked = [attributes_asked(version) for version in pruned]
    assert [names for names in asked if not names or names[0] != "X"] == [[]]


# -- the search ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_dinkelbach_is_exhaustive(seed: int) -> None:
    """The iteration finds the largest ratio of all configurations, and of equals the best."""
    rows = random_rows(seed, n_bits=5, n_rows=16)
    prices = np.random.default_rng([seed, 1]).integers(1, 6, 5).astype(float).tolist()
    planner = planner_of(table_of(rows), prices, "expected")
    plan = planner.best([Spot(planner.training.all_rows)], 2)
    everything = list(configurations(rows, 2, prices))
    if plan.charge == 0:
        assert [each.order for each in everything] == [()]
        return
    largest = max(each.ratio for each in everything)
    assert plan.information / plan.charge == pytest.approx(largest, abs=1e-9)
    tied = [each for each in everything if each.ratio > largest - 1e-9]
    best = min(tied, key=lambda each: (len(each.attributes), each.cost, each.order))
    assert plan.order == best.order


@pytest.mark.parametrize("seed", range(20))
def test_planning_to_the_bottom_is_brute_force(seed: int) -> None:
    """With as many levels as attributes the tree is the configuration with the largest F."""
    rows = random_rows(seed, n_bits=3, n_rows=10)
    prices = np.random.default_rng([seed, 1]).integers(1, 6, 3).astype(float).tolist()
    everything = list(configurations(rows, 3, prices))
    best = max(each.gain / each.cost if each.cost else 0.0 for each in everything)
    names = {f"x{position}": price for position, price in enumerate(prices)}
    tree = grow_horizon(table_of(rows), lookahead=(3,), commit="level", costs=Costs(tests=names))
    spent = expected_cost(tree, names)
    leaves = tree.nodes.counts[tree.leaves()]
    left = sum(
        -count * math.log2(count / leaf.sum()) for leaf in leaves for count in leaf if count > 0
    )
    ratio = (entropy(rows) - left) / len(rows) / spent if spent else 0.0
    assert ratio == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_distinct_attributes_are_exhaustive(seed: int) -> None:
    """Charged for every attribute once, the best configuration is found too."""
    rows = random_rows(seed, n_bits=4, n_rows=12)
    prices = np.random.default_rng([seed, 1]).integers(1, 6, 4).astype(float).tolist()
    planner = planner_of(table_of(rows), prices, "distinct_tests")
    plan = planner.best([Spot(planner.training.all_rows)], 2)
    ratios = [
        each.gain / sum(prices[a] for a in each.attributes) if each.attributes else 0.0
        for each in configurations(rows, 2, prices)
    ]
    spent = sum(prices[a] for a in plan.attributes)
    assert (plan.information / spent if spent else 0.0) == pytest.approx(max(ratios), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_most_information(seed: int) -> None:
    """ID3-k plans for the most information, whatever it costs."""
    rows = random_rows(seed, n_bits=4, n_rows=14)
    training = read_whole_rows(table_of(rows), "category")
    planner = Planner(training, Settings(), Aims(False, "expected", None), 8, None)
    plan = planner.best([Spot(training.all_rows)], 2)
    most = max(each.gain for each in configurations(rows, 2, [1.0] * 4))
    assert plan.information == pytest.approx(most, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_one_level_is_id3(seed: int) -> None:
    """With one level and no prices, IDX and ID3-1 grow the tree of ID3, numbers included."""
    table = random_table(seed)
    tree = grow_greedy(table)
    assert grow_horizon(table, lookahead=1, per_cost=False, max_cuts=100) == tree
    assert grow_horizon(table, lookahead=1, max_cuts=100) == tree


def test_parity_needs_its_depth() -> None:
    """Lookahead as deep as a parity finds it among other bits, one level less does not."""
    table = truth_table(4, lambda _, x, y, z: x ^ y ^ z)
    assert [grow_horizon(table, lookahead=levels).n_leaves for levels in (1, 3)] == [16, 8]
    assert grow_horizon(table, lookahead=3, per_cost=False).n_leaves == 8
    assert grow_horizon(table, lookahead=(3,), commit="level").n_leaves == 8


def test_plan_with_fewer_questions_wins() -> None:
    """Of plans with the same information ID3-k takes the one with fewer expected questions."""
    table = truth_table(3, lambda _, __, z: z)
    assert attributes_asked(grow_horizon(table, lookahead=2, per_cost=False)) == ["x2"]


def test_levels_of_gota() -> None:
    """GOTA(1, 3) fixes the root first and then two levels; GOTA(0, 2) two levels at once."""
    odds = grow_horizon(norton_table(), lookahead=(1, 3), commit="level")
    evens = grow_horizon(norton_table(), lookahead=(0, 2), commit="level")
    assert attributes_asked(odds) == ["X", "Z", "Y"]
    assert attributes_asked(evens) == ["Y", "Z", "Z"]
    assert grow_horizon(norton_table(), lookahead=2, commit="level") == evens


def test_lookahead_by_depth() -> None:
    """A tuple gives the levels for every depth: (1, 2) takes X first, (2, 1) does not."""
    assert attributes_asked(grow_horizon(norton_table(), lookahead=(1, 2)))[0] == "X"
    assert attributes_asked(grow_horizon(norton_table(), lookahead=(2, 1)))[0] == "Y"


def test_scope() -> None:
    """Planned for together, all open nodes are served; with one of them nothing changes."""
    for seed in range(10):
        table = random_table(seed)
        together = grow_horizon(table, lookahead=2, scope="level", max_cuts=2)
        alone = grow_horizon(table, lookahead=2, max_cuts=2)
        assert together.split(0) == alone.split(0)
    table = truth_table(3, lambda x, y, z: x ^ (y & z))
    for scope in ("node", "level"):
        tree = grow_horizon(table, lookahead=1, scope=scope)
        assert np.count_nonzero(tree.nodes.counts[tree.leaves()], axis=1).max() == 1


def test_restrictions() -> None:
    """Candidates are restricted to the attributes and cuts that gain most, in their order."""
    table = random_table(3)
    training = read_whole_rows(table, "category")
    rows = training.all_rows

    def options(max_cuts: int, max_candidates: int | None) -> list[tuple[int, float]]:
        planner = Planner(
            training, Settings(), Aims(True, "expected", None), max_cuts, max_candidates
        )
        return [(option.question.attribute, option.gain) for option in planner.options(rows)]

    every = options(100, None)
    best = {attribute: max(g for a, g in every if a == attribute) for attribute, _ in every}
    assert options(1, None) == sorted(best.items())
    assert options(1, 2) == sorted(sorted(best.items(), key=lambda item: -item[1])[:2])
    assert len(options(3, None)) == len([a for a, _ in every if a < 2]) + 6


def test_free_attributes() -> None:
    """What costs nothing and says something is asked first, the most informative of it."""
    table = truth_table(3, lambda x, y, z: (x & y) | z)
    free = Costs(tests={"x0": 0.0, "x1": 0.0, "x2": 1.0})
    assert attributes_asked(grow_horizon(table, lookahead=1, costs=free))[0] == "x0"
    nothing = Costs(tests={})
    assert attributes_asked(grow_horizon(table, lookahead=1, costs=nothing))[0] == "x2"


def test_free_and_useless_is_not_asked_first() -> None:
    """What costs nothing and says nothing does not beat what says something."""
    table = truth_table(2, lambda _, y: y)
    tree = grow_horizon(table, lookahead=1, costs=Costs(tests={"x0": 0.0, "x1": 3.0}))
    assert attributes_asked(tree) == ["x1"]


def test_a_number_is_paid_for_once() -> None:
    """With prices a second cut of a measured number is free; without, every question counts."""
    X = [[number, bit] for number, bit in [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "b")]]
    table = Table.from_frame(np.array(X, dtype=object), [0, 1, 0, 1, 1])
    paid = grow_horizon(table, lookahead=1, costs=costs_of([1.0, 0.9]))
    counted = grow_horizon(table, lookahead=1)
    assert attributes_asked(paid)[0] == "x1"
    assert counted == grow_greedy(table)


OPTIONS = [
    {"lookahead": 2, "max_cuts": 3},
    {"lookahead": 2, "per_cost": False, "max_cuts": 3, "missing": "drop"},
    {"lookahead": 2, "level_cost": "nodes", "max_cuts": 2, "max_candidates": 3},
    {"lookahead": 2, "level_cost": "distinct_tests", "max_cuts": 2, "max_depth": 3},
    {"lookahead": (1, 3), "commit": "level", "scope": "level", "max_cuts": 2},
    {"lookahead": 1, "costs": costs_of([1.0, 2.0, 0.5, 3.0]), "scope": "level"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("real_weights", [False, True])
def test_order_of_rows(options: dict[str, Any], real_weights: bool) -> None:
    """The order of the rows changes nothing."""
    for seed in range(5):
        table = random_table(seed, real_weights=real_weights)
        tree = grow_horizon(table, **options)
        assert grow_horizon(shuffled(table, seed), **options) == tree


def test_max_depth() -> None:
    """No path has more questions than allowed, however deep the plans."""
    for seed in range(5):
        for commit in ("first", "level"):
            tree = grow_horizon(
                random_table(seed), lookahead=2, commit=commit, max_depth=3, max_cuts=2
            )
            assert tree.depth <= 3
        assert grow_horizon(random_table(seed), max_depth=0).n_nodes == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lookahead": 0}, "lookahead"),
        ({"lookahead": ()}, "lookahead"),
        ({"lookahead": (0,), "commit": "level"}, "lookahead"),
        ({"lookahead": (3, 1), "commit": "level"}, "lookahead"),
        ({"commit": "last"}, "commit"),
        ({"scope": "world"}, "scope"),
        ({"level_cost": "none"}, "level_cost"),
        ({"max_cuts": 0}, "max_cuts"),
        ({"max_candidates": 0}, "max_candidates"),
        ({"missing": "fraction"}, "fraction"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """What cannot be done is refused by name."""
    with pytest.raises(ValueError, match=message):
        grow_horizon(norton_table(), **options)
