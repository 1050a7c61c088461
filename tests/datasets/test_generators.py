"""What is true of every generator: shape, text, seeds, shuffled columns, noise, concept, errors."""

import pickle
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from niwaki import datasets

Generator = Callable[..., tuple[Any, ...]]

NOISY: dict[str, Generator] = {
    "parity": partial(datasets.make_parity, 5, 5, 2000),
    "numeric parity": partial(datasets.make_numeric_parity, 3, 3, 2000),
    "categorical parity": partial(datasets.make_categorical_parity, 2000),
    "split bias": partial(datasets.make_split_bias, 2000),
    "dear parity": partial(datasets.make_dear_parity, 2000),
    "switched parity": partial(datasets.make_switched_parity, 2000),
    "selected parity": partial(datasets.make_selected_parity, n_rows=2000),
    "multiplexer": partial(datasets.make_multiplexer, 2, 2000),
    "multiplex xor": partial(datasets.make_multiplex_xor, 2000),
    "multi xor": partial(datasets.make_multiplex_xor, 2000, selectors=2),
    "multi and or": partial(datasets.make_multi_and_or, 2000),
    "monks 1": partial(datasets.make_monks, 1, 2000),
    "monks 2": partial(datasets.make_monks, 2, 2000),
    "monks 3": partial(datasets.make_monks, 3, 2000),
    "corral": partial(datasets.make_corral, 2000),
}
EXACT: dict[str, Generator] = {
    "tic-tac-toe": datasets.make_tic_tac_toe,
    "balance scale": datasets.make_balance_scale,
    "every monk": partial(datasets.make_monks, 1),
    "every address": partial(datasets.make_multiplexer, 2),
    "every split bias": datasets.make_split_bias,
    "every corral": datasets.make_corral,
}
EVERY = {**NOISY, **EXACT}
NUMERIC = {"numeric parity", "balance scale"}


def test_every_public_generator_is_under_test() -> None:
    """The list above must name every public generator."""
    tested = {getattr(make, "func", make).__name__ for make in EVERY.values()}
    assert tested == {name for name in datasets.__all__ if name.startswith("make_")}


@pytest.mark.parametrize("name", EVERY)
def test_layout(name: str) -> None:
    """X is a table of texts (floats if all is numeric), y a list of texts; both fit the concept."""
    X, y, concept = EVERY[name](random_state=1, return_concept=True)
    assert X.shape == (len(y), len(concept.feature_names))
    assert y.dtype == object
    assert set(y) <= set(concept.class_names)
    assert all(type(label) is str for label in y)
    if name in NUMERIC:
        assert X.dtype == np.float64
        assert set(concept.domains) == {None}
    else:
        assert X.dtype == object
        for column, domain in zip(X.T, concept.domains, strict=True):
            assert set(column) == set(domain)
            assert all(type(value) is str for value in column)


@pytest.mark.parametrize("name", EVERY)
def test_two_results_unless_the_concept_is_asked_for(name: str) -> None:
    """Without return_concept the same X and y come alone."""
    X, y, _ = EVERY[name](random_state=5, return_concept=True)
    plain = EVERY[name](random_state=5)
    assert len(plain) == 2
    assert np.array_equal(plain[0], X)
    assert np.array_equal(plain[1], y)


@pytest.mark.parametrize("name", EVERY)
def test_seed_decides_everything(name: str) -> None:
    """Equal seeds give equal samples, other seeds other orders of columns."""
    first = EVERY[name](random_state=7, return_concept=True)
    second = EVERY[name](random_state=np.int64(7), return_concept=True)
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert first[2] == second[2]
    orders = {
        EVERY[name](random_state=seed, return_concept=True)[2].feature_names for seed in range(10)
    }
    assert len(orders) > 3
    assert len({frozenset(order) for order in orders}) == 1


@pytest.mark.parametrize("source", [np.random.RandomState, np.random.default_rng])
def test_numpy_generators_are_advanced(source: Callable[[int], Any]) -> None:
    """A RandomState or Generator in an equal state gives an equal sample, and moves on."""
    one, other = source(3), source(3)
    first = datasets.make_parity(2, 8, 50, random_state=one)
    assert np.array_equal(first[0], datasets.make_parity(2, 8, 50, random_state=other)[0])
    assert not np.array_equal(first[0], datasets.make_parity(2, 8, 50, random_state=one)[0])


def test_no_seed_gives_fresh_samples() -> None:
    """Without a seed two samples differ."""
    first, second = datasets.make_parity(2, 8, 50), datasets.make_parity(2, 8, 50)
    assert not np.array_equal(first[0], second[0])


@pytest.mark.parametrize("name", EVERY)
def test_concept_labels_every_row(name: str) -> None:
    """Without noise y is what the concept says, for rows of X as for its columns by name."""
    X, y, concept = EVERY[name](random_state=2, return_concept=True)
    assert np.array_equal(concept.label(X), y)
    columns = dict(zip(concept.feature_names, X.T, strict=True))
    assert np.array_equal(concept.evaluate(columns), y)


@pytest.mark.parametrize("name", EVERY)
def test_only_relevant_columns_matter(name: str) -> None:
    """Shuffling an irrelevant column leaves all labels, shuffling a relevant one does not."""
    X, y, concept = EVERY[name](random_state=4, return_concept=True)
    random = np.random.default_rng(0)
    assert list(concept.relevant) == sorted(set(concept.relevant))
    for position in range(X.shape[1]):
        changed = X.copy()
        changed[:, position] = random.permutation(changed[:, position])
        assert np.array_equal(concept.label(changed), y) == (position not in concept.relevant)


@pytest.mark.parametrize("name", EVERY)
def test_rule_speaks_of_the_attributes(name: str) -> None:
    """The rule names attributes of the sample or, for tic-tac-toe, the squares as a whole."""
    _, _, concept = EVERY[name](random_state=0, return_concept=True)
    assert any(feature in concept.rule for feature in (*concept.feature_names, "squares"))


@pytest.mark.parametrize("name", EVERY)
def test_concept_survives_pickling(name: str) -> None:
    """A concept can be sent to another process and still labels rows."""
    X, y, concept = EVERY[name](random_state=0, return_concept=True)
    copy = pickle.loads(pickle.dumps(concept))
    assert copy == concept
    assert np.array_equal(copy.label(X), y)


@pytest.mark.parametrize("name", NOISY)
def test_noise_rate(name: str) -> None:
    """A tenth of the labels differ from the concept at noise 0.1, none at 0, all at 1."""
    _, clean, _ = NOISY[name](random_state=3, return_concept=True)
    X, noisy, concept = NOISY[name](random_state=3, noise=0.1, return_concept=True)
    assert np.array_equal(concept.label(X), clean)
    assert 0.07 < (noisy != clean).mean() < 0.13
    _, flipped = NOISY[name](random_state=3, noise=1.0)
    assert (flipped != clean).all()


def test_noise_differs_from_row_to_row() -> None:
    """Noise is drawn for each row: the number of changed labels varies with the seed."""
    counts = set()
    for seed in range(8):
        X, y, concept = datasets.make_parity(
            5, 5, 200, noise=0.1, random_state=seed, return_concept=True
        )
        counts.add(int((concept.label(X) != y).sum()))
    assert len(counts) > 3


@pytest.mark.parametrize("name", [name for name in NOISY if name not in NUMERIC])
def test_attributes_are_uniform(name: str) -> None:
    """Every value of every attribute is drawn about equally often."""
    X, _, concept = NOISY[name](random_state=8, return_concept=True)
    for feature, column, domain in zip(concept.feature_names, X.T, concept.domains, strict=True):
        if feature != "correlated":
            shares = [count / len(X) for count in Counter(column).values()]
            assert max(abs(share - 1 / len(domain)) for share in shares) < 0.05


@pytest.mark.parametrize("rows", [[["0", "1"]], ["0", "1", "1"], [["0", "1", "2"]], [[0, 1, 1]]])
def test_concept_refuses_other_rows(rows: list[Any]) -> None:
    """Rows with another number of columns or with unknown values are an error, not a guess."""
    _, _, concept = datasets.make_parity(2, 1, 5, return_concept=True)
    with pytest.raises(ValueError, match="X"):
        concept.label(rows)


# For calls that break the declared types on purpose.
untyped: Any = datasets


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: untyped.make_parity(0, 1, 5), ValueError, "n_relevant must be at least 1"),
        (lambda: untyped.make_parity(1, -1, 5), ValueError, "n_irrelevant must be at least 0"),
        (lambda: untyped.make_parity(1, 1, 0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_parity(1, 1, 2.0), TypeError, "n_rows must be an integer"),
        (lambda: untyped.make_parity(True, 1, 2), TypeError, "n_relevant must be an integer"),
        (lambda: untyped.make_parity(1, 1, None), TypeError, "n_rows must be an integer"),
        (lambda: untyped.make_parity(1, 1, 5, noise=1.1), ValueError, "noise must be from 0 to 1"),
        (lambda: untyped.make_parity(1, 1, 5, noise=-0.1), ValueError, "noise must be from 0 to"),
        (lambda: untyped.make_parity(1, 1, 5, noise=float("nan")), ValueError, "noise must be"),
        (lambda: untyped.make_parity(1, 1, 5, noise="much"), TypeError, "noise must be a number"),
        (lambda: untyped.make_parity(1, 1, 5, noise=True), TypeError, "noise must be a number"),
        (lambda: untyped.make_parity(1, 1, 5, random_state=-1), ValueError, "random_state must"),
        (lambda: untyped.make_parity(1, 1, 5, random_state="x"), TypeError, "random_state must"),
        (lambda: untyped.make_numeric_parity(0, 1, 5), ValueError, "n_relevant must be at least"),
        (lambda: untyped.make_numeric_parity(1, 1, 0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_categorical_parity(0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_split_bias(0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_dear_parity(0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_dear_parity(None), TypeError, "n_rows must be an integer"),
        (lambda: untyped.make_switched_parity(0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_selected_parity(-1), ValueError, "n_irrelevant must be at least 0"),
        (lambda: untyped.make_multiplexer(0), ValueError, "address_bits must be from 1 to 10"),
        (lambda: untyped.make_multiplexer(11), ValueError, "address_bits must be from 1 to 10"),
        (lambda: untyped.make_multiplexer(5), ValueError, "n_rows must be given"),
        (lambda: untyped.make_multiplexer(2, 0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_multiplex_xor(selectors=3), ValueError, "selectors must be from 1"),
        (
            lambda: untyped.make_multiplex_xor(term_sizes=(1, 5)),
            ValueError,
            "term_sizes must be from 2 to 5",
        ),
        (
            lambda: untyped.make_multiplex_xor(term_sizes=(2, 2, 2)),
            ValueError,
            "term_sizes must be two integers",
        ),
        (
            lambda: untyped.make_multiplex_xor(selectors=2, term_sizes=(2, 2)),
            ValueError,
            "term_sizes must be None",
        ),
        (lambda: untyped.make_multi_and_or(0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_monks(4), ValueError, "problem must be from 1 to 3"),
        (lambda: untyped.make_monks(1, 0), ValueError, "n_rows must be at least 1"),
        (lambda: untyped.make_corral(0), ValueError, "n_rows must be at least 1"),
    ],
)
def test_bad_parameters(call: Generator, error: type[Exception], message: str) -> None:
    """A parameter out of range is an error that names it and says what is allowed."""
    with pytest.raises(error, match=message):
        call()
