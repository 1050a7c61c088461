"""Reads what J48 and Id3 print: the tree, its size and the confusion matrix."""

import re
from dataclasses import dataclass, field

BRANCH = re.compile(r"(.+?) (=|!=|<=|>) (.+)")
LEAF = re.compile(r"(.+?)(?: \(([\d.]+)(?:/([\d.]+))?\))?")
DEPTH = re.compile(r"(?:\| *)*")


@dataclass
class PrintedNode:
    """A node as it was printed.

    A leaf has a class (None where Id3 prints "null") and, from J48, weight and errors. An inner
    node has the attribute, and for each branch its sign, its value and its node.
    """

    label: str | None = None
    weight: float | None = None
    errors: float | None = None
    attribute: str | None = None
    branches: list[tuple[str, str, "PrintedNode"]] = field(default_factory=list)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return sum(child.n_leaves for _, _, child in self.branches) if self.branches else 1

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return 1 + sum(child.n_nodes for _, _, child in self.branches)


@dataclass(frozen=True)
class PrintedTree:
    """What a program printed about a tree; Id3 does not print the size."""

    root: PrintedNode
    n_leaves: int | None
    n_nodes: int | None
    confusion: list[list[int]]


def read_printed(text: str) -> PrintedTree:
    """Read the output of J48 or Id3."""
    lines = text.splitlines()
    start = next(
        number + 1
        for number, line in enumerate(lines)
        if line.startswith("-----") or line.strip() == "Id3"
    )
    while not lines[start].strip():
        start += 1
    end = next(number for number in range(start, len(lines)) if not lines[number].strip())
    return PrintedTree(
        read_tree(lines[start:end]),
        size_in(text, "Number of Leaves"),
        size_in(text, "Size of the tree"),
        read_confusion(lines),
    )


def size_in(text: str, what: str) -> int | None:
    """Return a size that is printed below the tree."""
    match = re.search(rf"{what}\s*:\s*(\d+)", text)
    return int(match[1]) if match else None


def read_tree(lines: list[str]) -> PrintedNode:
    """Read a tree of one line per branch; a tree of one leaf is one line that starts with ':'."""
    if lines[0].startswith(":"):
        return read_leaf(lines[0][1:].strip())
    root = PrintedNode()
    path = [root]
    for line in lines:
        bars = DEPTH.match(line)
        assert bars is not None
        depth = bars[0].count("|")
        literal, colon, leaf = line[bars.end() :].partition(": ")
        match = BRANCH.fullmatch(literal)
        assert match is not None, f"unreadable line {line}"
        attribute, sign, value = match.groups()
        parent = path[depth]
        assert parent.attribute in (None, attribute), f"another attribute in line {line}"
        parent.attribute = attribute
        child = read_leaf(leaf) if colon else PrintedNode()
        parent.branches.append((sign, value, child))
        path[depth + 1 :] = [child]
    return root


def read_leaf(text: str) -> PrintedNode:
    """Read `class`, `class (weight)` or `class (weight/errors)`."""
    match = LEAF.fullmatch(text)
    assert match is not None, f"unreadable leaf {text}"
    label, weight, errors = match.groups()
    if weight is None:
        return PrintedNode(None if label == "null" else label)
    return PrintedNode(label, float(weight), float(errors or 0))


def read_confusion(lines: list[str]) -> list[list[int]]:
    """Read the confusion matrix: rows are the classes, columns what was predicted."""
    start = next(number for number, line in enumerate(lines) if "<-- classified as" in line)
    matrix = []
    for line in lines[start + 1 :]:
        numbers, bar, _ = line.partition("|")
        if not bar:
            break
        matrix.append([int(number) for number in numbers.split()])
    return matrix
