"""Reads ARFF files into tables, with the domains that they declare."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from niwaki.table import Table

ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)
CELL = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)""")
NUMERIC = ("numeric", "real", "integer")


def read_arff(path: Path) -> Table:
    """Read a file whose last attribute is the class."""
    lines = list(lines_of(path.read_text("utf-8")))
    start = next(number for number, line in enumerate(lines) if line.lower() == "@data")
    matches = [ATTRIBUTE.fullmatch(line) for line in lines[:start]]
    declared = [(unquoted(match[1]), domain_of(match[2])) for match in matches if match]
    rows = [cells_of(line) for line in lines[start + 1 :]]
    *columns, classes = [
        [cell_of(row[position], domain) for row in rows]
        for position, (_, domain) in enumerate(declared)
    ]
    cells = np.empty((len(rows), len(columns)), dtype=object)
    for position, column in enumerate(columns):
        cells[:, position] = column
    *attributes, (_, class_names) = declared
    return Table.from_frame(
        cells,
        classes,
        names=[name for name, _ in attributes],
        domains={name: domain for name, domain in attributes if domain is not None},
        classes=class_names,
    )


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines that are neither empty nor comments."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("%"):
            yield line.strip()


def domain_of(text: str) -> tuple[str, ...] | None:
    """Return the declared values of a nominal attribute, None for a numeric one."""
    if text.lower() in NUMERIC:
        return None
    assert text.startswith("{"), f"unknown type {text}"
    assert text.endswith("}"), f"unknown type {text}"
    return tuple(unquoted(cell) for cell in cells_of(text[1:-1]))


def cells_of(line: str) -> list[str]:
    """Split a line at its commas, but not within quotes."""
    cells, place = [], 0
    while place < len(line):
        match = CELL.match(line, place)
        assert match is not None, f"unreadable line {line}"
        cells.append(match[1])
        place = match.end()
    return cells


def cell_of(text: str, domain: tuple[str, ...] | None) -> str | float | None:
    """Return the value of a cell: text, a number, or None if it is missing."""
    if text == "?":
        return None
    return float(text) if domain is None else unquoted(text)


def unquoted(text: str) -> str:
    """Return text without the quotes around it."""
    if text[:1] in ("'", '"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
