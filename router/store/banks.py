"""Banks: one tenant's memories each, with their configuration and counters."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from psycopg.types.json import Jsonb
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from channels.analyser import ANALYSER_VERSION
from channels.base import BankKey
from channels.connection import Transaction
from channels.decay import Decay, Kind, stated_half_life
from channels.errors import BadInput, NotFound
from feedback.values import action_values
from router.store.statements import statement
from router.understand.customs import Customs, DateOrder, Seasons

FRESH_S = 2.0  # how long another process's change to a bank may stay unseen
CONTENT_TABLES = (  # in an order that foreign keys allow; first what a learner locks first
    "learners",
    "learner_batches",
    "learner_clients",
    "supersessions",
    "proposals",
    "observation_sources",
    "summaries",
    "summary_days",
    "summary_states",
    "type_layers",
    "type_corrections",
    "events",
    "forgotten_events",
    "recalls",
    "matrix_heads",
    "matrices",
    "memory_entities",
    "entities",
    "subjects",
    "edges",
    "postings",
    "term_stats",
    "memory_dates",
    "episodes",
    "memory_stats",
    "renewed_vectors",
    "reembeddings",
    "memory_tokens",
    "memories",
    "bank_stats",
)


class DecayConfig(BaseModel):
    """How memories fade in the temporal lane; without a half-life as the kind of curve does."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Kind = "exponential"
    half_life_days: Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)] | None = None
    per_kind: dict[str, Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False)]] = {}


class GateConfig(BaseModel):
    """What must be known of a bank before its learner publishes rows; null: the learner's own."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    min_impressions: Annotated[int, Field(ge=1, le=100_000)] | None = None  # with engagement
    min_actors: Annotated[int, Field(ge=1, le=300)] | None = None  # distinct, of the last recalls


def _event_value(given: object) -> object:
    """A number, or parts of an action's meaning; what the action itself allows is checked later."""
    try:
        action_values({"memory_opened": given})
    except BadInput as error:
        part = error.field.removeprefix("config.event_values.memory_opened").lstrip(".")
        raise ValueError(f"{part} {error.reason}".strip()) from error
    return given


SummaryPeriod = Literal["day", "week", "month"]
SUMMARY_PERIODS: tuple[SummaryPeriod, ...] = ("day", "week", "month")


def _or_off(given: object) -> object:
    return [] if given == "off" else given


def _in_order(given: list[SummaryPeriod]) -> list[SummaryPeriod]:
    return [name for name in SUMMARY_PERIODS if name in given]


Summaries = Annotated[
    list[SummaryPeriod], BeforeValidator(_or_off), AfterValidator(_in_order), Field(max_length=10)
]
EventValue = Annotated[Any, AfterValidator(_event_value)]


class BankConfig(BaseModel):
    """A bank's settings; every one has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    decay: DecayConfig = DecayConfig()
    recency: Literal["asked", "always"] = "asked"
    timezone: str = "UTC"
    date_order: DateOrder = "month_first"
    seasons: Seasons = "northern"
    embedder: str | None = None
    explore: bool = True
    fleet_prior: bool = True
    rerank: bool = False
    languages: list[str] = []
    event_values: dict[
        str, EventValue
    ] = {}  # action -> value, or {"value", "trust", "attribution"}
    implicit: bool = True  # derive events from answers, tool calls and the next question
    position_bias_eta: Annotated[float, Field(ge=0, le=4, allow_inf_nan=False)] | None = (
        None  # measured
    )
    learner: GateConfig = GateConfig()
    summaries: Summaries = []  # periods that are summed up; none: off

    def decay_curve(self) -> Decay:
        """The curve as lanes use it."""
        return Decay(self.decay.kind, self.decay.half_life_days, self.decay.per_kind)

    def customs(self) -> Customs:
        """How its people write dates."""
        return Customs(self.date_order, self.seasons)


def as_stored(config: BankConfig) -> dict[str, Any]:
    """The configuration as the store has it; see `stated_half_life`."""
    stored = config.model_dump(mode="json")
    if config.decay.half_life_days is not None:
        stored["decay"]["half_life_days"] = str(config.decay.half_life_days)
    return stored


def from_store(stored: Mapping[str, Any]) -> BankConfig:
    """The configuration that the store has."""
    decay = dict(stored.get("decay", {}))
    decay["half_life_days"] = stated_half_life(decay.get("half_life_days"))
    return BankConfig.model_validate({**stored, "decay": decay})


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank as the walks need it."""

    key: BankKey
    name: str
    title: str | None
    config: BankConfig
    embedder: int
    embedder_name: str
    dim: int
    analyser: int
    created_at: datetime
    live_rows: int
    indexed: bool  # has its own vector index


class Banks:
    """Looks banks up by name; remembers each for FRESH_S seconds."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._known: dict[str, tuple[float, Bank]] = {}

    async def get(self, name: str) -> Bank:
        """The bank of that name. Raises NotFound."""
        known = self._known.get(name)
        if known is not None and time.monotonic() - known[0] < FRESH_S:
            return known[1]
        async with self._transaction("all") as conn:
            row = await (await conn.execute(statement("bank"), {"name": name})).fetchone()
        if row is None:
            self._known.pop(name, None)
            raise NotFound("bank", name)
        bank = _bank(row)
        self._known[name] = (time.monotonic(), bank)
        return bank

    async def list(self) -> list[Bank]:
        """All banks by name."""
        async with self._transaction("all") as conn:
            rows = await (await conn.execute(statement("bank"), {"name": None})).fetchall()
        return [_bank(row) for row in rows]

    async def create(
        self, name: str, title: str | None, config: BankConfig, embedder_name: str, dim: int
    ) -> Bank:
        """Create the bank unless it exists; either way the bank as it now is."""
        async with self._transaction("all") as conn:
            await conn.execute(statement("lock_banks"))
            row = await (
                await conn.execute(statement("embedder"), {"name": embedder_name, "dim": dim})
            ).fetchone()
            assert row is not None  # noqa: S101 - the statement returns the old or the new row
            await conn.execute(
                statement("insert_bank"),
                {
                    "name": name,
                    "title": title,
                    "config": Jsonb(as_stored(config)),
                    "embedder": row[0],
                    "analyser": ANALYSER_VERSION,
                    "now": datetime.now(UTC),
                },
            )
        self.forget(name)
        return await self.get(name)

    async def configure(self, bank: Bank, title: str | None, config: BankConfig) -> Bank:
        """Replace title and configuration. Another embedder is router.reembed's to bring about."""
        async with self._transaction("all") as conn:
            await conn.execute(
                statement("update_bank"),
                {
                    "bank": bank.key,
                    "title": title,
                    "config": Jsonb(as_stored(config)),
                },
            )
        self.forget(bank.name)
        return await self.get(bank.name)

    async def delete(self, bank: Bank) -> None:
        """Delete the bank with all it holds, in one transaction."""
        async with self._transaction(bank.key) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank.key})
            for table in CONTENT_TABLES:
                text = statement("delete_from").replace("{table}", table)
                await conn.execute(text.encode(), {"bank": bank.key})
            await conn.execute(statement("delete_bank"), {"bank": bank.key})
        self.forget(bank.name)

    async def sizes(self, bank: Bank) -> Mapping[str, Any]:
        """Counts of what the bank holds."""
        async with self._transaction(bank.key) as conn:
            cursor = await conn.execute(statement("bank_sizes"), {"bank": bank.key})
            row = await cursor.fetchone()
            names = [column.name for column in cursor.description or ()]
        return dict(zip(names, row or (), strict=True))

    def forget(self, name: str) -> None:
        """Look the bank up anew next time."""
        self._known.pop(name, None)


def _bank(row: tuple[Any, ...]) -> Bank:
    key, name, title, config, embedder, embedder_name, dim, analyser, created, live, indexed = row
    return Bank(
        BankKey(key),
        name,
        title,
        from_store(config),
        embedder,
        embedder_name,
        dim,
        analyser,
        created,
        live,
        indexed,
    )
