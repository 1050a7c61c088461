"""What measurements and errors cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from niwaki.table import Label, Schema


@dataclass(frozen=True)
class Costs:
    """Prices of attributes and costs of errors.

    Parameters
    ----------
    tests : mapping of str to float, optional
        Price of measuring each attribute, by name; an attribute without a price is free. An
        attribute is paid for once, however often a path asks about it.
    errors : float or mapping of (actual, predicted) to float, default=1.0
        Cost of predicting `predicted` where the class is `actual`. A single number is the cost of
        every error; a pair that the mapping lacks costs nothing.

    Examples
    --------
    >>> costs = Costs(tests={"glucose": 17.61}, errors={("sick", "healthy"): 1000})
    >>> costs.tests["glucose"]
    17.61
    """

    tests: Mapping[str, float] = field(default_factory=dict)
    errors: float | Mapping[tuple[Label, Label], float] = 1.0

    def __post_init__(self) -> None:
        """Check every amount and keep copies of the mappings."""
        if not isinstance(self.tests, Mapping) or not all(
            isinstance(name, str) for name in self.tests
        ):
            raise TypeError(f"tests must map names of attributes to prices, not {self.tests!r}")
        for name, price in self.tests.items():
            _check_amount(price, f"the price of attribute {name!r}")
        object.__setattr__(self, "tests", dict(self.tests))
        if isinstance(self.errors, Mapping):
            object.__setattr__(self, "errors", dict(self.errors))
            for pair, cost in self.errors.items():
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ValueError(f"errors: {pair!r} is not a pair (actual, predicted)")
                _check_amount(cost, f"the cost of predicting {pair[1]!r} for {pair[0]!r}")
        else:
            _check_amount(self.errors, "the cost of an error")

    def prices(self, schema: Schema) -> NDArray[np.float64]:
        """Return one price per attribute of a schema.

        Parameters
        ----------
        schema : Schema
            The attributes.

        Returns
        -------
        ndarray of float64 of shape (n_attributes,)
            The prices, 0 where none is given.

        Examples
        --------
        >>> from niwaki.table import Attribute
        >>> Costs(tests={"a": 2}).prices(Schema((Attribute("a", "numeric"),), ()))
        array([2.])
        """
        prices = np.zeros(schema.n_attributes)
        for name, price in self.tests.items():
            prices[schema.index_of(name)] = price
        return prices

    def error_matrix(self, schema: Schema) -> NDArray[np.float64]:
        """Return the cost of every error, rows the actual and columns the predicted class.

        Parameters
        ----------
        schema : Schema
            The classes.

        Returns
        -------
        ndarray of float64 of shape (n_classes, n_classes)
            Zero on the diagonal unless the mapping says otherwise.

        Examples
        --------
        >>> Costs(errors=5).error_matrix(Schema((), ("no", "yes")))
        array([[0., 5.],
               [5., 0.]])
        """
        if not isinstance(self.errors, Mapping):
            matrix = np.full((schema.n_classes, schema.n_classes), float(self.errors))
            np.fill_diagonal(matrix, 0.0)
            return matrix
        matrix = np.zeros((schema.n_classes, schema.n_classes))
        position = {label: code for code, label in enumerate(schema.classes)}
        for (actual, predicted), cost in self.errors.items():
            for label in (actual, predicted):
                if label not in position:
                    raise ValueError(
                        f"errors names the class {label!r}; the classes are {schema.classes}"
                    )
            matrix[position[actual], position[predicted]] = cost
        return matrix


def _check_amount(amount: Any, what: str) -> None:
    number = isinstance(amount, Real) and not isinstance(amount, (bool, np.bool_))
    if not number or not math.isfinite(amount) or amount < 0:
        raise ValueError(f"{what} must be a finite number of at least 0, not {amount!r}")
