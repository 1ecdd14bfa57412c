"""Made-up dialogues with questions whose answer is known: `python -m bench.dialogues FOLDER`.

A judged data set in the form `fivefold eval` reads, for priors that must not owe anything to data
with a licence of its own. Two people tell each other what happened; the listener repeats words and
asks on; both may have done the same sort of thing; small talk stands between. Seeded, so that every
run writes the same bytes.
"""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.dialogue_topics import NAMES, SLOTS, SMALL_TALK, TIMES, TOPICS, Topic

BANKS, SESSIONS, EVENTS = 8, 22, 3  # banks; sessions of a bank; things told in a session
START = datetime(2024, 1, 8, 18, 0)  # invented, in no zone
UNTIMED = 0.35  # of what is told comes without a time word
ECHOED, ASKED, TALKED = 0.6, 0.7, 0.5
QUESTIONS = 60  # of a bank


@dataclass
class Bank:
    """One dialogue in the making."""

    name: str
    rng: random.Random
    people: tuple[str, str]
    memories: list[dict[str, Any]] = field(default_factory=list)
    questions: list[tuple[str, str, str]] = field(default_factory=list)  # text, type, memory

    def say(self, speaker: str, text: str, at: datetime, session: int) -> str:
        """Add a turn and return its id."""
        name = f"{self.name}:D{session}:{len(self.memories)}"
        self.memories.append(
            {
                "id": name,
                "bank": self.name,
                "text": text[:1].upper() + text[1:],
                "occurred_at": at.isoformat(),
                "session": f"{self.name}:S{session}",
                "speaker": speaker,
                "meta": {},
            }
        )
        return name

    def hold(self, session: int) -> None:
        """One session."""
        at = START + timedelta(days=9 * session, minutes=self.rng.randrange(300))
        for topic in self.rng.sample(TOPICS, EVENTS):
            speaker, listener = self.rng.sample(self.people, 2)
            self._chat(listener, speaker, at, session)
            self._tell(topic, speaker, listener, at, session)
            first, second = self.rng.sample(self.people, 2)
            self._chat(first, second, at, session)

    def _chat(self, speaker: str, other: str, at: datetime, session: int) -> None:
        """Small talk, or nothing."""
        if self.rng.random() < TALKED:
            line = self.rng.choice(SMALL_TALK)
            kin = self.rng.choice(SLOTS["kin"])
            self.say(speaker, line.format(other=other, kin=kin), at, session)

    def _tell(self, topic: Topic, speaker: str, listener: str, at: datetime, session: int) -> None:
        words = {slot: self.rng.choice(values) for slot, values in SLOTS.items()}
        words |= {"name": speaker, "t": self.rng.choice(TIMES)}
        told_as = topic.told
        if self.rng.random() < UNTIMED:
            told_as = told_as.replace(" {t}", "")
        lines = {"told": self.say(speaker, told_as.format(**words), at, session)}
        if self.rng.random() < ECHOED:
            self.say(listener, topic.echo.format(**words), at, session)
        if self.rng.random() < ASKED:
            self.say(listener, topic.asked, at, session)
        lines["detail"] = self.say(speaker, topic.detail.format(**words), at, session)
        if "{t}" in told_as:
            self.questions.append((topic.when.format(**words), "temporal", lines["told"]))
        for question, line in topic.what:
            self.questions.append((question.format(**words), "single-hop", lines[line]))


def make(seed: int = 5) -> Iterator[Bank]:
    """The banks, always the same for a seed."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for number in range(BANKS):
        first, second = rng.sample(NAMES, 2)
        bank = Bank(f"made-{number}", rng, (first, second))
        for session in range(SESSIONS):
            bank.hold(session)
        yield bank


def queries(bank: Bank) -> list[dict[str, Any]]:
    """Questions with every memory that answers them; the same words asked once."""
    answers: dict[str, tuple[str, set[str]]] = {}
    for text, kind, memory in bank.questions:
        answers.setdefault(text, (kind, set()))[1].add(memory)
    chosen = sorted(answers)
    bank.rng.shuffle(chosen)
    end = bank.memories[-1]["occurred_at"]
    return [
        {
            "id": f"{bank.name}:q{number}",
            "bank": bank.name,
            "text": text,
            "asked_at": None,
            "type": answers[text][0],
            "relevant": sorted(answers[text][1]),
            "meta": {"bank_end": end},
        }
        for number, text in enumerate(chosen[:QUESTIONS])
    ]


def write(folder: Path) -> None:
    """The data set as files."""
    folder.mkdir(parents=True, exist_ok=True)
    banks = list(make())
    memories = [memory for bank in banks for memory in bank.memories]
    asked = [query for bank in banks for query in queries(bank)]
    for name, rows in (("memories", memories), ("queries", asked)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
