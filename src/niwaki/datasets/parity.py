"""Parity in several dresses: no attribute alone says anything about the class."""

from dataclasses import dataclass
from typing import Literal, overload

import numpy as np

from niwaki.datasets.concept import (
    Columns,
    Domain,
    ExplainedNumericSample,
    ExplainedTextSample,
    NumericSample,
    TextArray,
    TextSample,
)
from niwaki.datasets.drawing import (
    Seed,
    assemble,
    boolean_sample,
    checked_integer,
    draw_rows,
    every_row,
    random_generator,
)
from niwaki.datasets.expression import as_labels, joined


@overload
def make_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parity of some binary attributes among others (XOR-2 to XOR-10 of the papers).

    The class is "1" where an odd number of a0, a1, ... up to `n_relevant` are "1".

    Parameters
    ----------
    n_relevant : int
        How many attributes the class depends on, at least 1.
    n_irrelevant : int
        How many further attributes there are.
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, n_relevant + n_irrelevant)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_parity(3, 2, 100, random_state=0, return_concept=True)
    >>> X.shape, concept.rule
    ((100, 5), 'a0 xor a1 xor a2')
    """
    checked_integer("n_relevant", n_relevant, 1)
    checked_integer("n_irrelevant", n_irrelevant, 0)
    checked_integer("n_rows", n_rows, 1)
    names = [f"a{number}" for number in range(n_relevant + n_irrelevant)]
    expression = joined("xor", names[:n_relevant])
    sample = boolean_sample(names, expression, n_rows, noise, random_state)
    return sample if return_concept else sample[:2]


@dataclass(frozen=True)
class NumericParity:
    """Class "1" where the product of the named columns is positive, "-1" elsewhere."""

    names: tuple[str, ...]

    def __call__(self, columns: Columns) -> TextArray:
        """Return the class of each row."""
        product = np.prod([columns[name] for name in self.names], axis=0)
        return as_labels(product > 0, ("-1", "1"))


@overload
def make_numeric_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> NumericSample: ...
@overload
def make_numeric_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedNumericSample: ...
def make_numeric_parity(
    n_relevant: int,
    n_irrelevant: int,
    n_rows: int,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> NumericSample | ExplainedNumericSample:
    """Parity of signs of numeric attributes (XOR-3D and XOR-4D of the papers).

    All attributes are uniform between -1 and 1. The class is "1" where the product of the
    relevant ones, x0, x1, ..., is positive, and "-1" elsewhere. XOR-3D has 3 irrelevant
    attributes and 200 rows, XOR-4D has 4 and 500.

    Parameters
    ----------
    n_relevant : int
        How many factors the product has, at least 1.
    n_irrelevant : int
        How many further attributes there are.
    n_rows : int
        How many rows to draw.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of float, of shape (n_rows, n_relevant + n_irrelevant)
        The rows, columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "-1" and "1", as text.
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_numeric_parity(3, 3, 200, random_state=0, return_concept=True)
    >>> X.shape, concept.rule
    ((200, 6), 'x0 * x1 * x2 > 0')
    """
    checked_integer("n_relevant", n_relevant, 1)
    checked_integer("n_irrelevant", n_irrelevant, 0)
    checked_integer("n_rows", n_rows, 1)
    random = random_generator(random_state)
    names = [f"x{number}" for number in range(n_relevant + n_irrelevant)]
    relevant = tuple(names[:n_relevant])
    sample = assemble(
        {name: random.uniform(-1.0, 1.0, size=n_rows) for name in names},
        dict.fromkeys(names),
        NumericParity(relevant),
        relevant=relevant,
        rule=" * ".join(relevant) + " > 0",
        random=random,
        class_names=("-1", "1"),
        noise=noise,
    )
    return sample if return_concept else sample[:2]


def label_categorical_parity(columns: Columns) -> TextArray:
    """Class "1" where exactly one of a1 and a2 is G or T."""
    return as_labels(np.isin(columns["a1"], ["G", "T"]) != np.isin(columns["a2"], ["G", "T"]))


@overload
def make_categorical_parity(
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_categorical_parity(
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_categorical_parity(
    n_rows: int = 16,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parity of two attributes with four values each (Categorical XOR-2 of the papers).

    There are three attributes with the values A, C, G and T. The class is "1" where exactly one
    of a1 and a2 is G or T; a3 is irrelevant.

    Parameters
    ----------
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 3)
        Texts "A", "C", "G" and "T", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_categorical_parity(random_state=0)
    >>> X.shape, sorted(set(X.flat))
    ((16, 3), ['A', 'C', 'G', 'T'])
    """
    random = random_generator(random_state)
    domains: dict[str, Domain] = dict.fromkeys(("a1", "a2", "a3"), ("A", "C", "G", "T"))
    sample = assemble(
        draw_rows(domains, n_rows, random),
        domains,
        label_categorical_parity,
        relevant=("a1", "a2"),
        rule="(a1 in {G, T}) xor (a2 in {G, T})",
        random=random,
        noise=noise,
    )
    return sample if return_concept else sample[:2]


@overload
def make_split_bias(
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_split_bias(
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_split_bias(
    n_rows: int | None = None,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parity with a tempting attribute of many values (the split-bias test of the papers).

    Of the binary attributes a1, a2 and a3 the class is a1 xor a2. The attribute a4 is A or C
    where a2 is "0" and G or T where a2 is "1": it tells no more than a2, in twice as many values.

    Parameters
    ----------
    n_rows : int or None
        How many rows to draw, uniformly and with replacement; None for each of the 16 rows once.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 4)
        Texts, columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_split_bias(random_state=0)
    >>> X.shape, int((y == "1").sum())
    ((16, 4), 8)
    """
    random = random_generator(random_state)
    bits: dict[str, Domain] = dict.fromkeys(("a1", "a2", "a3", "a4"), ("0", "1"))
    columns = every_row(bits) if n_rows is None else draw_rows(bits, n_rows, random)
    letters = np.array([["A", "C"], ["G", "T"]], dtype=np.object_)
    columns["a4"] = letters[columns["a2"].astype(np.intp), columns["a4"].astype(np.intp)]
    expression = joined("xor", ("a1", "a2"))
    sample = assemble(
        columns,
        {**bits, "a4": ("A", "C", "G", "T")},
        expression.label,
        relevant=expression.names,
        rule=str(expression),
        random=random,
        noise=noise,
    )
    return sample if return_concept else sample[:2]


@overload
def make_dear_parity(
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_dear_parity(
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_dear_parity(
    n_rows: int,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parity of the two attributes that cost most, among ten.

    The class is a9 xor a10. A look at a9 or a10 costs 6, at any of a1 to a8 costs 2: a learner
    that judges attributes one by one, per price, spends its money on the cheap and useless ones.

    Parameters
    ----------
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too; its ``test_costs`` are the prices.

    Returns
    -------
    X : ndarray of shape (n_rows, 10)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_dear_parity(100, random_state=0, return_concept=True)
    >>> {concept.feature_names[column]: concept.test_costs[column] for column in concept.relevant}
    {'a9': 6.0, 'a10': 6.0}
    """
    checked_integer("n_rows", n_rows, 1)
    names = [f"a{number}" for number in range(1, 11)]
    sample = boolean_sample(
        names,
        joined("xor", names[8:]),
        n_rows,
        noise,
        random_state,
        test_costs={name: 6.0 if name in names[8:] else 2.0 for name in names},
    )
    return sample if return_concept else sample[:2]
