"""The arrays of a tree, in pre-order, and the checks they must pass."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.splits import SplitKind
from niwaki.table import Schema

MAX_WEIGHT = 2.0**1000
"""Largest weight of a tree; sums of weights stay finite."""
SHARE_TOLERANCE = 1e-6

NodeArrays: TypeAlias = tuple[
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]


@dataclass(frozen=True, eq=False)
class Nodes:
    """One entry per node, nodes in pre-order and children in branch order.

    The fields, in this order, are what the native core gives and takes.

    Parameters
    ----------
    kind : ndarray of uint8
        A `SplitKind`; 0 is a leaf.
    attribute : ndarray of int32
        Attribute asked about, -1 at a leaf.
    threshold : ndarray of float64
        Cut of `<= t`, NaN elsewhere.
    value : ndarray of int32
        Code of `= v`, -1 elsewhere.
    subset_start : ndarray of int64
        Node i's set of `in S` is `subset_values[subset_start[i]:subset_start[i + 1]]`.
    subset_values : ndarray of int32
        The sets' codes.
    child_start : ndarray of int64
        Node i's children are `children[child_start[i]:child_start[i + 1]]`.
    children : ndarray of int32
        Node numbers.
    share : ndarray of float64
        Beside `children`: the part of a row with a missing value that goes there.
    missing_branch : ndarray of int32
        Branch of `<= t` that a row with a missing value takes, -1 where there is none.
    label : ndarray of int32
        Class that the node answers with.
    counts : ndarray of float64 of shape (n_nodes, n_classes)
        Training weight of every class.
    """

    kind: NDArray[np.uint8]
    attribute: NDArray[np.int32]
    threshold: NDArray[np.float64]
    value: NDArray[np.int32]
    subset_start: NDArray[np.int64]
    subset_values: NDArray[np.int32]
    child_start: NDArray[np.int64]
    children: NDArray[np.int32]
    share: NDArray[np.float64]
    missing_branch: NDArray[np.int32]
    label: NDArray[np.int32]
    counts: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make every array contiguous, of its type and read-only."""
        for entry in fields(self):
            array = getattr(self, entry.name)
            wanted = np.ascontiguousarray(array, dtype=NODE_TYPES[entry.name])
            if wanted.flags.writeable:
                if wanted is array:
                    wanted = wanted.copy()
                wanted.setflags(write=False)
            object.__setattr__(self, entry.name, wanted)

    def arrays(self) -> NodeArrays:
        """Return the fields in order."""
        return (
            self.kind,
            self.attribute,
            self.threshold,
            self.value,
            self.subset_start,
            self.subset_values,
            self.child_start,
            self.children,
            self.share,
            self.missing_branch,
            self.label,
            self.counts,
        )

    def __reduce__(self) -> tuple[type[Nodes], NodeArrays]:
        """Pickle the arrays alone; a copy makes its own read-only."""
        return Nodes, self.arrays()

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.kind.size)

    @cached_property
    def _links(self) -> tuple[NDArray[np.int32], ...]:
        return _core.preorder_links(self.child_start)

    @property
    def parent(self) -> NDArray[np.int32]:
        """Parent of every node, -1 at the root."""
        return self._links[1]

    @property
    def depth(self) -> NDArray[np.int32]:
        """Number of questions above every node."""
        return self._links[2]

    @property
    def end(self) -> NDArray[np.int32]:
        """One past the last node of every node's subtree."""
        return self._links[3]

    @cached_property
    def distribution_node(self) -> NDArray[np.int32]:
        """Node whose counts answer for each node: itself, or the ancestor of an empty node."""
        source = list(range(self.n_nodes))
        empty = (self.counts.sum(axis=1) <= 0).tolist()
        parent = self.parent.tolist()
        for node in range(1, self.n_nodes):
            if empty[node]:
                source[node] = source[parent[node]]
        return np.array(source, dtype=np.int32)

    def slice(self, first: int, last: int) -> Nodes:
        """Return the nodes of a subtree that fills `first` to `last` as a tree of their own."""
        branches = self.child_start[first : last + 1]
        sets = self.subset_start[first : last + 1]
        edges = slice(int(branches[0]), int(branches[-1]))
        return Nodes(
            self.kind[first:last],
            self.attribute[first:last],
            self.threshold[first:last],
            self.value[first:last],
            sets - sets[0],
            self.subset_values[sets[0] : sets[-1]],
            branches - branches[0],
            self.children[edges] - first,
            self.share[edges],
            self.missing_branch[first:last],
            self.label[first:last],
            self.counts[first:last],
        )

    def spliced(self, node: int, other: Nodes) -> Nodes:
        """Return the nodes with the subtree at `node` replaced by another tree."""
        last = int(self.end[node])
        growth = other.n_nodes - (last - node)
        edge_first, edge_last = int(self.child_start[node]), int(self.child_start[last])
        set_first, set_last = int(self.subset_start[node]), int(self.subset_start[last])
        children = self.children + np.where(self.children >= last, growth, 0).astype(np.int32)

        def joined(name: str) -> NDArray[Any]:
            own, new = getattr(self, name), getattr(other, name)
            return np.concatenate([own[:node], new, own[last:]])

        def starts(own: NDArray[np.int64], new: NDArray[np.int64]) -> NDArray[np.int64]:
            shift = int(new[-1]) - int(own[last] - own[node])
            return np.concatenate([own[:node], new[:-1] + own[node], own[last:] + shift])

        return Nodes(
            joined("kind"),
            joined("attribute"),
            joined("threshold"),
            joined("value"),
            starts(self.subset_start, other.subset_start),
            np.concatenate(
                [self.subset_values[:set_first], other.subset_values, self.subset_values[set_last:]]
            ),
            starts(self.child_start, other.child_start),
            np.concatenate([children[:edge_first], other.children + node, children[edge_last:]]),
            np.concatenate([self.share[:edge_first], other.share, self.share[edge_last:]]),
            joined("missing_branch"),
            joined("label"),
            joined("counts"),
        )

    def pruned(self, keep: NDArray[np.bool_]) -> Nodes:
        """Return the nodes that are kept; a node whose children go becomes a leaf."""
        kept = np.flatnonzero(keep)
        number = np.cumsum(keep) - 1
        branches = np.diff(self.child_start)
        inner = branches > 0
        inner[inner] = keep[self.children[self.child_start[:-1][inner]]]
        inner = inner[kept]
        edges = np.repeat(inner, branches[kept])
        first = np.repeat(self.child_start[:-1][kept], branches[kept])
        offsets = (
            first
            + np.arange(first.size)
            - np.repeat(np.cumsum(branches[kept]) - branches[kept], branches[kept])
        )
        offsets = offsets[edges]
        sets = np.where(inner, np.diff(self.subset_start)[kept], 0)
        stays_inner = np.zeros(keep.size, dtype=bool)
        stays_inner[kept[inner]] = True
        members = np.repeat(stays_inner, np.diff(self.subset_start))
        return Nodes(
            np.where(inner, self.kind[kept], SplitKind.LEAF).astype(np.uint8),
            np.where(inner, self.attribute[kept], -1),
            np.where(inner, self.threshold[kept], np.nan),
            np.where(inner, self.value[kept], -1),
            np.concatenate([[0], np.cumsum(sets)]),
            self.subset_values[members],
            np.concatenate([[0], np.cumsum(np.where(inner, branches[kept], 0))]),
            number[self.children[offsets]].astype(np.int32),
            self.share[offsets],
            np.where(inner, self.missing_branch[kept], -1),
            self.label[kept],
            self.counts[kept],
        )

    def check(self, schema: Schema) -> None:
        """Raise ValueError unless the arrays form a valid tree over the schema.

        Parameters
        ----------
        schema : Schema
            The attributes and classes.

        Examples
        --------
        >>> leaf_nodes(np.array([1.0, 2.0])).check(Schema((), ("no", "yes")))
        """
        n_nodes = self.n_nodes
        _require(n_nodes > 0, "it has no nodes")
        for name in ("kind", "attribute", "threshold", "value", "missing_branch", "label"):
            _require(getattr(self, name).shape == (n_nodes,), f"{name} has another length")
        _require(self.counts.shape == (n_nodes, schema.n_classes), "counts have another shape")
        _require(
            _within(self.counts, 0, MAX_WEIGHT / self.counts.size if self.counts.size else 0),
            "a count is not a number of at least 0",
        )
        for starts, items in (
            (self.subset_start, self.subset_values),
            (self.child_start, self.children),
        ):
            _require(
                starts.shape == (n_nodes + 1,)
                and starts[0] == 0
                and bool((np.diff(starts) >= 0).all())
                and starts[-1] == items.size,
                "its offsets are not ascending",
            )
        _require(self.share.shape == self.children.shape, "share has another length")
        _require(_within(self.label, 0, schema.n_classes - 1), "a label is no class")
        _require(_within(self.kind, 0, SplitKind.SUBSET), "a node asks an unknown kind of question")
        self._check_unused()
        self._check_questions(schema)
        self._check_shares()
        _require(
            bool(np.array_equal(self._links[0], self.children)), "its nodes are not in pre-order"
        )

    def _check_unused(self) -> None:
        """Check that a node holds nothing that its kind of question does not need."""
        leaf = self.kind == SplitKind.LEAF
        cut = self.kind == SplitKind.THRESHOLD
        _require(bool((np.diff(self.child_start)[leaf] == 0).all()), "a leaf has children")
        _require(bool((self.attribute[leaf] == -1).all()), "a leaf asks about an attribute")
        _require(
            bool(np.isnan(self.threshold[~cut]).all())
            and bool((self.missing_branch[~cut] == -1).all())
            and bool((self.value[self.kind != SplitKind.VALUE] == -1).all())
            and bool((np.diff(self.subset_start)[self.kind != SplitKind.SUBSET] == 0).all()),
            "a node holds a part of another kind of question",
        )

    def _check_questions(self, schema: Schema) -> None:
        inner = self.kind != SplitKind.LEAF
        asked = self.attribute[inner]
        if asked.size == 0:
            return
        _require(_within(asked, 0, schema.n_attributes - 1), "a node asks about no attribute")
        kind = self.kind[inner]
        cut = kind == SplitKind.THRESHOLD
        nominal = np.array([attribute.is_nominal for attribute in schema.attributes])[asked]
        ordinal = np.array([attribute.kind == "ordinal" for attribute in schema.attributes])[asked]
        n_values = np.array([len(attribute.values) for attribute in schema.attributes])[asked]
        _require(
            bool((nominal != cut).all()), "a node asks a question that its attribute cannot answer"
        )
        branches = np.diff(self.child_start)[inner]
        wanted = np.where(kind == SplitKind.MULTIWAY, n_values, 2)
        _require(
            bool((branches == wanted).all()) and bool((branches >= 2).all()),
            "a node has a wrong number of branches",
        )
        by_value = kind == SplitKind.VALUE
        members = np.repeat(n_values, np.diff(self.subset_start)[inner])
        _require(
            _within(self.value[inner][by_value], 0, n_values[by_value] - 1)
            and _within(self.subset_values, 0, members - 1),
            "a node asks for a value that its attribute has not",
        )
        threshold = self.threshold[inner]
        _require(bool(np.isfinite(threshold[cut]).all()), "a cut has no threshold")
        between = cut & ordinal
        _require(
            bool((threshold[between] >= 0).all())
            and bool((threshold[between] < n_values[between] - 1).all()),
            "a cut lies outside the domain",
        )
        _require(
            _within(self.missing_branch[inner], -1, branches - 1),
            "a node sends missing values nowhere",
        )

    def _check_shares(self) -> None:
        _require(_within(self.share, 0, 1), "a share is not in 0..1")
        firsts = self.child_start[:-1][np.diff(self.child_start) > 0]
        if firsts.size:
            sums = np.add.reduceat(self.share, firsts)
            _require(
                bool((np.abs(sums - 1) <= SHARE_TOLERANCE).all()),
                "the shares of a node's branches do not add up to 1",
            )


NODE_TYPES: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "attribute": np.int32,
    "threshold": np.float64,
    "value": np.int32,
    "subset_start": np.int64,
    "subset_values": np.int32,
    "child_start": np.int64,
    "children": np.int32,
    "share": np.float64,
    "missing_branch": np.int32,
    "label": np.int32,
    "counts": np.float64,
}


def no_nodes(n_classes: int) -> Nodes:
    """Return the arrays of a tree that has not begun to grow."""
    none = np.zeros(0, dtype=np.int32)
    start = np.zeros(1, dtype=np.int64)
    real = np.zeros(0)
    counts = np.zeros((0, n_classes))
    kind = none.astype(np.uint8)
    return Nodes(kind, none, real, none, start, none, start, none, real, none, none, counts)


def leaf_nodes(counts: NDArray[np.float64], label: int | None = None) -> Nodes:
    """Return the nodes of a tree of one leaf.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,)
        Training weight of every class.
    label : int, optional
        The class; by default the first of the heaviest.

    Returns
    -------
    Nodes
        One node.

    Examples
    --------
    >>> leaf_nodes(np.array([1.0, 2.0])).label
    array([1], dtype=int32)
    """
    return Nodes(
        np.zeros(1, np.uint8),
        np.full(1, -1, np.int32),
        np.full(1, np.nan),
        np.full(1, -1, np.int32),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0),
        np.full(1, -1, np.int32),
        np.array([int(np.argmax(counts)) if label is None else label], np.int32),
        np.asarray(counts, dtype=np.float64).reshape(1, -1),
    )


def _within(values: NDArray[Any], low: float, high: float | NDArray[Any]) -> bool:
    return bool(((values >= low) & (values <= high)).all())


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(f"this is not a valid tree: {message}")
