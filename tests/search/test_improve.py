"""IIDT under the anytime loop: what it chooses, keeps and promises."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from niwaki import Budget, Improve, Search, StopReason, Table, grow
from niwaki.datasets import make_multiplexer, make_parity
from niwaki.splits import SplitKind

EXAMPLE = "0001:0 0011:0 0100:1 0111:1 1000:1 1001:1 1011:1 1100:0 1101:0 1111:0"


def example_table() -> Table:
    """Return the ten rows over four attributes whose class is x0 xor x1."""
    rows = [row.split(":") for row in EXAMPLE.split()]
    return Table.from_frame(
        np.array([list(bits) for bits, _ in rows], object), [y for _, y in rows]
    )


def parity_table(noise: float = 0.0) -> Table:
    """Return 200 rows of a parity of four attributes among eight."""
    return Table.from_frame(*make_parity(4, 4, 200, noise=noise, random_state=0))


@pytest.mark.parametrize("seed", range(20))
def test_small_example_is_solved_in_one_rebuild(seed: int) -> None:
    """From seven leaves, rebuilding the root with one sample gives four, and nothing is left."""
    search = Search(example_table(), Improve("size", seed=seed)).run(Budget(steps=20))
    first, second = search.history
    assert (first["kind"], first["value"]) == ("greedy", 7.0)
    assert (second["depth"], second["resource"], second["value"]) == (0, 1, 4.0)
    assert search.status.reason is StopReason.EXHAUSTED


def test_first_choice_follows_benefit_per_cost() -> None:
    """Of the example's nodes the root alone is eligible, with cost 640 and benefit 3."""
    strategy = Improve("size")
    strategy.begin(example_table())
    nodes = strategy.node_table
    assert (nodes.cost[0], nodes.benefit[0]) == (640.0, 3.0)
    inner = strategy.tree().nodes.kind != SplitKind.LEAF
    below = [node for node in np.flatnonzero(inner) if nodes.depth[node] == 1]
    assert [(nodes.cost[node], nodes.benefit[node]) for node in below] == [
        (81.0, -1.0),
        (189.0, 0.0),
    ]


@pytest.mark.parametrize("objective", ["size", "error"])
@pytest.mark.parametrize("fresh", [False, True])
def test_value_never_rises_and_bookkeeping_is_exact(objective: str, fresh: bool) -> None:
    """After every step the value is that of a recount from scratch, and never above the last."""
    table = parity_table(noise=0.1)
    strategy = Improve(objective, fresh_draws=fresh)
    search = Search(table, strategy)
    last = float("inf")
    for _ in range(25):
        search.run(Budget(steps=1))
        tree = search.best
        recount = Improve(objective)
        leaves = tree.nodes.kind == SplitKind.LEAF
        assert search.status.value == pytest.approx(
            recount.values_of_leaves(tree.nodes)[leaves].sum(), abs=1e-9
        )
        assert search.status.value <= last + 1e-9
        last = search.status.value
        counted = np.zeros_like(tree.nodes.counts)
        np.add.at(counted, (tree.apply(table), table.classes), 1.0)
        assert np.array_equal(counted[leaves], tree.nodes.counts[leaves])
        if search.status.reason is StopReason.EXHAUSTED:
            break


def test_parity_is_learned() -> None:
    """The greedy tree of a parity is large; the search finds the smallest."""
    table = parity_table()
    search = Search(table, Improve("size")).run(Budget(target=16))
    assert grow(table).n_leaves > 40
    assert search.status.n_leaves == 16
    assert search.status.reason is StopReason.TARGET


@pytest.mark.parametrize("objective", ["size", "error"])
def test_many_short_runs_equal_a_long_one(objective: str) -> None:
    """Runs of equal evaluations end in the same tree, however they are cut."""
    table = Table.from_frame(*make_multiplexer(2, 200, random_state=1))
    whole = Search(table, Improve(objective)).run(Budget(evaluations=300))
    pieces = Search(table, Improve(objective))
    for _ in range(30):
        pieces.run(Budget(evaluations=10))
    assert pieces.best == whole.best
    assert pieces.status.evaluations == pytest.approx(whole.status.evaluations, rel=0.02)


def test_short_slices_equal_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """The length of slices changes nothing."""
    table = parity_table(noise=0.1)
    whole = Search(table, Improve("size")).run(Budget(steps=12))
    monkeypatch.setattr("niwaki.search.SLICE_MILLISECONDS", 0.2)
    sliced = Search(table, Improve("size")).run(Budget(steps=12))
    assert sliced.best == whole.best


@pytest.mark.parametrize("seconds", [0.1, 0.5])
def test_time_limit_holds(seconds: float) -> None:
    """A limit in seconds is kept to 50 milliseconds once the first tree is there."""
    table = Table.from_frame(*make_parity(8, 8, 5000, random_state=0))
    search = Search(table, Improve("size")).run(Budget(steps=0))
    overshoots = []
    for _ in range(3):  # what the machine does besides is not the search's doing
        began = time.perf_counter()
        search.run(Budget(seconds=seconds))
        overshoots.append(time.perf_counter() - began - seconds)
        assert search.status.reason is StopReason.TIME
    assert min(overshoots) < 0.05


def test_interrupt_leaves_the_best_tree() -> None:
    """Ctrl-C ends the run with a valid tree, and the handler before it is back afterwards."""
    table = Table.from_frame(*make_parity(8, 8, 5000, random_state=0))
    search = Search(table, Improve("size"))
    earlier = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    search.run(Budget(seconds=20))
    timer.join()
    assert search.status.reason is StopReason.INTERRUPTED
    assert search.best.n_leaves > 0
    assert signal.getsignal(signal.SIGINT) is earlier
    search.run(Budget(steps=1))


def test_callback_stops() -> None:
    """A callback that returns "stop" ends the run; one that raises leaves the search usable."""
    search = Search(parity_table(noise=0.1), Improve("size"))
    search.run(Budget(seconds=20), on_progress=lambda _: "stop")
    assert search.status.reason is StopReason.CALLBACK
    with pytest.raises(ZeroDivisionError):
        search.run(Budget(seconds=20), on_progress=lambda _: 1 / 0)
    assert search.run(Budget(steps=1)).best.n_leaves > 0


def test_limits_other_than_time() -> None:
    """Steps and stalls end a run with their reason."""
    search = Search(parity_table(noise=0.2), Improve("error"))
    assert search.run(Budget(steps=2)).status.reason is StopReason.STEPS
    assert search.status.steps == 2
    assert search.run(Budget(stall=2, seconds=20)).status.reason in {
        StopReason.STALLED,
        StopReason.EXHAUSTED,
    }


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ("soon", "'30s'"),
        ("", "'30s'"),
        (-1, "budget"),
        (float("nan"), "budget"),
        (True, "budget"),
        ([], "budget"),
    ],
)
def test_bad_budgets_are_named(budget: object, message: str) -> None:
    """A budget that is none says what one looks like."""
    with pytest.raises(ValueError, match=message):
        Search(parity_table(), Improve()).run(budget)


@pytest.mark.parametrize(
    "limits",
    [{}, {"seconds": -1}, {"steps": 1.5}, {"evaluations": "many"}, {"stall": 0}],
)
def test_bad_limits_are_named(limits: dict) -> None:
    """A Budget checks its limits when it is made."""
    with pytest.raises(ValueError, match="Budget"):
        Budget(**limits)


@pytest.mark.parametrize(
    "parameters",
    [{"granularity": 2}, {"objective": "beauty"}, {"confidence": 0}, {"missing": "fraction"}],
)
def test_bad_parameters_are_named(parameters: dict) -> None:
    """A wrong parameter of the strategy is named."""
    with pytest.raises(ValueError, match=next(iter(parameters))):
        Improve(**parameters)


def test_search_without_a_run_has_no_tree() -> None:
    """Asking for the best tree before the first run says what to do."""
    with pytest.raises(ValueError, match="run"):
        _ = Search(parity_table(), Improve()).best
