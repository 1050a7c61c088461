"""What decides the class of a generated sample, in words, in columns and as a function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

TextArray: TypeAlias = NDArray[np.object_]
FloatArray: TypeAlias = NDArray[np.float64]
Columns: TypeAlias = Mapping[str, NDArray[Any]]
Domain: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Concept:
    """The concept behind a generated sample.

    The order of all tuples that speak of columns is the order of the columns of ``X``, that is,
    after the generator has shuffled them; an attribute keeps its name wherever its column goes.

    Parameters
    ----------
    feature_names : tuple of str
        The name of each column.
    relevant : tuple of int
        Positions of the columns the class depends on, ascending.
    rule : str
        The concept in words, in terms of the feature names.
    domains : tuple
        The values each column may take, in order; None for a numeric column.
    class_names : tuple of str
        The classes.
    evaluate : callable
        Takes a mapping from feature name to column and returns the noise-free classes.
        `label` does the same for rows laid out like ``X``.
    test_costs : tuple of float or None
        What it costs to look at each column, for concepts that come with prices.

    Examples
    --------
    >>> from niwaki.datasets import make_parity
    >>> X, y, concept = make_parity(2, 1, 50, noise=0.2, random_state=3, return_concept=True)
    >>> concept.rule
    'a0 xor a1'
    >>> sorted(concept.feature_names[column] for column in concept.relevant)
    ['a0', 'a1']
    >>> bool((concept.label(X) == y).all())
    False
    """

    feature_names: tuple[str, ...]
    relevant: tuple[int, ...]
    rule: str
    domains: tuple[Domain | None, ...]
    class_names: tuple[str, ...]
    evaluate: Callable[[Columns], TextArray] = field(repr=False, compare=False)
    test_costs: tuple[float, ...] | None = None

    def label(self, X: ArrayLike) -> TextArray:
        """Give the noise-free class of each row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Any rows in the layout of the sample this concept came with.

        Returns
        -------
        ndarray of shape (n_rows,)
            The classes, as text.

        Examples
        --------
        >>> from niwaki.datasets import make_parity
        >>> _, _, concept = make_parity(2, 0, 1, random_state=0, return_concept=True)
        >>> concept.label([["0", "0"], ["1", "0"], ["1", "1"]]).tolist()
        ['0', '1', '0']
        """
        numeric = all(domain is None for domain in self.domains)
        rows = np.asarray(X, dtype=np.float64 if numeric else np.object_)
        if rows.ndim != 2 or rows.shape[1] != len(self.feature_names):
            raise ValueError(
                f"X must have the {len(self.feature_names)} columns of this concept; "
                f"its shape is {rows.shape}"
            )
        columns = {name: rows[:, position] for position, name in enumerate(self.feature_names)}
        for name, domain in zip(self.feature_names, self.domains, strict=True):
            if domain is not None and not np.isin(columns[name], domain).all():
                raise ValueError(f"X: column {name!r} must hold only the texts {list(domain)}")
        return self.evaluate(columns)


TextSample: TypeAlias = tuple[TextArray, TextArray]
NumericSample: TypeAlias = tuple[FloatArray, TextArray]
ExplainedTextSample: TypeAlias = tuple[TextArray, TextArray, Concept]
ExplainedNumericSample: TypeAlias = tuple[FloatArray, TextArray, Concept]
