"""Every channel's run per query, written down, so that weights can be chosen without asking."""

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from router.evaluate.asking import Asked, Candidates
from router.features import FEATURE_VERSION


def write_runs(path: Path, asked: Iterable[Asked]) -> int:
    """Write one JSON line a query and return how many. Raises OSError when the file cannot be made.

    Keys: query, bank, type (the data set's label), types (probabilities), relevant (ids, sorted),
    runs (channel -> ids, best first; a channel that failed is absent), degraded, factors (channel
    -> what its weight was multiplied by for this query; others by 1), candidates: ids in fused
    order, and base64 of little-endian tables over them: ranks (int16, a column a channel, 0 = not
    returned) and features (float16, of that feature_version; null for a degraded recall).
    """
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for one in asked:
            file.write(json.dumps(run_json(one), ensure_ascii=False) + "\n")
            count += 1
    return count


def run_json(asked: Asked) -> Mapping[str, object]:
    """One query as `write_runs` writes it."""
    query = asked.query
    return {
        "query": query.id,
        "bank": query.bank,
        "type": query.type,
        "types": dict(asked.types),
        "relevant": sorted(query.relevant),
        "runs": {channel: list(ids) for channel, ids in asked.runs.items()},
        "degraded": list(asked.degraded),
        "factors": dict(asked.factors),
        "candidates": _candidates(asked.candidates) if asked.candidates else None,
    }


def _candidates(found: Candidates) -> Mapping[str, object]:
    features = None if found.features is None else _packed(found.features.astype("<f2"))
    return {
        "ids": list(found.ids),
        "ranks": _packed(found.ranks.astype("<i2")),
        "feature_version": FEATURE_VERSION,
        "features": features,
    }


def _packed(table: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(table).tobytes()).decode()
