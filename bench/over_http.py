"""Recall over HTTP beside the two-channel peer: two servers on loopback, asked in turn."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql

from bench.stages import ASKED_AT, quantiles
from channels.base import Embedded
from channels.embedder import SentenceEmbedder
from router.api.app import create_app
from router.cli.opening import log_to_stderr
from router.settings import Settings
from router.store.banks import Bank
from router.wiring import Service, open_service

WARM = 20  # requests to each before the first that counts
PATIENCE_S = 60.0  # until a server answers
TABLE = """
drop table if exists peer;
create table peer as
select id, text, embedding::vector({dim}) as embedding, to_tsvector('english', text) as words
from memories where bank_id = {bank};
create index on peer using hnsw (embedding vector_cosine_ops);
create index on peer using gin (words);
analyze peer
"""


class Kept(SentenceEmbedder):
    """Question embeddings from a file, in the place of a model."""

    def __init__(self, model: str, path: Path) -> None:
        super().__init__(model)
        self._kept = read(path)

    @property
    def dim(self) -> int:
        vector = next(iter(self._kept.values())).vector
        return 0 if vector is None else len(vector)

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        """Those in the file; a text that is not there has no direction."""
        return [self._kept.get(text, Embedded(None)) for text in texts]

    async def embed_question(self, text: str) -> Embedded:
        return self._kept[text]


def write(path: Path, found: dict[str, Embedded]) -> None:
    """Keep embedded questions for `read`."""
    known = [(text, one, one.vector, one.tokens) for text, one in found.items()]
    held = [(text, one, v, t) for text, one, v, t in known if v is not None and t is not None]
    np.savez(
        path,
        texts=np.array([text for text, *_ in held]),
        vectors=np.stack([vector for _, _, vector, _ in held]),
        tokens=np.concatenate([tokens for *_, tokens in held]),
        counts=np.array([len(tokens) for *_, tokens in held]),
        spans=np.concatenate([np.array(one.spans, np.int64) for _, one, _, _ in held]),
    )


def read(path: Path) -> dict[str, Embedded]:
    """Questions of `write` by their text."""
    with np.load(path, allow_pickle=False) as file:
        cuts = np.cumsum(file["counts"])[:-1]
        spans: list[NDArray[np.int64]] = np.split(file["spans"], cuts)
        return {
            text: Embedded(vector, tokens, tuple((int(a), int(b)) for a, b in span))
            for text, vector, tokens, span in zip(
                file["texts"].tolist(),
                file["vectors"],
                np.split(file["tokens"], cuts),
                spans,
                strict=True,
            )
        }


def compare(dsn: str, bank: Bank, found: dict[str, Embedded], n: int) -> dict[str, Any]:
    """p50 and p95 of both over n requests each, in turn, and the ratio of the p50s; ms."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("select set_config('fivefold.bank', 'all', false)")
        for part in TABLE.format(dim=bank.dim, bank=int(bank.key)).split(";"):
            conn.execute(sql.SQL(part))  # type: ignore[arg-type] # our own text, two integers in it
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        kept = Path(folder) / "questions.npz"
        write(kept, found)
        ours = stack.enter_context(_server("bench.over_http", dsn, kept, bank.embedder_name))
        peer = stack.enter_context(_server("peer", dsn, kept, bank.embedder_name))
        client = stack.enter_context(httpx.Client(timeout=PATIENCE_S))
        times = _alternate(client, ours, peer, bank, list(read(kept)), n)
    shown = {name: quantiles(values) for name, values in times.items()}
    return {
        "n": n,
        "rows": bank.live_rows,
        **shown,
        "ratio_any": shown["fivefold"]["p50"] / shown["peer_any"]["p50"],
        "ratio_all": shown["fivefold"]["p50"] / shown["peer_all"]["p50"],
    }


def _alternate(
    client: httpx.Client, ours: str, peer: str, bank: Bank, questions: Sequence[str], n: int
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"fivefold": [], "peer_any": [], "peer_all": []}
    for turn in range(WARM + n):
        text = questions[turn % len(questions)]
        asked = {"question": text, "k": 10}
        requests = {
            "fivefold": (
                f"{ours}/v1/banks/{bank.name}/recall",
                asked | {"asked_at": ASKED_AT.isoformat()},
            ),
            "peer_any": (f"{peer}/recall", asked | {"match": "any"}),
            "peer_all": (f"{peer}/recall", asked | {"match": "all"}),
        }
        for name, (url, body) in requests.items():
            started = time.perf_counter()
            client.post(url, json=body).raise_for_status()
            if turn >= WARM:
                times[name].append((time.perf_counter() - started) * 1_000)
    return times


@contextmanager
def _server(module: str, dsn: str, kept: Path, model: str) -> Iterator[str]:
    """Base URL of a server in a process of its own; it is ended at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {
        **os.environ,
        "VECTORS": str(kept),
        "PEER_DSN": dsn,
        "FIVEFOLD_DATABASE_URL": dsn,
        "FIVEFOLD_EMBEDDER": model,
        "FIVEFOLD_LOG_LEVEL": "WARNING",
    }
    target = "bench.peers.two_channel_server:app" if module == "peer" else "bench.over_http:app"
    factory = [] if module == "peer" else ["--factory"]
    command = [sys.executable, "-m", "uvicorn", target, *factory, "--port", port]
    process = subprocess.Popen(
        [*command, "--no-access-log", "--log-level", "warning"], env=environment
    )
    try:
        _await_port(process, int(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def _await_port(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"the server did not listen within {PATIENCE_S:.0f} s")


def app() -> Any:
    """Our API with the kept question embeddings; uvicorn calls this."""
    settings = Settings()
    log_to_stderr(settings.log_level)
    return create_app(settings, opened=_opened)


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Service]:
    async with open_service(settings) as service:
        service.embedders.add(Kept(settings.embedder, Path(os.environ["VECTORS"])))
        yield service
