"""The query-type classifier: the artefact, its probabilities, and the surface features."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput, ConfigError
from router.understand.surface import FEATURES, fired, surface
from router.understand.types import TYPES, TypeClassifier

ROOT = Path(__file__).resolve().parents[3]
ARTEFACT = ROOT / "router" / "understand" / "model" / "types.npz"
CLASSIFIER = TypeClassifier.load()
EMBEDDER = CLASSIFIER.embedder_name
DIM = CLASSIFIER.full.weights.shape[1] - len(FEATURES)


def rows(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def altered(tmp_path: Path, **changes: np.ndarray | None) -> Path:
    with np.load(ARTEFACT, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for name, value in changes.items():
        arrays.pop(name)
        if value is not None:
            arrays[name] = value
    np.savez(tmp_path / "types.npz", **arrays)
    return tmp_path / "types.npz"


def top(text: str) -> str:
    shares = CLASSIFIER.probabilities(text, None, "another embedder")
    return max(shares, key=lambda kind: shares[kind])


@given(st.text(max_size=700))
def test_probabilities_of_any_text_sum_to_one_in_the_order_of_the_types(text: str) -> None:
    shares = CLASSIFIER.probabilities(text, None, EMBEDDER)
    assert tuple(shares) == TYPES
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-9)


@given(st.text(max_size=200), st.integers(0, 2**32 - 1))
def test_probabilities_with_a_vector_sum_to_one(text: str, seed: int) -> None:
    vector = np.random.default_rng(seed).normal(size=DIM).astype(np.float32)
    shares = CLASSIFIER.probabilities(text, vector / np.linalg.norm(vector), EMBEDDER)
    assert tuple(shares) == TYPES
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-9)


@given(st.text(max_size=700))
def test_surface_features_of_any_text_are_finite_and_repeatable(text: str) -> None:
    values = surface(text)
    assert values.shape == (len(FEATURES),)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert (values == surface(text)).all()


def test_feature_names_are_unique() -> None:
    assert len(set(FEATURES)) == len(FEATURES)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("When did the lease start?", "ask_when"),
        ("what time does the shop open", "asks_date"),
        ("what broke last Friday", "time_expression"),
        ("who led it from 1990 to 1994", "year_range"),
        ("why did E_AUTH_404 appear", "identifier"),
        ("the author of getUserById", "identifier"),
        ("Which club do both of them share?", "in_common"),
        ("the man who sold the house", "relative_clause"),
        ("Would he rather stay?", "opens_inference"),
        ("list all my races", "aggregation"),
        ("how many cups do we own", "how_many"),
        ("how did she feel", "feeling_asked"),
        ("I am so angry", "emotion"),
        ("before or after the move", "before_or_after"),
        ("tell me about the boat", "command"),
        ("soil acidity", "keywords_only"),
        ('the song "Blue"', "quoted"),
        ("我的密码是什么", "han"),
        ("为什么停电了", "why_east"),
        ("yara birthday", "terse_due"),
        ("invoice 20331 amount", "terse_attribute"),
        ("all gifts for yara", "terse_counted"),
        ("yara sad about school", "terse_feeling"),
        ("small balcony ideas", "terse_topic"),
        ("ERR_TLS_CERT_4", "terse_exact"),
        ("where is the boat", "specific"),
        ("why do boats float", "unspecific"),
    ],
)
def test_explain_names_the_feature_that_the_words_show(text: str, name: str) -> None:
    assert name in CLASSIFIER.explain(text)
    assert CLASSIFIER.explain(text) == fired(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did Olga sell the bakery?", "temporal"),
        ("how long was the bridge closed", "temporal"),
        ("what is the licence plate of the van", "factual"),
        ("Who repaired the organ?", "factual"),
        ("What do Olga and Henrik have in common?", "multi_hop"),
        ("Which of my clients have I met in both offices?", "multi_hop"),
        ("I feel awful and I can't stop crying", "emotional"),
        ("how did Henrik feel about the sale", "emotional"),
        ("tell me about the bakery", "general"),
        ("bread baking tips", "general"),
    ],
)
def test_plain_questions_get_their_type_from_the_surface_alone(text: str, kind: str) -> None:
    assert top(text) == kind


@given(st.text(max_size=200))
def test_reasons_are_features_that_fired(text: str) -> None:
    read = CLASSIFIER.read(text, None, EMBEDDER)
    assert (read.read_from, read.shares) == ("words", read.base)
    assert read.because.keys() <= read.signs.keys()
    assert read.signs.keys() == set(fired(text))
    assert all(value > 0 for value in read.signs.values())


def test_vector_is_one_of_the_reasons_where_it_was_read() -> None:
    vector = np.zeros(DIM, dtype=np.float32)
    vector[0] = 1.0
    read = CLASSIFIER.read("hm", vector, EMBEDDER)
    assert read.read_from == "vector_and_words"
    assert "vector" in read.because


def test_a_vector_of_another_embedder_is_not_read() -> None:
    without = CLASSIFIER.probabilities("who won", None, EMBEDDER)
    foreign = CLASSIFIER.probabilities("who won", np.ones(7, dtype=np.float32), "other-768")
    assert foreign == without


def test_a_vector_of_our_embedder_changes_the_answer() -> None:
    vector = np.zeros(DIM, dtype=np.float32)
    vector[0] = 1.0
    assert CLASSIFIER.probabilities("who won", vector, EMBEDDER) != CLASSIFIER.probabilities(
        "who won", None, EMBEDDER
    )


@pytest.mark.parametrize(
    "vector", [np.ones(3, dtype=np.float32), np.full(DIM, np.nan, dtype=np.float32)]
)
def test_a_malformed_vector_is_refused_by_name(vector: np.ndarray) -> None:
    with pytest.raises(BadInput, match="vector") as caught:
        CLASSIFIER.probabilities("who won", vector, EMBEDDER)
    assert caught.value.field == "vector"


@pytest.mark.parametrize(
    "changes",
    [
        {"version": np.array(999)},
        {"version": None},
        {"features": np.array(["other"])},
        {"classes": np.array(TYPES[::-1])},
        {"full_weights": None},
        {"surface_weights": np.zeros((5, 2), dtype=np.float32)},
        {"surface_bias": np.full(5, np.nan, dtype=np.float32)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_an_artefact_that_does_not_fit_the_code_is_refused(
    tmp_path: Path, changes: dict[str, np.ndarray | None]
) -> None:
    with pytest.raises(ConfigError, match="retrain"):
        TypeClassifier.load(altered(tmp_path, **changes))


@pytest.mark.parametrize("content", [None, b"", b"not an archive"])
def test_a_missing_or_broken_artefact_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "types.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match="cannot be read"):
        TypeClassifier.load(path)


def test_the_artefact_holds_no_pickled_object() -> None:
    with np.load(ARTEFACT, allow_pickle=False) as stored:
        assert all(stored[name].dtype != object for name in stored.files)


def test_own_questions_are_well_formed_and_cover_every_type_in_every_theme() -> None:
    questions = list(rows(ROOT / "bench" / "data" / "questions.jsonl"))
    assert len(questions) >= 1500
    assert len({str(row["text"]).casefold() for row in questions}) == len(questions)
    kinds: dict[object, set[object]] = {}
    for row in questions:
        assert row["type"] in TYPES
        assert set(row["also"]) <= set(TYPES) - {row["type"]}  # type: ignore[call-overload]
        kinds.setdefault(row["theme"], set()).add(row["type"])
    assert all(found == set(TYPES) for found in kinds.values())


def test_a_question_costs_less_than_a_millisecond_beyond_its_embedding() -> None:
    texts = [str(row["text"]) for row in rows(ROOT / "bench" / "data" / "questions.jsonl")][:400]
    vector = np.full(DIM, DIM**-0.5, dtype=np.float32)
    spent = []
    for text in texts:
        start = time.perf_counter()
        CLASSIFIER.probabilities(text, vector, EMBEDDER)
        spent.append(time.perf_counter() - start)
    assert float(np.median(spent)) < 0.001


def test_a_pasted_log_costs_no_more_than_its_opening_and_closing() -> None:
    for unit in ("who has ", "what xs ", "A_", "1", "before "):
        start = time.perf_counter()
        surface(unit * 100_000)
        assert time.perf_counter() - start < 0.1


@pytest.mark.shared
def test_surface_alone_reaches_the_goal_on_the_evaluation_set(shared_data: Path) -> None:
    right = total = 0
    for row in rows(shared_data / "query_types.jsonl"):
        allowed = {str(row["type"]), *row["also"]}  # type: ignore[misc]
        total += 1
        right += top(str(row["text"])) in {kind.replace("-", "_") for kind in allowed}
    assert right / total >= 0.72
