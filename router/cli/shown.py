"""An answer as tables."""

import typer

from router.cli.output import print_table, printable
from router.reach import reach
from router.recall import Answer

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
        ranks = ", ".join(f"{name} {vote.rank}" for name, vote in sorted(item.votes.items()))
        rows.append([str(rank), found.id, text, f"{item.score:.{DIGITS}f}", ranks])
    print_table(answer.request.question, ["rank", "id", "text", "score", "channels' ranks"], rows)
    for part in answer.degraded:
        typer.echo(f"degraded: {part}", err=True)


def _print_reading(answer: Answer) -> None:
    window = answer.read.window
    types = ", ".join(f"{name} {share:.2f}" for name, share in answer.types.items())
    seen = f"{window.start} to {window.end} ({window.text})" if window else "none"
    analysis = answer.read.as_json()
    rows = [
        ["types", types],
        ["window", seen],
        ["words", " ".join(analysis["terms"])],
        ["entities", ", ".join(analysis["entities"])],
        ["feeling", ", ".join(answer.read.affect.labels) if answer.read.affect else "none"],
        ["matrix", f"version {answer.matrix_version}, rrf_k {answer.row.rrf_k:g}"],
    ]
    print_table("the question", ["part", "read as"], rows)


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
