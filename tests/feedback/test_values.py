"""The table of action values and what a bank may change in it."""

import pytest

from channels.errors import BadInput
from feedback.values import DEFAULTS, ActionValue, action_values


def test_overrides_change_only_what_they_name():
    values = action_values(
        {
            "memory_opened": {"trust": 0.1},
            "pinned": {"value": 1, "trust": 0.5, "attribution": "list"},
        }
    )
    assert values["memory_opened"] == ActionValue(0.3, 0.1, "memory")
    assert values["pinned"] == ActionValue(1.0, 0.5, "list")
    assert values["memory_cited"] == DEFAULTS["memory_cited"]
    assert action_values(None) is DEFAULTS


@pytest.mark.parametrize(
    ("action", "given_value", "part"),
    [
        ("Memory", 1, ""),
        ("memory_exposed", 1, ""),
        ("recall_closed", {"trust": 0}, ""),
        ("memory_cited", 2, ".value"),
        ("memory_cited", float("nan"), ".value"),
        ("memory_cited", True, ".value"),
        ("memory_cited", "high", ".value"),
        ("memory_cited", None, ".value"),
        ("memory_cited", {"trust": -0.1}, ".trust"),
        ("memory_cited", {"attribution": "all"}, ".attribution"),
        ("memory_cited", {"attribution": []}, ".attribution"),
        ("memory_cited", {"weight": 1}, ".weight"),
        ("pinned", 1, ".trust"),
    ],
)
def test_a_bad_override_is_refused_naming_the_setting(action, given_value, part):
    with pytest.raises(BadInput) as caught:
        action_values({action: given_value})
    assert caught.value.field == f"config.event_values.{action}{part}"


def test_the_table_stays_within_its_ranges():
    for meaning in DEFAULTS.values():
        assert meaning.value is None or -1 <= meaning.value <= 1
        assert 0 <= meaning.trust <= 1
