"""The question at a node, and the branch that a row takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from niwaki.table import Attribute, Label


class SplitKind(IntEnum):
    """The kinds of question; the numbers are those of the native core."""

    LEAF = 0
    MULTIWAY = 1
    VALUE = 2
    THRESHOLD = 3
    SUBSET = 4


@dataclass(frozen=True)
class Split:
    """A question about one attribute.

    Parameters
    ----------
    attribute : Attribute
        What is asked about.
    kind : SplitKind
        One branch per value; `= v`; `<= t`; or `in S`. The last three have two branches: yes, no.
    value : hashable, optional
        The value of `= v`.
    threshold : float, optional
        The cut of `<= t`; for an ordinal attribute between two positions of its domain.
    values : tuple of hashable, default=()
        The values of `in S`.

    Examples
    --------
    >>> colour = Attribute("colour", "nominal", ("red", "green"))
    >>> Split(colour, SplitKind.VALUE, value="red").literals()
    ['colour = red', 'colour != red']
    """

    attribute: Attribute
    kind: SplitKind
    value: Label = None
    threshold: float | None = None
    values: tuple[Label, ...] = ()

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return len(self.attribute.values) if self.kind == SplitKind.MULTIWAY else 2

    def branch(self, value: Label) -> int | None:
        """Return the branch that a present value takes.

        Parameters
        ----------
        value : hashable
            A value of the attribute: a label, or a number for a numeric attribute.

        Returns
        -------
        int or None
            The branch; None where one branch per value has none for this one.

        Examples
        --------
        >>> width = Attribute("width", "numeric")
        >>> Split(width, SplitKind.THRESHOLD, threshold=2.5).branch(3.0)
        1
        """
        if self.kind == SplitKind.MULTIWAY:
            code = self.attribute.code_of(value)
            return code if code >= 0 else None
        if self.kind == SplitKind.VALUE:
            return 0 if value == self.value else 1
        if self.kind == SplitKind.SUBSET:
            return 0 if value in self.values else 1
        assert self.threshold is not None
        number = self.attribute.code_of(value) if self.attribute.kind == "ordinal" else value
        return 0 if float(number) <= self.threshold else 1  # type: ignore[arg-type]

    def literals(self) -> list[str]:
        """Return one text per branch, such as `width <= 2.5` and `width > 2.5`."""
        name = self.attribute.name
        if self.kind == SplitKind.MULTIWAY:
            return [f"{name} = {label_text(value)}" for value in self.attribute.values]
        if self.kind == SplitKind.VALUE:
            return [f"{name} {sign} {label_text(self.value)}" for sign in ("=", "!=")]
        if self.kind == SplitKind.SUBSET:
            members = ", ".join(label_text(value) for value in self.values)
            return [f"{name} {sign} {{{members}}}" for sign in ("in", "not in")]
        return [f"{name} {sign} {self.threshold_text()}" for sign in ("<=", ">")]

    def threshold_text(self) -> str:
        """Return the cut as text: a number, or the last label below it."""
        assert self.threshold is not None
        if self.attribute.kind == "ordinal":
            return label_text(self.attribute.values[int(self.threshold)])
        return number_text(self.threshold)


def label_text(label: Label) -> str:
    """Return a label as a reader wants to see it.

    Parameters
    ----------
    label : hashable
        A value or class; None is the category of missing values.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> label_text(None), label_text(2.0), label_text("x")
    ('?', '2', 'x')
    """
    if label is None:
        return "?"
    if isinstance(label, float):
        return number_text(label)
    return str(label)


def number_text(number: float) -> str:
    """Return a number with up to six significant places after the point, without trailing zeros.

    Parameters
    ----------
    number : float
        Any finite number.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> number_text(2.0), number_text(0.1234567), number_text(1e-9)
    ('2', '0.123457', '1e-09')
    """
    rounded = f"{number:.6f}".rstrip("0").rstrip(".")
    if number != 0 and abs(float(rounded) - number) > 1e-5 * abs(number):
        return f"{number:.7g}"
    return "0" if rounded == "-0" else rounded


def subset_labels(attribute: Attribute, codes: Sequence[int]) -> tuple[Label, ...]:
    """Return the labels that a set of codes stands for."""
    return tuple(attribute.values[code] for code in codes)
