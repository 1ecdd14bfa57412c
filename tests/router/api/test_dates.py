"""Dates at every door: ISO 8601 or a refusal, and coarse ones as units of the bank's calendar."""

from typing import Any

import pytest

from tests.router.api.conftest import Api

NO_DATES = ("20240601", "2024", "2024-06", "1717400000")
FORM = "write the whole date, such as 2024-06-03"


@pytest.mark.parametrize("text", NO_DATES)
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"as_of": None}, "as_of"),
        ({"known_at": None}, "known_at"),
        ({"asked_at": None}, "asked_at"),
        ({"window": {"start": None}}, "window.start"),
        ({"window": {"end": None}}, "window.end"),
    ],
)
def test_a_date_in_a_question_is_read_in_full_or_refused(
    api: Api, filled: str, body: dict[str, Any], field: str, text: str
) -> None:
    wanted = {
        name: dict.fromkeys(value, text) if isinstance(value, dict) else text
        for name, value in body.items()
    }
    reply = api.post(f"{filled}/recall", {"question": "yesterday", **wanted})
    assert (reply.status_code, reply.json()["field"]) == (422, field)
    assert FORM in reply.json()["detail"]


@pytest.mark.parametrize("text", [*NO_DATES, "2024-06-03T09:12:00+02:00"])
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("memories", "from"), ("memories", "to"), ("browse/days", "from"), ("browse/days", "to"),
        ("recalls", "from"), ("recalls", "to"), ("memories/m1/neighbours", "as_of"),
    ],
)  # fmt: skip
def test_a_date_in_an_address_is_read_in_full_or_refused(
    api: Api, filled: str, path: str, field: str, text: str
) -> None:
    reply = api.get(f"{filled}/{path}?{field}={text}")  # whose + is a space
    assert (reply.status_code, reply.json()["field"]) == (422, field)
    assert FORM in reply.json()["detail"]


def test_whole_dates_are_read(api: Api, filled: str) -> None:
    assert api.get(f"{filled}/memories?from=2022-01-01&to=2100-01-01").json()["memories"]
    asked = {"question": "cluster", "window": {"start": "2023-01-01", "end": "2024-01-01"}}
    found = api.post(f"{filled}/recall", asked).json()["window"]
    assert found["start"] == "2023-01-01T00:00:00+00:00"


COARSE = [
    ("2024-02-01T00:00:00Z", "month", "in March 2024", False),
    ("2024-02-01T00:00:00Z", "month", "in February 2024", True),
    ("2023-06-15T00:00:00Z", "year", "in March 2024", False),
    ("2023-06-15T00:00:00Z", "year", "in March 2023", True),
    ("2024-07-20T00:00:00Z", "month", "in August 2024", False),
    ("2024-07-20T00:00:00Z", "month", "from 1 to 3 July 2024", True),
    ("2020-01-01T00:00:00Z", "year", "on 31 December 2020", True),
    ("2020-01-01T00:00:00Z", "year", "on 1 January 2021", False),
    ("2024-06", None, "on 30 June 2024", True),
    ("2024-06", None, "on 1 July 2024", False),
    ("2024", None, "on 31 December 2024", True),
    ("2024-Q2", None, "in May 2024", True),
]


@pytest.mark.parametrize("timezone", ["UTC", "America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize(("at", "granularity", "asked", "inside"), COARSE)
def test_a_coarse_date_is_the_unit_of_the_calendar_that_holds_it(
    api: Api, bank: str, at: str, granularity: str | None, asked: str, inside: bool, timezone: str
) -> None:
    path = f"/v1/banks/{bank}"
    api.put(path, {"config": {"timezone": timezone}})
    at = at.removesuffix("Z")  # told in the bank's own zone
    item = {"id": "a", "text": "we met the printer", "occurred_at": at, "granularity": granularity}
    assert api.post(f"{path}/memories", {"items": [item]}).json()["errors"] == []
    [found] = api.post(f"{path}/recall", {"question": f"printer {asked}"}).json()["results"]
    assert found["in_window"] is inside


def test_a_coarse_date_is_shown_as_it_was_given(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    given = {"id": "a", "text": "printer", "occurred_at": "2024-07-20T10:00:00+00:00"}
    api.post(f"{path}/memories", {"items": [given | {"granularity": "month"}]})
    [found] = api.post(f"{path}/recall", {"question": "printer in July 2024"}).json()["results"]
    assert (found["occurred_at"], found["in_window"]) == ("2024-07-20T10:00:00+00:00", True)
    stored = api.get(f"{path}/memories/a").json()
    assert stored["occurred_at"] == "2024-07-20T10:00:00+00:00"
    assert stored["happened"] == "2024-07-01T00:00:00+00:00"
    assert stored["valid_at"] == "2024-07-20T10:00:00+00:00"


def test_a_unit_that_replaces_a_time_brings_its_own_granularity(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    item = {"id": "a", "text": "x", "occurred_at": "2024-07-20", "granularity": "day"}
    api.post(f"{path}/memories", {"items": [item]})
    stored = api.patch(f"{path}/memories/a", {"occurred_at": "2023"}).json()
    assert (stored["occurred_at"], stored["granularity"]) == ("2023-01-01T00:00:00+00:00", "year")
