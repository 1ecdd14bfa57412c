"""Stored decisions over HTTP."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.router.api.conftest import Api


def ask(api: Api, bank: str, question: str, **more: Any) -> dict[str, Any]:
    reply = api.post(f"{bank}/recall", {"question": question, **more})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_decision_is_readable_as_soon_as_it_is_answered(api: Api, filled: str) -> None:
    answer = ask(api, filled, "staging cluster", user="ana", session="s", k=2, offset=1)
    stored = api.get(f"{filled}/recalls/{answer['recall_id']}").json()
    assert stored["recall_id"] == answer["recall_id"]
    assert (stored["question"], stored["actor"], stored["session"]) == (
        "staging cluster", "ana", "s",
    )  # fmt: skip
    assert stored["shown"] == [result["id"] for result in answer["results"]]
    by_id = {candidate["id"]: candidate for candidate in stored["candidates"]}
    for result in answer["results"]:
        candidate = by_id[result["id"]]
        assert candidate["shown_rank"] == result["rank"]
        ranks = {name: vote["rank"] for name, vote in candidate["channels"].items()}
        assert ranks == {name: vote["rank"] for name, vote in result["channels"].items()}
    assert len(stored["features"]["rows"]) == len(answer["results"])
    assert len(stored["features"]["names"]) == len(stored["features"]["rows"][0])
    assert stored["weights"] == pytest.approx(answer["weights"])
    assert stored["events"] == []


def test_decision_without_results_is_stored_as_well(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    api.put(path, {})
    answer = ask(api, path, "anything")
    assert answer["results"] == []
    stored = api.get(f"{path}/recalls/{answer['recall_id']}").json()
    assert (stored["candidates"], stored["features"]["rows"]) == ([], [])


def test_pages_of_decisions_go_back_in_time(api: Api, filled: str) -> None:
    asked = [ask(api, filled, f"cluster {n}")["recall_id"] for n in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"{filled}/recalls?limit=2{cursor}").json()
        seen += [line["recall_id"] for line in page["recalls"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == asked[::-1]


def test_decisions_are_listed_by_type_and_a_correction_counts(api: Api, filled: str) -> None:
    answer = ask(api, filled, "When did we move the cluster last week?")
    likeliest = max(answer["types"], key=answer["types"].get)
    path = f"{filled}/recalls/{answer['recall_id']}"

    def listed(kind: str) -> list[str]:
        page = api.get(f"{filled}/recalls?type={kind}").json()
        return [line["recall_id"] for line in page["recalls"]]

    assert listed(likeliest) == [answer["recall_id"]]
    other = "multi_hop" if likeliest != "multi_hop" else "general"
    assert api.put(f"{path}/type", {"type": other}).json()["corrected_type"] == other
    assert api.get(path).json()["corrected_type"] == other
    assert (listed(likeliest), listed(other)) == ([], [answer["recall_id"]])
    api.put(f"{path}/type", {"type": None})
    assert listed(likeliest) == [answer["recall_id"]]


def test_decisions_are_listed_by_time(api: Api, filled: str) -> None:
    ask(api, filled, "cluster")
    line = api.get(f"{filled}/recalls").json()["recalls"][0]
    at = quote(line["at"])
    assert len(api.get(f"{filled}/recalls?from={at}").json()["recalls"]) == 1
    assert api.get(f"{filled}/recalls?to={at}").json()["recalls"] == []


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_unknown_decision_is_not_found(api: Api, standing: str, method: str) -> None:
    path = f"{standing}/recalls/nothing" + ("/type" if method == "PUT" else "")
    reply = api.call(method, path, json={"type": "general"} if method == "PUT" else None)
    assert (reply.status_code, reply.json()["type"]) == (404, "urn:fivefold:problem:no-recall")


@pytest.mark.parametrize("body", [{}, {"type": "sad"}, {"type": 1}, {"type": "general", "x": 1}])
def test_bad_correction_is_refused(api: Api, filled: str, body: dict[str, Any]) -> None:
    recall_id = ask(api, filled, "cluster")["recall_id"]
    assert api.put(f"{filled}/recalls/{recall_id}/type", body).status_code == 422


@pytest.mark.parametrize("cursor", ["x", "WyJhIiwgMV0", "WzFd", "WyIyMDI0LTAxLTAxIiwgImEiXQ"])
def test_cursor_of_another_kind_is_refused(api: Api, standing: str, cursor: str) -> None:
    reply = api.get(f"{standing}/recalls?cursor={cursor}")
    assert (reply.status_code, reply.json()["field"]) == (422, "cursor")
