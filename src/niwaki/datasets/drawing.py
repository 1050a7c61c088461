"""How every generator draws: seeds, checked parameters, rows, shuffled columns and class noise."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from niwaki.datasets.concept import Columns, Concept, Domain, TextArray
from niwaki.datasets.expression import Expression

Seed: TypeAlias = int | np.random.RandomState | np.random.Generator | None
Sample: TypeAlias = tuple[NDArray[Any], TextArray, Concept]
LARGEST_SPACE = 2**20


def random_generator(random_state: Seed) -> np.random.Generator:
    """Turn any accepted ``random_state`` into a numpy Generator.

    A RandomState or Generator is advanced by use, so a second sample drawn from it differs.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    if random_state is None:
        return np.random.default_rng()
    return np.random.default_rng(checked_integer("random_state", random_state, 0))


def checked_integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int, or say which parameter must lie where."""
    allowed = f"at least {least}" if most is None else f"from {least} to {most}"
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer {allowed}; it is {value!r}")
    number = operator.index(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} must be {allowed}; it is {number}")
    return number


def checked_probability(name: str, value: object) -> float:
    """Return ``value`` as a float, or say that the parameter must lie between 0 and 1."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number from 0 to 1; it is {value!r}")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be from 0 to 1; it is {value}")
    return float(value)


def draw_rows(
    domains: Mapping[str, Domain], n_rows: int, random: np.random.Generator
) -> dict[str, TextArray]:
    """Draw rows with replacement, every attribute independent and uniform over its domain."""
    count = checked_integer("n_rows", n_rows, 1)
    return {
        name: np.array(domain, dtype=np.object_)[random.integers(len(domain), size=count)]
        for name, domain in domains.items()
    }


def every_row(domains: Mapping[str, Domain]) -> dict[str, TextArray]:
    """List all combinations of values, the last attribute running fastest."""
    n_rows = math.prod(len(domain) for domain in domains.values())
    if n_rows > LARGEST_SPACE:
        raise ValueError(
            f"n_rows must be given, as the whole space has {n_rows} rows; "
            f"it is listed up to {LARGEST_SPACE} rows"
        )
    columns = {}
    stride = n_rows
    for name, domain in domains.items():
        stride //= len(domain)
        codes = np.arange(n_rows) // stride % len(domain)
        columns[name] = np.array(domain, dtype=np.object_)[codes]
    return columns


def assemble(
    columns: Columns,
    domains: Mapping[str, Domain | None],
    evaluate: Callable[[Columns], TextArray],
    *,
    relevant: Sequence[str],
    rule: str,
    random: np.random.Generator,
    class_names: tuple[str, ...] = ("0", "1"),
    noise: float = 0.0,
    test_costs: Mapping[str, float] | None = None,
) -> Sample:
    """Shuffle the columns, label the rows, and give each row another class with chance `noise`.

    The noise is drawn last, so that a seed gives the same rows at every noise level.
    """
    flipped_share = checked_probability("noise", noise)
    names = tuple(np.array(list(columns), dtype=np.object_)[random.permutation(len(columns))])
    concept = Concept(
        feature_names=names,
        relevant=tuple(position for position, name in enumerate(names) if name in relevant),
        rule=rule,
        domains=tuple(domains[name] for name in names),
        class_names=class_names,
        evaluate=evaluate,
        test_costs=None if test_costs is None else tuple(test_costs[name] for name in names),
    )
    rows = np.column_stack([columns[name] for name in names])
    classes = evaluate(columns)
    if flipped_share > 0:
        flipped = random.random(len(classes)) < flipped_share
        first, second = class_names
        classes = np.where(flipped, np.where(classes == first, second, first), classes)
    return rows, classes.astype(np.object_), concept


def boolean_sample(
    names: Sequence[str],
    expression: Expression,
    n_rows: int | None,
    noise: float,
    random_state: Seed,
    *,
    rule: str | None = None,
    test_costs: Mapping[str, float] | None = None,
) -> Sample:
    """Sample a concept over attributes with the values 0 and 1; all rows if `n_rows` is None."""
    random = random_generator(random_state)
    domains: dict[str, Domain] = dict.fromkeys(names, ("0", "1"))
    return assemble(
        every_row(domains) if n_rows is None else draw_rows(domains, n_rows, random),
        domains,
        expression.label,
        relevant=expression.names,
        rule=str(expression) if rule is None else rule,
        random=random,
        noise=noise,
        test_costs=test_costs,
    )
