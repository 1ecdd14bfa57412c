"""`fivefold simulate`: real lanes answer, simulated people click, the real learner learns."""

import itertools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from feedback.impression import TYPES
from feedback.library import TypeRows
from feedback.posterior import FleetPrior
from router.evaluate.asking import ask
from router.evaluate.cache import VectorCache
from router.evaluate.dataset import Dataset
from router.evaluate.scratch import scratch_banks
from router.presets import CHANNELS, default_matrix
from router.retain import Retainer
from router.simulate.cases import Case, case_of, mean_ndcg, without
from router.simulate.ceiling import best_library_row, fitted_ceiling
from router.simulate.learners import (
    Fivefold,
    InversePropensity,
    Learner,
    NaiveCredit,
    Static,
    start_of,
)
from router.simulate.profiles import rewritten
from router.simulate.stream import Course, Traffic, live
from router.simulate.vectors import NAME, NoiseEmbedder
from router.store.banks import Bank, BankConfig
from router.weights import Matrix
from router.wiring import Service

CHECKPOINTS = (100, 500, 1_000, 2_000, 3_000)
SPLIT_SEED = 7  # of the halves: the same questions are unseen in every run
COUNTS_FROM = 0.03  # nDCG that a fitted ceiling must be above the default for a profile to count
LIBRARY_SHARE = 0.965  # of the ceiling that the best library row must reach, or the bed is unfair
WEAK = "weak_embedder"
KEYWORD = CHANNELS.index("keyword")

Advance = Callable[[str, int], None]  # stage ("load", "ask", "live") and how many more are done


@dataclass(frozen=True, slots=True)
class Bed:
    """What is simulated."""

    profiles: Sequence[str]
    seeds: Sequence[int]
    checkpoints: Sequence[int] = CHECKPOINTS
    traffic: Traffic = field(default_factory=Traffic)
    rivals: bool = True  # also naive credit, inverse propensity and no learning


async def simulate(
    service: Service, dataset: Dataset, bed: Bed, cache: Path | None, advance: Advance
) -> dict[str, Any]:
    """The report: per profile and learner, what each run reached. Scratch banks are deleted."""
    report: dict[str, Any] = {"dataset": dataset.name, "profiles": {}}
    for weak, profiles in itertools.groupby(sorted(bed.profiles), lambda name: name == WEAK):
        embedder = NAME if weak else service.embedders.default
        if weak:
            service.embedders.add(NoiseEmbedder())
        default = rows_of(default_matrix(embedder))
        async with _banks(service, dataset, embedder, cache, advance) as banks:
            for profile in profiles:
                cases = await _asked(service, dataset, profile, banks, advance)
                report["profiles"][profile] = profile_report(cases, default, bed, advance)
    return report


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
    service: Service,
    dataset: Dataset,
    profile: str,
    banks: Mapping[str, Bank],
    advance: Advance,
) -> list[Case]:
    cases = []
    told = rewritten(dataset, profile)
    for number, query in enumerate(told.queries):
        advance("ask", 1)
        if not query.relevant:
            continue
        asked = await ask(service, banks[query.bank], told, query, None)
        case = case_of(query.bank, number, asked.types, asked.runs, query.relevant, CHANNELS)
        cases.append(without(case, [KEYWORD]) if profile == "missing_keyword" else case)
    return [case for case in cases if len(case.ranks)]


def rows_of(matrix: Matrix) -> TypeRows:
    """A matrix as the learner holds it."""
    weights = [[matrix.rows[kind].weights[name] for name in CHANNELS] for kind in TYPES]
    return TypeRows(np.array(weights), np.array([matrix.rows[kind].rrf_k for kind in TYPES]))


def profile_report(
    cases: Sequence[Case], default: TypeRows, bed: Bed, advance: Advance
) -> dict[str, Any]:
    """Both halves, every seed: ratios of the gap that was closed, harm and regret per learner."""
    runs: dict[str, list[dict[str, Any]]] = {}
    halves = []
    for asked, unseen in halves_of(cases):
        known = _half(asked, unseen, default)
        halves.append(known)
        for seed in bed.seeds:
            for name, learner in _learners(default, bed.rivals).items():
                course = live(
                    learner,
                    default,
                    lambda _, pool=asked: pool,  # type: ignore[misc] # bound now
                    lambda _, pool=unseen: pool,  # type: ignore[misc] # bound now
                    bed.checkpoints,
                    bed.traffic,
                    seed=seed,
                )
                runs.setdefault(name, []).append(_run(course, known, seed))
                advance("live", 1)
    return {"cases": len(cases), "halves": halves, "learners": summary(runs, halves, bed)}


def halves_of(cases: Sequence[Case]) -> list[tuple[list[Case], list[Case]]]:
    """Streamed and unseen cases, and the same the other way round."""
    mixed = np.random.default_rng(SPLIT_SEED).permutation(len(cases))
    one = [cases[at] for at in mixed[: len(cases) // 2]]
    other = [cases[at] for at in mixed[len(cases) // 2 :]]
    return [(one, other), (other, one)]


def _half(asked: Sequence[Case], unseen: Sequence[Case], default: TypeRows) -> dict[str, Any]:
    ceiling = fitted_ceiling(asked, default, seed=SPLIT_SEED)
    library = best_library_row(asked, default)
    start, top = mean_ndcg(unseen, default), mean_ndcg(unseen, ceiling)
    reached = mean_ndcg(asked, library) / mean_ndcg(asked, ceiling)
    return {
        "default": start,
        "ceiling": top,
        "asked_default": mean_ndcg(asked, default),
        "asked_ceiling": mean_ndcg(asked, ceiling),
        "library_share": reached,
        "counts": top - start >= COUNTS_FROM and reached >= LIBRARY_SHARE,
    }


def _learners(default: TypeRows, rivals: bool) -> dict[str, Learner]:
    start = start_of(CHANNELS, default)
    own: dict[str, Learner] = {"fivefold": Fivefold(start, FleetPrior.none(len(CHANNELS)))}
    if not rivals:
        return own
    return {
        **own,
        "static": Static(start),
        "naive": NaiveCredit(start),
        "ips": InversePropensity(start),
    }


def _run(course: Course, known: Mapping[str, Any], seed: int) -> dict[str, Any]:
    gap = known["ceiling"] - known["default"]
    regret = sum(known["asked_ceiling"] - served for served in course.served)
    return {
        "seed": seed,
        "unseen": course.unseen,
        "ratio": {at: (score - known["default"]) / gap for at, score in course.unseen.items()},
        "harm": {at: score / known["default"] - 1 for at, score in course.unseen.items()},
        "regret": regret,
    }


def summary(
    runs: Mapping[str, Sequence[Mapping[str, Any]]],
    halves: Sequence[Mapping[str, Any]],
    bed: Bed,
) -> dict[str, Any]:
    """Means over runs, the worst run, and regret as a share of not learning."""
    static = [run["regret"] for run in runs.get("static", ())]
    found = {}
    for name, its in runs.items():
        ratios = {at: [run["ratio"][at] for run in its] for at in bed.checkpoints}
        found[name] = {
            "ratio": {at: float(np.mean(values)) for at, values in ratios.items()},
            "sd": {at: float(np.std(values)) for at, values in ratios.items()},
            "worst_ratio": {at: float(min(values)) for at, values in ratios.items()},
            "worst_harm": float(min(min(run["harm"].values()) for run in its)),
            "regret": float(np.mean([run["regret"] for run in its])),
            "regret_share": (
                float(np.mean([run["regret"] for run in its]) / np.mean(static)) if static else None
            ),
            "runs": [replace_keys(run) for run in its],
        }
    return found


def replace_keys(run: Mapping[str, Any]) -> dict[str, Any]:
    """The run with checkpoints as text: JSON has no other keys."""
    return {
        name: {str(at): score for at, score in part.items()} if isinstance(part, dict) else part
        for name, part in run.items()
    }
