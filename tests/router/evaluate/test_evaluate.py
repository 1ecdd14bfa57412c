import asyncio
import json

import pytest

from channels.embedder import PACKAGED
from channels.errors import BadInput
from router.evaluate.asking import SYSTEMS
from router.evaluate.dataset import read_dataset
from router.evaluate.evaluate import Options, evaluate
from router.presets import preset
from router.settings import Settings
from router.wiring import open_service

TEXTS = (
    "Ana: We moved the staging cluster to eu-west",
    "Bo: Login fails with E_AUTH_404, this is so frustrating!",
    "Ana: The login was fixed on 5 June",
    "Bo: My sister plays the violin in Leeds",
)
QUESTIONS = (
    ("where is the staging cluster?", 0),
    ("E_AUTH_404", 1),
    ("what happened on June 5?", 2),
    ("which instrument does the sister play?", 3),
)


def write(folder, *, poison=None, banks=2):
    """The same texts in each bank; `poison` fills every field that must not be read."""
    folder.mkdir()
    hidden = {"meta": {"answer": poison, "tags": [poison]}, "topic": poison} if poison else {}
    memories = [
        {
            "id": f"m{i}",
            "bank": f"b{bank}",
            "text": text,
            "speaker": text.split(":")[0],
            "session": "s1",
            "occurred_at": f"2024-06-0{i + 3}T09:00:00",
            **hidden,
        }
        for bank in range(banks)
        for i, text in enumerate(TEXTS)
    ]
    queries = [
        {
            "id": f"b{bank}q{i}",
            "bank": f"b{bank}",
            "text": text,
            "type": poison or "kind",
            "relevant": ["m0" if poison else f"m{target}"],
            "meta": {"answer": poison, "bank_end": "2024-06-10T00:00:00"},
        }
        for bank in range(banks)
        for i, (text, target) in enumerate(QUESTIONS)
    ]
    for name, rows in (("memories", memories), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


def run_all(database, jobs):
    """Reports of (folder, options) in one service, and the banks left at the end."""

    async def act():
        async with open_service(Settings(database_url=database)) as service:
            reports = []
            for folder, options in jobs:
                found = await evaluate(service, read_dataset(folder), options, lambda *_: None)
                reports.append(found)
            return reports, [bank.name for bank in await service.banks.list()]

    return asyncio.run(act())


def rankings(path):
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(line["query"], line["types"], line["runs"]) for line in lines]


def test_a_small_set_end_to_end(database, tmp_path):
    clean, poisoned = write(tmp_path / "clean"), write(tmp_path / "poisoned", poison="violin E_404")
    jobs = [
        (clean, Options(dump=tmp_path / "clean.jsonl", cache=tmp_path / "cache")),
        (poisoned, Options(dump=tmp_path / "poisoned.jsonl", cache=tmp_path / "cache")),
        (clean, Options("uniform", preset("uniform", PACKAGED))),
    ]
    (plain, _, uniform), banks = run_all(database, jobs)

    assert (plain["dataset"], plain["queries"]) == ("clean", 8)
    assert set(plain["systems"]) == set(SYSTEMS)
    assert plain["systems"]["fivefold"]["all"]["recall@10"] == 1
    assert plain["systems"]["keyword"]["kind"]["n"] == 8
    assert plain["settings"]["degraded"] == {}
    assert plain["latency_ms"]["p95"] >= plain["latency_ms"]["p50"] > 0
    # Labels and other fields reach neither memory nor recall.
    assert rankings(tmp_path / "clean.jsonl") == rankings(tmp_path / "poisoned.jsonl")
    # Rows given by hand are what `fivefold` is then weighed with.
    assert uniform["systems"]["fivefold"] == uniform["systems"]["uniform"]
    assert uniform["settings"]["rows"] == "uniform"
    assert banks == []


def test_scratch_banks_are_deleted_when_the_store_refuses_a_memory(database, tmp_path):
    folder = write(tmp_path / "set", banks=1)
    with (folder / "memories.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "m" * 201, "bank": "b0", "text": "too long a name"}) + "\n")

    async def act():
        async with open_service(Settings(database_url=database)) as service:
            with pytest.raises(BadInput, match="id"):
                await evaluate(service, read_dataset(folder), Options(), lambda *_: None)
            return await service.banks.list()

    assert asyncio.run(act()) == []


def test_presets_of_systems_with_a_recency_lane_ask_it_every_question(database, tmp_path):
    folder, dumps = write(tmp_path / "set"), [tmp_path / "gray.jsonl", tmp_path / "plain.jsonl"]
    jobs = [
        (folder, Options("graymatter", preset("graymatter", PACKAGED), dump=dumps[0])),
        (folder, Options("uniform", preset("uniform", PACKAGED), dump=dumps[1])),
    ]
    run_all(database, jobs)
    gray, plain = ([runs["temporal"] for _, _, runs in rankings(dump)] for dump in dumps)
    assert all(gray)
    assert not all(plain)  # "E_AUTH_404" says nothing of time
