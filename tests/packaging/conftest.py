"""What the tests of the package as a whole share."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark of tests that build something."""
    config.addinivalue_line("markers", "slow: takes more than 20 seconds")
