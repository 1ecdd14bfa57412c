"""A judged question as the bed asks it again and again: its five runs, kept as ranks. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from feedback.impression import TYPES
from feedback.library import TypeRows, blended, leaders, rank_table

TOP = 10  # ranks that are shown and scored
DISCOUNT = 1.0 / np.log2(2.0 + np.arange(TOP))

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One question. n candidates, in the order of their ids; C channels."""

    bank: str
    question: int
    types: Array  # (5,)
    ranks: NDArray[np.int16]  # (n, C), 0 = not returned
    relevant: NDArray[np.bool_]  # (n,)
    wanted: int  # relevant memories in the bank, found or not


def case_of(
    bank: str,
    question: int,
    types: Mapping[str, float],
    runs: Mapping[str, Sequence[str]],
    relevant: Collection[str],
    channels: Sequence[str],
) -> Case:
    """A case from runs of memory ids, best first; a channel that failed is absent."""
    ids = sorted({memory for run in runs.values() for memory in run})
    row = {memory: at for at, memory in enumerate(ids)}
    ranks = np.zeros((len(ids), len(channels)), np.int16)
    for column, channel in enumerate(channels):
        for rank, memory in enumerate(dict.fromkeys(runs.get(channel, ())), 1):
            ranks[row[memory], column] = rank
    return Case(
        bank,
        question,
        np.array([types[kind] for kind in TYPES]),
        ranks,
        np.array([memory in relevant for memory in ids], np.bool_),
        len(relevant),
    )


def without(case: Case, columns: Iterable[int]) -> Case:
    """The case with those lanes broken: they return nothing; what only they found is gone."""
    ranks = case.ranks.copy()
    ranks[:, list(columns)] = 0
    left = ranks.any(axis=1)
    return replace(case, ranks=ranks[left], relevant=case.relevant[left])


def misled(case: Case, column: int) -> Case:
    """The case with that lane answering nonsense: as many memories, that no other lane finds.

    As an import with wrong dates does to the temporal lane, or a wrong analyser to keywords.
    """
    found = int((case.ranks[:, column] > 0).sum())
    nonsense = np.zeros((found, case.ranks.shape[1]), np.int16)
    nonsense[:, column] = np.arange(1, found + 1)
    rest = without(case, [column])
    return replace(
        case,
        ranks=np.concatenate([rest.ranks, nonsense]),
        relevant=np.concatenate([rest.relevant, np.zeros(found, np.bool_)]),
    )


def order(case: Case, weights: Array, rrf_k: float) -> NDArray[np.intp]:
    """Candidates as that row ranks them, best first, (n,)."""
    ranks = rank_table(case.ranks, weights[None, :], np.array([rrf_k]))[:, 0]
    return np.argsort(ranks, kind="stable")


def best(case: Case, weights: Array, rrf_k: float) -> NDArray[np.intp]:
    """The first TOP of `order`."""
    found: NDArray[np.intp] = leaders(case.ranks, weights[None, :], np.array([rrf_k]), TOP)[0]
    return found


def ndcg(case: Case, ranked: NDArray[np.intp]) -> float:
    """Binary nDCG at TOP, in [0, 1]."""
    gained = case.relevant[ranked[:TOP]] @ DISCOUNT[: len(ranked[:TOP])]
    return float(gained / DISCOUNT[: min(TOP, case.wanted)].sum())


def scores(cases: Sequence[Case], rows: TypeRows) -> Array:
    """Each case's nDCG under rows blended by its types, (n,)."""
    return np.array([ndcg(case, best(case, *blended(rows, case.types))) for case in cases])


def mean_ndcg(cases: Sequence[Case], rows: TypeRows) -> float:
    """Mean nDCG of the cases."""
    return float(scores(cases, rows).mean())


def main_types(cases: Sequence[Case]) -> NDArray[np.intp]:
    """The likeliest type of each case, (n,)."""
    return np.array([int(np.argmax(case.types)) for case in cases], np.intp)
