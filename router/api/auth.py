"""Who asks, and whether the key they show covers it."""

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import Headers

from channels.errors import ConfigError, Forbidden
from router.api.names import BankName
from router.store.keys import ApiKey, KeyStore, Scope

SCHEMES = ("bearer", "token")
MAKE_ONE = "make a key with `fivefold keys create`"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a key, or anybody on this machine while no key exists."""

    key: ApiKey | None

    @property
    def key_id(self) -> str | None:
        """Id of the key shown."""
        return self.key.id if self.key else None

    @property
    def author(self) -> str:
        """As what this caller goes into the audit."""
        return self.key.id if self.key else "local"

    @property
    def trusted(self) -> bool:
        """Whether explicit signals of this caller count more."""
        return self.key is not None and self.key.trusted

    @property
    def explores(self) -> bool:
        """Whether this caller's recalls may be varied to learn from."""
        return self.key is None or self.key.explores

    def covers(self, bank: str) -> bool:
        """Whether the bank is any business of this caller."""
        return self.key is None or self.key.covers(bank)

    def check(self, scope: Scope | None, bank: str) -> None:
        """Raises Forbidden unless the key covers both, whether or not such a bank exists."""
        if self.key is None:
            return
        if scope is not None and not self.key.allows(scope):
            raise Forbidden(f"key {self.key.id} lacks the scope {scope!r}", authenticated=True)
        if not self.key.covers(bank):
            raise Forbidden(
                f"key {self.key.id} covers banks {self.key.banks!r} only", authenticated=True
            )


async def caller_of(request: Request) -> Caller:
    """The caller. Raises Forbidden without a valid key; before any exists, for strangers."""
    store: KeyStore = request.app.state.keys
    keys = await store.current()
    if not keys.by_id:
        _refuse_strangers(request)
        return Caller(None)
    presented = presented_key(request.headers)
    if presented is None:
        raise Forbidden("send a key as `Authorization: Bearer ff_...`", authenticated=False)
    key = keys.find(presented)
    if key is None:
        raise Forbidden("the key is unknown or revoked", authenticated=False)
    return Caller(key)


def needs(scope: Scope | None) -> Callable[..., Awaitable[Caller]]:
    """A dependency: the caller, once their key is known to cover the scope and the path's bank."""

    async def check(bank: BankName, caller: Annotated[Caller, Depends(caller_of)]) -> Caller:
        caller.check(scope, bank)
        return caller

    return check


AnyCaller = Annotated[Caller, Depends(caller_of)]
Reader = Annotated[Caller, Depends(needs("recall"))]
Writer = Annotated[Caller, Depends(needs("retain"))]
Judge = Annotated[Caller, Depends(needs("feedback"))]
Admin = Annotated[Caller, Depends(needs("admin"))]
Covered = Annotated[Caller, Depends(needs(None))]


def presented_key(headers: Headers) -> str | None:
    """The key in the headers, from `Authorization` (Bearer or Token) or `X-API-Key`."""
    scheme, _, rest = headers.get("authorization", "").partition(" ")
    if scheme.lower() in SCHEMES and rest.strip():
        return rest.strip()
    return headers.get("x-api-key") or None


async def check_exposure(host: str, store: KeyStore) -> None:
    """Raises ConfigError when the service would listen beyond this machine without any key."""
    if not is_loopback(host) and not (await store.current()).by_id:
        raise ConfigError(
            "FIVEFOLD_HOST",
            f"{host!r} is reachable from outside and no key exists; {MAKE_ONE}, or use 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Whether the address or name stands for this machine alone."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _refuse_strangers(request: Request) -> None:
    """Without keys, only programs on this machine may ask: no other host, proxy or web page."""
    peer = request.client.host if request.client else ""
    asked = [peer, _host(f"//{request.headers.get('host', '')}")]
    origin = request.headers.get("origin")
    if origin is not None:  # a browser sends it; a page of another site must not reach in
        asked.append(_host(origin))
    if not all(is_loopback(host) for host in asked):
        raise Forbidden(
            f"no key exists, so only this machine is served, under 127.0.0.1 or localhost; "
            f"{MAKE_ONE}",
            authenticated=True,
        )


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
