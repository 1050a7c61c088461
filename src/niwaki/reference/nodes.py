"""A tree as linked nodes, and its translation to and from arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from niwaki.splits import SplitKind
from niwaki.table import MISSING, Schema
from niwaki.tree import Nodes, Tree


@dataclass(frozen=True)
class Question:
    """A question about one attribute, in codes.

    Parameters
    ----------
    kind : SplitKind
        One branch per value, `= v`, `<= t` or `in S`.
    attribute : int
        Position of the attribute.
    n_branches : int, default=2
        Number of branches.
    value : int, default=-1
        Code of `= v`.
    threshold : float, default=nan
        Cut of `<= t`.
    values : tuple of int, default=()
        Codes of `in S`.
    missing_branch : int, default=-1
        Branch of a whole row whose value is missing; -1 if there is none.

    Examples
    --------
    >>> Question(SplitKind.THRESHOLD, 0, threshold=2.5).branch_of(3.0)
    1
    """

    kind: SplitKind
    attribute: int
    n_branches: int = 2
    value: int = -1
    threshold: float = math.nan
    values: tuple[int, ...] = ()
    missing_branch: int = -1

    def branch_of(self, value: float) -> int | None:
        """Return the branch of a present value; None if one branch per value has none for it."""
        if self.kind == SplitKind.MULTIWAY:
            return int(value) if 0 <= value < self.n_branches else None
        if self.kind == SplitKind.VALUE:
            return 0 if value == self.value else 1
        if self.kind == SplitKind.SUBSET:
            return 0 if value in self.values else 1
        return 0 if value <= self.threshold else 1

    def branch_of_missing(self) -> int | None:
        """Return the branch of a whole row whose value is missing; None if it stays here."""
        if self.kind == SplitKind.MULTIWAY:
            return None
        if self.kind == SplitKind.THRESHOLD:
            return self.missing_branch if self.missing_branch >= 0 else None
        return 1


@dataclass
class Node:
    """A node with everything below it.

    Parameters
    ----------
    counts : list of float
        Weight of every class.
    question : Question, optional
        What the node asks; None at a leaf.
    children : list of Node
        One per branch.
    shares : list of float
        Beside the children: the part of a row with a missing value that goes there.

    Examples
    --------
    >>> leaf = Node([3.0, 1.0])
    >>> leaf.weight, leaf.errors
    (4.0, 1.0)
    """

    counts: list[float]
    question: Question | None = None
    children: list[Node] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """Weight of all classes."""
        return total(self.counts)

    @property
    def errors(self) -> float:
        """Weight of all classes but the heaviest."""
        return self.weight - max(self.counts)

    def become(self, other: Node) -> None:
        """Take over the question and the children of another node, but not its counts."""
        self.question = other.question
        self.children = other.children
        self.shares = other.shares

    def become_leaf(self) -> None:
        """Drop the question and the children."""
        self.become(Node(self.counts))


def total(amounts: Iterable[float]) -> float:
    """Add from left to right, rounding after each step.

    The built-in `sum` rounds otherwise since Python 3.12. Whole numbers stay whole.

    Parameters
    ----------
    amounts : iterable of float
        What to add.

    Returns
    -------
    float
        The sum.

    Examples
    --------
    >>> total([0.1, 0.2, 0.3]), total([1, 2])
    (0.6000000000000001, 3)
    """
    result: float = 0
    for amount in amounts:
        result += amount
    return result


def is_missing(value: float) -> bool:
    """Return whether an encoded cell is missing: NaN, or the code of a missing value.

    Parameters
    ----------
    value : float
        A number, or the code of a nominal value.

    Returns
    -------
    bool
        Whether there is no value. A value outside the domain is not missing.

    Examples
    --------
    >>> is_missing(float("nan")), is_missing(-1), is_missing(-1.0), is_missing(-2)
    (True, True, False, False)
    """
    return value == MISSING if isinstance(value, int) else math.isnan(value)


def tree_of(root: Node, schema: Schema, fractional: bool) -> Tree:
    """Return the tree whose root is a node.

    A node answers with the first of its heaviest classes; an empty one as its parent does.

    Parameters
    ----------
    root : Node
        The root.
    schema : Schema
        Attributes and classes.
    fractional : bool
        Whether a row with a missing value goes down all branches in parts.

    Returns
    -------
    Tree
        The same nodes, as arrays in pre-order.

    Examples
    --------
    >>> tree_of(Node([3.0, 1.0]), Schema((), ("no", "yes")), False).nodes.label
    array([0], dtype=int32)
    """
    order: list[Node] = []
    labels: list[int] = []
    places: dict[int, int] = {}

    def visit(node: Node, label_above: int) -> None:
        places[id(node)] = len(order)
        order.append(node)
        label = node.counts.index(max(node.counts)) if node.weight > 0 else label_above
        labels.append(label)
        for child in node.children:
            visit(child, label)

    visit(root, 0)
    leaf = Question(SplitKind.LEAF, -1, n_branches=0)
    questions = [node.question or leaf for node in order]
    nodes = Nodes(
        kind=np.array([question.kind for question in questions], np.uint8),
        attribute=np.array([question.attribute for question in questions], np.int32),
        threshold=np.array([question.threshold for question in questions], np.float64),
        value=np.array([question.value for question in questions], np.int32),
        subset_start=np.cumsum([0, *(len(question.values) for question in questions)]),
        subset_values=np.array(
            [value for question in questions for value in question.values], np.int32
        ),
        child_start=np.cumsum([0, *(len(node.children) for node in order)]),
        children=np.array(
            [places[id(child)] for node in order for child in node.children], np.int32
        ),
        share=np.array([share for node in order for share in node.shares], np.float64),
        missing_branch=np.array([question.missing_branch for question in questions], np.int32),
        label=np.array(labels, np.int32),
        counts=np.array([node.counts for node in order], np.float64),
    )
    return Tree(schema, nodes, fractional)


def root_of(tree: Tree) -> Node:
    """Return the root of a tree as linked nodes.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    Node
        Its root.

    Examples
    --------
    >>> tree = tree_of(Node([3.0, 1.0]), Schema((), ("no", "yes")), False)
    >>> root_of(tree)
    Node(counts=[3.0, 1.0], question=None, children=[], shares=[])
    """
    nodes = tree.nodes

    def read(place: int) -> Node:
        edges = slice(int(nodes.child_start[place]), int(nodes.child_start[place + 1]))
        children = nodes.children[edges].tolist()
        counts = nodes.counts[place].tolist()
        if not children:
            return Node(counts)
        return Node(
            counts,
            question_at(tree, place),
            [read(child) for child in children],
            nodes.share[edges].tolist(),
        )

    return read(0)


def question_at(tree: Tree, place: int) -> Question:
    """Return the question of an inner node.

    Parameters
    ----------
    tree : Tree
        The tree.
    place : int
        Number of an inner node.

    Returns
    -------
    Question
        What it asks, in codes.

    Examples
    --------
    >>> from niwaki.table import Attribute
    >>> question = Question(SplitKind.THRESHOLD, 0, threshold=2.5, missing_branch=1)
    >>> root = Node([1.0, 1.0], question, [Node([1.0, 0.0]), Node([0.0, 1.0])], [0.5, 0.5])
    >>> schema = Schema((Attribute("width", "numeric"),), ("no", "yes"))
    >>> question_at(tree_of(root, schema, False), 0) == question
    True
    """
    nodes = tree.nodes
    first, last = int(nodes.subset_start[place]), int(nodes.subset_start[place + 1])
    return Question(
        kind=SplitKind(int(nodes.kind[place])),
        attribute=int(nodes.attribute[place]),
        n_branches=int(nodes.child_start[place + 1] - nodes.child_start[place]),
        value=int(nodes.value[place]),
        threshold=float(nodes.threshold[place]),
        values=tuple(nodes.subset_values[first:last].tolist()),
        missing_branch=int(nodes.missing_branch[place]),
    )
