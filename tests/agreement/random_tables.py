"""Random tables of every kind that a learner may meet."""

import numpy as np

from niwaki import Table


def random_table(seed: int) -> Table:
    """Draw a small table: nominal and numeric columns, perhaps missing values and weights."""
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(1, 60))
    n_columns = int(random.integers(1, 6))
    n_classes = int(random.choice([1, 2, 2, 2, 3, 5, 30]))
    missing_rate = float(random.choice([0.0, 0.0, 0.15, 0.5]))
    columns, domains = [], {}
    for position in range(n_columns):
        holes = random.random(n_rows) < missing_rate
        if random.random() < 0.5:
            n_values = int(random.integers(1, 5))
            domains[f"x{position}"] = tuple("abcd"[:n_values])
            cells = np.array(list("abcd"))[random.integers(0, n_values, n_rows)].astype(object)
            cells[holes] = None
        else:
            step = random.choice([0.5, 0.25, 1e-6, 7.0])
            numbers = random.integers(0, int(random.choice([2, 5, 40])), n_rows) * step
            cells = numbers.astype(object)
            cells[holes] = np.nan
        columns.append(cells)
    X = np.array(columns, dtype=object).T
    relevant = [sum(map(ord, str(cells[0]))) for cells in X[:, :1].tolist()]
    noise = random.integers(0, n_classes, n_rows)
    y = np.where(random.random(n_rows) < 0.7, np.array(relevant) % n_classes, noise)
    kind = random.integers(4)
    weights = [
        None,
        None,
        random.integers(1, 4, n_rows).astype(float),
        random.choice([0.3, 0.5, 1.0, 2.5], n_rows),
    ][kind]
    return Table.from_frame(X, y, weights=weights, domains=domains, classes=tuple(range(n_classes)))


def random_options(seed: int) -> dict:
    """Draw options of greedy growth."""
    random = np.random.default_rng([seed, 1])
    rules = str(random.choice(["id3", "c45"]))
    return {
        "measure": str(random.choice(["gain", "gain_ratio", "gini", "km_distance"])),
        "rules": rules,
        "nominal_splits": str(random.choice(["multiway", "value", "auto"])),
        "threshold": str(random.choice(["midpoint", "value", "training"])),
        "missing": str(random.choice(["category", "fraction"])),
        "max_depth": [None, None, 0, 1, 3][random.integers(5)],
        "min_leaf": [None, None, 1.0, 3.0][random.integers(4)],
        "mdl_correction": bool(random.integers(2)),
        "collapse": bool(random.integers(2)),
    }
