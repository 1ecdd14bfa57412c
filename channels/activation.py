"""Where the activation of one question is: a pure value that goes on hop by hop."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from channels.base import MemoryKey
from channels.spread import (
    NONE,
    Amounts,
    Degrees,
    Keys,
    Places,
    Step,
    Web,
    degrees,
    flow,
    only,
    strongest,
    unknown,
)

Pair = tuple[float, float]  # a memory's degrees, said and seen


@dataclass(frozen=True, slots=True)
class Activation:
    """What each memory of the web has, in arrays over its memories, which are ordered by key."""

    web: Web
    degree: Degrees  # 0 on both sides: unknown
    active: Amounts  # what the last hop brought
    total: Amounts  # all hops and the seeds
    way_in: Places  # the edge by which it came strongest when it first came, else NONE

    @classmethod
    def of(cls, web: Web, seeds: Mapping[MemoryKey, float]) -> "Activation":
        """Before the first hop; every seed is in the web."""
        active = web.amounts(seeds)
        return cls(web, degrees(web), active, active, np.full(len(web.keys), NONE))

    def passing(self) -> Places:
        """Places of the memories that pass activation on in the next hop, strongest first."""
        return strongest(self.active)

    def wanted(self, limit: int) -> Keys:
        """At most `limit` memories of unknown degree, those that the next hop reaches most."""
        reached = unknown(only(self.active, self.passing()), self.web, self.degree)
        return self.web.keys[strongest(reached, limit)]

    def widened(self, more: Web, known: Mapping[MemoryKey, Pair]) -> "Activation":
        """The same in a web that has more edges, with the degrees of more of its memories.

        `known`: of memories of the new web whose degrees were unknown.
        """
        web, moved = self.web.joined(more)
        count = len(web.keys)

        def placed(amounts: Amounts) -> Amounts:
            wide = np.zeros((*amounts.shape[:-1], count))
            wide[..., moved] = amounts
            return wide

        way_in = np.full(count, NONE)
        way_in[moved] = self.way_in
        degree = placed(self.degree)
        degree[:, np.searchsorted(web.keys, list(known))] += np.array(list(known.values())).T
        return Activation(web, degree, placed(self.active), placed(self.total), way_in)

    def hop(self) -> "Activation":
        """One edge further."""
        passed = only(self.active, self.passing())
        active, best = flow(passed, self.web, self.degree)
        way_in = np.where(self.way_in == NONE, best, self.way_in)
        return Activation(self.web, self.degree, active, self.total + active, way_in)

    def came_from(self, key: MemoryKey) -> Step | None:
        """How activation first reached a memory of the web; None for one that only seeds."""
        edge = int(self.way_in[np.searchsorted(self.web.keys, key)])
        return None if edge == NONE else self.web.step(edge)

    def by_key(self) -> dict[MemoryKey, float]:
        """What every activated memory has in all, strongest first, ties by key."""
        places = strongest(self.total, len(self.total))
        keys, amounts = self.web.keys[places].tolist(), self.total[places].tolist()
        return dict(zip(map(MemoryKey, keys), amounts, strict=True))
