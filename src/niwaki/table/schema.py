"""What the columns of a table mean: attributes, their domains, and the classes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import numpy as np

Label = Hashable
Kind = Literal["nominal", "numeric", "ordinal"]

MISSING = -1
"""Code of a missing nominal value."""
UNSEEN = -2
"""Code of a nominal value that is not in the domain."""


@dataclass(frozen=True)
class Attribute:
    """One column: its name, its kind and, where it has one, its domain.

    Parameters
    ----------
    name : str
        Name of the column.
    kind : {"nominal", "numeric", "ordinal"}
        Nominal values are codes into `values`; numeric values are numbers; ordinal values are
        numbers too, the positions in the ordered domain `values`.
    values : tuple of hashable, default=()
        The domain, in order. A last value of None stands for "missing", where missing values are
        a category of their own.

    Examples
    --------
    >>> Attribute("colour", "nominal", ("red", "green")).code_of("green")
    1
    """

    name: str
    kind: Kind
    values: tuple[Label, ...] = ()

    @property
    def is_nominal(self) -> bool:
        """Whether the values are codes without an order."""
        return self.kind == "nominal"

    @property
    def missing_is_value(self) -> bool:
        """Whether missing values are the last value of the domain."""
        return self.is_nominal and bool(self.values) and self.values[-1] is None

    def code_of(self, value: Label) -> int:
        """Return the code of a value, `UNSEEN` if the domain does not have it.

        Parameters
        ----------
        value : hashable
            A value of the column.

        Returns
        -------
        int
            Position in the domain.

        Examples
        --------
        >>> Attribute("colour", "nominal", ("red", "green")).code_of("blue")
        -2
        """
        try:
            return self.values.index(value)
        except ValueError:
            return UNSEEN

    def with_missing_value(self) -> Attribute:
        """Return the attribute with "missing" as a further value of its domain."""
        if self.missing_is_value:
            return self
        return Attribute(self.name, self.kind, (*self.values, None))


@dataclass(frozen=True)
class Schema:
    """The attributes and classes that rows are encoded by.

    Parameters
    ----------
    attributes : tuple of Attribute
        The columns, in order.
    classes : tuple of hashable
        The class labels, in order; a class may be declared without occurring.

    Examples
    --------
    >>> Schema((Attribute("x0", "numeric"),), ("no", "yes")).n_classes
    2
    """

    attributes: tuple[Attribute, ...]
    classes: tuple[Label, ...]

    @property
    def n_attributes(self) -> int:
        """Number of columns."""
        return len(self.attributes)

    @property
    def n_classes(self) -> int:
        """Number of classes, declared ones included."""
        return len(self.classes)

    def index_of(self, name: str) -> int:
        """Return the position of the attribute with this name.

        Parameters
        ----------
        name : str
            Name of a column.

        Returns
        -------
        int
            Its position.

        Examples
        --------
        >>> Schema((Attribute("x0", "numeric"), Attribute("x1", "numeric")), ()).index_of("x1")
        1
        """
        for position, attribute in enumerate(self.attributes):
            if attribute.name == name:
                return position
        known = ", ".join(repr(attribute.name) for attribute in self.attributes[:10])
        raise ValueError(f"there is no attribute {name!r}; the table has {known}")

    def to_json(self) -> dict[str, Any]:
        """Return the schema as JSON-ready lists and dicts, every label with its type."""
        return {
            "attributes": [
                {
                    "name": attribute.name,
                    "kind": attribute.kind,
                    "values": [tag_label(value) for value in attribute.values],
                }
                for attribute in self.attributes
            ],
            "classes": [tag_label(label) for label in self.classes],
        }

    @staticmethod
    def from_json(document: dict[str, Any]) -> Schema:
        """Read what `to_json` wrote.

        Parameters
        ----------
        document : dict
            The schema part of a model file.

        Returns
        -------
        Schema
            The schema.

        Examples
        --------
        >>> schema = Schema((Attribute("x0", "nominal", ("a", None)),), (False, True))
        >>> Schema.from_json(schema.to_json()) == schema
        True
        """
        attributes = []
        for entry in document["attributes"]:
            if entry["kind"] not in ("nominal", "numeric", "ordinal"):
                raise ValueError(f"unknown kind of attribute {entry['kind']!r}")
            if not isinstance(entry["name"], str):
                raise ValueError("an attribute's name must be text")
            values = tuple(untag_label(value) for value in entry["values"])
            attributes.append(Attribute(entry["name"], entry["kind"], values))
        return Schema(tuple(attributes), tuple(untag_label(label) for label in document["classes"]))


def tag_label(label: Label) -> list[Any]:
    """Return a label with its type, as a pair that JSON can carry.

    Parameters
    ----------
    label : hashable scalar
        Text, whole number, number, truth value or None.

    Returns
    -------
    list
        Type name and value.

    Examples
    --------
    >>> tag_label(3), tag_label("3"), tag_label(True)
    (['int', 3], ['str', '3'], ['bool', True])
    """
    label = plain(label)
    if label is None:
        return ["none", None]
    if isinstance(label, bool):
        return ["bool", label]
    if isinstance(label, int):
        return ["int", label]
    if isinstance(label, float):
        return ["float", label.hex()]
    if isinstance(label, str):
        return ["str", label]
    raise TypeError(
        f"the label {label!r} of type {type(label).__name__} cannot be written to a file; "
        "use text, numbers or truth values"
    )


def untag_label(pair: Sequence[Any]) -> Label:
    """Return the label that `tag_label` wrote.

    Parameters
    ----------
    pair : sequence
        Type name and value.

    Returns
    -------
    hashable
        The label.

    Examples
    --------
    >>> untag_label(["int", 3])
    3
    """
    kind, value = pair
    expected = {"none": type(None), "bool": bool, "int": int, "float": str, "str": str}
    if kind not in expected or type(value) is not expected[kind]:
        raise ValueError(f"not a label with its type: {pair!r}")
    label: Label = float.fromhex(str(value)) if kind == "float" else value
    return label


def plain(value: Any) -> Any:
    """Return a numpy scalar as the Python value it holds, anything else unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def whole(value: Any) -> Any:
    """Return a float that is a whole number as an int, anything else unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_missing(value: Any) -> bool:
    """Return whether a cell is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    if isinstance(value, (str, bytes)):
        return False
    if isinstance(value, (float, Decimal)):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType") or bool(
        isinstance(value, np.generic) and value != value
    )


def natural_order(values: Iterable[Label]) -> list[Label]:
    """Sort labels: numbers by value, then text by code point, then anything else by its text.

    Parameters
    ----------
    values : iterable of hashable
        Distinct labels.

    Returns
    -------
    list
        The labels in natural order.

    Examples
    --------
    >>> natural_order(["b", 10, "a", 9])
    [9, 10, 'a', 'b']
    """

    def key(value: Label) -> tuple[int, Any]:
        if isinstance(value, (bool, int, float)):
            return (0, value)
        if isinstance(value, str):
            return (1, value)
        return (2, repr(value))

    return sorted(values, key=key)
