"""The semantic lane: cosine, helped by the direction of the episode."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from channels.base import Filters, Nearest, TermStats, View
from channels.embedder import SentenceEmbedder
from channels.errors import ChannelError
from channels.late import late_interaction, token_weights
from channels.once import Once
from channels.semantic import EPISODE_SHARE, EXACT_ROWS, Semantic, uses_index
from tests.channels.world import PATIENT_MS, at, vector_of

TALK = [
    {"id": "oven", "text": "oven bread flour", "episode": "kitchen"},
    {"id": "knife", "text": "knife onion bread", "episode": "kitchen"},
    {"id": "boat", "text": "boat sail harbour"},
    {"id": "both", "text": "bread harbour"},
]


def test_score_is_cosine_plus_a_share_of_the_episodes(world):
    bank = world.bank(*TALK)
    asked = "bread flour"
    question = vector_of(asked)
    kitchen = vector_of(TALK[0]["text"]) + vector_of(TALK[1]["text"])
    mean = kitchen / np.linalg.norm(kitchen)
    expected = {
        item["id"]: float(question @ vector_of(item["text"]))
        + (EPISODE_SHARE * float(question @ mean) if "episode" in item else 0.0)
        for item in TALK
    }
    ids = world.ids(bank)
    hits = world.ask("semantic", bank, asked)
    assert {ids[hit.key]: hit.score for hit in hits} == pytest.approx(expected, abs=2e-3)
    assert hits[0].detail["cosine"] == pytest.approx(0.8165, abs=1e-3)  # 2 / sqrt(2 * 3)
    assert [ids[hit.key] for hit in hits] == ["oven", "knife", "both", "boat"]


def test_the_episodes_direction_follows_its_members(world):
    bank = world.bank(*TALK)
    before = world.ask("semantic", bank, "boat")
    bank = world.retain(bank, {"id": "knife", "text": "boat", "episode": "kitchen"})
    after = {hit.key: hit.score for hit in world.ask("semantic", bank, "boat")}
    oven = next(key for key, name in world.ids(bank).items() if name == "oven")
    before_of = {hit.key: hit.score for hit in before}
    assert after[oven] > before_of[oven] + 0.1


def test_a_text_without_a_direction_is_left_out_not_ranked(world):
    bank = world.bank({"id": "words", "text": "oven bread"})
    world.rows(bank, "update memories set embedding = null where bank_id = %(bank)s")
    assert world.ask("semantic", bank, "oven") == []


def test_a_question_without_a_direction_is_silent(world):
    assert world.ask("semantic", world.bank(*TALK), "  ") == []


def test_vectors_of_another_embedder_are_never_compared(world):
    bank = world.bank({"id": "a", "text": "bread"})
    with pytest.raises(ChannelError, match="model_changed"):
        world.ask("semantic", bank, "bread", embedder=bank.embedder + 1)
    empty = world.bank()
    assert world.ask("semantic", empty, "bread", embedder=empty.embedder + 1) == []


def test_distances_that_are_no_numbers_have_no_rank():
    found = Nearest.of([(1, 0.5, 0.5), (2, float("nan"), float("nan")), (3, 0.4, 0.4)])
    assert found.keys.tolist() == [1, 3]


def test_only_a_large_bank_with_an_index_and_no_filter_uses_the_index(world):
    large = world.question(world.bank(), "x", live_rows=EXACT_ROWS + 1, indexed=True)
    assert uses_index(large)
    assert not uses_index(replace(large, live_rows=EXACT_ROWS))
    assert not uses_index(replace(large, indexed=False))
    assert not uses_index(replace(large, filters=Filters(speaker="Ida")))
    assert not uses_index(replace(large, view=View(as_of=at("2023-05-01"))))
    assert not uses_index(replace(large, strict_window=True))


def test_a_failure_of_the_shared_look_up_is_the_lanes_failure(world):
    async def fails():
        raise TimeoutError

    question = world.question(world.bank(), "x")
    question = replace(question, lookups=replace(question.lookups, vectors=Once(fails)))
    with pytest.raises(TimeoutError):
        world.run(world.lane("semantic").search(question, 5))


def order_of(hits):
    return [hit.detail["order"] for hit in hits]


def test_token_vectors_order_the_candidates_by_the_words_best_matches(world):
    bank = world.bank(*TALK, model="tokens")
    hits = world.ask("semantic", bank, "bread harbour")
    assert order_of(hits) == ["late interaction"] * 4
    assert world.ids(bank)[hits[0].key] == "both"
    # Bread is held by three of four, harbour by two: idf .357 and .693, .3 added to each. Every
    # match is whole or none, to within half a step of the four bits.
    bread, harbour = 0.3 + np.log(1 + 1.5 / 3.5), 0.3 + np.log(1 + 2.5 / 2.5)
    expected = {"both": 1.0, "boat": harbour / (bread + harbour)}
    expected |= dict.fromkeys(("oven", "knife"), bread / (bread + harbour))
    scores = {world.ids(bank)[hit.key]: hit.score for hit in hits}
    assert scores == pytest.approx(expected, abs=1e-2)


def test_a_model_without_token_vectors_is_ranked_by_cosine(world):
    assert order_of(world.ask("semantic", world.bank(*TALK), "bread")) == ["cosine"] * 4


def test_without_the_words_statistics_token_vectors_still_order(world):
    async def fails():
        raise TimeoutError

    bank = world.bank(*TALK, model="tokens")
    question = world.question(bank, "bread harbour")
    question = replace(
        question, lookups=replace(question.lookups, statistics=Once(fails), keywords=Once(fails))
    )
    # The look-up of the question above sees the question it was made for, so it is made again.
    late = Once(lambda: late_interaction(world.transaction, question, timeout_ms=PATIENT_MS))
    asked = replace(question, lookups=replace(question.lookups, late=late))
    hits = world.run(world.lane("semantic").search(asked, 5))
    assert order_of(hits) == ["late interaction"] * 4
    assert world.ids(bank)[hits[0].key] == "both"


def test_what_the_model_cannot_read_of_a_question_counts_nothing_and_is_told(world):
    bank = world.bank(*TALK, model="tokens")
    question = world.question(bank, "bread harbour")
    read = world.run(question.embedded.get())
    blind = replace(read, unread=(1,))  # the second word, harbour
    assert blind.unread_share == 0.5
    assert token_weights(question, blind, TermStats(4, 2.0, {})).tolist()[1] == 0

    async def embedded():
        return blind

    hits = world.run(Semantic().search(replace(question, embedded=Once(embedded)), 4))
    assert {hit.detail["unread"] for hit in hits} == {0.5}
    assert all("unread" not in hit.detail for hit in world.ask("semantic", bank, "bread harbour"))


def test_the_packaged_model_says_which_pieces_it_cannot_read():
    embedder = SentenceEmbedder()
    found = [
        asyncio.run(embedder.embed_question(text)).unread_share
        for text in ("which painter was it?", "我喜欢金融科技", "")
    ]
    embedder.close()
    assert found[0] == found[2] == 0
    assert found[1] > 0.3
