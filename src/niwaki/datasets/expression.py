"""Boolean expressions over columns of "0" and "1": the concepts of most generators.

They are values, not closures, so that a `Concept` can be compared, printed and pickled.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from niwaki.datasets.concept import Columns, TextArray

Truth: TypeAlias = NDArray[np.bool_]
OPERATIONS = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def as_labels(truth: Truth, names: tuple[str, str] = ("0", "1")) -> TextArray:
    """Write truth values as text, the name for false first."""
    return np.array(names, dtype=np.object_)[truth.astype(np.intp)]


class Expression(ABC):
    """A condition on a row; the class is "1" where it holds."""

    @abstractmethod
    def holds(self, columns: Columns) -> Truth:
        """Say for each row whether the expression is true."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The attributes it reads, in order of appearance."""

    def label(self, columns: Columns) -> TextArray:
        """Give the class of each row, "1" or "0"."""
        return as_labels(self.holds(columns))


@dataclass(frozen=True)
class Attribute(Expression):
    """An attribute that is true where its column holds "1"."""

    name: str

    def __str__(self) -> str:
        return self.name

    def holds(self, columns: Columns) -> Truth:
        """Return for each row whether the expression is true."""
        return np.asarray(columns[self.name] == "1", dtype=np.bool_)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, left to right."""
        return (self.name,)


@dataclass(frozen=True)
class Term(Expression):
    """Several expressions joined by one operation: "and", "or" or "xor"."""

    operation: str
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        texts = [str(part) if isinstance(part, Attribute) else f"({part})" for part in self.parts]
        return f" {self.operation} ".join(texts)

    def holds(self, columns: Columns) -> Truth:
        """Return for each row whether the expression is true."""
        return reduce(OPERATIONS[self.operation], (part.holds(columns) for part in self.parts))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, left to right."""
        return tuple(name for part in self.parts for name in part.names)


@dataclass(frozen=True)
class Choice(Expression):
    """One attribute says which of two expressions counts."""

    selector: str
    when_one: Expression
    when_zero: Expression

    def __str__(self) -> str:
        return f"if {self.selector} then ({self.when_one}) else ({self.when_zero})"

    def holds(self, columns: Columns) -> Truth:
        """Return for each row whether the expression is true."""
        return np.where(
            columns[self.selector] == "1",
            self.when_one.holds(columns),
            self.when_zero.holds(columns),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, left to right."""
        return (self.selector, *self.when_one.names, *self.when_zero.names)


def joined(operation: str, names: Sequence[str]) -> Term:
    """Join attributes by one operation.

    Examples
    --------
    >>> print(joined("xor", ["a0", "a1", "a2"]))
    a0 xor a1 xor a2
    """
    return Term(operation, tuple(Attribute(name) for name in names))


def selected(selectors: Sequence[str], parts: Sequence[Expression]) -> Expression:
    """Let selectors, read as a binary number, first bit highest, say which part counts.

    Examples
    --------
    >>> print(selected(["a0"], [Attribute("x"), Attribute("y")]))
    if a0 then (y) else (x)
    """
    if not selectors:
        return parts[0]
    half = len(parts) // 2
    return Choice(
        selectors[0],
        when_one=selected(selectors[1:], parts[half:]),
        when_zero=selected(selectors[1:], parts[:half]),
    )
