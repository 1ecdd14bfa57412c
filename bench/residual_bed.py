"""The bed: a tenant's questions stream by, clicks come back, unseen questions are scored.

Drives feedback.residual as production does: a page becomes an Impression, and nothing else goes in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zlib import crc32

import numpy as np

from bench.residual_clicks import Crowd, Look, Scenario
from bench.residual_data import Array, Judged, default_type_rows, mean_ndcg
from bench.residual_fit import fit
from feedback.examination import ETA, EVERY, measured_eta
from feedback.impression import Impression
from feedback.learner import shared_out
from feedback.offpolicy import COMPARED
from feedback.residual import ResidualState
from router.features import FEATURE_VERSION, TEXT_FEATURES, model_names
from router.presets import CHANNELS

CHECKPOINTS = (100, 300, 1_000, 3_000, 10_000)
NAMES = model_names(CHANNELS)
AT = datetime(2026, 1, 1, tzinfo=UTC)
LENGTH = TEXT_FEATURES.index("length")
ROWS = default_type_rows()

Make = Callable[[Array], ResidualState]  # prior mean -> a fresh state


@dataclass(frozen=True, slots=True)
class Tenant:
    """A user's banks: what is asked of them, and what learning is judged by."""

    set_name: str
    direction: int
    streamed: Sequence[Judged]
    same: Sequence[Judged]  # other questions of the same banks
    other: Sequence[Judged]  # questions of other banks; the same again where there is one bank


@dataclass(frozen=True, slots=True)
class Point:
    """One run at one checkpoint: gains in nDCG@10 over the base on unseen questions."""

    impressions: int
    learnt: float  # of the weights, whatever the gate says; mean of same and other
    other: float  # of the weights, on other banks only
    served: float  # of what is served
    live: float  # of the pages shown since the last checkpoint, served less base
    is_on: bool


def tenants(name: str, judged: Sequence[Judged], seed: int) -> list[Tenant]:
    """Both directions: each half of the banks (of the questions, where there is one bank) once."""
    rng = np.random.default_rng(seed)
    banks = sorted({one.name.split(":")[0] for one in judged})
    found = []
    half = set(rng.permutation(banks)[: len(banks) // 2].tolist()) if len(banks) > 1 else set()
    inside = [one.name.split(":")[0] in half for one in judged]
    if not half:
        inside = (rng.permutation(len(judged)) < len(judged) // 2).tolist()
    for direction in (0, 1):
        own = [one for one, here in zip(judged, inside, strict=True) if here != bool(direction)]
        rest = [one for one, here in zip(judged, inside, strict=True) if here == bool(direction)]
        if not half:
            found.append(Tenant(name, direction, own, rest, rest))
            continue
        order = rng.permutation(len(own))
        streamed = [own[place] for place in order[: len(own) // 2]]
        same = [own[place] for place in order[len(own) // 2 :]]
        found.append(Tenant(name, direction, streamed, same, rest))
    return found


def label_gain(tenant: Tenant) -> float:
    """What labels of the streamed questions would gain on unseen ones."""
    weights = fit(tenant.streamed)
    return gain(tenant, weights)


def gain(tenant: Tenant, weights: Array) -> float:
    """nDCG@10 over the base, mean of same and other."""
    parts = (tenant.same, tenant.other)
    return float(np.mean([mean_ndcg(part, weights) - mean_ndcg(part) for part in parts]))


def run(
    tenant: Tenant,
    scenario: Scenario,
    prior: Array,
    seed: int,
    *,
    until: int,
    make: Make | None = None,
) -> list[Point]:
    """One stream; a point for each checkpoint up to `until`."""
    rng = np.random.default_rng(seed)
    crowd = Crowd(scenario, rng)
    state = make(prior) if make else ResidualState.empty(NAMES, FEATURE_VERSION, prior)
    points: list[Point] = []
    live: list[float] = []
    seen: list[Impression] = []
    eta = ETA
    for number in range(1, until + 1):
        one = tenant.streamed[int(rng.integers(len(tenant.streamed)))]
        weights = state.served() if state.is_served else None
        page = one.page(weights)
        if weights is not None:
            live.append(one.worth(page) - one.ndcg())
        look = crowd.impression(one.relevant[page], one.features[page, LENGTH])
        told = impression(one, page, look, f"r{number}")
        state.update(told, ROWS, prior, eta=eta)
        seen = [*seen[-COMPARED + 1 :], told]
        if number % EVERY == 0:
            eta = measured_eta(shared_out(seen))
        if number in CHECKPOINTS:
            shown = number - (points[-1].impressions if points else 0)
            points.append(_point(tenant, state, number, sum(live) / shown))
            live = []
    return points


def impression(
    one: Judged,
    page: np.ndarray[tuple[int], np.dtype[np.intp]],
    look: Look,
    name: str,
) -> Impression:
    """The closed recall, as the plumbing would build it from the record and the events."""
    k = len(page)
    return Impression(
        recall_id=name,
        at=AT,
        actor=look.actor,
        api_key=None,
        trusted=look.trusted,
        policy="learned",
        propensity=1.0,
        version=0,
        channels=CHANNELS,
        types=one.types,
        weights=one.weights,
        rrf_k=one.rrf_k,
        ranks=one.ranks,
        question=crc32(one.name.encode()),
        keys=page.astype(np.int64),
        page=page,
        positions=np.arange(1, k + 1),
        exposed=np.ones(k, bool),
        engagement=look.clicks,
        explicit=(look.clicks > 0) & look.rated,
        features=one.features[page],
        feature_version=FEATURE_VERSION,
    )


def _point(tenant: Tenant, state: ResidualState, number: int, live: float) -> Point:
    weights = state.ungated()
    learnt = gain(tenant, weights)
    other = mean_ndcg(tenant.other, weights) - mean_ndcg(tenant.other)
    served = gain(tenant, state.served()) if state.is_served else 0.0
    return Point(number, learnt, other, served, live, state.is_served)
