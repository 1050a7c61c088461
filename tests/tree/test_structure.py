"""Size, structure, surgery and text of trees."""

import copy
import pickle

import numpy as np
import pytest

from niwaki import Greedy, Schema, SplitKind, Table, Tree, grow
from niwaki.splits import Split, number_text
from niwaki.table import Attribute
from niwaki.tree import leaf_nodes, leaf_tree

from .making import COLOUR, HAND_MADE_TEXT, SCHEMA, SIZE, WIDTH, chain, grown, hand_made


def test_sizes() -> None:
    """Empty leaves are leaves but not non-empty ones; depth counts questions."""
    tree = hand_made()
    assert (tree.n_nodes, tree.n_leaves, tree.n_nonempty_leaves, tree.depth) == (12, 7, 6, 3)
    assert tree.leaves().tolist() == [2, 3, 5, 6, 8, 10, 11]
    assert repr(tree) == "<Tree: 7 leaves, depth 3>"


def test_links() -> None:
    """Children, parents, depths and ends of subtrees agree with the pre-order."""
    tree = hand_made()
    assert [tree.children(node).tolist() for node in (0, 1, 2, 7)] == [
        [1, 4, 7],
        [2, 3],
        [],
        [8, 9],
    ]
    assert tree.nodes.parent.tolist() == [-1, 0, 1, 1, 0, 4, 4, 0, 7, 7, 9, 9]
    assert tree.nodes.depth.tolist() == [0, 1, 2, 2, 1, 2, 2, 1, 2, 2, 3, 3]
    assert tree.nodes.end.tolist() == [12, 4, 3, 4, 7, 6, 7, 12, 9, 12, 11, 12]


def test_splits() -> None:
    """Each node gives back the question that it asks."""
    tree = hand_made()
    assert tree.split(0) == Split(COLOUR, SplitKind.MULTIWAY)
    assert tree.split(1) == Split(SIZE, SplitKind.THRESHOLD, threshold=1.0)
    assert tree.split(4) == Split(WIDTH, SplitKind.THRESHOLD, threshold=2.5)
    assert tree.split(7) == Split(COLOUR, SplitKind.SUBSET, values=("red", "blue"))
    assert tree.split(9) == Split(COLOUR, SplitKind.VALUE, value="blue")
    assert tree.split(2) is None


def test_walk() -> None:
    """A walk meets every node once, in pre-order, with its depth and question."""
    tree = hand_made()
    walked = list(tree.walk())
    assert [node for node, _, _ in walked] == list(range(12))
    assert [depth for _, depth, _ in walked] == tree.nodes.depth.tolist()
    assert [split for _, _, split in walked] == [tree.split(node) for node in range(12)]


@pytest.mark.parametrize("node", [-1, 12, 10**30])
def test_no_such_node(node: int) -> None:
    """A node that is not there is an IndexError, whatever is asked of it."""
    tree = hand_made()
    for method in (tree.children, tree.split, tree.subtree, tree.as_leaf):
        with pytest.raises(IndexError, match="there is no node"):
            method(node)


def test_a_node_is_a_whole_number() -> None:
    """A fraction is no node number, a numpy integer is one."""
    with pytest.raises(TypeError):
        hand_made().subtree(1.5)
    assert hand_made().subtree(np.int32(1)).n_nodes == 3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("nominal_splits", ["multiway", "value"])
def test_subtrees_put_back(seed: int, nominal_splits: str) -> None:
    """Every subtree, put back where it was taken from, gives the same tree."""
    tree = grown(seed, nominal_splits=nominal_splits)
    for node in range(tree.n_nodes):
        part = tree.subtree(node)
        assert part.n_nodes == tree.nodes.end[node] - node
        assert np.array_equal(part.nodes.counts[0], tree.nodes.counts[node])
        assert tree.replace(node, part) == tree


def test_replace_everywhere() -> None:
    """Whatever stands at any position afterwards is the replacement, and nothing else moves."""
    tree, graft = hand_made(), hand_made().subtree(7)
    for node in range(tree.n_nodes):
        result = tree.replace(node, graft)
        size = int(tree.nodes.end[node]) - node
        assert result.n_nodes == tree.n_nodes - size + graft.n_nodes
        assert result.subtree(node) == graft
        for other in range(tree.n_nodes):
            if other + 1 > node + size or other < node:
                moved = other if other < node else other + graft.n_nodes - size
                assert np.array_equal(result.nodes.counts[moved], tree.nodes.counts[other])
                assert result.nodes.label[moved] == tree.nodes.label[other]
                assert result.split(moved) == tree.split(other)


def test_replace_refuses_another_schema() -> None:
    """A replacement over other columns or under another policy for missing values is refused."""
    tree = hand_made()
    with pytest.raises(ValueError, match="another schema"):
        tree.replace(0, chain(2))
    with pytest.raises(ValueError, match="missing value"):
        tree.replace(1, hand_made(fractional=True))


def test_as_leaf() -> None:
    """A node made a leaf keeps its counts and label; the rest stays."""
    tree = hand_made()
    for node in range(tree.n_nodes):
        result = tree.as_leaf(node)
        assert result.split(node) is None
        assert np.array_equal(result.nodes.counts[node], tree.nodes.counts[node])
        assert result.nodes.label[node] == tree.nodes.label[node]
        assert result.n_nodes == tree.n_nodes - (tree.nodes.end[node] - node) + 1


def test_leaf_tree() -> None:
    """The tree of one leaf holds the weights of the whole table and answers with the heaviest."""
    tree = leaf_tree(Table.from_frame([[1], [2], [3]], ["a", "b", "b"], weights=[5, 1, 2]))
    assert tree.nodes.counts.tolist() == [[5.0, 3.0]]
    assert tree.to_text() == ": a (8.0/3.0)"


def test_text() -> None:
    """The text is that of J48: bars for depth, weight and errors in brackets."""
    assert hand_made().to_text() == HAND_MADE_TEXT
    with pytest.raises(ValueError, match="style"):
        hand_made().to_text("poem")


def test_text_is_one_line_per_branch() -> None:
    """Line breaks, control signs and lone surrogates in names and labels are escaped."""
    colour = Attribute("co\nlour", "nominal", ("r\red", "gr\x1b[31meen", "bl\ud800ue"))
    schema = Schema((colour, WIDTH, SIZE), ("n\to", "yes"))
    text = hand_made(schema).to_text()
    assert len(text.splitlines()) == 11
    assert text.encode().decode() == text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-1e-12, "-1e-12"),
        (100.0, "100"),
        (1e15, "1000000000000000"),
        (1e300, "1e+300"),
        (-1.7976931348623157e308, "-1.797693e+308"),
        (5e-324, "4.940656e-324"),
        (0.1 + 0.2, "0.3"),
    ],
)
def test_numbers_are_readable(number: float, text: str) -> None:
    """Numbers of any size are short."""
    assert number_text(number) == text


def test_equal_over_other_codes() -> None:
    """Domains and classes in another order change codes and node numbers, not the tree."""
    rows = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"], ["c", "y"]]
    classes, weights = ["no", "yes", "yes", "no", "no"], [1, 2, 4, 8, 16]
    one, other = (
        grow(Table.from_frame(rows, classes, weights=weights, domains=domains, classes=labels))
        for domains, labels in (
            ({}, ["no", "yes"]),
            ({"x0": ["c", "a", "b"], "x1": ["y", "x"]}, ["yes", "no"]),
        )
    )
    assert one == other
    assert one.nodes.label.tolist() != other.nodes.label.tolist()
    assert one.nodes.counts[:, ::-1].tolist() != other.nodes.counts.tolist()
    assert hand_made() == hand_made(Schema(SCHEMA.attributes, SCHEMA.classes))


def test_unequal() -> None:
    """Another threshold, value, label, weight, kind of label or policy is another tree."""
    tree = hand_made()
    assert tree != "tree"
    assert tree != hand_made(fractional=True)
    changes = {"threshold": (4, 2.6), "value": (9, 1), "label": (5, 1), "counts": (6, 4.1)}
    for name, (place, entry) in changes.items():
        arrays = dict(zip(vars(tree.nodes), tree.nodes.arrays(), strict=False))
        arrays[name] = arrays[name].copy()
        arrays[name][place] = entry
        assert tree != Tree(SCHEMA, type(tree.nodes)(**arrays)), name
    numbers = Attribute("colour", "nominal", (1, 2, 3))
    texts = Attribute("colour", "nominal", ("1", "2", "3"))
    flags = Attribute("colour", "nominal", (True, 2, 3))
    rest = (WIDTH, SIZE)
    trees = [hand_made(Schema((one, *rest), ("no", "yes"))) for one in (numbers, texts, flags)]
    assert trees[0] != trees[1]
    assert trees[0] != trees[2]
    assert hand_made(Schema(SCHEMA.attributes, (0, 1))) != hand_made(
        Schema(SCHEMA.attributes, (False, True))
    )


def test_weights_are_equal_to_a_billionth() -> None:
    """Weights that differ by rounding make no difference."""
    schema = Schema((), ("no", "yes"))
    tree = Tree(schema, leaf_nodes(np.array([1.0, 2.0])))
    assert tree == Tree(schema, leaf_nodes(np.array([1.0 + 5e-10, 2.0])))
    assert tree != Tree(schema, leaf_nodes(np.array([1.0 + 5e-9, 2.0])))


def test_copies_are_immutable() -> None:
    """A tree's arrays cannot be written to, neither can those of a copy or of a pickled tree."""
    tree = hand_made()
    for same in (tree, copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert same == tree
        for array in same.nodes.arrays():
            assert not array.flags.writeable


def test_nodes_keep_no_writable_array() -> None:
    """An array given to a tree may change afterwards; the tree does not."""
    counts = np.array([[1.0, 2.0]])
    tree = Tree(Schema((), ("no", "yes")), leaf_nodes(counts[0]))
    counts[0] = 9
    assert tree.nodes.counts.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("name", "place", "entry", "reason"),
    [
        ("kind", 0, 5, "unknown kind"),
        ("kind", 2, 1, "number of branches|no attribute"),
        ("kind", 1, 0, "leaf has children"),
        ("attribute", 2, 0, "leaf asks"),
        ("attribute", 2, 999, "leaf asks"),
        ("attribute", 0, 3, "no attribute"),
        ("attribute", 0, 1, "cannot answer"),
        ("threshold", 4, np.inf, "no threshold"),
        ("threshold", 1, 2.0, "outside the domain"),
        ("threshold", 2, 1.0, "another kind"),
        ("value", 9, 3, "has not"),
        ("value", 9, -1, "has not"),
        ("value", 4, 0, "another kind"),
        ("subset_values", 0, 3, "has not"),
        ("subset_values", 1, -1, "has not"),
        ("subset_start", 3, 2, "offsets|another kind"),
        ("child_start", 1, 2, "branches|offsets"),
        ("child_start", 12, 2**62, "offsets"),
        ("children", 0, 4, "pre-order"),
        ("share", 0, 0.9, "add up"),
        ("share", 0, np.nan, "share"),
        ("missing_branch", 4, 2, "nowhere"),
        ("missing_branch", 0, 0, "another kind"),
        ("label", 0, 2, "no class"),
        ("counts", 0, np.nan, "count"),
        ("counts", 0, -1.0, "count"),
        ("counts", 0, 1e308, "count"),
    ],
)
def test_invalid_nodes(name: str, place: int, entry: float, reason: str) -> None:
    """Any entry that makes no tree is refused with the reason."""
    nodes = hand_made().nodes
    arrays = {key: getattr(nodes, key) for key in nodes.__dataclass_fields__}
    arrays[name] = arrays[name].copy()
    arrays[name][place] = entry
    with pytest.raises(ValueError, match=reason):
        Tree(SCHEMA, type(nodes)(**arrays))


@pytest.mark.parametrize("name", list(hand_made().nodes.__dataclass_fields__))
def test_short_arrays(name: str) -> None:
    """An array that is too short is refused."""
    nodes = hand_made().nodes
    arrays = {key: getattr(nodes, key) for key in nodes.__dataclass_fields__}
    arrays[name] = arrays[name][:-1]
    with pytest.raises(ValueError, match="valid tree"):
        Tree(SCHEMA, type(nodes)(**arrays))


def test_branches_are_told_apart() -> None:
    """True is not the value 1; an ordinal value outside the domain takes no branch."""
    flags = Attribute("flag", "nominal", (1, 2))
    assert Split(flags, SplitKind.VALUE, value=1).branch(True) == 1
    assert Split(flags, SplitKind.VALUE, value=1).branch(1.0) == 0
    assert Split(flags, SplitKind.SUBSET, values=(1,)).branch(True) == 1
    assert Split(SIZE, SplitKind.THRESHOLD, threshold=1.0).branch("huge") is None
    assert Split(SIZE, SplitKind.THRESHOLD, threshold=1.0).branch("middle") == 0
    assert Split(COLOUR, SplitKind.MULTIWAY).branch("white") is None
    assert [Split(COLOUR, kind).n_branches for kind in (SplitKind.MULTIWAY, SplitKind.VALUE)] == [
        3,
        2,
    ]


def test_greedy_tree_is_a_valid_one() -> None:
    """What growth returns passes the checks that files must pass."""
    for missing in ("category", "fraction", "drop"):
        tree = grow(
            Table.from_frame([["a", 1.0], [None, 2.0], ["b", None]], [0, 1, 1]),
            Greedy("gain"),
            missing=missing,
        )
        tree.nodes.check(tree.schema)
