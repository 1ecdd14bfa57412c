"""Every channel's run per query, written down, so that weights can be chosen without asking."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from router.evaluate.asking import Asked


def write_runs(path: Path, asked: Iterable[Asked]) -> int:
    """Write one JSON line a query and return how many. Raises OSError when the file cannot be made.

    Keys: query, bank, type (the data set's label), types (probabilities), relevant (ids, sorted),
    runs (channel -> ids, best first; a channel that failed is absent), degraded.
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
    }
