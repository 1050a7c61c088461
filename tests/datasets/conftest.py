"""Where the tests of the data sets find their data."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("NIWAKI_DATA", REPOSITORY.parent / "shared" / "data")).resolve()


def read_manifest() -> dict[str, dict[str, Any]]:
    """Read the entries of the manifest by name; there are none without a data folder."""
    path = FOLDER / "manifest.json"
    if not path.is_file():
        return {}
    entries: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))["datasets"]
    return entries


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `dataset_name` for each data set; once, to skip, without data."""
    if "dataset_name" in metafunc.fixturenames:
        metafunc.parametrize("dataset_name", list(read_manifest()) or ["no data folder"])


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """Give what the manifest of the data folder says of each data set, or skip the test."""
    found = read_manifest()
    if not found:
        pytest.skip("the data folder is missing; set NIWAKI_DATA")
    monkeypatch.setenv("NIWAKI_DATA", str(FOLDER))
    return found


@pytest.fixture
def data_folder(entries: dict[str, dict[str, Any]]) -> Path:
    """Give the data folder, which NIWAKI_DATA names during the test, or skip the test."""
    assert entries
    return FOLDER
