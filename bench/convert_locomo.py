"""LoCoMo's locomo10.json as memories and judged questions (Maharana et al., ACL 2024).

A turn is a memory, a dialogue a bank, a session an episode. Evidence names turns.
"""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from bench.converted import Converted, Part, iso, require_known

TYPES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
TIME = re.compile(r"(\d{1,2}):(\d\d) ([ap])m on (\d{1,2}) (\w+),? (\d{4})", re.IGNORECASE)
SESSION = re.compile(r"session_(\d+)")
# Several ids may stand in one string, some with a stray colon or a leading zero.
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One sample: its name, its turns' ids by dia_id, and the time of its last session."""

    bank: str
    sessions: Mapping[str, str]  # dia_id -> session
    end: str


def convert(source: object, only: AbstractSet[str] = frozenset()) -> Converted:
    """The dialogues named by `only`, all when empty. Raises BadInput naming the path."""
    samples = {part.at("sample_id").text(): part for part in Part("", source).each()}
    require_known(only, samples.keys())
    found = Converted()
    for bank, sample in samples.items():
        if not only or bank in only:
            dialogue = _turns(bank, sample.at("conversation"), found)
            _questions(dialogue, sample.at("qa"), found)
    return found


def parse_time(part: Part) -> str:
    """A session's time, such as `1:56 pm on 8 May, 2023`, in ISO 8601. Raises BadInput."""
    match = TIME.fullmatch(part.text().strip())
    if match is None or match[5].lower() not in MONTHS:
        raise part.wrong(f"{part.value!r} is no time such as '1:56 pm on 8 May, 2023'")
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    month = MONTHS.index(match[5].lower()) + 1
    return iso(int(match[6]), month, int(match[4]), hour, int(match[2]), part)


def evidence_of(part: Part) -> tuple[list[str], int]:
    """The dia_ids that the list names, each once, in order; how many elements name none."""
    found = [EVIDENCE.findall(one.text()) for one in part.each()]
    named = [f"D{int(session)}:{int(turn)}" for some in found for session, turn in some]
    return list(dict.fromkeys(named)), sum(not some for some in found)


def _turns(bank: str, conversation: Part, found: Converted) -> Dialogue:
    sessions: dict[str, str] = {}
    end = ""
    for number in _numbers(conversation):
        turns = conversation.at(f"session_{number}").each()
        time = parse_time(conversation.at(f"session_{number}_date_time"))
        end = max(end, time)
        session = f"{bank}:S{number}"
        for place, turn in enumerate(turns, start=1):
            memory = _memory(bank, session, time, place, turn)
            sessions[memory["meta"]["dia_id"]] = session
            found.memories.append(memory)
    return Dialogue(bank, sessions, end)


def _numbers(conversation: Part) -> list[int]:
    """Numbers of the sessions that have turns; a time may stand without any."""
    names = conversation.value if isinstance(conversation.value, dict) else {}
    matches = [SESSION.fullmatch(name) for name in names if names[name]]
    return sorted(int(match[1]) for match in matches if match)


def _memory(bank: str, session: str, time: str, place: int, turn: Part) -> dict[str, Any]:
    speaker, dia_id = turn.at("speaker").text(), turn.at("dia_id").text()
    caption, query = turn.get("blip_caption"), turn.get("query")
    text = f"{speaker}: {turn.at('text').text()}" + (f" [image: {caption}]" if caption else "")
    meta: dict[str, Any] = {"dia_id": dia_id, "turn": place}
    meta |= {"image_caption": caption} if caption else {}
    meta |= {"image_query": query} if query else {}
    return {
        "id": f"{bank}:{dia_id}",
        "bank": bank,
        "text": text,
        "occurred_at": time,
        "session": session,
        "speaker": speaker,
        "meta": meta,
    }


def _questions(dialogue: Dialogue, questions: Part, found: Converted) -> None:
    for place, one in enumerate(questions.each()):
        category = one.at("category")
        if category.value not in TYPES:
            raise category.wrong(f"{category.value!r} is no category from 1 to 5")
        named, unreadable = evidence_of(one.at("evidence"))
        known = [dia_id for dia_id in named if dia_id in dialogue.sessions]
        if lost := len(named) - len(known) + unreadable:
            found.left_out["evidence that names no turn"] += lost
        if not known:
            found.left_out["questions without evidence"] += 1
            continue
        answers = {name: one.get(name) for name in ("answer", "adversarial_answer")}
        found.queries.append(
            {
                "id": f"{dialogue.bank}:q{place}",
                "bank": dialogue.bank,
                "text": one.at("question").text(),
                "asked_at": None,
                "type": TYPES[category.value],
                "relevant": [f"{dialogue.bank}:{dia_id}" for dia_id in known],
                "meta": {
                    "category": category.value,
                    "n_evidence": len(known),
                    "n_sessions": len({dialogue.sessions[dia_id] for dia_id in known}),
                    "bank_end": dialogue.end,
                    **{name: value for name, value in answers.items() if value is not None},
                },
            }
        )
