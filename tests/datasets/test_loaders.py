"""Every data set of the manifest, its parts and its readings, and what happens to bad files."""

import doctest
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from niwaki import datasets
from niwaki.datasets import Dataset, available, load

Entries = dict[str, dict[str, Any]]
TWO_PARTS = ["audiology", "coil2000", "monks-1", "monks-2", "monks-3", "thyroid"]


def is_missing(dataset: Dataset) -> Any:
    """Which cells of a data set are missing."""
    if dataset.data.dtype == np.float64:
        return np.isnan(dataset.data)
    return np.equal(dataset.data, np.array(None))


def test_every_data_set_is_what_the_manifest_says(dataset_name: str, entries: Entries) -> None:
    """Rows, columns, kinds, values, classes and missing values are those of the manifest."""
    entry, dataset = entries[dataset_name], load(dataset_name)
    assert dataset.name == dataset_name
    assert dataset.data.shape == (entry["rows"], entry["n_attributes"])
    assert len(dataset.feature_names) == len(dataset.domains) == entry["n_attributes"]
    assert Counter(dataset.target) == entry["class"]["counts"]
    assert set(dataset.class_names) == set(entry["class"]["counts"])
    missing = is_missing(dataset)
    assert missing.sum() == entry["missing"]
    assert missing.any(axis=1).sum() == entry["rows_with_missing"]
    assert dataset.missing_is_a_value is entry["missing_is_a_value"]
    assert entry["origin"].rstrip(".") in dataset.description
    assert (dataset.data.dtype == np.float64) == (not dataset.categorical.any())
    if isinstance(entry["attributes"], str):
        assert dataset.feature_names == tuple(f"f{number}" for number in range(len(missing.T)))
        assert set(dataset.domains) == {("0", "1")}
        assert dataset.categorical.all()
        assert set(dataset.data.flat) == {"0", "1"}
        return
    for position, attribute in enumerate(entry["attributes"]):
        column = dataset.data[~missing[:, position], position]
        assert dataset.feature_names[position] == attribute["name"]
        assert missing[:, position].sum() == attribute.get("missing", 0)
        assert len(set(column)) == attribute["distinct"]
        if attribute["kind"] == "nominal":
            assert dataset.categorical[position]
            assert all(type(value) is str for value in column)
            declared = tuple(attribute["values"]) if "values" in attribute else None
            assert dataset.domains[position] == declared
            assert declared is None or set(column) <= set(declared)
        else:
            assert not dataset.categorical[position]
            assert dataset.domains[position] is None
            assert column.min() == attribute["min"]
            assert column.max() == attribute["max"]


@pytest.mark.parametrize("name", TWO_PARTS)
def test_parts(name: str, entries: Entries) -> None:
    """A part has the rows and classes of its file; all rows are the training and test set."""
    whole = load(name)
    train, test = load(name, part="train"), load(name, part="test")
    for part, file in zip((train, test), entries[name]["files"], strict=True):
        assert len(part.data) == len(part.target) == file["rows"]
        assert Counter(part.target) == file["class_counts"]
        assert part.class_names == whole.class_names
        assert part.domains == whole.domains
    both = np.concatenate([train.data, test.data])
    assert both.dtype == whole.data.dtype
    assert whole.data.astype(str).tolist() == both.astype(str).tolist()
    assert whole.target.tolist() == [*train.target, *test.target]


def test_parts_are_stated_where_they_exist(entries: Entries) -> None:
    """The sets tested in two parts are all that have two parts."""
    assert [name for name, entry in entries.items() if len(entry["files"]) == 2] == TWO_PARTS


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("part", ["train", "all"])
def test_part_that_does_not_exist(part: Any) -> None:
    """Asking for a part that was never published is an error that says which parts there are."""
    with pytest.raises(ValueError, match=f"iris has no part '{part}'; part must be None"):
        load("iris", part=part)
    with pytest.raises(ValueError, match="part must be 'train' or 'test' or None"):
        load("monks-1", part="training")  # type: ignore[arg-type]


def test_available_names(entries: Entries) -> None:
    """All names of the manifest are available, in its order."""
    assert available() == tuple(entries)


@pytest.mark.usefixtures("data_folder")
def test_unknown_name() -> None:
    """An unknown name is an error with close matches and all the names."""
    with pytest.raises(ValueError, match=r"'monk-1'; did you mean 'monks-1'.*there are: audiology"):
        load("monk-1")
    with pytest.raises(ValueError, match="no data set 'zzzz'; there are: audiology"):
        load("zzzz")


@pytest.mark.usefixtures("data_folder")
def test_unknown_kinds() -> None:
    """Another reading than the two is an error."""
    with pytest.raises(ValueError, match="kinds must be 'manifest' or 'paper'"):
        load("iris", kinds="nominal")  # type: ignore[arg-type]


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize(
    ("name", "rows", "columns", "values", "classes"),
    [
        ("balance-scale", 625, 4, 5.0, 3),
        ("breast-cancer", 286, 9, 4.8, 2),
        ("coil2000", 9822, 85, 7.6, 2),
        ("marketing", 8993, 13, 6.5, 9),
        ("monks-1", 556, 6, 2.8, 2),
        ("mushroom", 8124, 22, 5.3, 2),
    ],
)
def test_readings_of_the_paper(
    name: str, rows: int, columns: int, values: float, classes: int
) -> None:
    """Rows, columns, average number of values and classes are those of the paper's table.

    It counts 84 columns of coil2000, of which there are 85, and its 7.6 is 7.647 cut short.
    """
    dataset = load(name, kinds="paper")
    assert dataset.data.shape == (rows, columns)
    assert dataset.categorical.all()
    assert len(dataset.class_names) == classes
    counts = [len(set(column) - {None}) for column in dataset.data.T]
    assert abs(np.mean(counts) - values) < 0.05


@pytest.mark.usefixtures("data_folder")
def test_missing_is_a_value_in_the_paper() -> None:
    """In the paper's reading "?" stands for missing cells and is last in the declared values."""
    plain, dataset = load("breast-cancer"), load("breast-cancer", kinds="paper")
    missing = is_missing(plain)
    assert missing.sum() == 9
    assert set(dataset.data[missing]) == {"?"}
    assert (dataset.data[~missing] == plain.data[~missing]).all()
    assert dataset.missing_is_a_value
    for column, domain, declared in zip(missing.T, dataset.domains, plain.domains, strict=True):
        assert declared is not None
        assert domain == ((*declared, "?") if column.any() else declared)
    assert (load("marketing", kinds="paper").data == "?").sum() == 2694


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("name", ["iris", "mushroom", "vote"])
def test_other_sets_read_the_same_in_the_paper(name: str) -> None:
    """Sets the paper does not read its own way are the same in both readings."""
    plain, dataset = load(name), load(name, kinds="paper")
    assert dataset.data.astype(str).tolist() == plain.data.astype(str).tolist()
    assert dataset.domains == plain.domains
    assert dataset.missing_is_a_value == plain.missing_is_a_value


@pytest.mark.usefixtures("data_folder")
def test_extra_targets() -> None:
    """The solar flares come with their further targets, the others with none."""
    for name in ("flare1", "flare2"):
        dataset = load(name)
        assert dataset.extra is not None
        assert list(dataset.extra) == ["c-class-flares", "m-class-flares", "x-class-flares"]
        assert all(len(column) == len(dataset.data) for column in dataset.extra.values())
        assert dataset.extra["c-class-flares"].tolist() == dataset.target.tolist()
    assert load("iris").extra is None


@pytest.mark.parametrize("name", ["bupa", "heart-cleveland", "hepatitis", "pima", "thyroid"])
def test_cost_files(name: str, data_folder: Path) -> None:
    """The five cost-sensitive sets know their cost file; the others have none."""
    path = load(name).costs_path
    assert path == data_folder / "costs" / f"{name}.json"
    costs = json.loads(path.read_text("utf-8"))
    assert set(costs) - {"groups"} <= set(load(name).feature_names)
    assert load("iris").costs_path is None


@pytest.mark.usefixtures("data_folder")
def test_class_names_are_in_natural_order() -> None:
    """Classes that are numbers are ordered by value, others by their text."""
    assert load("glass").class_names == ("1", "2", "3", "5", "6", "7")
    assert load("balance-scale").class_names == ("B", "L", "R")
    assert datasets.manifest.natural_order("9") < datasets.manifest.natural_order("10")
    assert datasets.manifest.natural_order("10") < datasets.manifest.natural_order("nan")


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("name", ["hepatitis", "breast-cancer", "iris", "coil2000"])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(name: str, library: Any) -> None:
    """A frame has the cells of the data, missing where they are, and the declared values."""
    pytest.importorskip(library)
    dataset = load(name, part="test" if name == "coil2000" else None)
    frame = dataset.frame(library)
    if library == "pandas":
        columns = {
            feature: (
                tuple(frame[feature].cat.categories) if nominal else None,
                frame[feature].astype(object).where(frame[feature].notna(), None).tolist(),
            )
            for feature, nominal in zip(dataset.feature_names, dataset.categorical, strict=True)
        }
    elif library == "polars":
        columns = {
            feature: (
                tuple(frame[feature].dtype.categories) if nominal else None,
                frame[feature].to_list(),
            )
            for feature, nominal in zip(dataset.feature_names, dataset.categorical, strict=True)
        }
    else:
        columns = {
            feature: (
                tuple(frame[feature].chunk(0).dictionary.to_pylist()) if nominal else None,
                frame[feature].to_pylist(),
            )
            for feature, nominal in zip(dataset.feature_names, dataset.categorical, strict=True)
        }
    assert tuple(columns) == dataset.feature_names
    missing = is_missing(dataset)
    for position, (values, cells) in enumerate(columns.values()):
        expected = dataset.data[:, position].astype(object)
        expected[missing[:, position]] = None
        assert cells == expected.tolist()
        if dataset.domains[position] is not None:
            assert values == dataset.domains[position]
        elif dataset.categorical[position]:
            assert values == tuple(sorted(set(cells), key=int))


@pytest.mark.usefixtures("data_folder")
def test_unknown_frame_library() -> None:
    """A library that is not known is an error that lists those that are."""
    with pytest.raises(ValueError, match="library must be one of pandas, polars, pyarrow"):
        load("iris").frame("spreadsheet")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["iris.csv", "krk.csv.gz", "flare1.targets.csv"])
def test_changed_file_is_refused(
    name: str, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of which one byte has changed is an error with its name and both checksums."""
    dataset, _, _ = name.partition(".")
    for file in (f"{dataset}.csv", name, "manifest.json"):
        if (data_folder / file).is_file():
            shutil.copyfile(data_folder / file, tmp_path / file)
    monkeypatch.setenv("NIWAKI_DATA", str(tmp_path))
    assert load(dataset).name == dataset
    stored = bytearray((tmp_path / name).read_bytes())
    stored[len(stored) // 2] ^= 1
    (tmp_path / name).write_bytes(stored)
    with pytest.raises(
        ValueError, match=rf"{name}.* its sha256 is \w{{64}}, it should be \w{{64}}"
    ):
        load(dataset)


def test_manifest_with_other_columns_is_refused(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file whose header is not the manifest's list of attributes is an error."""
    manifest = json.loads((data_folder / "manifest.json").read_text("utf-8"))
    manifest["datasets"]["iris"]["attributes"].reverse()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    shutil.copyfile(data_folder / "iris.csv", tmp_path / "iris.csv")
    monkeypatch.setenv("NIWAKI_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"iris\.csv: the columns are"):
        load("iris")


def test_missing_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a data folder the error says to set NIWAKI_DATA, named or not."""
    monkeypatch.setenv("NIWAKI_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError, match=r"nowhere.*NIWAKI_DATA"):
        load("iris")
    monkeypatch.delenv("NIWAKI_DATA")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with pytest.raises(FileNotFoundError, match=r"shared/data.*NIWAKI_DATA"):
        available()


def test_default_folder(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NIWAKI_DATA the folder is ../shared/data, seen from the current directory."""
    (tmp_path / "work").mkdir()
    shutil.copytree(data_folder / "costs", tmp_path / "shared" / "data" / "costs")
    for file in ("manifest.json", "iris.csv"):
        shutil.copyfile(data_folder / file, tmp_path / "shared" / "data" / file)
    monkeypatch.delenv("NIWAKI_DATA")
    monkeypatch.chdir(tmp_path / "work")
    assert load("iris").data.shape == (150, 4)


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("thing", [available, load, Dataset])
def test_examples_that_need_data(thing: Any) -> None:
    """The examples that are skipped for want of a data folder hold when there is one."""
    pytest.importorskip("polars")
    runner = doctest.DocTestRunner(verbose=False)
    for example_set in doctest.DocTestFinder().find(thing, globs=dict(vars(datasets))):
        for example in example_set.examples:
            example.options.pop(doctest.SKIP, None)
        assert runner.run(example_set).failed == 0
    assert runner.tries > 0
