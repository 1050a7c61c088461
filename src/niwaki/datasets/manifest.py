"""The manifest of the data folder: which data sets there are and what their files must hold."""

import difflib
import gzip
import hashlib
import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_FOLDER = "../shared/data"


@dataclass(frozen=True)
class Attribute:
    """One column: its name, "nominal" or "numeric", and its declared values if it has any."""

    name: str
    kind: str
    values: tuple[str, ...] | None


@dataclass(frozen=True)
class File:
    """A stored file, the part of the data set it holds, and its checksum."""

    path: str
    part: str
    sha256: str


@dataclass(frozen=True)
class Entry:
    """What the manifest says of one data set."""

    name: str
    attributes: tuple[Attribute, ...]
    class_column: str
    class_names: tuple[str, ...]
    files: tuple[File, ...]
    extra_file: File | None
    costs: str | None
    missing_is_a_value: bool
    description: str


def data_folder() -> Path:
    """Find the data folder: the environment variable NIWAKI_DATA, or ../shared/data."""
    folder = Path(os.environ.get("NIWAKI_DATA", DEFAULT_FOLDER))
    if not (folder / "manifest.json").is_file():
        raise FileNotFoundError(
            f"there is no data folder with a manifest.json at {str(folder)!r}; "
            "set the environment variable NIWAKI_DATA to the folder that holds the data sets"
        )
    return folder


def natural_order(text: str) -> tuple[bool, float, str]:
    """Sort key: numbers by value, then other text by code point."""
    try:
        number = float(text)
    except ValueError:
        return (True, 0.0, text)
    return (False, number, text) if math.isfinite(number) else (True, 0.0, text)


def read_entries() -> dict[str, dict[str, Any]]:
    """Read the raw entries of the manifest, by name of the data set."""
    text = (data_folder() / "manifest.json").read_text(encoding="utf-8")
    entries: dict[str, dict[str, Any]] = json.loads(text)["datasets"]
    return entries


def available() -> tuple[str, ...]:
    """List the names that `load` knows.

    Returns
    -------
    tuple of str
        The names, in the order of the manifest.

    Examples
    --------
    >>> names = available()  # doctest: +SKIP
    >>> "monks-1" in names  # doctest: +SKIP
    True
    """
    return tuple(read_entries())


def read_entry(name: str) -> Entry:
    """Look a data set up, or say which names come close."""
    entries = read_entries()
    if name not in entries:
        close = difflib.get_close_matches(name, entries, n=3)
        hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
        raise ValueError(f"there is no data set {name!r}; {hint}there are: {', '.join(entries)}")
    raw = entries[name]
    extra = raw.get("extra_file")
    return Entry(
        name=name,
        attributes=attributes_of(raw),
        class_column=raw["class"]["column"],
        class_names=tuple(sorted(raw["class"]["counts"], key=natural_order)),
        files=tuple(File(file["file"], file["part"], file["sha256"]) for file in raw["files"]),
        extra_file=None if extra is None else File(extra["file"], "extra", extra["sha256"]),
        costs=raw.get("test_costs"),
        missing_is_a_value=raw["missing_is_a_value"],
        description=" ".join(
            f"{text.rstrip('. ')}." for text in (raw["origin"], raw["notes"]) if text
        ),
    )


def attributes_of(raw: dict[str, Any]) -> tuple[Attribute, ...]:
    """Read the attributes of an entry; binarized data sets only give their number."""
    if isinstance(raw["attributes"], str):
        names = (f"f{number}" for number in range(raw["n_attributes"]))
        return tuple(Attribute(name, "nominal", ("0", "1")) for name in names)
    return tuple(
        Attribute(
            attribute["name"],
            attribute["kind"],
            tuple(attribute["values"]) if "values" in attribute else None,
        )
        for attribute in raw["attributes"]
    )


def read_checked(file: File) -> str:
    """Read a file as text after its bytes, as stored, have passed the checksum."""
    path = data_folder() / file.path
    stored = path.read_bytes()
    found = hashlib.sha256(stored).hexdigest()
    if found != file.sha256:
        raise ValueError(
            f"{path} is not the file of the manifest: its sha256 is {found}, "
            f"it should be {file.sha256}"
        )
    content = gzip.decompress(stored) if path.suffix == ".gz" else stored
    return content.decode("utf-8")
