"""Cells that are Python objects: which distinct values they hold, and the code of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from niwaki.table.schema import MISSING, UNSEEN, Label, is_missing, plain


def distinct_cells(values: Sequence[Any], where: str, expected: str) -> dict[Any, Label]:
    """Return every distinct cell that is not missing, with the plain value it holds.

    Parameters
    ----------
    values : sequence
        The cells.
    where : str
        The column, for messages.
    expected : str
        What a cell must be, for messages.

    Returns
    -------
    dict
        Cells as they stand to plain Python values, in order of appearance.

    Examples
    --------
    >>> distinct_cells(["b", None, "b", np.int64(3)], "column 'x'", "a cell must be hashable")
    {'b': 'b', np.int64(3): 3}
    """
    try:
        distinct = dict.fromkeys(values)
    except TypeError:
        for row, value in enumerate(values):
            check_hashable(value, f"{where}, row {row}", expected)
        raise
    return {value: plain(value) for value in distinct if not is_missing(value)}


def check_hashable(value: Any, where: str, expected: str) -> None:
    """Raise a TypeError that says where a value stands, if it cannot be hashed."""
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"{where}: {expected}, not {type(value).__name__}") from None


def cell_codes(values: Iterable[Any], code_of: Mapping[Any, int]) -> NDArray[np.int32]:
    """Return the code of every cell, `MISSING` where there is none.

    Parameters
    ----------
    values : iterable
        The cells.
    code_of : mapping
        Codes of the cells that are not missing.

    Returns
    -------
    ndarray of int32
        One code per cell.

    Examples
    --------
    >>> cell_codes(["b", None, "a"], {"a": 0, "b": 1}).tolist()
    [1, -1, 0]
    """
    return np.array([code_of.get(value, MISSING) for value in values], dtype=np.int32)


def recode(
    codes: NDArray[Any], labels: Sequence[Label], domain: Sequence[Label]
) -> NDArray[np.int32]:
    """Translate codes into `labels` to codes into `domain`.

    Parameters
    ----------
    codes : ndarray of int
        Codes into `labels`; `MISSING` stays.
    labels, domain : sequence of hashable
        The labels that the codes stand for, and those that the result shall stand for.

    Returns
    -------
    ndarray of int32
        The new codes; `UNSEEN` where the domain lacks the label.

    Examples
    --------
    >>> recode(np.array([0, 1, -1]), ["b", "z"], ["a", "b"]).tolist()
    [1, -2, -1]
    """
    position = {label: code for code, label in enumerate(domain)}
    table = [position.get(label, UNSEEN) for label in labels]
    return np.take(np.array([*table, MISSING], dtype=np.int32), codes)
