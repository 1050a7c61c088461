"""Concepts in which some attributes only say which other attributes count."""

from typing import Literal, overload

from niwaki.datasets.concept import ExplainedTextSample, TextSample
from niwaki.datasets.drawing import Seed, boolean_sample, checked_integer, random_generator
from niwaki.datasets.expression import Attribute, Choice, joined, selected

LARGEST_ADDRESS = 10
SMALLEST_TERM, LARGEST_TERM = 2, 5
ELEVEN = tuple(f"a{number}" for number in range(11))
PAIRS = tuple(ELEVEN[start : start + 2] for start in range(2, 10, 2))


@overload
def make_multiplexer(
    address_bits: int,
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_multiplexer(
    address_bits: int,
    n_rows: int | None = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_multiplexer(
    address_bits: int,
    n_rows: int | None = None,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Multiplexer: some bits are the address of the data bit that is the class.

    With k address bits a0, a1, ..., of which a0 is the highest, there are 2**k data bits data0,
    data1, ... The 6-, 11- and 20-multiplexer have 2, 3 and 4 address bits.

    Parameters
    ----------
    address_bits : int
        How many address bits, from 1 to 10.
    n_rows : int or None
        How many rows to draw, uniformly and with replacement; None for every row once, which is
        possible up to the 20-multiplexer with its 1,048,576 rows.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, address_bits + 2**address_bits)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y = make_multiplexer(4, 500, random_state=0)
    >>> X.shape
    (500, 20)
    >>> X, y = make_multiplexer(2)
    >>> X.shape, int((y == "1").sum())
    ((64, 6), 32)
    """
    checked_integer("address_bits", address_bits, 1, LARGEST_ADDRESS)
    address = [f"a{number}" for number in range(address_bits)]
    data = [f"data{number}" for number in range(2**address_bits)]
    sample = boolean_sample(
        address + data,
        selected(address, [Attribute(name) for name in data]),
        n_rows,
        noise,
        random_state,
        rule=f"the data bit whose number is {' '.join(address)} in binary",
    )
    return sample if return_concept else sample[:2]


@overload
def make_multiplex_xor(
    n_rows: int = ...,
    *,
    selectors: int = ...,
    term_sizes: tuple[int, int] | None = ...,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_multiplex_xor(
    n_rows: int = ...,
    *,
    selectors: int = ...,
    term_sizes: tuple[int, int] | None = ...,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_multiplex_xor(
    n_rows: int = 200,
    *,
    selectors: int = 1,
    term_sizes: tuple[int, int] | None = None,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parities of which only the selected one counts (Multiplex-XOR, Multi-XOR).

    There are eleven binary attributes a0 to a10. With one selector, a0 says which of two
    parities is the class: the first, of the attributes from a1 on, where it is "0", and the
    second, of the attributes after those, where it is "1". With two selectors, a0 and a1 number
    one of the pairs (a2, a3), (a4, a5), (a6, a7) and (a8, a9), and a10 is irrelevant.

    Parameters
    ----------
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    selectors : {1, 2}
        How many selectors there are.
    term_sizes : tuple of two int or None
        With one selector, how many attributes each parity has, from 2 to 5; None draws both.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where sizes, rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 11)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_multiplex_xor(term_sizes=(2, 3), random_state=0, return_concept=True)
    >>> concept.rule
    'if a0 then (a3 xor a4 xor a5) else (a1 xor a2)'
    >>> X, y, concept = make_multiplex_xor(selectors=2, random_state=0, return_concept=True)
    >>> len(concept.relevant)
    10
    """
    checked_integer("n_rows", n_rows, 1)
    random = random_generator(random_state)
    if checked_integer("selectors", selectors, 1, 2) == 2:
        if term_sizes is not None:
            raise ValueError("term_sizes must be None with selectors=2, where each term is a pair")
        expression = selected(ELEVEN[:2], [joined("xor", pair) for pair in PAIRS])
    else:
        first, second = (
            random.integers(SMALLEST_TERM, LARGEST_TERM + 1, size=2).tolist()
            if term_sizes is None
            else checked_term_sizes(term_sizes)
        )
        terms = [joined("xor", ELEVEN[1 : 1 + first])]
        terms.append(joined("xor", ELEVEN[1 + first : 1 + first + second]))
        expression = selected(ELEVEN[:1], terms)
    sample = boolean_sample(ELEVEN, expression, n_rows, noise, random)
    return sample if return_concept else sample[:2]


def checked_term_sizes(term_sizes: tuple[int, int]) -> list[int]:
    """Return the sizes, or say what they must be."""
    if len(term_sizes) != 2:
        raise ValueError(f"term_sizes must be two integers; there are {len(term_sizes)}")
    return [checked_integer("term_sizes", size, SMALLEST_TERM, LARGEST_TERM) for size in term_sizes]


@overload
def make_multi_and_or(
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_multi_and_or(
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_multi_and_or(
    n_rows: int = 200,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Conjunctions and disjunctions of which only the selected one counts (Multi-AND-OR).

    There are eleven binary attributes. The selectors a0 and a1 number one of a2 and a3,
    a4 or a5, a6 and a7, a8 or a9; the attribute a10 is irrelevant.

    Parameters
    ----------
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 11)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_multi_and_or(random_state=0, return_concept=True)
    >>> print(concept.rule.replace(" else (if", chr(10) + "else (if"))
    if a0 then (if a1 then (a8 or a9) else (a6 and a7))
    else (if a1 then (a4 or a5) else (a2 and a3))
    """
    checked_integer("n_rows", n_rows, 1)
    operations = ("and", "or", "and", "or")
    terms = [joined(operation, pair) for operation, pair in zip(operations, PAIRS, strict=True)]
    expression = selected(ELEVEN[:2], terms)
    sample = boolean_sample(ELEVEN, expression, n_rows, noise, random_state)
    return sample if return_concept else sample[:2]


@overload
def make_switched_parity(
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_switched_parity(
    n_rows: int,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_switched_parity(
    n_rows: int,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Parity of one of two pairs among ten attributes, switched by another attribute.

    The class is a7 xor a9 where a1 is "0", and a4 xor a6 where a1 is "1". All attributes cost
    the same, 1.

    Parameters
    ----------
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too; its ``test_costs`` are the prices.

    Returns
    -------
    X : ndarray of shape (n_rows, 10)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_switched_parity(100, random_state=0, return_concept=True)
    >>> concept.rule
    'if a1 then (a4 xor a6) else (a7 xor a9)'
    """
    checked_integer("n_rows", n_rows, 1)
    names = [f"a{number}" for number in range(1, 11)]
    sample = boolean_sample(
        names,
        Choice("a1", joined("xor", ("a4", "a6")), joined("xor", ("a7", "a9"))),
        n_rows,
        noise,
        random_state,
        test_costs=dict.fromkeys(names, 1.0),
    )
    return sample if return_concept else sample[:2]


@overload
def make_selected_parity(
    n_irrelevant: int = ...,
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[False] = ...,
) -> TextSample: ...
@overload
def make_selected_parity(
    n_irrelevant: int = ...,
    n_rows: int = ...,
    *,
    noise: float = ...,
    random_state: Seed = ...,
    return_concept: Literal[True],
) -> ExplainedTextSample: ...
def make_selected_parity(
    n_irrelevant: int = 5,
    n_rows: int = 1000,
    *,
    noise: float = 0.0,
    random_state: Seed = None,
    return_concept: bool = False,
) -> TextSample | ExplainedTextSample:
    """Four parities of three bits below a selector of two levels.

    The root a0 says which second selector counts, a1 or a8, and that one says which parity of
    three bits is the class. The smallest tree has 32 leaves and asks five questions of any row,
    yet fifteen attributes are relevant.

    Parameters
    ----------
    n_irrelevant : int
        How many attributes there are beside the fifteen relevant ones.
    n_rows : int
        How many rows to draw, uniformly and with replacement.
    noise : float
        The chance with which a row gets the other class.
    random_state : int, RandomState, Generator or None
        Where rows, order of columns and noise come from.
    return_concept : bool
        Whether to return the `Concept` too.

    Returns
    -------
    X : ndarray of shape (n_rows, 15 + n_irrelevant)
        Texts "0" and "1", columns in random order.
    y : ndarray of shape (n_rows,)
        Classes "0" and "1".
    concept : Concept
        Only if `return_concept` is true.

    Examples
    --------
    >>> X, y, concept = make_selected_parity(random_state=0, return_concept=True)
    >>> X.shape, len(concept.relevant)
    ((1000, 20), 15)
    """
    checked_integer("n_irrelevant", n_irrelevant, 0)
    checked_integer("n_rows", n_rows, 1)
    names = [f"a{number}" for number in range(15 + n_irrelevant)]
    expression = Choice(
        "a0",
        when_one=Choice("a1", joined("xor", names[2:5]), joined("xor", names[5:8])),
        when_zero=Choice("a8", joined("xor", names[9:12]), joined("xor", names[12:15])),
    )
    sample = boolean_sample(names, expression, n_rows, noise, random_state)
    return sample if return_concept else sample[:2]
