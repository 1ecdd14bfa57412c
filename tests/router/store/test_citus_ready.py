"""The schema can be sharded by bank: read from the catalogue, and from our own statements."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from router.store.banks import CONTENT_TABLES
from tests.conftest import fresh_database

ROOT = Path(__file__).resolve().parents[3]
STATEMENTS = sorted(
    path
    for package in ("router", "channels", "feedback")
    for path in ROOT.glob(f"{package}/**/*.sql")
)
REFERENCE = {"banks", "embedders", "api_keys", "schema_migrations"}  # whole on every node
KEYS = """
select c.relname, i.indexrelid::regclass::text,
       array(select coalesce(a.attname, '?') from unnest(i.indkey) with ordinality k(number, place)
             left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
             where place <= i.indnkeyatts order by place)
from pg_index i join pg_class c on c.oid = i.indrelid
where c.relnamespace = current_schema()::regnamespace and i.indisunique
"""
FOREIGN = """
select r.relname, f.relname, c.confdeltype::text, c.confupdtype::text,
       array(select a.attname from unnest(c.conkey) with ordinality k(number, place)
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number order by place),
       array(select a.attname from unnest(c.confkey) with ordinality k(number, place)
             join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number order by place)
from pg_constraint c
join pg_class r on r.oid = c.conrelid join pg_class f on f.oid = c.confrelid
where c.contype = 'f' and r.relnamespace = current_schema()::regnamespace
"""
TABLES = """
select relname from pg_class
where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
"""
COLUMNS = """
select c.relname, a.attname, a.attnotnull, format_type(a.atttypid, null), a.attidentity::text,
       coalesce(pg_get_expr(d.adbin, d.adrelid), '')
from pg_attribute a
join pg_class c on c.oid = a.attrelid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  and a.attgenerated = ''  -- no default: Postgres lets a generated column vary with its row only
where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
  and a.attnum > 0 and not a.attisdropped
"""
TRIGGERS = """
select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
"""
RULES = """
select rulename from pg_rules where schemaname = current_schema()
"""
OWNED = """
select s.relname from pg_class s
join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0
where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
"""
VOLATILE = re.compile(
    r"\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|nextval|"
    r"gen_random_uuid|uuidv7)\s*\(|\bcurrent_(timestamp|time|date)\b|\blocaltime",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def catalogue(server: str, template: str) -> Iterator[psycopg.Connection[Any]]:
    with fresh_database(server, template) as dsn, psycopg.connect(dsn) as conn:
        yield conn


def rows(conn: psycopg.Connection[Any], statement: str) -> list[Any]:
    found = conn.execute(statement.encode()).fetchall()
    conn.rollback()
    return found


def bare(path: Path) -> str:
    """A statement without its comments, on one line."""
    return " ".join(re.sub(r"--.*", "", path.read_text("utf-8")).split())


def updates(text: str) -> list[str]:
    """What stands behind each `do update`, up to the end of its statement."""
    return re.findall(r"do update set(.*?)(?:;|\breturning\b|$)", text, re.IGNORECASE)


def test_every_table_is_sharded_by_bank_or_whole_on_every_node(
    catalogue: psycopg.Connection[Any],
) -> None:
    tables = {row[0] for row in rows(catalogue, TABLES)}
    assert tables == set(CONTENT_TABLES) | REFERENCE


def test_bank_is_an_int_that_is_always_there(catalogue: psycopg.Connection[Any]) -> None:
    found = {row[0]: (row[2], row[3]) for row in rows(catalogue, COLUMNS) if row[1] == "bank_id"}
    assert found == {table: (True, "integer") for table in (*CONTENT_TABLES, "banks")}


def test_bank_leads_every_primary_and_unique_key(catalogue: psycopg.Connection[Any]) -> None:
    keys = [row for row in rows(catalogue, KEYS) if row[0] in CONTENT_TABLES]
    assert {row[0] for row in keys} == set(CONTENT_TABLES)
    assert [row for row in keys if row[2][0] != "bank_id"] == []


def test_bank_leads_every_foreign_key_on_both_sides(catalogue: psycopg.Connection[Any]) -> None:
    keys = rows(catalogue, FOREIGN)
    assert len(keys) >= 7
    for table, target, _, _, columns, targets in keys:
        if table in REFERENCE:
            assert target in REFERENCE
        elif target not in REFERENCE:
            assert columns[0] == targets[0] == "bank_id", (table, target)


def test_no_foreign_key_sets_null_or_a_default(catalogue: psycopg.Connection[Any]) -> None:
    found = rows(catalogue, FOREIGN)
    assert {action for row in found for action in row[2:4]} <= {"a", "r", "c"}


def test_no_triggers_and_no_rules(catalogue: psycopg.Connection[Any]) -> None:
    assert rows(catalogue, TRIGGERS) == []
    assert rows(catalogue, RULES) == []


def test_defaults_are_constants_and_no_column_numbers_itself(
    catalogue: psycopg.Connection[Any],
) -> None:
    columns = rows(catalogue, COLUMNS)
    assert [row for row in columns if row[4]] == []
    assert [row for row in columns if "(" in row[5] or VOLATILE.search(row[5])] == []
    assert rows(catalogue, OWNED) == []


def test_no_conflict_is_settled_by_a_function_that_varies() -> None:
    settled = [(path.name, part) for path in STATEMENTS for part in updates(bare(path))]
    assert len(settled) >= 10
    assert [name for name, part in settled if VOLATILE.search(part)] == []


@pytest.mark.parametrize(
    "text",
    [
        "insert into t values (1) on conflict (a) do update set at = now()",
        "insert into t values (1) ON CONFLICT (a) DO UPDATE SET at = current_timestamp returning a",
        "insert into t values (1) on conflict (a) do update set b = excluded.b, at = random ()",
    ],
)
def test_such_a_function_would_be_noticed(text: str) -> None:
    assert any(VOLATILE.search(part) for part in updates(text))


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: path.stem)
def test_statement_uses_nothing_that_a_sharded_table_refuses(path: Path) -> None:
    text = bare(path).lower()
    assert "create trigger" not in text
    assert "set null" not in text
    assert not re.search(r"\bmerge into\b", text)
    assert not re.search(r"\bupdate\b[^;]*?\bset\s+bank_id\b", text)
    assert not re.search(r"\b(big|small)?serial\b|generated (always|by default) as identity", text)
    if "recursive" in text:
        assert "bank_id = %(bank)s" in text


def test_conflicts_are_told_by_a_key_that_the_bank_leads() -> None:
    own = {"banks", "embedders", "api_keys"}
    for path in STATEMENTS:
        for table, key in re.findall(
            r"insert into (\w+)[^;]*?on conflict \(([^)]*)\)", bare(path), re.IGNORECASE
        ):
            assert table in own or key.split(",")[0].strip() == "bank_id", (path.name, key)
