"""Frustration that shows only in what was done is found among 200 sessions."""

from collections.abc import Iterator

import pytest

from bench.frustration_bed import PREVALENCE, SESSIONS, Session, bed, r_precision
from router.understand.affect import affect_target
from tests.conftest import fresh_database
from tests.router.world import World, opened

QUESTION = "when was the user frustrated?"
ONE_MATTER = "when was the user frustrated with onboarding?"
PART = 20  # sessions in one request
Loaded = tuple[World, str, list[Session]]


@pytest.fixture(scope="module")
def world(server: str, template: str) -> Iterator[World]:
    """A service of their own."""
    with fresh_database(server, template) as dsn, opened(dsn) as running:
        yield running


@pytest.fixture(scope="module")
def loaded(world: World) -> Loaded:
    """The sessions in a bank; their words are hashed, for no meaning can help here."""
    sessions, bank = bed(), world.quick_bank()
    for start in range(0, len(sessions), PART):
        part = [turn for one in sessions[start : start + PART] for turn in one.turns]
        assert world.keep(bank, *part).errors == []
    return world, bank, sessions


def sessions_by_feeling(loaded: Loaded, question: str) -> list[str]:
    """Sessions in the order in which the emotional lane names their turns."""
    world, bank, _ = loaded
    answer = world.ask(bank, question, depth=1_000)
    ids = dict(world.rows(bank, "select key, episode from memories where bank_id = %(bank)s"))
    return [ids[hit.key] for hit in answer.found.runs["emotional"]]


def test_bed_is_as_it_says_and_repeatable() -> None:
    sessions = bed()
    assert len(sessions) == SESSIONS
    assert sum(one.frustrated for one in sessions) == round(SESSIONS * PREVALENCE)
    assert sessions == bed()
    assert sum(one.course == "hard_won" for one in sessions) > 30


def test_no_text_of_the_bed_names_a_feeling() -> None:
    texts = {turn["text"] for one in bed() for turn in one.turns}
    assert [text for text in texts if affect_target(text) is not None] == []


def test_frustrated_sessions_are_found_by_what_was_done(loaded: Loaded) -> None:
    relevant = frozenset(one.name for one in loaded[2] if one.frustrated)
    found = r_precision(sessions_by_feeling(loaded, QUESTION), relevant)
    assert found >= 0.7


def test_frustration_with_one_matter_is_found_though_no_word_matches(loaded: Loaded) -> None:
    """By the emotional lane; the semantic one is noise here, for its model hashes words."""
    world, bank, sessions = loaded
    answer = world.ask(bank, ONE_MATTER)
    episodes = dict(world.rows(bank, "select key, episode from memories where bank_id = %(bank)s"))
    felt = [episodes[hit.key] for hit in answer.found.runs["emotional"]][:10]
    assert set(felt) & stuck_with_onboarding(sessions)


def test_with_the_model_that_is_shipped_it_is_on_the_first_page(world: World) -> None:
    sessions = bed()
    bank = world.bank(*(turn for one in sessions for turn in one.turns))
    answer = world.ask(bank, ONE_MATTER, k=10)
    episodes = dict(world.rows(bank, "select key, episode from memories where bank_id = %(bank)s"))
    assert {episodes[item.key] for item in answer.page} & stuck_with_onboarding(sessions)


def stuck_with_onboarding(sessions: list[Session]) -> set[str]:
    """The sessions that were frustrated with it."""
    found = {one.name for one in sessions if one.frustrated and one.area == "onboarding"}
    assert found
    return found
