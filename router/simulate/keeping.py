"""Asked cases on disk, so that another run of the bed need not ask the lanes again."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from router.evaluate.dataset import Dataset
from router.simulate.cases import Case


def place_of(folder: Path, dataset: Dataset, profile: str, embedder: str) -> Path:
    """Where the cases of these memories, questions and model lie.

    The lanes' own code is not in the name: delete the folder when they changed.
    """
    digest = hashlib.sha256(embedder.encode())
    for bank, memories in dataset.memories.items():
        digest.update(repr((bank, memories)).encode())
    for query in dataset.queries:
        told = (query.id, query.bank, query.text, query.asked_at, sorted(query.relevant))
        digest.update(repr(told).encode())
    return folder / f"{dataset.name}-{profile}-{digest.hexdigest()[:12]}.npz"


def keep(path: Path, cases: Sequence[Case]) -> None:
    """Write the cases, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torn = path.with_suffix(".part.npz")
    np.savez_compressed(
        torn,
        banks=np.array([case.bank for case in cases]),
        questions=np.array([case.question for case in cases], np.int64),
        types=np.array([case.types for case in cases]),
        sizes=np.array([len(case.ranks) for case in cases], np.int64),
        ranks=np.concatenate([case.ranks for case in cases]),
        relevant=np.concatenate([case.relevant for case in cases]),
        wanted=np.array([case.wanted for case in cases], np.int64),
    )
    torn.rename(path)


def kept(path: Path) -> list[Case]:
    """Back from `keep`."""
    with np.load(path, allow_pickle=False) as file:
        parts = {name: file[name] for name in file.files}
    ends = np.cumsum(parts["sizes"])[:-1]
    ranks, relevant = np.split(parts["ranks"], ends), np.split(parts["relevant"], ends)
    return [
        Case(
            str(parts["banks"][at]),
            int(parts["questions"][at]),
            parts["types"][at],
            ranks[at],
            relevant[at],
            int(parts["wanted"][at]),
        )
        for at in range(len(ranks))
    ]
