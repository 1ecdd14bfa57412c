"""A running server as its clients see it: banks, recalls and events over HTTP."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from channels.errors import Unavailable

PATIENCE_S = 300.0  # a batch of memories is embedded within one request


@dataclass(frozen=True, slots=True)
class Row:
    """Weights and constant as a recall shows or is given them."""

    weights: Mapping[str, float]
    rrf_k: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a recall."""

    recall_id: str
    ids: tuple[str, ...]  # best first
    row: Row
    version: int
    policy: str
    residuals: tuple[float | None, ...]  # of each result; None while the gate is shut
    degraded: tuple[str, ...]

    @property
    def serving(self) -> tuple[object, ...]:
        """What learning changes of the answer to one question asked again."""
        return self.version, self.ids, self.residuals


class Remote:
    """One server. Its errors, and an answer that is none, are Unavailable with what was asked."""

    def __init__(self, url: str, key: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(headers=headers, timeout=PATIENCE_S)
        self._url = url.rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def make_bank(self, bank: str, config: Mapping[str, Any]) -> None:
        """Create a bank."""
        self._call("PUT", bank, "", json={"config": config})

    def delete_bank(self, bank: str) -> None:
        """Delete a bank with all it holds."""
        self._call("DELETE", bank, "")

    def retain(self, bank: str, items: Sequence[Mapping[str, Any]]) -> None:
        """Store all of these memories. Raises Unavailable when one is refused."""
        told = self._call("POST", bank, "/memories", json={"items": list(items)})
        if told["errors"]:
            raise Unavailable("server", f"it refused a memory: {told['errors'][0]}")

    def recall(self, bank: str, body: Mapping[str, Any]) -> Reply:
        """The answer to one question."""
        told = self._call("POST", bank, "/recall", json=body)
        results = told["results"]
        return Reply(
            told["recall_id"],
            tuple(one["id"] for one in results),
            Row(told["weights"], told["rrf_k"]),
            told["matrix_version"],
            told["policy"],
            tuple(one["residual"] for one in results),
            tuple(told["degraded"]),
        )

    def report(self, bank: str, events: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
        """Send events as NDJSON; how many were accepted (`late` too late), and what of the rest."""
        told = self._call(
            "POST",
            bank,
            "/feedback",
            content="\n".join(json.dumps(event) for event in events),
            headers={"content-type": "application/x-ndjson"},
        )
        names = ("accepted", "duplicate", "parked", "late")
        return {name: told[name] for name in names} | {"rejected": len(told["rejected"])}

    def decision(self, bank: str, recall_id: str) -> Mapping[str, Any]:
        """A recall as it is on record."""
        found: Mapping[str, Any] = self._call("GET", bank, f"/recalls/{quote(recall_id, safe='')}")
        return found

    def matrix(self, bank: str) -> Mapping[str, Any]:
        """The live rows, the default ones, and what the learner knows."""
        found: Mapping[str, Any] = self._call("GET", bank, "/matrix")
        return found

    def _call(self, method: str, bank: str, path: str, **parts: Any) -> Any:
        url = f"{self._url}/v1/banks/{quote(bank, safe='')}{path}"
        try:
            reply = self._http.request(method, url, **parts)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unavailable("server", f"{method} {url}: {error or 'no answer'}") from error
        if not reply.is_success:
            raise Unavailable("server", f"{method} {url}: {reply.status_code} {reply.text[:300]}")
        return reply.json() if reply.content else None
