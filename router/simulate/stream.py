"""A tenant's life in the bed: half of its questions are asked for months, the rest only scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from feedback.impression import Impression
from feedback.library import TypeRows, blended
from feedback.policy import Draw, draw, noisy, team_draft
from router.presets import CHANNELS
from router.simulate.cases import TOP, Case, mean_ndcg, ndcg, order
from router.simulate.learners import Learner
from router.simulate.people import USERS, User

PUBLISH_EVERY = 25  # impressions between two versions; the product publishes by the clock
BEGUN = datetime(2026, 1, 5, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Traffic:
    """Who asks, and what goes wrong."""

    user: User = USERS["position"]
    actors: int = 100
    spam: User | None = None
    spam_share: float = 0.2
    spam_actors: int = 2
    type_errors: float = 0.0  # share of recalls whose types are another question's
    explores: bool = True


@dataclass
class Course:
    """What became of it: mean nDCG on unseen questions at each checkpoint, and the regret."""

    unseen: dict[int, float] = field(default_factory=dict)
    served: list[float] = field(default_factory=list)  # nDCG of each page, had labels been known
    rows: TypeRows | None = None


def live(
    learner: Learner,
    default: TypeRows,
    asked: Callable[[int], Sequence[Case]],
    unseen: Callable[[int], Sequence[Case]],
    checkpoints: Sequence[int],
    traffic: Traffic,
    *,
    seed: int,
) -> Course:
    """Stream impressions up to the last checkpoint. `asked` and `unseen`: cases at impression n."""
    rng, course = np.random.default_rng(seed), Course()
    rows = learner.publish()
    for number in range(1, max(checkpoints) + 1):
        pool = asked(number)
        case = pool[int(rng.integers(len(pool)))]
        recall_id = f"{seed}-{number}"
        one, served = impression(case, pool, rows, default, traffic, rng, recall_id, number)
        course.served.append(served)
        learner.learn(one)
        if number % PUBLISH_EVERY == 0:
            rows = learner.publish()
        if number in checkpoints:
            course.unseen[number] = mean_ndcg(unseen(number), rows)
    course.rows = rows
    return course


def impression(
    case: Case,
    pool: Sequence[Case],
    rows: TypeRows,
    default: TypeRows,
    traffic: Traffic,
    rng: np.random.Generator,
    recall_id: str,
    number: int,
) -> tuple[Impression, float]:
    """One recall as the product would answer it, and somebody's clicks on it; its nDCG."""
    types = case.types
    if rng.random() < traffic.type_errors:
        types = pool[int(rng.integers(len(pool)))].types
    chosen = draw(recall_id, explores=traffic.explores and number > 1)
    weights, rrf_k = blended(rows, types)
    weights = noisy(weights, chosen)
    ranked, teams = _page(case, weights, rrf_k, types, default, chosen)
    shown = ranked[:TOP]
    user, actor = traffic.user, f"a{rng.integers(traffic.actors)}"
    if traffic.spam is not None and rng.random() < traffic.spam_share:
        user, actor = traffic.spam, f"s{rng.integers(traffic.spam_actors)}"
    engagement = user(rng, case.relevant[shown])
    k = len(shown)
    one = Impression(
        recall_id=recall_id,
        at=BEGUN + timedelta(minutes=number),
        actor=actor,
        api_key=None,
        trusted=False,
        policy=chosen.policy,
        propensity=chosen.propensity,
        version=0,
        channels=CHANNELS,
        types=types,
        weights=weights,
        rrf_k=rrf_k,
        ranks=case.ranks[ranked],
        question=case.question,
        keys=shown.astype(np.int64),
        page=np.arange(k),
        positions=np.arange(1, k + 1),
        exposed=np.ones(k, np.bool_),
        engagement=engagement,
        explicit=np.zeros(k, np.bool_),
        teams=None if teams is None else np.array(teams[:TOP], np.int8),
    )
    return one, ndcg(case, ranked)


def _page(
    case: Case,
    weights: NDArray[np.float64],
    rrf_k: float,
    types: NDArray[np.float64],
    default: TypeRows,
    chosen: Draw,
) -> tuple[NDArray[np.intp], list[int] | None]:
    ranked = order(case, weights, rrf_k)
    if chosen.policy != "holdback":
        return ranked, None
    rival = order(case, *blended(default, types))
    placed, teams = team_draft(ranked.tolist(), rival.tolist(), chosen)
    return np.array(placed, np.intp), teams
