"""Lanes of other distributions: what is let in, what keeps the process from starting, and harm."""

import asyncio
import math
import time
from importlib.metadata import EntryPoint

import pytest

from channels.base import Hit, MemoryKey
from channels.errors import BadInput, ChannelError, ConfigError
from router.plugins import GROUP, PRIOR, Guarded, discover, priors
from router.presets import CHANNELS, completed, default_matrix, parse_rows, stored_rows
from router.settings import Settings
from router.weights import FLOOR, Row, as_json, with_priors

HERE = __name__


class Lane:
    """A lane that gives what it is told."""

    name = "extra"

    def __init__(self, transaction=None, *, timeout_ms=0, hits=()):
        self.hits = hits

    async def search(self, question, depth):
        return list(self.hits)


class Heavy(Lane):
    prior_weight = 1.0


class Wrong(Lane):
    prior_weight = 2


class Broken(Lane):
    def __init__(self, transaction, *, timeout_ms):
        raise RuntimeError("no disk")


class Mute:
    name = "extra"

    def __init__(self, transaction, *, timeout_ms):
        pass


NOTHING = None


def point(name: str, what: str) -> EntryPoint:
    return EntryPoint(name, f"{HERE}:{what}", GROUP)


def found(*points: EntryPoint, **changes):
    return discover(Settings(**changes), points)


def test_a_lane_is_let_in_with_its_own_prior_or_the_usual_one():
    assert [(one.name, one.prior) for one in found(point("extra", "Lane"))] == [("extra", PRIOR)]
    assert priors(found(point("extra", "Heavy"))) == {"extra": 1.0}
    assert found(point("extra", "Lane"), plugins="none") == ()


def test_a_lane_in_shadow_has_no_weight():
    plugins = found(point("extra", "Lane"), point("more", "Lane"), shadow="extra")
    assert priors(plugins) == {"more": PRIOR}
    assert [one.name for one in plugins] == ["extra", "more"]


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([point("extra", "Absent")], "cannot be imported"),
        ([point("extra", "NOTHING")], "not callable"),
        ([point("extra", "Wrong")], "prior_weight 2 is outside"),
        ([point("Extra-Lane", "Lane")], "is no name"),
        ([point("graph", "Lane")], "is a lane of fivefold itself already"),
        ([point("extra", "Lane"), point("extra", "Heavy")], "already"),
    ],
)
def test_what_is_no_lane_keeps_the_process_from_starting(points, told):
    with pytest.raises(ConfigError, match=told):
        found(*points)


@pytest.mark.parametrize(
    ("name", "what", "told"),
    [
        ("extra", "Broken", "cannot be made: RuntimeError"),
        ("other", "Lane", "both names must be one"),
        ("extra", "Mute", "no method search"),
    ],
)
def test_what_cannot_be_made_keeps_the_process_from_starting(name, what, told):
    [plugin] = found(point(name, what))
    with pytest.raises(ConfigError, match=told):
        plugin.make(None, timeout_ms=1)


def test_a_foreign_lane_is_held_to_the_contract():
    hits = [Hit(MemoryKey(3), 1.0), Hit(MemoryKey(2), 5.0), Hit(MemoryKey(3), 2.0)]
    guarded = Guarded(Lane(hits=hits))
    assert asyncio.run(guarded.search(None, 5)) == [hits[1], hits[2]]
    assert asyncio.run(guarded.search(None, 1)) == [hits[1]]
    for broken in (Hit(MemoryKey(1), math.nan), "no hit"):
        with pytest.raises(ChannelError):
            asyncio.run(Guarded(Lane(hits=[broken])).search(None, 5))


def test_rows_made_without_a_lane_give_it_its_prior_share_of_the_largest():
    row = Row({"semantic": 1.0, "keyword": 0.5}, 60.0)
    assert with_priors(row, {"extra": 0.35}).weights == {**row.weights, "extra": 0.35}
    assert with_priors(row, {"keyword": 0.35}) is row
    matrix = completed(default_matrix("words"), {"extra": 0.35})
    assert all(set(row.weights) == {*CHANNELS, "extra"} for row in matrix.rows.values())


def test_published_rows_may_weigh_a_lane_that_is_installed_and_no_other():
    rows = as_json(completed(default_matrix("words"), {"extra": 0.2}))
    assert parse_rows(rows, {"extra": 0.9})["general"].weights["extra"] >= FLOOR
    with pytest.raises(BadInput, match="extra"):
        parse_rows(rows)
    assert set(stored_rows(rows)["general"].weights) == set(CHANNELS)


class Slow(Lane):
    name = "slow"

    async def search(self, question, depth):
        await asyncio.sleep(60)


class Failing(Lane):
    name = "failing"

    async def search(self, question, depth):
        raise RuntimeError("broken")


def test_a_foreign_lane_that_fails_or_is_late_costs_only_its_own_run(world):
    from router.wiring import lanes

    bank = world.quick_bank({"text": "the lease costs 900"})
    own = lanes(world.service.reading, timeout_ms=10_000)
    recaller = world.recaller(
        channels=[*own, Guarded(Slow()), Guarded(Failing())], timeout_ms=3_000
    )
    started = time.monotonic()
    answer = world.ask(bank, "lease", recaller=recaller)
    assert answer.found.failed == {"slow": "timeout", "failing": "error"}
    assert time.monotonic() - started < 30
    assert len(answer.page) == 1
