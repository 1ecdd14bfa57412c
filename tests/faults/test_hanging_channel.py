"""Each channel's own statement held up in the database: the other four answer in time and say so.

A lock on a table that only one channel reads holds up that channel. The emotional one reads only
what others read too, so the operator that only it uses waits for an advisory lock instead.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

import psycopg
import pytest

from channels.embedder import PACKAGED
from router.presets import CHANNELS
from tests.faults.harness import FULL, Kit, Server, served, temporary
from tests.faults.report import counted
from tests.router.stories import STANDUP, STANDUP_QUESTION

ASKED_AT = "2025-06-11T15:30:00Z"
DEADLINE_MS = 1_500
TIMES = 5 if FULL else 1
GATE = 77  # an advisory lock
HELD_BY: dict[str, tuple[str, str]] = {
    "token vectors": ("semantic", "lock table memory_tokens"),
    "episode vectors": ("semantic", "lock table episodes"),
    "postings": ("keyword", "lock table postings"),
    "term statistics": ("keyword", "lock table term_stats"),
    "memory counters": ("temporal", "lock table memory_stats"),
    "the operator of feelings": ("emotional", f"select pg_advisory_xact_lock({GATE})"),
    "edges": ("graph", "lock table edges"),
}
OPERATOR = f"""
create schema fivefold_app;
create function fivefold_app.gated(halfvec, halfvec) returns float8 language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared({GATE});
  return public.halfvec_negative_inner_product($1, $2);
end $$;
create operator fivefold_app.<#> (
  leftarg = halfvec, rightarg = halfvec, function = fivefold_app.gated
);
grant usage on schema fivefold_app to fivefold_app;
"""
pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def asked(kit: Kit) -> Iterator[Server]:
    """A server with the packaged model and a bank in which every channel finds something."""
    with temporary() as folder, served(kit, folder, model=PACKAGED) as server:
        server.start()
        server.make_bank()
        server.post("/memories", items=STANDUP).raise_for_status()
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute(OPERATOR)
        yield server


def ask(server: Server) -> tuple[dict[str, Any], float]:
    """The answer to the question that every channel has something to say to, and its seconds."""
    started = time.monotonic()
    reply = server.post(
        "/recall",
        question=STANDUP_QUESTION,
        asked_at=ASKED_AT,
        deadline_ms=DEADLINE_MS,
        explain=True,
    )
    seconds = time.monotonic() - started
    assert reply.status_code == 200, reply.text
    return reply.json(), seconds


def outcomes(answer: dict[str, Any]) -> dict[str, str]:
    return {name: run["outcome"] for name, run in answer["trace"]["channels"].items()}


def held_up(server: Server, statement: str) -> Sequence[tuple[dict[str, Any], float]]:
    """Answers while another connection holds what the statement locks."""
    with psycopg.connect(server.dsn()) as holder:
        holder.execute(statement.encode())
        found = [ask(server) for _ in range(TIMES)]
        holder.rollback()
    return found


def test_all_five_channels_answer_before_anything_hangs(asked: Server) -> None:
    assert outcomes(ask(asked)[0]) == dict.fromkeys(CHANNELS, "ok")


@pytest.mark.parametrize("held", HELD_BY)
def test_other_four_answer_within_the_deadline_and_the_hanging_one_is_named(
    asked: Server, held: str, observed: Callable[..., None]
) -> None:
    channel, statement = HELD_BY[held]
    found = held_up(asked, statement)
    expected = {**dict.fromkeys(CHANNELS, "ok"), channel: "failed:timeout"}
    for answer, _ in found:
        assert outcomes(answer) == expected
        assert answer["degraded"] == [f"{channel}:timeout"]
        assert answer["results"][0]["id"] == "m1"
    seconds = [seconds for _, seconds in found]
    assert median(seconds) < DEADLINE_MS / 1_000
    assert max(seconds) < DEADLINE_MS / 1_000 + 0.5  # this process, too, waits for a processor
    title = "One channel hangs in the database"
    row = [channel, held, len(found), f"{median(seconds):.2f} / {max(seconds):.2f}", "4"]
    lines = counted(["channel", "held up by", "recalls", "s: p50 / max", "others that ran"], [row])
    observed(title, *(lines if held == next(iter(HELD_BY)) else lines[2:]))


def test_all_five_answer_again_when_nothing_hangs_any_more(asked: Server) -> None:
    answer, _ = ask(asked)
    assert answer["degraded"] == []
    assert outcomes(answer) == dict.fromkeys(CHANNELS, "ok")
