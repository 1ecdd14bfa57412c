"""Nearest neighbours of fresh memories: the matrix finds what the statement finds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from channels import similar
from channels.similar import MATRIX_FROM, block_nearest, nearest_of


def test_matrix_and_statement_find_the_same_neighbours(world, monkeypatch):
    words = ["zeppelin", "balloon", "harbour", "bread", "violin"]
    texts = [f"{words[n % 5]} {words[n % 3]} {words[n % 2]}" for n in range(3 * MATRIX_FROM)]
    bank = world.bank(*({"id": f"m{n}", "text": text} for n, text in enumerate(texts)))
    keys = [row[0] for row in world.rows(bank, "select key from memories where bank_id = %(bank)s")]

    async def found(most: int, block: int) -> list[tuple[int, int, float]]:
        monkeypatch.setattr(similar, "MATRIX_FROM", most)
        monkeypatch.setattr(similar, "BLOCK", block)
        async with world.transaction(bank.key) as conn:
            return await nearest_of(conn, bank.key, keys, bank.embedder, limit=4, least=0.1)

    def rounded(rows: list[tuple[int, int, float]]) -> dict[int, list[float]]:
        best: dict[int, list[float]] = {}
        for source, _, cosine in sorted(rows, key=lambda row: (row[0], -row[2])):
            best.setdefault(source, []).append(round(cosine, 3))
        return best

    by_statement = world.run(found(1_000, 10))
    assert len(by_statement) > len(keys)
    assert rounded(world.run(found(1, 1_000))) == rounded(by_statement)
    assert world.run(found(1, 7)) == world.run(found(1, 1_000))


@given(st.integers(1, 6), st.integers(1, 12), st.integers(1, 5), st.integers(0, 1_000))
def test_a_block_keeps_at_least_the_nearest_and_never_the_memory_itself(fresh, rows, limit, seed):
    rng = np.random.default_rng(seed)
    block = rng.standard_normal((rows, 3)).astype(np.float32)
    block /= np.linalg.norm(block, axis=1, keepdims=True)
    keys = np.arange(rows, dtype=np.int64)
    picked = keys[: min(fresh, rows)]
    found = block_nearest(picked, block[picked], keys, block, limit=limit, least=0.0)
    for key in picked:
        cosines = {other: float(block[key] @ block[other]) for other in keys if other != key}
        best = sorted((c for c in cosines.values() if c >= 1e-5), reverse=True)[:limit]
        mine = sorted((c for source, _, c in found if source == key), reverse=True)
        assert all(source != other for source, other, _ in found)
        np.testing.assert_allclose(mine[: len(best)], best, atol=1e-5)
