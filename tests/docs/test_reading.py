"""docs/reading.md says what the code reads."""

from bench import reading_page
from tests.docs.snippets import ROOT

TEXT = (ROOT / "docs" / "reading.md").read_text("utf-8")


def test_page_is_as_its_script_writes_it() -> None:
    assert reading_page.page() == TEXT, "run `python -m bench.reading_page`"


def test_page_shows_ten_questions_of_several_languages() -> None:
    assert len(reading_page.QUESTIONS) == 10
    assert sum(not question.isascii() for question in reading_page.QUESTIONS) >= 3
    for question in reading_page.QUESTIONS:
        assert question in TEXT
