"""Fit the projection of token vectors: `python -m bench.fit_tokens [MODEL]`.

Texts: the sample dialogues and our own questions, both part of the project. The projection is the
leading eigenvectors of the token vectors' uncentred second moment, which loses least of their dot
products. Writes channels/model/tokens-<model>.npz and prints the share of energy kept.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from channels.embedder import PACKAGED, load_model
from channels.tokens import DIM, VERSION

ROOT = Path(__file__).parent.parent
SOURCES = (
    ROOT / "router" / "sample" / "memorybank" / "memories.jsonl",
    ROOT / "bench" / "data" / "questions.jsonl",
)
BATCH = 64


def second_moment(model_name: str, texts: list[str]) -> tuple[NDArray[np.float64], int]:
    """Sum of outer products of the unit token vectors, shape (dim, dim), and how many there are."""
    model = load_model(model_name)
    total: NDArray[np.float64] | None = None
    count = 0
    for start in range(0, len(texts), BATCH):
        for one in model.encode(texts[start : start + BATCH], output_value=None):
            rows = one["token_embeddings"][: int(one["attention_mask"].sum())].numpy()
            rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            outer = rows.T.astype(np.float64) @ rows
            total = outer if total is None else total + outer
            count += len(rows)
    assert total is not None, "no texts"  # noqa: S101
    return total, count


def main() -> None:
    """Fit, write, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default=PACKAGED)
    name = parser.parse_args().model
    texts = [
        json.loads(line)["text"]
        for source in SOURCES
        for line in source.read_text("utf-8").splitlines()
    ]
    moment, count = second_moment(name, texts)
    values, vectors = np.linalg.eigh(moment)
    kept = vectors[:, ::-1][:, :DIM]
    signs = np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(DIM)])  # the same on every machine
    target = ROOT / "channels" / "model" / f"tokens-{name}.npz"
    np.savez(target, version=np.array(VERSION), projection=(kept * signs).astype(np.float16))
    share = values[::-1][:DIM].sum() / values.sum()
    print(f"{count} tokens of {len(texts)} texts; {share:.3f} of their energy kept; {target.name}")


if __name__ == "__main__":
    main()
