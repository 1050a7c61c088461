"""The layers of the package, as pyproject.toml declares them."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_layers() -> None:
    """No room imports one above it."""
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("import-linter is not installed")
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
