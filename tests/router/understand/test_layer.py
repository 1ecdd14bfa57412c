"""The layer over a bank's types: identity, bounds, and who counts for how much."""

import math
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.understand.layer import (
    ALONE,
    ALONE_TRUSTED,
    CAP,
    IDENTITY,
    TYPES,
    Correction,
    Layer,
    inputs_of,
    worths,
)
from tests.router.understand.layers import corrected, typed

TINY = 1e-9
parts = st.lists(st.floats(1e-6, 1.0), min_size=len(TYPES), max_size=len(TYPES))
values = st.floats(-1e6, 1e6)
features = st.dictionaries(st.sampled_from(["bias", "a", "b", "c"]), values, max_size=4)
layers = st.builds(
    Layer,
    weights=st.dictionaries(st.sampled_from(TYPES), features, max_size=5),
    evidence=st.floats(0, 1e4),
    number=st.just(1),
    counted=st.just(1),
)


def shares_of(found: list[float]) -> dict[str, float]:
    return dict(zip(TYPES, (part / math.fsum(found) for part in found), strict=True))


def log_odds(share: float) -> float:
    return math.log(share) - math.log1p(-share)


@given(layers, parts, features)
def test_no_layer_moves_log_odds_beyond_its_room(
    layer: Layer, found: list[float], inputs: Mapping[str, float]
) -> None:
    base = shares_of(found)
    after = layer.adjust(base, inputs)
    assert layer.room < CAP
    assert math.fsum(after.values()) == pytest.approx(1.0)
    for kind in TYPES:
        assert abs(log_odds(after[kind]) - log_odds(base[kind])) <= layer.room + 1e-6


@given(parts, features)
def test_without_corrections_the_shares_stay_to_the_last_bit(
    found: list[float], inputs: Mapping[str, float]
) -> None:
    base = shares_of(found)
    assert IDENTITY.adjust(base, inputs) == base


@given(layers, parts, features)
def test_order_in_which_features_are_stored_changes_nothing(
    layer: Layer, found: list[float], inputs: Mapping[str, float]
) -> None:
    base = shares_of(found)
    turned = {kind: dict(reversed(w.items())) for kind, w in reversed(layer.weights.items())}
    other = Layer(turned, layer.evidence, layer.number, layer.counted)
    assert other.adjust(base, dict(reversed(inputs.items()))) == layer.adjust(base, inputs)


def test_layer_by_hand() -> None:
    # evidence 10 opens half of CAP: 1.5, so each type may gain or lose .75
    layer = Layer({"factual": {"a": 0.5}, "general": {"a": -9.0}}, 10.0, 1, 1)
    base = dict.fromkeys(TYPES, 0.2)
    after = layer.adjust(base, {"a": 1.0})
    total = 3 + math.exp(0.5) + math.exp(-0.75)
    assert layer.room == 1.5
    assert after["factual"] == pytest.approx(math.exp(0.5) / total)
    assert after["general"] == pytest.approx(math.exp(-0.75) / total)
    assert after["temporal"] == pytest.approx(1 / total)


def test_what_the_model_is_very_sure_of_is_never_overruled() -> None:
    base = dict.fromkeys(TYPES, 0.04 / 4) | {"emotional": 0.96}
    layer = Layer({"general": {"a": 1e3}, "emotional": {"a": -1e3}}, 1e6, 1, 1)
    after = layer.adjust(base, {"a": 1.0})
    assert max(after, key=lambda kind: after[kind]) == "emotional"


@given(st.text(max_size=200))
def test_inputs_have_unit_length(text: str) -> None:
    read = typed(text)
    found = inputs_of(read.signs, read.base)
    assert math.fsum(value * value for value in found.values()) == pytest.approx(1.0)


voices = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.booleans()), max_size=80
)


def spoken(said: list[tuple[str, str, bool]]) -> list[Correction]:
    base = dict.fromkeys(TYPES, 0.2)
    return [
        Correction(n, str(n), "factual", author, actor, trusted, base, {"bias": 1.0})
        for n, (author, actor, trusted) in enumerate(said)
    ]


@given(voices)
def test_no_voice_outweighs_all_others_once_it_has_its_say(
    said: list[tuple[str, str, bool]],
) -> None:
    counted = worths(spoken(said))
    assert all(0.0 < worth <= 1.0 for worth in counted)
    for place in (0, 1):
        for voice, number in Counter(one[place] for one in said).items():
            own = math.fsum(
                worth for worth, one in zip(counted, said, strict=True) if one[place] == voice
            )
            allowed = ALONE_TRUSTED if any(one[2] for one in said) else ALONE
            assert own <= max(allowed, len(said) - number) + TINY


def test_a_thousand_corrections_of_one_key_count_like_twenty() -> None:
    said = [("a", str(n), False) for n in range(400)]
    assert math.fsum(worths(spoken(said))) == pytest.approx(ALONE)
    trusted = [("a", str(n), True) for n in range(400)]
    assert math.fsum(worths(spoken(trusted))) == pytest.approx(ALONE_TRUSTED)


def test_one_asker_behind_a_trusted_key_is_capped_as_well() -> None:
    said = [("a", "x", True) for _ in range(400)]
    assert math.fsum(worths(spoken(said))) == pytest.approx(ALONE_TRUSTED)


def test_few_corrections_open_little_room() -> None:
    few = [corrected(n, "how many boats does Olga own", "general") for n in range(3)]
    evidence = math.fsum(worths(few))
    assert Layer({}, evidence, 3, 3).room == pytest.approx(CAP * 3 / 13)
