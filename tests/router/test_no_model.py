"""A bank without an embedding model: complete without it, and nothing loads one."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from router.api.encode import answer_json
from router.doctor import examine
from router.evaluate.evaluate import Options
from router.presets import SINGLE_ROWS, default_rows
from router.reembed.job import jobs
from router.settings import Settings
from router.transfer.export import export_bank
from router.transfer.importing import import_bank
from tests.router.evaluate.test_evaluate import run_all, write
from tests.router.stories import STANDUP, STANDUP_QUESTION, edges
from tests.router.world import World, heard, memory, shown

ALONE = """
import asyncio, sys
from pydantic import SecretStr
from router.api.app import create_app
from router.answer import RecallRequest
from router.settings import Settings
from router.store.banks import BankConfig
from datetime import UTC, datetime

async def main(dsn):
    settings = Settings(database_url=SecretStr(dsn), pool_size=6, channel_timeout_ms=10_000)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        service = app.state.service
        bank = await service.ensure_bank("wordless", BankConfig(embedder="none"))
        await service.retain(bank, [{"text": "Ben fixed E_AUTH_404", "id": "a"}])
        bank = await service.banks.get("wordless")
        request = RecallRequest("who fixed E_AUTH_404?", datetime.now(UTC), "UTC")
        answer = await service.recaller.recall(bank, request)
        await app.state.warm
        print([answer.facts[item.key].id for item in answer.page], answer.degraded)
    heavy = ("torch", "sentence_transformers", "onnxruntime")
    print([name for name in heavy if name in sys.modules])

asyncio.run(main(sys.argv[1]))
"""


async def settled(task: "asyncio.Task[None]") -> None:
    await task


@pytest.fixture(scope="module")
def bank(world: World) -> str:
    return world.bank(*STANDUP, embedder="none")


def test_semantic_lane_is_silent_by_design_and_the_others_answer(world: World, bank: str) -> None:
    answer = world.ask(bank, STANDUP_QUESTION)
    assert answer.degraded == ()
    assert heard(answer, "semantic") == []
    for lane in ("keyword", "temporal", "emotional", "graph"):
        assert "m1" in heard(answer, lane), lane
    assert shown(answer)[0] == "m1"


def test_type_is_read_from_the_words_and_the_trace_says_so(world: World, bank: str) -> None:
    told = answer_json(world.ask(bank, STANDUP_QUESTION), {}, explain=True)
    assert told["trace"]["question"]["types"]["read_from"] == "words"
    assert told["trace"]["channels"]["semantic"]["outcome"] == "silent"
    assert sum(told["types"].values()) == pytest.approx(1)


def test_default_rows_are_those_chosen_without_token_vectors(world: World, bank: str) -> None:
    held = world.run(world.service.banks.get(bank))
    assert (held.embedder_name, held.dim) == ("none", 0)
    assert world.service.live.default(held).rows == default_rows(SINGLE_ROWS)


def test_nothing_of_a_vector_is_stored_and_no_likeness_links(world: World) -> None:
    items = [memory(f"m{n}", f"the same words number {n}", episode="e") for n in range(12)]
    bank = world.bank(*items, embedder="none")
    query = "select count(embedding) from memories where bank_id = %(bank)s"
    assert world.rows(bank, query) == [(0,)]
    assert world.rows(bank, "select 1 from memory_tokens where bank_id = %(bank)s") == []
    assert edges(world, bank, "SIMILAR_TO") == set()
    assert ("m0", "m1") in edges(world, bank, "NEXT")


def test_bank_moves_to_a_model_and_back_to_none(world: World) -> None:
    bank = world.bank(*STANDUP, embedder="none", summaries=["week"])

    async def move(name: str) -> str:
        service = world.service
        await service.summariser.refresh(await service.banks.get(bank))
        await service.change_model(await service.banks.get(bank), name)
        for job in await jobs(service.transaction):
            await service.reembedder.work(job)
        service.banks.forget(bank)
        return (await service.banks.get(bank)).embedder_name

    assert world.run(move("word-hashes")) == "word-hashes"
    assert "m1" in heard(world.ask(bank, STANDUP_QUESTION), "semantic")
    assert not [one for pair in edges(world, bank, "SIMILAR_TO") for one in pair if ":" in one]
    assert world.run(move("none")) == "none"
    answer = world.ask(bank, STANDUP_QUESTION)
    assert (heard(answer, "semantic"), answer.degraded) == ([], ())
    query = "select count(embedding) from memories where bank_id = %(bank)s"
    assert world.rows(bank, query) == [(0,)]


def test_doctor_finds_nothing_amiss_and_says_why(world: World, bank: str) -> None:
    settings = Settings(database_url=SecretStr(world.dsn), pool_size=4)
    found = {
        one.check: one for one in asyncio.run(examine(settings, world.dsn, bank=bank, bound=2))
    }
    assert {check for check, one in found.items() if one.bank and one.status != "ok"} == set()
    assert "none, by its configuration" in found["model"].detail
    assert found["vectors"].detail == found["token_vectors"].detail == "the bank keeps no vectors"


def test_large_bank_builds_no_vector_index(world: World, bank: str) -> None:
    held = world.run(world.service.banks.get(bank))

    async def consider() -> int:
        world.service.indexes.consider(held, 1_000_000)
        return len(world.service.indexes._building)

    assert world.run(consider()) == 0


def test_export_and_import_carry_it_and_change_between_having_a_model_and_not(
    world: World, bank: str, tmp_path: Path
) -> None:
    held = world.run(world.service.banks.get(bank))
    manifest = world.run(export_bank(world.service.pool, held, tmp_path / "out"))
    assert (manifest.embedder.name, manifest.embedder.dim) == ("none", 0)

    def carried(name: str, embedder: str | None) -> Any:
        work = import_bank(world.service, tmp_path / "out", name=name, embedder=embedder)
        done = world.run(work)
        assert (done.stored, done.different) == (len(STANDUP), 0)
        return world.run(world.service.banks.get(name))

    assert carried(f"{bank}-copy", None).embedder_name == "none"
    assert shown(world.ask(f"{bank}-copy", STANDUP_QUESTION))[0] == "m1"
    assert carried(f"{bank}-hashed", "word-hashes").dim == 384
    assert "m1" in heard(world.ask(f"{bank}-hashed", STANDUP_QUESTION), "semantic")


def test_summaries_are_left_out_of_an_export_and_made_anew_where_it_is_read(
    world: World, tmp_path: Path
) -> None:
    bank = world.bank(*STANDUP, embedder="none", summaries=["week"])

    async def refresh(name: str) -> Any:
        return await world.service.summariser.refresh(await world.service.banks.get(name))

    assert world.run(refresh(bank)).written == 2
    held = world.run(world.service.banks.get(bank))
    manifest = world.run(export_bank(world.service.pool, held, tmp_path / "out"))
    assert manifest.counts["memories"] == len(STANDUP)
    work = import_bank(world.service, tmp_path / "out", name=f"{bank}-copy")
    assert world.run(work).different == 0
    assert world.run(refresh(f"{bank}-copy")).written == 2
    query = "select id, text from memories where bank_id = %(bank)s order by id"
    assert world.rows(bank, query) == world.rows(f"{bank}-copy", query)
    again = world.run(import_bank(world.service, tmp_path / "out", name=f"{bank}-copy"))
    assert (again.stored, again.different) == (0, 0)


def test_process_whose_banks_all_do_without_loads_no_model(database: str) -> None:
    first = {"FIVEFOLD_EMBEDDER": "none"}
    for environment in (first, {}):  # the second time the default model would load, were it asked
        done = subprocess.run(
            [sys.executable, "-c", ALONE, database], capture_output=True, text=True, timeout=100,
            env={"PATH": "", "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        )  # fmt: skip
        assert done.stdout.splitlines() == ["['a'] ()", "[]"], done.stderr


def test_evaluation_runs_without_a_model(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEFOLD_EMBEDDER", "none")
    (report,), _ = run_all(database, [(write(tmp_path / "set"), Options(cache=tmp_path / "c"))])
    assert report["settings"]["embedder"] == "none"
    assert report["settings"]["degraded"] == {}
    assert report["systems"]["semantic"]["all"]["recall@10"] == 0
    assert report["systems"]["keyword"]["all"]["recall@10"] > 0.7


def test_bank_without_a_model_is_shown_as_one_over_http(database: str) -> None:
    from tests.router.api.conftest import running, settings_for

    with running(settings_for(database, embedder="none", embedder_runtime="torch")) as api:
        assert api.put("/v1/banks/b").json()["embedder"] == {"name": "none", "dim": 0}
        api.post("/v1/banks/b/memories", {"items": [{"text": "Ben fixed E_AUTH_404"}]})
        answer = api.post("/v1/banks/b/recall", {"question": "E_AUTH_404"}).json()
        assert (len(answer["results"]), answer["degraded"]) == (1, [])
        api.run(settled(api.app.state.warm))
        assert api.get("/health/ready").status_code == 200
        assert api.get("/version").json()["embedder"] == "none"
