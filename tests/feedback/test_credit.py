"""What events say of the memories shown: one net value each, bounded, whatever is repeated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.credit import Signal, credit
from feedback.values import DEFAULTS

KEYS = [11, 12, 13, 14]
PLACES = np.arange(1, 5)


def said(action: str, key: int | None = None, value: float | None = None, **more) -> Signal:
    value = DEFAULTS[action].value if value is None else value
    parts = {"confidence": 1.0, "trusted": False, **more}
    return Signal(action, key, value, **parts)


def got(*signals: Signal):
    return credit(signals, KEYS, PLACES, DEFAULTS, eta=1.0)


def test_citation_counts_its_value_times_its_trust() -> None:
    told = got(said("memory_cited", 12))
    assert told.engagement.tolist() == [0, pytest.approx(0.9), 0, 0]
    assert not told.explicit.any()
    assert told.exposed.all()


def test_repetition_adds_nothing() -> None:
    once = got(said("memory_opened", 12))
    often = got(*[said("memory_opened", 12)] * 50)
    assert once.engagement.tolist() == often.engagement.tolist()


def test_deliberate_no_outweighs_everything_seen_in_passing() -> None:
    told = got(*[said("memory_used_in_tool", 11)] * 9, said("memory_thumbs_down", 11))
    assert told.engagement[0] == -1
    assert told.explicit[0]


def test_no_in_passing_does_not_outweigh_a_yes() -> None:
    told = got(said("memory_cited", 11), said("query_rephrased"))
    assert told.engagement[0] == pytest.approx(0.9)
    assert (told.engagement[1:] < 0).all()


def test_complaint_about_the_list_is_shared_by_examination_and_sums_to_its_value() -> None:
    told = got(said("query_rephrased"))
    assert told.engagement.sum() == pytest.approx(-0.25)
    assert told.engagement[0] == pytest.approx(told.engagement[3] * 4)


def test_praise_goes_to_what_was_used_and_else_to_nobody() -> None:
    assert not got(said("answer_thumbs_up")).engagement.any()
    told = got(said("answer_thumbs_up", used=(1,)))
    assert told.engagement.tolist() == [0, pytest.approx(0.3), 0, 0]
    told = got(said("task_succeeded"), said("memory_opened", 13))
    assert told.engagement[[0, 1, 3]].tolist() == [0, 0, 0]


def test_blame_of_an_answer_goes_to_what_was_used_or_to_the_list() -> None:
    assert got(said("answer_thumbs_down", used=(2,))).engagement.tolist() == [0, 0, -0.3, 0]
    assert got(said("answer_thumbs_down")).engagement.sum() == pytest.approx(-0.3)


def test_corrected_text_is_no_fault_of_the_ranking_unless_something_better_was_there() -> None:
    assert not got(said("memory_corrected", 11)).engagement.any()
    told = got(said("memory_corrected", 11), said("memory_cited", 12))
    assert told.engagement.tolist() == [pytest.approx(-0.9), pytest.approx(0.9), 0, 0]


def test_only_what_was_reported_exposed_counts_as_seen_and_what_was_used() -> None:
    told = got(said("memory_exposed", 11), said("memory_exposed", 12), said("memory_cited", 14))
    assert told.exposed.tolist() == [True, True, False, True]
    assert told.is_reported


def test_trust_holds_only_where_all_that_counts_was_sent_with_it() -> None:
    assert got(said("memory_cited", 11, trusted=True)).is_trusted
    mixed = got(said("memory_cited", 11, trusted=True), said("memory_cited", 12))
    assert not mixed.is_trusted
    assert not got(said("memory_exposed", 11, trusted=True)).is_trusted


signals = st.builds(
    Signal,
    st.sampled_from([*DEFAULTS, "unheard_of"]),
    st.sampled_from([None, *KEYS, 99]),
    st.one_of(st.none(), st.floats(-1, 1)),
    st.floats(0, 1),
    st.booleans(),
    st.lists(st.integers(0, 3), unique=True).map(lambda found: tuple(sorted(found))),
)


@given(st.lists(signals, max_size=12), st.randoms(use_true_random=False))
def test_engagement_is_bounded_and_the_order_of_events_plays_no_part(told, shuffler) -> None:
    first = credit(told, KEYS, PLACES, DEFAULTS, eta=1.0)
    assert np.isfinite(first.engagement).all()
    assert (np.abs(first.engagement) <= 1).all()
    assert first.exposed[first.engagement != 0].all()
    shuffler.shuffle(told)
    again = credit(told, KEYS, PLACES, DEFAULTS, eta=1.0)
    assert first.engagement.tolist() == again.engagement.tolist()
    assert first.explicit.tolist() == again.explicit.tolist()
