"""The feeling of a memory: what the text shows, what the caller says, all of it together."""

import statistics
import time
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.affect import behaviour_state, combine, label_state, text_state, trajectory
from channels.affect.core import ANCHORS
from channels.affect.grams import MAX_TOKENS, grams, tokens
from channels.affect.lexicon import lexicon, source
from channels.affect.text import text_model
from channels.arcs import BEHAVIOUR, DIMENSIONS, EMOTIONS, SIGNED, State, constant, dimension, unit
from channels.errors import BadInput


def value(state: State | None, name: str) -> float:
    assert state is not None
    return float(state[dimension(name)])


# Text


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("I was so scared walking home alone in the dark", "fear"),
        ("Thank you so much, I really appreciate your help!", "gratitude"),
        ("This is disgusting, it makes me want to vomit", "disgust"),
        ("I'm really sorry, it was my mistake", "remorse"),
        ("I love you all, you are the best friends", "love"),
    ],
)
def test_plain_feelings_are_read(text: str, label: str) -> None:
    assert value(text_state(text), label) > 0.5


@pytest.mark.parametrize(
    "text",
    ["", "   ", "42", "The server listens on port 8080.", "Alice manages the payments team"],
)
def test_a_text_without_feeling_has_no_state_and_so_no_arousal(text: str) -> None:
    assert text_state(text) is None


def test_valence_follows_the_feeling() -> None:
    assert value(text_state("I am so happy and grateful!"), "valence") > 0.5
    assert value(text_state("I hate this, it is horrible and makes me angry"), "valence") < -0.5


def test_a_language_the_model_does_not_know_gives_nothing() -> None:
    assert text_state("今天天气") is None


@given(st.text(max_size=300))
def test_any_text_gives_nothing_or_a_state_in_range(text: str) -> None:
    state = text_state(text)
    if state is not None:
        signed = [dimension(name) for name in SIGNED]
        others = np.delete(state, signed)
        assert state.shape == (33,)
        assert np.abs(state[signed]).max() <= 1.0
        assert others.min() >= 0.0
        assert others.max() <= 1.0
        assert not any(state[dimension(name)] for name in BEHAVIOUR)


def test_a_very_long_text_is_cut() -> None:
    assert len(tokens("word " * 100_000)) == MAX_TOKENS


@given(st.text(max_size=100))
def test_grams_are_distinct_and_repeatable(text: str) -> None:
    found = grams(tokens(text))
    assert found == grams(tokens(text))
    assert len(found) == len(set(found))


def test_the_model_was_trained_with_the_lexicon_as_it_stands() -> None:
    from importlib.resources import files

    with np.load(str(files("channels").joinpath("model", "affect.npz"))) as arrays:
        trained_with = int(arrays["lexicon"])
    assert trained_with == crc32(source().encode()), "lexicon.txt changed: run bench.train_affect"


def test_a_text_takes_well_under_a_millisecond() -> None:
    text_model()
    text = "I was nervous about the interview but my sister calmed me down and it went really well!"
    text_state(text)
    spent = []
    for _ in range(200):
        started = time.perf_counter()
        text_state(text)
        spent.append(time.perf_counter() - started)
    assert statistics.median(spent) < 1e-3  # measured .1 ms; room for a busy machine


# Labels


def test_a_common_word_is_mapped_and_scaled() -> None:
    state = label_state([{"label": "frustration", "intensity": 0.8}])
    assert value(state, "annoyance") == pytest.approx(0.72)
    assert value(state, "frustration_behaviour") == pytest.approx(0.8)
    assert value(state, "valence") < -0.4


@pytest.mark.parametrize(
    "word",
    "frustrated angry happy anxious stressed Sad worried guilty proud excited lonely jealous calm "
    "relieved confused bored surprised 'burned out' traurig triste feliz 开心 嬉しい".replace(
        "'burned out'", "burned_out"
    ).split(),
)
def test_everyday_words_are_known(word: str) -> None:
    state = label_state([{"label": word}])
    assert state is not None
    assert state.any()


def test_signed_values_are_kept_exactly() -> None:
    state = label_state([{"label": "valence", "intensity": -0.7}, {"label": "joy"}])
    assert value(state, "valence") == -0.7
    assert value(state, "joy") == 1.0


def test_no_label_is_no_state_and_neutral_is_none_of_it() -> None:
    assert label_state([]) is None
    neutral = label_state([{"label": "neutral"}])
    assert neutral is not None
    assert combine(text_state("I am so angry!"), None, neutral) is None


def test_an_unknown_label_is_named_with_the_nearest_known() -> None:
    with pytest.raises(BadInput, match="frustrated") as refused:
        label_state([{"label": "joy"}, {"label": "frustratd"}])
    assert refused.value.field == "affect[1].label"


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ({"label": "joy", "intensity": 1.2}, "affect[0].intensity"),
        ({"label": "joy", "intensity": -0.2}, "affect[0].intensity"),
        ({"label": "valence", "intensity": -1.1}, "affect[0].intensity"),
        ({"label": "joy", "intensity": "much"}, "affect[0].intensity"),
        ({"label": "joy", "intensity": float("nan")}, "affect[0].intensity"),
        ({"intensity": 0.5}, "affect[0].label"),
        ({"label": " "}, "affect[0].label"),
    ],
)
def test_bad_labels_name_their_field(label: dict[str, object], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        label_state([label])
    assert refused.value.field == field


# Together


def test_nothing_said_is_nothing_even_after_a_strong_turn() -> None:
    angry = label_state([{"label": "anger"}])
    assert combine(None, None, None, angry) is None
    assert trajectory([angry, None]) is None
    assert trajectory([]) is None


def test_what_the_caller_says_wins_over_the_text() -> None:
    read = text_state("I am so happy, this is wonderful!")
    assert read is not None
    state = combine(read, None, label_state([{"label": "valence", "intensity": -0.7}]))
    assert value(state, "valence") == -0.7
    assert value(state, "joy") == 0.0


def test_text_and_behaviour_are_a_noisy_or() -> None:
    read = np.zeros(33)
    done = np.zeros(33)
    read[dimension("relief")], done[dimension("relief")] = 0.5, 0.4
    state = combine(read, done, None)
    assert value(state, "relief") == pytest.approx(1 - (1 - 0.7 * 0.5) * (1 - 0.9 * 0.4))


def test_a_feeling_fades_over_the_turns_of_an_episode() -> None:
    angry = label_state([{"label": "anger"}])
    mild = label_state([{"label": "curiosity", "intensity": 0.3}])
    state = combine(None, None, mild, angry)
    assert value(state, "anger") == pytest.approx(0.6)
    assert value(state, "curiosity") == pytest.approx(0.3)


states = st.none() | st.lists(st.floats(0, 1, width=32), min_size=33, max_size=33).map(np.array)


@given(states, states, states, states)
def test_combined_states_stay_in_range(
    text: State | None, behaviour: State | None, labels: State | None, previous: State | None
) -> None:
    state = combine(text, behaviour, labels, previous)
    if state is not None:
        assert np.abs(state).max() <= 1.0
        assert np.isfinite(state).all()
    if labels is not None and labels.any():
        assert state is not None
        np.testing.assert_array_equal(state[labels != 0], labels[labels != 0])


def test_an_arc_looks_back_on_eight_turns() -> None:
    sad, glad = (label_state([{"label": name}]) for name in ("sadness", "joy"))
    arc = trajectory([sad, *[glad] * 8])
    assert arc is not None
    assert arc[4 * dimension("sadness")] == pytest.approx(0.0, abs=1e-7)


def test_turns_without_a_state_do_not_count_as_calm() -> None:
    sad = label_state([{"label": "sadness"}])
    alone, among = trajectory([sad]), trajectory([None, None, sad])
    assert alone is not None
    np.testing.assert_array_equal(alone, among)


def test_retries_alone_are_found_by_frustration() -> None:
    retried = combine(None, behaviour_state({"retries": 6}), None)
    asked = label_state([{"label": "frustrated"}])
    assert asked is not None
    arc = trajectory([retried])
    assert arc is not None
    assert unit(constant(asked)) @ arc > 0.2


# Tables


def test_every_emotion_has_an_anchor_in_range() -> None:
    assert set(ANCHORS) == set(EMOTIONS) | set(BEHAVIOUR)
    assert all(-1 <= part <= 1 for anchor in ANCHORS.values() for part in anchor)


def test_the_lexicon_is_broad_and_sound() -> None:
    entries = lexicon().entries
    assert len(entries) > 600
    for words, entry in entries.items():
        assert all(word and word == word.casefold() for word in words), words
        assert all(0 < part <= 1 for part in entry.labels.values()), words
    covered = {name for entry in entries.values() for name in entry.labels}
    assert covered >= set(EMOTIONS)
    assert covered <= set(DIMENSIONS)
