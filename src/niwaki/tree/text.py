"""Trees as indented text, in the style of J48."""

from __future__ import annotations

import math

from niwaki.splits import label_text
from niwaki.tree.tree import Tree

MAX_BARS = 100


def j48_text(tree: Tree) -> str:
    """Return one line per branch, indented by depth.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    str
        The text; a leaf reads `class (weight)` or `class (weight/errors)`. Below `MAX_BARS`
        questions a line says its depth instead of being indented further.

    Examples
    --------
    >>> from niwaki import Table, Greedy, grow
    >>> tree = grow(Table.from_frame([["a"], ["b"], ["b"]], [0, 0, 1]), Greedy("gain"))
    >>> print(j48_text(tree))
    x0 = a: 0 (1.0)
    x0 = b: 0 (2.0/1.0)
    """
    if tree.n_nodes == 1:
        return f": {_leaf_text(tree, 0)}"
    lines: list[str] = []
    stack: list[tuple[int, int, str]] = []
    node, depth = 0, 0
    while True:
        split = tree.split(node)
        if split is not None:
            branches = zip(tree.children(node).tolist(), split.literals(), strict=True)
            stack.extend((child, depth, text) for child, text in reversed(list(branches)))
        if not stack:
            return "\n".join(lines)
        node, above, literal = stack.pop()
        leaf = tree.split(node) is None
        indent = "|   " * min(above, MAX_BARS) + (f"[{above}] " if above > MAX_BARS else "")
        lines.append(indent + literal + (f": {_leaf_text(tree, node)}" if leaf else ""))
        depth = above + 1


def _leaf_text(tree: Tree, node: int) -> str:
    counts = tree.nodes.counts[node]
    label = int(tree.nodes.label[node])
    weight, errors = float(counts.sum()), float(counts.sum() - counts[label])
    text = f"{label_text(tree.schema.classes[label])} ({weight_text(weight)}"
    return text + (f"/{weight_text(errors)})" if errors > 1e-6 else ")")


def weight_text(weight: float) -> str:
    """Return a weight with one or two decimals, halves rounded up.

    Parameters
    ----------
    weight : float
        A number of at least 0.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> weight_text(4.0), weight_text(2.214), weight_text(9.1)
    ('4.0', '2.21', '9.1')
    """
    hundredths = math.floor(weight * 100 + 0.5)
    whole, part = divmod(hundredths, 100)
    return f"{whole}.{part:02d}"[: -1 if part % 10 == 0 else None]
