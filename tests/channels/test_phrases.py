"""Operators in quotes on a real store: who holds the words, and what happens when nobody does."""

from dataclasses import replace

import pytest

from channels.base import Filters
from channels.phrases import SCANNED, STOP_WORDS, read_as_words

ITEMS = [
    {"id": "near", "text": "We bought the red car yesterday."},
    {"id": "apart", "text": "The car we bought is red, very red, a red one of all red cars."},
    {"id": "far", "text": "red paint dries fast"},
    {"id": "titled", "text": "It was sold again.", "title": "The red car"},
    {"id": "moved", "text": "Deployment moved to Friday"},
    {"id": "deployed", "text": "Ida deployed it twice"},
    {"id": "again", "text": "They redeploy at night"},
    {"id": "file", "text": "look into deploy_all.sh first"},
]


@pytest.fixture(scope="module")
def bank(world):
    return world.bank(*ITEMS)


def details(world, bank, asked):
    return [dict(hit.detail) for hit in world.ask("keyword", bank, asked)]


def test_only_memories_with_the_words_in_their_order_are_found(world, bank):
    assert set(world.found("keyword", bank, "red car")) >= {"near", "apart", "far"}
    assert set(world.found("keyword", bank, '"red car"')) == {"near", "titled"}
    assert world.found("keyword", bank, 'who bought the "red car"')[0] == "near"
    assert details(world, bank, '"red car"') == [{"phrases": ["red car"], "held": True}] * 2


def test_beside_other_words_what_holds_the_phrase_comes_first_and_the_rest_behind(world, bank):
    hits = world.ask("keyword", bank, 'paint "red car"')
    held = [hit.detail["held"] for hit in hits]
    assert held == sorted(held, reverse=True)
    assert sum(held) == 2
    assert len(hits) == len(world.ask("keyword", bank, "paint red car"))
    assert world.found("keyword", bank, "paint red car")[0] == "far"


def test_scores_of_a_phrase_alone_are_those_of_its_words(world, bank):
    plain = {hit.key: hit.score for hit in world.ask("keyword", bank, "red car")}
    for hit in world.ask("keyword", bank, '"red car"'):
        assert hit.score == pytest.approx(plain[hit.key])


def test_a_prefix_stands_for_every_word_that_begins_so(world, bank):
    assert set(world.found("keyword", bank, '"deploy*"')) == {"moved", "deployed", "file"}
    assert set(world.found("keyword", bank, '"deployme*"')) == {"moved"}
    assert set(world.found("keyword", bank, '"Ida deploy*"')) == {"deployed"}


def test_a_phrase_that_nobody_holds_is_read_as_words_and_says_so(world, bank):
    asked = '"car red"'
    assert world.found("keyword", bank, asked) == world.found("keyword", bank, "car red")
    assert details(world, bank, asked)[0] == {"phrases": ["car red"], "held": False}


def test_every_phrase_must_be_held(world, bank):
    assert world.found("keyword", bank, '"bought the" "red car"') == ["near"]


def test_a_phrase_of_stop_words_alone_is_searched_for_in_the_texts(world):
    bank = world.bank(
        {"id": "band", "text": "Ana saw The Who in Leeds"},
        {"id": "apart", "text": "the man who laughs"},
        {"id": "tagged", "text": "a record", "tags": ["the who"]},
    )
    assert set(world.found("keyword", bank, '"the who"')) == {"band", "tagged"}
    assert world.found("keyword", bank, 'Leeds "the who"')[0] == "band"
    assert not any(one["held"] for one in details(world, bank, '"who the"'))
    assert read_as_words(world.question(bank, '"the who"')) == {}


def test_in_a_large_bank_a_phrase_of_stop_words_is_text_and_said_to_be(world, bank):
    large = replace(bank, live_rows=SCANNED + 1)
    asked = 'red "we the" "red car"'
    assert read_as_words(world.question(large, asked)) == {"we the": STOP_WORDS}
    found = world.found("keyword", large, asked)
    assert set(found[:2]) == {"near", "titled"}


@pytest.fixture(scope="module")
def fields(world):
    return world.bank(
        {"id": "tagged", "text": "it took an hour", "tags": ["incident review", "ops"]},
        {"id": "dashed", "text": "it took two", "tags": ["incident-review"]},
        {"id": "across", "text": "it took three", "tags": ["incident", "review"]},
        {"id": "said", "text": "it is done", "speaker": "Ana Lopez"},
        {"id": "other", "text": "ask Ana, Lopez is out", "speaker": "Ben"},
        {"id": "third", "text": "ask Ana first", "speaker": "Lopez"},
        {"id": "plus", "text": "the C++ build broke"},
        {"id": "plain", "text": "the C build broke"},
        {"id": "sharp", "text": "a C# build"},
    )


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ('"incident review"', {"tagged", "dashed"}),
        ('"ana lopez"', {"said", "other"}),
        ('"lop*"', {"said", "other", "third"}),
        ('"ana lop*"', {"said", "other"}),
        ('"incid*"', {"tagged", "dashed", "across"}),
        ('"C++ build"', {"plus"}),
        ('"C# build"', {"sharp"}),
        ('"C build"', {"plain"}),
    ],
)
def test_tags_and_speaker_hold_words_as_text_and_title_do(world, fields, asked, held):
    assert set(world.found("keyword", fields, asked)) == held


def test_filters_hold_for_phrases_too(world):
    bank = world.bank(
        {"id": "a", "text": "the red car", "tags": ["x"]},
        {"id": "b", "text": "the red car", "tags": ["y"]},
    )
    assert world.found("keyword", bank, '"red car"', filters=Filters(tags=("y",))) == ["b"]


def test_words_kept_beside_their_hashes_survive_forgetting_and_writing_again(world):
    bank = world.bank({"id": "a", "text": "zeppelin flight"})
    bank = world.retain(bank, {"id": "a", "text": "nothing of it"})
    assert world.found("keyword", bank, '"zepp*"') == []
    bank = world.retain(bank, {"id": "b", "text": "zeppelins land"})
    assert world.found("keyword", bank, '"zepp*"') == ["b"]


def test_the_other_lanes_hear_the_words_of_a_phrase(world, bank):
    assert "far" in world.found("graph", bank, '"red car"')
