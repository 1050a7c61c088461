"""The demonstration: a generated concept, the trees that learn it, and what they get right."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from niwaki.datasets import make_parity
from niwaki.estimators import C45Classifier, ID3Classifier, LSID3Classifier
from niwaki.table import Table


def add_demo(commands: Any) -> None:
    """Add the command `demo`."""
    parser = commands.add_parser("demo", help="learn a generated concept and show the trees")
    parser.add_argument("--seed", type=int, default=7, help="seed of rows and columns")
    parser.set_defaults(run=run_demo)


def run_demo(chosen: argparse.Namespace) -> int:
    """Learn a parity of four columns among ten from 200 rows and print the trees.

    Parameters
    ----------
    chosen : argparse.Namespace
        The parsed command line; `seed` is read.

    Returns
    -------
    int
        Exit status.
    """
    X, y, concept = make_parity(4, 6, 1200, random_state=chosen.seed, return_concept=True)
    table = Table.from_frame(X[:200], y[:200], names=concept.feature_names)
    fresh = Table.from_frame(X[200:], y[200:], names=concept.feature_names)
    print(f"The concept: {concept.rule}; six more columns have no say.")
    print("200 rows to learn from, 1000 fresh ones to be judged by.\n")
    learners = {
        "ID3, greedy": ID3Classifier(),
        "C4.5, greedy and pruned": C45Classifier(),
        "LSID3, five sample trees a branch": LSID3Classifier(random_state=chosen.seed),
    }
    for name, learner in learners.items():
        began = time.perf_counter()
        learner.fit(table)
        seconds = time.perf_counter() - began
        accuracy = float(np.mean(learner.tree_.predict(fresh) == y[200:]))
        print(
            f"{name}: {learner.get_n_leaves()} leaves, {accuracy:.1%} right, "
            f"learned in {1000 * seconds:.1f} ms"
        )
    print("\nThe last tree:\n")
    print(learner.tree_.to_text())
    return 0
