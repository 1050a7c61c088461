"""IDX, GOTA and ID3-k by the core: the worked examples, limits and messages."""

import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from niwaki import Costs, GOTAClassifier, Greedy, Horizon, IDXClassifier, Table, Tree, grow
from niwaki.growth import new_growth
from niwaki.training import training_for

from .tables import attributes_asked, expected_cost, norton_table, random_table, truth_table

UNIT = {"X": 1.0, "Y": 1.0, "Z": 1.0}
X, Y = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], [0, 1, 1, 0]


def by_chooser(lookahead: int, costs: Costs | None) -> Tree:
    """Grow Norton's table with the chooser."""
    return grow(norton_table(), Horizon(lookahead, costs=costs))


def by_estimator(lookahead: int, costs: Costs | None) -> Tree:
    """Grow Norton's table with the estimator."""
    tree: Tree = IDXClassifier(lookahead=lookahead, costs=costs).fit(norton_table()).tree_
    return tree


both = pytest.mark.parametrize("learn", [by_chooser, by_estimator])
Learn = Callable[[int, Costs | None], Tree]


@both
@pytest.mark.parametrize(
    ("lookahead", "asked", "depth"),
    [(1, ["X", "Z", "Y"], 2.35), (2, ["Y", "Z", "Z"], 2.0), (3, ["Y", "Z", "Z"], 2.0)],
)
def test_norton_trees(learn: Learn, lookahead: int, asked: list[str], depth: float) -> None:
    """IDX(1) is tree 1 of Norton's Figure 1; IDX(2) and IDX(3) are tree 2."""
    tree = learn(lookahead, None)
    assert attributes_asked(tree) == asked
    assert expected_cost(tree, UNIT) == pytest.approx(depth)


@both
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
    learn: Learn, prices: tuple[int, ...], lookahead: int, asked: list[str], cost: float
) -> None:
    """With prices for X, Y and Z, deeper lookahead is cheaper or the same."""
    tests = dict(zip("XYZ", map(float, prices), strict=True))
    tree = learn(lookahead, Costs(tests=tests))
    assert attributes_asked(tree) == asked
    assert expected_cost(tree, tests) == pytest.approx(cost)


@pytest.mark.parametrize("scope", ["node", "level"])
def test_levels_of_gota(scope: Any) -> None:
    """GOTA(1, 3) fixes the root first and then two levels; GOTA(0, 2) two levels at once."""
    odds = GOTAClassifier(levels=(1, 3), scope=scope).fit(norton_table()).tree_
    evens = GOTAClassifier(scope=scope).fit(norton_table()).tree_
    assert attributes_asked(odds) == ["X", "Z", "Y"]
    assert attributes_asked(evens) == ["Y", "Z", "Z"]


@pytest.mark.parametrize("seed", range(20))
def test_one_level_is_id3(seed: int) -> None:
    """With one level and no prices, IDX and ID3-1 grow the tree of ID3."""
    table = random_table(seed, real_weights=seed % 2 == 0)
    tree = grow(table, Greedy())
    assert grow(table, Horizon(1, max_cuts=1)) == tree
    assert grow(table, Horizon(1, per_cost=False, max_cuts=1)) == tree


def test_parity_needs_its_depth() -> None:
    """Lookahead as deep as a parity finds it among other bits, ID3 does not."""
    table = truth_table(6, lambda *bits: sum(bits[2:5]) % 2)
    assert [grow(table, Horizon(levels)).n_leaves for levels in (1, 3)] == [32, 8]


@pytest.mark.parametrize(
    ("prices", "levels"),
    [([1, 1, 1], 3), ([1, 1.1, 1], 3), ([1, 1.5, 2], 2), ([1, 10, 1], 1), ([0, 0, 0], 3)],
)
def test_automatic_lookahead(prices: list[float], levels: int) -> None:
    """The less prices vary, the deeper the lookahead."""
    costs = Costs(tests=dict(zip("XYZ", prices, strict=True)))
    assert Horizon("auto", costs=costs).levels(list(prices)) == (levels,)
    automatic = IDXClassifier(lookahead="auto", costs=costs).fit(norton_table()).tree_
    assert automatic == grow(norton_table(), Horizon(levels, costs=costs))


# -- limits --------------------------------------------------------------------------------------


def test_suspended_in_the_middle_of_a_search() -> None:
    """A search of hours stops a few milliseconds after its time."""
    random = np.random.default_rng(0)
    cells = random.integers(0, 3, (3000, 60)).astype(str).astype(object)
    table = Table.from_frame(cells, random.integers(0, 3, 3000))
    with pytest.warns(UserWarning, match="max_candidates"):
        growth = new_growth(training_for(table, Horizon(6)))
    for _ in range(5):
        began = perf_counter()
        assert not growth.advance(20.0)
        assert perf_counter() - began < 0.2
    assert growth.nbytes < 20_000_000


def test_deep_trees() -> None:
    """A tree of thousands of levels is planned for without recursion."""
    table = Table.from_frame(np.arange(4000.0).reshape(-1, 1), np.arange(4000) % 2)
    tree = grow(table, Horizon(2, max_cuts=1, commit="level"))
    assert tree.n_leaves == 4000


@pytest.mark.parametrize("level_cost", ["expected", "nodes", "distinct_tests"])
def test_more_levels_than_attributes(level_cost: Any) -> None:
    """Levels beyond the last question change nothing."""
    table = truth_table(3, lambda x, y, z: x ^ (y & z))
    deep = grow(table, Horizon(2**31 - 1, level_cost=level_cost))
    assert deep == grow(table, Horizon(3, level_cost=level_cost))


def test_one_class_and_no_column_that_varies() -> None:
    """Without a question the tree is a leaf."""
    for y in ([0, 0, 0, 0], [0, 1, 1, 0]):
        assert IDXClassifier().fit([["a"]] * 4, y).get_n_leaves() == 1
        assert GOTAClassifier(scope="level").fit([["a"]] * 4, y).get_n_leaves() == 1


# -- messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, 1.5, (), (1, 0), "deep", None, True, (2, "a"), 2**31])
def test_wrong_lookahead(value: Any) -> None:
    """The message names the parameter and says what it may be."""
    with pytest.raises(ValueError, match="lookahead must be a whole number from 1"):
        IDXClassifier(lookahead=value).fit(X, Y)


@pytest.mark.parametrize("value", [0, (), (0,), (3, 1), (1, 1), (-1, 2), "auto", None, 2.5, (2.0,)])
def test_wrong_levels(value: Any) -> None:
    """The message names the parameter and says what it may be."""
    with pytest.raises(ValueError, match="levels must be a whole number from 1"):
        GOTAClassifier(levels=value).fit(X, Y)


@pytest.mark.parametrize("learner", [IDXClassifier, GOTAClassifier])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("per_cost", 1),
        ("level_cost", "all"),
        ("max_candidates", 0),
        ("max_cuts", 0),
        ("max_cuts", None),
        ("missing", "fraction"),
        ("costs", 3),
        ("costs", {"a": 1}),
        ("costs", Costs(tests={"nowhere": 1.0})),
    ],
)
def test_wrong_parameters_are_named(learner: Any, name: str, value: Any) -> None:
    """The message names the parameter, or the attribute that is not there."""
    with pytest.raises((ValueError, TypeError, KeyError), match=f"{name}|nowhere"):
        learner(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(
    ("limits", "name"),
    [({"missing": "fraction"}, "missing"), ({"nominal_splits": "value"}, "nominal_splits")],
)
def test_impossible_combinations(limits: dict[str, Any], name: str) -> None:
    """What lookahead cannot do is refused by name."""
    with pytest.raises(ValueError, match=name):
        grow(norton_table(), Horizon(), **limits)


def test_lists_and_numpy_numbers() -> None:
    """Lists and numpy's whole numbers are taken too."""
    assert IDXClassifier(lookahead=np.int64(2)).fit(X, Y).get_n_leaves() == 4
    assert IDXClassifier(lookahead=[1, np.int32(2)]).fit(X, Y).get_n_leaves() == 4
    assert GOTAClassifier(levels=[0, 2]).fit(X, Y).get_n_leaves() == 4


def test_norton_bound() -> None:
    """The bound on partitions: 10 and 20 for four tests, 1360 for two levels of sixteen."""
    assert [Horizon(levels).row_visits(1, 4, 4) for levels in (1, 2)] == [10, 20]
    assert Horizon(2).row_visits(1, 16, 16) == 1360


def test_a_long_search_is_announced() -> None:
    """What takes very long is said before it begins, with the remedy; other searches are not."""
    random = np.random.default_rng(0)
    table = Table.from_frame(random.random((20000, 30)), random.integers(0, 2, 20000))
    with pytest.warns(UserWarning, match=r"may count about \de\+\d+ rows.*fewer levels"):
        training_for(table, Horizon(4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        training_for(table, Horizon(1))
        training_for(table, Horizon(2, max_candidates=2))
