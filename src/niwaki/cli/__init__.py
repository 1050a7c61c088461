"""The command line: one file per command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from niwaki.cli.demo import add_demo


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of `python -m niwaki`.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words of the command line; by default those of the process.

    Returns
    -------
    int
        Exit status.

    Examples
    --------
    >>> main(["demo", "--seed", "7"])  # doctest: +ELLIPSIS
    The concept: ...
    0
    """
    parser = argparse.ArgumentParser(prog="niwaki", description="One readable decision tree.")
    commands = parser.add_subparsers(dest="command", required=True)
    add_demo(commands)
    chosen = parser.parse_args(arguments)
    return int(chosen.run(chosen))
