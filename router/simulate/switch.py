"""A lane that breaks in the middle of a bank's life. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from router.presets import CHANNELS
from router.simulate.cases import Case, mean_ndcg, without
from router.simulate.gathering import Advance, Pool
from router.simulate.scoring import Half, Make, summary
from router.simulate.scoring import run_of as scored_run
from router.simulate.stream import Traffic, live, scored

BREAKS_AT = 4_000
AFTER = (0, 1_000, 3_500, 6_000)  # impressions after it
KEYWORD = CHANNELS.index("keyword")


def switch(
    pool: Pool, halves: Sequence[Half], make: Make, seeds: Sequence[int], advance: Advance
) -> dict[str, Any]:
    """The keyword lane returns nothing from BREAKS_AT on; scored is what is left of it.

    The checkpoint 0 is the last healthy row on the broken questions.
    """
    runs, defaults = [], []
    for half in halves:
        asked, unseen = _broken(half.asked), _broken(half.unseen)
        default, by_type = scored(unseen, pool.default)
        broken = replace(half, asked=asked, unseen=unseen, default=default, by_type=by_type)
        defaults.append(default)
        for seed in seeds:
            course = live(
                make(pool.default),
                pool.default,
                lambda n, old=half.asked, new=asked: new if n > BREAKS_AT else old,  # type: ignore[misc] # bound now
                lambda _, new=unseen: new,  # type: ignore[misc] # bound now
                [BREAKS_AT + after for after in AFTER],
                Traffic(),
                seed=seed,
            )
            runs.append(scored_run(course, broken, seed))
            advance("live", 1)
    told = summary(runs)
    return {
        "default": float(np.mean(defaults)),
        "healthy_default": float(
            np.mean([mean_ndcg(half.unseen, pool.default) for half in halves])
        ),
        "breaks_at": BREAKS_AT,
        **{name: told[name] for name in ("value", "lowest_value")},
    }


def _broken(cases: Sequence[Case]) -> list[Case]:
    return [case for case in (without(one, [KEYWORD]) for one in cases) if len(case.ranks)]
