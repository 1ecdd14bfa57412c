"""The matrix over HTTP: shown, published against a known version, rolled back."""

from typing import Any

import pytest

from router.presets import CHANNELS, default_matrix
from router.understand.types import TYPES
from router.weights import as_json
from tests.router.api.conftest import HASHES, Api


def rows(keyword: float = 1.0) -> dict[str, Any]:
    weights = {name: 0.5 for name in CHANNELS} | {"keyword": keyword}
    return {kind: {"weights": dict(weights), "rrf_k": 10} for kind in TYPES}


def publish(api: Api, bank: str, expected: int, **more: Any) -> Any:
    body = {"rows": rows(), "expected_version": expected, "reason": "tried by hand", **more}
    return api.post(f"{bank}/matrix", body)


def test_default_is_live_before_anything_is_published(api: Api, standing: str) -> None:
    matrix = api.get(f"{standing}/matrix").json()
    assert matrix["version"] == 0
    assert matrix["default"] == as_json(default_matrix(HASHES))
    assert set(matrix["rows"]) == set(TYPES)
    row = matrix["rows"]["temporal"]
    assert set(row) == {
        "weights", "rrf_k", "evidence", "gain", "interval", "candidates", "reach",
    }  # fmt: skip
    assert (row["evidence"], row["gain"], row["interval"], row["candidates"]) == (0, None, None, [])
    assert set(row["reach"]) == set(CHANNELS)
    assert matrix["prior"] == matrix["default"]  # no other banks have learnt anything
    assert matrix["residual"]["gate"] == "off"
    assert matrix["learner"] == {"state": "on", "why": None, "batch": 0, "last": None}


def test_published_rows_serve_the_next_recall(api: Api, filled: str) -> None:
    api.post(f"{filled}/recall", {"question": "cluster"})
    done = publish(api, filled, 0).json()
    assert (done["version"], done["parent"]) == (1, 0)
    assert done["learner"].startswith("held")
    answer = api.post(f"{filled}/recall", {"question": "cluster"}).json()
    assert (answer["matrix_version"], answer["rrf_k"]) == (1, pytest.approx(10))
    assert answer["weights"] == pytest.approx({name: 0.5 for name in CHANNELS} | {"keyword": 1.0})
    live = api.get(f"{filled}/matrix").json()
    assert (live["version"], live["reason"], live["author"]) == (1, "tried by hand", "local")


def test_publishing_over_a_version_that_is_no_longer_live_is_a_conflict(
    api: Api, filled: str
) -> None:
    assert publish(api, filled, 0).status_code == 200
    reply = publish(api, filled, 0)
    assert (reply.status_code, reply.json()["field"]) == (409, "expected_version")
    assert publish(api, filled, 1).json()["version"] == 2


def test_rollback_publishes_the_old_rows_anew(api: Api, filled: str) -> None:
    publish(api, filled, 0)
    publish(api, filled, 1, rows=rows(keyword=0.1))
    assert api.post(f"{filled}/matrix/rollback", {"to": 1}).json()["version"] == 3
    live = api.get(f"{filled}/matrix").json()
    assert live["rows"]["general"]["weights"]["keyword"] == 1.0
    assert api.post(f"{filled}/matrix/rollback", {"to": 0, "reason": "enough"}).status_code == 200
    live = api.get(f"{filled}/matrix").json()
    assert (live["version"], live["reason"]) == (4, "rollback to 0: enough")
    assert {kind: row["weights"] for kind, row in live["rows"].items()} == {
        kind: row["weights"] for kind, row in live["default"].items()
    }
    assert api.post(f"{filled}/recall", {"question": "x"}).json()["matrix_version"] == 4


def test_diff_names_what_changed_and_nothing_else(api: Api, filled: str) -> None:
    publish(api, filled, 0)
    publish(api, filled, 1, rows=changed("general", rrf_k=20))
    told = api.get(f"{filled}/matrix/diff?from=1&to=2").json()
    assert told == {"from": 1, "to": 2, "changes": {"general": {"rrf_k": {"from": 10, "to": 20}}}}
    assert api.get(f"{filled}/matrix/diff").json() == told
    assert api.get(f"{filled}/matrix/diff?from=2&to=2").json()["changes"] == {}
    assert set(api.get(f"{filled}/matrix/diff?from=0&to=1").json()["changes"]) == set(TYPES)


@pytest.mark.parametrize(
    ("query", "status", "field"), [("from=7", 404, None), ("to=-1", 422, "to"), ("a=1", 422, "a")]
)
def test_diff_of_what_is_not_there_is_refused(
    api: Api, standing: str, query: str, status: int, field: str | None
) -> None:
    reply = api.get(f"{standing}/matrix/diff?{query}")
    assert (reply.status_code, reply.json().get("field")) == (status, field)


def test_rollback_to_an_unknown_version_is_not_found(api: Api, standing: str) -> None:
    reply = api.post(f"{standing}/matrix/rollback", {"to": 9})
    assert (reply.status_code, reply.json()["type"]) == (
        404, "urn:fivefold:problem:no-matrix-version",
    )  # fmt: skip


def test_versions_are_listed_newest_first_in_pages(api: Api, filled: str) -> None:
    for version in range(3):
        publish(api, filled, version)
    first = api.get(f"{filled}/matrix/versions?limit=2").json()
    assert [entry["version"] for entry in first["versions"]] == [3, 2]
    assert first["versions"][0]["parent"] == 2
    rest = api.get(f"{filled}/matrix/versions?limit=2&cursor={first['next']}").json()
    assert [entry["version"] for entry in rest["versions"]] == [1]
    assert (rest["next"], rest["versions"][0]["parent"]) == (None, None)


def changed(kind: str, **change: Any) -> dict[str, Any]:
    made = rows()
    made[kind] = {**made[kind], **change}
    return made


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rows": {}}, "rows.temporal"),
        ({"rows": {**rows(), "sad": rows()["general"]}}, "rows.sad"),
        ({"rows": changed("general", weights={"keyword": 1})}, "rows.general.weights.semantic"),
        ({"rows": changed("general", rrf_k=0)}, "rows.general.rrf_k"),
        ({"rows": changed("general", floor=0)}, "rows.general.floor"),
        ({"rows": changed("general", weights=dict.fromkeys(CHANNELS, 0))},
         "rows.general.weights"),
        ({"rows": changed("general", weights=dict.fromkeys(CHANNELS, "1"))},
         "rows.general.weights.semantic"),
        ({"reason": " "}, "reason"),
        ({"expected_version": "0"}, "expected_version"),
        ({"expected_version": None}, "expected_version"),
        ({"force": True}, "force"),
    ],
)  # fmt: skip
def test_bad_matrix_is_refused_by_its_field(
    api: Api, standing: str, body: dict[str, Any], field: str
) -> None:
    reply = publish(api, standing, 0, **body)
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text
    assert api.get(f"{standing}/matrix").json()["version"] == 0
