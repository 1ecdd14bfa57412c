"""The real lanes, asked once each question of a kind of traffic."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from feedback.impression import TYPES
from feedback.library import TypeRows
from router.evaluate.asking import ask
from router.evaluate.cache import VectorCache
from router.evaluate.dataset import Dataset
from router.evaluate.scratch import scratch_banks
from router.presets import CHANNELS, preset
from router.retain import Retainer
from router.simulate.cases import Case, case_of, misled, without
from router.simulate.keeping import keep, kept, place_of
from router.simulate.profiles import rewritten
from router.simulate.vectors import NAME, NoiseEmbedder
from router.store.banks import Bank, BankConfig
from router.weights import Matrix
from router.wiring import Service

WEAK = "weak_embedder"
TEMPORAL, KEYWORD, GRAPH = (CHANNELS.index(name) for name in ("temporal", "keyword", "graph"))
AGAIN = 3  # times a question is asked again when a lane came too late: a busy machine is no lesson

Advance = Callable[[str, int], None]  # stage ("load", "ask", "live") and how many more are done


# Kinds of traffic made of what the lanes answered to another: that one, and what is done to a case.
DERIVED: Mapping[str, tuple[str, Callable[[Case], Case]]] = {
    "missing_keyword": ("natural", lambda case: without(case, [KEYWORD])),
    "wrong_dates": ("dated", lambda case: misled(case, TEMPORAL)),
    "wrong_words": ("natural", lambda case: misled(misled(case, KEYWORD), GRAPH)),
}


@dataclass(frozen=True, slots=True)
class Pool:
    """A kind of traffic: its cases, and the rows that its banks begin with."""

    cases: Sequence[Case]
    default: TypeRows


@dataclass(frozen=True, slots=True)
class Folders:
    """What is kept on disk, where anything is."""

    vectors: Path | None = None
    cases: Path | None = None


async def pools(
    service: Service,
    dataset: Dataset,
    profiles: Sequence[str],
    folders: Folders,
    advance: Advance,
    *,
    start: str = "default",
) -> dict[str, Pool]:
    """Each profile's pool, in the order given; its banks begin with the preset `start`.

    Scratch banks are deleted.
    """
    asked = {DERIVED[name][0] if name in DERIVED else name for name in profiles}
    cases: dict[str, list[Case]] = {}
    for embedder in (service.embedders.default, NAME):
        its = sorted(name for name in asked if (name == WEAK) == (embedder == NAME))
        cases |= await _of_embedder(service, dataset, its, embedder, folders, advance)
    for name in DERIVED.keys() & {*profiles}:
        source, change = DERIVED[name]
        changed = [change(case) for case in cases[source]]
        cases[name] = [case for case in changed if len(case.ranks)]
    # A weak model too: nothing in a model's name says that it fails on what a bank holds.
    begun = rows_of(preset(start, service.embedders.default))
    return {name: Pool(cases[name], begun) for name in profiles}


async def _of_embedder(
    service: Service,
    dataset: Dataset,
    profiles: Sequence[str],
    embedder: str,
    folders: Folders,
    advance: Advance,
) -> dict[str, list[Case]]:
    """Cases by profile; banks are loaded only where not all of them are kept."""
    told = {name: rewritten(dataset, name) for name in profiles}

    def place(name: str) -> Path | None:
        return folders.cases and place_of(folders.cases, told[name], name, embedder)

    places = {name: place(name) for name in profiles}
    found = {name: kept(path) for name, path in places.items() if path and path.exists()}
    missing = [name for name in profiles if name not in found]
    if not missing:
        return found
    if embedder == NAME:
        service.embedders.add(NoiseEmbedder())
    async with _banks(service, dataset, embedder, folders.vectors, advance) as banks:
        for name in missing:
            found[name] = await _asked(service, told[name], banks, advance)
            if path := places[name]:
                keep(path, found[name])
    return found


@asynccontextmanager
async def _banks(
    service: Service, dataset: Dataset, embedder: str, cache: Path | None, advance: Advance
) -> AsyncIterator[Mapping[str, Bank]]:
    with ExitStack() as closing:
        embed = service.embedders.embed
        if cache is not None and embedder != NAME:
            embed = closing.enter_context(VectorCache(cache, embed)).embed
        retainer = Retainer(service.transaction, embed, service.retainer.names)
        config = BankConfig(embedder=embedder)
        async with scratch_banks(
            service, retainer, dataset, lambda count: advance("load", count), config=config
        ) as banks:
            yield banks


async def _asked(
    service: Service, told: Dataset, banks: Mapping[str, Bank], advance: Advance
) -> list[Case]:
    cases = []
    for number, query in enumerate(told.queries):
        advance("ask", 1)
        if not query.relevant:
            continue
        asked = await ask(service, banks[query.bank], told, query, None)
        for _ in range(AGAIN):
            if {*CHANNELS} <= {*asked.runs}:
                break
            asked = await ask(service, banks[query.bank], told, query, None)
        cases.append(case_of(query.bank, number, asked.types, asked.runs, query.relevant, CHANNELS))
    return [case for case in cases if len(case.ranks)]


def rows_of(matrix: Matrix) -> TypeRows:
    """A matrix as the learner holds it."""
    weights = [[matrix.rows[kind].weights[name] for name in CHANNELS] for kind in TYPES]
    return TypeRows(np.array(weights), np.array([matrix.rows[kind].rrf_k for kind in TYPES]))
