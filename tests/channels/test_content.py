"""Content, by which time and graph lanes weigh candidates: words and meaning, each to [0, 1]."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Lookups, Nearest, Scored
from channels.content import KEYWORD_SHARE, blend, content_scores, seed_scores
from channels.once import Once

keys = st.lists(st.integers(1, 50), unique=True, max_size=10)
scores = st.floats(0.01, 100)


def scored(*pairs):
    return Scored(np.array([k for k, _ in pairs], np.int64), np.array([s for _, s in pairs], float))


def nearest(*pairs):
    return Nearest.of([(key, score, score) for key, score in pairs])


@st.composite
def runs(draw):
    return [(key, draw(scores)) for key in draw(keys)]


def test_shares_are_as_by_hand():
    found = blend(scored((1, 8.0), (2, 4.0)), nearest((2, 0.9), (3, 0.6), (4, 0.5)))
    assert found == pytest.approx({1: 0.6, 2: 0.3 + 0.4, 3: 0.4 * 0.25, 4: 0.0})


def test_nothing_found_is_nothing_scored():
    assert blend(Scored.empty(), Nearest.empty()) == {}


def test_vectors_that_are_all_alike_count_whole():
    assert blend(Scored.empty(), nearest((1, 0.3), (2, 0.3))) == pytest.approx({1: 0.4, 2: 0.4})


@given(runs(), runs())
def test_every_candidate_of_either_has_a_share_between_none_and_all(words, vectors):
    found = blend(scored(*words), nearest(*vectors))
    assert found.keys() == {key for key, _ in words} | {key for key, _ in vectors}
    assert all(0 <= score <= 1 + 1e-12 for score in found.values())


@given(runs(), runs(), st.integers(-20, 20))
def test_the_unit_of_bm25_changes_nothing(words, vectors, power):
    louder = [(key, score * 2.0**power) for key, score in words]
    assert blend(scored(*louder), nearest(*vectors)) == blend(scored(*words), nearest(*vectors))


def question_of(world, keywords, vectors):
    async def never():
        raise AssertionError("not asked for")

    question = world.question(world.bank(), "harbour")
    return replace(question, lookups=Lookups(Once(vectors), Once(never), Once(keywords)))


def gives(value):
    async def made():
        await asyncio.sleep(0)
        if isinstance(value, Exception):
            raise value
        return value

    return made


def test_one_failed_look_up_leaves_the_candidates_of_the_other(world):
    broken = gives(TimeoutError("late"))
    words, vectors = scored((1, 2.0)), nearest((2, 0.5))
    only_words = question_of(world, gives(words), broken)
    assert world.run(content_scores(only_words)) == pytest.approx({1: KEYWORD_SHARE})
    only_vectors = question_of(world, broken, gives(vectors))
    assert world.run(content_scores(only_vectors)) == pytest.approx({2: 1 - KEYWORD_SHARE})


def test_when_both_look_ups_fail_the_failure_is_told(world):
    question = question_of(world, gives(TimeoutError("words")), gives(ValueError("vectors")))
    with pytest.raises(TimeoutError, match="words"):
        world.run(content_scores(question))


def test_keyword_list_seeds_and_when_it_fails_what_is_meant_does_best_first(world):
    words, vectors = scored((7, 3.0), (4, 2.0)), nearest((2, 0.5), (3, 0.9), (5, 0.7))
    both = question_of(world, gives(words), gives(vectors))
    assert list(world.run(seed_scores(both)).items()) == [(7, 3.0), (4, 2.0)]
    no_words = question_of(world, gives(TimeoutError("late")), gives(vectors))
    found = world.run(seed_scores(no_words))
    assert list(found) == [3, 5]  # the last by meaning has no content to start from
    assert found[3] == pytest.approx(1 - KEYWORD_SHARE)
