"""Recalls that lack a part: answered in time, and the part is named."""

import asyncio
import time
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from channels import strict
from channels.base import Embedded, Hit, Window
from channels.errors import NoChannel, Unavailable
from router import metrics, recall
from router.embedders import Embedders
from router.presets import CHANNELS
from router.wiring import lanes
from tests.router.stories import STANDUP as TURNS
from tests.router.stories import STANDUP_QUESTION as QUESTION
from tests.router.world import MODEL, NOW, World, shown, trace


@pytest.fixture(scope="module")
def bank(world: World) -> str:
    return world.bank(*TURNS)


class Broken:
    """A channel that cannot answer."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def search(self, question: Any, depth: int) -> list[Hit]:
        raise Unavailable("database", "gone")


class Hanging(Broken):
    """A channel that never answers."""

    async def search(self, question: Any, depth: int) -> list[Hit]:
        await asyncio.sleep(60)
        return []


class NoModel:
    """Embedders whose model cannot be reached, or never answers."""

    def __init__(self, hang: bool) -> None:
        self._hang = hang

    async def embed_question(self, bank: Any, text: str) -> Embedded:
        if self._hang:
            await asyncio.sleep(60)
        raise Unavailable("embedder", "the model is gone")


def with_lane(world: World, lane: Any) -> list[Any]:
    usual = lanes(world.service.reading, timeout_ms=10_000)
    return [lane if lane.name == channel.name else channel for channel in usual]


@pytest.mark.parametrize("name", CHANNELS)
def test_failing_channel_leaves_the_other_four_and_is_named(
    world: World, bank: str, name: str
) -> None:
    part = metrics.DEGRADED.labels(name)
    before = part._value.get()
    recaller = world.recaller(channels=with_lane(world, Broken(name)))
    answer = world.ask(bank, QUESTION, recaller)
    assert answer.degraded == (f"{name}:database",)
    assert set(answer.found.runs) == set(CHANNELS) - {name}
    assert shown(answer)[0] == "m1", trace(answer)
    assert part._value.get() == before + 1


def test_hanging_channel_is_named_within_the_deadline(world: World, bank: str) -> None:
    recaller = world.recaller(channels=with_lane(world, Hanging("graph")))
    started = time.monotonic()
    answer = world.ask(bank, QUESTION, recaller, deadline_ms=800)
    assert time.monotonic() - started < 1.2
    # What follows the channels has the rest of the deadline, which a busy machine may use up.
    assert set(answer.degraded) - {"redirect:timeout"} == {"graph:timeout"}
    assert shown(answer)[0] == "m1", trace(answer)


def test_when_all_five_fail_the_recall_fails_and_names_them(world: World, bank: str) -> None:
    recaller = world.recaller(channels=[Broken(name) for name in CHANNELS])
    with pytest.raises(NoChannel) as failed:
        world.ask(bank, QUESTION, recaller)
    assert failed.value.failures == dict.fromkeys(CHANNELS, "database")


def test_without_embedder_words_and_links_still_answer(world: World, bank: str) -> None:
    answer = world.ask(bank, "staging cluster", world.recaller(embedders=NoModel(hang=False)))
    assert "embedder:unavailable" in answer.degraded
    assert "semantic:dependency" in answer.degraded
    assert set(answer.page[0].votes) == {"keyword", "graph"}
    assert shown(answer)[0] == "m0", trace(answer)


def test_embedder_that_hangs_leaves_the_words_time_to_answer(world: World, bank: str) -> None:
    recaller = world.recaller(embedders=NoModel(hang=True))
    started = time.monotonic()
    answer = world.ask(bank, "staging cluster", recaller, deadline_ms=800)
    assert time.monotonic() - started < 1.3
    assert "embedder:timeout" in answer.degraded
    assert "semantic:timeout" in answer.degraded
    assert shown(answer)[0] == "m0", trace(answer)


def test_model_that_breaks_while_it_computes_is_named_too(world: World, bank: str) -> None:
    class Breaking:
        name, dim = MODEL.name, 384

        async def embed_question(self, text: str) -> Embedded:
            raise RuntimeError("out of memory")

    broken = Embedders(MODEL.name, batch=1)
    broken.add(Breaking())  # type: ignore[arg-type] # as much of a model as a recall needs
    answer = world.ask(bank, "staging cluster", world.recaller(embedders=broken))
    assert "embedder:unavailable" in answer.degraded
    assert shown(answer)[0] == "m0", trace(answer)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"rerank": True}, "rerank:not_configured"),
        ({"abstain_below": 0.5}, "abstain:no_confidence_without_reranker"),
        ({"min_score": 0.2}, "min_score:not_applied_without_reranker"),
    ],
)
def test_what_was_asked_for_and_is_not_there_is_named(
    world: World, bank: str, options: dict[str, Any], part: str
) -> None:
    assert world.ask(bank, QUESTION, **options).degraded == (part,)


def test_memory_deleted_between_search_and_answer_is_left_out(world: World) -> None:
    bank = world.bank(*TURNS)

    class Deleting(Broken):
        async def search(self, question: Any, depth: int) -> list[Hit]:
            hits = [Hit(key, 1.0) for (key,) in keys]
            async with world.service.transaction(question.bank) as conn:
                await conn.execute("delete from memories where id = 'm0'")
            return hits

    keys = world.rows(bank, "select key from memories where bank_id = %(bank)s order by key")
    recaller = world.recaller(channels=[Deleting("keyword")])
    answer = world.ask(bank, "staging cluster", recaller, k=2)
    assert shown(answer) == ["m1", "m2"]
    assert all(answer.facts[item.key].page is not None for item in answer.page)


def test_locked_table_degrades_the_recall_in_time(world: World, bank: str) -> None:
    recaller = world.recaller(timeout_ms=400, channels=lanes(world.service.reading,
                                                             timeout_ms=400))  # fmt: skip
    world.ask(bank, QUESTION)
    with psycopg.connect(world.dsn) as blocker:
        blocker.execute("lock table edges")
        started = time.monotonic()
        answer = world.ask(bank, QUESTION, recaller)
        assert time.monotonic() - started < 3.0
    assert answer.degraded == ("graph:timeout",)
    assert shown(answer)[0] == "m1", trace(answer)


STRICT: dict[str, Any] = {
    "strict_window": True,
    "window": Window(NOW - timedelta(days=3_650), None, "range", "", 1.0, "caller"),
}


def test_dates_that_a_strict_window_cannot_look_up_in_time_are_named(
    world: World, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert world.ask(bank, QUESTION, **STRICT).degraded == ()
    monkeypatch.setattr(recall, "DATED_SHARE", 0.0)
    assert world.ask(bank, QUESTION, **STRICT).degraded == ("strict_window:dates_unavailable",)
    assert world.ask(bank, QUESTION).degraded == ()


def test_dates_that_a_strict_window_has_too_many_of_are_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = [{"id": name, "text": f"{name} printer on 3 June 2024"} for name in ("one", "two")]
    bank = world.bank(*told)
    assert world.ask(bank, "printer", **STRICT).degraded == ()
    for module in (recall, strict):
        monkeypatch.setattr(module, "MOST_DATED", 1)
    answer = world.ask(bank, "printer", **STRICT)
    assert answer.degraded == ("strict_window:dates_cut",)
    assert shown(answer) == ["two"]
