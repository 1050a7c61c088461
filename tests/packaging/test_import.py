"""What importing niwaki costs, brings along, and says where it cannot work."""

import os
import statistics
import subprocess
import sys
from importlib.metadata import version

import pytest

import niwaki

HEAVY = ("matplotlib", "pandas", "polars", "pyarrow", "sklearn", "scipy")
CPU_LIMIT = 0.15


def python(code: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_importing_is_quick() -> None:
    """Beyond numpy, importing takes at most 0.15 s of processor time, median of five."""
    code = (
        "import numpy, time; began = time.process_time(); import niwaki;"
        "print(time.process_time() - began)"
    )
    assert statistics.median(float(python(code)) for _ in range(5)) <= CPU_LIMIT


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import niwaki", HEAVY),
        ("import niwaki; niwaki.Table; niwaki.Tree; niwaki.grow", HEAVY[:4]),
    ],
)
def test_importing_brings_nothing_heavy(code: str, absent: tuple[str, ...]) -> None:
    """No plotting and no data frames are imported, and nothing heavy before it is used."""
    found = python(f"{code}; import sys; print([m for m in {absent!r} if m in sys.modules])")
    assert found == "[]"


def test_public_names() -> None:
    """Every public name is there, and `dir` lists it."""
    assert len(set(niwaki.__all__)) == len(niwaki.__all__)
    for name in niwaki.__all__:
        assert getattr(niwaki, name) is not None
    listed = python("import niwaki; print(*dir(niwaki))").split()
    assert {*niwaki.__all__, "__version__"} <= set(listed)
    assert listed == sorted(set(listed))


def test_unknown_names() -> None:
    """A name that is not there is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        niwaki.Forest  # noqa: B018


def test_version() -> None:
    """The version is that of the installed distribution."""
    assert niwaki.__version__ == version("niwaki")


@pytest.mark.parametrize("module", ["niwaki", "niwaki.table", "niwaki.datasets"])
def test_without_the_compiled_core(module: str) -> None:
    """Where the compiled core is missing, importing says how to build it."""
    code = f"""
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name == "niwaki._core":
            raise ModuleNotFoundError("No module named 'niwaki._core'", name=name)
sys.meta_path.insert(0, Nothing())
try:
    import {module}
except ImportError as error:
    print(error)
"""
    assert "compiled core is missing" in python(code)
    assert "pip install ." in python(code)


def test_the_command_line() -> None:
    """`python -m niwaki demo` shows trees, the same ones for the same seed."""
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "niwaki", "demo", "--seed", "3"]
    shown = [
        subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
        for _ in range(2)
    ]
    trees = [text.partition("The last tree:")[2] for text in shown]
    assert trees[0] == trees[1]
    assert trees[0].strip()
