"""All settings of the process, read once. `fivefold settings` prints them."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from channels.embedder import PACKAGED
from channels.runtime import TORCH
from router.store.embedded import default_data_dir


class Settings(BaseSettings):
    """Environment variables with the prefix FIVEFOLD_; every field has bounds and a description."""

    model_config = SettingsConfigDict(env_prefix="FIVEFOLD_", frozen=True, extra="ignore")

    database_url: Annotated[
        SecretStr | None,
        Field(description="Postgres >= 15 with pgvector >= 0.8; unset: the embedded server"),
    ] = None
    data_dir: Annotated[
        Path, Field(description="folder of the embedded server", default_factory=default_data_dir)
    ]
    host: Annotated[str, Field(description="address to listen on; loopback only without keys")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Field(ge=0, le=65_535, description="port to listen on; 0: any")] = 8077
    embedder: Annotated[
        str,
        Field(
            min_length=1,
            description="sentence-transformers model of new banks, by name or path; none: without",
        ),
    ] = PACKAGED
    embedder_runtime: Annotated[
        str,
        Field(
            pattern="^(torch|onnx|onnx-int8)$",
            description="what computes the vectors; onnx: the same, faster; "
            "onnx-int8: new banks get others, faster still",
        ),
    ] = TORCH
    embed_batch: Annotated[
        int, Field(ge=1, le=1_024, description="texts a model takes at once")
    ] = 32
    entity_model: Annotated[
        str | None,
        Field(
            min_length=1,
            description="spaCy pipeline that finds further names, by package or path; unset: none",
        ),
    ] = None
    pool_size: Annotated[
        int,
        Field(ge=4, le=200, description="database connections; a recall holds up to 4 at a time"),
    ] = 16
    pool_timeout_s: Annotated[
        float, Field(gt=0, le=60, description="longest wait for a connection")
    ] = 2.0
    pgbouncer: Annotated[
        bool, Field(description="the database URL points at pgbouncer in transaction mode")
    ] = False
    channel_timeout_ms: Annotated[
        int,
        Field(
            ge=10,
            le=60_000,
            description="deadline of each channel; a look-up they share gets .6 of it",
        ),
    ] = 1_500
    depth: Annotated[int, Field(ge=1, le=1_000, description="hits asked of each channel")] = 50
    plugins: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9_, ]+$",
            description="lanes of other distributions that are asked: all, none, or their names",
        ),
    ] = "all"
    shadow: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9_, ]+$",
            description="those of them that are asked and traced but have no vote: "
            "none, all, or their names",
        ),
    ] = "none"
    record_queue: Annotated[
        int,
        Field(
            ge=10,
            le=100_000,
            description="decision records waiting to be written; more are lost, counted",
        ),
    ] = 2_000
    feedback_window_seconds: Annotated[
        int, Field(ge=1, le=604_800, description="age at which a recall closes by itself")
    ] = 1_800
    worker: Annotated[
        bool, Field(description="`fivefold serve` learns too; off: `fivefold worker` must run")
    ] = True
    fleet_prior: Annotated[
        bool,
        Field(description="banks that have not opted out share sums of what they learnt"),
    ] = True
    summary_seconds: Annotated[
        int,
        Field(ge=0, le=86_400, description="how often `serve` refreshes summaries; 0: on request"),
    ] = 60
    summary_url: Annotated[
        str | None,
        Field(
            pattern=r"^https?://",
            description="OpenAI-compatible endpoint that words summaries, such as "
            "http://127.0.0.1:8000/v1; it is sent what they quote. Unset: extracts",
        ),
    ] = None
    summary_model: Annotated[
        str, Field(min_length=1, description="the model asked for at that endpoint")
    ] = "default"
    summary_key: Annotated[
        SecretStr | None, Field(description="bearer key of that endpoint; unset: none is sent")
    ] = None
    summary_timeout_s: Annotated[
        float, Field(gt=0, le=600, description="longest wait for one summary's wording")
    ] = 30.0
    max_request_bytes: Annotated[
        int, Field(ge=1_024, le=1 << 30, description="largest request body")
    ] = 64 << 20
    log_level: Annotated[
        str,
        Field(pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="least severity that is logged"),
    ] = "INFO"

    @property
    def dsn(self) -> str | None:
        """The external database, or None for the embedded server."""
        return self.database_url.get_secret_value() if self.database_url else None
