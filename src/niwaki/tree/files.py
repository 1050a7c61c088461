"""Trees as versioned JSON, written whole or not at all, and read with suspicion."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

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
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not a tree written by niwaki: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(
            f"this is not a tree written by niwaki: it has no format name {FORMAT!r}"
        )
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise ValueError(
            f"the tree was written in version {version!r} of the format; this niwaki reads up to "
            f"version {VERSION}: install a newer one"
        )
    try:
        schema = Schema.from_json(document["schema"])
        fractional = document["fractional"]
        if not isinstance(fractional, bool):
            raise TypeError("fractional is not true or false")
        nodes = Nodes(**{name: _array(name, document["nodes"][name]) for name in NODE_TYPES})
        return Tree(schema, nodes, fractional)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"the tree file is damaged: {reason}") from None


def _array(name: str, values: Any) -> np.ndarray[Any, Any]:
    wanted = NODE_TYPES[name]
    if np.issubdtype(wanted, np.floating):
        return np.array(
            [np.nan if value is None else value for value in values], dtype=wanted
        )
    array = np.array(values if values else [], dtype=np.int64 if values else wanted)
    if array.size and not all(type(value) is int for value in values):
        raise TypeError(f"{name} holds something else than whole numbers")
    if array.size and (array.min() < np.iinfo(wanted).min or array.max() > np.iinfo(wanted).max):
        raise ValueError(f"{name} holds a number out of range")
    return array.astype(wanted)


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file so that a reader sees the old content or the new, never a part.

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
    ...     open(f"{folder}/note.txt").read()
    'hello'
    """
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
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
    """
    source = Path(path)
    if source.stat().st_size > MAX_BYTES:
        raise ValueError(f"{source}: larger than any tree file ({MAX_BYTES} bytes)")
    try:
        return tree_from_json(source.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        raise ValueError(f"{source}: {error}") from None
