"""Runs of the bed against the ceiling that labels set: ratio, harm, regret. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from feedback.library import TypeRows
from router.simulate.cases import Case, mean_ndcg
from router.simulate.ceiling import best_library_row, fitted_ceiling
from router.simulate.gathering import Pool
from router.simulate.learners import Learner
from router.simulate.stream import Course, Traffic, live, scored

SPLIT_SEED = 7  # of the halves: the same questions are unseen in every run

Make = Callable[[TypeRows], Learner]  # default rows -> a fresh learner


@dataclass(frozen=True, slots=True)
class Half:
    """Questions that stream, questions that are only scored, and what labels would reach."""

    asked: Sequence[Case]
    unseen: Sequence[Case]
    default: float  # mean nDCG on the unseen
    by_type: Mapping[str, float]  # of the default
    ceiling: float
    asked_default: float
    asked_ceiling: float
    library_share: float  # of asked_ceiling, by the library's best row

    def as_json(self) -> dict[str, float]:
        """Its figures."""
        names = ("default", "ceiling", "asked_default", "asked_ceiling", "library_share")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Run:
    """One learner's life in one half, at each checkpoint."""

    seed: int
    unseen: Mapping[int, float]  # nDCG
    ratio: Mapping[int, float]  # of the gap between default and ceiling, closed
    harm: Mapping[int, float]  # relative to the default; below 0 is worse
    by_type: Mapping[int, Mapping[str, float]]  # relative to the default of the type
    regret: float  # against the ceiling, summed over the pages served
    versions: int  # published


def halves_of(pool: Pool) -> list[Half]:
    """Streamed and unseen questions, and the same the other way round."""
    cases = pool.cases
    mixed = np.random.default_rng(SPLIT_SEED).permutation(len(cases))
    one = [cases[at] for at in mixed[: len(cases) // 2]]
    other = [cases[at] for at in mixed[len(cases) // 2 :]]
    return [_half(one, other, pool.default), _half(other, one, pool.default)]


def _half(asked: Sequence[Case], unseen: Sequence[Case], default: TypeRows) -> Half:
    ceiling = fitted_ceiling(asked, default, seed=SPLIT_SEED)
    start, by_type = scored(unseen, default)
    top = mean_ndcg(asked, ceiling)
    return Half(
        asked=asked,
        unseen=unseen,
        default=start,
        by_type=by_type,
        ceiling=mean_ndcg(unseen, ceiling),
        asked_default=mean_ndcg(asked, default),
        asked_ceiling=top,
        library_share=mean_ndcg(asked, best_library_row(asked, default)) / top,
    )


def lived(
    half: Half,
    default: TypeRows,
    make: Make,
    traffic: Traffic,
    checkpoints: Sequence[int],
    seed: int,
) -> Run:
    """One run: the half's asked questions stream past the people of `traffic`."""
    course = live(
        make(default),
        default,
        lambda _: half.asked,
        lambda _: half.unseen,
        checkpoints,
        traffic,
        seed=seed,
    )
    return run_of(course, half, seed)


def run_of(course: Course, half: Half, seed: int) -> Run:
    """A course against its half's default and ceiling."""
    gap = half.ceiling - half.default
    return Run(
        seed=seed,
        unseen=course.unseen,
        ratio={at: (score - half.default) / gap for at, score in course.unseen.items()},
        harm={at: score / half.default - 1 for at, score in course.unseen.items()},
        by_type={
            at: {kind: score / half.by_type[kind] - 1 for kind, score in its.items()}
            for at, its in course.by_type.items()
        },
        regret=sum(half.asked_ceiling - served for served in course.served),
        versions=course.versions,
    )


def summary(runs: Sequence[Run], static: float | None = None) -> dict[str, Any]:
    """Means over runs, the worst run, and regret as a share of not learning. Keys are text."""
    checkpoints = list(runs[0].unseen)
    ratios = {at: [run.ratio[at] for run in runs] for at in checkpoints}
    harms = {at: [run.harm[at] for run in runs] for at in checkpoints}
    regret = float(np.mean([run.regret for run in runs]))
    return {
        "ratio": {str(at): float(np.mean(its)) for at, its in ratios.items()},
        "sd": {str(at): float(np.std(its)) for at, its in ratios.items()},
        "lowest": {str(at): float(min(its)) for at, its in ratios.items()},
        "value": {str(at): float(np.mean(its)) for at, its in harms.items()},
        "lowest_value": {str(at): float(min(its)) for at, its in harms.items()},
        "worst_harm": min(min(its) for its in harms.values()),
        "types": _types(runs, checkpoints),
        "versions": float(np.mean([run.versions for run in runs])),
        "regret": regret,
        "regret_share": None if static is None else regret / static,
        "runs": [{"seed": run.seed, "unseen": _text(run.unseen)} for run in runs],
    }


def _types(runs: Sequence[Run], checkpoints: Sequence[int]) -> dict[str, dict[str, float]]:
    """Type -> checkpoint -> gain relative to the default, mean over the runs that have the type."""
    found: dict[str, dict[str, float]] = {}
    for at in checkpoints:
        for kind in sorted({kind for run in runs for kind in run.by_type[at]}):
            its = [run.by_type[at][kind] for run in runs if kind in run.by_type[at]]
            found.setdefault(kind, {})[str(at)] = float(np.mean(its))
    return found


def _text(part: Mapping[int, float]) -> dict[str, float]:
    return {str(at): score for at, score in part.items()}
