"""Trees as JSON and as files: exact, atomic, and refused with a reason where they are damaged."""

import copy
import json
import os
import random
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import niwaki
from niwaki import Attribute, Schema, Table, Tree, grow
from niwaki.tree import files, leaf_nodes
from niwaki.tree.files import tree_from_json, write_atomically

from .making import SIZE, WIDTH, grown, hand_made

DAMAGES = 2000


def assert_identical(first: Tree, second: Tree) -> None:
    """Every array entry, name and label is the same, labels with their types."""
    assert first == second
    assert first.schema == second.schema
    assert repr(first.schema) == repr(second.schema)
    assert first.fractional == second.fractional
    for one, other in zip(first.nodes.arrays(), second.nodes.arrays(), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


@pytest.mark.parametrize("fractional", [False, True])
def test_every_kind_of_question_goes_round(fractional: bool) -> None:
    """Multiway, ordinal, numeric, subset and value questions come back from JSON exactly."""
    tree = hand_made(fractional=fractional)
    assert_identical(Tree.from_json(tree.to_json()), tree)


@pytest.mark.parametrize("missing", ["category", "fraction"])
@pytest.mark.parametrize("seed", range(3))
def test_grown_trees_go_round(missing: str, seed: int) -> None:
    """Grown trees come back from JSON exactly."""
    tree = grown(seed, missing)
    assert_identical(Tree.from_json(tree.to_json()), tree)


LABELS = [
    ("text", "", "ü \n \ud800 \x00 \"'"),
    (0, 1, -(2**70)),
    (0.1, 1e-320, 1e308),
    (False, True, None),
    (1, "1", "None"),
]


@pytest.mark.parametrize("labels", LABELS, ids=repr)
def test_labels_keep_their_types(labels: tuple[Any, ...]) -> None:
    """Values and classes of every type come back as they were."""
    schema = Schema((Attribute("colour", "nominal", labels), WIDTH, SIZE), labels[:2])
    assert_identical(Tree.from_json(hand_made(schema).to_json()), hand_made(schema))


def test_dates_are_no_labels() -> None:
    """A label that JSON cannot carry is refused before anything is written."""
    schema = Schema((), (np.datetime64("2020-01-01"), "b"))
    with pytest.raises(TypeError, match="cannot be written"):
        Tree(schema, leaf_nodes(np.ones(2))).to_json()


def test_extreme_numbers_go_round() -> None:
    """The largest, smallest and least round numbers come back exactly."""
    for number in (5e-324, 1.7976931348623157e308, -0.1, np.nextafter(1.0, 2.0)):
        nodes = hand_made().nodes
        arrays = {name: getattr(nodes, name) for name in nodes.__dataclass_fields__}
        arrays["threshold"] = arrays["threshold"].copy()
        arrays["threshold"][4] = number
        tree = Tree(hand_made().schema, type(nodes)(**arrays))
        assert_identical(Tree.from_json(tree.to_json()), tree)


def test_save_and_load(tmp_path: Path) -> None:
    """`save` writes what `Tree.load` and `niwaki.load` read."""
    path = tmp_path / "tree.json"
    hand_made().save(path)
    assert_identical(niwaki.load(path), hand_made())
    assert_identical(Tree.load(str(path)), hand_made())
    assert [entry.name for entry in tmp_path.iterdir()] == ["tree.json"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_files_have_the_usual_permissions(tmp_path: Path, mask: int) -> None:
    """A new file may be read and written by whom the process's mask allows."""
    before = os.umask(mask)
    try:
        hand_made().save(tmp_path / "tree.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "tree.json").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """If writing fails, the old file is still there, whole, and nothing is left beside it."""
    path = tmp_path / "tree.json"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(OSError, match="no space left"):
        hand_made().save(path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["tree.json"]


def test_text_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    """A text that UTF-8 cannot hold leaves the old file."""
    path = tmp_path / "note.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["note.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Saving through a symbolic link replaces the file that it names."""
    try:
        (tmp_path / "link.json").symlink_to(tmp_path / "tree.json")
    except OSError:
        pytest.skip("no symbolic links here")
    hand_made().save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert niwaki.load(tmp_path / "tree.json") == hand_made()


def test_no_folder(tmp_path: Path) -> None:
    """Saving into a folder that is not there names the folder; loading names the file."""
    with pytest.raises(FileNotFoundError, match="nowhere"):
        hand_made().save(tmp_path / "nowhere" / "tree.json")
    with pytest.raises(FileNotFoundError, match=r"tree\.json"):
        niwaki.load(tmp_path / "tree.json")


def document() -> dict[str, Any]:
    """Return the JSON document of the hand-made tree."""
    return json.loads(hand_made().to_json())


def refused(tmp_path: Path, content: bytes | str) -> str:
    """Load a file that must be refused; return the reason."""
    path = tmp_path / "model.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=r"model\.json: ") as caught:
        niwaki.load(path)
    assert caught.type is ValueError
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "null",
        "[]",
        "7",
        '"niwaki-tree"',
        '{"format": "other"}',
        "<?xml version='1.0'?>",
        "{'format': 'niwaki-tree'}",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        '{"format": "niwaki-tree", "version": NaN}',
        b"\x80\x04\x95\x00\x00",
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b"PK\x03\x04" + bytes(range(256)),
        bytes(1000),
    ],
    ids=lambda content: repr(content[:20]),
)
def test_foreign_files(tmp_path: Path, content: bytes | str) -> None:
    """Anything that is not a tree of ours is refused as such."""
    assert "not a tree written by niwaki" in refused(tmp_path, content)


def test_random_bytes(tmp_path: Path) -> None:
    """Random bytes are refused."""
    generator = random.Random(0)
    for length in (1, 2, 7, 100, 10_000):
        for _ in range(20):
            refused(tmp_path, generator.randbytes(length))


def test_newer_version(tmp_path: Path) -> None:
    """A file of a newer version says that a newer niwaki is needed."""
    assert "install a newer one" in refused(tmp_path, json.dumps({**document(), "version": 2}))


@pytest.mark.parametrize("version", [None, "1", 1.0, True, 0, -1, [1]])
def test_strange_versions(tmp_path: Path, version: Any) -> None:
    """A version that is none is a damage."""
    assert "damaged" in refused(tmp_path, json.dumps({**document(), "version": version}))


def test_truncated_files(tmp_path: Path) -> None:
    """A file cut off anywhere is refused."""
    text = hand_made().to_json()
    for length in range(0, len(text) - 1, 7):
        refused(tmp_path, text[:length])


def test_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused before it is read."""
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    assert "larger" in refused(tmp_path, hand_made().to_json())


def test_missing_parts(tmp_path: Path) -> None:
    """A file that lacks a part says which."""
    for name in ("schema", "fractional", "nodes"):
        parts = document()
        del parts[name]
        assert f"lacks '{name}'" in refused(tmp_path, json.dumps(parts))
    for name in document()["nodes"]:
        parts = document()
        del parts["nodes"][name]
        assert f"lacks '{name}'" in refused(tmp_path, json.dumps(parts))


WRONG = [None, True, 1, 1.5, "x", "1", {}, {"0": 0}, [[]], [None], ["1"], [True], [[1]], [1.5]]


@pytest.mark.parametrize("name", list(document()["nodes"]))
def test_wrong_types_of_arrays(tmp_path: Path, name: str) -> None:
    """An array of another type or shape is refused."""
    for wrong in WRONG:
        parts = document()
        parts["nodes"][name] = wrong
        refused(tmp_path, json.dumps(parts))


@pytest.mark.parametrize("name", ["schema", "fractional", "nodes"])
def test_wrong_types_of_parts(tmp_path: Path, name: str) -> None:
    """A part of another type is refused."""
    for wrong in [*WRONG, [], 10**30]:
        if name == "fractional" and isinstance(wrong, bool):
            continue
        refused(tmp_path, json.dumps({**document(), name: wrong}))


@pytest.mark.parametrize(
    ("way", "entry"),
    [
        (("attributes", 0, "name"), "width"),
        (("attributes", 0, "values", 0), ["str", "blue"]),
        (("attributes", 0, "values", 0), ["float", "nan"]),
        (("classes", 0), ["str", "yes"]),
        (("classes", 0), ["float", "nan"]),
    ],
)
def test_names_must_tell_apart(tmp_path: Path, way: tuple[Any, ...], entry: Any) -> None:
    """Two columns, values or classes of one name are refused, and so is NaN."""
    parts = document()
    place = parts["schema"]
    for key in way[:-1]:
        place = place[key]
    place[way[-1]] = entry
    assert "damaged: " in refused(tmp_path, json.dumps(parts))


HUGE = [10**30, -(10**30), 2**63, 2**31, -(2**31) - 1, 256, -1]


@pytest.mark.parametrize("name", list(document()["nodes"]))
def test_huge_numbers(tmp_path: Path, name: str) -> None:
    """Numbers beyond an array's type are refused, not wrapped around."""
    for huge in HUGE:
        parts = document()
        entries = parts["nodes"][name]
        if name == "counts":
            entries[3][0] = huge
        else:
            entries[-1] = huge
        if name in ("attribute", "value", "missing_branch") and huge == -1:
            continue
        if name == "counts" and huge >= 0:
            tree_from_json(json.dumps(parts)).to_text()
            continue
        refused(tmp_path, json.dumps(parts))
    for constant in ("NaN", "Infinity", "-Infinity", "1e999"):
        parts = document()
        parts["nodes"][name][-1] = "HERE"
        refused(tmp_path, json.dumps(parts).replace('"HERE"', constant))


def test_deep_nesting(tmp_path: Path) -> None:
    """Nesting as deep as a reader can stand is refused wherever it occurs."""
    for depth in (10, 100, 900, 5000):
        nest = "[" * depth + "]" * depth
        for path in (("schema",), ("schema", "classes"), ("nodes", "counts"), ("nodes", "kind")):
            parts = document()
            place = parts
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = "HERE"
            refused(tmp_path, json.dumps(parts).replace('"HERE"', nest))


def places(part: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every entry of a JSON document."""
    found = [above] if above else []
    if isinstance(part, dict):
        for key, entry in part.items():
            found += places(entry, (*above, key))
    elif isinstance(part, list):
        for key, entry in enumerate(part):
            found += places(entry, (*above, key))
    return found


STRANGE = [
    *(None, True, False, 0, 1, 2, -1, 3, 7, 1.5, -0.5, 0.25, 1e308, -1e308, 5e-324, 2**31, 2**70),
    *("", "x", "numeric", "nominal", "ordinal", "red", "int", "str", "nan", "0x1p+9999", []),
    *(
        {},
        [[]],
        [0],
        ["int", 3],
        ["float", "nan"],
        ["float", "inf"],
        ["str", "red"],
        ["none", None],
    ),
]


def loaded_or_refused(path: Path) -> Tree | None:
    """Load a tree; None if the file is refused by name. Anything else fails."""
    with suppress(ValueError):
        return niwaki.load(path)
    refused(path.parent, path.read_bytes())
    return None


@pytest.mark.parametrize("fractional", [False, True])
def test_damaged_files(tmp_path: Path, fractional: bool) -> None:
    """With any one entry changed a file is refused by name, or it is a tree that answers."""
    generator = random.Random(int(fractional))
    whole = json.loads(hand_made(fractional=fractional).to_json())
    ways = places(whole)
    rows = np.array([["red", 1.0, "small"], [None, None, None], ["blue", 3, "?"]], dtype=object)
    path = tmp_path / "model.json"
    accepted = 0
    for _ in range(DAMAGES // 2):
        damaged = copy.deepcopy(whole)
        *way, last = generator.choice(ways)
        place = damaged
        for key in way:
            place = place[key]
        if generator.random() < 0.1:
            del place[last]
        elif type(place[last]) is int and generator.random() < 0.5:
            place[last] += generator.choice([-2, -1, 1, 2])
        else:
            place[last] = generator.choice(STRANGE)
        path.write_text(json.dumps(damaged), encoding="utf-8")
        tree = loaded_or_refused(path)
        if tree is None:
            continue
        accepted += 1
        assert type(tree) is Tree
        kinds = {attribute.name: attribute.kind for attribute in tree.schema.attributes}
        fitting = rows.copy()
        for position, kind in enumerate(kinds.values()):
            if kind == "numeric":
                fitting[:, position] = [1.0, None, 3.0]
        assert np.allclose(tree.predict_proba(fitting).sum(axis=1), 1)
        assert len(tree.predict(fitting)) == 3
        assert tree.decision_path(fitting).shape == (3, tree.n_nodes)
        assert len(tree.to_text().splitlines()) == tree.n_nodes - 1
        assert Tree.from_json(tree.to_json()).to_json() == tree.to_json()
    assert accepted > 20


def test_files_of_the_first_version_still_load() -> None:
    """A file as the first release writes it is read for ever."""
    text = (
        '{"format": "niwaki-tree", "version": 1, "schema": {"attributes": [{"name": "x0", '
        '"kind": "numeric", "values": []}], "classes": [["str", "no"], ["str", "yes"]]}, '
        '"fractional": false, "nodes": {"kind": [3, 0, 0], "attribute": [0, -1, -1], '
        '"threshold": [1.5, null, null], "value": [-1, -1, -1], "subset_start": [0, 0, 0, 0], '
        '"subset_values": [], "child_start": [0, 2, 2, 2], "children": [1, 2], '
        '"share": [0.5, 0.5], "missing_branch": [0, -1, -1], "label": [0, 0, 1], '
        '"counts": [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]}}'
    )
    tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
    assert_identical(Tree.from_json(text), tree)
    assert tree.to_json() == text
