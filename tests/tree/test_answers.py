"""What trees answer: classes, distributions, nodes, paths and charges."""

import numpy as np
import pytest

from niwaki import Costs, Table, Tree, grow
from niwaki.table import encode_rows

from .making import SCHEMA, answer_rows, chain, grown, hand_made

ROWS = np.array(
    [
        ["red", 0.0, "small"],
        ["red", 0.0, "large"],
        ["green", 2.5, "small"],
        ["green", 2.6, "small"],
        ["blue", 0.0, "small"],
        ["white", 0.0, "small"],
        [None, 0.0, "small"],
        ["green", None, "small"],
        ["red", 0.0, None],
        ["red", 0.0, "unknown"],
    ],
    dtype=object,
)
STOPS = [2, 3, 5, 6, 8, 0, 0, 6, 2, 2]
COUNTS = hand_made().nodes.counts


def test_apply() -> None:
    """A row goes down by its values; unseen and missing ones stop or follow the stored branch."""
    assert hand_made().apply(ROWS).tolist() == STOPS


def test_predict() -> None:
    """A row's class is the label of the node where it stops."""
    tree = hand_made()
    labels = [SCHEMA.classes[tree.nodes.label[node]] for node in STOPS]
    assert tree.predict(ROWS) == labels
    assert tree.predict_codes(ROWS).tolist() == tree.nodes.label[STOPS].tolist()


def test_predict_proba_smoothings() -> None:
    """Counts become probabilities as they are, with a row of every class, or with the root's."""
    tree = hand_made()
    counts = COUNTS[STOPS]
    total = counts.sum(axis=1, keepdims=True)
    prior = COUNTS[0] / COUNTS[0].sum()
    expected = {
        "none": counts / total,
        "laplace": (counts + 1) / (total + 2),
        "m": (counts + 2 * prior) / (total + 2),
    }
    for smoothing, probabilities in expected.items():
        assert np.allclose(tree.predict_proba(ROWS, smoothing), probabilities)
    with pytest.raises(ValueError, match="smoothing"):
        tree.predict_proba(ROWS, "some")
    for m in (-1.0, np.nan):
        with pytest.raises(ValueError, match="m must be"):
            tree.node_probabilities("m", m)


def test_an_empty_leaf_answers_with_its_parent() -> None:
    """An empty leaf has its parent's distribution; alone, it is sure of its label."""
    tree = hand_made()
    assert tree.node_probabilities()[11].tolist() == tree.node_probabilities()[9].tolist()
    alone = tree.subtree(11)
    assert alone.predict_proba(ROWS[:1]).tolist() == [[0.0, 1.0]]
    for smoothing in ("none", "laplace", "m"):
        assert alone.node_probabilities(smoothing)[0].argmax() == 1
        assert np.allclose(alone.node_probabilities(smoothing).sum(axis=1), 1)


def test_fractional_rows() -> None:
    """A missing value sends parts of a row down all branches, by the branches' shares."""
    tree = hand_made(fractional=True)
    weight = COUNTS.sum(axis=1)
    shares = {2: 5, 5: 6, 6: 0, 8: 11}
    shares = {2: weight[1], 5: weight[4], 8: weight[7]}
    total = sum(shares.values())
    expected = sum(share / total * COUNTS[node] / weight[node] for node, share in shares.items())
    # The width 0 and the size "small" lead to 2 and 5; `in {red, blue}` divides once more.
    inside, outside = weight[8] / weight[7], weight[9] / weight[7]
    expected += weight[7] / total * (inside - 1) * COUNTS[8] / weight[8]
    expected += weight[7] / total * outside * COUNTS[10] / weight[10]
    answers = tree.predict_proba(ROWS)
    assert np.allclose(answers[6], expected)
    assert np.allclose(answers.sum(axis=1), 1)
    assert tree.apply(ROWS)[6] == 8
    assert tree.apply(ROWS)[5] == 0
    reached = tree.decision_path(ROWS)[6].toarray()[0]
    assert np.flatnonzero(reached).tolist() == [0, 1, 2, 4, 5, 7, 8, 9, 10]


@pytest.mark.parametrize("missing", ["category", "fraction"])
@pytest.mark.parametrize("seed", range(4))
def test_decision_path(missing: str, seed: int) -> None:
    """A row reaches the nodes above each node where it, or a part of it, stops."""
    tree = grown(seed, missing)
    X = answer_rows(seed)
    reached = tree.decision_path(X)
    assert reached.shape == (40, tree.n_nodes)
    assert set(reached.data.tolist()) == {1}
    matrix = reached.toarray()
    parent = tree.nodes.parent
    for row, node in enumerate(tree.apply(X)):
        assert matrix[row, node] == 1
        for place in np.flatnonzero(matrix[row])[1:]:
            assert matrix[row, parent[place]] == 1
        if missing == "category":
            assert matrix[row].sum() == tree.nodes.depth[node] + 1


def test_costs_are_paid_once() -> None:
    """A row pays for the attributes it was asked for, each once, and for its error."""
    costs = Costs(tests={"colour": 1, "width": 10, "size": 100}, errors={("no", "yes"): 0.5})
    tree = hand_made()
    charges = [101, 101, 11, 11, 1, 1, 1, 11, 101, 101]
    assert tree.cost(ROWS, costs=costs).tolist() == charges
    wrong = [0.5 * (label == "yes") for label in tree.predict(ROWS)]
    with_errors = tree.cost(ROWS, ["no"] * len(ROWS), costs=costs)
    assert with_errors.tolist() == (np.array(charges) + wrong).tolist()
    fractional = hand_made(fractional=True).cost(ROWS, costs=costs)
    weight = COUNTS.sum(axis=1)
    mean = (weight[1] * 101 + weight[4] * 11 + weight[7] * 1) / weight[0]
    assert fractional[6] == pytest.approx(mean)


def test_importances_add_up() -> None:
    """The shares of the attributes in what the tree removes add up to 1, or all are 0."""
    for measure in ("entropy", "gini"):
        assert grown().impurity_decrease(measure).sum() == pytest.approx(1)
        assert hand_made().subtree(2).impurity_decrease(measure).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="measure"):
        grown().impurity_decrease("surprise")


def test_tables_answer_like_their_rows() -> None:
    """A table, encoded in its own way, gets the same answers as the rows it came from."""
    tree = grown()
    X = answer_rows()
    X[:, 0][X[:, 0] == "new"] = "c"
    table = Table.from_frame(X, np.zeros(len(X)), domains={"x0": ["c", "b", "a"]})
    assert tree.apply(table).tolist() == tree.apply(X).tolist()
    assert len(encode_rows(table, tree.schema)) == 4


def test_wrong_columns() -> None:
    """Rows with another number of columns are refused."""
    with pytest.raises(ValueError, match="columns"):
        hand_made().predict([[1, 2]])


def test_one_leaf_answers() -> None:
    """A tree without questions answers every row alike, whatever is missing in it."""
    table = Table.from_frame([[1.0], [2.0]], [3, 3])
    for missing in ("category", "fraction"):
        tree: Tree = grow(table, missing=missing)
        assert tree.predict([[None], [7.0]]) == [3, 3]
        assert tree.predict_proba([[None]]).tolist() == [[1.0]]
        assert tree.decision_path([[0.0]]).toarray().tolist() == [[1]]


def test_chain_answers() -> None:
    """In a chain every row stops at its own leaf."""
    tree = chain(200)
    X = np.arange(201.0)[:, None]
    assert tree.apply(X).tolist() == [*range(1, 400, 2), 400]
    assert tree.predict(X) == [row % 2 for row in range(201)]
    assert tree.predict([[None]]) == [0]
