"""200 sessions at a product, of which 12 % are frustrated, seen only in what was done. Seeded.

The texts are plain reports of deeds; which session went wrong stands in retries, errors, time
and giving up alone. Among the others are sessions that retried and then succeeded, slow
and absorbed work, small slips, and looking around. Written before the detector was measured on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

SESSIONS, PREVALENCE = 200, 0.12
BEGINS = datetime(2024, 3, 4, 8, 0, tzinfo=UTC)
USUAL_S = 40.0  # seconds a turn takes, give or take half

AREAS = {  # area -> deeds in it; none of their words names a feeling
    "onboarding": (
        "opened the signup form", "entered the phone number", "asked for the code by text message",
        "typed the code into the form", "chose a workspace name", "invited the first colleague",
        "uploaded the company logo", "read the onboarding page",
    ),
    "billing": (
        "opened the invoice of May", "changed the card on file", "downloaded the receipt",
        "entered the tax number", "switched to yearly payment", "added a second payer",
    ),
    "search": (
        "searched for the contract of the harbour", "set the filter to last quarter",
        "sorted by date", "opened the third result", "saved the search", "shared the result list",
    ),
    "export": (
        "asked for the export as a table", "picked the columns", "started the export job",
        "opened the exported file", "sent the file to the printer", "named the archive",
    ),
    "deploy": (
        "started the deploy of the web service", "opened the build log", "changed the port",
        "restarted the container", "merged the branch", "tagged the release",
    ),
    "calendar": (
        "made an appointment for Tuesday", "moved the meeting to noon", "added the room",
        "copied the invitation link", "set the time zone", "printed the week",
    ),
}  # fmt: skip
WORDING = ("The user {deed}.", "User {deed}", "Step: {deed}.", "{deed}", "Then the user {deed}.")


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its memories as retain takes them, in order, and what it was."""

    name: str
    area: str
    course: str
    frustrated: bool
    turns: tuple[dict[str, Any], ...]


Behaviour = dict[str, Any]


def bed(seed: int = 0) -> list[Session]:
    """The sessions, in order of time; exactly PREVALENCE of them frustrated."""
    rng = np.random.default_rng(seed)
    frustrated = round(SESSIONS * PREVALENCE)
    courses = ["stuck"] * frustrated
    others = ("calm", "calm", "calm", "hard_won", "hard_won", "slip", "slip", "slow", "browsing")
    courses += [others[place % len(others)] for place in range(SESSIONS - frustrated)]
    areas = sorted(AREAS)
    drawn = rng.permutation(len(courses))
    return [
        _session(rng, number, areas[int(rng.integers(len(areas)))], courses[int(which)])
        for number, which in enumerate(drawn)
    ]


def _session(rng: np.random.Generator, number: int, area: str, course: str) -> Session:
    count = int(rng.integers(3, 7))
    begins = BEGINS + timedelta(hours=5 * number)
    deeds = rng.choice(AREAS[area], size=count)
    shown = COURSES[course](rng, count)
    turns = tuple(
        {
            "id": f"s{number}-{place}",
            "text": str(rng.choice(WORDING)).format(deed=deed),
            "episode": f"s{number}",
            "position": place,
            "topic": area,
            "occurred_at": (begins + timedelta(minutes=3 * place)).isoformat(),
            "behaviour": behaviour,
        }
        for place, (deed, behaviour) in enumerate(zip(deeds, shown, strict=True))
    )
    return Session(f"s{number}", area, course, course == "stuck", turns)


def _usual(rng: np.random.Generator, **more: Any) -> Behaviour:
    """An ordinary turn; now and then it reports that it succeeded."""
    seconds = round(float(USUAL_S * rng.lognormal(0, 0.4)), 1)
    behaviour: Behaviour = {"duration_s": seconds}
    if rng.random() < 0.4:
        behaviour["success"] = True
    return behaviour | more


def _struggle(rng: np.random.Generator, retries: float, errors: float) -> Behaviour:
    """A turn that does not work."""
    return {
        "retries": 1 + int(rng.poisson(retries)),
        "errors": int(rng.poisson(errors)),
        "duration_s": round(float(USUAL_S * rng.lognormal(0.8, 0.5)), 1),
    }


def _calm(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    return [_usual(rng) for _ in range(count)]


def _stuck(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    """Two turns or more that do not work; most are given up, the rest just end."""
    turns = [_usual(rng) for _ in range(count)]
    bad = int(rng.integers(2, min(4, count) + 1))
    for place in range(count - bad, count):
        turns[place] = _struggle(rng, 2.0, 1.6)
    turns[-1]["abandoned"] = bool(rng.random() < 0.65)
    return turns


def _hard_won(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    """It took several tries and then worked: told of the same turn, or of the one after it."""
    turns = [_usual(rng) for _ in range(count)]
    place = int(rng.integers(0, count - 1))
    turns[place] = _struggle(rng, 1.6, 1.0)
    if rng.random() < 0.7:
        turns[place]["success"] = True
    turns[place + 1] = _usual(rng, success=True)
    return turns


def _slip(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    """One retry or one error, and on it goes."""
    turns = [_usual(rng) for _ in range(count)]
    name = "retries" if rng.random() < 0.5 else "errors"
    turns[int(rng.integers(count))][name] = 1
    return turns


def _slow(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    """Takes long over everything and gets it done."""
    turns = [_usual(rng) for _ in range(count)]
    for turn in turns:
        turn["duration_s"] = round(turn["duration_s"] * float(rng.uniform(3, 9)), 1)
    return turns


def _browsing(rng: np.random.Generator, count: int) -> Sequence[Behaviour]:
    """Looks around for long, and leaves without an end."""
    turns = [_usual(rng) for _ in range(count)]
    for turn in turns:
        turn.pop("success", None)
        turn["duration_s"] = round(turn["duration_s"] * float(rng.uniform(1, 4)), 1)
    turns[-1]["abandoned"] = bool(rng.random() < 0.3)
    return turns


COURSES: dict[str, Callable[[np.random.Generator, int], Sequence[Behaviour]]] = {
    "calm": _calm,
    "stuck": _stuck,
    "hard_won": _hard_won,
    "slip": _slip,
    "slow": _slow,
    "browsing": _browsing,
}


def r_precision(ranked: Sequence[str], relevant: frozenset[str]) -> float:
    """Share of relevant sessions among the first as many as there are; each session once."""
    first = list(dict.fromkeys(ranked))[: len(relevant)]
    return sum(name in relevant for name in first) / len(relevant)
