from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from channels.errors import BadInput
from feedback.events import read_event
from router.evaluate.dataset import Dataset, Memory, Query
from router.presets import CHANNELS, default_matrix
from router.simulate.over_http.course import Plan, banks_of, halved
from router.simulate.over_http.lift import Lived, report
from router.simulate.over_http.remote import Reply, Row
from router.simulate.over_http.tenant import Change, events_of
from router.simulate.over_http.told import markdown
from router.simulate.profiles import rewritten
from router.weights import as_json

ROW = Row(dict.fromkeys(CHANNELS, 1.0), 60.0)
NOW = datetime(2026, 5, 4, tzinfo=UTC)


def query(number: int, bank: str = "b", right: str = "m1") -> Query:
    text = f"where did Ana move cluster {number}?"
    return Query(f"{bank}{number}", bank, text, None, "kind", frozenset({right}))


def dataset(*banks: str, questions: int = 9) -> Dataset:
    memories = {
        bank: (Memory("m1", "Ana moved the cluster", None, None, None, None),) for bank in banks
    }
    asked = tuple(query(number, bank) for bank in banks for number in range(questions))
    return Dataset("d", memories, asked, 0)


def reply(*ids: str) -> Reply:
    return Reply("r1", ids, ROW, 0, "learned", (None,) * len(ids), ())


def lived(
    bank: str = "b", *, default: int, lanes: int, matrix: int, served: int, **weights: float
) -> Lived:
    """Eight questions; of each page, how many have the right memory first instead of second."""

    def pages(right: int) -> list[Reply]:
        return [reply("m1", "m2") if at < right else reply("m2", "m1") for at in range(8)]

    begun = as_json(default_matrix("any"))
    rows = as_json(default_matrix("any"))
    rows["general"]["weights"].update(weights)  # type: ignore[attr-defined]
    return Lived(
        bank=bank,
        profile="natural",
        half=0,
        asked=8,
        unseen=[query(number, bank) for number in range(8)],
        pages={
            "default": pages(default),
            "lanes": pages(lanes),
            "matrix": pages(matrix),
            "served": pages(served),
        },
        told={"clicks": 5, "explored": 3},
        people=4,
        first_learnt=20,
        learnt_s=2.0,
        change=Change(3.5, 1, "version"),
        state={
            "version": 2,
            "rows": rows,
            "default": begun,
            "residual": {"gate": "on", "z": 1.5, "impressions": 30},
        },
    )


def test_nobody_asks_the_questions_of_the_other_half() -> None:
    natural, terse = dataset("b"), rewritten(dataset("b"), "terse")
    asked, unseen = halved(natural.queries, 0)
    assert (len(asked), len(unseen)) == (5, 4)
    assert {one.id for one in [*asked, *unseen]} == {one.id for one in natural.queries}
    assert halved(natural.queries, 1) == (unseen, asked)
    assert [one.id for one in halved(terse.queries, 0)[1]] == [one.id for one in unseen]


def test_banks_need_questions_that_can_be_halved() -> None:
    few = dataset("few", questions=3)
    many = dataset("one", "two")
    both = Dataset("d", {**few.memories, **many.memories}, (*few.queries, *many.queries), 0)
    assert banks_of(both, 2) == ["one", "two"]
    with pytest.raises(BadInput, match="which has 2 with"):
        banks_of(both, 3)


def test_what_is_to_do_is_counted_for_both_halves() -> None:
    plan = Plan(banks=2, recalls=10)
    assert plan.totals(dataset("a", "b")) == {"load": 2, "before": 8, "live": 20, "after": 8}
    both = Plan(banks=2, recalls=10, swaps=True)
    assert both.totals(dataset("a", "b")) == {"load": 4, "before": 18, "live": 40, "after": 18}


def test_a_person_reports_each_use_with_its_place_and_then_closes() -> None:
    told = list(events_of(reply("m2", "m1", "m3"), np.array([0.0, 1.0, 1.0]), "p"))
    events = [read_event(one, now=datetime.now(UTC)) for one in told]
    assert [(one.action, one.memory_id, one.position) for one in events] == [
        ("memory_cited", "m1", 2),
        ("memory_cited", "m3", 3),
        ("recall_closed", None, None),
    ]
    assert {one.recall_id for one in events} == {"r1"}
    assert len({one.event_id for one in events}) == 3
    assert [one["action_name"] for one in events_of(reply("m1"), np.zeros(1), "p")] == [
        "recall_closed"
    ]


def test_parts_of_the_lift_add_up_by_hand() -> None:
    found = report("d", 60, 4, [lived(default=2, lanes=2, matrix=5, served=8)])
    second = 1 / np.log2(3)  # nDCG of the one right memory in second place
    scores, parts = found["pooled"]["ndcg@10"], found["pooled"]["parts"]
    assert scores["default"] == pytest.approx((2 + 6 * second) / 8)
    assert scores["served"] == 1.0
    assert parts["lanes"]["delta"] == 0.0
    assert parts["matrix"]["delta"] == pytest.approx(3 * (1 - second) / 8)
    assert parts["residual"]["delta"] == pytest.approx(3 * (1 - second) / 8)
    assert parts["lift"]["delta"] == pytest.approx(6 * (1 - second) / 8)
    assert (parts["lift"]["win"], parts["lift"]["tie"], parts["lift"]["loss"]) == (6, 2, 0)
    assert found["verdicts"]["lift_above_zero"]


def test_a_lift_whose_interval_holds_zero_is_called_none() -> None:
    up, down = (
        lived("up", default=0, lanes=0, matrix=4, served=4),
        lived("down", default=4, lanes=4, matrix=0, served=0),
    )
    found = report("d", 60, 4, [up, down])
    assert found["pooled"]["parts"]["lift"]["delta"] == pytest.approx(0.0)
    assert not found["verdicts"]["lift_above_zero"]
    assert found["banks"][0]["parts"]["lift"]["ci95"][0] > 0


def test_rows_are_compared_by_how_far_they_went_from_their_own_default() -> None:
    same = {"default": 1, "lanes": 1, "matrix": 1, "served": 1}
    started = default_matrix("any").rows["general"].weights["keyword"]
    one = lived("one", **same, keyword=started + 0.25)
    two = lived("two", **same, keyword=started - 0.05)
    found = report("d", 60, 4, [one, two, lived("three", **same)])
    first = found["apart"][0]
    assert (first["type"], first["channel"]) == ("general", "keyword")
    assert first["difference"] == pytest.approx(0.30)
    assert found["verdicts"]["matrices_differ"]
    still = report("d", 60, 4, [two, lived("three", **same)])
    assert still["apart"][0]["difference"] == pytest.approx(0.05)
    assert not still["verdicts"]["matrices_differ"]


def test_a_closing_that_changed_nothing_is_said() -> None:
    late = lived(default=1, lanes=1, matrix=1, served=1)
    found = report("d", 60, 4, [replace(late, change=Change(None, 20, "nothing"))])
    assert not found["verdicts"]["closing_changes_what_is_served"]
    text = markdown(found)
    assert "a closing changes what is served within 60 s: NO" in text
    assert "never (20)" in text
