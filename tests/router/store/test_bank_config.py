"""A bank's configuration as the store has it, also as earlier releases stored it."""

import pytest

from router.store.banks import BankConfig, DecayConfig, as_stored, from_store


@pytest.mark.parametrize("kind", ["exponential", "fsrs", "linear"])
@pytest.mark.parametrize("half_life", [None, 30.0, 7.0])
def test_what_is_stored_comes_back(kind: str, half_life: float | None) -> None:
    decay = DecayConfig.model_validate({"kind": kind, "half_life_days": half_life})
    config = BankConfig(decay=decay, timezone="Asia/Tokyo")
    assert from_store(as_stored(config)) == config


@pytest.mark.parametrize(("stored", "stated"), [(30.0, None), (7.0, 7.0)])
def test_the_default_that_earlier_releases_stored_is_none_of_the_callers(
    stored: float, stated: float | None
) -> None:
    old = {"decay": {"kind": "fsrs", "half_life_days": stored, "per_kind": {}}}
    curve = from_store(old).decay_curve()
    assert curve.half_life_days == stated
    assert curve.retention(7, "turn", None) == pytest.approx(0.9) or stated
