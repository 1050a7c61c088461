"""The wheel that is built from the source tree, and what is in it."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "native", "src")
BACKEND = ("scikit_build_core", "nanobind", "pip")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the source tree."""
    folder = tmp_path_factory.mktemp("wheel") / "source"
    folder.mkdir()
    left_out = shutil.ignore_patterns("__pycache__", "_core.*")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=left_out)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path) -> list[str]:
    """Build a wheel from the copy; return the names of its files."""
    for name in BACKEND:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed, so no wheel can be built")
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    build = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, "-w", source.parent, source],
        env={**os.environ, "PATH": tools, "CMAKE_BUILD_PARALLEL_LEVEL": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    (built,) = source.parent.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


@pytest.mark.slow
def test_contents(source: Path, wheel: list[str]) -> None:
    """The wheel has every Python file, the compiled core, its stub and the typing marker."""
    package = source / "src" / "niwaki"
    expected = {f"niwaki/{path.relative_to(package).as_posix()}" for path in package.rglob("*.py")}
    assert expected <= set(wheel)
    assert {"niwaki/py.typed", "niwaki/_core.pyi"} <= set(wheel)
    compiled = [name for name in wheel if name.startswith("niwaki/_core.") and ".py" not in name]
    assert len(compiled) == 1


@pytest.mark.slow
def test_nothing_else(wheel: list[str]) -> None:
    """Neither tests nor sources of the core nor benchmarks are in the wheel."""
    for name in wheel:
        assert name.startswith(("niwaki/", "niwaki-")), name
        assert "test" not in name
        assert not name.endswith((".cpp", ".hpp", ".pyc", "CMakeLists.txt"))
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
