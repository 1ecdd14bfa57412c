"""An answer as tables."""

from collections.abc import Mapping
from typing import Any

import typer

from router.answer import Answer
from router.cli.output import print_table, printable
from router.reach import reach
from router.understand.read import Understanding

DIGITS = 4


def print_answer(answer: Answer, *, explain: bool) -> None:
    """Write the answer as tables."""
    if explain:
        _print_reading(answer)
        _print_channels(answer)
    rows = []
    for rank, item in enumerate(answer.page, start=answer.request.offset + 1):
        found = answer.facts[item.key]
        text = (found.page or {}).get("text", "")
        state = found.standing.state(is_superseded=found.is_superseded)
        if state != "current":
            by = f" by {found.standing.head}" if found.standing.head else ""
            text = f"({state}{by}) {text}"
        ranks = ", ".join(f"{name} {vote.rank}" for name, vote in sorted(item.votes.items()))
        rows.append([str(rank), found.id, text, f"{item.score:.{DIGITS}f}", ranks])
    print_table(answer.request.question, ["rank", "id", "text", "score", "channels' ranks"], rows)
    for part in answer.degraded:
        typer.echo(f"degraded: {part}", err=True)


def _print_reading(answer: Answer) -> None:
    types = ", ".join(f"{name} {share:.2f}" for name, share in answer.types.items())
    rows = [
        ["types", types, ", ".join(answer.read.typed.signs) if answer.read.typed else ""],
        *reading_rows(answer.read),
        ["matrix", f"version {answer.matrix_version}, rrf_k {answer.row.rrf_k:g}", ""],
    ]
    print_table("the question", ["part", "read as", "because of"], rows)


def reading_rows(read: Understanding) -> list[list[str]]:
    """What a question was read as: part, reading, and the rule or words behind it."""
    window, fired = read.window, read.fired
    seen = f"{window.start or '…'} to {window.end or '…'}" if window else "none"
    because = f"{window.text!r}: {window.rule}, confidence {window.confidence:g}" if window else ""
    feeling = read.affect.labels if read.affect else {}
    return [
        ["window", seen, because],
        ["asks for a date", "yes" if read.asks_date else "no", fired.get("asks_date") or ""],
        ["newest first", read.recency, fired.get("recency") or ""],
        ["words", " ".join(term.text for term in read.terms), ""],
        ["identifiers", ", ".join(read.identifiers), ", ".join(_named(fired, "identifiers"))],
        ["entities", ", ".join(read.entities), ", ".join(_named(fired, "entities"))],
        [
            "feeling",
            ", ".join(f"{label} {share:.2f}" for label, share in feeling.items()) or "none",
            "; ".join(_feelings(fired.get("affect"))),
        ],
    ]


def _named(fired: Mapping[str, Any], part: str) -> list[str]:
    return [f"{name}: {rule}" for name, rule in fired.get(part, {}).items()]


def _feelings(told: Mapping[str, Any] | None) -> list[str]:
    """Each cue with its strength and negation, and the shape."""
    if told is None:
        return []
    lines = []
    for cue in told["cues"]:
        strength = f" x {cue['strength']:g}" if cue["strength"] != 1 else ""
        negation = f", {cue['negation']} by negation" if cue["negation"] else ""
        lines.append(f"{cue['words']!r}{strength}{negation}")
    return [*lines, f"shape: {told['shape']}"] if told["shape"] else lines


def _print_channels(answer: Answer) -> None:
    heard = reach(answer.row)
    ids = {key: printable(facts.id) for key, facts in answer.facts.items()}
    rows = []
    for name, outcome in answer.found.outcomes.items():
        best = [ids[hit.key] for hit in outcome.hits if hit.key in ids][:3]
        weight = f"{answer.row.weights[name]:.2f}"
        state = outcome.failure or f"{len(outcome.hits)} hits"
        ms = f"{outcome.ms:.1f}"
        rows.append([name, weight, str(heard[name] or "-"), state, ms, ", ".join(best)])
    print_table("the channels", ["channel", "weight", "reach", "found", "ms", "first"], rows)
