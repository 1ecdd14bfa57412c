"""Fit the weak prior of the residual ranker: `python -m bench.fit_residual_prior`.

Learnt on made-up dialogues alone (bench/dialogues.py), asked through the real lanes in a scratch
database, so that what ships owes nothing to data under another licence. Writes
router/residual_prior.json: the prior mean by feature, and how it came about. What hangs on the
quality of a bank's own lanes (their scores, the contrasts between them) is left at 0, and so is
what only made-up talk is sure of (INVENTED).
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.dialogues import write
from bench.residual_data import Judged, mean_ndcg, read
from bench.residual_fit import fit
from feedback.residual import servable
from router.features import FEATURE_VERSION, TEXT_FEATURES, model_names
from router.presets import CHANNELS
from router.residual import PRIOR

FOLDER = Path("bench/out/dialogues")
TO = Path("router") / PRIOR
DECIMALS = 3
# Made-up talk is tidier than real talk: what is told is long, dated and said by the person asked
# about, always. A strong ridge and a small share keep what it teaches in direction, not in size.
RIDGE = 10.0
SHARE = 0.2
# True of made-up talk by construction and of real talk only sometimes: an answer stands right after
# a question, and a question is never what was asked for. With them the prior loses on real chats.
INVENTED = (
    "is_question",
    "keyword_previous",
    "keyword_next",
    "meaning_previous",
    "meaning_next",
)
# The base counts a little less, so that the gate need not first unlearn it: it opens after hundreds
# of clicks instead of thousands.
SLOPE = -0.4


def learned(judged: Sequence[Judged]) -> dict[str, float]:
    """Prior mean by feature; the slope with it."""
    names = model_names(CHANNELS)
    fitted = dict(zip(names, SHARE * fit(judged, ridge=RIDGE), strict=True))
    kept = [name for name in TEXT_FEATURES if name not in INVENTED]
    mean = {name: round(float(fitted[name]), DECIMALS) for name in kept}
    return {name: weight for name, weight in mean.items() if weight} | {"slope": SLOPE}


def card(judged: Sequence[Judged], weights: dict[str, float]) -> dict[str, Any]:
    """What the file says of itself."""
    served = servable(np.array([weights.get(name, 0.0) for name in model_names(CHANNELS)]))
    return {
        "how": "python -m bench.fit_residual_prior; made-up dialogues, see docs/learning.md",
        "feature_version": FEATURE_VERSION,
        "questions": len(judged),
        "banks": len({one.group for one in judged}),
        "ridge": RIDGE,
        "share": SHARE,
        "ndcg_without": round(mean_ndcg(judged), DECIMALS),
        "ndcg_with": round(mean_ndcg(judged, served), DECIMALS),
        "weights": weights,
    }


def main() -> None:
    """Make the dialogues, ask them, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, help="an earlier dump; nothing is asked anew")
    given = parser.parse_args()
    runs = given.runs
    if runs is None:
        write(FOLDER)
        runs = FOLDER / "runs.jsonl"
        asked = [sys.executable, "-m", "router", "eval", str(FOLDER), "--dump", str(runs)]
        subprocess.run(asked, check=True)
    judged = read(runs)
    found = card(judged, learned(judged))
    TO.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
