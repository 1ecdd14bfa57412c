"""What the keyword lane stores never drifts from the memories, whatever is done to them."""

import random
from collections import Counter
from datetime import datetime, timedelta

import pytest

from channels.analyser import stem_words, term_key
from channels.postings import (
    CONTEXT,
    NEXT,
    PREVIOUS,
    TITLE,
    Document,
    date_in_words,
    impact,
    weighted_terms,
)
from router.forget import forget_memory
from router.store.banks import BankConfig
from tests.channels.world import NOW

DRIFT = {
    "term_stats": """
select term, coalesce(t.df, 0), coalesce(t.own_df, 0), coalesce(p.df, 0), coalesce(p.own_df, 0)
from (select * from term_stats where bank_id = %(bank)s) t
full join (select term, count(*) as df, count(*) filter (where own) as own_df from postings
           where bank_id = %(bank)s group by term) p using (term)
where (coalesce(t.df, 0), coalesce(t.own_df, 0)) <> (coalesce(p.df, 0), coalesce(p.own_df, 0))
""",
    "bank_stats": """
select s.docs, s.length, p.docs, p.length, s.live, m.live
from bank_stats s,
  (select count(*) as docs, coalesce(sum(length::float8), 0) as length
   from (select distinct key, length from postings where bank_id = %(bank)s) k) p,
  (select count(*) as live from memories where bank_id = %(bank)s and expired_at is null) m
where s.bank_id = %(bank)s and (s.docs, s.length, s.live) <> (p.docs, p.length, m.live)
""",
    "entities": """
select entity, coalesce(e.df, 0), coalesce(m.df, 0)
from (select * from entities where bank_id = %(bank)s) e
full join (select entity, count(*) as df from memory_entities where bank_id = %(bank)s
           group by entity) m using (entity)
where coalesce(e.df, 0) <> coalesce(m.df, 0)
""",
    "episodes": """
select episode, e.members, m.members
from (select * from episodes where bank_id = %(bank)s) e
full join (select episode, count(*) as members from memories
           where bank_id = %(bank)s and episode is not null and embedding is not null
           group by episode) m using (episode)
where e.members is distinct from m.members
""",
}
MEMORIES = """
select key, id, text, speaker, episode, position, happened from memories where bank_id = %(bank)s
order by episode, happened, position, key
"""
POSTINGS = "select key, term, tf::float8, own from postings where bank_id = %(bank)s"
NAMES = ["Rhea", "Ida", "Tomas", "acme_q3", "Harbour"]
WORDS = ["bak", "dem", "fin", "gop", "lut", "mak", "nip", "pon", "rat", "sok", "tum"]


def expected_postings(world, bank) -> dict[tuple[int, int], float]:
    """Postings as a bank that was written in one go would have them: (key, term) -> tf."""
    rows = world.rows(bank, MEMORIES)
    found: dict[tuple[int, int], float] = {}
    for place, (key, _, text, speaker, episode, _, happened) in enumerate(rows):
        before = rows[place - 1] if place and episode and rows[place - 1][4] == episode else None
        after = rows[place + 1] if place + 1 < len(rows) else None
        after = after if after and episode and after[4] == episode else None
        document = Document(
            key,
            text,
            None,
            None,
            (),
            speaker,
            happened,
            before[2] if before else None,
            after[2] if after else None,
        )
        for word, tf in weighted_terms(document).items():
            found[key, term_key(word)] = float(tf)
    return found


def assert_no_drift(world, bank) -> None:
    for table, statement in DRIFT.items():
        assert world.rows(bank, statement) == [], table
    stored = {(key, term): tf for key, term, tf, _ in world.rows(bank, POSTINGS)}
    assert stored == pytest.approx(expected_postings(world, bank), rel=1e-6)


class Writer:
    """Does random things to a bank, the same ones for the same seed."""

    def __init__(self, world, bank, seed: int) -> None:
        self.world, self.bank = world, bank
        self.rng = random.Random(seed)  # noqa: S311 - a fixed sequence, no secret
        self.held: dict[str, dict] = {}
        self.made = 0

    def step(self) -> None:
        kinds = ["add", "add", "replace", "replace", "delete", "again", "supersede"]
        kind = self.rng.choice(kinds) if self.held else "add"
        getattr(self, kind)()

    def add(self) -> None:
        self._store(*(self._item(self._name()) for _ in range(self.rng.randint(1, 3))))

    def replace(self) -> None:
        old = self.rng.choice(list(self.held.values()))
        places = ("episode", "position", "occurred_at") if self.rng.random() < 0.5 else ()
        self._store(self._item(old["id"]) | {name: old[name] for name in places})

    def again(self) -> None:
        self._store(self.rng.choice(list(self.held.values())))

    def supersede(self) -> None:
        old = self.rng.choice(list(self.held))
        self._store(self._item(self._name()) | {"supersedes": [old]})

    def delete(self) -> None:
        name = self.rng.choice(list(self.held))
        del self.held[name]
        self.world.run(forget_memory(self.world.transaction, self.bank, name))

    def _store(self, *items: dict) -> None:
        self.bank = self.world.retain(self.bank, *items)
        for item in items:
            self.held[item["id"]] = {k: v for k, v in item.items() if k != "supersedes"}

    def _name(self) -> str:
        self.made += 1
        return f"m{self.made}"

    def _item(self, name: str) -> dict:
        rng = self.rng
        text = " ".join(
            rng.choices(WORDS, k=rng.randint(1, 6)) + rng.sample(NAMES, rng.randint(0, 2))
        )
        return {
            "id": name,
            "text": text,
            "episode": rng.choice([None, "one", "two"]),
            "position": rng.randint(0, 9),
            "occurred_at": (NOW + timedelta(minutes=rng.randint(0, 4))).isoformat(),
            "speaker": rng.choice([None, "Ida", "Tom"]),
        }


def test_statistics_equal_a_recount_after_sixty_random_writes(world):
    writer = Writer(world, world.bank(), seed=1)
    for step in range(60):
        writer.step()
        if step % 12 == 11:
            assert_no_drift(world, writer.bank)


def test_the_statistics_of_an_emptied_bank_are_zero(world):
    writer = Writer(world, world.bank(), 3)
    for _ in range(8):
        writer.add()
    while writer.held:
        writer.delete()
    bank = writer.bank
    assert_no_drift(world, bank)
    rows = world.rows(bank, "select docs, length, live from bank_stats where bank_id = %(bank)s")
    assert rows == [(0, 0.0, 0)]
    left = "select count(*) from term_stats where bank_id = %(bank)s and (df <> 0 or own_df <> 0)"
    assert world.rows(bank, left) == [(0,)]


def tf_of(world, bank, word: str) -> dict[str, float]:
    """Id -> weighted count of a word."""
    ids = world.ids(bank)
    rows = world.rows(
        bank,
        "select key, tf::float8 from postings where bank_id = %(bank)s and term = %(term)s",
        term=term_key(word),
    )
    return {ids[key]: pytest.approx(tf, rel=1e-6) for key, tf in rows}


def turn(name: str, position: int, text: str | None = None) -> dict:
    return {"id": name, "text": text or name, "episode": "e", "position": position}


@pytest.fixture
def talk(world):
    """Three turns of one word each: bak, dem, fin."""
    return world.bank(turn("bak", 10), turn("dem", 20), turn("fin", 30))


def test_a_turns_word_counts_three_tenths_in_the_next_turn_and_two_in_the_one_before(world, talk):
    assert (PREVIOUS, NEXT) == (0.3, 0.2)
    assert tf_of(world, talk, "dem") == {"bak": 0.2, "dem": 1.0, "fin": 0.3}
    assert tf_of(world, talk, "bak") == {"bak": 1.0, "dem": 0.3}


def test_a_word_heard_from_beside_is_not_the_memorys_own(world, talk):
    rows = world.rows(talk, "select own from postings where bank_id = %(bank)s and tf < 1")
    assert len(rows) == 4
    assert not any(own for (own,) in rows)
    assert world.rows(
        talk,
        "select df, own_df from term_stats where bank_id = %(bank)s and term = %(term)s",
        term=term_key("dem"),
    ) == [(3, 1)]


def test_a_turn_put_between_two_takes_their_place_beside_each_other(world, talk):
    bank = world.retain(talk, turn("gop", 15))
    assert tf_of(world, bank, "dem") == {"gop": 0.2, "dem": 1.0, "fin": 0.3}
    assert tf_of(world, bank, "bak") == {"bak": 1.0, "gop": 0.3}
    assert tf_of(world, bank, "gop") == {"bak": 0.2, "gop": 1.0, "dem": 0.3}


def test_a_turn_that_says_something_else_now_is_heard_anew_by_its_neighbours(world, talk):
    bank = world.retain(talk, turn("dem", 20, "gop"))
    assert tf_of(world, bank, "dem") == {}
    assert tf_of(world, bank, "gop") == {"bak": 0.2, "dem": 1.0, "fin": 0.3}


def test_a_forgotten_turn_is_heard_no_more_and_its_neighbours_hear_each_other(world, talk):
    world.run(forget_memory(world.transaction, talk, "dem"))
    assert tf_of(world, talk, "dem") == {}
    assert tf_of(world, talk, "bak") == {"bak": 1.0, "fin": 0.3}
    assert tf_of(world, talk, "fin") == {"fin": 1.0, "bak": 0.2}


def test_a_turn_that_moves_away_is_heard_where_it_went(world, talk):
    bank = world.retain(talk, turn("dem", 40))
    assert tf_of(world, bank, "dem") == {"fin": 0.2, "dem": 1.0}
    assert tf_of(world, bank, "bak") == {"bak": 1.0, "fin": 0.3}
    bank = world.retain(talk, turn("dem", 40) | {"episode": "elsewhere"})
    assert tf_of(world, bank, "dem") == {"dem": 1.0}


def test_turns_of_other_episodes_are_not_heard(world, talk):
    bank = world.retain(talk, {"id": "far", "text": "rat", "episode": "f", "position": 21})
    assert tf_of(world, bank, "rat") == {"far": 1.0}


def test_fields_and_neighbours_weigh_as_written_down():
    document = Document(1, "bak bak dem", "dem", None, ("fin",), "Tom", None, "bak gop", "lut")
    terms = weighted_terms(document)
    assert terms["^dem"] == 1
    words = {word: terms[word] for word in ("bak", "dem", "fin", "tom", "gop", "lut")}
    assert words == pytest.approx(
        {"bak": 2 + 0.3, "dem": 1 + TITLE, "fin": 1, "tom": 1, "gop": 0.3, "lut": 0.2}
    )


def test_impact_orders_as_bm25_does_for_one_word():
    counted = Counter(
        {(tf, length): impact(tf, length, 10.0) for tf in (1, 2, 5) for length in (4, 40)}
    )
    assert impact(1.0, 10.0, 10.0) == pytest.approx(1.0)
    assert counted[5, 4] > counted[2, 4] > counted[1, 4] > counted[1, 40]


@pytest.mark.parametrize(
    ("granularity", "words"),
    [
        (None, "1 June 2024"),
        ("day", "1 June 2024"),
        ("week", "June 2024"),
        ("month", "June 2024"),
        ("quarter", "2024"),
        ("year", "2024"),
        ("decade", ""),
    ],
)
def test_the_date_in_words_is_no_finer_than_known(granularity, words):
    assert date_in_words(datetime(2024, 6, 1), granularity) == words


def test_a_date_is_put_into_words_in_the_banks_zone(world):
    config = BankConfig(timezone="America/New_York")
    items = [
        {"id": "second", "text": "standup", "occurred_at": "2024-06-02T22:00:00-04:00"},
        {"id": "third", "text": "standup", "occurred_at": "2024-06-03T22:00:00-04:00"},
        {"id": "talk", "text": "standup", "occurred_at": "2024-06-04T22:00:00-04:00",
         "episode": "e", "position": 1},
    ]  # fmt: skip
    bank = world.bank(*items, config=config)
    for day, name in ((2, "second"), (3, "third"), (4, "talk")):
        assert world.found("keyword", bank, f"standup on {day} June 2024")[0] == name
    assert [set(tf_of(world, bank, day)) for day in "234"] == [{"second"}, {"third"}, {"talk"}]
    assert tf_of(world, bank, "5") == {}


def test_a_moment_at_the_edge_of_the_calendar_keeps_its_own_date(world):
    bank = world.bank(
        {"id": "a", "text": "late", "occurred_at": "9999-12-31T23:30:00Z"},
        config=BankConfig(timezone="Asia/Tokyo"),
    )
    assert world.found("keyword", bank, "late") == ["a"]


def test_the_context_is_indexed_beside_the_text_at_less(world):
    bank = world.bank(
        {"id": "a", "text": "we are done", "context": "quarterly billing migration"},
        {"id": "b", "text": "quarterly migration of swallows"},
        {"id": "c", "text": "nothing else"},
    )
    assert world.found("keyword", bank, "quarterly migration") == ["b", "a"]
    assert tf_of(world, bank, *stem_words("billing")) == {"a": CONTEXT}
    assert tf_of(world, bank, *stem_words("migration")) == {"a": CONTEXT, "b": 1.0}
