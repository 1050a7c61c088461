"""Statistics for comparing learners: summaries, tests, corrections, folds and tables."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from sklearn.model_selection import RepeatedStratifiedKFold

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


class Summary(NamedTuple):
    """Mean, standard deviation (of a sample) and number of some measurements."""

    mean: float
    deviation: float
    number: int

    def text(self, digits: int = 1) -> str:
        """Return mean ± standard deviation as text."""
        return f"{self.mean:.{digits}f} ± {self.deviation:.{digits}f}"


class Outcome(NamedTuple):
    """A test statistic and its two-sided p value."""

    statistic: float
    p_value: float


def summarise(values: ArrayLike) -> Summary:
    """Summarise measurements.

    Parameters
    ----------
    values : array-like of shape (n,)
        At least one number.

    Returns
    -------
    Summary
        The deviation has the divisor n − 1, and is 0 for a single number.

    Examples
    --------
    >>> summarise([1.0, 3.0]).mean
    2.0
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(f"values must be one row of numbers, not of shape {numbers.shape}")
    deviation = float(numbers.std(ddof=1)) if numbers.size > 1 else 0.0
    return Summary(float(numbers.mean()), deviation, int(numbers.size))


def welch(first: Summary, second: Summary) -> Outcome:
    """Test whether two means differ, from their summaries, without equal variances.

    Parameters
    ----------
    first, second : Summary
        At least two measurements each.

    Returns
    -------
    Outcome
        Without any deviation the p value is 1 for equal means, else 0.

    Examples
    --------
    >>> welch(Summary(1.0, 0.0, 5), Summary(1.0, 0.0, 5)).p_value
    1.0
    """
    if min(first.number, second.number) < 2:
        raise ValueError("each summary must be of at least 2 measurements")
    if first.deviation == 0 and second.deviation == 0:
        return _certain(first.mean - second.mean)
    result = stats.ttest_ind_from_stats(*first, *second, equal_var=False)
    return Outcome(float(result.statistic), float(result.pvalue))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Correct p values for being many, by Holm's step-down method.

    Parameters
    ----------
    p_values : array-like of shape (n,)
        Uncorrected p values.

    Returns
    -------
    ndarray of shape (n,)
        Corrected p values, in the order given; reject those below the wanted level.

    Examples
    --------
    >>> holm([0.5, 0.25]).tolist()
    [0.5, 0.5]
    """
    given = np.asarray(p_values, dtype=np.float64)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise ValueError("p_values must be one row of numbers from 0 to 1")
    order = np.argsort(given, kind="stable")
    raised = given[order] * np.arange(given.size, 0, -1)
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return corrected


def corrected_resampled(differences: ArrayLike, test_fraction: float) -> Outcome:
    """Test paired differences of repeated cross-validation or of repeated random splits.

    The training sets overlap, so the variance of the mean is taken as (1/n + share of test rows /
    share of training rows) times that of the differences (Nadeau and Bengio 2003; for repeated
    cross-validation Bouckaert and Frank 2004).

    Parameters
    ----------
    differences : array-like of shape (n,)
        One difference for each fold of each run.
    test_fraction : float
        Share of the rows that a fold tests: 0.1 in ten-fold cross-validation.

    Returns
    -------
    Outcome
        Student's t with n − 1 degrees of freedom.

    Examples
    --------
    >>> corrected_resampled([0.0, 0.0], 0.5).p_value
    1.0
    """
    if not 0 < test_fraction < 1:
        raise ValueError(f"test_fraction must lie between 0 and 1; it is {test_fraction}")
    mean, deviation, number = summarise(differences)
    if number < 2:
        raise ValueError("at least 2 differences are needed")
    if deviation == 0:
        return _certain(mean)
    factor = 1 / number + test_fraction / (1 - test_fraction)
    statistic = mean / (deviation * math.sqrt(factor))
    return Outcome(statistic, float(2 * stats.t.sf(abs(statistic), number - 1)))


def wilcoxon(first: ArrayLike, second: ArrayLike) -> Outcome:
    """Compare two learners over data sets by Wilcoxon's signed ranks.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        One number for each data set, in the same order.

    Returns
    -------
    Outcome
        The smaller sum of ranks and its p value; sets without a difference are left out, and
        where there is no other the p value is 1.

    Examples
    --------
    >>> wilcoxon([1.0, 2.0], [1.0, 2.0]).p_value
    1.0
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    differences = differences[differences != 0]
    if differences.size == 0:
        return Outcome(0.0, 1.0)
    result = stats.wilcoxon(differences)
    return Outcome(float(result.statistic), float(result.pvalue))


def repeated_folds(classes: ArrayLike, *, folds: int = 10, runs: int = 1, seed: int) -> list[Fold]:
    """Divide rows into stratified folds, several times over.

    Parameters
    ----------
    classes : array-like of shape (n_rows,)
        Class of each row. A class with fewer rows than folds is spread as far as it goes.
    folds : int, default=10
        How many parts.
    runs : int, default=1
        How many times.
    seed : int
        Where the order of rows comes from.

    Returns
    -------
    list of (ndarray, ndarray)
        Training rows and test rows, `folds` pairs for each run.

    Examples
    --------
    >>> len(repeated_folds([0, 0, 1, 1], folds=2, runs=3, seed=0))
    6
    """
    classes = np.asarray(classes)
    splitter = RepeatedStratifiedKFold(n_splits=folds, n_repeats=runs, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(np.zeros(classes.size), classes))


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left_columns: int = 1
) -> str:
    """Write a table in Markdown, its columns padded to a common width.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        As many cells in each as in the header; "|" is escaped.
    left_columns : int, default=1
        So many first columns are aligned to the left, all others to the right.

    Returns
    -------
    str
        Lines, the last one without an end.

    Examples
    --------
    >>> print(markdown_table(["set", "rows"], [["iris", "150"]]))
    | set  | rows |
    | :--- | ---: |
    | iris |  150 |
    """
    lines = [[cell.replace("|", r"\|") for cell in row] for row in (header, *rows)]
    if any(len(line) != len(header) for line in lines):
        raise ValueError("every row must have as many cells as the header")
    widths = [max(4, *map(len, column)) for column in zip(*lines, strict=True)]
    is_left = [position < left_columns for position in range(len(header))]
    rule = [
        ":" + "-" * (width - 1) if left else "-" * (width - 1) + ":"
        for width, left in zip(widths, is_left, strict=True)
    ]
    padded = [
        [
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(line, widths, is_left, strict=True)
        ]
        for line in lines
    ]
    padded.insert(1, rule)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def _certain(difference: float) -> Outcome:
    """Return the result of a test of measurements that do not vary."""
    if difference == 0:
        return Outcome(0.0, 1.0)
    return Outcome(math.copysign(math.inf, difference), 0.0)
