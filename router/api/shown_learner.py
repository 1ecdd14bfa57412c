"""What a bank has learnt, as JSON."""

from typing import Any

from feedback.checking import Known
from feedback.learners import Batch, Held
from feedback.replay import Replay
from router.api.moments import moment


def learner_json(known: Known) -> dict[str, Any]:
    """A learner's status and its last batch."""
    return {**status_json(known.held), "batch": known.held.batch, "last": batch_json(known.last)}


def status_json(held: Held) -> dict[str, Any]:
    """Whether a learner publishes, and who said so."""
    return {"state": held.status, "why": held.why}


def batch_json(batch: Batch | None) -> dict[str, Any] | None:
    """A batch: what it learnt from and what became of it."""
    if batch is None:
        return None
    return {
        "batch": batch.batch,
        "at": moment(batch.at),
        "kind": batch.kind,
        "recalls": batch.recalls,
        "impressions": batch.impressions,
        "events": batch.events,
        "version": batch.version,
        "reason": batch.reason,
        "verdict": batch.verdict,
        "proposed": batch.proposed,
    }


def replay_json(replay: Replay) -> dict[str, Any]:
    """What a replay showed."""
    return {
        "exact": replay.is_exact,
        "batches": replay.batches,
        "impressions": replay.impressions,
        "versions": list(replay.checked),
        "differing": list(replay.differing),
        "not_checked": list(replay.skipped),
        "same_state": replay.same_state,
    }
