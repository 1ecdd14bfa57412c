"""The rules that propose: measured on pairs written by hand, and their single claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.structure.change.rules import Said, change, may_change
from tests.router.structure.abroad_held_out_rows import REPLACES as UNSEEN_REPLACES
from tests.router.structure.abroad_held_out_rows import STANDS as UNSEEN_STANDS
from tests.router.structure.abroad_rows import REPLACES as ABROAD_REPLACES
from tests.router.structure.abroad_rows import STANDS as ABROAD_STANDS
from tests.router.structure.held_out_rows import REPLACES as HELD_REPLACES
from tests.router.structure.held_out_rows import STANDS as HELD_STANDS
from tests.router.structure.pair_rows import REPLACES, STANDS

PAIRS = (*REPLACES, *STANDS, *ABROAD_REPLACES, *ABROAD_STANDS)
TEXTS = [text for pair in PAIRS for text in pair]


def fired(pairs) -> int:
    return sum(change(Said(older), Said(newer)) is not None for older, newer in pairs)


def test_of_a_hundred_pairs_nothing_is_proposed_that_stands() -> None:
    assert len(REPLACES) + len(STANDS) >= 100
    right, wrong = fired(REPLACES), fired(STANDS)
    assert (right, wrong) == (40, 0)


def test_of_pairs_written_when_the_rules_were_done_nothing_is_proposed_that_stands() -> None:
    assert fired(HELD_REPLACES) >= 15
    assert fired(HELD_STANDS) == 0


def test_of_pairs_in_five_other_languages_nothing_is_proposed_that_stands() -> None:
    assert fired(ABROAD_REPLACES) == len(ABROAD_REPLACES) == 34
    assert fired(ABROAD_STANDS) == 0


def test_of_pairs_in_other_languages_that_the_rules_were_not_mended_on_most_are_found() -> None:
    assert fired(UNSEEN_REPLACES) >= 15
    assert fired(UNSEEN_STANDS) == 0


@pytest.mark.parametrize(("older", "newer"), [*STANDS, *ABROAD_STANDS])
def test_mentioning_the_same_things_proposes_nothing(older: str, newer: str) -> None:
    assert change(Said(older), Said(newer)) is None


@pytest.mark.parametrize(
    ("newer", "older", "rule"),
    [
        ("We switched from Jade to Onyx for search", "We use Jade for search", "switched_from_to"),
        ("Search uses Onyx instead of Jade", "Search uses Jade", "instead_of"),
        ("Mara no longer eats gluten", "Mara eats gluten", "no_longer"),
        ("The offsite in Porto was called off", "We hold the offsite in Porto", "reverted"),
        (
            "We decided to write the service in Rust",
            "We agreed to write the service in Go",
            "decided",
        ),
        ("The deadline is Monday", "The deadline is Friday", "changed_value"),
        ("Ana arbeitet nicht mehr bei Initech", "Ana arbeitet bei Initech", "no_longer"),
        ("La recherche utilise Onyx au lieu de Jade", "La recherche utilise Jade", "instead_of"),
        ("El viaje a Porto fue cancelado", "El viaje a Porto es en mayo", "reverted"),
        ("搜索服务从Jade换成了Onyx", "搜索服务使用Jade", "switched_from_to"),
        (
            "サービスをRustで書くことに決めました",
            "サービスをGoで書くことに決めました",
            "decided",
        ),
    ],
)
def test_the_rule_that_fired_is_named_with_its_words(newer: str, older: str, rule: str) -> None:
    found = change(Said(older), Said(newer))
    assert found is not None
    assert found.rule == rule
    assert found.evidence["words"] in newer


def test_what_speakers_say_of_themselves_concerns_nobody_else() -> None:
    older, newer = "I live in Graz", "I live in Vienna now"
    assert change(Said(older, "Ana"), Said(newer, "ana")) is not None
    assert change(Said(older, "Ana"), Said(newer, "Ben")) is None


def test_a_sentence_among_others_is_enough() -> None:
    newer = "Good news everybody! We switched from Jade to Onyx for search. Lunch is at noon."
    assert change(Said("We use Jade for search"), Said(newer)) is not None


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_only_texts_that_may_announce_a_change_do(older: str, newer: str) -> None:
    if change(Said(older), Said(newer)) is not None:
        assert may_change(newer)


@given(st.text(max_size=300), st.text(max_size=300))
def test_of_any_two_texts_only_one_that_may_announce_a_change_does(older: str, newer: str) -> None:
    assert change(Said(older), Said(newer)) is None or may_change(newer)


@given(st.sampled_from(TEXTS))
def test_no_text_replaces_itself(text: str) -> None:
    assert change(Said(text), Said(text)) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We decided to deploy on Friday", "We decided to deploy on Tuesday"),
        ("We decided to meet at 9:00", "We agreed to meet at 10:30"),
        ("We decided to use Jade for search", "We decided to use Onyx for search"),
        ("We're going with Jade for search", "We're going with Onyx for search"),
    ],
)
def test_decision_that_shares_one_word_is_changed_where_there_can_be_one_only(
    older: str, newer: str
) -> None:
    found = change(Said(older), Said(newer))
    assert found is not None
    assert found.rule == "decided"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We decided to hire Ana", "We decided to hire Ben"),
        ("We decided to buy milk", "We decided to buy bread"),
        ("We decided to invest in Apple", "We decided to invest in Tesla"),
        ("We decided to deploy on Friday", "We decided to deploy on staging"),
        ("Ana decided to rest on Friday", "Ben decided to rest on Tuesday"),
        ("We decided to use Jade for search", "We decided to use Jade for billing"),
        ("We decided on Porto", "We decided on Postgres"),
        ("The team decided on Postgres", "The team decided on MySQL"),
    ],
)
def test_decisions_that_may_both_stand_propose_nothing(older: str, newer: str) -> None:
    assert change(Said(older), Said(newer)) is None
