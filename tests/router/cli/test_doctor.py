"""`fivefold doctor` and `fivefold maintain` as they are called."""

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.router.cli.conftest import Call
from tests.router.world import memory, opened


def falsify(dsn: str, statement: str) -> None:
    """Run the statement as the tables' owner, over all banks."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("select set_config('fivefold.bank', 'all', false)")
        conn.execute(statement.encode())


def test_server_that_is_away_is_a_finding(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", "postgresql://ana:hunter2@127.0.0.1:1/x")
    found = call("doctor", "--json")
    assert found.exit_code == 1
    (only,) = json.loads(found.stdout)["findings"]
    assert (only["check"], only["status"]) == ("database", "fail")
    assert "hunter2" not in found.stdout


def test_folder_without_data_is_a_finding_and_stays_as_it_was(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("FIVEFOLD_DATABASE_URL", raising=False)
    found = call("doctor", "--data-dir", tmp_path)
    assert found.exit_code == 1
    assert "nothing is there" in found.stdout
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_is_printed_then_mended_then_gone(call: Call, stored: str) -> None:
    with opened(stored) as world:
        name = world.bank(memory("m1", "We moved the cluster"), memory("m2", "lunch is at noon"))
    falsify(stored, "update bank_stats set live = 7")
    found = call("doctor", "--bank", name, "--json")
    assert found.exit_code == 1, found.stderr
    shown: list[dict[str, Any]] = json.loads(found.stdout)["findings"]
    assert set(shown[0]) == {"check", "status", "detail", "hint", "bank"}
    assert [one["check"] for one in shown if one["status"] != "ok"] == ["live_rows"]
    assert "7 -> 2" in call("maintain", "--bank", name).stdout
    done = json.loads(call("maintain", "--json").stdout)["done"]
    assert [one["action"] for one in done] == ["tables_vacuumed"]
    sound = call("doctor")
    assert sound.exit_code == 0
    assert "fivefold maintain" not in sound.stdout


@pytest.mark.parametrize("command", ["doctor", "maintain"])
def test_unknown_bank_is_one_line_on_stderr(call: Call, stored: str, command: str) -> None:
    found = call(command, "--bank", "nowhere")
    assert (found.exit_code, found.stderr) == (1, "fivefold: no bank named 'nowhere'\n")


@pytest.mark.parametrize("command", ["doctor", "maintain"])
def test_embedded_server_is_looked_at_in_its_folder(
    call: Call, monkeypatch: pytest.MonkeyPatch, temp_dir: Path, command: str
) -> None:
    monkeypatch.delenv("FIVEFOLD_DATABASE_URL", raising=False)
    assert call("migrate", "--data-dir", temp_dir).exit_code == 0
    found = call(command, "--data-dir", temp_dir, "--json")
    assert found.exit_code == 0, found.stdout + found.stderr
    shown = json.loads(found.stdout)
    assert command == "maintain" or str(temp_dir) in shown["findings"][0]["detail"]
