"""Does an event fit the recall it names?"""

from datetime import timedelta

from feedback.events import read_event
from feedback.joining import Misfit, Placed, Shown, place
from tests.feedback.samples import CITED, LIKED, NOW


def read(**changes):
    return read_event({**CITED, **changes}, now=NOW)


def shown(**changes):
    facts = {"recall_id": "r1", "at": NOW, "closed_at": None, "actor": "ana", "shown_from": 0}
    return Shown(
        **{**facts, "shown_keys": [11, 12, 17], "shown_ids": ["m1", "m2", "m7"], **changes}
    )


def test_an_event_that_fits_is_joined_to_actor_and_memory():
    assert place(read(), shown(), NOW, 1800) == Placed("joined", "ana", 17)


def test_the_rank_counts_from_the_offset_of_the_page():
    paged = shown(shown_from=10)
    wrong = place(read(), paged, NOW, 1800)
    assert isinstance(wrong, Misfit)
    assert wrong.code == "wrong_position"
    later = read(event_attributes=None, memory_id="m7", position=13)
    assert place(later, paged, NOW, 1800) == Placed("joined", "ana", 17)


def test_a_rank_without_memory_must_be_on_the_page():
    on_page = read_event({**LIKED, "position": 3}, now=NOW)
    assert place(on_page, shown(), NOW, 1800) == Placed("joined", "ana", None)
    off_page = place(read_event({**LIKED, "position": 4}, now=NOW), shown(), NOW, 1800)
    assert isinstance(off_page, Misfit)
    assert off_page.code == "wrong_position"


def test_a_memory_that_was_not_shown_is_unknown():
    found = place(read(), shown(shown_keys=[1], shown_ids=["m1"]), NOW, 1800)
    assert isinstance(found, Misfit)
    assert (found.code, found.field) == ("unknown_item", "event_attributes.object.object_id")
    listed = read_event({**LIKED, "router": {"used_ids": ["m1", "m9"]}}, now=NOW)
    found = place(listed, shown(), NOW, 1800)
    assert isinstance(found, Misfit)
    assert (found.code, found.field) == ("unknown_item", "router.used_ids[1]")


def test_a_recall_that_closed_or_ran_out_takes_events_late():
    assert place(read(), shown(closed_at=NOW), NOW, 1800) == Placed("late", "ana", 17)
    at = NOW - timedelta(seconds=1800)
    assert place(read(), shown(at=at), NOW, 1800) == Placed("joined", "ana", 17)
    after = NOW + timedelta(microseconds=1)
    assert place(read(), shown(at=at), after, 1800) == Placed("late", "ana", 17)


def test_after_thirty_days_it_is_too_late():
    at = NOW - timedelta(days=30)
    assert place(read(), shown(at=at), NOW, 1800) == Placed("late", "ana", 17)
    found = place(read(), shown(at=at), NOW + timedelta(seconds=1), 1800)
    assert isinstance(found, Misfit)
    assert found.code == "too_late"
