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


@pytest.fixture
def plain(api: Api, bank: str) -> str:
    """A bank without a model."""
    api.put(f"/v1/banks/{bank}", {"config": {"embedder": "none"}})
    return bank


RICH = {
    "tags": ["ui", "night"],
    "topic": "user.settings",
    "entities": [{"text": "Ana Quux", "type": "person"}],
    "affect": [{"label": "joy", "intensity": 0.6}],
    "metadata": {"source": "chat", "line": 4},
}


def pair(api: Api, bank: str, first: dict | None = None, second: dict | None = None) -> None:
    keep(
        api,
        bank,
        seen("o1", "The user prefers dark mode", **(first or {})),
        seen("o2", "the user prefers dark mode", **(second or {})),
    )


@pytest.mark.parametrize("is_one_request", [True, False])
def test_what_evidence_says_beside_its_words_goes_over(
    api: Api, bank: str, is_one_request: bool
) -> None:
    own = {"tags": ["ui"], "metadata": {"line": 1}}
    items = [
        seen("o1", "The user prefers dark mode", **own),
        seen("o2", "the user prefers dark mode", **RICH),
    ]
    for batch in [items] if is_one_request else [[one] for one in items]:
        keep(api, bank, *batch)
    kept = get(api, bank, "o1")
    assert (kept["tags"], kept["topic"]) == (["ui", "night"], "user.settings")
    assert kept["metadata"] == {"source": "chat", "line": 1}, "its own value stays"
    assert (kept["entities"], kept["affect"]) == (RICH["entities"], RICH["affect"])
    listed = api.get(f"/v1/banks/{bank}/memories", params={"entity": "ana quux"}).json()
    assert [one["id"] for one in listed["memories"]] == ["o1"]
    found = api.post(f"/v1/banks/{bank}/recall", {"question": "night", "explain": True}).json()
    assert [hit["id"] for hit in found["trace"]["channels"]["keyword"]["hits"]] == ["o1"]
    assert keep(api, bank, *items)["duplicates"] == 2, "sent again, nothing changes"
    assert get(api, bank, "o1") == kept


def test_evidence_is_found_by_its_own_id(api: Api, bank: str) -> None:
    pair(api, bank)
    told = get(api, bank, "o2")
    assert (told["id"], told["state"], told["consolidated_into"]) == ("o2", "consolidated", "o1")
    assert (told["text"], told["proof_count"]) == ("the user prefers dark mode", 1)
    path = f"/v1/banks/{bank}/memories/o2"
    for reply in (api.patch(path, {"tags": ["x"]}), api.get(f"{path}/neighbours")):
        assert reply.status_code == 404
        assert "'o2' was consolidated into 'o1'" in reply.json()["detail"]


def test_who_refers_to_evidence_refers_to_its_observation(api: Api, bank: str) -> None:
    pair(api, bank)
    edge = {"type": "CAUSES", "to": "o2"}
    done = keep(
        api, bank, {"id": "n", "text": "Bright screens", "supersedes": ["o2"], "edges": [edge]}
    )
    assert done["errors"] == []
    assert get(api, bank, "o1")["superseded_by"] == "n"
    assert get(api, bank, "n")["edges"] == [{"type": "CAUSES", "to": "o1", "strength": 1.0}]
    assert api.delete(f"/v1/banks/{bank}/memories/o2/supersede").json()["opened"] == 1
    again = api.post(f"/v1/banks/{bank}/memories/o2/supersede", {"by": "n"})
    assert again.json()["closed"] == 1
    itself = keep(api, bank, seen("o1", "The user loves dark mode", supersedes=["o2"]))
    assert [one["field"] for one in itself["errors"]] == ["supersedes[0]"]


def test_rewriting_an_observation_keeps_what_its_evidence_counts(api: Api, bank: str) -> None:
    pair(api, bank, {"proof_count": 2}, {"proof_count": 3})
    assert get(api, bank, "o1")["proof_count"] == 5
    more = seen("o1", "The user prefers dark mode", tags=["ui"], proof_count=2)
    keep(api, bank, more, consolidate=False)
    assert get(api, bank, "o1")["proof_count"] == 5
    path = f"/v1/banks/{bank}/memories/o1"
    assert api.patch(path, {"title": "Mode"}).json()["proof_count"] == 5
    assert api.patch(path, {"proof_count": 7}).json()["proof_count"] == 7
    assert len(get(api, bank, "o1")["sources"]) == 1
    refused = api.patch(path, {"proof_count": 3})
    assert (refused.status_code, refused.json()["field"]) == (422, "proof_count")


def test_evidence_sent_again_without_being_asked_is_no_second_memory(api: Api, bank: str) -> None:
    pair(api, bank)
    named, unnamed = (
        seen("o2", "the user prefers dark mode"),
        seen(None, "The user  prefers dark mode"),
    )
    keep(api, bank, unnamed)
    done = keep(api, bank, named, unnamed, consolidate=False)
    assert (done["duplicates"], done["ids"]) == (2, ["o1", "o1"])
    assert total(api, bank) == 1
    (error,) = keep(api, bank, seen("o2", "a boat"), consolidate=False)["errors"]
    assert (error["field"], "'o1'" in error["reason"]) == ("id", True)


def test_evidence_can_be_forgotten_and_its_id_used_anew(api: Api, bank: str) -> None:
    pair(api, bank)
    assert api.delete(f"/v1/banks/{bank}/memories/o2").status_code == 204
    kept = get(api, bank, "o1")
    assert (kept["proof_count"], kept["sources"]) == (1, [])
    assert get(api, bank, "o2")["status"] == 404
    assert keep(api, bank, seen("o2", "The user owns a boat"))["ids"] == ["o2"]


def test_same_words_merge_without_a_model(api: Api, plain: str) -> None:
    pair(api, plain)
    done = keep(api, plain, seen("o3", "The user prefers  DARK mode"))
    assert done["consolidated"] == [{"index": 0, "into": "o1", "proof_count": 3}]
    apart = keep(
        api, plain,
        seen("o4", "User prefers dark mode"),
        seen("o5", "the user prefers dark mode", speaker="Ana"),
    )  # fmt: skip
    assert apart["consolidated"] == []
    assert total(api, plain) == 3
