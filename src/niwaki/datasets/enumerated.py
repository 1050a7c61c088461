"""Data sets that hold each possible case once: tic-tac-toe endgames and the balance scale."""

from typing import Literal, overload

import numpy as np

from niwaki.datasets.concept import (
    Columns,
    ExplainedNumericSample,
    ExplainedTextSample,
    NumericSample,
    TextArray,
    TextSample,
)
from niwaki.datasets.drawing import Seed, assemble, every_row, random_generator
from niwaki.datasets.expression import as_labels

SQUARES = tuple(
    f"{row}-{column}-square"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)
LINES = (
    *((start, start + 1, start + 2) for start in (0, 3, 6)),
    *((start, start + 3, start + 6) for start in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)
ARMS = ("left-weight", "left-distance", "right-weight", "right-distance")


def label_tic_tac_toe(columns: Columns) -> TextArray:
    """Class "positive" where x has three in a row."""
    crosses = np.array([columns[square] == "x" for square in SQUARES], dtype=np.bool_)
    wins = np.any([crosses[list(line)].all(axis=0) for line in LINES], axis=0)
    return as_labels(wins, ("negative", "positive"))


def final_boards() -> set[str]:
    """Play all games, x first, and collect the boards on which they end."""
    ended: set[str] = set()
    running = {"b" * 9}
    for turn in range(9):
        player = "xo"[turn % 2]
        played = {
            board[:square] + player + board[square + 1 :]
            for board in running
            for square in range(9)
            if board[square] == "b"
        }
        won = {
            board
            for board in played
            if any({board[at] for at in line} == {player} for line in LINES)
        }
        ended |= won
        running = played - won
    return ended | running


@overload
def make_tic_tac_toe(
    *, random_state: Seed = ..., return_concept: Literal[False] = ...
) -> TextSample: ...
@overload
def make_tic_tac_toe(
    *, random_state: Seed = ..., return_concept: Literal[True]
) -> ExplainedTextSample: ...
def make_tic_tac_toe(
    *, random_state: Seed = None, return_concept: bool = False
) -> TextSample | ExplainedTextSample:
    """All 958 boards on which a game of tic-tac-toe can end, x having moved first.

    The class is "positive" where x has three in a row (626 boards), "negative" elsewhere.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        Where the order of the columns comes from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (958, 9)
        Texts "x", "o" and "b" (blank), columns in random order.
    y : ndarray of shape (958,)
        Classes "negative" and "positive".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_tic_tac_toe()
    >>> X.shape, int((y == "positive").sum())
    ((958, 9), 626)
    """
    boards = np.array([list(board) for board in sorted(final_boards())], dtype=np.object_)
    sample = assemble(
        dict(zip(SQUARES, boards.T, strict=True)),
        dict.fromkeys(SQUARES, ("b", "o", "x")),
        label_tic_tac_toe,
        relevant=SQUARES,
        rule="x has three squares of a row, a column or a diagonal",
        random=random_generator(random_state),
        class_names=("negative", "positive"),
    )
    return sample if return_concept else sample[:2]


def label_balance_scale(columns: Columns) -> TextArray:
    """Class "L", "B" or "R": the side on which weight times distance is larger, or balance."""
    left_weight, left_distance, right_weight, right_distance = (columns[name] for name in ARMS)
    tilt = left_weight * left_distance - right_weight * right_distance
    return np.select([tilt > 0, tilt < 0], ["L", "R"], "B").astype(np.object_)


@overload
def make_balance_scale(
    *, random_state: Seed = ..., return_concept: Literal[False] = ...
) -> NumericSample: ...
@overload
def make_balance_scale(
    *, random_state: Seed = ..., return_concept: Literal[True]
) -> ExplainedNumericSample: ...
def make_balance_scale(
    *, random_state: Seed = None, return_concept: bool = False
) -> NumericSample | ExplainedNumericSample:
    """All 625 settings of a balance scale with weights and distances from 1 to 5.

    The class is the side to which the scale tips: the one on which weight times distance is
    larger, "L" (288 settings) or "R" (288), or "B" where it balances (49).

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        Where the order of the columns comes from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of float, of shape (625, 4)
        The settings, columns in random order.
    y : ndarray of shape (625,)
        Classes "B", "L" and "R".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_balance_scale()
    >>> [int((y == side).sum()) for side in "LBR"]
    [288, 49, 288]
    """
    settings = every_row(dict.fromkeys(ARMS, ("1", "2", "3", "4", "5")))
    sample = assemble(
        {name: column.astype(np.float64) for name, column in settings.items()},
        dict.fromkeys(ARMS),
        label_balance_scale,
        relevant=ARMS,
        rule=(
            "L or R, the side whose product is larger, of left-weight * left-distance and "
            "right-weight * right-distance; B if they are equal"
        ),
        random=random_generator(random_state),
        class_names=("B", "L", "R"),
    )
    return sample if return_concept else sample[:2]
