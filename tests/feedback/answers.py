"""Answers and tool calls (answers.jsonl), labelled by hand with the memories they rest on.

`tune` is what the rules were made with; `held_out` was written down before they were run on any of
it and decided nothing.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

OPS = {
    "m1": "Ana: We moved the staging cluster to eu-west-1 on 3 June",
    "m2": "Ben: Deploy failed with E_AUTH_404, the token in /etc/deploy/token.json had expired",
    "m3": "Ben: The indexer listens on port 9077 since the March migration",
    "m4": "Chloe: Dashboards live at https://grafana.acme.io/d/ops, the rota is in PagerDuty",
    "m5": "Ana: To roll back run kubectl rollout undo deploy/api --to-revision=12",
    "m6": "Dan: The budget for the offsite is 12,500 euros, Lisbon in October",
    "m7": "Chloe: We should clean up the staging data before the audit",
    "m8": "Dan: The offsite needs a projector and a whiteboard, said the hotel",
}
HOME = {
    "turn-0012": "Maria: I adopted a second cat last spring, her name is Pixel",
    "turn-0019": "Maria: My sister Julia works as a nurse in Graz",
    "turn-0023": "Joe: I am allergic to peanuts, so please no satay",
    "turn-0031": "Maria: We are training for the Vienna marathon in April",
    "turn-0044": "Joe: I finally finished the oak bookshelf in the garage over the weekend",
    "turn-0050": "Joe: I read Middlemarch on the train and loved it",
    "turn-0058": "Maria: The dentist moved my appointment to 14:30 on Friday",
    "turn-0061": "Joe: My phone plan costs 29.90 a month with Orbit",
}
CODE = {
    "c7d1-44aa": "parse_window in router/time.py raises ValueError when the year has five digits",
    "c7d1-44ab": "Unit tests need POSTGRES_DSN; without it they are skipped",
    "c7d1-44ac": "The retry budget of the payment client is 5 attempts with jitter of 250 ms",
    "c7d1-44ad": "Release 2.14.0 broke login for accounts created before 2019",
    "c7d1-44ae": "Priya owns the billing service, Tom owns search",
    "c7d1-44af": "Use `make lint` before pushing; CI fails on warnings",
    "c7d1-44b0": "Ticket PAY-3317: refunds above 1,000 dollars need a second approval",
}
NUMBERED = {
    "1": "The museum opens at 10:00 on weekdays",
    "2": "Tickets for students cost 7.50 with a card",
    "3": "The café on the roof closes in winter",
    "41": "Guided tours start from the north gate and take ninety minutes",
}
WORLDS = {"ops": OPS, "home": HOME, "code": CODE, "numbered": NUMBERED}
Split = Literal["tune", "held_out"]


@dataclass(frozen=True)
class Case:
    """One labelled answer."""

    split: Split
    world: str
    question: str
    answer: str | None
    cited: tuple[str, ...] = ()
    tools: Any = None
    used: tuple[str, ...] = ()


def _case(line: str) -> Case:
    told = json.loads(line)
    return Case(
        split=told["split"],
        world=told["world"],
        question=told["question"],
        answer=told["answer"],
        cited=tuple(told["cited"]),
        tools=told.get("tools"),
        used=tuple(told.get("used", ())),
    )


LINES = Path(__file__).with_name("answers.jsonl").read_text("utf-8").splitlines()
CASES = tuple(map(_case, LINES))
