"""Worker, server and Postgres killed while they learn: every event counts once, versions replay.

FIVEFOLD_LEARNING_KILLS=100, as in `make faults`, kills a hundred times instead of four.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest

from router.store.embedded import EmbeddedPostgres
from tests.faults.harness import (
    ANSWER_S,
    LEARNING_KILLS,
    SEED,
    STORE_S,
    Kit,
    processes_of,
    served,
    temporary,
    within,
)
from tests.faults.learning_audit import RULES, LearningAudit, learning_audit
from tests.faults.lessons import TASTES, Ledgers, make_banks, teaching
from tests.faults.load import Ledger
from tests.faults.midstep import MOMENTS, VICTIMS, Strike, Worker, plan, strike
from tests.faults.report import counted, times

WRITTEN_S = 15.0  # a record waits for a database that recovers; its tries end by then
pytestmark = [pytest.mark.faults, pytest.mark.timeout(180 + 30 * LEARNING_KILLS)]

MANY = LEARNING_KILLS >= 48  # of every victim twelve: more than chance leaves out
LATE = "select count(*) from events where state = 'late' and learned_batch is not null"


@dataclass
class School:
    """What happened, and the database as it was left."""

    ledgers: Ledgers = field(default_factory=lambda: {bank: Ledger() for bank in TASTES})
    strikes: list[Strike] = field(default_factory=list)
    audit: LearningAudit = field(default_factory=LearningAudit)
    codes: list[int] = field(default_factory=list)  # of worker and server, ended in order
    survivors: list[int] = field(default_factory=list)
    output: str = ""  # all that the processes printed
    log: str = ""  # what Postgres said
    dsn: str = ""

    def rows(self, statement: str, *, after: str | None = None) -> list[tuple[Any, ...]]:
        """Rows of a statement, past row security; after a change that is then taken back."""
        with psycopg.connect(self.dsn) as connection:
            if after:
                connection.execute(after.encode())
            found = connection.execute(statement.encode()).fetchall()
            connection.rollback()
            return found

    @property
    def answers(self) -> Counter[str]:
        return sum((one.answers for one in self.ledgers.values()), Counter[str]())

    @property
    def events(self) -> set[str]:
        return {name for one in self.ledgers.values() for name in one.events}


@pytest.fixture(scope="module")
def school(kit: Kit, observed: Callable[..., None]) -> Iterator[School]:
    """A server that learns and a worker beside it live through the kills, then all is read."""
    happened = School()
    with temporary() as folder, ExitStack() as cleanup:
        server = cleanup.enter_context(served(kit, folder))
        worker = Worker(kit, folder, "worker")
        cleanup.callback(worker.close)
        server.start()
        make_banks(server)
        worker.start()
        chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
        with teaching(server, happened.ledgers) as teachers:
            for victim, moment in plan(LEARNING_KILLS):
                _taught(happened, chance)
                happened.strikes.append(strike(victim, moment, server, worker, teachers, chance))
            _taught(happened, chance)
        happened.audit = learning_audit(server, happened.ledgers)
        happened.codes = [worker.terminate(), server.terminate()]
        happened.survivors = processes_of(server.data_dir)
        happened.output = server.output + worker.output
        happened.log = (server.data_dir / "postgres.log").read_text(errors="replace")
        happened.dsn = cleanup.enter_context(EmbeddedPostgres(server.data_dir)).start()
        _note(happened, observed)
        yield happened


def _taught(happened: School, chance: random.Random) -> None:
    """Return after a random number of acknowledgements."""
    goal = happened.answers["200"] + chance.randint(20, 60)
    within(ANSWER_S, lambda: happened.answers["200"] >= goal)


def _note(school: School, observed: Callable[..., None]) -> None:
    audit, replays = school.audit, school.audit.replays.values()
    faults = sum(len(one.faults) for one in school.ledgers.values())
    doctor = dict(Counter(one["status"] for one in audit.findings))
    [(late,)] = school.rows(LATE)
    parked = [one for one in school.events if one.split(".")[0] in audit.lost]
    observed(
        "Kills while banks are learnt",
        *_struck(school),
        "a server that learns and a `fivefold worker` beside it, four banks; `all` is both and "
        "Postgres. `during a step` is a random moment after a transaction that learns was seen to "
        "have claimed its bank; `steps undone` are those that Postgres says were under way and "
        "never committed (`pg_xact_status`), the others had committed or were the other process's",
        *_learnt(school),
        f"`fivefold learner replay`: {sum(len(one['versions']) for one in replays)} versions "
        f"reproduced bit for bit, {sum(len(one['differing']) for one in replays)} not; state the "
        f"same in {sum(one['same_state'] for one in replays)} of {len(audit.replays)} banks",
        f"{len(school.events)} events acknowledged, {len(school.events & audit.stored.keys())} "
        f"found, {late} learnt late; sent once more: {dict(audit.again)}; {len(parked)} of them "
        f"wait for the {len(audit.lost)} answered recalls whose records went with their server",
        f"answers {school.answers['200']}, declared 503 {school.answers['503']}, cut connections "
        f"{school.answers['lost']}, others {faults}",
        f"{len(RULES)} rules between log and learner hold, each of which a change made on purpose "
        f"breaks; `fivefold doctor`: {doctor}",
    )


def _struck(school: School) -> list[str]:
    moments, rows = list(dict.fromkeys(MOMENTS)), []
    for victim in VICTIMS:
        mine = [one for one in school.strikes if one.victim == victim]
        if mine:
            hits = [sum(one.moment == moment for one in mine) for moment in moments]
            undone = sum(one.undone for one in mine)
            rows.append([victim, *hits, undone, times([one.recovered_s for one in mine])])
    heads = [f"during {moment}" for moment in moments]
    return counted(["killed", *heads, "steps undone", "back, s: p50 / max"], rows)


def _learnt(school: School) -> list[str]:
    known = {
        bank: sum(recall not in school.audit.lost for recall in ledger.recalls)
        for bank, ledger in school.ledgers.items()
    }
    heads = ["bank", "recalls on record", "batches", "impressions", "versions published"]
    rows = [
        [bank, known[bank], one["batches"], one["impressions"], len(one["versions"])]
        for bank, one in school.audit.replays.items()
    ]
    return counted(heads, rows)


def test_kills_are_as_planned_and_undo_steps_that_had_begun(school: School) -> None:
    assert [(one.victim, one.moment) for one in school.strikes] == plan(LEARNING_KILLS)
    assert sum(one.undone for one in school.strikes) >= len(school.strikes) // 4
    if MANY:
        assert {one.victim for one in school.strikes if one.undone} == set(VICTIMS)
    assert max(one.recovered_s for one in school.strikes) < 2 * STORE_S
    assert "PANIC" not in school.log


def test_every_acknowledged_event_is_stored_exactly_once(school: School) -> None:
    assert school.events
    assert {name: school.audit.stored[name] for name in school.events} == dict.fromkeys(
        school.events, 1
    )
    assert set(school.audit.stored) == school.events


def test_sending_every_event_again_gives_only_duplicates(school: School) -> None:
    assert school.audit.again == {
        "accepted": 0, "duplicate": len(school.events), "parked": 0, "late": 0, "rejected": 0,
    }  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_what_was_learnt_agrees_with_the_log(school: School, rule: str) -> None:
    statement, change = RULES[rule]
    assert school.rows(statement) == []
    assert school.rows(statement, after=change) != [], "a rule that nothing breaks"


def test_replay_gives_state_and_every_published_version_bit_for_bit(school: School) -> None:
    published = dict(school.rows("select name, count(version) from banks "
                                 "left join matrices using (bank_id) group by name"))  # fmt: skip
    assert published.keys() == school.audit.replays.keys()
    assert sum(published.values()) > 0, "nothing was published, so nothing was compared"
    for bank, replay in school.audit.replays.items():
        assert replay["exact"], (bank, replay)
        assert replay["same_state"], bank
        assert replay["versions"] == list(range(1, published[bank] + 1)), bank
        assert replay["batches"] > 0, bank


@pytest.mark.skipif(not MANY, reason="a short run may end before one comes: `make faults` runs it")
def test_thumbs_that_came_late_were_learnt_too(school: School) -> None:
    [(late,)] = school.rows(LATE)
    assert late > 0


def test_record_of_a_recall_is_lost_only_with_the_server_that_answered_it(school: School) -> None:
    servers = [one.at for one in school.strikes if one.victim in ("server", "all")]
    for recall, answered in school.audit.lost.items():
        assert any(at - WRITTEN_S < answered < at + 1 for at in servers), recall


def test_callers_get_no_other_failure_and_the_doctor_finds_none(school: School) -> None:
    assert [fault for one in school.ledgers.values() for fault in one.faults] == []
    assert [one for one in school.audit.findings if one["status"] == "fail"] == []
    assert {one["bank"] for one in school.audit.findings} >= set(TASTES)


def test_worker_and_server_end_in_order_and_take_postgres_along(school: School) -> None:
    assert school.codes == [0, 0]
    assert school.survivors == []


def test_no_process_prints_a_traceback_though_the_store_went_away_under_a_step(
    school: School,
) -> None:
    assert "Traceback" not in school.output
    errors = set(re.findall(r"\[error\s*\] (\w+)", school.output))
    assert errors <= {"request_failed", "database_failed"}  # answered with 503
