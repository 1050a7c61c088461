"""Strategies that draw small tables and the options of growth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from niwaki import Greedy, Table, Tree, grow

VALUES = ("a", "b", "c")
CLASSES = (0, 1, 2)


@dataclass(frozen=True)
class Rows:
    """Cells, classes and whole weights, before they are encoded."""

    cells: NDArray[Any]
    classes: NDArray[np.int64]
    weights: NDArray[np.float64]

    def table(self, order: Any = slice(None), names: list[str] | None = None) -> Table:
        """Encode the rows in an order."""
        names = names or [f"x{at}" for at in range(self.cells.shape[1])]
        nominal = [name for name, cell in zip(names, self.nominal, strict=True) if cell]
        return Table.from_frame(
            self.cells[order],
            self.classes[order],
            weights=self.weights[order],
            names=names,
            domains=dict.fromkeys(nominal, VALUES),
            classes=CLASSES,
        )

    @property
    def nominal(self) -> list[bool]:
        """Whether each column holds text; columns of missing cells alone are numeric."""
        return [any(isinstance(cell, str) for cell in column) for column in self.cells.T]


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    """Draw up to 25 rows of up to 4 columns; every column has at least one present cell."""
    n_rows = draw(st.integers(2, 25))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            present: Any = st.sampled_from(VALUES)
        else:
            present = st.integers(-3, 3).map(lambda number: number / 4)
        cell = draw(st.sampled_from([present, st.none() | present]))
        column = draw(st.lists(cell, min_size=n_rows, max_size=n_rows))
        column[0] = draw(present)
        columns.append(np.array(column, dtype=object))
    whole = st.integers(1, 3)
    return Rows(
        np.column_stack(columns),
        np.array(draw(st.lists(st.sampled_from(CLASSES), min_size=n_rows, max_size=n_rows))),
        np.array(draw(st.lists(whole, min_size=n_rows, max_size=n_rows)), dtype=float),
    )


@dataclass(frozen=True)
class Options:
    """How a tree is grown."""

    chooser: Greedy
    rest: dict[str, Any]

    def grow(self, table: Table) -> Tree:
        """Grow a tree so."""
        return grow(table, self.chooser, **self.rest)


@st.composite
def options(draw: st.DrawFn) -> Options:
    """Draw a measure, rules and styles."""
    measure = draw(st.sampled_from(["gain", "gain_ratio", "gini", "km_distance"]))
    return Options(
        Greedy(measure, rules=draw(st.sampled_from(["id3", "c45"]))),
        {
            "nominal_splits": draw(st.sampled_from(["multiway", "value", "auto"])),
            "threshold": draw(st.sampled_from(["midpoint", "value", "training"])),
            "missing": draw(st.sampled_from(["category", "fraction"])),
            "max_depth": draw(st.none() | st.integers(0, 3)),
            "min_leaf": draw(st.none() | st.sampled_from([1.0, 2.5])),
        },
    )
