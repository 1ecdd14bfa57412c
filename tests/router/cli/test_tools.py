import json

import pytest

NONE = dict.fromkeys(("start", "end", "granularity", "text", "confidence"))


def test_a_window_is_printed_in_utc(call):
    words = ("--now", "2024-06-12T10:00:00", "--tz", "Europe/Berlin", "--json")
    found = call("window", "what broke yesterday?", *words)
    shown = json.loads(found.stdout)
    assert found.exit_code == 0
    assert shown.keys() == NONE.keys()
    assert (shown["start"], shown["end"], shown["text"]) == (
        "2024-06-10T22:00:00+00:00",
        "2024-06-11T22:00:00+00:00",
        "yesterday",
    )


def test_an_open_side_is_null(call):
    found = call("window", "everything since 5 May 2020", "--now", "2024-06-12", "--json")
    shown = json.loads(found.stdout)
    assert shown["start"] == "2020-05-05T00:00:00+00:00"
    assert shown["end"] is None


def test_without_a_window_every_field_is_null(call):
    assert json.loads(call("window", "who plays the violin?", "--json").stdout) == NONE


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (("on 3/4/2024",), "2024-03-04"),
        (("on 3/4/2024", "--day-first"), "2024-04-03"),
        (("in summer 2023",), "2023-06-01"),
        (("in summer 2023", "--southern"), "2023-12-01"),
    ],
)
def test_customs_are_options(call, words, start):
    shown = json.loads(call("window", *words, "--now", "2024-06-12", "--json").stdout)
    assert shown["start"].startswith(start)


def test_everything_that_is_read_is_explained_with_its_rule(call):
    asked = ("window", "why was Mira so sad about E_AUTH_404 last week?", "--explain")
    shown = json.loads(call(*asked, "--json").stdout)
    assert shown["rules"]["window"] == "last_unit"
    assert shown["rules"]["identifiers"] == {"e_auth_404": "underscored"}
    assert shown["rules"]["entities"]["mira"] == "capitalised"
    assert shown["rules"]["affect"]["cues"][0]["words"] == "sad"
    table = call(*asked).stdout
    assert "capitalised" in table
    assert "last_unit" in call("window", "what broke last week?").stdout


@pytest.mark.parametrize("text", ["", "!?", "\U0001f600", "{}" * 5_000])
def test_any_text_has_an_answer(call, text):
    assert call("window", text, "--json").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("window", "yesterday", "--tz", "Mars/Olympus"),
        ("window", "yesterday", "--now", "soon"),
        ("window", "yesterday", "--now", "20240612"),
        ("window", "yesterday", "--now", "2024-06"),
        ("window", "yesterday", "--now", "2024-02-30"),
        ("window",),
        ("no-such-command",),
        ("classify", "/no/such/file"),
        ("recall", "text"),
        ("recall", "text", "--bank", "b", "--k", "0"),
        ("recall", "  ", "--bank", "b"),
        ("eval", "/no/such/folder"),
        ("retain", __file__, "--timezone", "Mars/Olympus"),
        ("retain", __file__, "--bank", "a/b"),
    ],
)
def test_wrong_usage_is_one_line_on_stderr_and_exit_code_two(call, words):
    found = call(*words)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert found.stderr.startswith("fivefold: ")
    assert found.stderr.count("\n") == 1


def test_settings_show_every_field_and_no_secret(call, monkeypatch):
    from router.settings import Settings

    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", "postgresql://ana:hunter2@db/fivefold")
    monkeypatch.setenv("FIVEFOLD_PORT", "9001")
    found = call("settings", "--json", "--data-dir", "/some/where")
    shown = json.loads(found.stdout)
    assert shown.keys() == Settings.model_fields.keys()
    assert (shown["port"], shown["data_dir"]) == (9001, "/some/where")
    assert "hunter2" not in found.stdout
    table = call("settings").stdout
    assert "FIVEFOLD_PORT" in table
    assert "hunter2" not in table


def test_a_bad_setting_is_named_by_its_variable(call, monkeypatch):
    monkeypatch.setenv("FIVEFOLD_PORT", "99999999")
    found = call("settings")
    assert found.exit_code == 1
    assert found.stderr.startswith("fivefold: FIVEFOLD_PORT: ")


def test_debug_lets_the_traceback_through(call, monkeypatch):
    from channels.errors import ConfigError

    monkeypatch.setenv("FIVEFOLD_PORT", "99999999")
    assert isinstance(call("--debug", "settings").exception, ConfigError)


def test_classify_measures_labelled_questions(call, jsonl):
    rows = [
        {"text": "When did we move the cluster?", "type": "temporal", "source": "own"},
        {"text": "Which city do both sisters live in?", "type": "multi-hop", "doubt": "high"},
    ]
    found = call("classify", jsonl(rows), "--json")
    shown = json.loads(found.stdout)
    assert found.exit_code == 0
    assert (shown["n"], shown["without_high_doubt"]["n"]) == (2, 1)
    assert {"accuracy", "accuracy_with_also", "ece", "per_type", "per_source"} <= shown.keys()
    assert [row["text"] for row in shown["rows"]] == [row["text"] for row in rows]
    assert sum(shown["rows"][0]["probabilities"].values()) == pytest.approx(1)


@pytest.mark.parametrize("bad", ["{", {"text": ""}, {"text": "a", "type": "poem"}])
def test_classify_names_the_line_it_cannot_read(call, jsonl, bad):
    found = call("classify", jsonl([{"text": "fine"}, bad]))
    assert found.exit_code == 1
    assert "rows.jsonl line 2" in found.stderr
    assert found.stdout == ""


def test_migrate_says_what_it_did_and_then_that_nothing_is_left(call, bare_database, monkeypatch):
    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", bare_database)
    assert "0001_memories.sql" in json.loads(call("migrate", "--json").stdout)["applied"]
    assert call("migrate").stdout == "nothing to do\n"
