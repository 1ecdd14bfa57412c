"""LongMemEval's longmemeval_*.json as memories and judged questions (Wu et al., ICLR 2025).

As one pool, the evidence turns of all questions are one bank, and each question must find its own.
As haystacks, each question has a bank with every turn of its history.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from bench.converted import Converted, Part, iso, require_known

POOL = "longmemeval"
TIME = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?: \(\w+\))? (\d{1,2}):(\d\d)")
Turn = tuple[Part, bool]  # a turn, and whether it holds evidence


def convert(
    source: object, only: AbstractSet[str] = frozenset(), *, haystack: bool = False
) -> Converted:
    """The questions named by `only`, all when empty. Raises BadInput naming the path."""
    questions = {part.at("question_id").text(): part for part in Part("", source).each()}
    require_known(only, questions.keys())
    found = Converted()
    for name, one in questions.items():
        if only and name not in only:
            continue
        bank = f"lme:{name}" if haystack else POOL
        relevant = _history(name, bank, one, found, haystack=haystack)
        if relevant:
            found.queries.append(_query(name, bank, one, relevant))
        else:
            found.left_out["questions without evidence turns"] += 1
    return found


def parse_time(part: Part) -> str:
    """A time such as `2023/05/30 (Tue) 23:40` in ISO 8601. Raises BadInput."""
    match = TIME.fullmatch(part.text().strip())
    if match is None:
        raise part.wrong(f"{part.value!r} is no time such as '2023/05/30 (Tue) 23:40'")
    year, month, day, hour, minute = map(int, match.groups())
    return iso(year, month, day, hour, minute, part)


def _history(name: str, bank: str, one: Part, found: Converted, *, haystack: bool) -> list[str]:
    """Store what the question's bank takes of its history; ids of the evidence turns."""
    relevant: list[str] = []
    number = 0
    kept: list[dict[str, Any]] = []
    for time, turns in _sessions(one):
        wanted = turns if haystack else [turn for turn in turns if turn[1]]
        number += 1 if wanted else 0
        session = f"lme:{name}:s{number}"
        for place, (turn, is_evidence) in enumerate(wanted):
            text = turn.at("content").text()
            if not text.strip():
                found.left_out["turns without text"] += 1
                continue
            memory: dict[str, Any] = {
                "id": f"{session}:t{place}",
                "bank": bank,
                "text": text,
                "occurred_at": time,
                "session": session,
                "speaker": turn.at("role").text(),
                "meta": {"question_id": name},
            }
            kept.append(memory)
            relevant += [memory["id"]] if is_evidence else []
    if relevant:  # a bank that no question asks is of no use
        found.memories += kept
    return relevant


def _sessions(one: Part) -> Iterator[tuple[str, list[Turn]]]:
    """Time and turns of each session, the oldest first; equal times in the order given."""
    dates, sessions = one.at("haystack_dates").each(), one.at("haystack_sessions").each()
    if len(dates) != len(sessions):
        raise one.wrong(f"has {len(sessions)} sessions and {len(dates)} dates")
    timed = [
        (parse_time(date), session.each()) for date, session in zip(dates, sessions, strict=True)
    ]
    for time, turns in sorted(timed, key=lambda pair: pair[0]):
        yield time, [(turn, turn.get("has_answer") is True) for turn in turns]


def _query(name: str, bank: str, one: Part, relevant: list[str]) -> dict[str, Any]:
    return {
        "id": f"lme:{name}",
        "bank": bank,
        "text": one.at("question").text(),
        "asked_at": parse_time(one.at("question_date")),
        "type": one.at("question_type").text(),
        "relevant": relevant,
        "meta": {
            "answer": one.at("answer").value,
            "abstention": name.endswith("_abs"),
            "n_evidence": len(relevant),
        },
    }
