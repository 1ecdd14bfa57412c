"""Names found in texts by example."""

import pytest

from channels.entities import extract_entities, normal_form


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
        ("他说「蓝色的门」", ("蓝色的门",)),
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
