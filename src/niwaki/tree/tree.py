"""The tree: the immutable result of every learner."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from niwaki import _core
from niwaki.costs import Costs
from niwaki.splits import Split, SplitKind, subset_labels
from niwaki.table import Label, Schema, Table, encode_rows
from niwaki.table.classes import encode_classes
from niwaki.tree.nodes import Nodes, leaf_nodes

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Smoothing = Literal["none", "laplace", "m"]
SMOOTHINGS: tuple[Smoothing, ...] = ("none", "laplace", "m")


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree over a schema.

    Parameters
    ----------
    schema : Schema
        Attributes and classes, as the learner saw them.
    nodes : Nodes
        The nodes in pre-order; node 0 is the root.
    fractional : bool, default=False
        Whether a row with a missing value goes down all branches in parts, as in C4.5.

    Examples
    --------
    >>> from niwaki import Table, Greedy, grow
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], ["no", "no", "yes"])
    >>> print(grow(table, Greedy("gain")).to_text())
    x0 = a: no (2.0)
    x0 = b: yes (1.0)
    """

    schema: Schema
    nodes: Nodes
    fractional: bool = False

    def __post_init__(self) -> None:
        """Refuse nodes that do not fit the schema."""
        self.nodes.check(self.schema)

    # -- size ------------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return self.nodes.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int((self.nodes.kind == SplitKind.LEAF).sum())

    @property
    def n_nonempty_leaves(self) -> int:
        """Number of leaves that training rows reached."""
        leaves = self.nodes.kind == SplitKind.LEAF
        return int((leaves & (self.nodes.counts.sum(axis=1) > 0)).sum())

    @property
    def depth(self) -> int:
        """Largest number of questions on a path."""
        return int(self.nodes.depth.max())

    # -- structure -------------------------------------------------------------------------------

    def leaves(self) -> NDArray[np.intp]:
        """Return the numbers of the leaves, left to right.

        Returns
        -------
        ndarray of int
            Node numbers.

        Examples
        --------
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> tree.leaves()
        array([1, 2])
        """
        return np.flatnonzero(self.nodes.kind == SplitKind.LEAF)

    def children(self, node: int) -> NDArray[np.int32]:
        """Return the children of a node in branch order.

        Parameters
        ----------
        node : int
            Node number.

        Returns
        -------
        ndarray of int32
            Node numbers, none at a leaf.

        Examples
        --------
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> tree.children(0)
        array([1, 2], dtype=int32)
        """
        node = self._check_node(node)
        return self.nodes.children[self.nodes.child_start[node] : self.nodes.child_start[node + 1]]

    def split(self, node: int) -> Split | None:
        """Return the question at a node, None at a leaf.

        Parameters
        ----------
        node : int
            Node number.

        Returns
        -------
        Split or None
            The question.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.split(0).literals()
        ['x0 <= 1.5', 'x0 > 1.5']
        """
        node = self._check_node(node)
        nodes = self.nodes
        kind = SplitKind(int(nodes.kind[node]))
        if kind == SplitKind.LEAF:
            return None
        attribute = self.schema.attributes[int(nodes.attribute[node])]
        if kind == SplitKind.VALUE:
            return Split(attribute, kind, value=attribute.values[int(nodes.value[node])])
        if kind == SplitKind.THRESHOLD:
            return Split(attribute, kind, threshold=float(nodes.threshold[node]))
        if kind == SplitKind.SUBSET:
            codes = nodes.subset_values[nodes.subset_start[node] : nodes.subset_start[node + 1]]
            return Split(attribute, kind, values=subset_labels(attribute, codes.tolist()))
        return Split(attribute, kind)

    def walk(self) -> Iterator[tuple[int, int, Split | None]]:
        """Yield every node in pre-order with its depth and question.

        Yields
        ------
        node : int
            Node number.
        depth : int
            Number of questions above it.
        split : Split or None
            Its question, None at a leaf.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> [(node, depth) for node, depth, split in tree.walk()]
        [(0, 0), (1, 1), (2, 1)]
        """
        depth = self.nodes.depth.tolist()
        for node in range(self.n_nodes):
            yield node, depth[node], self.split(node)

    def subtree(self, node: int) -> Tree:
        """Return the subtree at a node as a tree of its own.

        Parameters
        ----------
        node : int
            Node number.

        Returns
        -------
        Tree
            The subtree.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain")).subtree(1).n_nodes
        1
        """
        node = self._check_node(node)
        return Tree(self.schema, self.nodes.slice(node, int(self.nodes.end[node])), self.fractional)

    def replace(self, node: int, tree: Tree) -> Tree:
        """Return this tree with the subtree at a node replaced.

        The counts above the node stay as they are.

        Parameters
        ----------
        node : int
            Node number.
        tree : Tree
            What stands there afterwards; its schema must be the same.

        Returns
        -------
        Tree
            The new tree.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.replace(0, tree.subtree(2)).n_nodes
        1
        """
        node = self._check_node(node)
        if tree.schema != self.schema:
            raise ValueError("the replacement was learned from a table with another schema")
        if tree.fractional != self.fractional and tree.n_nodes > 1:
            raise ValueError(
                "the replacement treats rows with a missing value in another way; "
                "learn both trees under the same policy"
            )
        return Tree(self.schema, self.nodes.spliced(node, tree.nodes), self.fractional)

    def as_leaf(self, node: int) -> Tree:
        """Return this tree with a node made a leaf; it keeps its label and counts.

        Parameters
        ----------
        node : int
            Node number.

        Returns
        -------
        Tree
            The new tree.

        Examples
        --------
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> print(tree.as_leaf(0).to_text())
        : no (2.0/1.0)
        """
        node = self._check_node(node)
        leaf = leaf_nodes(self.nodes.counts[node], int(self.nodes.label[node]))
        return Tree(self.schema, self.nodes.spliced(node, leaf), self.fractional)

    def _check_node(self, node: int) -> int:
        number = index(node)
        if not 0 <= number < self.n_nodes:
            raise IndexError(f"there is no node {number}; the nodes are 0 to {self.n_nodes - 1}")
        return number

    # -- answers ---------------------------------------------------------------------------------

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node where each row stops.

        A row whose value has no branch stops at an inner node; a row that goes down several
        branches in parts is counted where its largest part stops.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.

        Returns
        -------
        ndarray of int64 of shape (n_rows,)
            Node numbers.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.apply([[0.0], [9.0]])
        array([1, 2])
        """
        return self._stops(X).heaviest()

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row reaches.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
            1 where the row, or a part of it, reaches the node.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.decision_path([[0.0]]).toarray()
        array([[1, 1, 0]])
        """
        from scipy.sparse import coo_matrix

        stops = self._stops(X)
        whole = np.ones(stops.node.size, dtype=bool)
        whole[stops.divided] = False
        parts = stops.parts.tocoo()
        row = np.concatenate([np.flatnonzero(whole), stops.divided[parts.row]])
        place, nodes = self._paths(np.concatenate([stops.node[whole], parts.col]))
        shape = (stops.node.size, self.n_nodes)
        ones = np.ones(nodes.size, dtype=np.int64)
        reached = coo_matrix((ones, (row[place], nodes)), shape=shape).tocsr()
        reached.data[:] = 1
        return reached

    def _paths(self, ends: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the nodes above and at each end: the end's place among all ends, and the node."""
        places, nodes = [], []
        place, node = np.arange(ends.size), ends.astype(np.intp)
        while node.size:
            places.append(place)
            nodes.append(node)
            above = self.nodes.parent[node]
            place, node = place[above >= 0], above[above >= 0].astype(np.intp)
        return np.concatenate(places), np.concatenate(nodes)

    def _stops(self, X: Any) -> Stops:
        """Find where every row stops."""
        from scipy.sparse import csr_matrix

        columns = encode_rows(X, self.schema)
        arrays = self.nodes.arrays()
        node = _core.apply_rows(arrays, columns, self.fractional).astype(np.int64)
        if not self.fractional:
            nothing = csr_matrix((0, self.n_nodes), dtype=np.float64)
            return Stops(node, np.zeros(0, dtype=np.int64), nothing)
        divided = np.flatnonzero(self.nodes.kind[node] != SplitKind.LEAF)
        start, nodes, shares = _core.stops(arrays, tuple(values[divided] for values in columns))
        parts = csr_matrix((shares, nodes, start), shape=(divided.size, self.n_nodes))
        return Stops(node, divided, parts)

    def node_probabilities(self, smoothing: Smoothing = "none", m: float = 2.0) -> NDArray[Any]:
        """Return the class distribution that each node answers with.

        Parameters
        ----------
        smoothing : {"none", "laplace", "m"}
            Laplace adds one row of every class; m adds `m` rows with the root's distribution.
        m : float, default=2.0
            Weight of the root's distribution under "m".

        Returns
        -------
        ndarray of float64 of shape (n_nodes, n_classes)
            Distributions; an empty node has its parent's, and where no node above holds a row
            the label counts as one.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.node_probabilities("laplace")[1].round(3)
        array([0.667, 0.333])
        """
        if smoothing not in SMOOTHINGS:
            raise ValueError(f"smoothing must be one of {SMOOTHINGS}, not {smoothing!r}")
        source = self.nodes.distribution_node
        counts = self.nodes.counts[source]
        bare = np.flatnonzero(counts.sum(axis=1) == 0)
        counts[bare, self.nodes.label[source[bare]]] = 1.0
        total = counts.sum(axis=1, keepdims=True)
        if smoothing == "laplace":
            return np.asarray((counts + 1.0) / (total + self.schema.n_classes))
        if smoothing == "m":
            if not (math.isfinite(m) and m >= 0):
                raise ValueError(f"m must be a weight of at least 0, not {m!r}")
            return np.asarray((counts + m * (counts[0] / total[0])) / (total + m))
        return np.asarray(counts / total)

    def predict_proba(self, X: Any, smoothing: Smoothing = "none") -> NDArray[np.float64]:
        """Return the class distribution of each row.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.
        smoothing : {"none", "laplace", "m"}
            How the leaves' counts become probabilities.

        Returns
        -------
        ndarray of float64 of shape (n_rows, n_classes)
            One distribution per row.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain"))
        >>> tree.predict_proba([[0.0]])
        array([[1., 0.]])
        """
        return self._stops(X).mean(self.node_probabilities(smoothing))

    def predict_codes(self, X: Any) -> NDArray[np.int32]:
        """Return the class code of each row; `schema.classes` holds the labels.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.

        Returns
        -------
        ndarray of int32 of shape (n_rows,)
            Class codes.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]), Greedy("gain"))
        >>> tree.predict_codes([[0.0], [5.0]])
        array([0, 1], dtype=int32)
        """
        stops = self._stops(X)
        codes = self.nodes.label[stops.node]
        if stops.divided.size:
            answers = stops.parts @ self.node_probabilities()
            codes[stops.divided] = np.argmax(answers, axis=1)
        return codes

    def predict(self, X: Any) -> list[Label]:
        """Return the class label of each row.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.

        Returns
        -------
        list
            Labels.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]), Greedy("gain"))
        >>> tree.predict([[0.0], [5.0]])
        ['no', 'yes']
        """
        return [self.schema.classes[code] for code in self.predict_codes(X)]

    def cost(self, X: Any, y: Any = None, *, costs: Costs) -> NDArray[np.float64]:
        """Return what classifying each row costs.

        Parameters
        ----------
        X : Table, array-like or data frame
            The rows.
        y : array-like, optional
            Their classes; without them only the measurements are charged.
        costs : Costs
            Prices and error costs; error costs are [actual][predicted].

        Returns
        -------
        ndarray of float64 of shape (n_rows,)
            One charge per row. A row in parts is charged the mean of its parts.

        Examples
        --------
        >>> from niwaki import Costs, Table, Greedy, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]), Greedy("gain"))
        >>> tree.cost([[0.0], [5.0]], ["no", "no"], costs=Costs(tests={"x0": 3}, errors=10))
        array([ 3., 13.])
        """
        charges = self._path_charges(costs.prices(self.schema))
        charge = self._stops(X).mean(charges)
        if y is None:
            return charge
        actual = encode_classes(y, charge.size, self.schema.classes)
        return np.asarray(charge + costs.error_matrix(self.schema)[actual, self.predict_codes(X)])

    def _path_charges(self, prices: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the questions down to each node cost, its own included, each paid once."""
        charges = np.zeros(self.n_nodes)
        parent, ends = self.nodes.parent.tolist(), self.nodes.end.tolist()
        attribute, price = self.nodes.attribute.tolist(), prices.tolist()
        open_nodes: list[int] = []
        asked = [0] * self.schema.n_attributes
        for node in range(self.n_nodes):
            while open_nodes and ends[open_nodes[-1]] <= node:
                asked[attribute[open_nodes.pop()]] -= 1
            charges[node] = charges[parent[node]] if node else 0.0
            if attribute[node] >= 0:
                if asked[attribute[node]] == 0:
                    charges[node] += price[attribute[node]]
                asked[attribute[node]] += 1
                open_nodes.append(node)
        return charges

    def impurity_decrease(self, measure: str = "entropy") -> NDArray[np.float64]:
        """Return how much impurity the questions about each attribute remove, in all 1.

        Parameters
        ----------
        measure : {"entropy", "gini"}
            The impurity.

        Returns
        -------
        ndarray of float64 of shape (n_attributes,)
            Shares that add up to 1, or zeros if the tree asks nothing useful.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> grow(Table.from_frame([[1.0], [2.0]], [0, 1]), Greedy("gain")).impurity_decrease()
        array([1.])
        """
        weighted = self.nodes.counts.sum(axis=1) * node_impurity(self.nodes.counts, measure)
        below = np.zeros(self.n_nodes)
        inner = self.nodes.kind != SplitKind.LEAF
        np.add.at(below, self.nodes.parent[1:], weighted[1:])
        importance = np.zeros(self.schema.n_attributes)
        np.add.at(importance, self.nodes.attribute[inner], (weighted - below)[inner])
        importance = np.maximum(importance, 0.0)
        return importance / importance.sum() if importance.sum() > 0 else importance

    # -- comparison and files --------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Compare questions by attribute and values, labels, and weights to 1e-9."""
        if not isinstance(other, Tree):
            return NotImplemented
        from niwaki.tree.compare import same_tree

        return same_tree(self, other)

    __hash__ = None  # type: ignore[assignment]  # equality is approximate

    def to_text(self, style: str = "j48") -> str:
        """Return the tree as indented text.

        Parameters
        ----------
        style : {"j48"}
            One line per branch; a leaf shows its class, its training weight and its errors.

        Returns
        -------
        str
            The text, without a newline at the end.

        Examples
        --------
        >>> from niwaki import Table, Greedy, grow
        >>> print(grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]), Greedy("gain")).to_text())
        x0 <= 1.5: no (1.0)
        x0 > 1.5: yes (1.0)
        """
        from niwaki.tree.text import j48_text

        if style != "j48":
            raise ValueError(f"style must be 'j48', not {style!r}")
        return j48_text(self)

    def to_json(self) -> str:
        """Return the tree as versioned JSON text.

        Returns
        -------
        str
            What `from_json` reads.

        Examples
        --------
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> tree.to_json()[:40]
        '{"format": "niwaki-tree", "version": 1, '
        """
        from niwaki.tree.files import tree_to_json

        return tree_to_json(self)

    @staticmethod
    def from_json(text: str) -> Tree:
        """Read what `to_json` wrote; anything else is a ValueError that says what is wrong.

        Parameters
        ----------
        text : str
            JSON text.

        Returns
        -------
        Tree
            The tree.

        Examples
        --------
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> Tree.from_json(tree.to_json()) == tree
        True
        """
        from niwaki.tree.files import tree_from_json

        return tree_from_json(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a file, whole or not at all.

        Parameters
        ----------
        path : path-like
            The file; an old one is replaced.

        Examples
        --------
        >>> import tempfile
        >>> from niwaki import Table, grow
        >>> tree = grow(Table.from_frame([[1.0], [2.0]], ["no", "yes"]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(f"{folder}/tree.json")
        ...     Tree.load(f"{folder}/tree.json") == tree
        True
        """
        from niwaki.tree.files import write_atomically

        write_atomically(path, self.to_json())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Tree:
        """Read a file that `save` wrote."""
        from niwaki.tree.files import read_tree

        return read_tree(path)

    def __repr__(self) -> str:
        """Say how large the tree is."""
        return f"<Tree: {self.n_leaves} leaves, depth {self.depth}>"


@dataclass(frozen=True)
class Stops:
    """Where rows stop: each at one node, but for some that are divided over several.

    `parts` has one row per entry of `divided` and the share that stops at each node.
    """

    node: NDArray[np.int64]
    divided: NDArray[np.int64]
    parts: csr_matrix

    def mean(self, of_node: NDArray[Any]) -> NDArray[Any]:
        """Return what each row meets of a quantity of nodes, by shares."""
        met = of_node[self.node]
        if self.divided.size:
            met[self.divided] = self.parts @ of_node
        return met

    def heaviest(self) -> NDArray[np.int64]:
        """Return for each row the node where its largest part stops."""
        node = self.node.copy()
        start, shares = self.parts.indptr, self.parts.data
        for place, row in enumerate(self.divided):
            part = slice(start[place], start[place + 1])
            node[row] = self.parts.indices[part][np.argmax(shares[part])]
        return node


def node_impurity(counts: NDArray[np.float64], measure: str) -> NDArray[np.float64]:
    """Return the entropy (bits) or Gini impurity of each row of class counts.

    Parameters
    ----------
    counts : ndarray of shape (n_nodes, n_classes)
        Class weights.
    measure : {"entropy", "gini"}
        The impurity.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Impurities; 0 where there is no weight.

    Examples
    --------
    >>> node_impurity(np.array([[1.0, 1.0], [2.0, 0.0]]), "entropy")
    array([1., 0.])
    """
    total = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if measure == "gini":
        return np.asarray(np.where(total[:, 0] > 0, 1.0 - (shares**2).sum(axis=1), 0.0))
    if measure != "entropy":
        raise ValueError(f"measure must be 'entropy' or 'gini', not {measure!r}")
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(0.0 - (shares * logs).sum(axis=1))


def leaf_tree(table: Table) -> Tree:
    """Return the tree of one leaf that holds a whole table.

    Parameters
    ----------
    table : Table
        The rows.

    Returns
    -------
    Tree
        A leaf with the first of the heaviest classes.

    Examples
    --------
    >>> print(leaf_tree(Table.from_frame([[1.0], [2.0], [3.0]], ["a", "b", "b"])).to_text())
    : b (3.0/1.0)
    """
    counts = np.bincount(
        table.classes, weights=table.weights, minlength=table.schema.n_classes
    ).astype(np.float64)
    return Tree(table.schema, leaf_nodes(counts))
