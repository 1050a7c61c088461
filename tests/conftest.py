"""What all tests share: the folders of data, and the rule that a data test may not be skipped."""

import os
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    variable: Path(os.environ.get(variable, ROOT.parent / "shared" / default))
    for variable, default in (("NIWAKI_DATA", "data"), ("NIWAKI_REFERENCE", "reference"))
}
for variable, folder in FOLDERS.items():
    os.environ.setdefault(variable, str(folder))

SKIPS = pytest.StashKey[Counter]()


def pytest_addoption(parser):
    """Add the switch that continuous integration sets."""
    parser.addoption(
        "--data-required",
        action="store_true",
        help="fail if a test that needs data was skipped although the data folder is there",
    )


def pytest_configure(config):
    """Start counting skips."""
    config.stash[SKIPS] = Counter()
    config.pluginmanager.register(SkipCounter(config), "niwaki-skip-counter")


class SkipCounter:
    """Counts skipped tests by reason and objects to those that had their data."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        """Count one skip."""
        if report.skipped and isinstance(report.longrepr, tuple):
            self.config.stash[SKIPS][report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_terminal_summary(self, terminalreporter):
        """Print the skips by reason."""
        for reason, number in sorted(self.config.stash[SKIPS].items()):
            terminalreporter.write_line(f"skipped {number}: {reason}")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        """Fail if a data test was skipped although its folder exists."""
        if not self.config.getoption("--data-required"):
            return
        for reason in self.config.stash[SKIPS]:
            for variable, folder in FOLDERS.items():
                if variable in reason and folder.is_dir():
                    session.exitstatus = pytest.ExitCode.TESTS_FAILED
