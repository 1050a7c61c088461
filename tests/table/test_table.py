"""Tables are immutable and grow by sharing."""

import numpy as np
import pandas as pd
import pytest

from niwaki import Table

NAN = float("nan")


def arrays_of(table):
    """Return every array that a table hands out."""
    yield from table.columns
    yield table.classes
    if table.weights is not None:
        yield table.weights
    for position, attribute in enumerate(table.schema.attributes):
        if not attribute.is_nominal:
            yield from table.ranks(position)
    for block in table.blocks:
        yield from block.columns
        yield block.classes


def mixed_rows(n_rows, seed):
    """Return rows of a number and a category, both with holes, and classes."""
    random = np.random.default_rng(seed)
    X = np.empty((n_rows, 2), dtype=object)
    X[:, 0] = random.integers(0, 30, n_rows) / 4
    X[:, 1] = random.choice(list("abc"), n_rows)
    X[random.random((n_rows, 2)) < 0.1] = None
    return X, random.integers(0, 2, n_rows)


def test_arrays_are_read_only():
    """No array of a table can be written to, also after appending and choosing a policy."""
    X, y = mixed_rows(20, 0)
    table = Table.from_frame(X, y, weights=np.arange(20))
    for each in (table, table.append(X, y), table.under("category"), table.distinct()):
        for array in arrays_of(each):
            assert not array.flags.writeable


def test_changing_the_data_afterwards_changes_nothing():
    """A table owns its rows, classes and weights."""
    X, y, weights = np.array([[1.0], [2.0]]), np.array([0, 1]), np.array([1.0, 2.0])
    table = Table.from_frame(X, y, weights=weights)
    before = table.fingerprint
    X[:], y[:], weights[:] = 9, 0, 7
    assert table.columns[0].tolist() == [1.0, 2.0]
    assert table.classes.tolist() == [0, 1]
    assert table.weights.tolist() == [1.0, 2.0]
    assert Table(table.schema, table.blocks).fingerprint == before


def test_append_shares_the_rows_it_has():
    """The blocks of the shorter table are those of the longer one."""
    X, y = mixed_rows(20, 1)
    table = Table.from_frame(X, y)
    longer = table.append(X[:5], y[:5])
    assert longer.n_rows == 25
    assert table.n_rows == 20
    for one, other in zip(table.blocks[0].columns, longer.blocks[0].columns, strict=True):
        assert np.shares_memory(one, other)


def test_appended_table_equals_one_made_at_once():
    """Columns, ranks, codes and fingerprint do not tell how a table came about."""
    X, y = mixed_rows(60, 2)
    whole = Table.from_frame(X, y, weights=np.arange(1, 61))
    parts = Table.from_frame(X[:20], y[:20], weights=np.arange(1, 21))
    parts = parts.append(X[20:21], y[20:21], weights=[21])
    parts = parts.append(X[21:], y[21:], weights=np.arange(22, 61))
    assert parts.schema == whole.schema
    assert parts.fingerprint == whole.fingerprint
    for one, other in zip(parts.ranks(0), whole.ranks(0), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(parts.coded()[0], whole.coded()[0], strict=True):
        np.testing.assert_array_equal(one, other)


def test_append_adds_categories_at_the_end():
    """No code changes when a new category comes, wherever it stands in natural order."""
    table = Table.from_frame([["b"], ["d"]], [0, 1])
    longer = table.append([["c"], ["a"], ["b"]], [0, 1, 1])
    assert longer.schema.attributes[0].values == ("b", "d", "a", "c")
    assert longer.columns[0].tolist() == [0, 1, 3, 2, 0]
    assert table.schema.attributes[0].values == ("b", "d")


def test_append_leaves_out_rows_without_weight():
    """A category that only rows of weight 0 hold is not added."""
    table = Table.from_frame([["b"]], [0]).append([["c"], ["d"]], [0, 0], weights=[0, 1])
    assert table.schema.attributes[0].values == ("b", "d")
    assert table.n_rows == 2


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (pd.DataFrame({"a": [1], "b": ["x"]}), [2], "class 2 is not among"),
        (pd.DataFrame({"a": [1]}), [0], "1 columns, but 2 are expected"),
        (pd.DataFrame({"b": ["x"], "a": [1]}), [0], "'b' stands where 'a'"),
        (pd.DataFrame({"a": ["x"], "b": ["x"]}), [0], "'a' was numeric"),
        ([[1, "x", 2]], [0], "3 columns, but 2 are expected"),
    ],
)
def test_append_refuses_other_data(X, y, message):
    """A new class, other columns or another kind of column is an error that names it."""
    table = Table.from_frame(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), [0, 1])
    with pytest.raises(ValueError, match=message):
        table.append(X, y)


def test_append_refuses_an_unknown_level():
    """A value without a place in the order is not turned into a missing one."""
    sizes = pd.CategoricalDtype(["s", "l"], ordered=True)
    table = Table.from_frame(pd.DataFrame({"a": pd.Series(["s", "l"], dtype=sizes)}), [0, 1])
    with pytest.raises(ValueError, match="'xl' has no place"):
        table.append([["xl"]], [0])


def test_append_refuses_numbers_in_a_column_without_values():
    """A column that had no value has no kind that numbers could join."""
    table = Table.from_frame([[None], [None]], [0, 1])
    assert table.append([["x"]], [0]).schema.attributes[0].values == ("x",)
    with pytest.raises(ValueError, match="'x0' had no value so far"):
        table.append([[1.5]], [0])


def test_append_after_the_policy_takes_no_new_category():
    """Where missing is a category, it is the last one for good."""
    table = Table.from_frame([["a"], [None]], [0, 1]).under("category")
    assert table.append([["a"], [None]], [0, 1]).columns[0].tolist() == [0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"'x0'.*append before"):
        table.append([["b"]], [0])


def test_under_category():
    """Missing nominal values become one more value; missing numbers stay missing."""
    table = Table.from_frame([["a", 1.0], [None, None]], [0, 1]).under("category")
    assert table.schema.attributes[0].values == ("a", None)
    assert table.columns[0].tolist() == [0, 1]
    np.testing.assert_array_equal(table.columns[1], [1.0, NAN])


def test_under_drop():
    """Rows with a missing value are left out; none left is an error."""
    table = Table.from_frame([["a", 1.0], [None, 2.0], ["b", None]], [0, 1, 0], weights=[3, 1, 1])
    assert table.under("drop").columns[0].tolist() == [0]
    assert table.under("drop").weights.tolist() == [3.0]
    with pytest.raises(ValueError, match="leaves none"):
        table.take(np.array([1, 2])).under("drop")


def test_under_error_and_fraction():
    """`error` names the column; `fraction` changes nothing; any other word is refused."""
    table = Table.from_frame([["a", 1.0], ["b", None]], [0, 1])
    assert table.under("fraction") is table
    with pytest.raises(ValueError, match="'x1' has missing values"):
        table.under("error")
    with pytest.raises(ValueError, match="missing must be one of"):
        table.under("keep")


def test_distinct_adds_weights_in_canonical_order():
    """Equal rows of one class are merged; the result does not depend on the order of rows."""
    X, y = mixed_rows(80, 3)
    table = Table.from_frame(X, y)
    order = np.random.default_rng(4).permutation(80)
    distinct, permuted = table.distinct(), table.take(order).distinct()
    assert distinct.fingerprint == permuted.fingerprint
    assert distinct.total_weight == 80
    rows = {(*map(str, row), int(label)) for row, label in zip(X, y, strict=True)}
    assert distinct.n_rows == len(rows)


def test_weights_of_one_are_no_weights():
    """A table with all weights 1 equals one without, however it was made."""
    table = Table.from_frame([[1.0], [2.0]], [0, 1])
    others = [
        Table.from_frame([[1.0], [2.0]], [0, 1], weights=[1, 1]),
        table.reweighted(np.ones(2)),
        Table.from_frame([[1.0], [2.0], [3.0]], [0, 1, 1], weights=[1, 1, 5]).take(np.arange(2)),
    ]
    for other in others:
        assert other.weights is None
        assert other.fingerprint == table.fingerprint


@pytest.mark.parametrize("weights", [[1, 0], [1, -1], [1, NAN], [1], "a", [[1, 1]]])
def test_reweighted_takes_positive_weights_only(weights):
    """Other weights must be positive, one for each row."""
    with pytest.raises(ValueError, match="weights"):
        Table.from_frame([[1.0], [2.0]], [0, 1]).reweighted(weights)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0], "every sample_weight is zero"),
        ([1, -1], "Negative"),
        ([1, NAN], "NaN"),
        ([1, np.inf], "infinity"),
        ([1, 2, 3], "expected"),
        ([[1], [2]], "expected"),
        (["1", "2"], "numbers"),
        ("a", "numbers"),
        ([1, "2"], "numbers"),
        ([1, 1j], "numbers"),
        ([1, None], "NaN"),
        (pd.Series([1, pd.NA], dtype="Int64"), "NaN"),
        (np.ma.array([1, 2], mask=[0, 1]), "masked"),
        ([1e308, 1e308], "adds up to"),
        ([1e-320, 1e-320], "adds up to"),
        ([10**400, 1], "numbers"),
        ({"a": 1}, "numbers"),
    ],
)
def test_wrong_weights_are_named(weights, message):
    """A wrong weight is an error that names sample_weight."""
    with pytest.raises(ValueError, match=message) as caught:
        Table.from_frame([[1.0], [2.0]], [0, 1], weights=weights)
    assert "sample_weight" in str(caught.value)


def test_one_weight_counts_for_all_rows():
    """A single number is the weight of every row."""
    assert Table.from_frame([[1.0], [2.0]], [0, 1], weights=3).weights.tolist() == [3.0, 3.0]


def test_rows_without_weight_leave_no_trace():
    """Values and classes that only rows of weight 0 hold are in no domain, unless declared."""
    X, y = [["a", 1.0], ["b", 2.0], ["z", 9.0]], ["no", "yes", "odd"]
    kept = Table.from_frame(X[:2], y[:2])
    assert Table.from_frame(X, y, weights=[1, 1, 0]).fingerprint == kept.fingerprint
    frame = pd.DataFrame({"x0": pd.Categorical(["a", "b", "z"]), "x1": [1.0, 2.0, 9.0]})
    declared = Table.from_frame(frame, pd.Categorical(y), weights=[1, 1, 0])
    assert declared.schema.attributes[0].values == ("a", "b", "z")
    assert declared.schema.n_classes == 3


def test_fingerprint_knows_values_and_not_names():
    """Names and blocks do not count; kinds, values, domains, classes and weights do."""
    table = Table.from_frame([[1.0], [2.0]], [0, 1])
    assert Table.from_frame([[1.0], [2.0]], [0, 1], names=["a"]).fingerprint == table.fingerprint
    others = [
        Table.from_frame([[1.0], [3.0]], [0, 1]),
        Table.from_frame([[1.0], [2.0]], [1, 0]),
        Table.from_frame([[1.0], [2.0]], ["0", "1"]),
        Table.from_frame([[1.0], [2.0]], [0, 1], classes=[0, 1, 2]),
        Table.from_frame([[1.0], [2.0]], [0, 1], weights=[1, 2]),
        Table.from_frame([[1.0], [2.0]], [0, 1], categorical_features=[0]),
        Table.from_frame([["1"], ["2"]], [0, 1]),
    ]
    assert len({table.fingerprint, *(other.fingerprint for other in others)}) == 8


def test_negative_zero_is_zero():
    """-0.0 and 0.0 are one value."""
    table = Table.from_frame([[-0.0], [0.0]], [0, 1])
    assert table.fingerprint == Table.from_frame([[0.0], [0.0]], [0, 1]).fingerprint


def test_a_table_is_not_encoded_again():
    """A Table where rows are expected is refused with a remedy."""
    table = Table.from_frame([[1.0], [2.0]], [0, 1])
    with pytest.raises(TypeError, match="X is a Table already"):
        Table.from_frame(table, [0, 1])
    with pytest.raises(TypeError, match="X is a Table already"):
        table.append(table, [0, 1])
