"""Banks on ONNX Runtime from end to end: the same answers, or a clear refusal."""

import asyncio
import sys

import pytest
from pydantic import SecretStr

from channels.errors import ConfigError
from router.answer import RecallRequest
from router.doctor import examine
from router.settings import Settings
from router.store.banks import BankConfig
from router.store.embedded import EmbeddedPostgres
from router.wiring import open_service
from tests.router.world import NOW, memory

pytestmark = pytest.mark.timeout(400)  # the first test exports the model
TURNS = [
    memory("m1", "Ana moved the staging cluster to Frankfurt", "2025-06-02T10:00:00Z"),
    memory("m2", "the deploy script broke again", "2025-06-03T10:00:00Z"),
    memory("m3", "lunch is at noon in the garden", "2025-06-04T10:00:00Z"),
    memory("m4", "we painted the hall in light blue", "2025-06-05T10:00:00Z"),
]
QUESTION = "which town are the machines for trials in?"


@pytest.fixture
def given(database, exports):
    """Settings over one database, by runtime."""

    def of(runtime):
        return Settings(
            database_url=SecretStr(database),
            data_dir=exports.parent,
            embedder_runtime=runtime,
            channel_timeout_ms=10_000,
            pool_size=8,
        )

    return of


def asked(settings, bank, *items, embedder=None):
    """The bank's model, whether its memories have tokens, and the page, as (id, score) pairs."""

    async def whole():
        async with open_service(settings) as service:
            found = await service.ensure_bank(bank, BankConfig(embedder=embedder))
            if items:
                receipt = await service.retain(found, items)
                assert receipt.accepted == len(items)
            await service.embedders.warm(found)
            answer = await service.recaller.recall(
                found, RecallRequest(QUESTION, asked_at=NOW, timezone="UTC")
            )
            async with service.transaction(found.key) as conn:
                row = await (await conn.execute("select count(*) from memory_tokens")).fetchone()
            page = [(answer.facts[one.key].id, one.score) for one in answer.page]
            semantic = answer.found.outcomes["semantic"].hits
            assert answer.facts[semantic[0].key].id == "m1"
            return found.embedder_name, row[0], page

    return asyncio.run(whole())


def model_finding(settings, bank):
    found = asyncio.run(examine(settings, settings.dsn, bank=bank))
    return next(one for one in found if one.check == "model")


def test_bank_written_on_torch_answers_the_same_on_onnx(given):
    name, tokens, page = asked(given("torch"), "b", *TURNS)
    other_name, _, other_page = asked(given("onnx"), "b")
    assert name == other_name == "all-MiniLM-L6-v2"
    assert tokens == len(TURNS)
    assert [one for one, _ in page] == [one for one, _ in other_page]
    assert [score for _, score in page] == pytest.approx([score for _, score in other_page])


def test_bank_written_on_onnx_answers_the_same_on_torch(given):
    _, tokens, page = asked(given("onnx"), "b", *TURNS)
    assert tokens == len(TURNS)
    assert [one for one, _ in page] == [one for one, _ in asked(given("torch"), "b")[2]]
    assert "ONNX Runtime" in model_finding(given("onnx"), "b").detail
    assert "on torch" in model_finding(given("torch"), "b").detail


def test_new_bank_on_eight_bits_has_a_model_of_its_own_and_keeps_it(given):
    asked(given("torch"), "old", *TURNS)
    name, tokens, page = asked(given("onnx-int8"), "new", *TURNS)
    assert name == "all-MiniLM-L6-v2+int8"
    assert tokens == len(TURNS)
    assert page[0][0] == "m1"
    assert asked(given("torch"), "new")[0] == name  # the process's setting does not change a bank
    assert asked(given("onnx-int8"), "old")[0] == "all-MiniLM-L6-v2"
    assert "int8" in model_finding(given("torch"), "new").detail
    assert "fp32" in model_finding(given("onnx-int8"), "old").detail


def test_service_does_not_start_without_the_extra(given, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigError, match=r'pip install "fivefold\[onnx\]"'):
        asked(given("onnx"), "b")


def test_doctor_finds_that_the_extra_is_missing(given, monkeypatch):
    asked(given("torch"), "b", *TURNS)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    found = model_finding(given("onnx"), "b")
    assert found.status == "fail"
    assert "fivefold[onnx]" in found.detail


def test_models_exported_before_there_is_a_cluster_do_not_bar_it(temp_dir):
    (temp_dir / "onnx" / "key").mkdir(parents=True)
    with EmbeddedPostgres(temp_dir) as server:
        assert server.start()
    assert (temp_dir / "pg").is_dir()
