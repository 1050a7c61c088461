"""Several threads on one tree grow the tree that one thread grows."""

import numpy as np
import pytest

from niwaki import Sampling, Table, grow
from niwaki.datasets import make_numeric_parity, make_parity


@pytest.mark.parametrize("n_jobs", [1, 2, 3, 7, -1])
@pytest.mark.parametrize("numeric", [False, True])
def test_threads_change_nothing(n_jobs: int, numeric: bool) -> None:
    """Any number of threads grows the same tree, on nominal and on numeric columns."""
    X, y = (
        make_numeric_parity(3, 3, 900, random_state=1)
        if numeric
        else make_parity(6, 6, 1500, noise=0.1, random_state=1)
    )
    table = Table.from_frame(X, y)
    assert grow(table, Sampling(3), n_jobs=n_jobs) == grow(table, Sampling(3))


@pytest.mark.parametrize("style", ["value", "auto", "subset"])
def test_threads_agree_on_every_style(style: str) -> None:
    """Threads answer questions of every style alike, with depth and leaf limits."""
    random = np.random.default_rng(0)
    X = random.choice(np.array(list("abcd")), (1200, 6)).astype(object)
    X[random.random(X.shape) < 0.05] = None
    table = Table.from_frame(X, (X[:, 0] == X[:, 1]).astype(int))
    limits = {"nominal_splits": style, "max_depth": 5, "min_leaf": 3.0}
    assert grow(table, Sampling(2), n_jobs=2, **limits) == grow(table, Sampling(2), **limits)
