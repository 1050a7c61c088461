"""Corral: a concept beside an attribute that agrees with it often, but not always."""

from typing import Literal, overload

import numpy as np

from niwaki.datasets.concept import Domain, ExplainedTextSample, TextSample
from niwaki.datasets.drawing import Seed, assemble, draw_rows, every_row, random_generator
from niwaki.datasets.expression import Term, as_labels, joined

AGREEMENT = 0.75


@overload
def make_corral(
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_corral(
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_corral(
    n_rows: int | None = None,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Two conjunctions, an irrelevant attribute and a misleading one (John et al. 1994).

    The class is "1" where a0 and a1 are, or b0 and b1 are. The attribute "irrelevant" is random;
    "correlated" is the class (before noise) in three rows of four and wrong in the fourth.

    The 32 rows first published were picked by hand and cannot be drawn again; by default this
    gives all 32 combinations of the other five attributes, "correlated" being wrong in 8 of them.

    Parameters
    ----------
    n_rows : int or None
        How many rows to draw, with replacement, "correlated" being right with a chance of 0.75;
        None for the 32 combinations.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 6)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_corral(random_state=0, return_concept=True)
    >>> X.shape, concept.rule
    ((32, 6), '(a0 and a1) or (b0 and b1)')
    >>> correlated = X[:, concept.feature_names.index("correlated")]
    >>> int((correlated == y).sum())
    24
    """
    random = random_generator(random_state)
    names = ("a0", "a1", "b0", "b1", "irrelevant")
    domains: dict[str, Domain] = dict.fromkeys(names, ("0", "1"))
    expression = Term("or", (joined("and", names[:2]), joined("and", names[2:4])))
    if n_rows is None:
        columns = every_row(domains)
        agrees = random.permutation(32) < 32 * AGREEMENT
    else:
        columns = draw_rows(domains, n_rows, random)
        agrees = random.random(n_rows) < AGREEMENT
    columns["correlated"] = as_labels(np.equal(expression.holds(columns), agrees))
    sample = assemble(
        columns,
        {**domains, "correlated": ("0", "1")},
        expression.label,
        relevant=expression.names,
        rule=str(expression),
        random=random,
        noise=noise,
    )
    return sample if return_concept else sample[:2]
