"""A bank moves to another model: nothing is mixed, lost, or answered worse on the way."""

import asyncio
from typing import Any

import pytest

from router.answer import RecallRequest
from router.reembed import moving, worker
from router.reembed.moving import embed_some, swap
from tests.router.reembed.conftest import HASHES, OTHER, Moves
from tests.router.world import NOW, memory, shown

TURNS = [
    memory(f"t{place}", f"turn {place} about {topic} and the {place % 7} boats", episode=topic)
    for place, topic in enumerate(["harbour", "lease", "kitchen"] * 50)
]
QUESTION = "what about the harbour boats?"


def semantic(answer: Any) -> list[Any]:
    return [hit.key for hit in answer.found.runs["semantic"]]


def step(moves: Moves, bank: str) -> int:
    """One batch of embedding, as the worker takes it."""
    job = moves.job(bank)
    assert job is not None

    async def work() -> int:
        service = moves.world.service
        held = await service.banks.get(bank)
        return await embed_some(service.transaction, service.embedders, held, job)

    return int(moves.world.run(work()))


def test_until_the_swap_the_old_model_answers_and_after_it_the_new_one(moves: Moves) -> None:
    world = moves.world
    bank = world.quick_bank(*TURNS)
    before = semantic(world.ask(bank, QUESTION))
    assert moves.ask(bank)
    assert step(moves, bank) == moving.BATCH
    assert semantic(world.ask(bank, QUESTION)) == before
    assert moves.models(bank) == {HASHES}
    assert moves.progress(bank) == {
        "to": {"name": OTHER, "dim": 96}, "from": HASHES, "phase": "embedding",
        "done": moving.BATCH, "of": 150, "problem": None,
    }  # fmt: skip
    moves.work(bank)
    assert moves.models(bank) == {OTHER}
    assert moves.progress(bank) is None
    answer = world.ask(bank, QUESTION)
    assert answer.degraded == ()
    assert len(semantic(answer)) == 50
    assert answer.found.runs["semantic"][0].detail["order"] == "late interaction"


def test_token_vectors_episode_means_and_similar_edges_are_those_of_the_new_model(
    moves: Moves,
) -> None:
    world = moves.world
    moved, born = world.quick_bank(*TURNS), world.bank(*TURNS, embedder=OTHER)
    moves.ask(moved)
    moves.work(moved)
    for statement in (
        "select id, embedding::text from memories where bank_id = %(bank)s order by id",
        "select m.id, encode(t.tokens, 'hex') from memory_tokens t join memories m"
        " on m.bank_id = %(bank)s and m.key = t.key where t.bank_id = %(bank)s order by 1",
        "select episode, members, (select name from embedders e where e.embedder = p.embedder)"
        " from episodes p where bank_id = %(bank)s order by 1",
        "select a.id, b.id, round(e.strength::numeric, 3) from edges e"
        " join memories a on a.bank_id = %(bank)s and a.key = e.src"
        " join memories b on b.bank_id = %(bank)s and b.key = e.dst"
        " where e.bank_id = %(bank)s and e.type = 'SIMILAR_TO' order by 1, 2",
    ):
        assert world.rows(moved, statement) == world.rows(born, statement), statement
    means = "select mean::vector::text from episodes where bank_id = %(bank)s order by episode"
    for one, other in zip(world.rows(moved, means), world.rows(born, means), strict=True):
        left, right = (
            [float(part) for part in row[0].strip("[]").split(",")] for row in (one, other)
        )
        assert left == pytest.approx(right, abs=2e-3)


def test_what_is_kept_by_a_killed_process_is_not_made_again(moves: Moves) -> None:
    bank = moves.world.quick_bank(*TURNS)
    moves.ask(bank)
    assert step(moves, bank) == moving.BATCH
    made = moves.model.embedded
    moves.work(bank, moves.worker())
    assert moves.model.embedded - made == len(TURNS) - moving.BATCH
    assert moves.models(bank) == {OTHER}


def test_a_claim_keeps_others_away_until_it_runs_out(moves: Moves) -> None:
    bank = moves.world.quick_bank(*TURNS[:3])
    moves.ask(bank)
    world = moves.world
    world.rows(
        bank,
        "update reembeddings set worker = 'killed', busy_until = now() + interval '1 minute'"
        " where bank_id = %(bank)s returning 1",
    )
    moves.work(bank)
    assert moves.models(bank) == {HASHES}
    world.rows(
        bank,
        "update reembeddings set busy_until = now() - interval '1 second'"
        " where bank_id = %(bank)s returning 1",
    )
    moves.work(bank)
    assert moves.models(bank) == {OTHER}


def test_memories_written_changed_and_deleted_meanwhile_are_as_they_should_be(
    moves: Moves,
) -> None:
    world = moves.world
    bank = world.quick_bank(*TURNS[:5])
    moves.ask(bank)
    step(moves, bank)
    world.keep(bank, memory("t0", "now of the lighthouse"), memory("new", "a lighthouse keeper"))
    world.rows(bank, "delete from memories where bank_id = %(bank)s and id = 't1' returning 1")
    moves.work(bank)
    assert moves.models(bank) == {OTHER}
    born = world.bank(memory("t0", "now of the lighthouse"), embedder=OTHER)
    vector = "select embedding::text from memories where bank_id = %(bank)s and id = 't0'"
    assert world.rows(bank, vector) == world.rows(born, vector)
    assert set(world.found(bank, "lighthouse")) >= {"t0", "new"}


def test_a_writer_that_embedded_before_the_swap_embeds_anew(moves: Moves) -> None:
    world = moves.world
    bank = world.quick_bank(*TURNS[:3])
    stale = world.run(world.service.banks.get(bank))
    moves.ask(bank)
    moves.work(bank)
    receipt = world.run(world.service.retainer.retain(stale, [memory("late", "a late word")]))
    assert receipt.accepted == 1
    assert moves.models(bank) == {OTHER}
    rows = world.rows(bank, "select count(*) from memories where bank_id = %(bank)s")
    assert rows == [(4,)]


def test_a_question_that_was_read_before_the_swap_is_asked_anew(moves: Moves) -> None:
    world = moves.world
    bank = world.quick_bank(*TURNS[:9])
    stale = world.run(world.service.banks.get(bank))
    moves.ask(bank)
    moves.work(bank)
    fresh = world.ask(bank, QUESTION)
    late = world.run(world.service.recaller.recall(stale, RecallRequest(QUESTION, NOW, "UTC")))
    assert late.degraded == ()
    assert semantic(late) == semantic(fresh)


def test_a_request_is_taken_back_by_asking_for_the_model_in_use(moves: Moves) -> None:
    bank = moves.world.quick_bank(*TURNS[:9])
    moves.ask(bank)
    step(moves, bank)
    job = moves.job(bank)
    assert job is not None
    assert not moves.ask(bank, HASHES)
    assert moves.progress(bank) is None
    service = moves.world.service

    async def late() -> bool:
        held = await service.banks.get(bank)
        await embed_some(service.transaction, service.embedders, held, job)
        return await swap(service.transaction, service.embedders, held, job)

    assert moves.world.run(late()) is False
    assert moves.models(bank) == {HASHES}
    kept = "select count(*) from renewed_vectors where bank_id = %(bank)s"
    assert moves.world.rows(bank, kept) == [(0,)]


def test_asking_again_for_the_same_model_starts_nothing_anew(moves: Moves) -> None:
    bank = moves.world.quick_bank(*TURNS[:9])
    moves.ask(bank)
    step(moves, bank)
    assert moves.ask(bank)
    found = moves.progress(bank)
    assert found is not None
    assert found["done"] == 9


def test_a_running_worker_takes_up_what_is_asked_and_tells_its_trouble(moves: Moves) -> None:
    world = moves.world
    bank, stuck = world.quick_bank(*TURNS[:9]), world.quick_bank(*TURNS[:2])
    running = moves.worker(poll_s=0.05)
    moves.ask(stuck)

    async def work() -> None:
        async with world.service.transaction("all") as conn:
            await conn.execute("insert into embedders values (99, './no-such-model', 5)")
        async with world.service.transaction("all") as conn:
            await conn.execute(
                "update reembeddings r set embedder = 99 from banks b"
                " where b.bank_id = r.bank_id and b.name = %s",
                [stuck],
            )
        await world.service.change_model(await world.service.banks.get(bank), OTHER)
        running.start()
        try:
            async with asyncio.timeout(60):
                while (await world.service.banks.get(bank)).embedder_name != OTHER:
                    world.service.banks.forget(bank)
                    await asyncio.sleep(0.05)
        finally:
            await running.stop()

    world.run(work())
    found = moves.progress(stuck)
    assert found is not None
    assert "no-such-model" in (found["problem"] or "")
    assert moves.models(stuck) == {HASHES}


def test_links_go_on_where_a_killed_process_left_off(
    moves: Moves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "LINKS", 50)
    bank = moves.world.quick_bank(*TURNS)
    moves.ask(bank)
    calls = []
    real = worker.link_some

    async def killed(*args: Any) -> int | None:
        calls.append(args[2])
        if len(calls) == 2:
            raise OSError("killed")
        return await real(*args)

    monkeypatch.setattr(worker, "link_some", killed)
    with pytest.raises(OSError, match="killed"):
        moves.work(bank)
    found = moves.progress(bank)
    assert found is not None
    assert (found["phase"], found["done"], found["of"]) == ("linking", 50, 150)
    moves.world.rows(
        bank, "update reembeddings set busy_until = null where bank_id = %(bank)s returning 1"
    )
    moves.work(bank)
    assert calls[2] == calls[1]
    assert moves.progress(bank) is None
    assert shown(moves.world.ask(bank, QUESTION))
