"""How far a text is read by meaning is said, and what an earlier release left is read on."""

import asyncio

import pytest

from channels.embedder import SentenceEmbedder
from channels.windows import TextWindow
from router.doctor import examine
from router.embedders import Embedders
from router.maintain import maintain
from router.meaning import Extent, Meaning, extent
from router.retain import PartlyRead
from router.settings import Settings
from router.store.shelf import Shelf
from tests.router.world import MODEL, World, memory, shown

PLAIN = "The office plants were watered on time and nobody had anything to add. "
FACT = "Rhea keeps the spare key of the boathouse in a blue tin."
ASKED = "where is the spare key of the boathouse?"
NOISE = [memory(f"n{at}", f"{PLAIN}Meeting {at} of the garden club.") for at in range(12)]


def cut(_model: SentenceEmbedder, text: str) -> list[TextWindow]:
    """As releases did that read one window."""
    return [TextWindow(0, len(text))]


def models() -> Embedders:
    found = Embedders(MODEL.name, batch=8)
    found.add(MODEL)
    return found


def test_what_is_read_counts_the_text_and_not_what_leads_it() -> None:
    assert extent("a text", "Ana: a text", None) == Extent(6, 6)
    assert extent("a text", "Ana: a text", 7) == Extent(2, 6)
    assert extent("a text", "Ana: a text", 3) == Extent(0, 6)


def test_a_fact_at_the_end_of_a_long_memory_is_found_by_meaning(world: World) -> None:
    bank = world.bank(memory("long", PLAIN * 30 + FACT), *NOISE)
    answer = world.ask(bank, "which colour has the box with the second opener of the boat shed?")
    hits = answer.found.runs["semantic"]
    assert answer.facts[hits[0].key].id == "long"
    assert shown(world.ask(bank, ASKED))[0] == "long"


def test_a_receipt_says_how_far_a_text_is_read(world: World) -> None:
    bank = world.bank()
    items = [memory("short", FACT), memory("long", PLAIN * 100, speaker="Ana"), memory("x", FACT)]
    receipt = world.keep(bank, *items)
    [one] = receipt.partly_read
    assert (one.index, one.of) == (1, len(PLAIN * 100))
    assert 3_000 < one.read < 6_000
    assert isinstance(one, PartlyRead)
    assert world.keep(bank, memory("again", PLAIN * 30)).partly_read == []


def test_what_an_earlier_release_cut_is_named_by_the_doctor_and_read_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(SentenceEmbedder, "windows", cut)
        bank = world.bank(
            memory("long", PLAIN * 30 + FACT, episode="e"), memory("b", FACT, episode="e"), *NOISE
        )
    where = Settings(database_url=world.dsn, pool_size=4)

    def finding() -> str:
        found = asyncio.run(examine(where, world.dsn, bank=bank, embedders=models()))
        [one] = [one for one in found if one.check == "long_texts"]
        return f"{one.status}: {one.detail}"

    assert finding() == "warn: 1 memories are read by meaning at their beginning only"
    before = semantic_scores(world, bank)
    deeds = asyncio.run(maintain(world.dsn, bank=bank, embedders=models()))
    assert "texts_read_on" in [deed.action for deed in deeds]
    assert finding().startswith("ok: 0 memories")
    assert semantic_scores(world, bank)["long"] > before["long"] + 0.1
    again = asyncio.run(maintain(world.dsn, bank=bank, embedders=models()))
    assert "texts_read_on" not in [deed.action for deed in again]


def semantic_scores(world: World, bank: str) -> dict[str, float]:
    answer = world.ask(bank, ASKED)
    return {answer.facts[hit.key].id: hit.score for hit in answer.found.runs["semantic"]}


def test_a_memory_says_how_far_it_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bank = world.bank(
        memory("short", FACT, speaker="Ana"), memory("long", PLAIN * 30), memory("more", PLAIN * 99)
    )
    with monkeypatch.context() as patch:
        patch.setattr(SentenceEmbedder, "windows", cut)
        world.keep(bank, memory("old", PLAIN * 30 + "x"))
    far = {name: meaning(world, bank, name) for name in ("short", "long", "more", "old")}
    assert far["short"] == Extent(len(FACT), len(FACT))
    assert far["long"] == Extent(len(PLAIN * 30), len(PLAIN * 30))
    assert 3_000 < far["more"].read < 6_000 < far["more"].of
    assert 1_000 < far["old"].read < 1_500  # one window, as it was written


def test_without_a_model_nothing_is_read_by_meaning(world: World) -> None:
    bank = world.bank(memory("short", FACT), embedder="none")
    assert meaning(world, bank, "short") is None


def meaning(world: World, bank: str, name: str) -> Extent:
    async def work() -> Extent:
        held = await world.service.banks.get(bank)
        row = await Shelf(world.service.transaction).memory(held.key, name)
        return await Meaning(world.service.transaction, world.service.embedders).of(held, row)

    return world.run(work())
