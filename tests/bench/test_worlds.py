"""Multi-hop worlds: what is two entities away is found, though a hub touches everything."""

import asyncio
from collections import Counter

from bench.worlds import ENTITIES, HUB, MEMORIES, QUESTIONS, measure, world
from router.settings import Settings


def test_a_world_is_as_described_and_follows_from_its_seed():
    made = world(1)
    assert made == world(1) != world(2)
    assert (len(made.items), len(made.questions)) == (MEMORIES, QUESTIONS)
    texts = {item["id"]: str(item["text"]) for item in made.items}
    hub = sum(HUB in text for text in texts.values()) / MEMORIES
    assert 0.65 < hub < 0.75
    names = Counter(word for text in texts.values() for word in text.split() if word.istitle())
    assert len(names) <= 2 * ENTITIES + 2
    for question in made.questions:
        asked = question.text.removeprefix("What has to do with ").rstrip("?")
        assert any(asked in text for text in texts.values())
        assert asked not in texts[question.meant]


def test_seven_of_ten_memories_two_entities_away_are_among_the_first_ten(database):
    settings = Settings(database_url=database, embedder="none", channel_timeout_ms=20_000)
    [found] = asyncio.run(measure(settings, [1])).values()
    assert sum(found) / len(found) >= 0.7
