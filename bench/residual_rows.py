"""Both learners on one log: does the matrix's row help the residual where a lane is broken?"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bench.residual_bed import Tenant, label_gain, run
from bench.residual_clicks import USUAL
from bench.residual_data import Array, Judged
from feedback.examination import ETA
from feedback.impression import Impression
from feedback.lane_prior import with_row
from feedback.lanes import base_scores, contrast_scores
from feedback.library import TypeRows, normalised
from feedback.posterior import MatrixState
from feedback.residual import SCALE, ResidualState, design
from router.features import FEATURE_VERSION, feature_names, model_names
from router.presets import CHANNELS

UNTIL = 1_000
BROKEN = "semantic"
# Whatever else a model that embeds nonsense would tell.
ITS_FEATURES = ("cosine", "meaning_previous", "meaning_next", "meaning_episode")


@dataclass
class Paired(ResidualState):
    """The residual as a bank's learner feeds it: the matrix's row is its prior mean."""

    matrix: MatrixState = field(default_factory=lambda: MatrixState.empty(CHANNELS))

    def update(self, one: Impression, rows: TypeRows, prior: Array, *, eta: float = ETA) -> bool:
        self.matrix.update(one, rows, eta=eta)
        return super().update(one, rows, with_row(prior, self.matrix, rows), eta=eta)


def broken(one: Judged, rng: np.random.Generator) -> Judged:
    """The question with what the lane says dealt to other candidates."""
    dealt = rng.permutation(len(one.ranks))
    names = feature_names(CHANNELS)
    columns = [names.index(name) for name in (*ITS_FEATURES, f"score_{BROKEN}")]
    lane = CHANNELS.index(BROKEN)
    ranks, features = one.ranks.copy(), one.features.copy()
    ranks[:, lane] = ranks[dealt, lane]
    features[:, columns] = features[dealt][:, columns]
    left = ranks.any(axis=1)
    ranks, features, relevant = ranks[left], features[left], one.relevant[left]
    base = SCALE * base_scores(ranks, normalised(one.weights), one.rrf_k)
    order = np.argsort(-base, kind="stable")
    ranks, features, base = ranks[order], features[order], base[order]
    table = design(features, contrast_scores(ranks), base)
    return replace(
        one, ranks=ranks, features=features, relevant=relevant[order], base=base, table=table
    )


def rows_study(tenants: Sequence[Tenant], prior: Array, seeds: Sequence[int]) -> dict[str, Any]:
    """Share of the label gain by checkpoint, healthy and broken, without and with the row."""
    names = model_names(CHANNELS)

    def paired(start: Array) -> ResidualState:
        return Paired.empty(names, FEATURE_VERSION, start)

    found = {}
    for kind, known in (("healthy", tenants), ("broken", [_broken(one) for one in tenants])):
        most = float(np.mean([label_gain(one) for one in known]))
        for name, make in (("alone", None), ("with_row", paired)):
            points = [
                run(one, USUAL, prior, seed, until=UNTIL, make=make)
                for one in known
                for seed in seeds
            ]
            found[f"{kind}_{name}"] = {
                str(at[0].impressions): round(float(np.mean([p.learnt for p in at])) / most, 3)
                for at in zip(*points, strict=True)
            }
    return found


def _broken(tenant: Tenant) -> Tenant:
    rng = np.random.default_rng(1)
    parts = [[broken(one, rng) for one in part] for part in (tenant.streamed, tenant.same)]
    other = [broken(one, rng) for one in tenant.other]
    return replace(tenant, streamed=parts[0], same=parts[1], other=other)
