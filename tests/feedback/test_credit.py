"""What events say of the memories shown: one net value each, bounded, whatever is repeated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.credit import Signal, added, credit
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


def test_trusted_word_stands_whatever_others_send() -> None:
    word = said("memory_thumbs_down", 11, trusted=True)
    others = [
        said("memory_opened", 12),
        said("memory_cited", 11),
        said("query_rephrased"),
        said("memory_thumbs_up", 11),
        said("memory_thumbs_down", 13),
        said("memory_exposed", 14),
    ]
    alone = got(word)
    assert alone.vouched.tolist() == [-1, 0, 0, 0]
    assert alone.is_trusted
    for count in range(1, len(others) + 1):
        told = got(word, *others[:count])
        assert told.vouched.tolist() == alone.vouched.tolist()
        assert not told.is_trusted


def test_others_contrary_word_leaves_the_trusted_one() -> None:
    told = got(said("memory_thumbs_up", 11, trusted=True), said("memory_thumbs_down", 11))
    assert told.engagement[0] == -1
    assert told.vouched[0] == 1


def test_others_do_not_tell_what_a_trusted_answer_rests_on() -> None:
    told = got(said("answer_thumbs_up", trusted=True), said("memory_cited", 13))
    assert told.engagement[2] == pytest.approx(0.9)
    assert not told.vouched.any()
    told = got(said("answer_thumbs_up", trusted=True, used=(1,)), said("memory_cited", 13))
    assert told.vouched.tolist() == [0, pytest.approx(0.3), 0, 0]


def test_what_a_trusted_key_saw_in_passing_is_not_its_word() -> None:
    told = got(
        said("memory_cited", 11, trusted=True), said("judge_relevance", 11, 0.5, trusted=True)
    )
    assert told.vouched.tolist() == [pytest.approx(0.35), 0, 0, 0]


def more(before: list[Signal], *signals: Signal):
    return added(before, signals, KEYS, PLACES, DEFAULTS, eta=1.0)


def test_what_was_said_before_adds_nothing() -> None:
    liked = said("memory_thumbs_up", 11)
    assert not more([liked], liked, liked).engagement.any()
    assert not more([liked], said("answer_thumbs_up", used=(0,))).engagement.any()
    graded = said("judge_relevance", 11, 0.2)
    assert not more([graded], said("judge_relevance", 11, 0.9)).engagement.any()


def test_another_action_adds_what_it_moves() -> None:
    told = more([said("memory_cited", 11)], said("memory_thumbs_up", 11))
    assert told.engagement.tolist() == [pytest.approx(0.1), 0, 0, 0]
    assert told.exposed.tolist() == [True, False, False, False]
    told = more([said("memory_cited", 11)], said("memory_thumbs_down", 11))
    assert told.engagement.tolist() == [-1, 0, 0, 0]
    told = more([said("memory_cited", 11)], said("memory_thumbs_up", 12))
    assert told.engagement.tolist() == [0, 1, 0, 0]


def test_a_late_word_takes_nothing_from_others() -> None:
    """Two memories used now: what was shared out before stays where it went."""
    before = [said("answer_thumbs_up", used=(0,))]
    assert more(before, said("memory_thumbs_up", 12)).engagement.tolist() == [0, 1, 0, 0]


def test_trusted_word_adds_trust_to_what_others_said_before() -> None:
    told = more([said("memory_thumbs_up", 11)], said("memory_thumbs_up", 11, trusted=True))
    assert not told.engagement.any()
    assert told.vouched.tolist() == [1, 0, 0, 0]
    again = said("memory_thumbs_up", 11, trusted=True)
    assert not more([again], again).vouched.any()


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
    assert first.vouched.tolist() == again.vouched.tolist()
    alone = credit([one for one in told if one.trusted], KEYS, PLACES, DEFAULTS, eta=1.0)
    if not any(one.action == "memory_exposed" for one in told):
        assert first.vouched.tolist() == alone.vouched.tolist()


@given(st.lists(signals, max_size=8), st.lists(signals, max_size=8))
def test_what_is_said_twice_is_rewarded_once(before, told) -> None:
    page = KEYS, PLACES, DEFAULTS
    first = added(before, told, *page, eta=1.0)
    assert (np.abs(first.engagement) <= 1).all()
    assert (np.abs(first.vouched) <= 1).all()
    again = added([*before, *told], told, *page, eta=1.0)
    assert not again.engagement.any()
    assert not again.vouched.any()
