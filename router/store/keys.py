"""API keys: made once, shown once, kept as a digest, matched in constant time."""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Literal, get_args

from channels.connection import Transaction
from channels.errors import BadInput, NotFound
from router.store.statements import statement

Scope = Literal["recall", "retain", "feedback", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

FRESH_S = 2.0  # how long a key that another process made or revoked may go unnoticed
ID_BYTES = 6  # names the key, keeps nothing secret
SECRET_BYTES = 32
KEY = re.compile(r"ff_([0-9a-f]{1,64})_([A-Za-z0-9_-]{1,200})", re.ASCII)
MAX_TEXT = 200  # characters of a name or a pattern


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as stored. Who holds it may do what its scopes say, in banks its pattern covers."""

    id: str
    name: str
    hash: bytes = field(repr=False)  # SHA-256 of the secret
    scopes: tuple[str, ...]
    banks: str  # shell-style pattern over bank names
    trusted: bool  # explicit signals sent with it count more
    created_at: datetime
    revoked_at: datetime | None
    explores: bool = True  # its recalls may be varied a little, to learn from

    def allows(self, scope: Scope) -> bool:
        """Whether the key may do this; admin may do everything."""
        return scope in self.scopes or "admin" in self.scopes

    def covers(self, bank: str) -> bool:
        """Whether the bank's name fits the key's pattern; letter case counts."""
        return fnmatchcase(bank, self.banks)


@dataclass(frozen=True, slots=True)
class Keys:
    """All keys as of one moment, by id; revoked ones among them."""

    by_id: Mapping[str, ApiKey]

    def find(self, presented: str) -> ApiKey | None:
        """The live key that this text is, or None."""
        parts = KEY.fullmatch(presented)
        if parts is None:
            return None
        key = self.by_id.get(parts[1])
        if key is None or key.revoked_at is not None:
            return None
        return key if hmac.compare_digest(digest(parts[2]), key.hash) else None


class KeyStore:
    """The keys of this installation; a look-up may be FRESH_S seconds old."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._known: tuple[float, Keys] | None = None
        self._changes = 0  # made by this process

    async def create(
        self,
        name: str,
        scopes: Iterable[str],
        banks: str = "*",
        trusted: bool = False,
        *,
        explores: bool = True,
    ) -> tuple[str, str]:
        """A new key's id and its full text, which cannot be shown again.

        Raises BadInput for an unknown scope, none at all, or a blank or overlong name or pattern.
        """
        values = {
            "id": secrets.token_hex(ID_BYTES),
            "name": _text("name", name),
            "scopes": _scopes(scopes),
            "banks": _text("banks", banks),
            "trusted": trusted,
            "explores": explores,
            "now": datetime.now(UTC),
        }
        secret = secrets.token_urlsafe(SECRET_BYTES)
        async with self._transaction("all") as conn:
            await conn.execute(statement("insert_key"), {**values, "hash": digest(secret)})
        self._forget()
        return str(values["id"]), f"ff_{values['id']}_{secret}"

    async def list(self) -> list[ApiKey]:
        """Every key, revoked ones too, the oldest first."""
        async with self._transaction("all") as conn:
            rows = await (await conn.execute(statement("keys"))).fetchall()
        return [ApiKey(row[0], row[1], bytes(row[2]), tuple(row[3]), *row[4:]) for row in rows]

    async def revoke(self, key_id: str) -> None:
        """End a key: here at once, in other processes within FRESH_S. Raises NotFound."""
        values = {"id": key_id, "now": datetime.now(UTC)}
        async with self._transaction("all") as conn:
            row = await (await conn.execute(statement("revoke_key"), values)).fetchone()
        self._forget()
        if row is None:
            raise NotFound("key", key_id)

    async def current(self) -> Keys:
        """All keys as of at most FRESH_S seconds ago. Without any, the service is open."""
        if self._known is None or time.monotonic() - self._known[0] > FRESH_S:
            asked, changes = time.monotonic(), self._changes
            keys = Keys({key.id: key for key in await self.list()})
            if changes == self._changes:  # else the list may be older than a revocation of ours
                self._known = (asked, keys)
            return keys
        return self._known[1]

    def _forget(self) -> None:
        self._known = None
        self._changes += 1


def digest(secret: str) -> bytes:
    """SHA-256: enough for a secret of 256 random bits, which nobody can try out."""
    return hashlib.sha256(secret.encode()).digest()


def _scopes(given: Iterable[str]) -> list[str]:
    wanted = set(given)
    unknown = sorted(wanted - set(SCOPES))
    if unknown or not wanted:
        what = f"{unknown[0]!r} is no scope" if unknown else "is empty"
        raise BadInput("scopes", f"{what}; give some of {', '.join(SCOPES)}")
    return [scope for scope in SCOPES if scope in wanted]


def _text(name: str, given: str) -> str:
    if not given.strip() or len(given) > MAX_TEXT or not given.isprintable():
        raise BadInput(name, f"give 1 to {MAX_TEXT} printable characters")
    return given
