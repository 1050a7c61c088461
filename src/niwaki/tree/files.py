"""Trees as versioned JSON, written whole or not at all, and read with suspicion."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from niwaki.splits import label_key
from niwaki.table import Schema
from niwaki.tree.nodes import NODE_TYPES, Nodes
from niwaki.tree.tree import Tree

FORMAT = "niwaki-tree"
VERSION = 1
MAX_BYTES = 2**32


def tree_to_json(tree: Tree) -> str:
    """Return a tree as JSON text.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    str
        JSON with format name, version, schema and nodes.

    Examples
    --------
    >>> from niwaki import Table, Greedy, grow
    >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
    >>> tree_from_json(tree_to_json(tree)) == tree
    True
    """
    nodes = {
        name: [None if value != value else value for value in getattr(tree.nodes, name).tolist()]
        for name in NODE_TYPES
    }
    document = {
        "format": FORMAT,
        "version": VERSION,
        "schema": tree.schema.to_json(),
        "fractional": tree.fractional,
        "nodes": nodes,
    }
    return json.dumps(document, allow_nan=False)


def tree_from_json(text: str) -> Tree:
    """Read a tree from JSON text.

    Parameters
    ----------
    text : str
        What `tree_to_json` returned.

    Returns
    -------
    Tree
        The tree; anything that is not one raises ValueError.

    Examples
    --------
    >>> tree_from_json("{}")
    Traceback (most recent call last):
    ...
    ValueError: this is not a tree written by niwaki: it has no format name 'niwaki-tree'
    """
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not a tree written by niwaki: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"this is not a tree written by niwaki: it has no format name {FORMAT!r}")
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ValueError(f"the tree file is damaged: its version is {version!r}")
    if version > VERSION:
        raise ValueError(
            f"the tree was written in version {version} of the format; this niwaki reads up to "
            f"version {VERSION}: install a newer one"
        )
    try:
        schema = Schema.from_json(document["schema"])
        _check_names(schema)
        fractional = document["fractional"]
        if not isinstance(fractional, bool):
            raise TypeError("fractional is not true or false")
        nodes = Nodes(**{name: _array(name, document["nodes"][name]) for name in NODE_TYPES})
        return Tree(schema, nodes, fractional)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"the tree file is damaged: {reason}") from None


def _check_names(schema: Schema) -> None:
    """Refuse attributes, values or classes that cannot be told apart."""
    named = {
        "attributes": tuple(attribute.name for attribute in schema.attributes),
        "classes": schema.classes,
        **{f"values of {attribute.name!r}": attribute.values for attribute in schema.attributes},
    }
    for what, labels in named.items():
        if len({label_key(label) for label in labels}) < len(labels):
            raise ValueError(f"the {what} are not distinct")
        if any(label != label for label in labels):
            raise ValueError(f"one of the {what} is not a number")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _array(name: str, values: Any) -> NDArray[Any]:
    if type(values) is not list:
        raise TypeError(f"{name} is not a list")
    if name == "counts":
        if not all(type(row) is list for row in values):
            raise TypeError("counts is not a list of lists")
        entries = [value for row in values for value in row]
    elif name == "threshold":
        entries = [value for value in values if value is not None]
        values = [np.nan if value is None else value for value in values]
    else:
        entries = values
    wanted = np.dtype(NODE_TYPES[name])
    if not {*map(type, entries)} <= ({int, float} if wanted.kind == "f" else {int}):
        raise TypeError(f"{name} holds something else than numbers of its kind")
    if wanted.kind == "f":
        return np.array(values, dtype=wanted)
    limits = np.iinfo(wanted)
    if entries and not limits.min <= min(entries) <= max(entries) <= limits.max:
        raise ValueError(f"{name} holds a number out of range")
    return np.array(values, dtype=wanted)


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file so that a reader sees the old content or the new, never a part.

    A symbolic link stays one; the file that it names is replaced.

    Parameters
    ----------
    path : path-like
        The file.
    text : str
        Its new content.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/note.txt", "hello")
    ...     Path(f"{folder}/note.txt").read_text(encoding="utf-8")
    'hello'
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent}")
    temporary = target.parent / f".{secrets.token_hex(8)}.partial"
    try:
        with temporary.open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_tree(path: str | os.PathLike[str]) -> Tree:
    """Read a tree from a file.

    Parameters
    ----------
    path : path-like
        A file that `Tree.save` wrote.

    Returns
    -------
    Tree
        The tree; the error for any other file names it.

    Examples
    --------
    >>> import tempfile
    >>> from niwaki import Table, grow
    >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tree.save(f"{folder}/tree.json")
    ...     read_tree(f"{folder}/tree.json") == tree
    True
    """
    source = Path(path)
    if source.stat().st_size > MAX_BYTES:
        raise ValueError(f"{source}: larger than any tree file ({MAX_BYTES} bytes)")
    try:
        return tree_from_json(source.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(
            f"{source}: this is not a tree written by niwaki: it is not text in UTF-8"
        ) from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
