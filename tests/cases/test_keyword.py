"""Development cases on words: identifiers, hyphens, scripts without spaces, punctuation.

Each passes with the packaged model and in a bank that does without any.
"""

from typing import Any

import pytest

from tests.conftest import fresh_database
from tests.router.api.conftest import HASHES, running, settings_for
from tests.router.world import World, heard, memory, shown, trace

CODES = [
    memory("a", "RULE-A002 flags config drift"),
    memory("b", "CVE-2024-1234 patched"),
    memory("c", "MS17-010 again"),
]
SCRIPTS = [
    memory("a", "Worker 队列端口错配导致任务无人消费"),
    memory("b", "日本語のテストを直した"),
    memory("c", "번역을 부탁해"),
    memory("d", "做好财务护城河"),
]
SIGNS = [
    memory("a", "DEC-0054 chose Postgres"),
    memory("b", "start with -cache disabled"),
    memory("c", "apply_secrets and __init__"),
]


@pytest.fixture(params=[None, "none"], ids=["packaged", "none"])
def model(request: pytest.FixtureRequest) -> str | None:
    """The bank's embedder."""
    return request.param


@pytest.mark.parametrize("question", ["getUser", "user", "getUserById"])
def test_parts_of_a_compound_identifier_find_it(
    world: World, question: str, model: str | None
) -> None:
    """D09, table."""
    bank = world.bank(
        memory("a", "getUserById throws on null"), memory("b", "user guide by Ida"), embedder=model
    )
    answer = world.ask(bank, question)
    assert "a" in heard(answer, "keyword")
    assert "a" in shown(answer)
    if question == "getUserById":
        assert shown(answer)[0] == "a", trace(answer)


def test_first_part_of_a_compound_identifier_finds_it(world: World, model: str | None) -> None:
    """D09, table."""
    bank = world.bank(
        memory("a", "getUserById throws on null"),
        memory("b", "user guide by Ida"),
        memory("c", "parseHTMLResponse is slow"),
        embedder=model,
    )
    answer = world.ask(bank, "parseHTML")
    assert heard(answer, "keyword")[0] == "c"
    assert shown(answer)[0] == "c", trace(answer)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("A002", "a"),
        ("1234", "b"),
        ("CVE 2024 1234", "b"),
        ("cve-2024-1234", "b"),
        ("010", "c"),
    ],
)
def test_fragments_of_hyphenated_codes_find_them(
    world: World, question: str, expected: str, model: str | None
) -> None:
    """D10, table."""
    answer = world.ask(world.bank(*CODES, embedder=model), question)
    assert heard(answer, "keyword")[0] == expected
    assert shown(answer)[0] == expected, trace(answer)


def test_code_that_differs_in_a_digit_is_no_exact_match(world: World, model: str | None) -> None:
    """D10, table: the exact form scores far above its near twin."""
    bank = world.bank(*CODES, embedder=model)
    near, exact = (world.ask(bank, code) for code in ("rule-a001", "rule-a002"))

    def best(answer: Any) -> float:
        return max((hit.score for hit in answer.found.outcomes["keyword"].hits), default=0.0)

    assert best(near) < best(exact) / 2
    assert "rule-a001" not in " ".join(near.read.identifiers).replace("rule-a001", "", 1)


@pytest.mark.parametrize("question", ["sign-off", "signoff", "sign off"])
def test_spellings_with_and_without_hyphen_are_one_word(
    world: World, question: str, model: str | None
) -> None:
    """D11, table."""
    bank = world.bank(
        memory("a", "dco-signoff bot is red"),
        memory("b", "the traffic light is green"),
        embedder=model,
    )
    answer = world.ask(bank, question)
    assert heard(answer, "keyword") == ["a"]
    assert shown(answer)[0] == "a", trace(answer)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("DEC-0054", "a"), ('"DEC-0054"', "a"), ("-cache", "b"), ("__init__", "c")],
)
def test_signs_in_a_question_are_text_never_operators(
    world: World, question: str, expected: str, model: str | None
) -> None:
    """D12, table."""
    answer = world.ask(world.bank(*SIGNS, embedder=model), question)
    assert heard(answer, "keyword")[0] == expected
    assert shown(answer)[0] == expected, trace(answer)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("队列", "a"), ("端口错配", "a"), ("テスト", "b"), ("번역", "c"), ("护城河", "d")],
)
def test_keyword_channel_hears_scripts_without_spaces(
    world: World, question: str, expected: str, model: str | None
) -> None:
    """D13, table."""
    answer = world.ask(world.bank(*SCRIPTS, embedder=model), question)
    assert heard(answer, "keyword")[0] == expected


PUNCTUATION = [
    "what's the deploy plan?",
    "don't",
    "plan (draft",
    "a & b | !c:*",
    '"unclosed',
    "O'Brien",
    "🚀🔥",
    "?!… --",
    "%s %(bank)s {} \\",
    "deploy " * 2_857,
]


@pytest.mark.parametrize("question", PUNCTUATION)
def test_punctuation_never_breaks_a_recall(world: World, question: str, model: str | None) -> None:
    """D14, table."""
    bank = world.bank(
        memory("a", "O'Brien owns the deploy plan"), memory("b", "Lunch is at noon"), embedder=model
    )
    answer = world.ask(bank, question)
    assert answer.degraded == ()
    if question in (PUNCTUATION[0], "O'Brien"):
        assert heard(answer, "keyword") == ["a"]
        assert shown(answer)[0] == "a", trace(answer)


@pytest.mark.parametrize("served", [HASHES, "none"])
def test_only_blank_nul_and_too_long_questions_are_refused(
    server: str, template: str, served: str
) -> None:
    """D14, table, over HTTP."""
    settings = {"embedder": served}
    with fresh_database(server, template) as dsn, running(settings_for(dsn, **settings)) as api:
        api.post("/v1/banks/d14/memories", {"items": [{"text": "O'Brien owns the deploy plan"}]})
        for question in (*PUNCTUATION, "x" * 20_000):
            assert api.post("/v1/banks/d14/recall", {"question": question}).status_code == 200
        for question in ("a\x00b", " \t\n", "", "x" * 20_001):
            refused = api.post("/v1/banks/d14/recall", {"question": question})
            assert refused.status_code == 422
            assert refused.json()["field"] == "question"
