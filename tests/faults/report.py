"""The dated report of the fault suite: what was broken, and what was seen.

`python -m tests.faults.report NOTES PAGE` writes the page from the notes of one or more sessions.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from router.evaluate.report import table
from router.store.profile import memory_bytes
from tests.faults.harness import KILLS, LEARNING_KILLS, ROOT, SEED

HEAD = """# Faults

Written by `make faults` on {date}; do not edit. {machine}, {cores} cores shared with other work,
{memory} GB of memory, Linux {kernel}, Python {python}. {kills} kills under load and
{learning_kills} while banks are learnt, seed {seed}, {minutes} minutes, load average up to {load}.
{held} of {ran} tests held{failed}. Code: {code}.

Every fault is real: `kill -9`, `pg_ctl`, locks held by another connection, a file system that is
full, another account. The servers are `fivefold serve` over the embedded Postgres, each with a data
folder of its own. Clients repeat a request until it is acknowledged, and keep a ledger of what was;
afterwards everything in it is looked for, sent once more, and the counters are counted again by
`fivefold doctor`. Times are of a busy machine.
"""


@dataclass
class Notes:
    """What the tests of a session observed, by fault, in the order they ran."""

    date: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())
    kills: int = KILLS
    learning_kills: int = LEARNING_KILLS
    code: str = field(default_factory=lambda: commit())
    minutes: float = 0.0
    load: float = 0.0  # the greatest average over a minute that was seen
    ran: int = 0
    failed: list[str] = field(default_factory=list)
    facts: dict[str, list[str]] = field(default_factory=dict)

    def add(self, title: str, *lines: str) -> None:
        """More lines below a fault's heading."""
        self.load = max(self.load, os.getloadavg()[0])
        self.facts.setdefault(title, []).extend(lines)


def keep(notes: Notes, path: Path) -> None:
    """Add a session to the notes in the file."""
    known = json.loads(path.read_text("utf-8")) if path.exists() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*known, asdict(notes)], indent=1), "utf-8")


def page(sessions: Sequence[Notes]) -> str:
    """The markdown of docs/faults.md."""
    failed = [name for one in sessions for name in one.failed]
    ran = sum(one.ran for one in sessions)
    head = HEAD.format(
        date=max(one.date for one in sessions),
        machine=platform.machine(),
        cores=os.cpu_count(),
        memory=round(memory_bytes() / 1024**3),
        kernel=".".join(platform.release().split("-")[0].split(".")[:2]),
        python=platform.python_version(),
        kills=max(one.kills for one in sessions),
        learning_kills=max(one.learning_kills for one in sessions),
        code="; ".join(dict.fromkeys(one.code for one in sessions)),
        seed=SEED,
        minutes=round(sum(one.minutes for one in sessions)),
        load=f"{max(one.load for one in sessions):.0f}",
        held=ran - len(failed),
        ran=ran,
        failed=f"; these did not: {', '.join(f'`{name}`' for name in failed)}" if failed else "",
    )
    parts = [head]
    for session in sessions:
        for title, lines in session.facts.items():
            parts += [f"## {title}", "", *_laid_out(lines), ""]
    return "\n".join(parts).rstrip() + "\n"


def commit() -> str:
    """The commit that the tree is at, and whether anything in it was changed since."""
    words = ("git", "-C", str(ROOT), "status", "--porcelain=v2", "--branch")
    try:
        told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "a copy without its commit"
    lines = told.splitlines()
    at = next((line.split()[-1] for line in lines if line.startswith("# branch.oid")), "none")
    is_changed = any(not line.startswith("#") for line in lines)
    return f"commit {at[:7]}" + (" with changes not yet committed" if is_changed else "")


def times(seconds: Sequence[float]) -> str:
    """p50 and greatest, in seconds."""
    return f"{median(seconds):.2f} / {max(seconds):.2f}"


def counted(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a table."""
    return table(head, [[str(cell) for cell in row] for row in rows])


def _laid_out(lines: Sequence[str]) -> list[str]:
    """Tables as they are, other lines as a list, an empty line between the two."""
    found: list[str] = []
    for line in lines:
        is_row = line.startswith("|")
        if found and is_row != found[-1].startswith("|"):
            found.append("")
        found.append(line if is_row else f"- {line}")
    return found


def main() -> None:
    notes, target = map(Path, sys.argv[1:])
    sessions = [Notes(**one) for one in json.loads(notes.read_text("utf-8"))]
    target.write_text(page(sessions), "utf-8")


if __name__ == "__main__":
    main()
