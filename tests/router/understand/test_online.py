"""What corrections teach: the same on every replay, much for questions like them, little else."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.types_data import own_questions
from router.understand.layer import IDENTITY, TYPES, Correction, Layer, Shares
from router.understand.online import learn
from tests.router.understand.layers import corrected, typed

NAMES = ("Olga", "Henrik", "my sister", "the client", "Bea", "Tariq", "our team", "Nils", "Ida")
THINGS = ("boats", "lamps", "tickets", "invoices", "chairs", "songs", "lessons", "cakes", "keys")
COUNTING = ("how many {t} does {n} own", "How many {t} did {n} sell?", "how many {t} has {n} left")
LISTING = ("what {t} has {n} sold", "Which {t} did {n} buy?", "what {t} do {n} and Ana like")
CORRECTED = 30


def kind_of(forms: Sequence[str], seed: int = 3) -> tuple[list[str], list[str]]:
    """Thirty questions that people correct, and sixty like them that nobody has corrected."""
    found = [form.format(t=t, n=n) for form in forms for t in THINGS for n in NAMES]
    random.Random(seed).shuffle(found)  # noqa: S311 - an order, not a secret
    return found[:CORRECTED], found[CORRECTED : CORRECTED + 60]


def after_thirty(forms: Sequence[str], kind: str) -> Layer:
    said, _ = kind_of(forms)
    return learn([corrected(n, text, kind) for n, text in enumerate(said, 1)], CORRECTED)


def likeliest(shares: Shares) -> str:
    return max(TYPES, key=lambda kind: shares[kind])


def others(leave_out: tuple[str, ...]) -> list[str]:
    """Own questions of every other kind."""
    return [
        one.text
        for one in own_questions()
        if one.lang == "en" and not any(word in one.text.lower() for word in leave_out)
    ][::4]


@pytest.mark.parametrize("forms", [COUNTING, LISTING], ids=["counting", "listing"])
def test_thirty_corrections_move_questions_like_them(forms: tuple[str, ...]) -> None:
    _, unseen = kind_of(forms)
    layer = after_thirty(forms, "factual")
    read = [typed(text) for text in unseen]
    before = float(np.mean([one.base["factual"] for one in read]))
    after = float(np.mean([one.under(layer).shares["factual"] for one in read]))
    assert after >= before + 0.2


@pytest.mark.parametrize(
    ("forms", "words"),
    [(COUNTING, ("how many",)), (LISTING, ("what", "which"))],
    ids=["counting", "listing"],
)
def test_thirty_corrections_leave_other_questions_nearly_alone(
    forms: tuple[str, ...], words: tuple[str, ...]
) -> None:
    layer = after_thirty(forms, "factual")
    read = [typed(text).under(layer) for text in others(words)]
    assert len(read) > 200
    moved = [sum(abs(one.shares[kind] - one.base[kind]) for kind in TYPES) / 2 for one in read]
    turned = [likeliest(one.shares) != likeliest(one.base) for one in read]
    assert float(np.mean(moved)) <= 0.04
    assert float(np.mean(turned)) <= 0.03


def test_three_wrong_corrections_turn_almost_nothing() -> None:
    said, unseen = kind_of(COUNTING)
    layer = learn([corrected(n, text, "emotional") for n, text in enumerate(said[:3])], 3)
    read = [typed(text).under(layer) for text in [*unseen, *others(("how many",))]]
    turned = [likeliest(one.shares) != likeliest(one.base) for one in read]
    assert float(np.mean(turned)) <= 0.02


corrections = st.lists(
    st.tuples(
        st.sampled_from(["who won", "when was it", "I feel sad", "tips", "how many cats has Bo"]),
        st.sampled_from(TYPES),
        st.sampled_from(["a", "b"]),
    ),
    max_size=25,
)


def stored(said: list[tuple[str, str, str]]) -> list[Correction]:
    return [corrected(n, text, kind, author=who) for n, (text, kind, who) in enumerate(said, 1)]


@settings(max_examples=30)
@given(corrections, st.randoms(use_true_random=False))
def test_replay_gives_the_same_layer_bit_for_bit(
    said: list[tuple[str, str, str]], chance: random.Random
) -> None:
    first = stored(said)
    turned = list(first)
    chance.shuffle(turned)
    assert learn(turned, len(said)) == learn(first, len(said))


def test_nothing_said_is_the_identity() -> None:
    assert learn([], 0) == IDENTITY
    assert not learn([], 7).is_active


def test_a_correction_that_agrees_keeps_what_was_likeliest() -> None:
    text = "When did Olga sell the bakery?"
    layer = learn([corrected(n, text, likeliest(typed(text).base)) for n in range(20)], 20)
    assert likeliest(typed(text).under(layer).shares) == likeliest(typed(text).base)
