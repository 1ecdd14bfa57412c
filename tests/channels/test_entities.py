"""Names found in texts by example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.entities import (
    alias_key,
    entity_key,
    entity_keys,
    entity_rules,
    extract_entities,
    normal_form,
)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  Ann   Lee. ", "ann lee"),
        ("@Ann", "ann"),
        ("#4711", "4711"),
        ("C++", "c++"),
        ("“Blue Door”", "blue door"),
        ("ＡＢＣ", "abc"),
        ("Straße", "strasse"),
        ("...", ""),
    ],
)
def test_normal_form_strips_what_only_surrounds_a_name(text, form):
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Did Mira join Eastgate Labs?", ("mira", "eastgate labs")),
        ("Mira is head of audit at Eastgate.", ("mira", "eastgate")),
        ("Mira's plan failed.", ("mira",)),
        ("Refactored the parser.", ()),
        ("I think I am late. But I'm here", ()),
        ("On Monday in May we met", ()),
        ("we saw the Museum of Glass", ("museum of glass",)),
        ("ask @sam about OPS-77", ("ops-77", "sam")),
        ('they call it "blue door" here', ("blue door",)),
        ("run `make clean` first", ("make clean",)),
        ("see lib/Jobs/Sweeper.py now", ("lib/jobs/sweeper.py",)),
        ("at 10:30 on 2026-11-30, 3.5 of them", ()),
        ("upgrade to v3.1.4 now", ("3.1.4",)),
        ("STOP SHOUTING AT ME", ()),
        ("What did Dr. Ibsen and Mrs. Vale say?", ("ibsen", "vale")),
        ("the Millers' contract", ("millers",)),
        ("他说「蓝色的门」", ("蓝色的门",)),
        ("Priya likes what tea?", ("priya",)),
        ("Dana told me what", ("dana",)),
        ("Omar works at which firm", ("omar",)),
        ("It rained. Priya isn't here", ("priya",)),
        ("e.g. Ana at 5 p.m.", ("ana",)),
        ("i.e. Bo vs. Ana, approx. as before", ("bo", "ana")),
        ("hello.how are you", ()),
        ("in the U.S. and at m.i.t", ("u.s", "m.i.t")),
        ("Kofi lost his keys when", ("kofi",)),
        ("Build broke again", ()),
        ("Build works in the lab", ()),
        ("Someone told me", ()),
        ("Now I can't wait", ()),
        ("Haven't met her", ()),
        ("User likes tea", ()),
        ("Dancing made me glad", ()),
    ],
)
def test_names_of_a_text(text, names):
    assert extract_entities(text) == names


def test_speakers_are_found_whatever_their_case_but_only_whole():
    assert extract_entities("then mira told annette", ["Mira", "Ann"]) == ("mira",)


def test_speaker_in_a_script_without_spaces_is_found():
    assert extract_entities("昨天小明来了", ["小明"]) == ("小明",)


def test_long_quotation_is_no_name():
    assert extract_entities(f'"{"very " * 20}long"') == ()


def test_first_word_of_a_sentence_does_not_hide_the_name_behind_it():
    assert "jade" in extract_entities("Use Jade for search")


@pytest.mark.parametrize(
    "spellings",
    [
        ("José", "jose", "JOSÉ", "Jose\u0301"),
        ("eu-west", "EU West", "eu_west"),
        ("O'Brien", "O\u2019Brien", "obrien"),
        ("Millers", "the Millers'", "millers"),
        ("Ann", "Ann's", "@ann"),
        ("Straße", "STRASSE"),
        ("Łódź", "Lodz"),
        ("Zoë-Ann", "zoe ann"),
    ],
)
def test_spellings_of_a_name_have_one_key(spellings):
    names = [extract_entities(f"we saw {name} today") or (name,) for name in spellings]
    assert len({entity_key(found[0]) for found in names}) == 1


def test_other_names_keep_keys_of_their_own():
    names = ("c", "c++", "c#", "node.js", "nodejs", "ops-77", "ops-78", "#77", "3.1", "31")
    assert len({entity_key(name) for name in names}) == len(names)


def test_a_question_asks_for_the_very_spelling_too():
    assert set(entity_keys(["josé"])) == {entity_key("jose"), *entity_keys(["josé"])}
    assert len(entity_keys(["josé"])) == 2
    assert len(entity_keys(["jose"])) == 1


@given(st.text(max_size=40))
def test_alias_is_idempotent_and_empty_only_for_what_is_no_name(text):
    once = alias_key(text)
    assert alias_key(once) == once
    assert bool(once) == bool(normal_form(text))


def test_each_name_comes_with_the_rule_that_found_it():
    text = 'did Mira tell @sam about "blue door" in OPS-77?'
    assert entity_rules(text, ["Tell"]) == {
        "ops-77": "identifier",
        "sam": "handle",
        "blue door": "quoted",
        "mira": "capitalised",
        "tell": "speaker",
    }
