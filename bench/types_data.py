"""Texts for the query-type classifier: own questions, public training sets, the evaluation set."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "data" / "questions.jsonl"

# Rows drawn from each public set, and the set's total weight against the weight of all own
# questions (1.0): the public sets add coverage and must not drown the own ones.
ROWS = {
    "strategyqa": 900,
    "timeqa_questions": 600,
    "clinc150_small": 1200,
    "nlu_eval": 1200,
    "chatterbot_corpus": 900,
    "goemotions": 1200,
}
SHARES = {
    "strategyqa": 0.04,
    "timeqa_questions": 0.05,
    "clinc150_small": 0.05,
    "nlu_eval": 0.04,
    "chatterbot_corpus": 0.04,
    "goemotions": 0.06,
}
# Labels of a public set that are another type than the set's main one; None leaves a row out.
_CLINC = {
    **dict.fromkeys(
        ["payday", "bill_due", "oil_change_when", "next_holiday", "last_maintenance"], "temporal"
    ),
    **dict.fromkeys(
        [
            "balance",
            "credit_limit",
            "interest_rate",
            "routing",
            "user_name",
            "apr",
            "bill_balance",
            "credit_score",
            "tire_pressure",
            "gas_type",
            "expiration_date",
            "pto_balance",
            "date",
            "time",
            "timezone",
            "cook_time",
            "calendar",
            "meeting_schedule",
            "transactions",
            "spending_history",
            "income",
            "oos",
            "yes",
            "no",
            "maybe",
        ],
        None,
    ),
}
_NLU = {
    "qa_factoid": "factual",
    "qa_currency": None,
    "qa_stock": None,
    "qa_maths": None,
    "datetime_query": "temporal",
    "datetime_convert": None,
    "calendar_query": None,
    "transport_query": None,
    "email_query": None,
    "email_querycontact": None,
}
_CHATTERBOT = {
    **dict.fromkeys(["emotion", "emociones", "psychology", "psicologia"], None),
    **dict.fromkeys(["trivia", "history"], "factual"),
}
_GOEMOTIONS = dict.fromkeys(
    [
        "anger",
        "sadness",
        "fear",
        "disgust",
        "joy",
        "grief",
        "remorse",
        "embarrassment",
        "nervousness",
        "disappointment",
        "annoyance",
        "excitement",
        "love",
        "relief",
        "pride",
    ],
    "emotional",
)


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled text. `theme` groups own questions; public rows carry their set's name."""

    text: str
    type: str
    also: tuple[str, ...]
    theme: str
    source: str
    lang: str = "en"
    doubt: str = "low"


def own_questions() -> list[Example]:
    """Read the hand-written questions, in the order of the file."""
    return [
        Example(row["text"], row["type"], tuple(row["also"]), row["theme"], "own", row["lang"])
        for row in _rows(OWN)
    ]


def public_questions(data: Path, *, leave_out: Iterable[str], seed: int) -> list[Example]:
    """Draw, by seed, from the public training sets, without the texts in `leave_out`."""
    banned = {_plain(text) for text in leave_out}
    found: list[Example] = []
    for source, rows in ROWS.items():
        usable = [
            example
            for example in _labelled(source, _rows(data / "train" / f"{source}.jsonl"))
            if _plain(example.text) not in banned
        ]
        random.Random(seed).shuffle(usable)  # noqa: S311 - a draw of rows, not a secret
        found += usable[:rows]
    return found


def evaluation_questions(data: Path) -> list[Example]:
    """Read the evaluation set: never trained on, never read for anything but numbers."""
    return [
        Example(
            row["text"],
            row["type"].replace("-", "_"),
            tuple(also.replace("-", "_") for also in row["also"]),
            row["source"],
            row["source"],
            row["lang"],
            row["doubt"],
        )
        for row in _rows(data / "query_types.jsonl")
    ]


def _labelled(source: str, rows: Iterable[dict[str, Any]]) -> Iterator[Example]:
    for row in rows:
        kind = _kind(source, row["label"], row["text"])
        if kind is not None and row["text"].strip():
            yield Example(row["text"], kind, (), source, source)


def _kind(source: str, label: str, text: str) -> str | None:
    match source:
        case "strategyqa":
            return "multi_hop"
        case "timeqa_questions":
            return "temporal"
        case "clinc150_small":
            return _CLINC.get(label, "general")
        case "nlu_eval":
            return _NLU.get(label, "general")
        case "goemotions":
            return _GOEMOTIONS.get(label)
        case _:
            return _chatterbot(label, text)


def _chatterbot(label: str, text: str) -> str | None:
    kind = _CHATTERBOT.get(label, "general")
    if kind != "factual":
        return kind
    opening = text.casefold().split(" ", 1)[0]
    if "what year" in text.casefold() or opening == "when":
        return "temporal"
    return "factual" if opening in {"who", "what", "which", "where", "how"} else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?.! ")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
