"""A tenant's life in the bed: half of its questions are asked for months, the rest only scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from feedback.impression import TYPES, Impression
from feedback.library import TypeRows, blended
from feedback.policy import Draw, draw, noisy, team_draft
from router.presets import CHANNELS
from router.simulate.cases import TOP, Case, main_types, ndcg, order, scores
from router.simulate.learners import Learner
from router.simulate.people import USERS, User
from router.simulate.spam import SPAM

# Impressions between two versions, while few are known and later; the product goes by the clock.
SOON, OFTEN, SELDOM = 500, 25, 100
LEAST_CASES = 20  # unseen questions of a type, below which its mean is no figure
VOUCHED = 0.5  # chance that a trusted actor rates by thumb what it would have clicked
BEGUN = datetime(2026, 1, 5, tzinfo=UTC)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Who asks, and what goes wrong."""

    user: User = USERS["position"]
    actors: int = 100
    trusted: int = 0  # of the actors, whose keys an operator vouched for
    spam: str | None = None  # of SPAM
    spam_share: float = 0.2  # of the recalls
    spam_actors: int = 2
    lane: int = CHANNELS.index("emotional")  # that spam of the kind "lane" pushes
    type_errors: float = 0.0  # share of recalls whose types are another question's
    explores: bool = True


@dataclass
class Course:
    """What became of it: mean nDCG on unseen questions at each checkpoint, and the regret."""

    unseen: dict[int, float] = field(default_factory=dict)
    by_type: dict[int, dict[str, float]] = field(default_factory=dict)  # of types with enough
    served: list[float] = field(default_factory=list)  # nDCG of each page, had labels been known
    rows: TypeRows | None = None
    versions: int = 0  # times the rows served became others


@dataclass(frozen=True, slots=True)
class _Told:
    """Somebody's reaction to a page of k."""

    actor: str
    trusted: bool
    engagement: Array  # (k,)
    explicit: NDArray[np.bool_]  # (k,)


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
        if number == 1 or number % (OFTEN if number <= SOON else SELDOM) == 0:
            before, rows = rows, learner.publish()
            course.versions += int(rows is not before)
        if number in checkpoints:
            course.unseen[number], course.by_type[number] = scored(unseen(number), rows)
    course.rows = rows
    return course


def scored(cases: Sequence[Case], rows: TypeRows) -> tuple[float, dict[str, float]]:
    """Mean nDCG over the cases, and over those of each type that has LEAST_CASES."""
    found, main = scores(cases, rows), main_types(cases)
    of_type = {name: found[main == kind] for kind, name in enumerate(TYPES)}
    own = {name: float(its.mean()) for name, its in of_type.items() if len(its) >= LEAST_CASES}
    return float(found.mean()), own


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
    told = _told(case, shown, traffic, rng)
    k = len(shown)
    one = Impression(
        recall_id=recall_id,
        at=BEGUN + timedelta(minutes=number),
        actor=told.actor,
        api_key=None,
        trusted=told.trusted,
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
        engagement=told.engagement,
        explicit=told.explicit,
        teams=None if teams is None else np.array(teams[:TOP], np.int8),
    )
    return one, ndcg(case, ranked)


def _told(case: Case, shown: NDArray[np.intp], traffic: Traffic, rng: np.random.Generator) -> _Told:
    page, nothing = case.relevant[shown], np.zeros(len(shown), np.bool_)
    number = int(rng.integers(traffic.actors))
    if traffic.spam is not None and rng.random() < traffic.spam_share:
        actor = f"s{rng.integers(traffic.spam_actors)}"
        clicks = SPAM[traffic.spam](rng, page, case.ranks[shown, traffic.lane])
        return _Told(actor, False, clicks, nothing)
    clicks = traffic.user(rng, page)
    trusted = number < traffic.trusted and bool(clicks.any())  # a silent page was sent by nobody
    vouched = trusted and rng.random() < VOUCHED
    return _Told(f"a{number}", trusted, clicks, clicks > 0 if vouched else nothing)


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
