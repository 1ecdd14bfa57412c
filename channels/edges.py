"""What a question reads of the stored edges, as arrays: thousands of rows would cost more."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.activation import Activation, Pair
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.spread import FRONTIER, SAID, Keys, Web
from channels.statements import key_array, statement

FAN_OUT = 15  # edges a memory may pass activation over; 50 found nothing more, at 3 times the time
REACH = 2 * FRONTIER  # memories a hop reaches whose own edges are looked at
NOTHING: Keys = np.empty(0, np.int64)
HEADER = 20  # bytes before the elements of a one-dimensional array as Postgres sends it


async def web_near(conn: Connection, bank: BankKey, seeds: Mapping[MemoryKey, float]) -> Web:
    """Edges of the FRONTIER strongest seeds and of the REACH memories that they reach strongest.

    Each memory's edges are its FAN_OUT of most weight, either way. All seeds are in the web.
    """
    passing = sorted(seeds, key=lambda key: (-seeds[key], key))[:FRONTIER]
    values = {
        "bank": bank,
        "keys": key_array(passing),
        "masses": "{" + ",".join(str(seeds[key]) for key in passing) + "}",
        "reach": REACH,
        "fan_out": FAN_OUT,
    }
    cursor = await conn.execute(statement("edges_near"), values, binary=True)
    [edges] = await cursor.fetchall()
    return web_of(edges, np.fromiter(seeds, np.int64, len(seeds)))


async def further(
    conn: Connection, bank: BankKey, spread: Activation
) -> tuple[Web, dict[MemoryKey, Pair]]:
    """What the next hop needs of the memories it reaches: degrees, and the edges of some.

    Degrees, said and seen, of the REACH that it reaches most, by key; edges of those among them
    that pass activation on themselves.
    """
    wanted = spread.wanted(REACH)
    if not len(wanted):
        return web_of((None,) * 4), {}
    passing = np.isin(wanted, spread.web.keys[spread.passing()])
    values = {
        "bank": bank,
        "keys": key_array(wanted.tolist()),
        "passing": key_array(wanted[passing].tolist()),
        "fan_out": FAN_OUT,
        "said": list(SAID),
    }
    cursor = await conn.execute(statement("edges_further"), values, binary=True)
    [(said, seen, *edges)] = await cursor.fetchall()
    known = zip(said, seen, strict=True)
    return web_of(edges), dict(zip(map(MemoryKey, wanted.tolist()), known, strict=True))


def web_of(edges: Sequence[Any], besides: Keys = NOTHING) -> Web:
    """The web of sources, targets, weights and types as Postgres sends them; no edges: all null."""
    sources, targets, weights, types = edges
    return Web.of(
        elements(sources, np.int64),
        elements(targets, np.int64),
        elements(weights, np.float64),
        types.split(",") if types else (),
        besides,
    )


def elements(sent: bytes | None, kind: type[Any]) -> NDArray[Any]:
    """The elements of an array of eight-byte numbers as `array_send` gives it; empty for null."""
    if sent is None:
        return np.empty(0, kind)
    each = np.dtype([("bytes", ">i4"), ("value", np.dtype(kind).newbyteorder(">"))])
    return np.frombuffer(sent, each, offset=HEADER)["value"].astype(kind)
