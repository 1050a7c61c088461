"""Each concept against its definition, computed here a second time, and its known counts."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from niwaki import datasets
from niwaki.datasets import Concept


def named_rows(X: Any, concept: Concept) -> list[dict[str, Any]]:
    """Each row as a mapping from attribute name to value."""
    return [dict(zip(concept.feature_names, row, strict=True)) for row in X.tolist()]


def bits(row: dict[str, str]) -> dict[str, int]:
    """Return a row of binary attributes as integers."""
    return {name: int(value) for name, value in row.items()}


def relevant_names(concept: Concept) -> set[str]:
    """Return the names of the relevant columns."""
    return {concept.feature_names[position] for position in concept.relevant}


@pytest.mark.parametrize("n_relevant", [1, 2, 3, 5, 10])
def test_parity(n_relevant: int) -> None:
    """The class is the parity of the relevant columns of every row."""
    X, y, concept = datasets.make_parity(n_relevant, 5, 300, random_state=0, return_concept=True)
    assert X.shape == (300, n_relevant + 5)
    assert len(concept.relevant) == n_relevant
    sums = X[:, list(concept.relevant)].astype(int).sum(axis=1)
    assert y.tolist() == [str(total % 2) for total in sums]


@pytest.mark.parametrize("n_relevant", [3, 4])
def test_numeric_parity(n_relevant: int) -> None:
    """The class is "1" where the relevant columns, uniform in (-1, 1), have a positive product."""
    X, y, concept = datasets.make_numeric_parity(
        n_relevant, n_relevant, 500, random_state=0, return_concept=True
    )
    for row, label in zip(X, y, strict=True):
        assert label == ("1" if prod(row[list(concept.relevant)]) > 0 else "-1")
    assert X.min() < -0.9
    assert X.max() > 0.9
    assert np.abs(X).max() < 1
    assert np.abs(X.mean(axis=0)).max() < 0.1


def test_categorical_parity() -> None:
    """The class is whether exactly one of a1 and a2 is G or T; sixteen rows by default."""
    X, y, concept = datasets.make_categorical_parity(random_state=1, return_concept=True)
    assert X.shape == (16, 3)
    assert relevant_names(concept) == {"a1", "a2"}
    for row, label in zip(named_rows(X, concept), y, strict=True):
        assert label == str(int((row["a1"] in "GT") ^ (row["a2"] in "GT")))


def test_split_bias() -> None:
    """All sixteen rows, a4 from another pair of letters for each value of a2, class a1 xor a2."""
    X, y, concept = datasets.make_split_bias(random_state=1, return_concept=True)
    rows = named_rows(X, concept)
    assert len({tuple(row) for row in X}) == len(X) == 16
    assert relevant_names(concept) == {"a1", "a2"}
    for row, label in zip(rows, y, strict=True):
        assert row["a4"] in ("GT" if row["a2"] == "1" else "AC")
        assert label == str(int(row["a1"]) ^ int(row["a2"]))


def test_dear_parity() -> None:
    """The class is a9 xor a10, the two attributes that cost three times what the others do."""
    X, y, concept = datasets.make_dear_parity(200, random_state=1, return_concept=True)
    assert set(concept.feature_names) == {f"a{number}" for number in range(1, 11)}
    assert concept.test_costs is not None
    prices = dict(zip(concept.feature_names, concept.test_costs, strict=True))
    assert {name for name, price in prices.items() if price == 6.0} == {"a9", "a10"}
    assert Counter(prices.values()) == {2.0: 8, 6.0: 2}
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        assert label == str(row["a9"] ^ row["a10"])


def test_switched_parity() -> None:
    """The class is a7 xor a9 where a1 is 0 and a4 xor a6 where it is 1, at equal prices."""
    X, y, concept = datasets.make_switched_parity(200, random_state=1, return_concept=True)
    assert concept.test_costs == (1.0,) * 10
    assert relevant_names(concept) == {"a1", "a4", "a6", "a7", "a9"}
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        assert label == str(row["a4"] ^ row["a6"] if row["a1"] else row["a7"] ^ row["a9"])


def test_selected_parity() -> None:
    """Two levels of selectors choose one of four parities of three bits; twenty attributes."""
    X, y, concept = datasets.make_selected_parity(random_state=1, return_concept=True)
    assert X.shape == (1000, 20)
    assert relevant_names(concept) == {f"a{number}" for number in range(15)}
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        start = (2 if row["a1"] else 5) if row["a0"] else (9 if row["a8"] else 12)
        assert label == str(sum(row[f"a{start + offset}"] for offset in range(3)) % 2)


@pytest.mark.parametrize("address_bits", [1, 2, 3])
def test_multiplexer_over_the_whole_cube(address_bits: int) -> None:
    """Without n_rows every row occurs once, and the class is the addressed bit, a0 highest."""
    X, y, concept = datasets.make_multiplexer(address_bits, random_state=0, return_concept=True)
    width = address_bits + 2**address_bits
    assert {tuple(row) for row in X} == set(product("01", repeat=width))
    assert len(X) == 2**width
    for row, label in zip(named_rows(X, concept), y, strict=True):
        address = int("".join(row[f"a{number}"] for number in range(address_bits)), 2)
        assert label == row[f"data{address}"]


def test_multiplexer_of_twenty_bits() -> None:
    """Four address bits make the 20-multiplexer, all of it relevant."""
    X, y, concept = datasets.make_multiplexer(4, 500, random_state=0, return_concept=True)
    assert X.shape == (500, 20)
    assert len(concept.relevant) == 20
    for row, label in zip(named_rows(X, concept), y, strict=True):
        address = int("".join(row[f"a{number}"] for number in range(4)), 2)
        assert label == row[f"data{address}"]


@pytest.mark.parametrize("sizes", [(2, 2), (2, 5), (5, 3), (5, 5)])
def test_multiplex_xor(sizes: tuple[int, int]) -> None:
    """a0 says which of two disjoint parities of the given sizes is the class."""
    X, y, concept = datasets.make_multiplex_xor(
        term_sizes=sizes, random_state=1, return_concept=True
    )
    assert X.shape == (200, 11)
    assert len(concept.relevant) == 1 + sum(sizes)
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        start, size = (1 + sizes[0], sizes[1]) if row["a0"] else (1, sizes[0])
        assert label == str(sum(row[f"a{start + offset}"] for offset in range(size)) % 2)


def test_multiplex_xor_draws_its_sizes() -> None:
    """Without term_sizes the seed draws both sizes from 2 to 5."""
    found = set()
    for seed in range(200):
        _, _, concept = datasets.make_multiplex_xor(1, random_state=seed, return_concept=True)
        second, first = (text.count("xor") + 1 for text in concept.rule.split("else"))
        assert len(concept.relevant) == 1 + first + second
        found.add((first, second))
    assert found == set(product(range(2, 6), repeat=2))


def test_multi_xor() -> None:
    """With two selectors a0 and a1 number one of four pairs, and a10 is irrelevant."""
    X, y, concept = datasets.make_multiplex_xor(selectors=2, random_state=1, return_concept=True)
    assert relevant_names(concept) == {f"a{number}" for number in range(10)}
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        pair = 2 * row["a0"] + row["a1"]
        assert label == str(row[f"a{2 + 2 * pair}"] ^ row[f"a{3 + 2 * pair}"])


def test_multi_and_or() -> None:
    """The selected pair is joined by and, or, and, or in turn."""
    X, y, concept = datasets.make_multi_and_or(random_state=1, return_concept=True)
    assert relevant_names(concept) == {f"a{number}" for number in range(10)}
    for row, label in zip(map(bits, named_rows(X, concept)), y, strict=True):
        pair = 2 * row["a0"] + row["a1"]
        first, second = row[f"a{2 + 2 * pair}"], row[f"a{3 + 2 * pair}"]
        assert label == str(first | second if pair % 2 else first & second)


@pytest.mark.parametrize(("problem", "positives"), [(1, 216), (2, 142), (3, 228)])
def test_monks(problem: int, positives: int) -> None:
    """Each problem has 432 different rows and its known number of positives."""
    X, y, concept = datasets.make_monks(problem, random_state=0, return_concept=True)
    assert len({tuple(row) for row in X}) == len(X) == 432
    assert (y == "1").sum() == positives
    sizes = {
        name: len(domain or ())
        for name, domain in zip(concept.feature_names, concept.domains, strict=True)
    }
    assert sizes == {
        "a1": 3,
        "a2": 3,
        "a3": 2,
        "a4": 3,
        "a5": 4,
        "a6": 2,
    }


def test_corral() -> None:
    """All combinations of five attributes, 14 positives, the sixth right in 24 of 32 rows."""
    X, y, concept = datasets.make_corral(random_state=1, return_concept=True)
    rows = named_rows(X, concept)
    assert relevant_names(concept) == {"a0", "a1", "b0", "b1"}
    assert Counter(y) == {"0": 18, "1": 14}
    assert sum(row["correlated"] == label for row, label in zip(rows, y, strict=True)) == 24
    others = {tuple(row[name] for name in ("a0", "a1", "b0", "b1", "irrelevant")) for row in rows}
    assert len(others) == len(X) == 32
    for row, label in zip(map(bits, rows), y, strict=True):
        assert label == str((row["a0"] & row["a1"]) | (row["b0"] & row["b1"]))


def test_corral_sample() -> None:
    """In a drawn sample the correlated attribute is right in about three quarters of the rows."""
    X, y, concept = datasets.make_corral(4000, random_state=1, return_concept=True)
    right = X[:, concept.feature_names.index("correlated")] == y
    assert 0.72 < right.mean() < 0.78


def test_tic_tac_toe() -> None:
    """There are 958 final boards, 626 won by x, none with more than one move of difference."""
    X, y = datasets.make_tic_tac_toe(random_state=0)
    assert len({tuple(row) for row in X}) == len(X) == 958
    assert Counter(y) == {"positive": 626, "negative": 332}
    lead = (X == "x").sum(axis=1) - (X == "o").sum(axis=1)
    assert set(lead.tolist()) == {0, 1}


def test_balance_scale() -> None:
    """The 625 settings tip left 288 times, right 288 times, and balance 49 times."""
    X, y, concept = datasets.make_balance_scale(random_state=0, return_concept=True)
    assert {tuple(row) for row in X.tolist()} == set(product((1.0, 2.0, 3.0, 4.0, 5.0), repeat=4))
    assert Counter(y) == {"L": 288, "B": 49, "R": 288}
    for row, label in zip(named_rows(X, concept), y, strict=True):
        left = row["left-weight"] * row["left-distance"]
        right = row["right-weight"] * row["right-distance"]
        assert label == ("L" if left > right else "R" if left < right else "B")


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize(
    ("name", "part", "make"),
    [
        ("monks-1", "test", partial(datasets.make_monks, 1)),
        ("monks-2", "test", partial(datasets.make_monks, 2)),
        ("monks-3", "test", partial(datasets.make_monks, 3)),
        ("tic-tac-toe", None, datasets.make_tic_tac_toe),
        ("balance-scale", None, datasets.make_balance_scale),
    ],
)
def test_generated_rows_are_the_published_rows(
    name: str, part: Any, make: Callable[..., tuple[Any, Any, Concept]]
) -> None:
    """A generated data set holds the rows of the published file, each as often, with its class."""
    X, y, concept = make(random_state=3, return_concept=True)
    published = datasets.load(name, part=part)
    assert set(concept.feature_names) == set(published.feature_names)
    assert concept.class_names == published.class_names
    order = [concept.feature_names.index(feature) for feature in published.feature_names]
    assert tuple(concept.domains[position] for position in order) == published.domains
    generated = Counter(map(tuple, np.column_stack([X[:, order], y]).astype(str).tolist()))
    stored = np.column_stack([published.data, published.target]).astype(str)
    assert generated == Counter(map(tuple, stored.tolist()))
