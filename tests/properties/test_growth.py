"""What must hold of growth, pruning and prediction, whatever the rows and options are."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from niwaki import Split, SplitKind, Tree, prune_errors
from niwaki.table import encode_rows

from .drawing import VALUES, Options, Rows, options, rows

checked = settings(deadline=None, derandomize=True, max_examples=150)


@checked
@given(rows(), options(), st.randoms(use_true_random=False))
def test_row_order_changes_nothing(drawn: Rows, how: Options, shuffler: object) -> None:
    """Rows in any order give the same tree, before and after pruning."""
    order = list(range(len(drawn.classes)))
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    table, shuffled = drawn.table(), drawn.table(order)
    tree, other = how.grow(table), how.grow(shuffled)
    assert tree == other
    assert prune_errors(tree, table) == prune_errors(other, shuffled)


@checked
@given(rows(), options())
def test_column_names_change_nothing(drawn: Rows, how: Options) -> None:
    """Other names give the same arrays."""
    names = [f"z{len(drawn.nominal) - at} if 'x0'" for at in range(len(drawn.nominal))]
    tree, other = how.grow(drawn.table()), how.grow(drawn.table(names=names))
    for one, array in zip(tree.nodes.arrays(), other.nodes.arrays(), strict=True):
        assert np.array_equal(one, array, equal_nan=one.dtype.kind == "f")


@checked
@given(rows(), options())
def test_weights_are_duplicates(drawn: Rows, how: Options) -> None:
    """A row of weight 3 is three equal rows, in growth and in pruning."""
    times = np.repeat(np.arange(len(drawn.classes)), drawn.weights.astype(int))
    copies = Rows(drawn.cells[times], drawn.classes[times], np.ones(times.size))
    tree, other = how.grow(drawn.table()), how.grow(copies.table())
    assert tree == other
    assert prune_errors(tree, drawn.table()) == prune_errors(other, copies.table())


@checked
@given(rows(), options())
def test_json_and_text(drawn: Rows, how: Options) -> None:
    """A tree comes back from JSON as it was; its text has one line per branch."""
    tree = how.grow(drawn.table())
    assert Tree.from_json(tree.to_json()) == tree
    assert Tree.from_json(tree.to_json()).to_json() == tree.to_json()
    assert len(tree.to_text().splitlines()) == max(1, tree.n_nodes - 1)


def expected_stop(tree: Tree, cells: list[object]) -> int:
    """Follow the questions by hand for a row of labels and numbers."""
    node = 0
    while (split := tree.split(node)) is not None:
        place = tree.schema.index_of(split.attribute.name)
        branch = branch_of(tree, node, split, cells[place])
        if branch is None:
            break
        node = int(tree.children(node)[branch])
    return node


def branch_of(tree: Tree, node: int, split: Split, cell: object) -> int | None:
    """Return the branch that a cell takes, `None` where it has none."""
    if cell is not None or split.attribute.missing_is_value:
        return split.branch(cell)
    if split.kind == SplitKind.THRESHOLD:
        stored = int(tree.nodes.missing_branch[node])
        return stored if stored >= 0 else None
    return None if split.kind == SplitKind.MULTIWAY else 1


@checked
@given(rows(), options(), st.data())
def test_rows_stop_where_their_answers_lead(drawn: Rows, how: Options, data: st.DataObject) -> None:
    """Each row stops where the branches of its path's questions lead, its class counted there."""
    if how.rest["missing"] == "fraction":
        how.rest["missing"] = "category"
    tree = how.grow(drawn.table())
    fresh = [
        data.draw(
            st.lists(
                st.sampled_from([*VALUES, "new", None]) if text else st.just(0.3),
                min_size=3,
                max_size=3,
            )
        )
        for text in drawn.nominal
    ]
    for cells in (drawn.cells, np.array(fresh, dtype=object).T):
        stopped = tree.apply(cells)
        assert stopped.tolist() == [expected_stop(tree, row) for row in cells.tolist()]
        reached = tree.decision_path(cells).toarray().astype(bool)
        for row, node in enumerate(stopped):
            above = [node]
            while above[-1]:
                above.append(tree.nodes.parent[above[-1]])
            assert np.flatnonzero(reached[row]).tolist() == sorted(above)
    counts = np.zeros_like(tree.nodes.counts)
    stopped = tree.apply(drawn.cells)
    np.add.at(counts, (stopped, drawn.classes), drawn.weights)
    leaves = tree.leaves()
    assert np.allclose(counts[leaves], tree.nodes.counts[leaves])


@checked
@given(rows(), options(), st.sampled_from(["none", "laplace", "m"]))
def test_probabilities_add_up(drawn: Rows, how: Options, smoothing: str) -> None:
    """Every row's distribution is one, also for rows with missing and unseen values."""
    tree = how.grow(drawn.table())
    strange = drawn.cells.copy()
    strange[::2] = None
    for cells in (drawn.cells, strange):
        answers = tree.predict_proba(cells, smoothing)
        assert (answers >= 0).all()
        assert np.allclose(answers.sum(axis=1), 1, rtol=0, atol=1e-9)
        assert len(encode_rows(cells, tree.schema)) == tree.schema.n_attributes
