"""Tests of the script that reproduces the tables of JMLR 2007."""

import pytest

from niwaki import LSID3Classifier

FEW = ["--runs", "1", "--sets", "corral", "xor-5"]


@pytest.fixture
def places(tmp_path):
    """Give the arguments that name a result file and a cache of the test's own."""
    return ["--out", str(tmp_path / "table.md"), "--cache", str(tmp_path / "runs.jsonl")]


def test_every_problem_has_the_figures_of_the_paper(jmlr2007_table):
    """For each data set and learner there are leaves and accuracy in a plausible range."""
    figures = jmlr2007_table.paper_figures()
    wanted = {
        (name, learner)
        for name in jmlr2007_table.PROBLEMS
        for learner in jmlr2007_table.PAPER_COLUMNS
    }
    assert set(figures) == wanted
    assert all(leaves.mean >= 1 and 0 < right.mean <= 100 for leaves, right in figures.values())
    assert figures["xor-10", "LSID3(5)"] == ((2004.0, 585.0, 100), (77.4, 14.9, 100))
    assert set(jmlr2007_table.LEARNERS) == set(jmlr2007_table.PAPER_COLUMNS)


def test_exact_targets_are_those_of_the_table(jmlr2007_table):
    """The targets repeat figures of the paper's table that have no deviation."""
    figures = jmlr2007_table.paper_figures()
    for name, learner, leaves, accuracy in jmlr2007_table.EXACT_TARGETS:
        assert [summary[:2] for summary in figures[name, learner]] == [(leaves, 0), (accuracy, 0)]


@pytest.mark.data
@pytest.mark.parametrize(("name", "rows"), [("vote", 232), ("breast-cancer", 277), ("flare1", 323)])
def test_stored_sets_have_the_rows_of_the_paper(jmlr2007_table, name, rows):
    """Incomplete rows are left out where the paper left them out."""
    try:
        table = jmlr2007_table.PROBLEMS[name].table(0)
    except FileNotFoundError:
        pytest.skip("the data folder is missing; set NIWAKI_DATA")
    assert table.n_rows == rows


def test_drawn_sets_change_with_the_run(jmlr2007_table):
    """Each run draws its own rows, always the same ones."""
    table = jmlr2007_table.PROBLEMS["xor-5"].table
    assert table(0).fingerprint == table(0).fingerprint
    assert table(0).fingerprint != table(1).fingerprint
    assert table(0).n_rows == 200


def test_pruned_tree_is_that_of_the_estimator(jmlr2007_table):
    """Pruning the tree of LSID3 gives what LSID3-p learns with the same seed."""
    rows = jmlr2007_table.PROBLEMS["xor-5-noise"].table(0)
    _, pruned = jmlr2007_table.learn("LSID3", rows, 3, "all", "value")
    model = LSID3Classifier(prune=True, numeric_cuts="all", threshold="value", random_state=3)
    assert pruned == model.fit(rows).tree_


def test_report_holds_cells_targets_and_what_is_written_by_hand(jmlr2007_table, places, tmp_path):
    """The result file has a line for each cell, and text below the mark survives a new run."""
    jmlr2007_table.main([*FEW, *places])
    path = tmp_path / "table.md"
    assert path.read_text("utf-8").count("| corral") >= 5
    assert "## Exact targets" in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8") + "\nA thought.\n", encoding="utf-8")
    written = path.read_text("utf-8")
    jmlr2007_table.main([*FEW, *places])
    assert path.read_text("utf-8") == written


def test_cache_goes_on_where_it_stopped(jmlr2007_table, places, tmp_path):
    """Without time nothing but unknown costs is tried; later runs add to the finished ones."""
    first = [*FEW[:3], "corral", "--learners", "ID3"]
    jmlr2007_table.main([*first, *places])
    lines = (tmp_path / "runs.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1
    jmlr2007_table.main([*first, "C4.5", *places])
    longer = (tmp_path / "runs.jsonl").read_text("utf-8").splitlines()
    assert longer[:1] == lines
    assert len(longer) == 2


def test_limit_of_time_leaves_runs_and_marks_cells(jmlr2007_table, places, tmp_path, capsys):
    """Runs that would exceed the limit are left, and the cell is marked as having fewer."""
    few = ["--runs", "2", "--sets", "corral", "--learners", "ID3", "--seconds", "0"]
    jmlr2007_table.main([*FEW[:3], "corral", "--learners", "ID3", *places])
    capsys.readouterr()
    jmlr2007_table.main([*few, *places])
    assert "1 runs are left" in capsys.readouterr().out
    assert "ID3 †" in (tmp_path / "table.md").read_text("utf-8")


def test_other_options_do_not_share_a_cache(jmlr2007_table, places, tmp_path):
    """Runs with other cuts are other runs."""
    arguments = [*FEW[:3], "corral", "--learners", "LSID3", *places]
    jmlr2007_table.main(arguments)
    jmlr2007_table.main([*arguments, "--numeric-cuts", "best"])
    assert len((tmp_path / "runs.jsonl").read_text("utf-8").splitlines()) == 2


def test_differing_cells_are_found(jmlr2007_table):
    """A cell far from the paper is listed, with its distance; one equal to it is not."""
    theirs = jmlr2007_table.paper_figures()["iris", "ID3"]
    equal = jmlr2007_table.Cell([7.5, 9.5] * 50, [88.0, 98.6] * 50, 1.0)
    assert equal.leaves[0] + equal.leaves[1] == 2 * theirs[0].mean
    far = equal._replace(leaves=[20.0, 22.0] * 50)
    for cell, number in ((equal, 0), (far, 1)):
        rows = jmlr2007_table.compare_with_paper({("iris", "ID3"): cell})
        lines = jmlr2007_table.differing_lines(rows)
        assert len(lines) == number
    assert lines[0][:3] == ["iris", "ID3", "leaves"]
    assert lines[0][-2:] == ["+12.5", "+12.50"]
