"""How far each channel can be heard under a row of weights. Pure."""

import math

from router.weights import Row


def reach(row: Row) -> dict[str, int | None]:
    """For each channel, the first rank of the dominant channel that its own first hit beats.

    A memory that only channel c found, at rank 1, scores w_c / (rrf_k + 1); the dominant channel's
    rank n scores w_max / (rrf_k + n). The smallest n with the former above the latter is the reach:
    2 means right behind the dominant channel's first hit, 40 means never within the first page.
    The dominant channel itself (and its equals) reach 1 or 2. None: beyond rank 1,000.
    """
    largest = max(row.weights.values())
    found: dict[str, int | None] = {}
    for channel, weight in row.weights.items():
        bound = (row.rrf_k + 1) * largest / weight - row.rrf_k
        rank = max(1, math.floor(bound + 1e-9) + 1)
        found[channel] = rank if rank <= 1_000 else None
    return found
