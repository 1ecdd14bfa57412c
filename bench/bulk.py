"""Large banks for measurements: parts of real sentences by Zipf's law, real vectors plus noise.

A bank of 100,000 is not embedded text by text: each distinct sentence is embedded once. A memory
joins runs of words of three of them, so that a copy of another is rare, as in conversations; its
vector is the mean of theirs plus a little noise, at length 1 again, and its token vectors are the
same shares of theirs. All else is the product's own path: rows, postings, links and arcs go through
the Retainer.
"""

import asyncio
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from channels.base import Embedded, Vector
from channels.embedder import SentenceEmbedder
from router.retain import Retainer
from router.store.banks import Bank
from router.wiring import Service

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "router" / "sample" / "memorybank" / "memories.jsonl"
QUESTIONS = ROOT / "bench" / "data" / "questions.jsonl"
BATCH = 1_000  # memories a transaction
TURNS = 20  # turns an episode
ZIPF = 0.7  # exponent: at 1.0 one sentence of four thousand would be in every third memory
PARTS = 3  # sentences a memory is made of
PART = 6  # words of each at most: three make a turn of some 17 words, between sample and LoCoMo
NOISE = 0.02  # standard deviation in each of 384 dimensions: cosine about .93 to the source
RARE = 0.2  # memories that end on a made-up name, which about HOLDERS memories share
HOLDERS = 4
WORDS = range(4, 41)  # of a sentence taken
BEGIN = datetime(2023, 1, 2, 9, tzinfo=UTC)
YEARS_DAYS = 3 * 365  # over which the episodes of a bank are spread, whatever its size
SYLLABLES = ("ka", "lo", "mi", "ren", "su", "tar", "ve", "zon")


@dataclass(frozen=True, slots=True)
class Part:
    """A run of words of one sentence."""

    source: int  # place of the sentence
    start: int  # first word
    stop: int  # after the last word
    words: int  # of the whole sentence

    def text(self, sentence: str) -> str:
        """The words of the run."""
        return " ".join(sentence.split()[self.start : self.stop])

    def tokens(self, tokens: Vector) -> Vector:
        """The share of the sentence's token vectors that the run is of its words, at least one."""
        start = min(len(tokens) * self.start // self.words, len(tokens) - 1)
        return tokens[start : max(start + 1, len(tokens) * self.stop // self.words)]


@dataclass(frozen=True, slots=True)
class Sources:
    """Distinct sentences with what the model makes of each."""

    texts: tuple[str, ...]
    embedded: tuple[Embedded, ...]


def sentences() -> list[str]:
    """Distinct sentences of the shippable texts, in file order."""
    found: dict[str, None] = {}
    for path in (SAMPLE, QUESTIONS):
        for line in path.read_text("utf-8").splitlines():
            for sentence in re.split(r"(?<=[.!?])\s+", json.loads(line)["text"]):
                if len(sentence.split()) in WORDS:
                    found[sentence] = None
    return list(found)


async def sources(embedder: SentenceEmbedder, count: int | None, seed: int) -> Sources:
    """`count` sentences (None: all), shuffled (Zipf's ranks follow no file) and embedded."""
    texts = sentences()
    np.random.default_rng(seed).shuffle(texts)
    texts = texts[:count]
    return Sources(tuple(texts), tuple(await embedder.embed_tokens(texts)))


def items(
    texts: Sequence[str], count: int, seed: int, *, first: int = 0
) -> tuple[list[dict[str, Any]], list[tuple[Part, ...]]]:
    """Items of a retain request, `first` onwards of a bank, and the parts of each, by place."""
    rng = np.random.default_rng([seed, first])
    parts = _parts(texts, count, rng)
    named = rng.random(count) < RARE
    names = rng.integers(0, max(1, round(RARE * max(count, BATCH) / HOLDERS)), count)
    step = timedelta(days=YEARS_DAYS) / max(1, count // TURNS)
    made = []
    for place in range(count):
        episode, turn = divmod(place, TURNS)
        text = " ".join(part.text(texts[part.source]) for part in parts[place])
        made.append(
            {
                "id": f"m{first + place}",
                "text": text + (f" ({name(int(names[place]))})" if named[place] else ""),
                "speaker": "user" if turn % 2 == 0 else "assistant",
                "episode": f"e{first}-{episode}",
                "position": turn,
                "occurred_at": (BEGIN + episode * step + turn * timedelta(minutes=2)).isoformat(),
            }
        )
    return made, parts


def _parts(texts: Sequence[str], count: int, rng: np.random.Generator) -> list[tuple[Part, ...]]:
    """PARTS runs a memory: sentences by Zipf's law, from anywhere in each, PART words at most."""
    share = np.arange(1, len(texts) + 1) ** -ZIPF
    picks = rng.choice(len(texts), (count, PARTS), p=share / share.sum())
    words = np.array([len(text.split()) for text in texts])[picks]
    starts = rng.integers(0, np.maximum(1, words - PART + 1))
    places = np.stack([picks, starts, np.minimum(starts + PART, words), words], axis=-1)
    return [tuple(Part(*part) for part in memory) for memory in places.tolist()]


def name(number: int) -> str:
    """A made-up proper name, another for every number."""
    letters = []
    rest = number + len(SYLLABLES) ** 3  # four syllables at least
    while rest:
        rest, place = divmod(rest, len(SYLLABLES))
        letters.append(SYLLABLES[place])
    return "".join(letters).capitalize()


class Noisy:
    """An `embed` for the Retainer: answers texts in the order in which they were announced."""

    def __init__(self, known: Sources, seed: int) -> None:
        self._known = known
        self._rng = np.random.default_rng(seed)
        self._of: dict[str, tuple[Part, ...]] = {}
        self.seconds = 0.0  # spent making vectors, to be taken off the ingest time

    def announce(
        self, wanted: Sequence[Mapping[str, Any]], parts: Sequence[tuple[Part, ...]]
    ) -> None:
        """Say which parts each item of the next batch is made of."""
        self._of = {
            f"{item['speaker']}: {item['text']}": made
            for item, made in zip(wanted, parts, strict=True)
        }

    async def __call__(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]:
        """Mean of the sentences' vectors plus noise, at length 1; token vectors of the parts."""
        started = time.perf_counter()
        found = [self._one(self._of[text]) for text in texts]
        self.seconds += time.perf_counter() - started
        return found

    def _one(self, parts: Sequence[Part]) -> Embedded:
        sources = [self._known.embedded[part.source] for part in parts]
        vectors = [source.vector for source in sources if source.vector is not None]
        if not vectors:
            return Embedded(None)
        mean = np.add.reduce(vectors)
        noise = NOISE * self._rng.standard_normal(len(vectors[0]), dtype=np.float32)
        moved = mean / np.linalg.norm(mean) + noise
        tokens = [
            part.tokens(source.tokens)
            for part, source in zip(parts, sources, strict=True)
            if source.tokens is not None
        ]
        return Embedded(moved / np.linalg.norm(moved), np.concatenate(tokens) if tokens else None)


async def load(
    service: Service, bank: Bank, known: Sources, count: int, seed: int, *, first: int = 0
) -> dict[str, float]:
    """Fill the bank in batches of BATCH: seconds in all, and memories a second of the last batch.

    Statistics are gathered at once, as autovacuum would within a minute.
    """
    noisy = Noisy(known, seed)
    retainer = Retainer(service.transaction, noisy)
    wanted, parts = await asyncio.to_thread(items, known.texts, count, seed, first=first)
    seconds = last = 0.0
    for start, batch in _batches(wanted):
        noisy.announce(batch, parts[start : start + len(batch)])
        made_before, started = noisy.seconds, time.perf_counter()
        receipt = await retainer.retain(bank, batch)
        spent = time.perf_counter() - started - (noisy.seconds - made_before)
        if receipt.errors or receipt.accepted != len(batch):
            raise RuntimeError(f"loading stored {receipt.accepted} of {len(batch)} memories")
        seconds, last = seconds + spent, len(batch) / spent
        service.banks.forget(bank.name)
    return {"memories": count, "seconds": seconds, "per_s": count / seconds, "last_per_s": last}


def _batches(wanted: list[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    for start in range(0, len(wanted), BATCH):
        yield start, wanted[start : start + BATCH]
