"""Acceptance cases on what feedback may teach."""

import numpy as np

from feedback.impression import TYPES
from feedback.learner import BankLearner
from feedback.library import rank_table, rows_of
from tests.feedback.lessons import CHANNELS, Lessons, setup
from tests.feedback.test_worker import BANK, learn

__all__ = ["learn"]
TEMPORAL = TYPES.index("temporal")
LED = (CHANNELS.index("semantic"), CHANNELS.index("temporal"))


def page() -> np.ndarray:
    """Memory 0 leads two lanes and is in no other; each of the rest is in one lane or two."""
    ranks = np.zeros((21, len(CHANNELS)), np.int16)
    for lane in range(len(CHANNELS)):
        leads = lane in LED
        ranks[0, lane] = int(leads)
        ranks[np.roll(np.arange(1, 21), 4 * lane)[:6], lane] = np.arange(1, 7) + int(leads)
    return ranks


async def gain_of_demoting(lessons: Lessons, key: int) -> float:
    """Mean evidence for the rows that place the memory below the first page, less for the rest."""
    state = BankLearner.load((await lessons.held(BANK)).state, setup().settings.start).matrix
    rows = setup().settings.start.rows
    table = rank_table(page(), *rows_of(rows.weights[TEMPORAL], float(rows.rrf_k[TEMPORAL])))
    places = table[key]
    assert places[0] <= 3
    gain = state.gain[TEMPORAL]
    return float(gain[places > 10].mean() - gain[places <= 3].mean())


def test_one_deliberate_negative_outweighs_ten_silent_fetches(learn) -> None:
    async def story(lessons: Lessons) -> None:
        rng = np.random.default_rng(5)
        await lessons.ask(BANK, rng, ranks=page())
        down = lessons.event("memory_thumbs_down", 1)
        await lessons.send(BANK, down, lessons.event("recall_closed"))
        await lessons.learn()
        after_one = await gain_of_demoting(lessons, 0)
        assert after_one > 0
        for _ in range(10):
            await lessons.ask(BANK, rng, ranks=page())
            await lessons.send(BANK, lessons.event("recall_closed"))
        await lessons.learn()
        assert await gain_of_demoting(lessons, 0) > 0.5 * after_one

    learn(story)


def test_being_shown_first_thirty_times_without_engagement_earns_nothing(learn) -> None:
    async def story(lessons: Lessons) -> None:
        rng = np.random.default_rng(5)
        for _ in range(30):
            await lessons.ask(BANK, rng, ranks=page())
            exposed = [lessons.event("memory_exposed", key) for key in lessons.last["page"][:3]]
            await lessons.send(BANK, *exposed, lessons.event("recall_closed"))
        await lessons.learn()
        assert await gain_of_demoting(lessons, 0) >= 0
        assert await lessons.live(BANK) is None

    learn(story)
