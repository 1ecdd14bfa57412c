"""API keys: shown once, kept as a digest, matched, covered by patterns, revoked."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput, NotFound
from router.store.keys import KEY, SCOPES, ApiKey, Keys, KeyStore, digest
from router.store.pool import bank_transaction, open_pool

NOW = datetime(2024, 1, 1, tzinfo=UTC)


@asynccontextmanager
async def two_stores(dsn: str) -> AsyncIterator[tuple[KeyStore, KeyStore]]:
    """Two processes' view of the same keys."""
    async with await open_pool(dsn, size=4) as pool:
        transaction = partial(bank_transaction, pool)
        yield KeyStore(transaction), KeyStore(transaction)


def test_secret_is_shown_once_and_only_its_digest_kept(database: str) -> None:
    async def check() -> None:
        async with two_stores(database) as (store, _):
            key_id, text = await store.create("agent", ["recall", "retain"], "team-*", True)
            secret = text.removeprefix(f"ff_{key_id}_")
            (key,) = await store.list()
            assert (key.id, key.name, key.scopes) == (key_id, "agent", ("recall", "retain"))
            assert (key.banks, key.trusted, key.revoked_at) == ("team-*", True, None)
            assert key.hash == hashlib.sha256(secret.encode()).digest()
            with psycopg.connect(database) as connection:
                stored = connection.execute("select api_keys::text from api_keys").fetchone()
            assert stored is not None
            assert secret not in stored[0]
            assert secret not in repr(key)
            assert len(secret) >= 43, "256 bits"

    asyncio.run(check())


def test_key_is_found_by_its_whole_text_alone(database: str) -> None:
    async def check() -> None:
        async with two_stores(database) as (store, _):
            _, text = await store.create("a", ["recall"])
            _, other = await store.create("b", ["recall"])
            keys = await store.current()
            found = keys.find(text)
            assert found is not None
            assert found.name == "a"
            mixed = f"{text.rsplit('_', text.count('_') - 1)[0]}_{other.split('_', 2)[2]}"
            for wrong in (text[:-1], text + "A", text.upper(), "", "ff_", mixed):
                assert keys.find(wrong) is None, wrong

    asyncio.run(check())


def test_revocation_holds_here_at_once_and_elsewhere_soon(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check() -> None:
        async with two_stores(database) as (here, elsewhere):
            key_id, text = await here.create("a", ["recall"])
            assert (await elsewhere.current()).find(text) is not None
            await here.revoke(key_id)
            assert (await here.current()).find(text) is None
            assert (await elsewhere.current()).find(text) is not None, "remembered for a moment"
            monkeypatch.setattr("router.store.keys.FRESH_S", 0.0)
            assert (await elsewhere.current()).find(text) is None
            first = (await here.list())[0].revoked_at
            await here.revoke(key_id)
            assert (await here.list())[0].revoked_at == first
            assert (await here.current()).by_id, "a revoked key still counts as configured"

    asyncio.run(check())


def test_revocation_during_a_look_up_is_not_overwritten(database: str) -> None:
    async def check() -> None:
        async with two_stores(database) as (store, _):
            key_id, text = await store.create("a", ["recall"])
            look_up, _ = await asyncio.gather(store.current(), store.revoke(key_id))
            assert look_up.by_id
            assert (await store.current()).find(text) is None

    asyncio.run(check())


def test_unknown_key_cannot_be_revoked(database: str) -> None:
    async def check() -> None:
        async with two_stores(database) as (store, _):
            with pytest.raises(NotFound):
                await store.revoke("nothing")

    asyncio.run(check())


@pytest.mark.parametrize(
    ("name", "scopes", "banks", "field"),
    [
        ("a", [], "*", "scopes"),
        ("a", ["write"], "*", "scopes"),
        (" ", ["recall"], "*", "name"),
        ("a\n", ["recall"], "*", "name"),
        ("a" * 201, ["recall"], "*", "name"),
        ("a", ["recall"], "", "banks"),
        ("a", ["recall"], "\x00", "banks"),
    ],
)
def test_bad_key_is_refused_by_its_field(
    database: str, name: str, scopes: list[str], banks: str, field: str
) -> None:
    async def check() -> None:
        async with two_stores(database) as (store, _):
            with pytest.raises(BadInput) as caught:
                await store.create(name, scopes, banks)
            assert caught.value.field == field
            assert await store.list() == []

    asyncio.run(check())


def key(scopes: tuple[str, ...] = ("recall",), banks: str = "*") -> ApiKey:
    return ApiKey("ab12", "k", digest("secret"), scopes, banks, False, NOW, None)


def test_admin_may_do_everything_and_others_what_they_name() -> None:
    assert all(key(("admin",)).allows(scope) for scope in SCOPES)
    assert [scope for scope in SCOPES if key(("retain",)).allows(scope)] == ["retain"]


def test_pattern_covers_names_as_shells_do_and_minds_case() -> None:
    assert key(banks="team-*").covers("team-a")
    assert not key(banks="team-*").covers("Team-a")
    assert not key(banks="team-*").covers("my-team-a")
    assert not key(banks="team").covers("team-a")
    assert key(banks="[ab]?").covers("b1")


@given(st.text(max_size=80))
def test_no_text_but_the_key_is_found(text: str) -> None:
    keys = Keys({"ab12": key()})
    found = keys.find(text)
    assert (found is not None) == (text == "ff_ab12_secret")
    assert keys.find("ff_ab12_secret") is not None


def test_keys_are_read_in_plain_letters_only() -> None:
    assert KEY.fullmatch("ff_ab12_secret\n") is None
    assert KEY.fullmatch("ff_ab12_séc") is None
