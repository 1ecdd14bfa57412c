"""A text longer than its model reads at once is read in windows, and a shorter one as ever."""

import asyncio
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.base import Embedded
from channels.embedder import SentenceEmbedder
from channels.windows import MOST, OVERLAP, TextWindow, joined, later, windows

PLAIN = "The office plants were watered on time and nobody had anything to add. "
FACT = "Rhea keeps the spare key of the boathouse in a blue tin."
ASKED = "where is the spare key of the boathouse?"


@pytest.fixture(scope="module")
def model():
    embedder = SentenceEmbedder()
    yield embedder
    embedder.close()


def words_of(count: int) -> tuple[list[tuple[int, int]], list[int | None]]:
    """Tokens of two characters each, every word two tokens."""
    return [(2 * at, 2 * at + 2) for at in range(count)], [at // 2 for at in range(count)]


@given(st.integers(1, 3_000), st.sampled_from([8, 16, 80, 254]))
@settings(max_examples=100, deadline=None)
def test_windows_cover_a_text_without_a_gap_until_there_are_enough(count, size):
    found = windows(*words_of(count), size)
    assert found[0].start == found[0].known == 0
    assert len(found) <= MOST
    for before, after in pairwise(found):
        assert after.start < before.end < after.end
        assert after.known == (before.end - after.start) // 2 >= min(OVERLAP, size // 4) - 1
    assert all(0 < one.end - one.start <= 2 * size for one in found)
    assert found[-1].end == 2 * count or len(found) == MOST
    assert len(found) > 1 or count <= size


def test_a_window_begins_and_ends_between_words_and_the_last_is_as_long_as_can_be():
    first, last = windows(*words_of(82), 80)
    assert (first.start, first.end) == (0, 160)
    assert last == TextWindow(4, 164, 78)
    odd = windows(*words_of(300), 81)
    assert all(one.start % 4 == 0 for one in odd)  # a word has four characters


def test_the_vector_of_windows_is_the_mean_of_their_directions_and_no_token_stands_twice():
    eye = np.eye(4, dtype=np.float32)
    whole = joined([Embedded(eye[0], eye[[0, 1]]), Embedded(eye[1], eye[[3, 1, 2]])], known=[0, 1])
    assert whole.vector == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0])
    assert whole.tokens.tolist() == eye[[0, 1, 2]].tolist()
    assert later([0, 1, 2], 1) == [2]
    assert joined([Embedded(None), Embedded(eye[0])], [0, 1]).tokens is None
    assert joined([Embedded(eye[0]), Embedded(-eye[0])], [0, 1]).vector is None


def test_a_fact_at_the_end_of_a_long_text_is_found_by_meaning(model):
    texts = [PLAIN * 30 + FACT, PLAIN * 30, FACT]
    ended, plain, _ = asyncio.run(model.embed_tokens(texts))
    asked = asyncio.run(model.embed_question(ASKED))
    assert asked.vector @ ended.vector > asked.vector @ plain.vector + 0.1
    best = [(asked.tokens @ one.tokens.T).max(axis=1).mean() for one in (ended, plain)]
    assert best[0] > best[1] + 0.1
    assert ended.read_to is plain.read_to is None  # to the end
    assert len(ended.tokens) > 400


def test_what_lies_behind_the_last_window_is_said(model):
    [found] = asyncio.run(model.embed_tokens([PLAIN * 100 + FACT]))
    assert 3_000 < found.read_to < 6_000
    assert len(found.tokens) <= MOST * model.reads
    assert model.windows(PLAIN * 100 + FACT)[-1].end == found.read_to


def test_short_texts_have_the_vectors_they_had_whatever_is_beside_them(model):
    texts = ["a word", FACT, PLAIN, PLAIN * 40]
    before = model._encode_cut(texts)  # what the model gives when it cuts
    now = asyncio.run(model.embed_tokens(texts))
    for old, new in list(zip(before, now, strict=True))[:3]:
        assert np.array_equal(old.vector, new.vector)
        assert np.array_equal(old.tokens, new.tokens)
    assert np.array_equal(before[3].tokens, now[3].tokens[: len(before[3].tokens)])
    assert not np.array_equal(before[3].vector, now[3].vector)


@pytest.mark.parametrize(
    "text", [PLAIN * 30, "wort" * 300 + " foo" * 400, "鍵は青い缶にあります。" * 60, "😀 " * 400]
)
def test_a_long_question_has_a_place_for_each_of_its_tokens(model, text):
    found = asyncio.run(model.embed_question(text))
    assert len(found.spans) == len(found.tokens)
    assert max(end for _, end in found.spans) <= len(text)
    assert all(at < len(found.spans) for at in found.unread)
