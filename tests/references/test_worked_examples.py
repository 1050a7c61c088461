"""The numbers of the worked examples in the specification, and ID3 on the Monks problems."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from niwaki.reference import apply_row, expected_errors, grow_greedy, predict_row, prune_errors
from niwaki.reference.c45 import all_offers, choose, cuts_to_try, offer_cut
from niwaki.reference.candidates import cuts, multiway
from niwaki.reference.counts import BranchCounts, RealArithmetic, Training, read_training
from niwaki.reference.expected import ErrorBound, normal_deviation, r8_deviation
from niwaki.reference.measures import information_gain, split_info_of_all
from niwaki.reference.nodes import Node
from niwaki.reference.settings import Settings
from niwaki.splits import SplitKind
from niwaki.table import Table, encode_rows

from .arff import read_arff

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("NIWAKI_DATA", REPOSITORY.parent / "shared" / "data"))
REFERENCE = Path(os.environ.get("NIWAKI_REFERENCE", REPOSITORY.parent / "shared" / "reference"))

GOLF = """
sunny 75 70 true play
sunny 80 90 true stay
sunny 85 85 false stay
sunny 72 95 false stay
sunny 69 70 false play
overcast 72 90 true play
overcast 83 78 false play
overcast 64 65 true play
overcast 81 75 false play
rain 71 80 true stay
rain 65 70 true stay
rain 75 80 false play
rain 68 80 false play
rain 70 96 false play
"""
OUTLOOK, TEMPERATURE, HUMIDITY, WINDY = range(4)
C45 = Settings("gain_ratio", "c45")


@pytest.fixture
def golf() -> Training:
    """Quinlan's golf data."""
    rows = [line.split() for line in GOLF.split("\n") if line]
    cells = np.array(
        [
            [outlook, float(temperature), float(humidity), windy]
            for outlook, temperature, humidity, windy, _ in rows
        ],
        dtype=object,
    )
    table = Table.from_frame(
        cells,
        [row[-1] for row in rows],
        domains={"x0": ["sunny", "overcast", "rain"], "x3": ["true", "false"]},
        classes=["play", "stay"],
    )
    return read_training(table, fractional=False)


def best_gain(training: Training, attribute: int) -> float:
    """Return the largest gain of the cuts that C4.5 tries, before correction."""
    tried = cuts_to_try(training, training.all_rows, attribute, C45)
    return max(information_gain(cut.counts, training.arithmetic) for cut in tried)


def test_golf_nominal_attributes(golf: Training) -> None:
    """Entropy, gains and gain ratios of the nominal attributes are those of the example."""
    counts = golf.class_counts(golf.all_rows)
    assert counts == [9, 5]
    separated = BranchCounts([[9.0, 0.0], [0.0, 5.0]])
    assert information_gain(separated, RealArithmetic()) == pytest.approx(0.9403, abs=5e-5)
    for attribute, gain, ratio in ((OUTLOOK, 0.2467, 0.1564), (WINDY, 0.0481, 0.0488)):
        division = multiway(golf, golf.all_rows, attribute).counts
        found = information_gain(division, golf.arithmetic)
        assert found == pytest.approx(gain, abs=5e-5)
        info = split_info_of_all(division, golf.arithmetic)
        assert found / info == pytest.approx(ratio, abs=5e-5)


def test_golf_humidity(golf: Training) -> None:
    """The best of 6 cuts of humidity is at 82.5; corrected, its gain is below 0."""
    assert len(golf.present(HUMIDITY)) == 9
    tried = cuts_to_try(golf, golf.all_rows, HUMIDITY, C45)
    assert len(tried) == 6
    best = max(
        cuts(golf, golf.all_rows, HUMIDITY),
        key=lambda cut: information_gain(cut.counts, golf.arithmetic),
    )
    assert best in tried
    question = best.with_threshold("midpoint", golf.present(HUMIDITY))
    assert (question.kind, question.threshold) == (SplitKind.THRESHOLD, 82.5)
    assert best.with_threshold("training", golf.present(HUMIDITY)).threshold == 80
    gain = information_gain(best.counts, golf.arithmetic)
    assert gain == pytest.approx(0.1022, abs=5e-5)
    assert np.log2(len(tried)) / 14 == pytest.approx(0.1846, abs=5e-5)
    assert gain - np.log2(len(tried)) / 14 == pytest.approx(-0.0824, abs=5e-5)
    assert offer_cut(golf, golf.all_rows, HUMIDITY, C45) is None


def test_golf_temperature(golf: Training) -> None:
    """The best of 9 cuts of temperature gains less than the correction."""
    tried = cuts_to_try(golf, golf.all_rows, TEMPERATURE, C45)
    assert len(tried) == 9
    assert best_gain(golf, TEMPERATURE) == pytest.approx(0.0453, abs=5e-5)
    assert np.log2(len(tried)) / 14 == pytest.approx(0.2264, abs=5e-5)
    assert offer_cut(golf, golf.all_rows, TEMPERATURE, C45) is None


def test_golf_choice(golf: Training) -> None:
    """Only the nominal attributes are admissible, and outlook wins."""
    offers = list(all_offers(golf, golf.all_rows, C45))
    assert [offer.candidate.question.attribute for offer in offers] == [OUTLOOK, WINDY]
    average = sum(offer.value for offer in offers) / 2
    assert average == pytest.approx((0.2467 + 0.0481) / 2, abs=5e-5)
    chosen = choose(golf, golf.all_rows, C45)
    assert chosen is not None
    assert chosen.question.attribute == OUTLOOK


@pytest.mark.data
def test_weather_humidity() -> None:
    """J48's weather data differ: 10 values of humidity, 7 tries, gain .1518, inadmissible too."""
    path = REFERENCE / "j48" / "data" / "weather.numeric.arff"
    if not path.is_file():
        pytest.skip("no J48 data; set NIWAKI_REFERENCE")
    weather = read_training(read_arff(path), fractional=False)
    assert len(weather.present(HUMIDITY)) == 10
    assert len(cuts_to_try(weather, weather.all_rows, HUMIDITY, C45)) == 7
    assert best_gain(weather, HUMIDITY) == pytest.approx(0.1518, abs=5e-5)
    assert offer_cut(weather, weather.all_rows, HUMIDITY, C45) is None


def test_deviations() -> None:
    """The deviations of the two normal bounds, and their squares, are those of the text."""
    assert r8_deviation(0.25) == pytest.approx(0.6925, abs=5e-5)
    assert r8_deviation(0.25) ** 2 == pytest.approx(0.47956, abs=5e-6)
    assert normal_deviation(0.25) == pytest.approx(0.67449, abs=5e-6)
    assert normal_deviation(0.25) ** 2 == pytest.approx(0.45494, abs=5e-6)
    assert normal_deviation(0.05) == pytest.approx(1.64485, abs=5e-6)


@pytest.mark.parametrize(
    ("errors", "weight", "confidence", "bound", "rate"),
    [
        (0, 1, 0.25, "r8", 0.75),
        (0, 6, 0.25, "r8", 0.2063),
        (0, 9, 0.25, "r8", 0.1428),
        (1, 16, 0.25, "r8", 0.1567),
        (1, 2, 0.25, "r8", 0.8981),
        (2, 6, 0.25, "r8", 0.5571),
        (5, 14, 0.25, "r8", 0.4854),
        (20, 100, 0.25, "r8", 0.2343),
        (0, 1, 0.25, "binomial", 0.75),
        (0, 6, 0.25, "binomial", 0.2063),
        (0, 9, 0.25, "binomial", 0.1428),
        (1, 16, 0.25, "binomial", 0.1596),
        (1, 2, 0.25, "binomial", 0.8660),
        (2, 6, 0.25, "binomial", 0.5532),
        (5, 14, 0.25, "binomial", 0.4835),
        (20, 100, 0.25, "binomial", 0.2340),
        (0, 1, 0.25, "j48", 0.75),
        (0, 6, 0.25, "j48", 0.2063),
        (1, 16, 0.25, "j48", 0.1547),
        (1, 2, 0.25, "j48", 0.8957),
        (2, 6, 0.25, "j48", 0.5536),
        (5, 14, 0.25, "j48", 0.4829),
        (20, 100, 0.25, "j48", 0.2335),
        (1, 16, 0.05, "j48", 0.2780),
        (20, 100, 0.05, "j48", 0.2788),
    ],
)
def test_error_rates(
    errors: float, weight: float, confidence: float, bound: ErrorBound, rate: float
) -> None:
    """The expected error rates are those of the table."""
    found = expected_errors(weight, errors, confidence, bound) / weight
    assert found == pytest.approx(rate, abs=5.1e-5)


@pytest.mark.parametrize("bound", ["j48", "r8", "binomial"])
def test_no_rows_no_errors(bound: ErrorBound) -> None:
    """No errors are expected of an empty leaf, and not more errors than rows of any leaf."""
    assert expected_errors(0, 0, bound=bound) == 0
    assert expected_errors(3, 3, bound=bound) == pytest.approx(3)


@pytest.mark.parametrize(
    ("bound", "as_leaf"), [("r8", 2.5069), ("j48", 2.4757), ("binomial", 2.5538)]
)
def test_pruning_example(bound: ErrorBound, as_leaf: float) -> None:
    """Three pure leaves of 6, 9 and 1 rows are expected to make more errors than one leaf."""
    below = [expected_errors(weight, 0, bound=bound) for weight in (6, 9, 1)]
    assert below == pytest.approx([1.2378, 1.2848, 0.75], abs=5e-5)
    assert sum(below) == pytest.approx(3.2726, abs=5.1e-5)
    assert expected_errors(16, 1, bound=bound) == pytest.approx(as_leaf, abs=5e-5)
    table = Table.from_frame([["a"]] * 6 + [["b"]] * 9 + [["c"]], ["no"] * 15 + ["yes"])
    tree = grow_greedy(table)
    assert tree.n_leaves == 3
    assert prune_errors(tree, table, error_bound=bound).n_nodes == 1


def test_root_of_example_is_a_leaf_only_if_it_pays() -> None:
    """Two pure leaves of 50 rows are worth keeping."""
    table = Table.from_frame([["a"]] * 50 + [["b"]] * 50, ["no"] * 50 + ["yes"] * 50)
    tree = grow_greedy(table)
    assert prune_errors(tree, table) == tree
    assert Node([50.0, 50.0]).errors == 50


def read_monks(problem: int, part: str) -> list[list[str]]:
    """Read the rows of a Monks problem, the class last."""
    path = DATA / f"monks-{problem}.{part}.csv"
    if not path.is_file():
        pytest.skip("no Monks problems; set NIWAKI_DATA")
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.mark.data
@pytest.mark.parametrize(
    ("problem", "n_leaves", "n_empty", "accuracy", "accuracy_without_empty"),
    [(1, 62, 12, 82.87, 78.0), (2, 109, 14, 69.21, 65.0), (3, 31, 3, 94.44, 94.4)],
)
def test_id3_on_monks(
    problem: int, n_leaves: int, n_empty: int, accuracy: float, accuracy_without_empty: float
) -> None:
    """ID3 has the published sizes and test accuracies; empty leaves answer as their parents."""
    train, test = read_monks(problem, "train"), read_monks(problem, "test")
    names = [f"a{number}" for number in range(1, 7)]
    domains = {name: sorted({row[place] for row in test}) for place, name in enumerate(names)}
    train_table, test_table = (
        Table.from_frame(
            np.array([row[:-1] for row in rows], dtype=object),
            [row[-1] for row in rows],
            names=names,
            domains=domains,
            classes=["0", "1"],
        )
        for rows in (train, test)
    )
    tree = grow_greedy(train_table)
    assert tree.n_leaves == n_leaves
    assert tree.n_leaves - tree.n_nonempty_leaves == n_empty
    columns = encode_rows(test_table, tree.schema)
    right = right_without_empty = 0
    for row, actual in enumerate(test_table.classes.tolist()):
        if predict_row(tree, columns, row) == actual:
            right += 1
            right_without_empty += tree.nodes.counts[apply_row(tree, columns, row)].sum() > 0
    assert 100 * right / test_table.n_rows == pytest.approx(accuracy, abs=0.005)
    assert 100 * right_without_empty / test_table.n_rows == pytest.approx(
        accuracy_without_empty, abs=0.05
    )
