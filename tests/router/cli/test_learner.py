"""The commands of learning: policy, learner state and replay, worker."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from channels.embedder import PACKAGED
from router.presets import default_matrix
from router.weights import as_json
from tests.router.cli.conftest import Call


@pytest.fixture
def bank(stored: str) -> str:
    """An empty bank of the packaged model."""
    with psycopg.connect(stored, autocommit=True) as conn:
        conn.execute("set fivefold.bank = 'all'")
        conn.execute("insert into embedders values (1, %s, 384)", [PACKAGED])
        conn.execute(
            "insert into banks (bank_id, name, embedder, analyser, created_at)"
            " values (1, 'b', 1, 1, now())"
        )
    return "b"


def printed(call: Call, *words: object) -> Any:
    done = call(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_state_is_printed_and_changed(call: Call, bank: str) -> None:
    assert printed(call, "learner", "state", "--bank", bank)["state"] == "on"
    told = printed(call, "learner", "state", "--bank", bank, "--set", "shadow", "--reason", "try")
    assert (told["state"], told["why"]) == ("shadow", "shadow by cli: try")
    assert call("learner", "state", "--bank", bank, "--set", "off").exit_code == 2


def test_policy_compares_given_rows_too(call: Call, bank: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_text(json.dumps({"rows": as_json(default_matrix(PACKAGED))}))
    told = printed(call, "policy", "--bank", bank, "--rows", file)
    assert set(told["policies"]) == {"live", "default", "last", "given"}
    assert told["policies"]["given"]["verdict"] == "too little evidence"
    assert "too little evidence" in call("policy", "--bank", bank).output
    file.write_text('{"rows": {}}')
    assert call("policy", "--bank", bank, "--rows", file).exit_code == 2


def test_replay_of_a_bank_that_learnt_nothing_is_exact(call: Call, bank: str) -> None:
    assert printed(call, "learner", "replay") == {
        "b": {
            "exact": True,
            "batches": 0,
            "impressions": 0,
            "versions": [],
            "differing": [],
            "not_checked": [],
            "same_state": True,
        }
    }
    assert call("learner", "replay", "--without-actor", "x").exit_code == 2


def test_actor_of_whom_there_is_nothing_is_an_error_and_publishes_nothing(
    call: Call, bank: str, stored: str
) -> None:
    told = call("learner", "replay", "--bank", bank, "--without-actor", "no-such-actor")
    assert told.exit_code == 1
    assert "'no-such-actor'" in told.stderr
    with psycopg.connect(stored) as conn:
        conn.execute("set fivefold.bank = 'all'")
        for table in ("matrices", "learner_batches"):
            assert conn.execute(f"select count(*) from {table}").fetchone() == (0,)


def test_worker_learns_until_it_is_told_to_stop(bank: str, stored: str) -> None:
    with psycopg.connect(stored, autocommit=True) as conn:
        conn.execute("set fivefold.bank = 'all'")
        conn.execute(RECALL)
        worker = subprocess.Popen(
            [sys.executable, "-m", "router", "worker"],
            env={**os.environ, "FIVEFOLD_DATABASE_URL": stored},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            for _ in range(300):
                row = conn.execute("select learned_as from recalls").fetchone()
                if row == ("none",):
                    break
                time.sleep(0.2)
            assert row == ("none",)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        finally:
            worker.kill()
            worker.wait()


RECALL = """
insert into recalls (
  bank_id, id, at, actor, question, asked_at, timezone, types, analysis, request, channels, weights,
  rrf_k, caller_weights, matrix_version, policy, propensity, seed, noise, candidate_keys,
  candidate_ids, ranks, scores, fused, shown_from, shown_keys, shown_ids, feature_version, features,
  degraded, timings
) values (
  1, 'r1', now() - interval '2 hours', 'ana', 'where?', now(), 'UTC', '{}', '{}', '{}',
  '{keyword}', '{1}', 60, false, 0, 'learned', 1, 0, 0, '{1}', '{m1}', '{1}', '{1}', '{1}', 0,
  '{1}', '{m1}', 0, '', '{}', '{}'
)
"""
