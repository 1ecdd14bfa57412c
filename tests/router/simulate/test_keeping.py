from dataclasses import replace
from pathlib import Path

import numpy as np

from router.simulate.keeping import keep, kept, place_of
from tests.router.simulate.test_profiles import DATA, QUERY
from tests.router.simulate.test_stream import cases


def test_cases_survive_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "new" / "cases.npz"
    keep(path, cases())
    found = kept(path)
    assert len(found) == len(cases())
    for one, other in zip(found, cases(), strict=True):
        assert (one.bank, one.question, one.wanted) == (other.bank, other.question, other.wanted)
        for name in ("types", "ranks", "relevant"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
            assert getattr(one, name).dtype == getattr(other, name).dtype


def test_other_words_other_model_or_other_memories_lie_elsewhere(tmp_path: Path) -> None:
    asked = replace(DATA, queries=(replace(QUERY, text="Where did Ana go?"),))
    fewer = replace(DATA, memories={"b": DATA.memories["b"][:2]})
    places = {
        place_of(tmp_path, DATA, "natural", "m"),
        place_of(tmp_path, DATA, "natural", "other"),
        place_of(tmp_path, asked, "natural", "m"),
        place_of(tmp_path, fewer, "natural", "m"),
    }
    assert len(places) == 4
    assert place_of(tmp_path, DATA, "natural", "m") in places
