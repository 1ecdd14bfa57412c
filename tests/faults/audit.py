"""Everything that was acknowledged, looked for in what is stored."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg

from tests.faults.harness import ANSWER_S, BANK, Server
from tests.faults.load import Ledger, batches


@dataclass
class Audit:
    """What a running server gave back of what it had acknowledged."""

    ledger: Ledger
    listed: list[dict[str, Any]] = field(default_factory=list)  # every memory, by pages
    missing: list[str] = field(default_factory=list)  # acknowledged, but not found by id
    memories_again: Counter[str] = field(default_factory=Counter)  # all of them sent once more
    events_again: Counter[str] = field(default_factory=Counter)
    findings: list[dict[str, Any]] = field(default_factory=list)  # the doctor's
    recorded: int = 0  # answered recalls on record
    stored_events: list[str] = field(default_factory=list)

    def assert_whole(self) -> None:
        """Nothing acknowledged is lost, nothing is there twice, every count is a recount's."""
        stored = {one["id"]: one["text"] for one in self.listed}
        known = self.ledger.items
        assert self.ledger.faults == []
        assert self.missing == []
        assert len(stored) == len(self.listed), "a memory is listed twice"
        assert {name: stored.get(name) for name in known} == {
            name: item["text"] for name, item in known.items()
        }
        assert self.memories_again["accepted"] == self.memories_again["errors"] == 0
        assert sorted(self.stored_events) == sorted(self.ledger.events)
        assert self.events_again["duplicate"] == len(self.ledger.events)
        assert self.events_again["accepted"] == self.events_again["rejected"] == 0
        assert [one for one in self.findings if one["status"] == "fail"] == []


def audit(server: Server, ledger: Ledger) -> Audit:
    """Read everything, send everything once more, and ask `fivefold doctor`."""
    found = Audit(ledger)
    with httpx.Client(base_url=server.url + BANK, timeout=ANSWER_S) as http:
        _list(found, http)
        for items in batches(list(ledger.items.values()), 500):
            _tally(found.memories_again, http.post("/memories", json={"items": items}))
        for events in batches(list(ledger.events.values()), 500):
            _tally(found.events_again, http.post("/feedback", json={"events": events}))
    with psycopg.connect(server.dsn()) as connection:
        rows = connection.execute("select id from recalls").fetchall()
        found.recorded = len({row[0] for row in rows} & ledger.recalls.keys())
        rows = connection.execute("select event_id from events").fetchall()
        found.stored_events = [row[0] for row in rows]
    found.findings = doctor(server)
    return found


def doctor(server: Server) -> list[dict[str, Any]]:
    """What `fivefold doctor --json` finds."""
    found: list[dict[str, Any]] = printed(server, "doctor")["findings"]
    return found


def printed(server: Server, *words: str, seconds: float = ANSWER_S) -> dict[str, Any]:
    """What a `fivefold` command over the server's folder prints with --json, among log lines."""
    asked = server.command(*words, "--json")
    asked.wait(seconds)
    text = server.outputs.pop().read_text()
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{\n"))[0]
    return found


def _list(found: Audit, http: httpx.Client) -> None:
    cursor: str | None = None
    while cursor is not None or not found.listed:
        wanted: dict[str, str] = {"limit": "200", **({"cursor": cursor} if cursor else {})}
        page = http.get("/memories", params=wanted).raise_for_status().json()
        found.listed += page["memories"]
        cursor = page["next"]
        if not page["memories"]:
            break
    for name in found.ledger.items:
        if http.get(f"/memories/{name}").status_code != 200:
            found.missing.append(name)


def _tally(counts: Counter[str], reply: httpx.Response) -> None:
    facts: Mapping[str, Any] = reply.raise_for_status().json()
    for name, value in facts.items():
        if name != "ids":
            counts[name] += value if isinstance(value, int) else len(value)
