"""ID3-k, IDX and GOTA: ask what is best some levels further down, by exhaustive search.

The tree grows level by level from the root. The nodes that are impure and still open form the
frontier, left to right. Under scope "node" the best plan (see `plans`) is sought for each of them
on its own, under scope "level" for all of them together.

With commit "first" the plan is `lookahead` levels deep; a tuple gives the levels for the nodes at
depth 0, 1 and so on, its last entry all further ones. Only the first question of the plan is
asked, at every node of the frontier; but if all leaves of the plan are pure, all its questions.

With commit "level" the entries of `lookahead` are depths at which levels end: (1, 3) stands for
the depths 0; 1 and 2; 3 and 4; and so on, the last step being repeated. A single number stands
for levels of that many depths. All questions of a plan are asked.

No plan goes deeper than `max_depth` allows. A node for which the plan has no question is a leaf.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, get_args

from niwaki.costs import Costs
from niwaki.reference import id3
from niwaki.reference.counts import Training
from niwaki.reference.growth import ask, read_whole_rows
from niwaki.reference.nodes import Node, tree_of
from niwaki.reference.plans import Aims, LevelCost, Plan, Planner, Spot
from niwaki.reference.settings import Settings, Threshold
from niwaki.table import MissingPolicy, Table
from niwaki.tree import Tree

Commit = Literal["first", "level"]
Scope = Literal["node", "level"]
Place = tuple[Node, Spot]


def grow_horizon(
    table: Table,
    *,
    lookahead: int | tuple[int, ...] = 2,
    commit: Commit = "first",
    per_cost: bool = True,
    costs: Costs | None = None,
    level_cost: LevelCost = "expected",
    scope: Scope = "node",
    max_cuts: int = 8,
    max_candidates: int | None = None,
    threshold: Threshold = "midpoint",
    missing: MissingPolicy = "category",
    max_depth: int | None = None,
    min_leaf: float | None = None,
) -> Tree:
    """Grow a tree with exhaustive lookahead: IDX, GOTA (commit "level"), ID3-k (not per cost).

    Parameters
    ----------
    table : Table
        The training rows.
    lookahead : int or tuple of int, default=2
        Number of levels that are searched together, perhaps another one for each depth; under
        commit "level" the depths at which the levels end.
    commit : {"first", "level"}, default="first"
        Whether to ask only the first question of the best plan, or all of them.
    per_cost : bool, default=True
        Whether the best plan has the most information per cost, or the most information.
    costs : Costs, optional
        Prices of the attributes; without them every question costs 1.
    level_cost : {"expected", "nodes", "distinct_tests"}, default="expected"
        Whether every row pays for its questions, or every question is paid for once, or every
        attribute is.
    scope : {"node", "level"}, default="node"
        Whether every open node is planned for on its own, or all together.
    max_cuts : int, default=8
        Of a numeric attribute only so many cuts are considered: those with the largest gain.
    max_candidates : int, optional
        Only so many attributes are considered at a node: those with the largest gain.
    threshold : {"midpoint", "value", "training"}, default="midpoint"
        Where to cut between two values.
    missing : {"category", "drop", "error"}, default="category"
        What a missing value is.
    max_depth : int, optional
        Largest number of questions on a path.
    min_leaf : float, optional
        Least weight of a branch; 0 by default.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> X = [[i, x, y] for i in "01" for x in "01" for y in "01"]
    >>> table = Table.from_frame(X, [x != y for _, x, y in X])
    >>> [grow_horizon(table, lookahead=levels).n_leaves for levels in (1, 2)]
    [8, 4]
    """
    for name, value, choices in (
        ("commit", commit, Commit),
        ("level_cost", level_cost, LevelCost),
        ("scope", scope, Scope),
    ):
        if value not in get_args(choices):
            raise ValueError(f"{name} must be one of {get_args(choices)}, not {value!r}")
    for name, number in (("max_cuts", max_cuts), ("max_candidates", max_candidates)):
        if number is not None and number < 1:
            raise ValueError(f"{name} must be at least 1, not {number}")
    training = read_whole_rows(table, missing)
    settings = Settings(threshold=threshold, max_depth=max_depth, min_leaf=min_leaf)
    prices = None if costs is None else costs.prices(training.schema).tolist()
    planner = Planner(
        training, settings, Aims(per_cost, level_cost, prices), max_cuts, max_candidates
    )
    entries = checked_lookahead(lookahead, commit)
    root = Node(training.class_counts(training.all_rows))
    frontier = open_places([(root, Spot(training.all_rows))])
    depth = 0
    while frontier:
        levels = levels_at(depth, entries, commit, max_depth)
        groups = [frontier] if scope == "level" else [[place] for place in frontier]
        reached: list[Place] = []
        for group in groups:
            plan = planner.best([spot for _, spot in group], levels)
            asked = levels if commit == "level" or plan.is_pure else min(levels, 1)
            for place, part in zip(group, plan.parts, strict=True):
                reached += carry_out(part, place, asked, training)
        frontier = open_places(reached)
        depth += levels if commit == "level" else 1
    return tree_of(root, training.schema, fractional=False)


def checked_lookahead(lookahead: int | tuple[int, ...], commit: Commit) -> tuple[int, ...]:
    """Return the lookahead as a tuple, or raise ValueError.

    Parameters
    ----------
    lookahead : int or tuple of int
        As the user gave it.
    commit : {"first", "level"}
        What it stands for.

    Returns
    -------
    tuple of int
        For "first", numbers of levels, at least 1. For "level", ascending depths, without 0.

    Examples
    --------
    >>> checked_lookahead(2, "first"), checked_lookahead((0, 2), "level")
    ((2,), (2,))
    """
    entries = (lookahead,) if isinstance(lookahead, int) else tuple(lookahead)
    if commit == "first":
        if not entries or min(entries) < 1:
            raise ValueError(f"lookahead must be at least 1, not {lookahead!r}")
        return entries
    is_ascending = all(low < high for low, high in pairwise(entries))
    if not entries or not is_ascending or entries[0] < 0 or entries[-1] == 0:
        raise ValueError(
            "with commit='level', lookahead must hold ascending depths where levels end, "
            f"not {lookahead!r}"
        )
    return entries[1:] if entries[0] == 0 else entries


def levels_at(depth: int, entries: tuple[int, ...], commit: Commit, max_depth: int | None) -> int:
    """Return how many levels are planned at some depth.

    Parameters
    ----------
    depth : int
        Number of questions above the node.
    entries : tuple of int
        The lookahead, checked.
    commit : {"first", "level"}
        What it stands for.
    max_depth : int or None
        Largest number of questions on a path.

    Returns
    -------
    int
        Number of levels.

    Examples
    --------
    >>> [levels_at(depth, (1, 3), "first", None) for depth in (0, 1, 2)]
    [1, 3, 3]
    >>> [levels_at(depth, (1, 3), "level", 4) for depth in (0, 1, 3)]
    [1, 2, 1]
    """
    if commit == "first":
        levels = entries[min(depth, len(entries) - 1)]
    else:
        step = entries[-1] - ((0, *entries)[-2])
        end = next((entry for entry in entries if entry > depth), entries[-1])
        while end <= depth:
            end += step
        levels = end - depth
    return levels if max_depth is None else min(levels, max_depth - depth)


def carry_out(plan: Plan, place: Place, levels: int, training: Training) -> list[Place]:
    """Ask the questions of a plan.

    Parameters
    ----------
    plan : Plan
        The plan of a node.
    place : (Node, Spot)
        The node; changed.
    levels : int
        How many levels of the plan to carry out.
    training : Training
        The rows that the learner reads.

    Returns
    -------
    list of (Node, Spot)
        The nodes below the last level.
    """
    node, spot = place
    if plan.question is None or levels == 0:
        return []
    rows_below = ask(node, training, spot.rows, plan.question)
    node.children = [Node(training.class_counts(rows)) for rows in rows_below]
    asked = spot.asked | {plan.question.attribute}
    places = [
        (child, Spot(rows, asked)) for child, rows in zip(node.children, rows_below, strict=True)
    ]
    if levels == 1:
        return places
    return [
        reached
        for part, below in zip(plan.parts, places, strict=True)
        for reached in carry_out(part, below, levels - 1, training)
    ]


def open_places(places: list[Place]) -> list[Place]:
    """Return the places with more than one class."""
    return [place for place in places if not id3.stops(place[0].counts)]
