"""Costs: what is refused, and what a tree charges, counted by hand."""

import numpy as np
import pandas as pd
import pytest

from niwaki import C45Classifier, Costs, ID3Classifier, Schema, SplitKind

NAN = float("nan")
PRICES = {"a": 5.0, "b": 2.5, "c": 0.25}
ERRORS = {("yes", "no"): 10, ("no", "yes"): 3, ("yes", "yes"): 0.5}


def rows_of(seed=0, n_rows=80):
    """Return a frame of numbers and categories, and classes."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": random.integers(0, 9, n_rows).astype(float),
            "b": random.choice(list("xyz"), n_rows),
            "c": random.integers(0, 9, n_rows).astype(float),
        }
    )
    return frame, np.where((frame["a"] > 4) ^ (frame["b"] == "x"), "yes", "no")


@pytest.mark.parametrize("learner", [ID3Classifier(), C45Classifier(prune=False)], ids=repr)
def test_cost_by_brute_force(learner):
    """A row pays once for each attribute on its path, and for its error [actual][predicted]."""
    frame, y = rows_of()
    tree = learner.fit(frame, y).tree_
    frame.loc[::7, "b"] = "unseen"
    asked = np.random.default_rng(1).permutation(y)
    costs = Costs(tests=PRICES, errors=ERRORS)
    expected_tests, expected = [], []
    for row, actual in zip(frame.to_dict("records"), asked, strict=True):
        node, paid = 0, set()
        while (split := tree.split(node)) is not None:
            paid.add(split.attribute.name)
            branch = split.branch(row[split.attribute.name])
            if branch is None:
                break
            node = int(tree.children(node)[branch])
        predicted = tree.schema.classes[tree.nodes.label[node]]
        expected_tests.append(sum(PRICES[name] for name in paid))
        expected.append(expected_tests[-1] + ERRORS.get((actual, predicted), 0))
    if not tree.fractional:
        np.testing.assert_allclose(tree.cost(frame, costs=costs), expected_tests)
        np.testing.assert_allclose(tree.cost(frame, asked, costs=costs), expected)
    seen = frame["b"].ne("unseen").to_numpy()
    np.testing.assert_allclose(tree.cost(frame, costs=costs)[seen], np.array(expected_tests)[seen])
    np.testing.assert_allclose(tree.cost(frame, asked, costs=costs)[seen], np.array(expected)[seen])


def test_a_divided_row_pays_the_mean_of_its_parts():
    """A missing value under `fraction` is charged by shares."""
    frame = pd.DataFrame({"a": [1.0] * 3 + [9.0] * 5 + [9.0] * 4, "b": list("xxxxxxxxyyyy")})
    y = ["no"] * 3 + ["yes"] * 5 + ["no"] * 4
    tree = ID3Classifier(missing="fraction").fit(frame, y).tree_
    assert tree.split(0).kind in (SplitKind.THRESHOLD, SplitKind.MULTIWAY)
    root = tree.split(0).attribute.name
    hole = frame.iloc[:1].assign(**{root: None})
    other = "b" if root == "a" else "a"
    charge = tree.cost(hole, costs=Costs(tests={root: 4, other: 8}))[0]
    shares = tree.nodes.counts.sum(axis=1)
    deep = sum(shares[child] for child in tree.children(0) if tree.split(int(child)) is not None)
    assert charge == pytest.approx(4 + 8 * deep / shares[0])


def test_prices_and_matrix():
    """Attributes without a price are free; a single error cost is zero on the diagonal."""
    frame, y = rows_of()
    schema = ID3Classifier().fit(frame, y).tree_.schema
    assert Costs(tests={"b": 2}).prices(schema).tolist() == [0, 2, 0]
    assert Costs(errors=4).error_matrix(schema).tolist() == [[0, 4], [4, 0]]
    assert Costs(errors=ERRORS).error_matrix(schema).tolist() == [[0, 3], [10, 0.5]]
    assert Costs(errors={}).error_matrix(schema).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("amount", [-1, NAN, np.inf, "5", None, [1], 1j, True])
def test_amounts_are_finite_and_not_negative(amount):
    """A wrong price or error cost is named."""
    with pytest.raises(ValueError, match="price of attribute 'a'"):
        Costs(tests={"a": amount})
    with pytest.raises(ValueError, match="cost of an error"):
        Costs(errors=amount)
    with pytest.raises(ValueError, match="cost of predicting 'no' for 'yes'"):
        Costs(errors={("yes", "no"): amount})


@pytest.mark.parametrize("tests", [3, [1, 2], "a", None])
def test_prices_are_a_mapping(tests):
    """Prices that are no mapping from names are refused."""
    with pytest.raises(TypeError, match="tests must map"):
        Costs(tests=tests)


@pytest.mark.parametrize("pair", ["ab", ("a",), ("a", "b", "c"), 3])
def test_errors_are_pairs(pair):
    """A key that is no pair of actual and predicted is refused."""
    with pytest.raises(ValueError, match="not a pair"):
        Costs(errors={pair: 1})


def test_unknown_names_are_refused():
    """A price for no column, a class that is none and a name that is no text are errors."""
    schema = Schema((), ("no", "yes"))
    with pytest.raises(ValueError, match="no attribute 'z'"):
        Costs(tests={"z": 1}).prices(schema)
    with pytest.raises(ValueError, match="'maybe'"):
        Costs(errors={("no", "maybe"): 1}).error_matrix(schema)
    with pytest.raises(TypeError, match="tests must map"):
        Costs(tests={0: 1})


def test_costs_do_not_change_with_the_mappings_they_were_made_from():
    """Costs own their prices."""
    prices, errors = {"a": 1}, {("yes", "no"): 2}
    costs = Costs(tests=prices, errors=errors)
    prices["a"] = 9
    errors["yes", "no"] = 9
    assert costs == Costs(tests={"a": 1}, errors={("yes", "no"): 2})
