"""Trees of every kind to test with."""

import numpy as np

from niwaki import Attribute, Greedy, Schema, SplitKind, Table, Tree, grow
from niwaki.tree import Nodes

COLOUR = Attribute("colour", "nominal", ("red", "green", "blue"))
WIDTH = Attribute("width", "numeric")
SIZE = Attribute("size", "ordinal", ("small", "middle", "large"))
SCHEMA = Schema((COLOUR, WIDTH, SIZE), ("no", "yes"))


def hand_made(schema: Schema = SCHEMA, fractional: bool = False) -> Tree:
    """Build a tree that asks one question of every kind; its last leaf is empty.

    Node 0 asks for the colour, 1 for `size <= middle`, 4 for `width <= 2.5`, 7 for
    `colour in {red, blue}`, and 9 for `colour = blue`.
    """
    kinds = [1, 3, 0, 0, 3, 0, 0, 4, 0, 2, 0, 0]
    branches = [3, 2, 0, 0, 2, 0, 0, 2, 0, 2, 0, 0]
    leaves = {2: (3, 0), 3: (0, 2), 5: (1, 1), 6: (0, 4), 8: (5, 2), 10: (1, 3), 11: (0, 0)}
    counts = np.zeros((12, 2))
    for node, weights in leaves.items():
        counts[node] = weights
    counts[1] = counts[2] + counts[3]
    counts[4] = counts[5] + counts[6]
    counts[9] = counts[10] + counts[11]
    counts[7] = counts[8] + counts[9]
    counts[0] = counts[1] + counts[4] + counts[7]
    weight = counts.sum(axis=1)
    children = [1, 4, 7, 2, 3, 5, 6, 8, 9, 10, 11]
    parents = [0, 0, 0, 1, 1, 4, 4, 7, 7, 9, 9]
    threshold = np.full(12, np.nan)
    threshold[[1, 4]] = 1.0, 2.5
    nodes = Nodes(
        kind=np.array(kinds),
        attribute=np.array([0, 2, -1, -1, 1, -1, -1, 0, -1, 0, -1, -1]),
        threshold=threshold,
        value=np.array([-1] * 9 + [2, -1, -1]),
        subset_start=np.array([0] * 8 + [2] * 5),
        subset_values=np.array([0, 2]),
        child_start=np.concatenate([[0], np.cumsum(branches)]),
        children=np.array(children),
        share=weight[children] / weight[parents],
        missing_branch=np.array([-1, 0, -1, -1, 1] + [-1] * 7),
        label=np.array([1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1]),
        counts=counts,
    )
    return Tree(schema, nodes, fractional)


HAND_MADE_TEXT = """\
colour = red
|   size <= middle: no (3.0)
|   size > middle: yes (2.0)
colour = green
|   width <= 2.5: no (2.0/1.0)
|   width > 2.5: yes (4.0)
colour = blue
|   colour in {red, blue}: no (7.0/2.0)
|   colour not in {red, blue}
|   |   colour = blue: yes (4.0/1.0)
|   |   colour != blue: yes (0.0)"""


def chain(n_cuts: int) -> Tree:
    """Build the chain of cuts `x0 <= 0.5`, `x0 <= 1.5`, … of rows whose classes alternate."""
    number = np.arange(2 * n_cuts + 1)
    inner = (number % 2 == 0) & (number < 2 * n_cuts)
    rows = np.eye(2)[np.arange(n_cuts + 1) % 2]
    below = rows[::-1].cumsum(axis=0)[::-1]
    counts = np.empty((number.size, 2))
    counts[::2] = below
    counts[1::2] = rows[:-1]
    weight = below.sum(axis=1)
    nodes = Nodes(
        kind=np.where(inner, SplitKind.THRESHOLD, SplitKind.LEAF),
        attribute=np.where(inner, 0, -1),
        threshold=np.where(inner, number // 2 + 0.5, np.nan),
        value=np.full(number.size, -1),
        subset_start=np.zeros(number.size + 1),
        subset_values=np.zeros(0),
        child_start=np.concatenate([[0], np.cumsum(np.where(inner, 2, 0))]),
        children=number[1:],
        share=np.column_stack([1 / weight[:-1], weight[1:] / weight[:-1]]).ravel(),
        missing_branch=np.where(inner, 1, -1),
        label=counts.argmax(axis=1),
        counts=counts,
    )
    return Tree(Schema((Attribute("x0", "numeric"),), (0, 1)), nodes)


def mixed_table(seed: int = 0, n_rows: int = 80, missing: float = 0.1) -> Table:
    """Draw rows with two nominal and two numeric columns, some cells missing."""
    random = np.random.default_rng(seed)
    X = np.empty((n_rows, 4), dtype=object)
    X[:, 0] = random.choice(np.array(["a", "b", "c"], dtype=object), n_rows)
    X[:, 1] = random.normal(size=n_rows).round(2)
    X[:, 2] = random.choice(np.array(["p", "q"], dtype=object), n_rows)
    X[:, 3] = random.integers(0, 6, n_rows)
    y = ((X[:, 0] == "a") ^ (X[:, 1].astype(float) > 0)).astype(int) + (X[:, 3] == 5)
    X[random.random((n_rows, 4)) < missing] = None
    return Table.from_frame(X, y)


def grown(seed: int = 0, missing: str = "category", nominal_splits: str = "multiway") -> Tree:
    """Grow a tree from such rows."""
    return grow(mixed_table(seed), Greedy("gain"), missing=missing, nominal_splits=nominal_splits)


def answer_rows(seed: int = 1, n_rows: int = 40) -> np.ndarray:
    """Draw rows to be answered, with missing cells and values that training has not seen."""
    random = np.random.default_rng(seed)
    X = np.empty((n_rows, 4), dtype=object)
    X[:, 0] = random.choice(np.array(["a", "b", "c", "new", None], dtype=object), n_rows)
    X[:, 1] = random.normal(size=n_rows)
    X[:, 2] = random.choice(np.array(["p", "q", None], dtype=object), n_rows)
    X[:, 3] = random.integers(-1, 7, n_rows)
    X[::7, 1] = None
    return X
