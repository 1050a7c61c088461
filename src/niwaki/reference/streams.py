"""Random numbers that depend on names alone, and the names of sets of rows."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
OTHER_HALF = 0x6A09E667F3BCC908
NAN_BITS = 0x7FF8000000000000

NO_LIMIT = MASK
"""Stands in names for a remaining depth without a limit."""

NO_CONTEXT = 0
"""Stands in names for what the path above says about costs: nothing."""

SAMPLE_TREES, CUT_DRAWS, SKEWED_WEIGHTS = 1, 2, 3
"""What a stream is for."""


def mixed(value: int) -> int:
    """Return a number of 64 bits that looks unlike the given one.

    Parameters
    ----------
    value : int
        Any integer; it counts modulo 2^64.

    Returns
    -------
    int
        From 0 to 2^64 - 1, another one for each.

    Examples
    --------
    >>> hex(mixed(0))
    '0xe220a8397b1dcdaf'
    """
    value = (value + GOLDEN) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class Stream:
    """Uniform random numbers, a pure function of a name.

    Parameters
    ----------
    *name : int
        The parts of the name, each modulo 2^64.

    Examples
    --------
    >>> Stream(1, 2).uniform() == Stream(1, 2).uniform()
    True
    >>> Stream(1, 2).next() == Stream(2, 1).next()
    False
    """

    def __init__(self, *name: int) -> None:
        self._state = 0
        for part in name:
            self._state = mixed(self._state ^ mixed(part))

    def next(self) -> int:
        """Return the next 64 bits."""
        self._state = (self._state + GOLDEN) & MASK
        return mixed(self._state)

    def uniform(self) -> float:
        """Return the next number of at least 0 and less than 1, with 53 bits."""
        return (self.next() >> 11) * 2.0**-53

    def below(self, limit: int) -> int:
        """Return a whole number of at least 0 and less than a limit, from one uniform number."""
        return int(self.uniform() * limit)

    def position(self, weights: list[float]) -> int:
        """Return a position with a probability proportional to its weight.

        Parameters
        ----------
        weights : list of float
            At least one is positive.

        Returns
        -------
        int
            The first place where the sum so far exceeds a uniform share of the whole sum; the
            last place if none does.

        Examples
        --------
        >>> Stream(7).position([0.0, 1.0, 0.0])
        1
        """
        whole = 0.0
        for weight in weights:
            whole += weight
        target = self.uniform() * whole
        so_far = 0.0
        for place, weight in enumerate(weights):
            so_far += weight
            if so_far > target:
                return place
        return len(weights) - 1


def stream_of_node(
    seed: int, purpose: int, fingerprint: int, remaining: int | None, number: int
) -> Stream:
    """Return the stream for something random about the rows at a node.

    Parameters
    ----------
    seed : int
        What the user chose.
    purpose : int
        What the stream is for.
    fingerprint : int
        Name of the rows, of 128 bits.
    remaining : int or None
        How many questions may still follow on a path; None without a limit.
    number : int
        Which of the streams for this purpose.

    Returns
    -------
    Stream
        The stream.

    Examples
    --------
    >>> stream_of_node(0, SAMPLE_TREES, 5, None, 0).below(1)
    0
    """
    depth = NO_LIMIT if remaining is None else remaining
    low, high = fingerprint & MASK, fingerprint >> 64
    return Stream(seed, purpose, low, high, NO_CONTEXT, depth, number)


def row_fingerprint(cells: Iterable[float], class_code: int) -> int:
    """Return the name of one row of weight 1; the sum over some rows names the rows.

    Parameters
    ----------
    cells : iterable of float
        Codes (int) and numbers (float), attribute by attribute.
    class_code : int
        Class of the row.

    Returns
    -------
    int
        A number of 128 bits.

    Examples
    --------
    >>> row_fingerprint([0, -0.0], 1) == row_fingerprint([0, 0.0], 1)
    True
    """
    content = 0
    for cell in cells:
        content = mixed(content ^ mixed(bits_of(cell)))
    content = mixed(content ^ mixed(class_code))
    return (mixed(content ^ OTHER_HALF) << 64) | mixed(content)


def bits_of(cell: float) -> int:
    """Return the 64 bits that stand for a cell: its code, or the number as IEEE 754 stores it."""
    if isinstance(cell, int):
        return cell
    if math.isnan(cell):
        return NAN_BITS
    bits: int = struct.unpack("<Q", struct.pack("<d", cell + 0.0))[0]
    return bits
