"""Repeated observations become evidence of one, only when asked, and lose nothing."""

from itertools import count

import pytest

from router.structure.consolidate import same_facts
from tests.router.api.conftest import Api

NUMBERS = count(1)


@pytest.fixture
def bank(api: Api) -> str:
    return f"observed-{next(NUMBERS)}"


def seen(name: str | None, text: str, **more) -> dict:
    own = {} if name is None else {"id": name}
    return {"text": text, "kind": "observation", **own, **more}


def keep(api: Api, bank: str, *items: dict, **more) -> dict:
    reply = api.post(
        f"/v1/banks/{bank}/memories", {"items": list(items), "consolidate": True, **more}
    )
    assert reply.status_code == 200, reply.text
    return reply.json()


def get(api: Api, bank: str, name: str) -> dict:
    return api.get(f"/v1/banks/{bank}/memories/{name}").json()


def total(api: Api, bank: str) -> int:
    return api.get(f"/v1/banks/{bank}").json()["memories"]


def test_near_duplicate_raises_the_count_and_stays_as_a_source(api: Api, bank: str) -> None:
    keep(api, bank, seen("o1", "The user prefers dark mode"))
    done = keep(
        api, bank,
        seen("o2", "the user prefers dark mode", occurred_at="2025-03-01T00:00:00Z", proof_count=2),
    )  # fmt: skip
    assert (done["accepted"], done["duplicates"], done["ids"]) == (1, 0, ["o1"])
    assert done["consolidated"] == [{"index": 0, "into": "o1", "proof_count": 3}]
    kept = get(api, bank, "o1")
    assert kept["proof_count"] == 3
    (source,) = kept["sources"]
    assert (source["id"], source["text"], source["proofs"]) == (
        "o2",
        "the user prefers dark mode",
        2,
    )
    assert source["happened"].startswith("2025-03-01")
    assert total(api, bank) == 1


def test_a_repeated_request_is_counted_once(api: Api, bank: str) -> None:
    keep(api, bank, seen("o1", "The user prefers dark mode"))
    named, unnamed = (
        seen("o2", "the user prefers dark mode"),
        seen(None, "The user  prefers dark mode"),
    )
    for _ in range(3):
        done = keep(api, bank, named, unnamed)
        assert done["ids"] == ["o1", "o1"]
    assert done["duplicates"] == 2
    assert get(api, bank, "o1")["proof_count"] == 3


def test_without_being_asked_every_observation_is_a_row(api: Api, bank: str) -> None:
    keep(api, bank, seen("o1", "The user prefers dark mode"))
    done = keep(api, bank, seen("o2", "the user prefers dark mode"), consolidate=False)
    assert "consolidated" not in done
    assert total(api, bank) == 2


def test_items_of_one_request_merge_among_themselves(api: Api, bank: str) -> None:
    texts = ("Friday deploys fail often", "friday deploys fail often", "Friday deploys fail  often")
    done = keep(api, bank, *(seen(f"o{n}", text) for n, text in enumerate(texts)))
    assert done["ids"] == ["o0", "o0", "o0"]
    assert get(api, bank, "o0")["proof_count"] == 3


def test_other_kinds_speakers_numbers_and_what_refers_stay_apart(api: Api, bank: str) -> None:
    keep(api, bank, seen("o1", "The user runs 5 km"), {"id": "f", "text": "The user runs 5 km"})
    done = keep(
        api, bank,
        seen("o2", "The user runs 6 km"),
        seen("o3", "The user runs 5 km", speaker="Ana"),
        seen("o4", "The user runs 5 km!", edges=[{"type": "REFERS_TO", "to": "f"}]),
        {"id": "f2", "text": "the user runs 5 km"},
    )  # fmt: skip
    assert done["consolidated"] == []
    assert total(api, bank) == 6


def test_name_of_evidence_with_other_content_is_refused(api: Api, bank: str) -> None:
    keep(
        api,
        bank,
        seen("o1", "The user prefers dark mode"),
        seen("o2", "the user prefers dark mode"),
    )
    (error,) = keep(api, bank, seen("o2", "The user owns a boat"))["errors"]
    assert (error["index"], error["field"]) == (0, "id")
    assert "'o1'" in error["reason"]


def test_superseded_observation_takes_no_evidence(api: Api, bank: str) -> None:
    keep(api, bank, seen("o1", "The user prefers dark mode"))
    keep(api, bank, seen("o2", "The user loves bright screens", supersedes=["o1"]))
    done = keep(
        api, bank, seen("o3", "the user prefers dark mode", occurred_at="2030-01-01T00:00:00Z")
    )
    assert done["consolidated"] == []
    assert get(api, bank, "o3")["state"] == "stale_duplicate"


def test_deleting_the_observation_forgets_its_sources(api: Api, bank: str) -> None:
    keep(
        api,
        bank,
        seen("o1", "The user prefers dark mode"),
        seen("o2", "the user prefers dark mode"),
    )
    api.delete(f"/v1/banks/{bank}/memories/o1")
    assert keep(api, bank, seen("o2", "the user prefers dark mode"))["ids"] == ["o2"]
    assert "sources" in get(api, bank, "o2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The build is slow on Windows", "The build is fast on Windows"),
        ("Deploys on Friday often fail", "Deploys on Friday often succeed"),
        ("The user likes dark mode", "The user dislikes dark mode"),
        ("The user asks for tables", "The user rarely asks for tables"),
        ("The user works late on Mondays", "The user works late on Tuesdays"),
        ("Ana prefers tea", "Ben prefers tea"),
        ("The job takes 5 minutes", "The job takes 15 minutes"),
        ("The user does not drink", "The user drinks"),
    ],
)
def test_words_tell_apart_what_vectors_do_not(one: str, other: str) -> None:
    assert not same_facts(one, other)
    assert not same_facts(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The build is slow on Windows", "Builds on Windows are slow"),
        ("Deploys on Friday often fail", "Friday deploys often fail"),
        ("The user prefers dark mode", "User prefers dark mode."),
    ],
)
def test_other_forms_of_one_sentence_are_the_same_facts(one: str, other: str) -> None:
    assert same_facts(one, other)
