"""Skewing and sequential skewing in plain Python."""

from typing import Any

import numpy as np
import pytest

from niwaki.reference import grow_greedy, grow_skewing
from niwaki.reference.counts import RealArithmetic
from niwaki.reference.growth import read_whole_rows
from niwaki.reference.measures import entropy, worth
from niwaki.reference.settings import Settings
from niwaki.reference.skewing import Skewing
from niwaki.reference.streams import Stream
from niwaki.table import Table

from .tables import attributes_asked, binary_table, random_table, shuffled, truth_table

EXAMPLE = truth_table(3, lambda x, y, _: x ^ y)


class Favouring(Stream):
    """Chooses the second of two always."""

    def below(self, limit: int) -> int:
        """Return the largest number below the limit."""
        return limit - 1


def skewing_of(table: Table, trials: int, sequential: bool = False, **options: Any) -> Skewing:
    """Return what chooses questions for a table."""
    training = read_whole_rows(table, "category")
    known = {"gain_fraction": 0.05, "skew": 0.75, "fallback": "id3", "seed": 0, **options}
    return Skewing(training, Settings(), trials, sequential, **known)


def gains_when_skewed(skewed: list[int]) -> tuple[list[float], float]:
    """Return the gains of the example's attributes and the entropy, values 1 being favoured."""
    skewing = skewing_of(EXAMPLE, 1)
    rows = skewing.training.all_rows
    weighted = skewing.weighted(rows, skewed, Favouring())
    assert weighted is not None
    divisions = [skewing.divisions(group, weighted)[0] for group in skewing.groups(rows)]
    gains = [worth(division, "gain", RealArithmetic()) for division in divisions]
    return gains, entropy(divisions[0].classes, RealArithmetic())


def test_example_skewed_at_once() -> None:
    """With (1, 1, 1) favoured the gains are .1432, .1432 and 0, the entropy .9544."""
    gains, bits = gains_when_skewed([0, 1, 2])
    assert gains == pytest.approx([0.1432, 0.1432, 0.0], abs=5e-5)
    assert bits == pytest.approx(0.9544, abs=5e-5)
    assert 0.05 * bits == pytest.approx(0.0477, abs=5e-5)


@pytest.mark.parametrize(
    ("attribute", "gains"), [(0, [0.0, 0.1887, 0.0]), (1, [0.1887, 0.0, 0.0]), (2, [0.0] * 3)]
)
def test_example_skewed_in_sequence(attribute: int, gains: list[float]) -> None:
    """Skewing one relevant attribute shows the other; skewing the third shows nothing."""
    found, bits = gains_when_skewed([attribute])
    assert found == pytest.approx(gains, abs=5e-5)
    assert bits == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(10))
def test_votes_of_the_example(seed: int) -> None:
    """One trial gives (1, 1, 0) votes, whatever is favoured; one for each attribute as many."""
    for sequential in (False, True):
        skewing = skewing_of(EXAMPLE, 1, sequential, seed=seed)
        assert skewing.votes(skewing.training.all_rows, None) == [[1], [1], [0]]


def test_parities() -> None:
    """Skewing finds parities, of three bits if little gain is asked; sequential only of two."""
    two = truth_table(4, lambda _, x, y, __: x ^ y)
    three = truth_table(5, lambda _, x, y, z, __: x ^ y ^ z)
    assert grow_greedy(two).n_leaves == 8
    assert grow_skewing(two).n_leaves == 4
    assert grow_skewing(two, sequential=True, trials=1).n_leaves == 4
    for gain_fraction, n_leaves in ((0.05, 16), (0.02, 8)):
        assert grow_skewing(three, gain_fraction=gain_fraction).n_leaves == n_leaves
    skewing = skewing_of(three, 4, sequential=True, gain_fraction=0.02)
    assert sum(map(sum, skewing.votes(skewing.training.all_rows, None))) == 0


def test_no_trials() -> None:
    """Without trials the tree is that of ID3, or ends where nothing gains enough."""
    for seed in range(10):
        table = random_table(seed)
        assert grow_skewing(table, trials=0) == grow_greedy(table)
    assert grow_skewing(EXAMPLE, trials=0, fallback="leaf").n_nodes == 1
    easy = binary_table([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 0, 1, 1])
    assert attributes_asked(grow_skewing(easy, trials=0, fallback="leaf")) == ["x0"]


def test_values_by_rank() -> None:
    """More than two values are weighted by their places in a random order."""
    table = Table.from_frame([["a"], ["b"], ["c"], ["d"]], [0, 1, 0, 1])
    skewing = skewing_of(table, 1)
    rows = skewing.training.all_rows
    orders = {tuple(skewing.factors(rows, 0, Stream(seed))) for seed in range(300)}
    assert len(orders) == 24
    assert {tuple(sorted(order)) for order in orders} == {(1.0, 2.0, 3.0, 4.0)}
    weighted = skewing.weighted(rows, [0], Stream(1))
    assert weighted is not None
    weights = sorted(weight for _, weight in weighted)
    assert weights == [2.0**30 * place / 4 for place in (1, 2, 3, 4)]


def test_numbers_by_median() -> None:
    """Numbers are divided in the middle; a missing one is on the heavier side."""
    table = Table.from_frame([[1.0], [2.0], [3.0], [9.0], [np.nan]], [0, 1, 0, 1, 0])
    skewing = skewing_of(table, 1)
    assert skewing.sides_of_median(skewing.training.all_rows, 0) == [0, 0, 1, 1, 0]
    constant = skewing_of(Table.from_frame([[1.0], [1.0]], [0, 1]), 1)
    rows = constant.training.all_rows
    assert constant.factors(rows, 0, Stream(1)) == [1.0, 1.0]


def test_numeric_parity() -> None:
    """The sign of a product is first asked for by one of its numbers."""
    X = np.random.default_rng(2).uniform(-1, 1, (80, 3))
    table = Table.from_frame(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    assert attributes_asked(grow_skewing(table))[0] in ("x0", "x1")


def test_weights_that_cannot_be_represented() -> None:
    """A trial in which no row has a weight gives no votes."""
    skewing = skewing_of(binary_table([(0, 0), (0, 1)], [0, 1]), 8, skew=1.0)
    votes = skewing.votes(skewing.training.all_rows, None)
    assert all(sum(tally) == 0 for tally in votes)


OPTIONS = [{}, {"sequential": True, "trials": 2}, {"fallback": "leaf", "max_depth": 2, "trials": 5}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("real_weights", [False, True])
def test_order_of_rows(options: dict[str, Any], real_weights: bool) -> None:
    """The order of the rows changes nothing."""
    for seed in range(6):
        table = random_table(seed, real_weights=real_weights)
        tree = grow_skewing(table, seed=seed, **options)
        assert grow_skewing(shuffled(table, seed), seed=seed, **options) == tree


def test_more_trials_contain_fewer() -> None:
    """Twice as many trials never take a vote away."""
    for sequential in (False, True):
        for seed in range(5):
            tallies = []
            for trials in (3, 6):
                skewing = skewing_of(random_table(seed), trials, sequential)
                votes = skewing.votes(skewing.training.all_rows, None)
                tallies.append([vote for tally in votes for vote in tally])
            assert all(few <= many for few, many in zip(*tallies, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": -1}, "trials"),
        ({"fallback": "guess"}, "fallback"),
        ({"skew": 1.5}, "skew"),
        ({"gain_fraction": -0.1}, "gain_fraction"),
        ({"missing": "fraction"}, "fraction"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    """What cannot be done is refused by name."""
    with pytest.raises(ValueError, match=message):
        grow_skewing(EXAMPLE, **options)
