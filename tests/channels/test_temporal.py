"""The temporal lane: content through time, by numbers that a pencil can follow."""

import math
from datetime import timedelta

import pytest

from channels.base import Window
from channels.temporal import RECENT_SHARE, TIME_WORD, rank_value
from channels.times import Times
from router.store.banks import BankConfig, DecayConfig
from tests.channels.world import NOW, at

MAY = Window(at("2023-05-01"), at("2023-06-01"), "month", "in May", 0.9, "month")


def said(name: str, day: str | None, text: str = "the harbour lease", **more) -> dict:
    when = {"occurred_at": f"{day}T09:00:00Z"} if day else {}
    return {"id": name, "text": text, **when, **more}


def details(world, bank, asked: str, **changes) -> dict[str, dict]:
    ids = world.ids(bank)
    return {ids[hit.key]: dict(hit.detail) for hit in world.ask("temporal", bank, asked, **changes)}


def test_a_window_doubles_content_inside_and_fades_outside(world):
    bank = world.bank(
        said("inside", "2023-05-20"),
        said("after", "2023-06-30"),
        said("before", "2023-04-23"),
        said("far", "2019-01-01"),
    )
    asked = "the harbour lease in May 2023"
    assert world.found("temporal", bank, asked) == ["inside", "after", "before", "far"]
    near = {name: detail["near"] for name, detail in details(world, bank, asked).items()}
    assert near["inside"] == 1.0
    assert near["after"] == pytest.approx(math.exp(-(29 + 9 / 24) / 30), abs=1e-4)
    assert near["before"] == pytest.approx(math.exp(-(7 + 15 / 24) / 7), abs=1e-4)
    assert near["far"] == 0.0


def test_score_is_content_times_one_plus_nearness(world):
    bank = world.bank(said("inside", "2023-05-20"), said("after", "2023-06-30"))
    for hit in world.ask("temporal", bank, "the harbour lease in May 2023"):
        expected = hit.detail["content"] * (1 + hit.detail["near"])
        assert hit.score == pytest.approx(expected, abs=3e-4)


def test_content_still_decides_within_a_window(world):
    bank = world.bank(
        said("other", "2023-05-20", "a walk with the dog"), said("lease", "2023-05-02")
    )
    assert world.found("temporal", bank, "the harbour lease in May 2023") == ["lease", "other"]


def test_a_date_inside_a_text_counts_as_much_as_the_memorys_own_time(world):
    bank = world.bank(
        said("told", "2023-12-01", "on 12 May 2023 we signed the harbour lease"),
        said("later", "2023-12-01", "on 12 August 2021 we signed the harbour lease"),
    )
    asked = "the harbour lease in May 2023"
    assert world.found("temporal", bank, asked) == ["told", "later"]
    assert details(world, bank, asked)["told"]["near"] == 1.0


def test_a_coarse_date_is_an_interval(world):
    bank = world.bank(
        said("month", "2023-05-01", granularity="month"), said("moment", "2023-05-01")
    )
    near = details(world, bank, "the harbour lease on 20 May 2023")
    assert near["month"]["near"] == 1.0
    assert near["moment"]["near"] < 0.1


def test_a_window_proposes_memories_that_neither_words_nor_vectors_find(world):
    crowd = [said(f"m{n}", "2023-01-01", f"the harbour lease {n}") for n in range(210)]
    bank = world.bank(*crowd, said("then", "2021-05-03", "zeppelin kumquat"))
    asked, window = (
        "the harbour lease",
        Window(at("2021-05-01"), at("2021-06-01"), "month", "", 1, ""),
    )
    assert "then" not in world.found("keyword", bank, asked, depth=500)
    assert "then" not in world.found("semantic", bank, asked, depth=500)
    found = details(world, bank, asked, window=window, depth=500)
    assert found["then"] == {"content": 0.0, "near": 1.0}


@pytest.mark.parametrize("model", ["words", "tokens"])
def test_when_only_time_is_asked_for_time_alone_tells_memories_apart(world, model):
    crowd = [said(f"m{n}", "2023-06-13", f"what did I do, part {n}") for n in range(230)]
    monday = said("monday", "2023-06-12", "zeppelin kumquat")
    bank = world.bank(*crowd, monday, said("week ago", "2023-06-05", "oolong"), model=model)
    asked = "what did I do last Monday?"
    window = world.question(bank, asked).window
    assert (window.start, window.end) == (at("2023-06-12"), at("2023-06-13"))
    assert world.found("temporal", bank, asked) == ["monday"]
    assert world.ask("semantic", bank, asked) == []


def test_when_nothing_lies_in_the_window_the_nearest_to_it_come_first(world):
    bank = world.bank(
        said("far", "2022-01-01"), said("near", "2023-06-11"), said("mid", "2023-06-01")
    )
    assert world.found("temporal", bank, "what happened last Monday?") == ["near", "mid", "far"]


def test_a_question_for_a_date_prefers_memories_that_tell_one(world):
    bank = world.bank(
        said("plain", "2023-02-10", "we signed the harbour lease with Rhea there"),
        said("dated", "2023-02-14", "we signed the harbour lease on 14 February 2023"),
        said("other", "2023-02-16", "a walk with the dog"),
    )
    asked = "when did we sign the harbour lease?"
    assert world.found("temporal", bank, asked)[0] == "dated"
    assert details(world, bank, asked)["dated"]["time_word"] == 1.0
    assert "retention" not in details(world, bank, asked)["dated"]


def test_an_old_memory_on_the_matter_is_not_buried_by_recent_ones(world):
    chores = [
        said(f"chore{n}", f"2023-06-0{n}", "Lease admin chores this week") for n in range(1, 6)
    ]
    bank = world.bank(said("signed", "2018-02-14", "We signed the Harbour lease"), *chores)
    assert world.found("temporal", bank, "when did we sign the harbour lease?")[0] == "signed"


def test_recent_blends_content_with_what_age_has_left(world):
    bank = world.bank(said("new", "2023-06-14"), said("old", "2021-06-14"))
    hits = world.ask("temporal", bank, "any recent news on the harbour lease?")
    assert [world.ids(bank)[hit.key] for hit in hits] == ["new", "old"]
    for hit in hits:
        blended = 0.5 * hit.detail["content"] + 0.5 * hit.detail["retention"]
        assert hit.score == pytest.approx(blended, abs=2e-4)
    assert hits[0].detail["retention"] == pytest.approx(0.5 ** (1.125 / 30), abs=1e-4)


def test_the_banks_own_curve_is_used(world):
    config = BankConfig(decay=DecayConfig(kind="fsrs"))
    bank = world.bank(said("week", "2023-06-08"), config=config)
    age = 7 + 3 / 24
    [hit] = world.ask("temporal", bank, "any recent news on the harbour lease?")
    assert hit.detail["retention"] == pytest.approx((1 + 19 / 81 * age / 7) ** -0.5, abs=1e-4)


def test_what_lies_in_the_future_is_as_fresh_as_now(world):
    bank = world.bank(said("planned", "2024-01-01"), said("today", "2023-06-15"))
    kept = details(world, bank, "any recent news on the harbour lease?")
    assert kept["planned"]["retention"] == 1.0


def test_a_memory_without_a_time_is_as_old_as_can_be(world):
    bank = world.bank(said("undated", None), said("dated", "2023-06-10"))
    kept = details(world, bank, "any recent news on the harbour lease?")
    assert kept["undated"]["retention"] == 0.0


def test_last_puts_what_matches_in_order_of_time(world):
    bank = world.bank(
        said("older", "2023-01-10", "Rhea on the harbour lease"),
        said("newest", "2023-03-10", "Tom on the harbour lease"),
        said("unlike", "2023-06-10", "a walk with the dog"),
        said("middle", "2023-02-10", "Ida on the harbour lease"),
    )
    question = world.question(bank, "harbour lease", recency="last")
    hits = world.run(world.lane("temporal").search(question, 10))
    assert [world.ids(bank)[hit.key] for hit in hits] == ["newest", "middle", "older"]
    assert [hit.score for hit in hits] == [1, 1 / 2, 1 / 3]


def test_last_without_any_match_is_newest_first(world):
    days = ["2023-05-03", "2023-06-10", "2023-05-28", "2023-05-12"]
    texts = ["a walk", "the oven", "new shoes", "a boat"]
    bank = world.bank(*(said(day, day, text) for day, text in zip(days, texts, strict=True)))
    assert world.found("temporal", bank, "zeppelin", recency="last") == sorted(days, reverse=True)
    assert world.found("temporal", bank, "zeppelin", recency="last", depth=2) == sorted(days)[:1:-1]


@pytest.mark.parametrize(
    "asked", ["the harbour lease", "change the new button colour", "who may sign in a second?"]
)
def test_lane_is_silent_when_time_is_not_asked_about(world, asked):
    bank = world.bank(said("lease", "2023-05-20", asked))
    assert world.ask("temporal", bank, asked) == []


def test_gains_multiply_and_age_is_left_out_when_there_is_a_window(world):
    day = at("2023-05-20")
    times = Times(day, day, "turn", None, True, ())
    bank = world.bank()
    both = world.question(bank, "x", window=MAY, asks_date=True, recency="recent")
    assert rank_value(both, 0.5, times)[0] == pytest.approx(0.5 * 2 * (1 + TIME_WORD))
    recent = world.question(bank, "x", window=None, asks_date=False, recency="recent")
    today = Times(NOW, NOW, "turn", None, False, ())
    assert rank_value(recent, 0.4, today)[0] == pytest.approx(
        0.4 * (1 - RECENT_SHARE) + RECENT_SHARE
    )


def test_content_and_time_are_those_of_the_caller_not_of_the_server(world):
    bank = world.bank(said("yesterday", "2023-06-14"), said("week", "2023-06-08"))
    asked_later = NOW + timedelta(days=365)
    [first, _] = world.ask(
        "temporal", bank, "recent news on the harbour lease", asked_at=asked_later
    )
    assert first.detail["retention"] == pytest.approx(0.5 ** (366.125 / 30), abs=1e-4)


@pytest.mark.parametrize(
    "asked",
    ["when did the lease begin?", "what of the lease last week?", "the latest on the lease"],
)
def test_lane_is_silent_when_no_candidate_bears_a_time(world, asked):
    items = [{"id": "a", "text": "The lease began."}, {"id": "b", "text": "The lease has pages."}]
    assert world.ask("temporal", world.bank(*items), asked) == []
    timed = {"id": "c", "text": "The lease began on 3 May 2023.", "occurred_at": "2023-06-01"}
    assert "c" in world.found("temporal", world.bank(*items, timed), asked)
