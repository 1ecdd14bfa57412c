"""The analyser by example: identifiers, languages, spellings, and what questions leave out."""

import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import pytest

from channels.analyser import (
    IDENTIFIER_WEIGHT,
    SPELLING_WEIGHT,
    document_terms,
    identifiers,
    question_terms,
    stem_words,
    term_key,
)


def weights(question: str) -> dict[str, float]:
    return {term.text: term.weight for term in question_terms(question)}


def shared(question: str, memory: str) -> set[str]:
    return weights(question).keys() & document_terms(memory).keys()


@pytest.mark.parametrize(
    ("text", "form", "parts"),
    [
        ("E_BROKER_503", "e_broker_503", {"e", "broker", "503"}),
        ("idx_orders_by_day", "idx_orders_by_day", {"idx", "order", "day"}),
        ("CVE-2021-44228", "cve-2021-44228", {"cve", "2021", "44228"}),
        ("OPS-77", "ops-77", {"op", "77"}),
        ("MS08-067", "ms08-067", {"ms08", "067"}),
        ("42-43", "42-43", {"42", "43"}),
        (
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567-e89b-12d3-a456-426614174000",
            {"123e4567", "e89b", "12d3", "a456", "426614174000"},
        ),
        ("lib/jobs/sweeper.py:88", "lib/jobs/sweeper.py:88", {"lib", "job", "sweeper", "py", "88"}),
        ("billing.invoice.close", "billing.invoice.close", {"bill", "invoic", "close"}),
        ("v3.1.4", "3.1.4", {"v3", "3", "1", "4"}),
        ("192.168.0.7:5432", "192.168.0.7:5432", {"192", "168", "0", "7", "5432"}),
        ("cache.local:6379", "cache.local:6379", {"cach", "local", "6379"}),
        ("fetchOrderById", "fetchorderbyid", {"fetch", "order", "id"}),
        ("loadXMLDocument", "loadxmldocument", {"load", "xml", "document"}),
        ("std::map<int>", "std::map", {"std", "map", "int"}),
        ("C++", "c++", {"c"}),
        ("C#", "c#", {"c"}),
        (".NET", ".net", {"net"}),
        ("__enter__", "__enter__", {"enter"}),
        ("#4711", "#4711", {"4711"}),
        ("ECONNRESET", "econnreset", {"econnreset"}),
        ("0x7fFe", "0x7ffe", {"0x7ffe"}),
        ("x86_64", "x86_64", {"x86", "64"}),
        ("ann.lee@mail.example.org", "ann.lee@mail.example.org", {"ann", "lee", "mail", "org"}),
        ("https://example.org/Guide/.", "example.org/guide", {"org", "guid"}),
        ("2026-11-30", "2026-11-30", {"2026", "11", "30"}),
    ],
)
def test_identifier_is_kept_whole_and_in_parts(text, form, parts):
    assert identifiers(f"see {text}, please")[0] == form
    assert weights(text)[f"={form}"] == IDENTIFIER_WEIGHT
    assert parts <= document_terms(text).keys()


@pytest.mark.parametrize(
    "text",
    ["plain words only", "The Who", "5pm", "the 2nd", "3456", "and/or", "AND/OR", "don't", "APIs"],
)
def test_prose_holds_no_identifier(text):
    assert identifiers(text) == ()


@pytest.mark.parametrize(
    "text", ["e.g. tea", "at 5 p.m. sharp", "in the U.S.", "hello.how are you", "done.thanks"]
)
def test_prose_with_a_full_stop_inside_is_no_identifier_but_a_term_as_ever(text):
    assert identifiers(text) == ()
    assert any(term.startswith("=") for term in document_terms(text))


@pytest.mark.parametrize("name", ["numpy.linalg", "promise.then", "node.js", "v2.1.0", "a.b_c"])
def test_name_with_a_full_stop_inside_is_an_identifier(name):
    assert identifiers(f"see {name} there") == (name.removeprefix("v"),)


def test_identifiers_come_in_order_of_appearance_each_once():
    assert identifiers("b_2 then a_1, B_2 and C++") == ("b_2", "a_1", "c++")


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("fetchOrder", "fetchOrderById fails on null"),
        ("order", "fetchOrderById fails on null"),
        ("fetchorderbyid", "fetchOrderById fails on null"),
        ("loadXML", "loadXMLDocument is slow"),
        ("B117", "LINT-B117 warns"),
        ("CVE 2021 44228", "CVE-2021-44228 mitigated"),
        ("44228", "CVE-2021-44228 mitigated"),
        ("067", "MS08-067 again"),
        ("3.1.4", "released v3.1.4"),
        ("v3.1.4", "released 3.1.4"),
        ("sweeper.py", "fails at lib/jobs/sweeper.py:88"),
        ("cross_check", "audit.steps.cross_check() raised"),
        ("-verbose", "start it with verbose output"),
        ('"OPS-77"', "OPS-77 is open"),
        ("github", "moved to GitHub"),
        ("oreilly", "O'Reilly signs the release"),
        ("O’Reilly", "O'Reilly signs the release"),
        ("example.org/guide", "read https://www.example.org/guide/ first"),
        ("gpt 4", "ask gpt-4"),
        ("the who", "The Who"),
        ("the who", "tickets for The Who tonight"),
        ("to be or not to be", "To be or not to be"),
    ],
)
def test_question_finds_the_memory(question, memory):
    assert shared(question, memory)


@pytest.mark.parametrize("asked", ["check-in", "checkin", "check in", "Check-In", "checkIn"])
@pytest.mark.parametrize(
    "written", ["the check-in desk", "hotel-checkin desk", "we check in at noon", "a checkIn call"]
)
def test_hyphen_space_and_neither_are_one_spelling(asked, written):
    assert "checkin" in shared(asked, written)


def test_another_identifier_of_the_family_is_no_exact_match():
    assert shared("lint-b118", "LINT-B117 warns") == {"lint"}


def test_exact_form_outweighs_a_shared_part():
    terms = weights("fetchOrderById")
    assert terms["=fetchorderbyid"] > terms["order"] > terms["byid"] == SPELLING_WEIGHT


def test_punctuation_keeps_neighbours_apart():
    assert "checkin" not in document_terms("check, in doubt, twice")


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("缓存", "昨天清空了缓存服务"),
        ("猫", "我家的猫很安静"),
        ("ログ", "古いログを消した"),
        ("학교", "학교에서 만났다"),
        ("책", "책을 읽었다"),
        ("ตลาด", "ไปตลาดเมื่อวาน"),
        ("книга", "купила две книги"),
        ("المكتبة", "زرت مكتبة"),
        ("Haus", "die alten Häuser"),
        ("cafe", "the café closed"),
        ("café", "the cafe closed"),
        ("θάλασσα", "κοντά στη ΘΑΛΑΣΣΑ"),
        ("लड़का", "लड़के खेल रहे हैं"),
        ("ＡＢＣ", "abc"),
        ("deployments", "we deployed twice"),
    ],
)
def test_each_language_finds_its_memory(question, memory):
    assert shared(question, memory)


def test_single_han_characters_help_a_question_but_weigh_less_than_its_bigrams():
    terms = weights("我的猫")
    assert terms["的猫"] > terms["猫"] > 0


def test_stems_follow_from_the_word_alone():
    alone = stem_words("Häuser")
    assert stem_words("yesterday мы saw Häuser 都")[3:4] == alone


def test_question_drops_asking_words_and_memory_keeps_them():
    asked = weights("how many times did Ann mention rowing")
    assert {term for term, weight in asked.items() if weight == 1} == {"ann", "row"}
    assert "time" in document_terms("that time of year")


@pytest.mark.parametrize(("text", "terms"), [("time", {"time"}), ("what time", {"time"})])
def test_asking_words_are_kept_when_nothing_else_is_left(text, terms):
    assert weights(text).keys() == terms


def test_question_of_stop_words_asks_for_them():
    assert {"the", "who"} <= weights("the who").keys()


@pytest.mark.parametrize("text", ["", "   ", "?!", "😀🎉", "\x00", "\ud800", "-", "...", "://"])
def test_text_without_words_has_no_terms(text):
    assert question_terms(text) == ()
    assert document_terms(text) == {}


def test_possessives_and_contractions_leave_no_trace():
    assert stem_words("Ann's plan, we've won't they'll") == ("ann", "plan")


def test_words_are_counted_and_spellings_count_a_fraction():
    counts = document_terms("desk, Desk, desks; build-step")
    assert counts["desk"] == 3
    assert 0 < counts["buildstep"] < 1


@pytest.mark.parametrize(
    ("term", "key"),
    [
        ("deploy", -5597095468959799802),
        ("=cve-2021-44228", -7312788079697424863),
        ("缓存", 267915218604162319),
    ],
)
def test_term_keys_never_change(term, key):
    assert term_key(term) == key


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "aA",
        "A1",
        "a.",
        "a-",
        "a'",
        "#",
        "_",
        "a,",
        "缓存",
        "a://",
        "é-",
        "v1.",
        "\u0316\u0300",
        "\u0300\U0001bc9e",
    ],
)
def test_hundred_thousand_characters_take_linear_time(unit):
    text = unit * (100_000 // len(unit))
    document_terms(text[:1_000])
    started = perf_counter()
    document_terms(text)
    assert perf_counter() - started < 5  # quadratic time would be minutes


@pytest.mark.parametrize("letters", ["A", "aA", "1", "A1", "é", "\u0301e", "'s", "猫A"])
@pytest.mark.parametrize("mark", ["-", "_", ".", "/", "'", "@"])
def test_two_long_words_with_a_mark_between_take_linear_time(letters, mark):
    half = letters * (20_000 // len(letters))
    started = perf_counter()
    document_terms(half + mark + half)
    assert perf_counter() - started < 2


def test_long_word_is_capped_but_still_told_apart():
    first, second = "x" * 200 + "a", "x" * 200 + "b"
    assert all(len(term) <= 64 for term in document_terms(first))
    assert not shared(first, second)


def test_threads_agree():
    words = [
        f"generalis{i}ations {chr(97 + i % 26)}ing organisers{'s' * (i % 3)}" for i in range(400)
    ]
    expected = [document_terms(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(document_terms, words)) == expected
    finally:
        sys.setswitchinterval(interval)
