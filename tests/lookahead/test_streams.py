"""Random streams and the names of sets of rows."""

import numpy as np
import pytest

from niwaki.reference.counts import Training, read_training
from niwaki.reference.streams import Stream, mixed, row_fingerprint
from niwaki.table import Table

from .tables import random_table, shuffled


def training_of(table: Table) -> Training:
    """Read a table whose missing values are a category."""
    return read_training(table.under("category"), fractional=False)


def test_mixer() -> None:
    """The mixer is SplitMix64: its first outputs for the seed 0 are the published ones."""
    golden = 0x9E3779B97F4A7C15
    outputs = [mixed(golden * step) for step in range(3)]
    assert outputs == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_uniform_numbers() -> None:
    """Numbers are in [0, 1), with mean and variance of the uniform distribution."""
    stream = Stream(3, 1, 4)
    numbers = np.array([stream.uniform() for _ in range(20_000)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert numbers.mean() == pytest.approx(1 / 2, abs=0.01)
    assert numbers.var() == pytest.approx(1 / 12, abs=0.003)


def test_names() -> None:
    """Streams differ if a part differs, if parts change places, and if there is one part more."""
    first = {Stream(*name).next() for name in ((0, 1), (1, 0), (0,), (0, 1, 0), (2**64 - 1, 1))}
    assert len(first) == 5
    assert Stream(-1).next() == Stream(2**64 - 1).next()


def test_position() -> None:
    """A place is drawn as often as its weight says, never one of weight 0."""
    stream = Stream(5)
    drawn = [stream.position([1.0, 0.0, 3.0]) for _ in range(4000)]
    assert drawn.count(1) == 0
    assert drawn.count(2) / len(drawn) == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize("real_weights", [False, True])
def test_fingerprint_of_rows(real_weights: bool) -> None:
    """Neither the order of the rows nor how a weight is divided among equal rows counts."""
    for seed in range(20):
        table = random_table(seed, real_weights=real_weights)
        name = training_of(table)
        other = training_of(shuffled(table, seed))
        assert name.fingerprint(name.all_rows) == other.fingerprint(other.all_rows)
    heavy = training_of(Table.from_frame([["a"], ["b"]], [0, 1], weights=[2, 1]))
    twice = training_of(Table.from_frame([["a"], ["a"], ["b"]], [0, 0, 1]))
    assert heavy.fingerprint(heavy.all_rows) == twice.fingerprint(twice.all_rows)


def test_fingerprint_of_one_row() -> None:
    """Value, class, attribute and bit of a number count; the sign of zero and of NaN do not."""
    names = {row_fingerprint([0, 1.0], 0), row_fingerprint([0, 1.0], 1), row_fingerprint([1], 0)}
    names |= {row_fingerprint([1, 1.0], 0), row_fingerprint([0, float(np.nextafter(1, 2))], 0)}
    assert len(names) == 5
    assert row_fingerprint([0.0], 0) == row_fingerprint([-0.0], 0)
    assert row_fingerprint([float("nan")], 0) == row_fingerprint([-float("nan")], 0)
    assert max(names).bit_length() <= 128


def test_real_weights_are_rounded() -> None:
    """A real weight counts in units of 2^-32."""
    third, near = (
        training_of(Table.from_frame([["a"]], [0], weights=[weight]))
        for weight in (1 / 3, 1 / 3 + 2.0**-36)
    )
    assert third.row_fingerprints == near.row_fingerprints
    assert third.row_fingerprints == [row_fingerprint([0], 0) * round(2**32 / 3)]
