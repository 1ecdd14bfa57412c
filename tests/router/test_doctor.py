"""The doctor finds what was broken on purpose, and maintenance mends it."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from pydantic import SecretStr

from channels.base import Embedded
from channels.errors import ConfigError, NotFound
from router.doctor import examine, place
from router.embedders import Embedders
from router.finding import Finding
from router.maintain import Deed, maintain
from router.settings import Settings
from tests.conftest import fresh_database
from tests.router.api.conftest import HASHES, WordHashes
from tests.router.world import World, memory, opened

TURNS = [
    memory("m1", "Ana moved the staging cluster", speaker="Ana", entities=[{"text": "Ana"}]),
    memory("m2", "Ana broke the deploy script", speaker="Ana", entities=[{"text": "Ana"}]),
    memory("m3", "lunch is at noon", speaker="Ben"),
]
SERVER = {
    "database", "versions", "pool", "migrations", "row_security", "row_security_enforced",
    "vectors_inline", "orphaned_indexes",
}  # fmt: skip
BANK = {
    "model", "term_stats", "bank_stats", "live_rows", "entities", "words", "postings", "vectors",
    "one_model", "token_vectors", "long_texts", "vector_index", "parked_events", "records",
}  # fmt: skip


@pytest.fixture(scope="module")
def own(server: str, template: str) -> Iterator[World]:
    """A service whose database only these tests break."""
    with fresh_database(server, template) as dsn, opened(dsn) as running:
        yield running


@pytest.fixture
def bank(own: World) -> str:
    return own.quick_bank(*TURNS)


def look(dsn: str, bank: str | None = None, **options: Any) -> dict[str, Finding]:
    """The findings by check."""
    models = Embedders(HASHES, batch=8)
    models.add(WordHashes())  # type: ignore[arg-type]
    settings = Settings(database_url=SecretStr(dsn), pool_size=4)
    found = asyncio.run(examine(settings, dsn, bank=bank, **{"embedders": models, **options}))
    assert all((one.hint is None) == (one.status == "ok") for one in found)
    return {one.check: one for one in found}


def wrong(found: dict[str, Finding]) -> dict[str, str]:
    return {check: one.status for check, one in found.items() if one.status != "ok"}


def mend(world: World, bank: str, **options: Any) -> list[Deed]:
    deeds = asyncio.run(maintain(world.dsn, bank=bank, **options))
    assert deeds[-1].action == "tables_vacuumed"
    return deeds[:-1]


def owner(dsn: str, *statements: str) -> list[Any]:
    """Rows of the last statement, run by the tables' owner."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("select set_config('fivefold.bank', 'all', false)")
        for text in statements:
            cursor = conn.execute(text.encode())
        return cursor.fetchall() if cursor.description else []


def number(world: World, bank: str) -> tuple[int, int]:
    """Key and embedder of the bank."""
    found = world.run(world.service.banks.get(bank))
    return found.key, found.embedder


def test_sound_bank_has_nothing_to_hint_at(own: World, bank: str) -> None:
    found = look(own.dsn, bank)
    assert set(found) == SERVER | BANK
    assert wrong(found) == {}
    assert mend(own, bank) == []


def test_bank_is_told_which_default_rows_suit_its_model(own: World, bank: str) -> None:
    assert look(own.dsn, bank)["model"].detail.endswith("default rows for one vector a text")


def test_database_is_named_without_its_secrets(own: World) -> None:
    dsn = "postgresql://ana:hunter2@db.example:5433/memories?sslpassword=hunter3"
    assert place(Settings(database_url=SecretStr(dsn))) == (
        "external, host db.example, port 5433, dbname memories"
    )
    assert place(Settings(data_dir=Path("/some/where"))) == "embedded, in /some/where"


@pytest.mark.parametrize(
    ("break_it", "check"),
    [
        ("update term_stats set df = df + 1 where term = (select min(term) from term_stats "
         "where bank_id = {bank}) and bank_id = {bank}", "term_stats"),
        ("update term_stats set own_df = 0 where bank_id = {bank}", "term_stats"),
        ("delete from term_stats where bank_id = {bank}", "term_stats"),
        ("insert into term_stats values ({bank}, 42, 7, 7, 'x')", "term_stats"),
        ("update bank_stats set docs = 30 where bank_id = {bank}", "bank_stats"),
        ("update bank_stats set length = length * 1.01 where bank_id = {bank}", "bank_stats"),
        ("update bank_stats set live = 2 where bank_id = {bank}", "live_rows"),
        ("update entities set df = 9 where bank_id = {bank}", "entities"),
    ],
)  # fmt: skip
def test_falsified_statistic_is_found_and_mended(
    own: World, bank: str, break_it: str, check: str
) -> None:
    key, _ = number(own, bank)
    state = "select * from {} where bank_id = {} order by 1, 2"
    tables = ("term_stats", "bank_stats", "entities")
    before = [owner(own.dsn, state.format(table, key)) for table in tables]
    owner(own.dsn, break_it.format(bank=key))
    assert wrong(look(own.dsn, bank)) == {check: "fail"}
    deeds = ["statistics_mended"]
    if break_it.startswith("delete"):  # a recount gives hashes, the texts give the words
        deeds.append("names_and_words_added")
    assert [(deed.action, deed.bank) for deed in mend(own, bank)] == [(one, bank) for one in deeds]
    assert wrong(look(own.dsn, bank)) == {}
    assert [owner(own.dsn, state.format(table, key)) for table in tables] == before
    assert mend(own, bank) == []


def test_lost_counters_are_counted_anew(own: World, bank: str) -> None:
    key, _ = number(own, bank)
    owner(own.dsn, f"delete from bank_stats where bank_id = {key}")
    assert wrong(look(own.dsn, bank)) == {"bank_stats": "fail", "live_rows": "fail"}
    mend(own, bank)
    assert wrong(look(own.dsn, bank)) == {}


def test_other_banks_statistics_stay_as_they_are(own: World, bank: str) -> None:
    other = own.quick_bank(*TURNS)
    owner(own.dsn, f"update entities set df = 9 where bank_id = {number(own, other)[0]}")
    assert wrong(look(own.dsn, bank)) == {}
    assert mend(own, bank) == []
    assert wrong(look(own.dsn, other)) == {"entities": "fail"}


def test_memories_that_lack_something_are_counted(own: World, bank: str) -> None:
    key, _ = number(own, bank)
    owner(
        own.dsn,
        f"update memories set embedding = null where bank_id = {key} and id = 'm1'",
        f"delete from postings where bank_id = {key} and key in "
        f"(select key from memories where bank_id = {key} and id = 'm2')",
    )
    found = look(own.dsn, bank)
    assert found["vectors"].status == found["postings"].status == "warn"
    assert found["vectors"].detail.startswith("1 of 3")
    assert found["postings"].detail.startswith("1 of 3")
    assert found["term_stats"].status == "fail"


def test_text_without_words_lacks_nothing(own: World) -> None:
    assert wrong(look(own.dsn, own.quick_bank(memory("m", "!?")))) == {}


def test_memory_of_another_model_is_found(own: World, bank: str) -> None:
    key, _ = number(own, bank)
    owner(own.dsn, f"update memories set embedder = 99 where bank_id = {key} and id = 'm1'")
    assert wrong(look(own.dsn, bank)) == {"one_model": "fail"}


def test_missing_token_vectors_are_found_where_the_model_gives_some(own: World) -> None:
    name = own.bank(*TURNS)
    found = look(own.dsn, name, embedders=own.service.embedders)
    assert wrong(found) == {}
    owner(own.dsn, f"delete from memory_tokens where bank_id = {number(own, name)[0]}")
    found = look(own.dsn, name, embedders=own.service.embedders)
    assert wrong(found) == {"token_vectors": "warn"}
    assert found["token_vectors"].detail.startswith("3 of 3")


class Gone(WordHashes):
    """A model whose files were removed."""

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        raise ConfigError("FIVEFOLD_EMBEDDER", "the model cannot be loaded")


class Shrunk(WordHashes):
    """A model of the same name whose vectors have another size."""

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        return [Embedded(np.ones(2, np.float32))]


@pytest.mark.parametrize(("model", "word"), [(Gone, "loaded"), (Shrunk, "2 dimensions")])
def test_model_that_does_not_load_or_has_changed_is_found(
    own: World, bank: str, model: type[WordHashes], word: str
) -> None:
    models = Embedders(HASHES, batch=8)
    models.add(model())  # type: ignore[arg-type]
    found = look(own.dsn, bank, embedders=models)
    assert wrong(found) == {"model": "fail"}
    assert word in found["model"].detail


def test_index_that_the_size_asks_for_is_missed_and_built(own: World, bank: str) -> None:
    assert look(own.dsn, bank, bound=3)["vector_index"].status == "ok"
    assert wrong(look(own.dsn, bank, bound=2)) == {"vector_index": "fail"}
    assert [deed.action for deed in mend(own, bank, bound=2)] == ["index_built"]
    found = look(own.dsn, bank, bound=2)
    assert wrong(found) == {}
    assert found["vector_index"].detail.endswith("is valid")
    assert mend(own, bank, bound=2) == []


def test_index_that_is_not_valid_is_found_and_built_anew(own: World, bank: str) -> None:
    mend(own, bank, bound=2)
    key, embedder = number(own, bank)
    name = f"memories_hnsw_{key}_{embedder}"
    owner(own.dsn, f"update pg_index set indisvalid = false where indexrelid = '{name}'::regclass")
    assert wrong(look(own.dsn, bank)) == {"vector_index": "fail"}
    assert [deed.action for deed in mend(own, bank)] == ["index_rebuilt"]
    assert wrong(look(own.dsn, bank)) == {}


def test_index_of_no_bank_is_found_and_dropped(own: World, bank: str) -> None:
    key, embedder = number(own, bank)
    mend(own, bank, bound=2)
    name = "memories_hnsw_9999_1"
    owner(own.dsn, f"alter index memories_hnsw_{key}_{embedder} rename to {name}")
    found = look(own.dsn, bank)
    assert (found["orphaned_indexes"].status, found["orphaned_indexes"].detail) == ("warn", name)
    assert mend(own, bank) == [Deed("index_dropped", name)]
    assert wrong(look(own.dsn, bank)) == {}


def test_parked_events_and_records_are_counted(own: World, bank: str) -> None:
    own.ask(bank, "where is the cluster")
    own.flush()
    key, _ = number(own, bank)
    owner(
        own.dsn,
        "insert into events (bank_id, event_id, recall_id, action, confidence, annotator, "
        "happened, received, state, body, content_hash) select "
        f"{key}, n, 'r', 'dwell', 1, 'code', now(), now() - n::int * interval '1 hour', 'parked', "
        "'{}', '' from unnest(array['2', '20']) n",
    )
    found = look(own.dsn, bank)
    assert wrong(found) == {}
    assert found["parked_events"].detail.startswith("2 events")
    assert found["records"].detail.startswith("1 recalls on record")
    owner(
        own.dsn, f"update events set received = received - interval '1 day' where bank_id = {key}"
    )
    assert wrong(look(own.dsn, bank)) == {"parked_events": "warn"}


def test_all_banks_are_looked_at_unless_one_is_named(own: World, bank: str) -> None:
    settings = Settings(database_url=SecretStr(own.dsn), pool_size=4)
    found = asyncio.run(examine(settings, own.dsn, embedders=own.service.embedders))
    named = {one.bank for one in found} - {None}
    assert named == {one.name for one in own.run(own.service.banks.list())}
    with pytest.raises(NotFound):
        look(own.dsn, "nowhere")
    with pytest.raises(NotFound):
        asyncio.run(maintain(own.dsn, bank="nowhere"))
