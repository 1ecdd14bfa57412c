"""Candidate features: their shape, their centring, and their values by hand."""

import warnings
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey, Nearest, Scored, Term, TermStats
from router.facts import Facts
from router.features import (
    TEXT_FEATURES,
    LookedUp,
    Surroundings,
    feature_names,
    features,
    model_names,
    ranks_and_scores,
)
from router.fuse import weighted_rrf
from router.presets import CHANNELS
from router.understand.read import understand

NOW = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)
NAMES = feature_names(CHANNELS)
WEIGHTS = dict(zip(CHANNELS, (0.5, 0.4, 0.2, 1.0, 0.3), strict=True))
RUNS = st.fixed_dictionaries(
    {name: st.lists(st.integers(1, 12), unique=True, max_size=8) for name in CHANNELS}
)


class Asked:
    """The parts of a question that features read."""

    def __init__(self, text: str) -> None:
        read = understand(text, NOW, "UTC")
        self.text, self.window, self.asks_date = text, read.window, read.asks_date
        self.terms = (Term("rotat"), Term("key"))


def fact(key: int, **changes: Any) -> Facts:
    plain: dict[str, Any] = {
        "key": MemoryKey(key), "id": f"m{key}", "happened": NOW, "happened_end": NOW,
        "episode": None, "speaker": None, "words": 10, "has_time": False, "is_question": False,
        "kind": "turn", "is_superseded": False, "superseded_by": None, "page": None, "dates": (),
    }  # fmt: skip
    return Facts(**{**plain, **changes})


def table(
    runs: dict[str, list[int]], question: str = "rotate the key", **facts: Any
) -> tuple[Any, list[int]]:
    hits = {
        name: [Hit(MemoryKey(key), 1.0 / place) for place, key in enumerate(keys, 1)]
        for name, keys in runs.items()
    }
    fused = weighted_rrf(hits, WEIGHTS, rrf_k=60.0)
    keys = [int(item.key) for item in fused]
    known = {MemoryKey(key): facts.get(f"m{key}", fact(key)) for key in keys}
    keyword, semantic = runs.get("keyword", []), runs.get("semantic", [])
    looked_up = LookedUp(
        Scored(np.array(keyword, np.int64), 1.0 / np.arange(1, len(keyword) + 1)),
        Nearest.of([(key, 0.5, 0.5) for key in semantic]),
        facts.get("late"),
        TermStats(10, 5.0, {"rotat": 1, "key": 4}),
    )
    around = facts.get("around", Surroundings({}, {}))
    asked: Any = Asked(question)
    found = features(asked, fused, known, looked_up, around, CHANNELS)
    return found, keys


def test_names_are_unique_and_as_many_as_columns() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(TEXT_FEATURES) + len(CHANNELS)


def test_a_new_lane_brings_its_features_by_its_name_alone() -> None:
    before, after = model_names(CHANNELS), model_names((*CHANNELS, "spatial"))
    assert set(after) - set(before) == {"score_spatial", "contrast_5"}
    assert after[-1] == "slope"


def test_a_page_of_ten_takes_less_than_half_a_kilobyte_on_record() -> None:
    assert len(NAMES) * 10 * np.dtype(np.float16).itemsize < 500


@given(RUNS)
def test_every_column_is_centred_over_the_candidates(runs: dict[str, list[int]]) -> None:
    found, keys = table(runs)
    assert found.shape == (len(keys), len(NAMES))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=0), 0.0, atol=1e-4)


def test_recall_without_candidates_has_an_empty_table_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, _ = table({name: [] for name in CHANNELS})
    assert found.shape == (0, len(NAMES))


def column(found: Any, keys: list[int], name: str) -> dict[int, float]:
    values = found[:, NAMES.index(name)]
    return dict(zip(keys, (float(value) for value in values), strict=True))


def test_named_speaker_differs_from_others_by_one() -> None:
    found, keys = table(
        {"keyword": [1, 2]}, "what did Ana rotate?", m1=fact(1, speaker="Ana"), m2=fact(2)
    )
    values = column(found, keys, "speaker_named")
    assert values[1] - values[2] == pytest.approx(1.0)


def test_coverage_is_the_share_of_idf_that_the_memory_says_itself() -> None:
    # idf: ln(1 + 9.5/1.5) for the rare word, ln(1 + 6.5/4.5) for the common one.
    rare, common = np.log1p(9.5 / 1.5), np.log1p(6.5 / 4.5)
    around = Surroundings({}, {MemoryKey(1): frozenset({"rotat"})})
    found, keys = table({"keyword": [1, 2]}, around=around)
    values = column(found, keys, "coverage")
    assert values[1] - values[2] == pytest.approx(rare / (rare + common), abs=1e-6)


def test_memory_in_the_window_is_near_and_one_far_off_is_not() -> None:
    found, keys = table(
        {"keyword": [1, 2]},
        "rotate the key in June 2025",
        m1=fact(1),
        m2=fact(2, happened=datetime(2020, 1, 1, tzinfo=UTC), happened_end=None),
    )
    values = column(found, keys, "window_near")
    assert values[1] - values[2] == pytest.approx(1.0, abs=1e-3)


def test_turns_beside_a_candidate_lend_it_their_scores() -> None:
    around = Surroundings({MemoryKey(2): (MemoryKey(1), None)}, {})
    found, keys = table({"keyword": [1, 2]}, around=around)
    values = column(found, keys, "keyword_previous")
    assert values[2] - values[1] == pytest.approx(1.0)


def test_best_of_an_episode_counts_for_all_its_turns() -> None:
    found, keys = table(
        {"keyword": [1, 2, 3]}, m1=fact(1, episode="e"), m2=fact(2, episode="e"), m3=fact(3)
    )
    values = column(found, keys, "keyword_episode")
    assert values[1] == values[2]
    assert values[1] - values[3] == pytest.approx(1.0)


def test_neighbours_lend_their_late_interaction_where_the_model_has_it() -> None:
    late = Scored(np.array([1, 3, 2]), np.array([9.0, 6.0, 3.0]))
    around = Surroundings({MemoryKey(2): (MemoryKey(3), MemoryKey(1))}, {})
    found, keys = table({"keyword": [1, 2, 3]}, around=around, late=late)
    before = column(found, keys, "meaning_previous")
    after = column(found, keys, "meaning_next")
    assert before[2] - before[1] == pytest.approx(0.5)  # (6 - 3) / (9 - 3)
    assert after[2] - after[1] == pytest.approx(1.0)


def test_neighbours_lend_their_cosines_where_it_has_not() -> None:
    around = Surroundings({MemoryKey(2): (MemoryKey(1), None)}, {})
    found, keys = table({"semantic": [1, 2]}, around=around)
    values = column(found, keys, "meaning_previous")
    assert values[2] - values[1] == pytest.approx(0.5)


def test_a_lane_is_spread_from_its_worst_to_its_best() -> None:
    found, keys = table({"graph": [1, 2, 3], "keyword": [4]})
    values = column(found, keys, "score_graph")  # 1, 1/2 and 1/3
    assert values[1] - values[3] == pytest.approx(1.0)
    assert values[2] - values[3] == pytest.approx(0.25)
    assert values[4] == pytest.approx(values[3])


@given(RUNS)
def test_ranks_on_record_are_those_of_the_runs(runs: dict[str, list[int]]) -> None:
    hits = {name: [Hit(MemoryKey(key), 0.5) for key in keys] for name, keys in runs.items()}
    fused = weighted_rrf(hits, WEIGHTS, rrf_k=60.0)
    ranks, scores = ranks_and_scores(fused, CHANNELS)
    for line, item in enumerate(fused):
        for place, name in enumerate(CHANNELS):
            there = int(item.key) in runs[name]
            wanted = runs[name].index(int(item.key)) + 1 if there else 0
            assert (ranks[line, place], scores[line, place]) == (wanted, 0.5 if there else 0.0)
