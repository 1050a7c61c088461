"""Checks of parameters: errors that name the parameter and say what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise unless a parameter is one of a few words.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        What was given.
    choices : iterable of str
        What would be right.

    Examples
    --------
    >>> check_choice("smoothing", "some", ("none", "laplace"))
    Traceback (most recent call last):
    ...
    ValueError: smoothing must be one of ('none', 'laplace'), not 'some'
    """
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {known}, not {value!r}")


def check_count(name: str, value: Any, least: int) -> None:
    """Raise unless a parameter is None or a whole number that is large enough.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : object
        What was given.
    least : int
        The smallest number allowed.

    Examples
    --------
    >>> check_count("max_depth", -1, least=0)
    Traceback (most recent call last):
    ...
    ValueError: max_depth must be None or a whole number of at least 0, not -1
    """
    if value is None:
        return
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(
            f"{name} must be None or a whole number of at least {least}, not {value!r}"
        )
