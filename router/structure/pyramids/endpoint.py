"""A model behind an OpenAI-compatible endpoint that words summaries, where one is named."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final
from zoneinfo import ZoneInfo

import httpx
import structlog

from router import metrics
from router.structure.pyramids.wording import Summed, line_of

log = structlog.get_logger()
LONGEST: Final = 1_500  # characters kept of an answer
TOLD: Final = (
    "Summarise these notes of one {period} in at most five plain sentences. "
    "Use only what they say, keep names, numbers and identifiers as written, and add nothing."
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where summaries are worded, and by which model."""

    url: str  # up to and without /chat/completions
    model: str
    key: str | None
    timeout_s: float

    async def word(self, summed: Summed, zone: ZoneInfo) -> Summed | None:
        """The summary in the model's words; None when it gives none, which is logged and counted.

        It is shown what the extract quotes, and nothing else of the bank.
        """
        try:
            text = await self._ask(summed, zone)
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            reason = f"{type(error).__name__}: {error}"
            log.warning("summary_endpoint_failed", period=summed.period.id, reason=reason)
            metrics.SUMMARY_FALLBACKS.inc()
            return None
        worded = replace(summed, text=f"{summed.period.words}: {text}", how="endpoint")
        return replace(worded, source=self.source(summed))

    def source(self, summed: Summed) -> bytes:
        """What the wording is made from: the extract, and the model that words it."""
        return hashlib.sha256(summed.source + self.model.encode()).digest()

    async def _ask(self, summed: Summed, zone: ZoneInfo) -> str:
        notes = "\n".join(f"- {line_of(one, summed.period, zone)}" for one in summed.quoted)
        body = {
            "model": self.model,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": TOLD.format(period=summed.period.name)},
                {"role": "user", "content": f"{summed.period.words}\n{notes}"},
            ],
        }
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        async with httpx.AsyncClient(timeout=self.timeout_s) as client:
            reply = await client.post(
                f"{self.url.rstrip('/')}/chat/completions", json=body, headers=headers
            )
        reply.raise_for_status()
        text = " ".join(str(reply.json()["choices"][0]["message"]["content"]).split())
        text = text.replace("\x00", "")[:LONGEST]
        if not text:
            raise ValueError("the answer is blank")
        return text
