"""The analyser on any text: it never fails, and memory and question always agree."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from channels.analyser import (
    document_terms,
    identifiers,
    question_terms,
    stem_words,
    term_key,
)
from channels.entities import extract_entities, normal_form

ALPHABET = "aAzZ09 é'ßİſΣ-_./\\:@#+&\"`,!?（\n猫の번ก\u0301\u200b\ud800"
anything = st.one_of(st.text(), st.text(alphabet=ALPHABET), st.text(st.characters(), max_size=30))
word = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9)
identifier = st.builds(
    lambda words, mark: mark.join(words),
    st.lists(word, min_size=2, max_size=5),
    st.sampled_from(["-", "_", ".", "/", "::"]),
)


@given(anything)
def test_every_question_term_occurs_in_the_memory_of_the_same_text(text):
    asked = [term.text for term in question_terms(text)]
    assert len(set(asked)) == len(asked)
    assert set(asked) <= document_terms(text).keys()


@given(anything)
def test_terms_are_never_empty_and_counts_and_weights_are_positive(text):
    counts = document_terms(text)
    assert all(counts)
    assert all(count > 0 for count in counts.values())
    assert all(term.text.strip("=") and term.weight > 0 for term in question_terms(text))


@given(anything)
def test_stems_and_identifiers_are_terms_of_the_memory(text):
    terms = document_terms(text).keys()
    assert set(stem_words(text)) <= terms
    assert {f"={form}" for form in identifiers(text)} <= terms


@given(anything)
def test_same_text_gives_the_same_terms(text):
    assert list(document_terms(text).items()) == list(document_terms(text).items())
    assert question_terms(text) == question_terms(text)


@given(st.lists(word, max_size=8))
def test_case_of_plain_words_changes_no_stem(words):
    text = " ".join(words)
    assert stem_words(text) == stem_words(text.upper()) == stem_words(text.title())


@given(st.text(alphabet="aeouéèüöñç ", max_size=30))
def test_composed_and_decomposed_accents_are_one(text):
    assert document_terms(normalize("NFD", text)) == document_terms(normalize("NFC", text))


@given(identifier)
def test_case_of_a_compound_changes_nothing(name):
    assert identifiers(name) == identifiers(name.upper())


@given(identifier, st.lists(word, max_size=5), st.lists(word, max_size=5))
def test_identifier_is_found_whatever_stands_around_it(name, before, after):
    memory = " ".join([*before, name, *after])
    asked = {term.text for term in question_terms(name)}
    assert asked <= document_terms(memory).keys() or not any(t.startswith("=") for t in asked)


@given(anything)
def test_term_key_fits_a_signed_bigint(text):
    assert -(2**63) <= term_key(text) < 2**63


@given(anything)
def test_normal_form_is_idempotent(text):
    once = normal_form(text)
    assert normal_form(once) == once


@given(anything, st.lists(anything, max_size=3))
def test_entities_are_distinct_normal_forms(text, speakers):
    found = extract_entities(text, speakers)
    assert len(set(found)) == len(found)
    assert all(name and normal_form(name) == name for name in found)
