"""The question at a node, and the branch that a row takes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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


EXPONENT_FROM = 1e16
"""Numbers of at least this size are written with an exponent."""


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
            The branch; None where the domain does not have the value and the question depends
            on its place there.

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
            return 0 if label_key(value) == label_key(self.value) else 1
        if self.kind == SplitKind.SUBSET:
            return 0 if label_key(value) in map(label_key, self.values) else 1
        assert self.threshold is not None
        if self.attribute.kind == "ordinal":
            value = self.attribute.code_of(value)
            if value < 0:
                return None
        return 0 if float(value) <= self.threshold else 1  # type: ignore[arg-type]  # a number

    def literals(self) -> list[str]:
        """Return one text per branch.

        Returns
        -------
        list of str
            What is true of the rows of each branch.

        Examples
        --------
        >>> Split(Attribute("width", "numeric"), SplitKind.THRESHOLD, threshold=2.5).literals()
        ['width <= 2.5', 'width > 2.5']
        """
        name = label_text(self.attribute.name)
        if self.kind == SplitKind.MULTIWAY:
            return [f"{name} = {label_text(value)}" for value in self.attribute.values]
        if self.kind == SplitKind.VALUE:
            return [f"{name} {sign} {label_text(self.value)}" for sign in ("=", "!=")]
        if self.kind == SplitKind.SUBSET:
            members = ", ".join(label_text(value) for value in self.values)
            return [f"{name} {sign} {{{members}}}" for sign in ("in", "not in")]
        return [f"{name} {sign} {self.threshold_text()}" for sign in ("<=", ">")]

    def threshold_text(self) -> str:
        """Return the cut as text: a number, or the last label below it.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> size = Attribute("size", "ordinal", ("small", "middle", "large"))
        >>> Split(size, SplitKind.THRESHOLD, threshold=1.5).threshold_text()
        'middle'
        """
        assert self.threshold is not None
        if self.attribute.kind == "ordinal":
            return label_text(self.attribute.values[int(self.threshold)])
        return number_text(self.threshold)


def label_key(label: Label) -> Hashable:
    """Return what tells labels apart: equal numbers are one label, True and 1 are two.

    Parameters
    ----------
    label : hashable
        A value or class.

    Returns
    -------
    hashable
        Its key.

    Examples
    --------
    >>> label_key(1) == label_key(1.0), label_key(1) == label_key(True)
    (True, False)
    """
    return isinstance(label, bool), label


def label_text(label: Label) -> str:
    """Return a label as a reader wants to see it, on one line.

    Parameters
    ----------
    label : hashable
        A value, class or name; None is the category of missing values.

    Returns
    -------
    str
        Its text; line breaks and other signs that do not print are escaped.

    Examples
    --------
    >>> label_text(None), label_text(2.0), label_text("x")
    ('?', '2', 'x')
    """
    if label is None:
        return "?"
    if isinstance(label, float):
        return number_text(label)
    text = str(label)
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


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
    imprecise = number != 0 and abs(float(rounded) - number) > 1e-5 * abs(number)
    if imprecise or abs(number) >= EXPONENT_FROM:
        return f"{number:.7g}"
    return "0" if rounded == "-0" else rounded


def subset_labels(attribute: Attribute, codes: Sequence[int]) -> tuple[Label, ...]:
    """Return the labels that a set of codes stands for.

    Parameters
    ----------
    attribute : Attribute
        The attribute whose domain the codes are of.
    codes : sequence of int
        Positions in the domain.

    Returns
    -------
    tuple of hashable
        The labels.

    Examples
    --------
    >>> subset_labels(Attribute("colour", "nominal", ("red", "green", "blue")), [0, 2])
    ('red', 'blue')
    """
    return tuple(attribute.values[code] for code in codes)
