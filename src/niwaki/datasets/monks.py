"""The three MONK's problems: robots described by six attributes."""

from collections.abc import Callable
from typing import Literal, overload

import numpy as np

from niwaki.datasets.concept import Columns, Domain, ExplainedTextSample, TextArray, TextSample
from niwaki.datasets.drawing import (
    Seed,
    assemble,
    checked_integer,
    draw_rows,
    every_row,
    random_generator,
)
from niwaki.datasets.expression import as_labels

DOMAINS: dict[str, Domain] = {
    "a1": ("1", "2", "3"),
    "a2": ("1", "2", "3"),
    "a3": ("1", "2"),
    "a4": ("1", "2", "3"),
    "a5": ("1", "2", "3", "4"),
    "a6": ("1", "2"),
}


def label_first(columns: Columns) -> TextArray:
    """Class "1" where a1 = a2 or a5 = 1."""
    return as_labels((columns["a1"] == columns["a2"]) | (columns["a5"] == "1"))


def label_second(columns: Columns) -> TextArray:
    """Class "1" where exactly two attributes are 1."""
    ones = np.sum([columns[name] == "1" for name in DOMAINS], axis=0)
    return as_labels(ones == 2)


def label_third(columns: Columns) -> TextArray:
    """Class "1" where a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3."""
    return as_labels(
        ((columns["a5"] == "3") & (columns["a4"] == "1"))
        | ((columns["a5"] != "4") & (columns["a2"] != "3"))
    )


PROBLEMS: dict[int, tuple[Callable[[Columns], TextArray], tuple[str, ...], str]] = {
    1: (label_first, ("a1", "a2", "a5"), "a1 = a2 or a5 = 1"),
    2: (label_second, tuple(DOMAINS), "exactly two of a1, a2, a3, a4, a5, a6 are 1"),
    3: (label_third, ("a2", "a4", "a5"), "(a5 = 3 and a4 = 1) or (a5 != 4 and a2 != 3)"),
}


@overload
def make_monks(
    problem: int,
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_monks(
    problem: int,
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_monks(
    problem: int,
    n_rows: int | None = None,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """One of the MONK's problems.

    The attributes a1 to a6 have 3, 3, 2, 3, 4 and 2 values. In problem 1 the class is "1" where
    a1 = a2 or a5 = 1; in problem 2 where exactly two attributes are 1; in problem 3 where
    a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3.

    The well-known training sets are fixed samples that nobody can draw again (the one of
    problem 3 with 5 % noise): ``load("monks-1", part="train")`` reads them.

    Parameters
    ----------
    problem : {1, 2, 3}
        Which problem.
    n_rows : int or None
        How many rows to draw, uniformly and with replacement; None for each of the 432 once.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 6)
        Texts "1" to "4", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_monks(2)
    >>> X.shape, int((y == "1").sum())
    ((432, 6), 142)
    """
    label, relevant, rule = PROBLEMS[checked_integer("problem", problem, 1, 3)]
    random = random_generator(random_state)
    sample = assemble(
        every_row(DOMAINS) if n_rows is None else draw_rows(DOMAINS, n_rows, random),
        DOMAINS,
        label,
        relevant=relevant,
        rule=rule,
        random=random,
        noise=noise,
    )
    return sample if return_concept else sample[:2]
