"""Loading the data sets of the papers from the data folder."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from niwaki.datasets.concept import TextArray
from niwaki.datasets.manifest import (
    Attribute,
    Entry,
    File,
    data_folder,
    natural_order,
    read_checked,
    read_entry,
)
from niwaki.table import Table

Cells: TypeAlias = list[list[str]]
DISCRETE_IN_THE_PAPERS = frozenset({"balance-scale", "breast-cancer", "coil2000", "marketing"})
MISSING_TEXT = "?"


@dataclass(frozen=True, eq=False)
class Dataset:
    """A loaded data set, or a part of one.

    Parameters
    ----------
    name : str
        The name `load` was asked for.
    data : ndarray of shape (n_rows, n_columns)
        Floats, NaN where a value is missing, if all columns are numeric. Else objects: text in
        nominal columns, floats in numeric ones, None where a value is missing.
    target : ndarray of shape (n_rows,)
        The classes, as text.
    feature_names : tuple of str
        The names of the columns.
    categorical : ndarray of bool, of shape (n_columns,)
        Which columns are nominal.
    domains : tuple
        For each column its declared values, in order; None if numeric or undeclared.
    class_names : tuple of str
        All classes of the data set, in natural order, also those without a row in this part.
    missing_is_a_value : bool
        Whether an empty cell is an answer of its own rather than an unknown one.
    description : str
        Where the data come from and what is special about them.
    extra : dict or None
        Further targets by name, as text, in the order of the rows.
    costs_path : Path or None
        The file of test costs that belongs to the data set.

    Examples
    --------
    >>> from niwaki.datasets import load
    >>> load("monks-1", part="train").data.shape  # doctest: +SKIP
    (124, 6)
    """

    name: str
    data: NDArray[Any] = field(repr=False)
    target: TextArray = field(repr=False)
    feature_names: tuple[str, ...]
    categorical: NDArray[np.bool_] = field(repr=False)
    domains: tuple[tuple[str, ...] | None, ...] = field(repr=False)
    class_names: tuple[str, ...]
    missing_is_a_value: bool
    description: str = field(repr=False)
    extra: dict[str, TextArray] | None = field(repr=False)
    costs_path: Path | None

    def frame(self, library: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Give the columns, without the target, as a data frame.

        Nominal columns become Categorical (pandas), Enum (polars) or dictionary (pyarrow) columns
        of their declared values, or of the values seen in natural order if none are declared;
        missing values become what the library has for them.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}
            Whose data frame; the library must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One column for each feature name.

        Examples
        --------
        >>> from niwaki.datasets import load
        >>> frame = load("car").frame("polars")  # doctest: +SKIP
        >>> frame["doors"].dtype  # doctest: +SKIP
        Enum(categories=['2', '3', '4', '5more'])
        """
        if library not in FRAME_MAKERS:
            raise ValueError(f"library must be one of {', '.join(FRAME_MAKERS)}; it is {library!r}")
        columns = {
            name: self.data[:, position].astype(np.object_ if nominal else np.float64)
            for position, (name, nominal) in enumerate(
                zip(self.feature_names, self.categorical, strict=True)
            )
        }
        values = {
            name: seen_values(columns[name]) if domain is None else domain
            for name, domain, nominal in zip(
                self.feature_names, self.domains, self.categorical, strict=True
            )
            if nominal
        }
        return FRAME_MAKERS[library](columns, values)

    def table(self) -> Table:
        """Encode the rows, with the declared domains and classes.

        Returns
        -------
        Table
            The encoded rows, named as the columns are.

        Examples
        --------
        >>> from niwaki.datasets import load
        >>> load("monks-1", part="train").table().n_rows  # doctest: +SKIP
        124
        """
        named = zip(self.feature_names, self.domains, strict=True)
        return Table.from_frame(
            self.data,
            self.target,
            names=self.feature_names,
            categorical_features=self.categorical,
            domains={name: domain for name, domain in named if domain is not None},
            classes=self.class_names,
        )


def seen_values(column: NDArray[Any]) -> tuple[str, ...]:
    """List the values of a nominal column in natural order."""
    return tuple(sorted({value for value in column if value is not None}, key=natural_order))


def pandas_frame(columns: dict[str, NDArray[Any]], values: dict[str, tuple[str, ...]]) -> Any:
    """Build a pandas data frame; `values` has the domain of each nominal column."""
    pandas = import_module("pandas")
    return pandas.DataFrame(
        {
            name: pandas.Categorical(column, categories=list(values[name]))
            if name in values
            else column
            for name, column in columns.items()
        }
    )


def polars_frame(columns: dict[str, NDArray[Any]], values: dict[str, tuple[str, ...]]) -> Any:
    """Build a polars data frame; `values` has the domain of each nominal column."""
    polars = import_module("polars")
    return polars.DataFrame(
        [
            polars.Series(name, column.tolist(), dtype=polars.Enum(values[name]))
            if name in values
            else polars.Series(name, column, nan_to_null=True)
            for name, column in columns.items()
        ]
    )


def pyarrow_frame(columns: dict[str, NDArray[Any]], values: dict[str, tuple[str, ...]]) -> Any:
    """Build a pyarrow table; `values` has the domain of each nominal column."""
    pyarrow = import_module("pyarrow")
    arrays = {}
    for name, column in columns.items():
        if name in values:
            code = {value: number for number, value in enumerate(values[name])}
            codes = pyarrow.array(
                [None if value is None else code[value] for value in column], type=pyarrow.int32()
            )
            texts = pyarrow.array(values[name], type=pyarrow.string())
            arrays[name] = pyarrow.DictionaryArray.from_arrays(codes, texts)
        else:
            arrays[name] = pyarrow.array(column, from_pandas=True)
    return pyarrow.table(arrays)


FRAME_MAKERS = {"pandas": pandas_frame, "polars": polars_frame, "pyarrow": pyarrow_frame}


def load(
    name: str,
    part: Literal["train", "test"] | None = None,
    kinds: Literal["manifest", "paper"] = "manifest",
) -> Dataset:
    """Load a data set of the papers.

    The data folder is named by the environment variable NIWAKI_DATA; without it, it is
    ``../shared/data``. Every file must have the checksum of the manifest.

    Parameters
    ----------
    name : str
        One of `available()`.
    part : {"train", "test"} or None
        Which part of a data set that was published in two; None for all rows, those of the
        training set first.
    kinds : {"manifest", "paper"}
        How columns are read. "paper" takes balance-scale, breast-cancer, coil2000 and marketing as
        Biedrzycki and Arabas did: all columns nominal, and a missing value the value "?".

    Returns
    -------
    Dataset
        The rows, their classes and what is known of the columns.

    Examples
    --------
    >>> monks = load("monks-1", part="train")  # doctest: +SKIP
    >>> monks.feature_names  # doctest: +SKIP
    ('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
    """
    if kinds not in ("manifest", "paper"):
        raise ValueError(f"kinds must be 'manifest' or 'paper'; it is {kinds!r}")
    entry = read_entry(name)
    discrete = kinds == "paper" and name in DISCRETE_IN_THE_PAPERS
    header = [*(attribute.name for attribute in entry.attributes), entry.class_column]
    rows = [row for file in files_of(entry, part) for row in read_rows(file, header)]
    *cells, classes = (list(column) for column in zip(*rows, strict=True))
    attributes = entry.attributes
    if discrete:
        attributes = tuple(map(as_discrete, attributes, cells))
        cells = [[cell or MISSING_TEXT for cell in column] for column in cells]
    return Dataset(
        name=name,
        data=data_of(cells, attributes),
        target=np.array(classes, dtype=np.object_),
        feature_names=tuple(attribute.name for attribute in attributes),
        categorical=np.array([attribute.kind == "nominal" for attribute in attributes]),
        domains=tuple(attribute.values for attribute in attributes),
        class_names=entry.class_names,
        missing_is_a_value=entry.missing_is_a_value or discrete,
        description=entry.description,
        extra=None if entry.extra_file is None else read_extra(entry.extra_file),
        costs_path=None if entry.costs is None else (data_folder() / entry.costs).resolve(),
    )


def files_of(entry: Entry, part: str | None) -> list[File]:
    """Pick the files of a part, or say which parts there are."""
    if part is None:
        return list(entry.files)
    files = [file for file in entry.files if file.part == part and part != "all"]
    if not files:
        parts = " or ".join(repr(file.part) for file in entry.files if file.part != "all")
        raise ValueError(
            f"{entry.name} has no part {part!r}; part must be {parts + ' or ' if parts else ''}None"
        )
    return files


def read_rows(file: File, header: Sequence[str]) -> Cells:
    """Read the rows of a file whose first row must be `header`."""
    first, *rows = csv.reader(io.StringIO(read_checked(file), newline=""))
    if first != list(header):
        raise ValueError(f"{file.path}: the columns are {first}, the manifest says {list(header)}")
    return rows


def read_extra(file: File) -> dict[str, TextArray]:
    """Read a file of further targets, by name."""
    names, *rows = csv.reader(io.StringIO(read_checked(file), newline=""))
    columns = zip(*rows, strict=True)
    return {
        name: np.array(column, dtype=np.object_)
        for name, column in zip(names, columns, strict=True)
    }


def as_discrete(attribute: Attribute, column: Sequence[str]) -> Attribute:
    """Take an attribute as nominal, with a declared value for what is missing."""
    values = attribute.values
    if values is not None and "" in column:
        values = (*values, MISSING_TEXT)
    return Attribute(attribute.name, "nominal", values)


def data_of(cells: Sequence[list[str]], attributes: Sequence[Attribute]) -> NDArray[Any]:
    """Turn columns of text into one array: of floats if all are numeric, else of objects."""
    if all(attribute.kind == "numeric" for attribute in attributes):
        return np.column_stack(
            [np.array([float(cell) if cell else np.nan for cell in column]) for column in cells]
        )
    data = np.empty((len(cells[0]), len(cells)), dtype=np.object_)
    for position, (column, attribute) in enumerate(zip(cells, attributes, strict=True)):
        read = float if attribute.kind == "numeric" else str
        data[:, position] = [read(cell) if cell else None for cell in column]
    return data
