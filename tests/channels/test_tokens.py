"""Packing token vectors and comparing them."""

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.embedder import PACKAGED, SentenceEmbedder
from channels.tokens import (
    DIM,
    PIECE,
    ROW_BYTES,
    gives_tokens,
    max_sim,
    pack,
    projection,
    unpack,
)


def tokens(seed, count):
    rows = np.random.default_rng(seed).standard_normal((count, DIM)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(st.integers(0, 2**32), st.integers(0, 40))
@settings(max_examples=50, deadline=None)
def test_a_packed_token_comes_back_within_half_a_step(seed, count):
    rows = tokens(seed, count)
    packed = pack(rows)
    assert len(packed) == ROW_BYTES * count
    step = np.abs(rows).max(axis=1, initial=0, keepdims=True) / 7
    assert (np.abs(unpack(packed) - rows) <= 0.51 * step + 1e-6).all()


@given(st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_packing_what_was_unpacked_changes_nothing(seed):
    packed = pack(tokens(seed, 5))
    assert pack(unpack(packed)) == packed


def test_a_zero_token_packs_to_zeros():
    assert not unpack(pack(np.zeros((2, DIM), np.float32))).any()


def test_max_sim_is_the_weighted_mean_of_best_matches():
    eye = np.eye(DIM, dtype=np.float32)
    question, weights = eye[:2], np.array([3.0, 1.0], np.float32)
    both, first, neither = pack(eye[[1, 0, 5]]), pack(eye[[0]]), pack(eye[[7]])
    scores = max_sim(question, weights, [both, first, neither])
    assert np.allclose(scores, [1.0, 0.75, 0.0], atol=1e-3)


def test_the_best_piece_of_a_long_text_counts_and_not_all_of_them_together():
    eye = np.eye(DIM, dtype=np.float32)
    question, weights = eye[:2], np.ones(2, np.float32)
    filler = np.repeat(eye[[9]], PIECE - 1, axis=0)
    apart = pack(np.concatenate([eye[[0]], filler, eye[[1]], filler]))
    together = pack(np.concatenate([filler, eye[[9]], eye[[0, 1]]]))
    scores = max_sim(question, weights, [pack(eye[[0]]), apart, b"", together])
    assert np.allclose(scores, [0.5, 0.5, -1.0, 1.0], atol=1e-3)


@given(st.lists(st.integers(0, 700), max_size=40), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_memories_compared_in_groups_score_as_each_alone(counts, seed):
    packs = [pack(tokens(seed + at, count)) for at, count in enumerate(counts)]
    question, weights = tokens(seed, 5), np.arange(1, 6, dtype=np.float32)
    alone = [max_sim(question, weights, [one])[0] for one in packs]
    assert np.allclose(max_sim(question, weights, packs), alone, atol=1e-5)


def test_an_empty_pack_ranks_below_anything_compared():
    eye = np.eye(DIM, dtype=np.float32)
    scores = max_sim(eye[:1], np.ones(1, np.float32), [b"", pack(-eye[:1]), b""])
    assert scores[0] == scores[2] == -1
    assert scores[1] >= -1


def test_the_packaged_model_has_an_orthonormal_projection():
    found = projection("all-MiniLM-L6-v2")
    assert found is not None
    assert found.shape == (384, DIM)
    assert np.allclose(found.T @ found, np.eye(DIM), atol=2e-3)


@pytest.mark.parametrize(
    "name", ["some/other-model", "unheard-of", "", "..", "no\0name", "n" * 5_000, f"/x/{PACKAGED}"]
)
def test_a_model_we_have_not_fitted_has_none(name):
    assert projection(name) is None
    assert not gives_tokens(name)


def test_what_a_name_promises_is_what_the_model_gives():
    embedder = SentenceEmbedder(PACKAGED)
    found = asyncio.run(embedder.embed_tokens(["a word"]))
    embedder.close()
    assert gives_tokens(PACKAGED)
    assert found[0].tokens is not None
