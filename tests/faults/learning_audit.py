"""What was learnt, compared with the log it was learnt from."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg

from tests.faults.audit import doctor, printed
from tests.faults.harness import ANSWER_S, Server, within
from tests.faults.lessons import Ledgers, path_of
from tests.faults.load import batches

SETTLE_S = 120.0  # a bank whose step was undone waits up to 40 s for the next try
REPLAY_S = 120.0
DUE = """
select (select count(*) from recalls where closed_at is not null and learned_batch is null)
  + (select count(*) from events e join recalls r on r.bank_id = e.bank_id and r.id = e.recall_id
     where e.learned_batch is null)
"""
# What must have no rows, and a change after which it has some.
RULES = {
    "batches are numbered without a gap": (
        "select bank_id from learner_batches group by bank_id having max(batch) <> count(*)",
        "update learner_batches set batch = batch + 1 where (bank_id, batch) in "
        "(select bank_id, max(batch) from learner_batches group by bank_id)",
    ),
    "a learner stands at its last batch": (
        "select bank_id from learners l where batch <> "
        "(select max(batch) from learner_batches b where b.bank_id = l.bank_id)",
        "update learners set batch = batch - 1",
    ),
    "a batch counts its recalls": (
        "select bank_id, batch from learner_batches b where recalls <> (select count(*) from "
        "recalls r where r.bank_id = b.bank_id and r.learned_batch = b.batch)",
        "update recalls set learned_batch = null where id = "
        "(select min(id) from recalls where learned_batch is not null)",
    ),
    "a batch counts its events": (
        "select bank_id, batch from learner_batches b where events <> (select count(*) from "
        "events e where e.bank_id = b.bank_id and e.learned_batch = b.batch)",
        "update learner_batches set events = events + 1 where batch = 1",
    ),
    "a batch learnt from its evidence, once": (
        "select bank_id, batch from learner_batches b where impressions <> "
        "(select count(*) from recalls r where r.bank_id = b.bank_id "
        " and r.learned_batch = b.batch and r.learned_as <> 'none') + "
        "(select count(distinct recall_id) from events e where e.bank_id = b.bank_id and "
        " e.learned_batch = b.batch and e.state = 'late' and e.action = 'memory_thumbs_up')",
        "update recalls set learned_as = 'none' where id = "
        "(select min(id) from recalls where learned_as = 'engaged')",
    ),
    "an event in time is learnt with its recall": (
        "select event_id from events e join recalls r on r.bank_id = e.bank_id "
        "and r.id = e.recall_id where e.state = 'joined' "
        "and e.learned_batch is distinct from r.learned_batch",
        "update events set learned_batch = 0 where event_id = "
        "(select min(event_id) from events where state = 'joined')",
    ),
    "no closed recall and no event of one is left out": (
        f"select due from ({DUE}) x(due) where due <> 0",
        "update events set learned_batch = null where event_id = "
        "(select min(event_id) from events where learned_batch is not null)",
    ),
    "no event waits for a recall on record": (
        "select event_id from events e join recalls r on r.id = e.recall_id where state = 'parked'",
        "update events set state = 'parked' where event_id = "
        "(select min(event_id) from events where state = 'joined')",
    ),
    "a version is the learner's, and of one batch": (
        "select m.bank_id, m.version, count(b) from matrices m left join learner_batches b "
        "on b.bank_id = m.bank_id and b.version = m.version "
        "group by m.bank_id, m.version, m.author having count(b) <> 1 or m.author <> 'learner'",
        "update learner_batches set version = null",
    ),
    "the last version is served, and the learner's": (
        "select l.bank_id from learners l left join matrix_heads h using (bank_id) where "
        "coalesce(h.version, 0) <> coalesce((select max(version) from matrices m "
        "where m.bank_id = l.bank_id), 0) or coalesce(l.version, 0) <> coalesce(h.version, 0)",
        "update matrix_heads set version = version - 1",
    ),
    "an answer that names a memory makes one citation": (
        "select a.event_id from events a left join events d on d.bank_id = a.bank_id and "
        "d.recall_id = a.recall_id and d.annotator = 'implicit:id' "
        "where a.action = 'answer_given' and a.state in ('joined', 'late') "
        "group by a.event_id having count(d) <> 1",
        "delete from events where annotator = 'implicit:id'",
    ),
    "uses of a memory are its reviews": (
        "select s.bank_id, s.key from memory_stats s where uses <> (select count(*) from events e "
        "where e.bank_id = s.bank_id and e.memory_key = s.key and e.state in ('joined', 'late') "
        "and e.action in ('memory_cited', 'memory_thumbs_up'))",
        "update memory_stats set uses = uses + 1",
    ),
}


@dataclass
class LearningAudit:
    """What was found of what had been acknowledged, and of what it taught."""

    stored: Counter[str] = field(default_factory=Counter)  # event id -> how often it is there
    again: Counter[str] = field(default_factory=Counter)  # all events sent once more
    lost: dict[str, float] = field(default_factory=dict)  # answered recalls not on record
    replays: dict[str, Any] = field(default_factory=dict)  # bank -> what its replay showed
    findings: list[dict[str, Any]] = field(default_factory=list)  # the doctor's


def settled(server: Server) -> float:
    """Seconds until all that may be learnt from is learnt from."""
    with psycopg.connect(server.dsn(), autocommit=True) as watch:
        return within(SETTLE_S, lambda: watch.execute(DUE).fetchone() == (0,), poll_s=0.1)


def learning_audit(server: Server, ledgers: Ledgers) -> LearningAudit:
    """Send everything once more, learn it if there is anything, replay, and ask the doctor."""
    found = LearningAudit()
    settled(server)
    with psycopg.connect(server.dsn()) as connection:  # before anything could mend what is lost
        rows = connection.execute(
            "select event_id from events where annotator not like 'implicit:%'"
        )
        found.stored.update(row[0] for row in rows)
        known = {row[0] for row in connection.execute("select id from recalls")}
    with httpx.Client(timeout=ANSWER_S) as http:
        for bank, ledger in ledgers.items():
            for events in batches(list(ledger.events.values()), 500):
                url = f"{server.url}{path_of(bank)}/feedback"
                told = http.post(url, json={"events": events}).raise_for_status().json()
                names = ("accepted", "duplicate", "parked", "late")
                found.again.update({name: told.get(name, 0) for name in names})
                found.again["rejected"] += len(told["rejected"])
    settled(server)
    for ledger in ledgers.values():
        found.lost |= {one: at for one, at in ledger.recalls.items() if one not in known}
    found.replays = printed(server, "learner", "replay", seconds=REPLAY_S)
    found.findings = doctor(server)
    return found
