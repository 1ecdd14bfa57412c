"""The example plug-in: found by its entry points, conforming, heard, and silent in shadow."""

import asyncio
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, entry_points
from pathlib import Path

import pytest

from channels.errors import ConfigError
from router.answer import RecallRequest
from router.conformance import CHECKS, Bed, NotConforming, open_bed
from router.learned import Learned
from router.learning import worker_of
from router.plugins import GROUP, discover
from router.settings import Settings
from router.wiring import open_service
from tests.conftest import fresh_database

FOLDER = Path(__file__).parents[2] / "examples" / "fivefold-lanes"
META = """Metadata-Version: 2.1
Name: fivefold-lanes
Version: 0.1.0
"""
VOCABULARY = "rhea harbour lease angry anger furious clause may rent office why was so the about"


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A tiny masked language model that knows nothing, as a folder."""
    transformers = pytest.importorskip("transformers")
    import torch

    torch.manual_seed(7)
    folder = tmp_path_factory.mktemp("splade")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *VOCABULARY.split()]
    (folder / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizerFast(vocab={word: n for n, word in enumerate(words)})
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    tokenizer.save_pretrained(folder)
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory, model) -> Iterator[None]:
    """The example as if it were installed: on the path, with its entry points."""
    site = tmp_path_factory.mktemp("site")
    info = site / "fivefold_lanes-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(META)
    told = (FOLDER / "pyproject.toml").read_text().split(f'"{GROUP}"]\n')[1].split("\n\n")[0]
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{told.replace(chr(34), '')}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        patch.syspath_prepend(str(FOLDER))
        patch.setenv("FIVEFOLD_SPARSE_MODEL", str(model))
        yield


@pytest.fixture(scope="module")
def dsn(server, template) -> Iterator[str]:
    with fresh_database(server, template) as made:
        yield made


def settings(dsn: str, **changes) -> Settings:
    return Settings(database_url=dsn, embedder="none", channel_timeout_ms=20_000, **changes)


@pytest.fixture(scope="module")
def bed(dsn) -> Iterator[Bed]:
    with open_bed(settings(dsn, plugins="none")) as opened:
        yield opened


def factory(name: str):
    [point] = [one for one in entry_points(group=GROUP) if one.name == name]
    return point.load()


@pytest.mark.parametrize("name", ["curated", "sparse"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_lane_of_the_example_conforms(bed, check, name):
    check(bed, factory(name))


class Careless:
    """Reads what it should not, in no order."""

    name = "careless"

    def __init__(self, transaction, *, timeout_ms):
        self._transaction = transaction

    async def search(self, question, depth):
        from channels.base import Hit

        async with self._transaction(question.bank) as conn:
            rows = await conn.execute("select key from memories order by key")
            return [Hit(key, float(key)) for (key,) in await rows.fetchall()]


@pytest.mark.parametrize(
    "check",
    [one for one in CHECKS if one.__name__ in (
        "finds_and_orders", "hides_what_was_replaced", "passes_filters", "cuts_at_depth")],
    ids=lambda check: check.__name__,
)  # fmt: skip
def test_a_careless_lane_does_not_conform(bed, check):
    with pytest.raises(NotConforming):
        check(bed, Careless)


async def _asked(settings: Settings, question: str):
    async with open_service(settings) as service:
        bank = await service.ensure_bank("lanes")
        item = {"id": "a", "title": "Harbour lease", "text": "Rhea pays rent"}
        await service.retain(bank, [item, {"id": "b", "text": "the lease of Rhea"}])
        request = RecallRequest(question, datetime.now(UTC), "UTC", explore=False)
        return await service.recaller.recall(await service.banks.get("lanes"), request)


def test_lanes_of_a_distribution_are_asked_and_vote_with_their_prior(dsn):
    answer = asyncio.run(_asked(settings(dsn), "harbour lease"))
    assert list(answer.found.outcomes)[-2:] == ["curated", "sparse"]
    weights = answer.row.weights  # blended of the rows of all types, and scaled to a largest of 1
    assert weights["curated"] == pytest.approx(0.5, abs=0.1)
    assert weights["sparse"] / weights["curated"] == pytest.approx(0.35 / 0.5)
    first = answer.fused[0]
    assert {"keyword", "curated"} <= set(first.votes)
    assert answer.found.failed == {}


def test_a_lane_in_shadow_is_asked_and_traced_and_has_no_vote(dsn):
    answer = asyncio.run(_asked(settings(dsn, shadow="curated"), "harbour lease"))
    assert answer.found.outcomes["curated"].hits
    assert "curated" not in answer.row.weights
    assert all("curated" not in item.votes for item in answer.fused)
    assert "sparse" in answer.row.weights


def test_a_lane_that_is_not_let_in_is_not_asked(dsn):
    answer = asyncio.run(_asked(settings(dsn, plugins="curated"), "harbour lease"))
    assert "curated" in answer.found.outcomes
    assert "sparse" not in answer.found.outcomes


def test_a_model_that_is_not_there_keeps_the_process_from_starting(monkeypatch, dsn, tmp_path):
    monkeypatch.setenv("FIVEFOLD_SPARSE_MODEL", str(tmp_path))
    with pytest.raises(ConfigError, match="sparse of fivefold-lanes"):
        asyncio.run(_asked(settings(dsn), "harbour lease"))


def test_a_model_saved_without_its_head_is_refused_and_not_made_up(
    monkeypatch, dsn, tmp_path, model
):
    transformers = pytest.importorskip("transformers")
    headless = transformers.BertModel.from_pretrained(model)
    headless.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(model).save_pretrained(tmp_path)
    monkeypatch.setenv("FIVEFOLD_SPARSE_MODEL", str(tmp_path))
    with pytest.raises(ConfigError, match="saved without its head") as refused:
        asyncio.run(_asked(settings(dsn), "harbour lease"))
    assert "FIVEFOLD_SPARSE_MODEL" in str(refused.value)


def test_a_lane_whose_variable_is_not_set_says_which_and_how_to_go_on(monkeypatch, dsn):
    monkeypatch.delenv("FIVEFOLD_SPARSE_MODEL")
    with pytest.raises(ConfigError) as refused:
        asyncio.run(_asked(settings(dsn), "harbour lease"))
    told = str(refused.value)
    assert "sparse of fivefold-lanes: cannot be made: FIVEFOLD_SPARSE_MODEL: is not set" in told
    assert "FIVEFOLD_PLUGINS=curated" in told


def test_setting_that_names_an_unknown_lane_is_refused(dsn):
    with pytest.raises(ConfigError, match="installed are: curated, sparse"):
        discover(settings(dsn, shadow="dreams"))


def test_the_examples_names_are_those_of_its_project_file():
    found = {one.name for one in entry_points(group=GROUP)}
    assert found == {"curated", "sparse"}
    assert Distribution.from_name("fivefold-lanes").version == "0.1.0"
    assert str(FOLDER) in sys.path


SUBJECTS = [f"{one} {other}" for one in ("cedar", "harbour", "lantern") for other in
            ("lease", "permit", "survey", "budget", "audit", "ledger", "roster")]  # fmt: skip


def test_a_plugged_in_lane_is_learnt_like_any_other_from_its_prior_weight(dsn):
    before, after, prior, evidence = asyncio.run(_taught(settings(dsn, plugins="curated")))
    assert before["curated"] == pytest.approx(0.5)
    assert prior["factual"]["weights"]["curated"] == pytest.approx(0.5)
    assert all("curated" in one["weights"] for one in evidence["factual"]["candidates"])
    assert after["curated"] / after["keyword"] > 1.2 * before["curated"] / before["keyword"]


async def _taught(settings: Settings):
    """The factual row before and after what the curated lane alone has first is cited."""
    async with open_service(settings) as service:
        await service.ensure_bank("taught")
        bank = await service.banks.get("taught")
        await service.retain(bank, [one for at in range(len(SUBJECTS)) for one in _subject(at)])
        learned = Learned(service.transaction, service.live, fleet=False)
        before = service.live.default(bank).rows["factual"].weights
        for number, subject in enumerate(SUBJECTS * 4):
            await _ask_and_cite(service, bank, subject, number)
        worker = worker_of(service.transaction, settings, grace_s=0.0)
        while await worker.turn():
            pass
        known = await learned.known(bank)
        service.live.forget(bank.key)
        matrix = await service.live.matrix(bank)
        assert matrix.version > 0, known.last
        return before, matrix.rows["factual"].weights, known.prior, known.evidence


def _subject(at: int) -> list[dict[str, str]]:
    """One memory that bears the subject's words as tags, and four that say them."""
    words = SUBJECTS[at]
    said = [f"{words} came up again, the {words} note {number}" for number in range(4)]
    tagged = {"id": f"t{at}", "text": "filed for later", "tags": words.split()}
    return [tagged, *({"id": f"s{at}-{n}", "text": text} for n, text in enumerate(said))]


async def _ask_and_cite(service, bank, subject: str, number: int) -> None:
    request = RecallRequest(
        f"what about the {subject}?", datetime.now(UTC), "UTC", explore=False, user=f"u{number % 5}"
    )
    answer = await service.recaller.recall(bank, request)
    await service.recorder.flush()
    best = answer.found.runs["curated"][0].key
    told = {"recall_id": answer.recall_id, "timestamp": datetime.now(UTC).isoformat()}
    events = [
        {"event_id": f"c{number}", "action_name": "memory_cited", **told}
        | {"memory_id": answer.facts[best].id},
        {"event_id": f"z{number}", "action_name": "recall_closed", **told},
    ]
    receipt = await service.feedback.ingest(bank.key, events, api_key=None, trusted=False)
    assert receipt.rejected == ()
