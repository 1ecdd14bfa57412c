"""One recall a query, and what every system would have answered from the same five runs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from channels.base import Hit
from channels.errors import RecallError
from router.answer import Answer, RecallRequest
from router.confidence import Adjustment, adjusted
from router.describe import describe
from router.evaluate.dataset import Dataset, Query
from router.evaluate.metrics import DEPTH
from router.features import ranks_and_scores
from router.fuse import weighted_rrf
from router.presets import CHANNELS, preset
from router.record import Decision
from router.store.banks import Bank
from router.weights import Matrix, blend
from router.wiring import Service

FUSED_BASELINES = ("uniform", "published")
SYSTEMS = ("fivefold", *FUSED_BASELINES, *CHANNELS)

Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query after its recall: memory ids only, best first."""

    query: Query
    types: Mapping[str, float]
    runs: Mapping[str, Ids]  # channel -> its own run; absent when it failed
    ranked: Mapping[str, Ids]  # system -> its list, at most DEPTH long
    degraded: tuple[str, ...]
    ms: float
    candidates: "Candidates | None" = None  # only where it was asked for
    factors: Mapping[str, float] = field(default_factory=dict)  # on every row's weights


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the residual ranker reads of a recall, in fused order."""

    ids: Ids
    ranks: NDArray[np.int16]  # (candidates, channels), 0 = not returned
    features: NDArray[np.float32] | None  # (candidates, features); None: a degraded recall


async def ask(
    service: Service,
    bank: Bank,
    dataset: Dataset,
    query: Query,
    rows: Matrix | None,
    *,
    described: bool = False,
) -> Asked:
    """Recall one query. Of the query, only its text and time are used.

    With `rows`, they weigh the runs of `fivefold` instead of the bank's live matrix. `described`
    keeps features of all candidates.
    """
    request = RecallRequest(
        query.text, dataset.asked_at(query), "UTC", k=DEPTH, depth=DEPTH, explore=False
    )
    decision = await service.recaller.decide(bank, request)
    answer = service.recaller.record(decision)
    runs = {name: _ids(answer, run) for name, run in answer.found.runs.items()}
    matrices = {name: preset(name, bank.embedder_name) for name in FUSED_BASELINES}
    own = tuple(answer.facts[item.key].id for item in answer.fused[:DEPTH])
    ranked = {channel: runs.get(channel, ())[:DEPTH] for channel in CHANNELS}
    ranked |= {name: _fused(answer, matrix) for name, matrix in matrices.items()}
    if rows is not None:
        own = _fused(answer, rows, answer.adjustments)
    ranked = {"fivefold": own, **ranked}
    candidates = await _candidates(service, decision) if described else None
    ms = answer.timings_ms["total"]
    factors = {one.channel: one.factor for one in answer.adjustments}
    return Asked(query, answer.types, runs, ranked, answer.degraded, ms, candidates, factors)


async def _candidates(service: Service, decision: Decision) -> Candidates:
    answer = decision.answer
    ids = tuple(answer.facts[item.key].id for item in answer.fused)
    ranks, _ = ranks_and_scores(answer.fused, CHANNELS)
    table: NDArray[np.float32] | None = None
    with suppress(RecallError, TimeoutError):
        async with service.reading(decision.bank.key) as conn:
            table = await describe(conn, decision.question, answer.fused, answer.facts, CHANNELS)
    return Candidates(ids, ranks, table)


def _fused(answer: Answer, matrix: Matrix, given: Sequence[Adjustment] = ()) -> Ids:
    row = adjusted(blend(matrix, answer.types), given)
    fused = weighted_rrf(answer.found.runs, row.weights, rrf_k=row.rrf_k)
    known = [item.key for item in fused if item.key in answer.facts]
    return tuple(answer.facts[key].id for key in known[:DEPTH])


def _ids(answer: Answer, run: Sequence[Hit]) -> Ids:
    # A dict keeps the first of repeated hits; facts leave out what is gone since the search.
    return tuple(dict.fromkeys(answer.facts[h.key].id for h in run if h.key in answer.facts))
