import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from router.cli.serve import invitation

ROOT = Path(__file__).resolve().parents[3]


def test_a_key_is_made_listed_and_revoked(call, stored):
    words = ("--name", "agent", "--scope", "recall", "--scope", "retain", "--banks", "a*")
    made = json.loads(call("keys", "create", *words, "--trusted", "--json").stdout)
    assert made["key"].startswith(f"ff_{made['id']}_")
    (listed,) = json.loads(call("keys", "list", "--json").stdout)
    assert (listed["name"], listed["scopes"], listed["banks"], listed["trusted"]) == (
        "agent",
        ["recall", "retain"],
        "a*",
        True,
    )
    assert made["key"].rsplit("_", 1)[1] not in json.dumps(listed)
    assert call("keys", "revoke", made["id"]).exit_code == 0
    (revoked,) = json.loads(call("keys", "list", "--json").stdout)
    assert revoked["revoked_at"] is not None
    assert made["id"] in call("keys", "list").stdout


def test_a_key_with_an_unknown_scope_is_wrong_usage(call, stored):
    found = call("keys", "create", "--name", "x", "--scope", "everything")
    assert found.exit_code == 2
    assert "everything" in found.stderr


def test_revoking_a_key_that_is_not_there_fails(call, stored):
    assert call("keys", "revoke", "0000").exit_code == 1


def test_serve_refuses_an_open_door_without_a_key(call, stored):
    found = call("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert found.exit_code == 1
    assert "fivefold keys create" in found.stderr
    assert "serves at" not in found.stdout


def test_serve_fails_in_one_line_when_the_database_cannot_be_reached(call, monkeypatch):
    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    found = call("serve", "--port", "0")
    assert found.exit_code == 1
    assert found.stderr.startswith("fivefold: database is unavailable")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_answers_and_ends_in_order(stored, number):
    words = [sys.executable, "-u", "-m", "router", "serve", "--port", "0"]
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            url = re.search(r"http://\S+", server.stdout.readline())[0]
            with urllib.request.urlopen(f"{url}/health/live", timeout=30) as answer:  # noqa: S310
                assert answer.status == 200
            server.send_signal(number)
            assert server.wait(timeout=60) == 0
        finally:
            server.kill()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104
        ("::1", "http://[::1]:80"),
        ("box.lan", "http://box.lan:80"),
    ],
)
def test_the_printed_address_can_be_asked(host, url):
    text = invitation(host, 80)
    assert f"serves at {url}\n" in text
    assert f"curl -s {url}/v1/banks/" in text
