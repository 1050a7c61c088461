"""Tests of the statistics that the experiments share."""

import math

import numpy as np
import pytest
from scipy import stats


def sample(size, seed):
    """Return some numbers around 1."""
    return np.random.default_rng(seed).normal(1.0, 2.0, size)


def test_summary_has_the_deviation_of_a_sample(compare):
    """The deviation of 2, 4, 9 is the root of 26/2, about their mean 5."""
    summary = compare.summarise([2, 4, 9])
    assert summary == pytest.approx((5.0, math.sqrt(13.0), 3))
    assert summary.text() == "5.0 ± 3.6"


def test_summary_of_one_number_has_no_deviation(compare):
    """One measurement has deviation 0; none cannot be summarised."""
    assert compare.summarise([7.0]) == (7.0, 0.0, 1)
    with pytest.raises(ValueError, match="one row of numbers"):
        compare.summarise([])


def test_welch_of_summaries_is_welch_of_the_measurements(compare):
    """The test knows from summaries what SciPy knows from the measurements."""
    first, second = sample(12, 0), sample(30, 1) * 3
    ours = compare.welch(compare.summarise(first), compare.summarise(second))
    theirs = stats.ttest_ind(first, second, equal_var=False)
    assert ours == pytest.approx((theirs.statistic, theirs.pvalue))


def test_welch_by_hand(compare):
    """Means 3 and 1, variances 4 and 9 of 4 and 9 measurements: t is 2 over the root of 2."""
    result = compare.welch(compare.Summary(3.0, 2.0, 4), compare.Summary(1.0, 3.0, 9))
    freedom = (1 + 1) ** 2 / (1 / 3 + 1 / 8)
    assert result.statistic == pytest.approx(math.sqrt(2))
    assert result.p_value == pytest.approx(2 * stats.t.sf(math.sqrt(2), freedom))


def test_welch_without_deviation_is_certain(compare):
    """Where nothing varies, equal means are equal and others differ."""
    constant = compare.Summary(32.0, 0.0, 100)
    assert compare.welch(constant, constant).p_value == 1.0
    assert compare.welch(constant, compare.Summary(33.0, 0.0, 100)) == (-math.inf, 0.0)


def test_welch_needs_two_measurements(compare):
    """A single measurement has no variance to test with."""
    with pytest.raises(ValueError, match="at least 2"):
        compare.welch(compare.Summary(1.0, 0.0, 1), compare.Summary(1.0, 1.0, 9))


def test_holm_by_hand(compare):
    """The least of four p values is taken times 4, the next times 3, and none falls below it."""
    corrected = compare.holm([0.04, 0.01, 0.03, 0.005])
    assert corrected.tolist() == pytest.approx([0.06, 0.03, 0.06, 0.02])


def test_holm_keeps_the_order_and_stops_at_one(compare):
    """Corrected values rank as the given ones do, are no smaller, and are at most 1."""
    given = np.random.default_rng(3).random(50)
    corrected = compare.holm(given)
    assert (np.diff(corrected[np.argsort(given)]) >= 0).all()
    assert (corrected >= given).all()
    assert corrected.max() == 1.0


def test_holm_refuses_what_is_no_probability(compare):
    """A p value lies between 0 and 1."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        compare.holm([0.5, 1.5])


def test_corrected_resampled_is_the_known_formula(compare):
    """Ten times ten folds: t is mean over deviation times the root of 1/100 + 1/9, 99 degrees."""
    differences = sample(100, 5)
    result = compare.corrected_resampled(differences, 0.1)
    deviation = differences.std(ddof=1)
    expected = differences.mean() / (deviation * math.sqrt(1 / 100 + 1 / 9))
    assert result.statistic == pytest.approx(expected)
    assert result.p_value == pytest.approx(2 * stats.t.sf(abs(expected), 99))


def test_corrected_resampled_without_test_rows_is_the_paired_test(compare):
    """The smaller the share of test rows, the nearer is the common t test."""
    differences = sample(20, 6)
    common = stats.ttest_1samp(differences, 0.0)
    result = compare.corrected_resampled(differences, 1e-12)
    assert result == pytest.approx((common.statistic, common.pvalue))
    assert compare.corrected_resampled(differences, 0.1).p_value > result.p_value


def test_corrected_resampled_without_deviation_is_certain(compare):
    """Differences that are all 0 are none; all the same otherwise are one."""
    assert compare.corrected_resampled([0.0] * 9, 0.1) == (0.0, 1.0)
    assert compare.corrected_resampled([1.0] * 9, 0.1).p_value == 0.0


@pytest.mark.parametrize(("differences", "share"), [([1.0], 0.1), ([1.0, 2.0], 1.0)])
def test_corrected_resampled_refuses_too_little(compare, differences, share):
    """There must be two differences, and rows to train on."""
    with pytest.raises(ValueError, match=r"at least 2|between 0 and 1"):
        compare.corrected_resampled(differences, share)


def test_wilcoxon_by_hand(compare):
    """Of five wins of different size, one loss of the least size: the least sum of ranks is 1."""
    result = compare.wilcoxon([1, 12, 13, 14, 15, 16], [2, 10, 10, 10, 10, 10])
    assert result.statistic == 1.0
    assert result.p_value == pytest.approx(2 * 2 / 2**6)


def test_wilcoxon_leaves_ties_out(compare):
    """Sets on which both are the same change nothing; if all are, the p value is 1."""
    assert compare.wilcoxon([3, 1, 5, 9], [1, 1, 1, 1]) == compare.wilcoxon([3, 5, 9], [1, 1, 1])
    assert compare.wilcoxon([1, 2], [1, 2]).p_value == 1.0


def test_repeated_folds_are_stratified_partitions(compare):
    """In every run each row is tested once, and every fold has the classes in proportion."""
    classes = np.repeat([0, 1], [40, 20])
    folds = compare.repeated_folds(classes, folds=10, runs=3, seed=4)
    assert len(folds) == 30
    for run in range(3):
        tested = np.concatenate([test for _, test in folds[10 * run : 10 * run + 10]])
        assert np.sort(tested).tolist() == list(range(60))
    for training, test in folds:
        assert np.bincount(classes[test]).tolist() == [4, 2]
        assert np.intersect1d(training, test).size == 0


def test_repeated_folds_depend_on_the_seed_alone(compare):
    """The same seed gives the same folds, another seed others."""
    classes = np.repeat([0, 1], 30)
    first, again, other = (
        [test.tolist() for _, test in compare.repeated_folds(classes, seed=seed)]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_repeated_folds_take_a_rare_class_silently(compare):
    """A class with fewer rows than folds is no reason to warn."""
    assert len(compare.repeated_folds([0] * 30 + [1] * 9, seed=0)) == 10


def test_markdown_table_pads_and_escapes(compare):
    """Columns have a common width, and a bar within a cell does not end it."""
    table = compare.markdown_table(["data", "n"], [["a|b", "1"], ["c", "1000000"]])
    assert table.splitlines() == [
        "| data |       n |",
        "| :--- | ------: |",
        r"| a\|b |       1 |",
        "| c    | 1000000 |",
    ]
    with pytest.raises(ValueError, match="as many cells"):
        compare.markdown_table(["data"], [["a", "b"]])
