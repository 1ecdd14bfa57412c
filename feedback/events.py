"""A feedback event: read from raw JSON, checked, and given its value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast, get_args

from channels.errors import BadInput
from feedback.bodies import canonical, echo, parse_body
from feedback.checks import (
    agreed,
    identifier,
    identifiers,
    moment,
    number,
    section,
    short_text,
    shown,
    whole,
)
from feedback.values import (
    ACTION_PATTERN,
    BOOKKEEPING,
    DEFAULTS,
    ActionValue,
    dwell_value,
)

__all__ = ["Annotator", "Event", "event_id_of", "parse_body", "read_event"]

Annotator = Literal["human", "agent", "judge", "code"]
_ANNOTATORS = frozenset(get_args(Annotator))
_ENVELOPE = frozenset({"specversion", "id", "time", "data"})  # of a CloudEvent; the rest is kept

#: Optional texts beside the join key and their longest length: labels as in UBI 1.3, ids as ours.
_TEXTS = {
    "application": 100,
    "client_id": 200,
    "session_id": 200,
    "user_id": 200,
    "message_type": 100,
    "message": 1024,
    "user_query": None,
}
_ROUTER_TEXTS = {"next_query_id": 200, "reason": 1024}
_HEX = {"trace_id": re.compile(r"[0-9a-f]{32}"), "span_id": re.compile(r"[0-9a-f]{16}")}

#: What happened after an answer, for events to be derived from: the fields that say it.
_REPORTS = {"answer_given": ("answer", "tool_arguments"), "user_replied": ("reply",)}


@dataclass(frozen=True, slots=True)
class Event:
    """One checked piece of feedback."""

    event_id: str  # the client's key, unique in its bank
    action: str
    recall_id: str
    memory_id: str | None
    position: int | None  # rank from 1 at which the memory was shown
    value: float | None  # in [-1, 1]; None = kept, not learnt from
    confidence: float  # in [0, 1]
    annotator: str  # one of Annotator; implicit:<rule> where it was derived here
    happened: datetime  # the client's clock, UTC
    named: tuple[tuple[str, str], ...]  # further memories it names: (field, id)
    body: str  # the event as it came, JSON with sorted keys
    content_hash: bytes  # SHA-256 of body
    is_known: bool = True  # the action is; another is kept and never learnt from


def event_id_of(raw: object) -> str | None:
    """The id a refused event can be reported under, or None if it has none."""
    if not isinstance(raw, dict):
        return None
    found = raw.get("id" if "specversion" in raw else "event_id")
    return echo(found) if isinstance(found, str) else None


def read_event(
    raw: object, *, now: datetime, values: Mapping[str, ActionValue] = DEFAULTS
) -> Event:
    """The event that `raw` (parsed JSON) describes; `now` bounds its time, `values` fill its value.

    Unknown fields are kept in `body` and otherwise ignored. Raises BadInput naming the field.
    The format is OpenSearch UBI 1.3 with a `router` object; its fields may also stand at the top.
    """
    if isinstance(raw, BadInput):  # a line that is not JSON
        raise raw
    fields = _unwrap(raw)
    if "event_id" not in fields and isinstance(fields.get("events"), list):
        raise BadInput(
            "events", 'is a list: send one event here, or {"events": [...]} alone as the JSON body'
        )
    body, content_hash = canonical(fields)
    event_id = identifier(fields.get("event_id"), "event_id")
    action = _action(fields.get("action_name"))
    happened = moment(fields.get("timestamp"), "timestamp", now)
    extension = section(fields, "router", "router")
    _check_texts(fields, extension)
    meaning = values.get(action)
    memory_id, position = _subject(fields, extension)
    if memory_id is None and _is_of_a_memory(action, meaning):
        raise BadInput(
            "event_attributes.object.object_id", f"is missing: {action} is about one memory"
        )
    recall_id = _recall_id(fields)
    if action in _REPORTS:
        _check_report(action, fields)
    confidence = number(*_pair(fields, extension, "confidence"), 0)
    return Event(
        event_id=event_id,
        action=action,
        recall_id=recall_id,
        memory_id=memory_id,
        position=position,
        value=_value(action, meaning, fields, extension),
        confidence=1.0 if confidence is None else confidence,
        annotator=_annotator(fields, extension),
        happened=happened,
        named=_named(fields, extension),
        body=body,
        content_hash=content_hash,
        is_known=meaning is not None or action in _REPORTS,
    )


def _unwrap(raw: object) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise BadInput("event", f"must be a JSON object, not {shown(raw)}")
    if "specversion" not in raw:
        return raw
    data = raw.get("data")
    if not isinstance(data, dict):
        raise BadInput("data", "must be the event as an object inside its CloudEvents envelope")
    unwrapped = {name: raw[name] for name in raw.keys() - _ENVELOPE} | data
    for inner, outer in (("event_id", "id"), ("timestamp", "time")):
        if raw.get(outer) is not None:
            unwrapped[inner] = raw[outer]
    return unwrapped


def _pair(fields: Mapping[str, Any], extension: Mapping[str, Any], name: str) -> tuple[object, str]:
    """Value and path of a field of ours: inside `router` or, for convenience, at the top."""
    inner, outer = extension.get(name), fields.get(name)
    if outer is None:  # the common cases first: this runs six times for each event
        return inner, f"router.{name}"
    if inner is None:
        return outer, name
    path, value = agreed((f"router.{name}", inner), (name, outer))
    return value, path


def _action(value: object) -> str:
    if not isinstance(value, str) or not ACTION_PATTERN.fullmatch(value):
        raise BadInput(
            "action_name",
            f"must be small letters, digits and _, at most 100, not {shown(value)}",
        )
    return value


def _recall_id(fields: Mapping[str, Any]) -> str:
    path, value = agreed(
        ("query_id", fields.get("query_id")), ("recall_id", fields.get("recall_id"))
    )
    if value is None:  # UBI lets an object stand for it, but nothing here could ever join it
        raise BadInput("query_id", "is missing: send the recall_id of the answer it is about")
    return identifier(value, path)


def _subject(
    fields: Mapping[str, Any], extension: Mapping[str, Any]
) -> tuple[str | None, int | None]:
    attributes = section(fields, "event_attributes", "event_attributes")
    thing = section(attributes, "object", "event_attributes.object")
    place = section(attributes, "position", "event_attributes.position")
    path, memory = agreed(
        ("event_attributes.object.object_id", thing.get("object_id")),
        ("memory_id", fields.get("memory_id")),
        ("object_id", fields.get("object_id")),
        ("router.memory_id", extension.get("memory_id")),
    )
    where, ordinal = agreed(
        ("event_attributes.position.ordinal", place.get("ordinal")),
        ("position", fields.get("position")),
        ("router.position", extension.get("position")),
    )
    return None if memory is None else identifier(memory, path), whole(ordinal, where, 1)


def _is_of_a_memory(action: str, meaning: ActionValue | None) -> bool:
    is_told_of_one = meaning is not None and meaning.attribution == "memory"
    return is_told_of_one or action.startswith("memory_")


def _check_report(action: str, fields: Mapping[str, Any]) -> None:
    names = _REPORTS[action]
    if all(fields.get(name) is None for name in names):
        raise BadInput(names[0], f"is missing: {action} needs {' or '.join(names)}")
    for name in ("answer", "reply"):
        if fields.get(name) is not None:
            short_text(fields[name], name, None)


def _check_texts(fields: Mapping[str, Any], extension: Mapping[str, Any]) -> None:
    for name in _TEXTS.keys() & fields.keys():
        if fields[name] is not None:
            short_text(fields[name], name, _TEXTS[name])
    if not extension:
        return
    for name in _ROUTER_TEXTS.keys() & extension.keys():
        if extension[name] is not None:
            short_text(extension[name], f"router.{name}", _ROUTER_TEXTS[name])
    for name, pattern in _HEX.items():
        found = extension.get(name)
        if found is not None and not (isinstance(found, str) and pattern.fullmatch(found)):
            raise BadInput(f"router.{name}", f"must be hexadecimal digits, not {shown(found)}")


def _annotator(fields: Mapping[str, Any], extension: Mapping[str, Any]) -> Annotator:
    value, path = _pair(fields, extension, "annotator")
    if value is None:
        return "agent"
    if not isinstance(value, str) or value not in _ANNOTATORS:
        raise BadInput(path, f"must be human, agent, judge or code, not {shown(value)}")
    return cast(Annotator, value)


def _named(fields: Mapping[str, Any], extension: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    named: list[tuple[str, str]] = []
    for name in ("used_ids", "unused_ids"):
        value, path = _pair(fields, extension, name)
        ids = identifiers(value, path)
        named.extend((f"{path}[{index}]", memory) for index, memory in enumerate(ids))
    return tuple(named)


def _value(
    action: str,
    meaning: ActionValue | None,
    fields: Mapping[str, Any],
    extension: Mapping[str, Any],
) -> float | None:
    """What the event says, by itself or by its action; None where nothing is to be learnt.

    Refuses what has to say it and does not, and what says the contrary of its action.
    """
    dwell_ms = whole(*_pair(fields, extension, "dwell_ms"), 0)
    raw, path = _pair(fields, extension, "value")
    given = number(raw, path, -1)
    if meaning is None or action in BOOKKEEPING:
        return meaning.value if meaning else None
    if given is not None:
        if given * (meaning.value or 0.0) < 0:
            counts, sign = ("against", "negative") if given > 0 else ("for", "positive")
            raise BadInput(
                path, f"is {given:g}, but {action} counts {counts}: send a {sign} number or none"
            )
        return given
    if meaning.value is not None or meaning.attribution == "none":
        return meaning.value
    if action != "dwell":
        raise BadInput(path, f"is missing: {action} says nothing without a number from -1 to 1")
    if dwell_ms is None:
        raise BadInput("router.dwell_ms", "is missing: say for how many milliseconds it was read")
    return dwell_value(dwell_ms)
