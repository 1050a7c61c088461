"""The same data gives the same table, whatever library holds it."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from niwaki import Table

Y = [0, 1, 0]
NAN = float("nan")
DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([1, None, 0]), pa.array(["c", "b", "a"]))


def column(values, dtype=None):
    """Return a pandas frame of one column named as the columns of arrays are."""
    return pd.DataFrame({"x0": pd.Series(values, dtype=dtype)})


def objects(*values):
    """Return an object array of one column."""
    array = np.empty((len(values), 1), dtype=object)
    array[:, 0] = values
    return array


NUMBERS = {
    "float64": np.array([[1.0], [NAN], [2.0]]),
    "float32": np.array([[1.0], [NAN], [2.0]], dtype="f4"),
    "float16": np.array([[1.0], [NAN], [2.0]], dtype="f2"),
    "longdouble": np.array([[1.0], [NAN], [2.0]], dtype=np.longdouble),
    "objects": objects(1, None, 2.0),
    "decimals": objects(Decimal(1), None, Decimal(2)),
    "fractions": objects(Fraction(1), Decimal("NaN"), Fraction(2)),
    "truth beside numbers": objects(True, None, 2),
    "pd.NA in objects": objects(1, pd.NA, 2),
    "pd.NaT in objects": objects(1, pd.NaT, 2),
    "nested list": [[1], [None], [2]],
    "nested list with NaN": [[1.0], [NAN], [2.0]],
    "nested list with masked": [[1.0], [np.ma.masked], [2.0]],
    "masked int": np.ma.array([[1], [7], [2]], mask=[[0], [1], [0]]),
    "masked float": np.ma.array([[1.0], [7], [2]], mask=[[0], [1], [0]]),
    "pandas float": column([1.0, NAN, 2.0]),
    "pandas Int64": column([1, None, 2], "Int64"),
    "pandas Float64": column([1, None, 2], "Float64"),
    "pandas Float32": column([1, None, 2], "Float32"),
    "pandas object": column([1, pd.NA, 2], object),
    "pandas arrow": column([1, None, 2], "int64[pyarrow]"),
    "pandas sparse": column(pd.arrays.SparseArray([1.0, NAN, 2.0])),
    "polars Int64": pl.DataFrame({"x0": [1, None, 2]}),
    "polars Float32": pl.DataFrame({"x0": pl.Series([1, None, 2], dtype=pl.Float32)}),
    "polars NaN": pl.DataFrame({"x0": [1.0, NAN, 2.0]}),
    "polars Decimal": pl.DataFrame({"x0": [Decimal(1), None, Decimal(2)]}),
    "arrow": pa.table({"x0": [1, None, 2]}),
    "arrow in chunks": pa.table({"x0": pa.chunked_array([[1], [None, 2]])}),
    "arrow decimal": pa.table({"x0": [Decimal(1), None, Decimal(2)]}),
    "arrow record batch": pa.record_batch({"x0": [1.0, None, 2.0]}),
}
TEXT = {
    "objects": objects("b", None, "a"),
    "objects with NaN": objects("b", NAN, "a"),
    "objects with pd.NA": objects("b", pd.NA, "a"),
    "numpy strings as objects": objects(np.str_("b"), None, np.str_("a")),
    "nested list": [["b"], [None], ["a"]],
    "nested list with NaN": [["b"], [NAN], ["a"]],
    "masked objects": np.ma.array(objects("b", "z", "a"), mask=[[0], [1], [0]]),
    "masked text": np.ma.array([["b"], ["z"], ["a"]], mask=[[0], [1], [0]]),
    "pandas object": column(["b", None, "a"], object),
    "pandas str": column(["b", None, "a"]),
    "pandas string": column(["b", None, "a"], "string"),
    "pandas string[pyarrow]": column(["b", None, "a"], "string[pyarrow]"),
    "pandas arrow": column(["b", None, "a"], pd.ArrowDtype(pa.string())),
    "polars": pl.DataFrame({"x0": ["b", None, "a"]}),
    "polars Object": pl.DataFrame({"x0": pl.Series(["b", None, "a"], dtype=pl.Object)}),
    "polars Categorical": pl.DataFrame({"x0": ["b", None, "a"]}, {"x0": pl.Categorical}),
    "arrow": pa.table({"x0": ["b", None, "a"]}),
    "arrow large": pa.table({"x0": pa.array(["b", None, "a"], type=pa.large_string())}),
    "arrow view": pa.table({"x0": pa.array(["b", None, "a"], type=pa.string_view())}),
}
if hasattr(np.dtypes, "StringDType"):
    TEXT["StringDType"] = np.array(
        [["b"], [NAN], ["a"]], dtype=np.dtypes.StringDType(na_object=NAN)
    )
TRUTH = {
    "objects": objects(True, None, False),
    "numpy truth as objects": objects(np.True_, NAN, np.False_),
    "nested list": [[True], [None], [False]],
    "masked": np.ma.array([[True], [True], [False]], mask=[[0], [1], [0]]),
    "pandas boolean": column([True, None, False], "boolean"),
    "pandas object": column([True, NAN, False], object),
    "polars": pl.DataFrame({"x0": [True, None, False]}),
    "arrow": pa.table({"x0": [True, None, False]}),
}
DECLARED = {
    "pandas": column(pd.Categorical(["b", None, "c"], categories=["c", "b", "a"])),
    "pandas arrow": column(pd.array(DICTIONARY, dtype=pd.ArrowDtype(DICTIONARY.type))),
    "polars Enum": pl.DataFrame({"x0": ["b", None, "c"]}, {"x0": pl.Enum(["c", "b", "a"])}),
    "arrow": pa.table({"x0": DICTIONARY}),
    "arrow in unlike chunks": pa.table(
        {
            "x0": pa.chunked_array(
                [
                    pa.DictionaryArray.from_arrays(pa.array([1]), pa.array(["c", "b"])),
                    pa.DictionaryArray.from_arrays(pa.array([None, 0]), pa.array(["c", "a"])),
                ]
            )
        }
    ),
    "arrow with a null in the dictionary": pa.table(
        {"x0": pa.DictionaryArray.from_arrays(pa.array([2, 1, 0]), pa.array(["c", None, "b", "a"]))}
    ),
}
EMPTY = {
    "objects": objects(None, None, None),
    "objects of NaN": objects(NAN, NAN, NAN),
    "nested list": [[None], [None], [None]],
    "pandas object": column([None, None, None], object),
    "pandas string": column([None, None, None], "string"),
    "polars Null": pl.DataFrame({"x0": [None, None, None]}),
    "polars String": pl.DataFrame({"x0": [None, None, None]}, {"x0": pl.String}),
    "arrow null": pa.table({"x0": pa.nulls(3)}),
}


def variants(**families):
    """Return one pytest parameter per variant of each family."""
    return [
        pytest.param(family[name], expected, id=f"{title}: {name}")
        for title, (family, expected) in families.items()
        for name in family
    ]


@pytest.mark.parametrize(
    ("X", "expected"),
    variants(
        numbers=(NUMBERS, ("numeric", (), [1.0, NAN, 2.0])),
        text=(TEXT, ("nominal", ("a", "b"), [1, -1, 0])),
        truth=(TRUTH, ("nominal", (False, True), [1, -1, 0])),
        declared=(DECLARED, ("nominal", ("c", "b", "a"), [1, -1, 0])),
        empty=(EMPTY, ("nominal", (), [-1, -1, -1])),
    ),
)
def test_kind_domain_and_codes(X, expected):
    """Kind, domain and codes follow from the data, not from who holds it."""
    table = Table.from_frame(X, Y)
    attribute = table.schema.attributes[0]
    kind, values, codes = expected
    assert attribute.name == "x0"
    assert (attribute.kind, attribute.values) == (kind, values)
    np.testing.assert_array_equal(table.columns[0], codes)


@pytest.mark.parametrize("family", [NUMBERS, TEXT, TRUTH, DECLARED, EMPTY])
def test_equal_data_has_one_fingerprint(family):
    """All holders of the same data give tables of one fingerprint."""
    assert len({Table.from_frame(X, Y).fingerprint for X in family.values()}) == 1


def test_several_columns_agree_over_libraries():
    """A table of mixed columns is the same from numpy, a list, pandas, polars and arrow."""
    data = {
        "size": [1.5, 2.0, None, 2.0],
        "hue": ["red", None, "blue", "red"],
        "wild": [True, False, True, True],
    }
    rows = [list(row) for row in zip(*data.values(), strict=True)]
    y = ["yes", "no", "no", "yes"]
    tables = [
        Table.from_frame(pd.DataFrame(data), pd.Series(y)),
        Table.from_frame(pl.DataFrame(data), pl.Series(y)),
        Table.from_frame(pa.table(data), pa.chunked_array([y])),
        Table.from_frame(np.array(rows, dtype=object), np.array(y), names=list(data)),
        Table.from_frame(rows, y, names=list(data)),
    ]
    for table in tables[1:]:
        assert table.schema == tables[0].schema
        assert table.fingerprint == tables[0].fingerprint
        for one, other in zip(table.columns, tables[0].columns, strict=True):
            np.testing.assert_array_equal(one, other)


def test_truth_values_beside_numbers_in_a_nested_list_stay_truth_values():
    """A column of truth values is nominal even if numpy would turn the list into numbers."""
    attributes = Table.from_frame([[True, 1.5], [False, 2], [True, 3]], Y).schema.attributes
    assert [attribute.kind for attribute in attributes] == ["nominal", "numeric"]


def test_text_keeps_trailing_nulls_and_order_by_code_point():
    """Text is compared by code point and never shortened."""
    table = Table.from_frame([["a\0"], ["a"], ["Z"]], Y)
    assert table.schema.attributes[0].values == ("Z", "a", "a\0")


def test_flagged_numbers_are_ordered_by_value_then_text():
    """A column named categorical has its numbers by value, whole ones as int, then its text."""
    table = Table.from_frame(objects(10, "a", 9.0, 2.5), [0, 1, 0, 1], categorical_features=[0])
    values = table.schema.attributes[0].values
    assert values == (2.5, 9, 10, "a")
    assert [type(value) for value in values] == [float, int, int, str]


@pytest.mark.parametrize("holder", ["pandas", "arrow"])
def test_whole_numbers_as_declared_categories_equal_flagged_numbers(holder):
    """Categories 1.0 and 1 are one value, with one fingerprint."""
    if holder == "pandas":
        X = column(pd.Categorical([3.0, None, 1.0], categories=[1.0, 3.0]))
    else:
        X = pa.table({"x0": pa.DictionaryArray.from_arrays([1, None, 0], pa.array([1, 3]))})
    flagged = Table.from_frame(np.array([[3.0], [NAN], [1.0]]), Y, categorical_features=[0])
    assert Table.from_frame(X, Y).fingerprint == flagged.fingerprint


@pytest.mark.parametrize(
    "X",
    [
        column(pd.Categorical(["b", None, "c"], categories=["c", "b", "a"], ordered=True)),
        pa.table(
            {"x0": pa.DictionaryArray.from_arrays([1, None, 0], ["c", "b", "a"], ordered=True)}
        ),
    ],
)
def test_ordered_categories_are_ordinal(X):
    """Ordered categories are positions in their domain, NaN where missing."""
    table = Table.from_frame(X, Y)
    assert table.schema.attributes[0].kind == "ordinal"
    assert table.schema.attributes[0].values == ("c", "b", "a")
    np.testing.assert_array_equal(table.columns[0], [1.0, NAN, 0.0])


def test_intervals_may_be_categories():
    """The bins of pandas.cut are ordered values."""
    table = Table.from_frame(pd.DataFrame({"age": pd.cut([1, 20, 60], [0, 18, 50, 99])}), Y)
    assert table.schema.attributes[0].kind == "ordinal"
    assert len(table.fingerprint) == 64


@pytest.mark.parametrize(
    "choice",
    [
        [0, 2],
        [0, -1],
        (0, 2),
        {0, 2},
        np.array([0, 2]),
        [True, False, True],
        np.array([True, False, True]),
        pd.Series([True, False, True]),
        ["x0", "x2"],
        pd.Index(["x0", "x2"]),
        ["x0", -1],
    ],
    ids=str,
)
def test_categorical_features_by_mask_name_or_position(choice):
    """A mask, names, positions, negative positions and mixtures say the same."""
    table = Table.from_frame([[1, 2, 3], [2, 3, 4], [1, 1, 3]], Y, categorical_features=choice)
    kinds = [attribute.kind for attribute in table.schema.attributes]
    assert kinds == ["nominal", "numeric", "nominal"]


@pytest.mark.parametrize("choice", [None, "from_dtype", [], np.array([], dtype=int)], ids=str)
def test_no_categorical_features(choice):
    """Nothing chosen leaves the decision to the type."""
    table = Table.from_frame([[1, "a"]], [0], categorical_features=choice)
    assert [attribute.kind for attribute in table.schema.attributes] == ["numeric", "nominal"]


@pytest.mark.parametrize(
    "choice",
    ["x0", b"x0", 3, 1.5, [5], [-4], [True], ["q"], [[0]], [0.5], [None], [0, True], object(), len],
    ids=lambda choice: type(choice).__name__,
)
def test_wrong_categorical_features_are_named(choice):
    """A wrong choice is an error that names the parameter."""
    with pytest.raises((ValueError, TypeError), match="categorical_features"):
        Table.from_frame([[1, 2, 3], [2, 3, 4]], [0, 1], categorical_features=choice)


def test_flagged_numbers_beyond_exactness_are_refused():
    """Identifiers that floats cannot tell apart are not merged silently."""
    with pytest.raises(ValueError, match=r"'x0'.*text"):
        Table.from_frame(np.array([[2**53], [2**53 + 1]]), [0, 1], categorical_features=[0])


DATE = datetime.date(2020, 1, 1)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (column(pd.to_datetime(["2020-01-01", None, "2021-01-01"])), "'x0'.*dates"),
        (column(pd.to_timedelta([1, None, 2])), "'x0'.*dates"),
        (column(pd.period_range("2020-01", periods=3, freq="M")), "'x0'.*dates"),
        (column([DATE, None, DATE]), "'x0'.*dates"),
        (np.array([["2020-01-01"], ["NaT"], ["2021-01-01"]], dtype="M8[D]"), "'x0'.*dates"),
        (pl.DataFrame({"x0": [DATE, None, DATE]}), "'x0'.*dates"),
        (pl.DataFrame({"x0": [[1], [2], None]}), "'x0'.*nested"),
        (pl.DataFrame({"x0": [{"a": 1}, {"a": 2}, None]}), "'x0'.*nested"),
        (pa.table({"x0": pa.array([1, 2, None], type=pa.timestamp("s"))}), "'x0'.*dates"),
        (column([[1], [2], [3]]), "'x0'.*string or a number"),
        (column([(1,), (2,), (3,)]), "'x0'.*string or a number"),
        (column([1j, 2, 3]), "'x0'.*string or a number"),
        (np.array([[b"a"], [b"b"], [b"c"]]), "'x0'.*bytes into text"),
        (objects(1, "a", 2), "'x0' mixes numbers and text"),
        (objects(True, "a", False), "'x0' mixes numbers and text"),
        (objects(10**400, 1, 2), "'x0'.*too large"),
        (np.array([[np.inf], [1], [2]]), "'x0'.*infinity"),
        (pl.DataFrame({"x0": [1.0, -np.inf, 2.0]}), "'x0'.*infinity"),
        (pd.DataFrame(np.zeros((3, 2)), columns=["a", "a"]), "'a'.*name of its own"),
        (pd.DataFrame(np.zeros((3, 2)), columns=[1, "1"]), "'1'.*name of its own"),
        (pa.table([pa.array([1, 2, 3])] * 2, names=["a", "a"]), "'a'.*name of its own"),
        ([[1], [1, 2], [3]], "rows of different lengths"),
        ([["a"], ["b", "c"], ["d"]], "rows of different lengths"),
    ],
)
def test_what_cannot_be_read_is_named_with_a_remedy(X, message):
    """The error names the column and says what to do."""
    with pytest.raises((ValueError, TypeError), match=message):
        Table.from_frame(X, Y)


def test_large_values_are_read_without_warning():
    """Finite numbers whose sum overflows are still finite."""
    table = Table.from_frame([[1.7e308], [1.6e308], [-1.7e308]], Y)
    assert table.columns[0].max() == 1.7e308


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        (["b"], "'a' is not in the declared domain"),
        (["a", "b", "b"], "twice"),
        (["a", "b", None], "missing values need no declaration"),
        (["a", "b", NAN], "missing values need no declaration"),
        ("ab", "must be a sequence"),
        (["a", "b", []], "hashable"),
    ],
)
def test_wrong_domains_are_named(domain, message):
    """A wrong domain is an error that names the column."""
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        Table.from_frame([["a"], ["b"], ["a"]], Y, domains={"x0": domain})
    assert "'x0'" in str(caught.value)


@pytest.mark.parametrize("names", ["a", [1], ["a", "b"]])
def test_wrong_names_are_refused(names):
    """Names are text, one per column."""
    with pytest.raises((ValueError, TypeError), match="names"):
        Table.from_frame([[1], [2], [3]], Y, names=names)


def test_names_of_a_data_frame_cannot_be_replaced():
    """A data frame has names; others beside them are an error unless they are the same."""
    frame = pd.DataFrame({"a": [1, 2, 3]})
    assert Table.from_frame(frame, Y, names=["a"]).schema.attributes[0].name == "a"
    with pytest.raises(ValueError, match="names"):
        Table.from_frame(frame, Y, names=["b"])
