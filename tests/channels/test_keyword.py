"""The keyword lane: BM25 as in the books, over words, identifiers and what the turns beside say."""

import math
import random
from collections import Counter

import pytest

from channels import keyword
from channels.analyser import document_terms, question_terms
from channels.base import Filters
from channels.keyword import B_LONG, B_SHORT, K1
from tests.channels.world import NOW

# Word i is said about 1/i as often as the first, as in real text.
WORDS = [
    f"{onset}{vowel}{coda}" for onset in "bdfgklmnprst" for vowel in "aeiou" for coda in "kmnpt"
]
TEXTS = 300
ASKED = [
    " ".join(WORDS[place] for place in places)
    for places in ((0, 1), (0, 3, 180), (20, 90), (0, 5, 17, 60, 120, 200), (250,), (2, 2, 40))
]


def said(rng: random.Random, words: int) -> str:
    shares = [1 / (place + 1) for place in range(len(WORDS))]
    return " ".join(rng.choices(WORDS, shares, k=words))


@pytest.fixture(scope="module")
def spoken():
    """id -> text, lengths from 3 to 40 words."""
    rng = random.Random(7)  # noqa: S311 - a fixed sequence, no secret
    return {f"m{number:03}": said(rng, rng.randint(3, 40)) for number in range(TEXTS)}


@pytest.fixture(scope="module")
def bank(world, spoken):
    return world.bank(*({"id": name, "text": text} for name, text in spoken.items()))


def exhaustive(texts: dict[str, str], asked: str) -> dict[str, float]:
    """BM25 of every text, straight from the formula (Robertson & Zaragoza 2009, Lucene's idf)."""
    counts = {name: document_terms(text) for name, text in texts.items()}
    lengths = {name: sum(found.values()) for name, found in counts.items()}
    mean = sum(lengths.values()) / len(lengths)
    df = Counter(term for found in counts.values() for term in found)
    scores: dict[str, float] = {}
    for term in question_terms(asked):
        idf = math.log(1 + (len(texts) - df[term.text] + 0.5) / (df[term.text] + 0.5))
        for name, found in counts.items():
            if tf := found.get(term.text, 0):
                norm = 1 - B_SHORT + B_SHORT * lengths[name] / mean
                score = term.weight * idf * tf * (K1 + 1) / (tf + K1 * norm)
                scores[name] = scores.get(name, 0) + score
    return scores


def head(scores: dict[str, float], size: int) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))[:size]


@pytest.mark.parametrize("asked", ASKED)
def test_scores_and_order_are_those_of_exhaustive_bm25(world, bank, spoken, asked):
    expected = exhaustive(spoken, asked)
    ids = world.ids(bank)
    hits = world.ask("keyword", bank, asked, depth=200)
    assert len(hits) == min(200, len(expected))
    for hit in hits:
        assert hit.score == pytest.approx(expected[ids[hit.key]], abs=1e-4)
    best = sorted(expected.values(), reverse=True)[: len(hits)]
    assert [hit.score for hit in hits] == pytest.approx(best, abs=1e-4)


def test_two_texts_are_scored_as_by_hand(world):
    # N 2, df 1, idf ln(1 + 1.5/1.5) = .6931; lengths 2 and 4, mean 3; tf 1 in a text of length 2:
    # 1.9 / (1 + .9 * (.7 + .3 * 2/3)) = 1.9 / 1.81 = 1.04972
    bank = world.bank({"id": "a", "text": "bak dem"}, {"id": "b", "text": "fin gop lut mak"})
    stored = sorted(
        row[0]
        for row in world.rows(bank, "select distinct length from postings where bank_id = %(bank)s")
    )
    joined = [2.25, 4.75]  # each pair of neighbours is kept as one word too, at a quarter
    assert stored == joined
    hits = world.ask("keyword", bank, "bak")
    norm = 0.7 + 0.3 * joined[0] / (sum(joined) / 2)
    assert [hit.score for hit in hits] == pytest.approx([math.log(2) * 1.9 / (1 + 0.9 * norm)])


def test_lists_left_early_give_what_comparing_everything_gives(world, bank, spoken, monkeypatch):
    monkeypatch.setattr("tests.channels.world.LIST", 20)
    monkeypatch.setattr(keyword, "EXHAUSTIVE", 120)
    monkeypatch.setattr(keyword, "READ", 120)
    monkeypatch.setattr(keyword, "HOPEFUL", 60)
    shares = []
    for asked in ASKED:
        everything = exhaustive(spoken, asked)
        expected = sorted(everything.values(), reverse=True)[:20]
        ids = world.ids(bank)
        hits = world.ask("keyword", bank, asked, depth=20)
        assert [hit.score for hit in hits] == pytest.approx(
            [everything[ids[hit.key]] for hit in hits], abs=1e-4
        )
        good = sum(hit.score >= expected[-1] - 1e-4 for hit in hits)
        shares.append(good / len(expected))
    assert sum(shares) / len(shares) >= 0.95


def test_lists_are_left_early_only_when_they_are_long(world, bank, monkeypatch):
    monkeypatch.setattr("tests.channels.world.LIST", 5)
    monkeypatch.setattr(keyword, "EXHAUSTIVE", 120)
    monkeypatch.setattr(keyword, "READ", 120)
    monkeypatch.setattr(keyword, "_whole", not_to_be_called)
    assert len(world.ask("keyword", bank, ASKED[0], depth=5)) == 5
    with pytest.raises(AssertionError):
        world.ask("keyword", bank, WORDS[250], depth=5)


async def not_to_be_called(*_: object) -> None:
    raise AssertionError("reads every posting")


@pytest.mark.parametrize("narrow", [{"speaker": "Ida"}, {"tags": ("calm",)}, {"topic": "home"}])
@pytest.mark.parametrize("read", [10, 1_000])
def test_a_filter_is_answered_from_all_memories_not_from_the_best_ones(
    world, monkeypatch, narrow, read
):
    monkeypatch.setattr(keyword, "EXHAUSTIVE", read)
    monkeypatch.setattr(keyword, "READ", read)
    monkeypatch.setattr(keyword, "FIRST", 5)
    loud = [{"text": "bak bak bak", "speaker": "Tom", "metadata": {"n": n}} for n in range(30)]
    quiet = {"id": "q", "text": "bak dem fin gop lut mak and much else", "speaker": "Ida"}
    bank = world.bank(*loud, {**quiet, "tags": ["calm"], "topic": "home.desk"})
    assert world.found("keyword", bank, "bak", filters=Filters(**narrow)) == ["q"]


def test_replaced_memories_do_not_use_up_the_list(world, monkeypatch):
    monkeypatch.setattr("tests.channels.world.LIST", 2)
    monkeypatch.setattr(keyword, "EXHAUSTIVE", 6)
    monkeypatch.setattr(keyword, "READ", 6)
    monkeypatch.setattr(keyword, "HOPEFUL", 2)
    old = [{"id": f"old{n}", "text": "bak bak bak", "metadata": {"n": n}} for n in range(8)]
    bank = world.bank(*old, {"id": "far", "text": "bak dem fin gop lut mak and much else"})
    new = {"id": "new", "text": "bak dem fin", "supersedes": [item["id"] for item in old]}
    world.retain(bank, new)
    assert world.found("keyword", bank, "bak") == ["new", "far"]


def test_an_exact_title_stands_before_a_title_and_a_title_before_the_text(world):
    said = "we spoke of the harbour lease for an hour"
    bank = world.bank(
        {"id": "text", "text": said},
        {"id": "longer", "title": "Old harbour lease of 1990", "text": "filed for later"},
        {
            "id": "exact",
            "title": "The Harbour Lease",
            "text": "Rhea pays a rent that rises each year",
        },
    )
    assert world.found("keyword", bank, "harbour lease") == ["exact", "longer", "text"]
    assert world.found("keyword", bank, "what is the harbour lease?")[0] == "exact"


def test_a_title_that_many_memories_share_prefers_none_of_them(world):
    chapters = [
        {"id": name, "title": "Harbour lease", "text": text}
        for name, text in (("rent", "the rent of it"), ("roof", "the roof of it"))
    ]
    bank = world.bank(*chapters)
    assert world.found("keyword", bank, "harbour lease roof")[0] == "roof"


def test_words_asked_beside_a_title_are_not_that_title(world):
    bank = world.bank(
        {"id": "named", "title": "Lease", "text": "one"},
        {"id": "said", "text": "the harbour lease, rent of the harbour"},
    )
    assert world.found("keyword", bank, "rent of the harbour lease")[0] == "said"


def test_a_bank_of_long_texts_normalises_length_more(world):
    long = " ".join(WORDS[:90])
    bank = world.bank({"id": "a", "text": long}, {"id": "b", "text": f"{long} {long} zeppelin"})
    row = world.rows(
        bank, "select length from postings where bank_id = %(bank)s group by key, length"
    )
    mean = sum(value[0] for value in row) / 2
    longest = max(value[0] for value in row)
    hit = world.ask("keyword", bank, "zeppelin")[0]
    norm = 1 - B_LONG + B_LONG * longest / mean
    assert hit.score == pytest.approx(math.log(2) * (K1 + 1) / (1 + K1 * norm), abs=1e-5)


def test_a_whole_identifier_beats_its_parts(world):
    bank = world.bank(
        {"id": "whole", "text": "It fails with E_AUTH_404 again"},
        {"id": "parts", "text": "auth auth auth, error e 404 and 404 in auth"},
        {"id": "other", "text": "the user guide by Ida"},
    )
    assert world.found("keyword", bank, "what about E_AUTH_404?") == ["whole", "parts"]
    assert world.found("keyword", bank, "auth")[0] == "parts"


def test_speaker_title_tags_and_date_are_words_too(world):
    bank = world.bank(
        {"id": "speaker", "text": "nothing here", "speaker": "Oluwaseun"},
        {"id": "title", "text": "nothing there", "title": "Quarterly zeppelin"},
        {"id": "tag", "text": "nothing at all", "tags": ["kumquat"]},
        {"id": "date", "text": "nothing much", "occurred_at": "2021-08-17T10:00:00Z"},
    )
    assert world.found("keyword", bank, "Oluwaseun") == ["speaker"]
    assert world.found("keyword", bank, "zeppelin") == ["title"]
    assert world.found("keyword", bank, "kumquat") == ["tag"]
    assert world.found("keyword", bank, "17 August 2021")[0] == "date"


def test_a_turn_is_found_softly_by_the_words_of_the_turns_beside_it(world):
    turns = ["zeppelin", "bak", "dem", "fin"]
    bank = world.bank(
        *(
            {
                "id": text,
                "text": text,
                "episode": "e",
                "position": place,
                "occurred_at": NOW.isoformat(),
            }
            for place, text in enumerate(turns)
        )
    )
    assert world.found("keyword", bank, "zeppelin") == ["zeppelin", "bak"]
    assert world.found("keyword", bank, "dem") == ["dem", "fin", "bak"]  # the turn before counts .3
