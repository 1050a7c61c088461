"""Plans: what to ask at some nodes and at the nodes below them, a few levels deep.

A plan asks a question at every impure node that it reaches and that has a candidate, down to its
depth. All sums are taken in the following order, so that they are equal wherever they are
computed. `N` is the weight of the rows at all nodes that are planned for together.

- The candidates of a node are numbered from 0 in canonical order, by attribute and then by cut,
  after the restrictions of `max_cuts` and `max_candidates`.
- The information of a plan is the total gain of its first question plus what the plans of the
  branches have together, added left to right; so too for several nodes. A leaf has 0.
- The charge of a plan is that of its first question plus what the plans of the branches have
  together, added likewise. A question is charged the weight of the rows at its node ("expected")
  or `N` ("nodes"), times its price. Without prices every question costs 1, also one about an
  attribute that was asked about before. With prices an attribute costs its price, and nothing
  where a question above, up to the root of the tree, is about it.
- Under "distinct_tests" the charge is `N` times the sum of the prices (1 without prices) of the
  attributes in the whole plan, added by ascending position, whatever was asked above.
- The ratio of a plan is information / charge, in bits per row and unit of cost. With a charge of
  0 it is infinite if the information is more than `1e-12 * N`, and else 0.
- The order of a plan is the list of the numbers of its questions, in pre-order; lists are compared
  lexicographically.

With `per_cost` off the plan with the most information is sought; of those within `1e-12 * N` of
the most the one with the smallest charge (without prices: the fewest expected questions), then
the first by order. This is decided at every node on its own.

With `per_cost` on it is the plan with the largest ratio. Charges that add up allow Dinkelbach's
iteration: for a rate, starting with 0, find the plans with the largest `information - rate *
charge`; the rate becomes the ratio of the best of them; stop when it no longer grows by more than
1e-12, or is infinite. For a rate, a node hands these plans up, and so does every set of nodes
beside each other, after each node that joins the set:

1. of all combinations, those within `1e-12 * N` of the largest `information - rate * charge`;
2. sorted by number of attributes, charge (compared exactly), order;
3. of those with the same attributes only the first;
4. the first 64 of these.

Of the plans for all nodes, those whose ratio is within 1e-12 of the largest are left (if that is
infinite: those among them within `1e-12 * N` of the most information), and the first is the best.

Under "distinct_tests" charges do not add up. There a node, or set of nodes, hands up one plan for
every set of attributes: the one with the most information; in their order, a later plan only if it
has more by more than `1e-12 * N`. Among them the best is found as above, sorted as in step 2. This
is exhaustive: with n attributes there may be 2^n plans.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from niwaki.reference import id3
from niwaki.reference.candidates import Candidate
from niwaki.reference.counts import Rows, Training
from niwaki.reference.growth import question_of
from niwaki.reference.id3 import BETTER
from niwaki.reference.measures import total_gain, worth
from niwaki.reference.nodes import Question, total
from niwaki.reference.settings import Settings
from niwaki.splits import SplitKind

Item = TypeVar("Item")

LevelCost = Literal["expected", "nodes", "distinct_tests"]

MOST_PLANS = 64
"""Of plans that are worth the same at a node, no more than so many are kept."""


@dataclass(frozen=True)
class Spot:
    """A node that is planned for.

    Parameters
    ----------
    rows : Rows
        The rows that reach it.
    asked : frozenset of int
        The attributes that the questions above it are about.
    """

    rows: Rows
    asked: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Option:
    """A question that may be asked at a node, and what it gains.

    Parameters
    ----------
    question : Question
        The question.
    parts : list of Rows
        The rows of every branch.
    gain : float
        Total gain.
    """

    question: Question
    parts: list[Rows]
    gain: float


@dataclass(frozen=True)
class Plan:
    """Questions at a node and below it, or at several nodes beside each other.

    Parameters
    ----------
    question : Question, optional
        The first question; None at a leaf, and for several nodes.
    parts : tuple of Plan
        The plans of the branches, or of the nodes.
    information, charge : float
        What is gained, and what it costs.
    attributes : frozenset of int
        What the questions are about.
    order : tuple of int
        Numbers of the questions among the candidates of their nodes, in pre-order.
    is_pure : bool
        Whether all leaves are pure or empty.

    Examples
    --------
    >>> Plan(information=1.0, charge=2.0).beside(Plan(information=2.0, charge=2.0)).information
    3.0
    """

    question: Question | None = None
    parts: tuple[Plan, ...] = ()
    information: float = 0.0
    charge: float = 0.0
    attributes: frozenset[int] = frozenset()
    order: tuple[int, ...] = ()
    is_pure: bool = True

    def beside(self, last: Plan) -> Plan:
        """Return this plan for some nodes with the plan of one more at the end."""
        return Plan(
            None,
            (*self.parts, last),
            self.information + last.information,
            self.charge + last.charge,
            self.attributes | last.attributes,
            self.order + last.order,
            self.is_pure and last.is_pure,
        )

    def below(self, option: Option, number: int, charge: float) -> Plan:
        """Return this plan for the branches of a question, with the question above them."""
        return Plan(
            option.question,
            self.parts,
            option.gain + self.information,
            charge + self.charge,
            self.attributes | {option.question.attribute},
            (number, *self.order),
            self.is_pure,
        )


@dataclass(frozen=True)
class Aims:
    """What makes a plan good.

    Parameters
    ----------
    per_cost : bool
        Whether to look for the most information per cost, or for the most information.
    level_cost : {"expected", "nodes", "distinct_tests"}
        How a plan is charged.
    prices : list of float, optional
        Price of every attribute.
    """

    per_cost: bool
    level_cost: LevelCost
    prices: list[float] | None

    def charge(self, attribute: int, spot: Spot, weight: float, whole_weight: float) -> float:
        """Return what a question is charged on its own.

        Parameters
        ----------
        attribute : int
            What it is about.
        spot : Spot
            Where it is asked.
        weight : float
            Weight of the rows there.
        whole_weight : float
            Weight of the rows at all nodes that are planned for together.

        Returns
        -------
        float
            The charge; 0 where only whole plans are charged.
        """
        if self.level_cost == "distinct_tests":
            return 0.0
        charged = weight if self.level_cost == "expected" else whole_weight
        if self.prices is None:
            return float(charged)
        return 0.0 if attribute in spot.asked else charged * self.prices[attribute]

    def charge_of_plan(self, plan: Plan, whole_weight: float) -> float:
        """Return what a whole plan is charged."""
        if self.level_cost != "distinct_tests":
            return plan.charge
        prices = self.prices or [1.0] * (max(plan.attributes, default=0) + 1)
        return whole_weight * total(prices[attribute] for attribute in sorted(plan.attributes))


class Planner:
    """Finds the best plans by exhaustive search.

    Parameters
    ----------
    training : Training
        The rows that the learner reads.
    settings : Settings
        Which questions are candidates.
    aims : Aims
        What makes a plan good.
    max_cuts : int
        Of a numeric attribute, only so many cuts are candidates: those with the largest gain.
    max_candidates : int, optional
        Only so many attributes are asked about at a node: those whose best question gains most.

    Examples
    --------
    >>> from niwaki.table import Table
    >>> table = Table.from_frame([["a", "x"], ["a", "y"], ["b", "x"]], [0, 0, 1])
    >>> from niwaki.reference.growth import read_whole_rows
    >>> training = read_whole_rows(table, "category")
    >>> planner = Planner(training, Settings(), Aims(True, "expected", None), 8, None)
    >>> planner.best([Spot(training.all_rows)], depth=1).order
    (0,)
    """

    def __init__(
        self,
        training: Training,
        settings: Settings,
        aims: Aims,
        max_cuts: int,
        max_candidates: int | None,
    ) -> None:
        self.training = training
        self.settings = settings
        self.aims = aims
        self.max_cuts = max_cuts
        self.max_candidates = max_candidates
        self._options: dict[tuple[int, ...], list[Option]] = {}

    def best(self, spots: list[Spot], depth: int) -> Plan:
        """Return the best plan for some nodes.

        Parameters
        ----------
        spots : list of Spot
            The nodes, left to right.
        depth : int
            Largest number of questions on a path.

        Returns
        -------
        Plan
            Its parts are the plans of the nodes.
        """
        search = Search(self, total(self.weight(spot.rows) for spot in spots))
        if not self.aims.per_cost:
            return search.beside(spots, depth, 0.0)[0]
        rate = 0.0
        while True:
            plan = search.leading(search.beside(spots, depth, rate))
            ratio = search.ratio(plan)
            if self.aims.level_cost == "distinct_tests":
                return plan
            if math.isinf(ratio) or ratio <= rate + BETTER:
                return plan
            rate = ratio

    def weight(self, rows: Rows) -> float:
        """Return the weight of some rows."""
        return total(self.training.class_counts(rows))

    def options(self, rows: Rows) -> list[Option]:
        """Return what may be asked about some rows; found out once for the same rows."""
        key = tuple(row for row, _ in rows)
        if key not in self._options:
            self._options[key] = [
                self.option_of(candidate, rows)
                for group in self.groups(rows)
                for candidate in group
            ]
        return self._options[key]

    def groups(self, rows: Rows) -> list[list[Candidate]]:
        """Return the candidates at a node by attribute, in canonical order."""
        groups = []
        for group in id3.candidate_groups(self.training, rows, self.settings):
            if group and group[0].question.kind == SplitKind.THRESHOLD:
                groups.append(few_best(group, self.gain, self.max_cuts))
            elif group:
                groups.append(group)
        if self.max_candidates is None:
            return groups
        return few_best(groups, lambda group: max(map(self.gain, group)), self.max_candidates)

    def option_of(self, candidate: Candidate, rows: Rows) -> Option:
        """Return a candidate with its branches and its total gain."""
        question = question_of(candidate, self.training, self.settings.threshold)
        parts, _ = self.training.send(rows, question)
        return Option(question, parts, total_gain(candidate.counts, self.training.arithmetic))

    def gain(self, candidate: Candidate) -> float:
        """Return the gain per row of a candidate."""
        return worth(candidate.counts, "gain", self.training.arithmetic)


@dataclass(frozen=True)
class Search:
    """One search for the best plan for some nodes.

    Parameters
    ----------
    planner : Planner
        Knows the candidates and what makes a plan good.
    whole_weight : float
        Weight of the rows at all these nodes.
    """

    planner: Planner
    whole_weight: float

    @property
    def tolerance(self) -> float:
        """How far amounts of information may differ and still count as equal."""
        return BETTER * self.whole_weight

    def plans(self, spot: Spot, depth: int, rate: float) -> list[Plan]:
        """Return the best plans for a node at a rate.

        Parameters
        ----------
        spot : Spot
            The node.
        depth : int
            Largest number of questions on a path.
        rate : float
            Information that a unit of cost must bring in.

        Returns
        -------
        list of Plan
            Those that the node hands up.
        """
        if id3.stops(self.planner.training.class_counts(spot.rows)):
            return [Plan()]
        options = self.planner.options(spot.rows) if depth > 0 else []
        if not options:
            return [Plan(is_pure=False)]
        weight = self.planner.weight(spot.rows)
        found = []
        for number, option in enumerate(options):
            attribute = option.question.attribute
            charge = self.planner.aims.charge(attribute, spot, weight, self.whole_weight)
            branches = [Spot(part, spot.asked | {attribute}) for part in option.parts]
            for plan in self.beside(branches, depth - 1, rate):
                found.append(plan.below(option, number, charge))
        return self.kept(found, rate)

    def beside(self, spots: list[Spot], depth: int, rate: float) -> list[Plan]:
        """Return the best plans for several nodes at a rate, as `plans` does for one."""
        joined = [Plan()]
        for spot in spots:
            plans = self.plans(spot, depth, rate)
            joined = self.kept([left.beside(plan) for left in joined for plan in plans], rate)
        return joined

    def kept(self, plans: list[Plan], rate: float) -> list[Plan]:
        """Return those of some plans for the same nodes that are handed up."""
        aims = self.planner.aims
        if aims.per_cost and aims.level_cost == "distinct_tests":
            return self.one_for_every_set(plans)
        values = [plan.information - rate * plan.charge for plan in plans]
        least = max(values) - self.tolerance
        tied = [plan for plan, value in zip(plans, values, strict=True) if value >= least]
        if not aims.per_cost:
            return [min(tied, key=lambda plan: (plan.charge, plan.order))]
        first_with: dict[frozenset[int], Plan] = {}
        for plan in sorted(tied, key=self.preference):
            first_with.setdefault(plan.attributes, plan)
        return list(first_with.values())[:MOST_PLANS]

    def one_for_every_set(self, plans: list[Plan]) -> list[Plan]:
        """Return the plan with the most information for every set of attributes, in order."""
        most_with: dict[frozenset[int], Plan] = {}
        for plan in sorted(plans, key=lambda plan: plan.order):
            rival = most_with.get(plan.attributes)
            if rival is None or plan.information > rival.information + self.tolerance:
                most_with[plan.attributes] = plan
        return list(most_with.values())

    def leading(self, plans: list[Plan]) -> Plan:
        """Return the best of the plans for all nodes."""
        largest = max(map(self.ratio, plans))
        plans = [plan for plan in plans if self.ratio(plan) >= largest - BETTER]
        if math.isinf(largest):
            least = max(plan.information for plan in plans) - self.tolerance
            plans = [plan for plan in plans if plan.information >= least]
        return min(plans, key=self.preference)

    def preference(self, plan: Plan) -> tuple[int, float, tuple[int, ...]]:
        """Return what equals are sorted by: number of attributes, charge, order."""
        return (len(plan.attributes), self.charge(plan), plan.order)

    def ratio(self, plan: Plan) -> float:
        """Return the information of a plan per unit of cost."""
        charge = self.charge(plan)
        if charge > 0:
            return plan.information / charge
        return math.inf if plan.information > self.tolerance else 0.0

    def charge(self, plan: Plan) -> float:
        """Return what a whole plan is charged."""
        return self.planner.aims.charge_of_plan(plan, self.whole_weight)


def few_best(items: list[Item], value: Callable[[Item], float], most: int) -> list[Item]:
    """Return the items with the largest values, in their order.

    The best is taken away, then the best of the rest, and so on; the first of those within 1e-12
    of each other.

    Parameters
    ----------
    items : list
        Some items.
    value : callable
        Gives the value of an item.
    most : int
        How many to return, if there are so many.

    Returns
    -------
    list
        Some of the items.

    Examples
    --------
    >>> few_best([3, 1, 4, 1, 5], float, 2)
    [4, 5]
    """
    values = [value(item) for item in items]
    rest = list(range(len(items)))
    chosen: list[int] = []
    while rest and len(chosen) < most:
        best = rest[0]
        for place in rest[1:]:
            if values[place] > values[best] + BETTER:
                best = place
        chosen.append(best)
        rest.remove(best)
    return [items[place] for place in sorted(chosen)]
