"""Times as callers write them: whole dates, whole units, and what is neither."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from router.items import HAPPENED, LAST, Moment
from router.written import is_moment, refusal, whole, with_granularity


class Asked(BaseModel):
    at: Moment | None = None


@pytest.mark.parametrize(
    "text", ["2024-06-03", "2024-06-03T09:12:00Z", "2024-06-03 09:12", "2024-06-03T09:12:00+02:00"]
)
def test_a_whole_date_is_read(text: str) -> None:
    found = Asked.model_validate({"at": text}).at
    assert found is not None
    assert (found.year, found.month, found.day) == (2024, 6, 3)


@pytest.mark.parametrize(
    "text",
    ["20240601", "2024", "2024-06", "1717400000", "", "soon", "2024-02-30", "2024-06-03x",
     "2024-06-03T25:00:00Z", "2024-06-03T09:12:00 02:00", 20240601, 17.5, True],
)  # fmt: skip
def test_all_else_is_refused_with_the_form_to_write(text: object) -> None:
    with pytest.raises(ValidationError, match="ISO 8601 time; write the whole date, such as 2024"):
        Asked.model_validate({"at": text})


def test_a_plus_that_an_address_made_a_space_is_named() -> None:
    assert "%2B" in refusal("2024-06-03T09:12:00 02:00")
    assert "%2B" not in refusal("2024-06-03T09:12:00")
    assert is_moment("2024-06-03T09:12:00 02:00")  # so that it is its end that is wrong


@pytest.mark.parametrize(
    ("text", "first", "last", "granularity"),
    [
        ("2024", "2024-01-01", "2024-12-31", "year"),
        ("2024-02", "2024-02-01", "2024-02-29", "month"),
        ("2024-Q2", "2024-04-01", "2024-06-30", "quarter"),
        ("2024-W01", "2024-01-01", "2024-01-07", "week"),
        ("9999-12", "9999-12-01", "9999-12-31", "month"),
    ],
)
def test_a_whole_unit_has_its_days(text: str, first: str, last: str, granularity: str) -> None:
    found = whole(text)
    assert found is not None
    assert (found.first, found.last) == (first, f"{last}T23:59:59")
    assert found.granularity == granularity


@pytest.mark.parametrize(
    "text", ["2024-13", "2024-00", "0000", "2024-W54", "2024-Q5", "202", "20240601", "24", None, 7]
)
def test_no_unit_is_read_into_anything_else(text: object) -> None:
    assert whole(text) is None


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"occurred_at": "2024-06"}, {"occurred_at": "2024-06-01", "granularity": "month"}),
        ({"occurred_at": "2024", "granularity": "day"},
         {"occurred_at": "2024-01-01", "granularity": "day"}),
        ({"occurred_at": "2024", "granularity": None},
         {"occurred_at": "2024-01-01", "granularity": "year"}),
        ({"occurred_start": "2024-03", "occurred_end": "2024-06"},
         {"occurred_start": "2024-03-01", "occurred_end": "2024-06-30T23:59:59",
          "granularity": "month"}),
        ({"occurred_at": "2024-06-03", "mentioned_at": "2025"},
         {"occurred_at": "2024-06-03", "mentioned_at": "2025-01-01"}),
        ({"occurred_at": "2024-06-03"}, {"occurred_at": "2024-06-03"}),
    ],
)  # fmt: skip
def test_a_unit_implies_its_granularity_unless_one_is_given(
    item: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert with_granularity(item, HAPPENED, LAST) == expected
