"""Which layout of feelings to keep: `python -m bench.affect_study DATA/empathetic`.

Reads the empathetic set with the vectors that `fivefold eval --cache` kept, and ranks by the
emotional lane's own blend: P@10 over the questions that name a feeling. Compared are the layout
that is stored (33 dimensions x 4 coefficients), the alternative (valence, arousal, dominance and
eight coarse groups x 12), and the stored one with each question's own word taken out of the
lexicon. Writes docs/feelings.md.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.affect import combine, grams, text_state
from channels.affect.lexicon import lexicon
from channels.arcs import DIMENSIONS, GRID, SIGNED, State, encode
from channels.base import AffectTarget
from channels.embedder import PACKAGED, SentenceEmbedder
from channels.emotional import ANY_FEELING, FEELING_SHARE, FLOOR
from router.evaluate.cache import VectorCache
from router.reading import embed_text
from router.understand import affect

CACHE = Path("bench/out/vectors")
PAGE = Path("docs/feelings.md")
TAIL = """
Stored are arcs over a memory's own turn and up to seven before it. Vectors of whole episodes have
not been measured, and the lane has none: an episode's arc is computed when it is drawn or asked by
([the API](api.md#courses-of-feeling)).
"""
COARSE = 12  # coefficients of the alternative
GROUPS: dict[str, tuple[str, ...]] = {  # of the 27 labels, and of behaviour
    "frustration": ("anger", "annoyance", "disapproval", "disgust", "frustration_behaviour"),
    "anxiety": ("fear", "nervousness"),
    "sadness": ("sadness", "disappointment", "grief", "remorse", "embarrassment"),
    "confusion": ("confusion", "confusion_behaviour"),
    "interest": ("curiosity", "desire"),
    "joy": ("joy", "amusement", "admiration", "love", "pride", "excitement", "approval",
            "optimism"),
    "relief": ("relief", "gratitude", "caring"),
    "surprise": ("surprise", "realization"),
}  # fmt: skip
HEAD = """# How feelings are stored, measured

Made by `python -m bench.affect_study DATA/empathetic` ({date}); do not edit. P@10 of the emotional
channel over the {count} questions of the set that name a feeling ("times when I felt afraid"):
{share} of feeling and the rest cosine, both in standard deviations, among texts that show one. With
{count} questions an interval is about ±.06 wide; the choice of layout was made on these
questions, which flatters it a little.

| what | P@10 |
|---|---:|
"""
Encode = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Set:
    """The set with its vectors."""

    ids: list[str]
    states: list[State | None]
    vectors: NDArray[np.float32]
    questions: list[dict[str, Any]]
    asked: NDArray[np.float32]


def fine(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The stored layout."""
    return encode(turns).astype(np.float64)


def coarse(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Valence, arousal, dominance (at 1, .7, .7) and eight groups, each over 12 cosines: (132,)."""
    columns = [[DIMENSIONS.index(name) for name in names] for names in GROUPS.values()]
    signed = turns[:, [DIMENSIONS.index(name) for name in SIGNED]] * (1.0, 0.7, 0.7)
    grouped = np.stack([turns[:, column].max(axis=1) for column in columns], axis=1)
    table = np.concatenate([signed, grouped], axis=1)
    at = np.linspace(0, len(table) - 1, GRID)
    drawn = np.stack([np.interp(at, np.arange(len(table)), column) for column in table.T])
    points = (np.arange(GRID) + 0.5) * np.pi / GRID
    basis = np.cos(np.outer(np.arange(COARSE), points)) * np.sqrt(2.0 / GRID)
    basis[0] /= np.sqrt(2.0)
    damped = (1.0 + np.arange(COARSE)) ** -0.5
    return (drawn @ basis.T / np.sqrt(GRID) * damped).ravel()


def templates(state: State, layout: Encode) -> list[NDArray[np.float64]]:
    """Constant, falling, rising and spike of a state in a layout, at length 1."""
    calm = np.zeros_like(state)
    drawn = ([state], [state, calm], [calm, state], [calm, calm, state, calm, calm])
    arcs = [layout(np.stack(turns)) for turns in drawn]
    return [arc / np.linalg.norm(arc) for arc in arcs]


def precision(
    data: Set, place: int, wanted: Sequence[NDArray[Any]], felt: NDArray[Any], floor: float = FLOOR
) -> float:
    """P@10 of one question by the lane's blend."""
    has = np.array([state is not None for state in data.states])
    product = np.max([felt @ arc for arc in wanted], axis=0)
    cosine = data.vectors @ data.asked[place]
    blend = FEELING_SHARE * standard(product[has]) + (1 - FEELING_SHARE) * standard(cosine[has])
    score = np.full(len(has), -np.inf)
    score[has] = np.where(product[has] >= floor, blend, -np.inf)
    best = np.argsort(-score, kind="stable")[:10]
    return float(np.mean([data.ids[one] in data.questions[place]["relevant"] for one in best]))


def standard(values: NDArray[Any]) -> NDArray[Any]:
    return np.asarray((values - values.mean()) / (values.std() + 1e-9))


def measured(data: Set) -> dict[str, float]:
    """P@10 of each way, mean over the questions."""
    found: dict[str, list[float]] = {}
    stored = {name: matrix(data, layout) for name, layout in LAYOUTS.items()}
    for place, question in enumerate(data.questions):
        cosine = np.argsort(-(data.vectors @ data.asked[place]), kind="stable")[:10]
        hit = float(np.mean([data.ids[one] in question["relevant"] for one in cosine]))
        found.setdefault("cosine alone", []).append(hit)
        for name, layout in LAYOUTS.items():
            state = wanted_state(affect.affect_target(question["text"]))
            score = precision(data, place, templates(state, layout), stored[name])
            found.setdefault(name, []).append(score)
        target = without(question["meta"]["emotion"], question["text"])
        score = 0.0
        if target is not None:
            floor = ANY_FEELING if target.is_unsure else FLOOR
            score = precision(data, place, target.vectors, stored[FINE], floor)
        found.setdefault("33 x 4, the question's own word not in the lexicon", []).append(score)
    return {name: float(np.mean(values)) for name, values in found.items()}


def wanted_state(target: AffectTarget | None) -> State:
    """The state a question asks for; nothing at all raises."""
    if target is None:
        raise ValueError("a question of the set names no feeling")
    return affect.with_core(affect.state_of(list(target.labels.items())))


def without(word: str, text: str) -> AffectTarget | None:
    """What is read of a question when the lexicon lacks a word, alone or in a phrase."""
    whole = lexicon()
    kept = {words: entry for words, entry in whole.entries.items() if word not in words}
    reduced = replace(whole, entries=kept)
    modules: tuple[Any, ...] = (affect, grams)
    for module in modules:
        module.lexicon = lambda: reduced
    try:
        return affect.affect_target(text)
    finally:
        for module in modules:
            module.lexicon = lexicon


def matrix(data: Set, layout: Encode) -> NDArray[np.float64]:
    """The memories' arcs, a row each; zeros where nothing is felt."""
    empty = np.zeros(len(layout(np.zeros((1, len(DIMENSIONS))))))
    return np.array([empty if one is None else layout(one[None, :]) for one in data.states])


FINE = "33 x 4, as stored"
LAYOUTS: dict[str, Encode] = {FINE: fine, "11 x 12, eight coarse groups": coarse}


async def load(folder: Path) -> Set:
    """The set; texts that the cache lacks are embedded."""
    memories, questions = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("memories.jsonl", "queries.jsonl")
    )
    questions = [one for one in questions if one["type"] == "emotion-label"]
    bank: Any = SimpleNamespace(embedder_name=PACKAGED, dim=384)
    model = SentenceEmbedder()
    with VectorCache(CACHE, lambda _, texts: model.embed_tokens(texts)) as cache:
        texts = [embed_text(one["text"], one.get("speaker"), None, None) for one in memories]
        made = await cache.embed(bank, texts)
        asked = await cache.embed(bank, [one["text"] for one in questions])
    model.close()
    return Set(
        [one["id"] for one in memories],
        [combine(text_state(one["text"]), None, None) for one in memories],
        np.array([one.vector for one in made], np.float32),
        questions,
        np.array([one.vector for one in asked], np.float32),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    data = asyncio.run(load(parser.parse_args().data))
    rows = [f"| {name} | {value:.3f} |" for name, value in measured(data).items()]
    head = HEAD.format(
        date=datetime.now(UTC).date(), count=len(data.questions), share=FEELING_SHARE
    )
    page = head + "\n".join(rows) + "\n" + TAIL
    PAGE.write_text(page, "utf-8")
    print(page)


if __name__ == "__main__":
    main()
