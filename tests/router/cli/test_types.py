"""`fivefold types`: corrected, shown, listed, rebuilt and reset from the command line."""

import json

import pytest

ASKED = "How many clusters did Ana move?"
BANK = ("--bank", "b")


@pytest.fixture
def asked(call, stored, jsonl):
    """The id of a recall on record."""
    kept = call("retain", jsonl([{"text": "Ana moved three clusters"}]), *BANK)
    assert kept.exit_code == 0, kept.output
    found = call("recall", ASKED, *BANK, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)["recall_id"]


def shown(call, *words):
    found = call("types", *words, *BANK, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def test_a_correction_is_learnt_shown_listed_rebuilt_and_reset(call, asked):
    done = shown(call, "correct", asked, "general")
    assert done["after"]["general"] > done["before"]["general"]
    layer = shown(call, "show")
    assert (layer["active"], layer["counted"], layer["number"]) == (True, 1, 1)
    [deed] = shown(call, "corrections")["corrections"]
    assert (deed["author"], deed["type"], deed["recall_id"]) == ("cli", "general", asked)
    assert shown(call, "rebuild") == {"number": 1, "counted": 1, "same": True}
    for words in (("show",), ("corrections",), ("rebuild",), ("correct", asked, "temporal")):
        plain = call("types", *words, *BANK)
        assert plain.exit_code == 0, plain.output
    assert shown(call, "reset") == {"number": 3, "active": False}
    assert shown(call, "show")["active"] is False
    assert "classifier's own" in call("types", "reset", *BANK).stdout


def test_a_correction_is_taken_back_with_none(call, asked):
    shown(call, "correct", asked, "multi-hop")
    done = shown(call, "correct", asked, "none")
    assert done["corrected_type"] is None
    assert shown(call, "show")["active"] is False


def test_an_unknown_type_is_wrong_usage(call, stored):
    found = call("types", "correct", "r", "sad", *BANK)
    assert found.exit_code == 2
    assert "sad" in found.stderr
