"""What a recall is answered with: the learned row, some noise on it, or half the default. Pure."""

from collections.abc import Mapping, Sequence

import numpy as np

from channels.base import Hit, MemoryKey
from feedback.policy import Draw, draw, noisy, team_draft
from router.fuse import Fused, weighted_rrf
from router.weights import Row

AS_IT_IS = Draw("learned", 1.0, 0, 0.0)
Teams = Mapping[MemoryKey, int]  # who placed each memory: 1 the learned row, 0 the default


def drawn(recall_id: str, learned: Row, *, explores: bool) -> tuple[Row, Draw]:
    """The row served and how it was drawn; everything follows from the recall's id."""
    chosen = draw(recall_id, explores=explores)
    return with_noise(learned, chosen), chosen


def with_noise(row: Row, chosen: Draw) -> Row:
    """The row with the recall's noise; the row itself where the recall does not explore."""
    if chosen.noise == 0:
        return row
    channels = list(row.weights)
    weights = noisy(np.array([row.weights[name] for name in channels], np.float64), chosen)
    return Row(dict(zip(channels, weights.tolist(), strict=True)), row.rrf_k)


def interleaved(
    fused: Sequence[Fused], runs: Mapping[str, Sequence[Hit]], default: Row, chosen: Draw
) -> tuple[list[Fused], Teams | None]:
    """For a held-back recall the list drafted from the learned and the default order, with teams.

    Any other list stays, and so does one that both rows order alike: there nothing is compared.
    """
    if chosen.policy != "holdback":
        return list(fused), None
    known = {item.key: item for item in fused}
    order = [item.key for item in weighted_rrf(runs, default.weights, rrf_k=default.rrf_k)]
    if order == list(known):
        return list(fused), None
    drafted, teams = team_draft(list(known), order, chosen)
    keys = [MemoryKey(key) for key in drafted]
    return [known[key] for key in keys], dict(zip(keys, teams, strict=True))
