"""Whether a bank's counters and sums agree with the rows that they count."""

import numpy as np

from tests.router.world import World

COUNTS = {
    "live rows": (
        "select live from bank_stats where bank_id = %(bank)s",
        "select count(*) from memories where bank_id = %(bank)s and expired_at is null",
    ),
    "memories in the keyword index": (
        "select docs from bank_stats where bank_id = %(bank)s",
        "select count(distinct key) from postings where bank_id = %(bank)s",
    ),
    "words in the keyword index": (
        "select round(length::numeric, 3) from bank_stats where bank_id = %(bank)s",
        "select coalesce(round(sum(length)::numeric, 3), 0) from"
        " (select distinct key, length from postings where bank_id = %(bank)s) p",
    ),
    "document frequencies": (
        "select term, df, own_df from term_stats"
        " where bank_id = %(bank)s and df <> 0 order by term",
        "select term, count(*), count(*) filter (where own) from postings"
        " where bank_id = %(bank)s group by term order by term",
    ),
    "entity frequencies": (
        "select entity, df from entities where bank_id = %(bank)s and df <> 0 order by entity",
        "select entity, count(*) from memory_entities where bank_id = %(bank)s"
        " group by entity order by entity",
    ),
    "members of episodes": (
        "select episode, members from episodes where bank_id = %(bank)s order by episode",
        "select episode, count(*) from memories where bank_id = %(bank)s and episode is not null"
        " and embedding is not null group by episode order by episode",
    ),
    "one counter row a memory": (
        "select key from memory_stats where bank_id = %(bank)s order by key",
        "select key from memories where bank_id = %(bank)s order by key",
    ),
}


def assert_balanced(world: World, bank: str) -> None:
    """Fails naming the first counter that does not agree with its rows."""
    for name, (kept, counted) in COUNTS.items():
        assert world.rows(bank, kept) == world.rows(bank, counted), name
    vectors: dict[str, list[np.ndarray]] = {}
    for episode, vector in world.rows(
        bank,
        "select episode, embedding from memories where bank_id = %(bank)s"
        " and episode is not null and embedding is not null",
    ):
        vectors.setdefault(episode, []).append(vector.to_numpy().astype(np.float32))
    stored = world.rows(bank, "select episode, mean from episodes where bank_id = %(bank)s")
    for episode, mean in stored:
        total = np.sum(vectors[episode], axis=0)
        np.testing.assert_allclose(
            mean.to_numpy().astype(np.float32), total / np.linalg.norm(total), atol=2e-3
        )
