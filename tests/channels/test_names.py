"""Names found by a spaCy pipeline, and what is said when it or spaCy is not there."""

import sys
from pathlib import Path

import pytest

from channels.errors import ConfigError
from channels.names import SpacyNames, name_finder

PATTERNS = [
    {"label": "PERSON", "pattern": "aoife"},
    {"label": "PERSON", "pattern": "Zoë Ann"},
    {"label": "ORG", "pattern": [{"LOWER": "blue"}, {"LOWER": "harbour"}]},
    {"label": "DATE", "pattern": "yesterday"},
]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline of a few patterns, saved as trained ones are."""
    spacy = pytest.importorskip("spacy", reason="the extra fivefold[spacy] is not installed")
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(PATTERNS)
    folder: Path = tmp_path_factory.mktemp("pipeline") / "names"
    nlp.to_disk(folder)
    return folder


def test_names_come_with_their_kinds_and_times_are_none(pipeline: Path) -> None:
    found = SpacyNames(str(pipeline)).find("yesterday aoife left Blue Harbour with Zoë Ann")
    assert found == {"aoife": "person", "Blue Harbour": "org", "Zoë Ann": "person"}


@pytest.mark.parametrize("text", ["", " ", "\ud800 aoife", "a" * 100_000, "\x00"])
def test_any_text_is_read(pipeline: Path, text: str) -> None:
    assert set(SpacyNames(str(pipeline)).find(text)) <= {"aoife"}


@pytest.mark.parametrize("name", ["en_no_such_pipeline", "/no/such/folder"])
def test_missing_pipeline_is_named_with_what_to_install(pipeline: Path, name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        name_finder(name)
    assert refused.value.setting == "FIVEFOLD_ENTITY_MODEL"
    assert name in refused.value.reason
    assert "install" in refused.value.reason


def test_folder_that_is_no_pipeline_is_named_too(pipeline: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        name_finder(str(tmp_path))
    assert str(tmp_path) in refused.value.reason


def test_missing_spacy_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ConfigError) as refused:
        name_finder("en_core_web_sm")
    assert "pip install 'fivefold[spacy]'" in refused.value.reason


def test_without_a_pipeline_spacy_is_not_even_imported() -> None:
    assert name_finder(None) is None
