"""A bank's learner in the store: claimed, saved, held and turned on, its batches and matrices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from channels.connection import Connection
from channels.errors import ConfigError
from channels.sql_files import load
from feedback.learner import BankLearner
from feedback.packing import pack, unpack
from feedback.posterior import FleetPrior, MatrixState, heeded
from feedback.residual import ServedResidual
from feedback.settings import LearnerSettings, Setup

Status = Literal["on", "frozen", "shadow"]
STATUSES: tuple[Status, ...] = get_args(Status)
AUTHOR = "learner"
MOST_KIN = 201  # banks whose sums make a prior, and the asking one
FLEET, SHARED = "fleet-1", "shared-1"

Rows = Mapping[str, Mapping[str, Any]]  # type -> {"weights": {channel: w}, "rrf_k": k}


@dataclass(frozen=True, slots=True)
class Held:
    """A learner as it lies in the store."""

    status: Status
    why: str | None
    batch: int
    version: int | None  # the live matrix it may replace; None: only the default
    state: bytes | None
    settings: Mapping[str, Any] | None
    serving: bytes | None = None  # what the residual ranker adds to answers

    def served(self) -> ServedResidual | None:
        """What the residual ranker adds to answers; None: nothing."""
        return None if self.serving is None else ServedResidual.load(bytes(self.serving))


NEW = Held("on", None, 0, None, None, None)


@dataclass(frozen=True, slots=True)
class Batch:
    """One step of a learner, on record."""

    batch: int
    at: datetime
    kind: Literal["learned", "rebuilt"]
    recalls: int = 0  # sealed by it, those that are no evidence among them
    impressions: int = 0  # learnt from, late ones among them
    events: int = 0
    reason: str = ""
    version: int | None = None
    verdict: Mapping[str, Any] = field(default_factory=dict)
    proposed: Rows | None = None
    settings: Mapping[str, Any] | None = None
    fleet: bytes | None = None


@dataclass(frozen=True, slots=True)
class Live:
    """The matrix a bank is served with."""

    version: int
    rows: Rows
    author: str


async def claim(conn: Connection, bank: int, now: datetime) -> Held | None:
    """The bank's learner, locked until the transaction ends; None while another worker has it."""
    await conn.execute(load("feedback", "ensure_learner"), {"bank": bank, "now": now})
    return await _one(conn, "claim_learner", bank)


async def lock(conn: Connection, bank: int, now: datetime) -> Held:
    """As `claim`, but waits for the other."""
    await conn.execute(load("feedback", "ensure_learner"), {"bank": bank, "now": now})
    return await _one(conn, "lock_learner", bank) or NEW


async def held(conn: Connection, bank: int) -> Held:
    """The bank's learner as it stands; one that knows nothing when there is none."""
    return await _one(conn, "learner", bank) or NEW


async def set_status(conn: Connection, bank: int, status: Status, why: str, now: datetime) -> None:
    """Turn a locked learner on, or hold it. Turned on it may replace whatever is live now.

    Held, it leaves answers as they are: the matrix, and what the residual ranker adds.
    """
    live = await live_matrix(conn, bank)
    version = (live.version if live else 0) if status == "on" else None
    values = {
        "bank": bank,
        "status": status,
        "why": why,
        "version": version,
        "serving": _serving(await held(conn, bank)) if status == "on" else None,
        "now": now,
    }
    await conn.execute(load("feedback", "set_learner_status"), values)


async def hold(conn: Connection, bank: int, why: str, now: datetime) -> None:
    """Let a learner that is on publish nothing until it is turned on again.

    Whatever its state, the residual ranker adds nothing to answers: a person chose the rows.
    """
    values = {"bank": bank, "why": why, "now": now}
    await conn.execute(load("feedback", "hold_learner"), values)


async def save(
    conn: Connection,
    bank: int,
    batch: Batch,
    learner: BankLearner,
    setup: Setup,
    version: int | None,
    *,
    publishes: bool,
) -> None:
    """Keep the state after a batch, and the batch; `version`: the matrix it may replace next.

    `publishes`: the learner is on, so that answers are corrected as it has learnt by now.
    """
    settings = setup.settings
    served = learner.residual.to_serve()
    values = {
        "bank": bank,
        "batch": batch.batch,
        "version": version,
        "state": learner.dump(),
        "settings": Jsonb(settings.as_json()),
        "shared": shared(learner.matrix) if setup.shares else None,
        "kin": settings.kin,
        "publishes": publishes,
        "serving": served.dump() if served else None,
        "now": batch.at,
    }
    await conn.execute(load("feedback", "save_learner"), values)
    row = {name: getattr(batch, name) for name in Batch.__dataclass_fields__}
    json = {name: None if row[name] is None else Jsonb(row[name]) for name in JSON}
    await conn.execute(load("feedback", "add_batch"), {"bank": bank, **row, **json})


JSON = ("verdict", "proposed", "settings")


async def live_matrix(conn: Connection, bank: int) -> Live | None:
    """The live matrix; None while it is the default."""
    cursor = conn.cursor(row_factory=class_row(Live))
    await cursor.execute(load("feedback", "live_rows"), {"bank": bank})
    return await cursor.fetchone()


async def matrix_version(conn: Connection, bank: int, version: int) -> Live | None:
    """A published matrix."""
    cursor = conn.cursor(row_factory=class_row(Live))
    await cursor.execute(load("feedback", "version_rows"), {"bank": bank, "version": version})
    return await cursor.fetchone()


async def publish(
    conn: Connection,
    bank: int,
    rows: Rows,
    *,
    parent: int,
    reason: str,
    evidence: Mapping[str, Any],
    at: datetime,
) -> int:
    """The new live version; every server is told when the transaction commits."""
    values = {
        "bank": bank,
        "parent": parent,
        "rows": Jsonb(rows),
        "reason": reason,
        "author": AUTHOR,
        "evidence": Jsonb(evidence),
        "at": at,
    }
    row = await (await conn.execute(load("feedback", "publish_rows"), values)).fetchone()
    assert row is not None  # noqa: S101 - an insert of one row returns it
    await conn.execute(load("feedback", "move_head"), {"bank": bank, "version": row[0]})
    return int(row[0])


async def batches(conn: Connection, bank: int, *, after: int = 0, limit: int = 100) -> list[Batch]:
    """At most `limit` batches after one, in order."""
    cursor = conn.cursor(row_factory=class_row(Batch))
    values = {"bank": bank, "after": after, "limit": limit}
    await cursor.execute(load("feedback", "batches"), values)
    return await cursor.fetchall()


async def last_batch(conn: Connection, bank: int) -> Batch | None:
    """The last batch on record."""
    cursor = conn.cursor(row_factory=class_row(Batch))
    await cursor.execute(load("feedback", "last_batch"), {"bank": bank})
    return await cursor.fetchone()


async def last_proposed(conn: Connection, bank: int) -> Rows | None:
    """The rows that a held learner would have published last; None when it would have nothing."""
    row = await (await conn.execute(load("feedback", "last_proposed"), {"bank": bank})).fetchone()
    return row[0] if row else None


async def kin(conn: Connection, name: str, channels: tuple[str, ...]) -> dict[int, MatrixState]:
    """Bank -> the sums it shares, of the banks that agree in `name`; `conn` must see all banks."""
    values = {"kin": name, "limit": MOST_KIN}
    rows = await (await conn.execute(load("feedback", "kin_states"), values)).fetchall()
    return {bank: unshared(bytes(packed), channels) for bank, packed in rows}


def shared(state: MatrixState) -> bytes:
    """What other banks may see of a state: sums over the library, as far as they are believed."""
    gain, square, _ = heeded(state, FleetPrior.none(len(state.channels)))
    arrays = {"gain": gain, "square": square, "count": state.count}
    return pack(SHARED, {}, arrays)


def unshared(packed: bytes, channels: tuple[str, ...]) -> MatrixState:
    """Back from `shared`: a state of nothing but the sums."""
    _, arrays = unpack(SHARED, packed)
    state = MatrixState.empty(channels)
    state.gain, state.square, state.count = arrays["gain"], arrays["square"], arrays["count"]
    return state


def packed_fleet(fleet: FleetPrior) -> bytes | None:
    """A prior as it goes on record; None when it says nothing."""
    if not (fleet.gain.any() or fleet.square.any()):
        return None
    return pack(FLEET, {}, {"gain": fleet.gain, "square": fleet.square})


def unpacked_fleet(packed: bytes | None, channels: int) -> FleetPrior:
    """Back from `packed_fleet`."""
    if packed is None:
        return FleetPrior.none(channels)
    _, arrays = unpack(FLEET, packed)
    return FleetPrior(arrays["gain"], arrays["square"])


def _serving(known: Held) -> bytes | None:
    """What a stored learner would add to answers; None where it cannot be read any more."""
    if known.state is None or known.settings is None:
        return None
    try:
        start = LearnerSettings.from_json(known.settings).start
        served = BankLearner.load(bytes(known.state), start).residual.to_serve()
    except ConfigError:  # of another version; the next batch learns it anew
        return None
    return served.dump() if served else None


async def _one(conn: Connection, statement: str, bank: int) -> Held | None:
    cursor = conn.cursor(row_factory=class_row(Held))
    await cursor.execute(load("feedback", statement), {"bank": bank})
    return await cursor.fetchone()
