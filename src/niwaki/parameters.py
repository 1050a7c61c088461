"""What parameters may be, and what is said when they are not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np

LARGEST_COUNT = 2**31 - 1


class Rule(Protocol):
    """What a parameter may be."""

    def allows(self, value: Any) -> bool:
        """Return whether a value keeps the rule."""

    def text(self) -> str:
        """Return the rule as the end of "the parameter must be"."""


@dataclass(frozen=True)
class OneOf:
    """One of several words.

    Parameters
    ----------
    words : sequence of str
        The words.

    Examples
    --------
    >>> OneOf(("a", "b")).allows("c")
    False
    """

    words: Sequence[str]

    def allows(self, value: Any) -> bool:
        """Return whether a value is one of the words."""
        return isinstance(value, str) and value in self.words

    def text(self) -> str:
        """Return the words."""
        return f"one of {', '.join(map(repr, self.words))}"


@dataclass(frozen=True)
class Number:
    """A finite number between two bounds.

    Parameters
    ----------
    low, high : float
        The bounds.
    above : bool, default=False
        Whether the lower bound itself is too small.
    optional : bool, default=False
        Whether None is allowed.

    Examples
    --------
    >>> Number(0, 1, above=True).text()
    'a number in (0, 1]'
    """

    low: float
    high: float = math.inf
    above: bool = False
    optional: bool = False

    def allows(self, value: Any) -> bool:
        """Return whether a value is a number between the bounds."""
        if value is None:
            return self.optional
        if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
            return False
        number = float(value)
        inside = self.low < number if self.above else self.low <= number
        return inside and number <= self.high and math.isfinite(number)

    def text(self) -> str:
        """Return the bounds."""
        low = f"{'(' if self.above else '['}{self.low}"
        bounds = f"{low}, {self.high}{']' if math.isfinite(self.high) else ')'}"
        return f"{'None or ' if self.optional else ''}a number in {bounds}"


@dataclass(frozen=True)
class Count:
    """A whole number between two bounds.

    Parameters
    ----------
    least : int
        The smallest allowed.
    optional : bool, default=True
        Whether None is allowed.
    most : int
        The largest allowed.

    Examples
    --------
    >>> Count(1).allows(0), Count(1).allows(None)
    (False, True)
    """

    least: int
    optional: bool = True
    most: int = LARGEST_COUNT

    def allows(self, value: Any) -> bool:
        """Return whether a value is a whole number in range, or None where that is allowed."""
        if value is None:
            return self.optional
        whole = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
        return whole and self.least <= int(value) <= self.most

    def text(self) -> str:
        """Return the bounds."""
        none = "None or " if self.optional else ""
        return f"{none}a whole number from {self.least} to {self.most}"


@dataclass(frozen=True)
class Truth:
    """True or False.

    Examples
    --------
    >>> Truth().allows("no")
    False
    """

    def allows(self, value: Any) -> bool:
        """Return whether a value is a truth value."""
        return isinstance(value, (bool, np.bool_))

    def text(self) -> str:
        """Return the two values."""
        return "True or False"


@dataclass(frozen=True)
class Jobs:
    """A number of workers as joblib takes it: positive, negative (counted from all), or None.

    Examples
    --------
    >>> Jobs().allows(-1), Jobs().allows(0)
    (True, False)
    """

    def allows(self, value: Any) -> bool:
        """Return whether a value is None or a whole number other than 0."""
        if value is None:
            return True
        whole = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
        return whole and value != 0

    def text(self) -> str:
        """Return what is allowed."""
        return "None or a whole number other than 0"


def check_parameter(name: str, value: Any, rule: Rule) -> None:
    """Raise a ValueError that names a parameter and its range, if it breaks its rule.

    Parameters
    ----------
    name : str
        The parameter.
    value : object
        Its value.
    rule : Rule
        What it may be.

    Examples
    --------
    >>> check_parameter("prune", "no", Truth())
    Traceback (most recent call last):
    ...
    ValueError: prune must be True or False, not 'no'
    """
    if not rule.allows(value):
        raise ValueError(f"{name} must be {rule.text()}, not {value!r}")
