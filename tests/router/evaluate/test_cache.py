from datetime import UTC, datetime

import numpy as np
import pytest

from channels.base import BankKey, Embedded
from channels.errors import ConfigError
from router.evaluate.cache import VectorCache
from router.store.banks import Bank, BankConfig


def bank(model):
    now = datetime.now(UTC)
    return Bank(BankKey(1), "b", None, BankConfig(), 1, model, 3, 1, now, 0, False)


class Counting:
    def __init__(self):
        self.texts = []

    async def embed(self, bank, texts):
        self.texts += texts
        vectors = [None if text == "" else np.full(3, len(text), np.float32) for text in texts]
        return [Embedded(vector, np.ones((2, 128), np.float32)) for vector in vectors]


def test_a_text_is_embedded_once_a_model_and_comes_back_exactly(tmp_path, run):
    asked = Counting()
    with VectorCache(tmp_path / "new", asked.embed) as cache:
        run(cache.embed(bank("one"), ["aa", "b", "aa"]))
    with VectorCache(tmp_path / "new", asked.embed) as cache:
        again = run(cache.embed(bank("one"), ["b", "aa", "ccc"]))
        run(cache.embed(bank("two"), ["b"]))
    assert asked.texts == ["aa", "b", "ccc", "b"]
    assert [one.vector.tolist() for one in again] == [[1] * 3, [2] * 3, [3] * 3]
    assert all(np.allclose(one.tokens, 1, atol=0.01) for one in again)


def test_a_text_without_direction_is_remembered_as_such(tmp_path, run):
    asked = Counting()
    with VectorCache(tmp_path, asked.embed) as cache:
        assert run(cache.embed(bank("one"), [""]))[0].vector is None
        assert run(cache.embed(bank("one"), [""]))[0].vector is None
    assert asked.texts == [""]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="choose a folder"):
        VectorCache(tmp_path / "file" / "below", Counting().embed)
