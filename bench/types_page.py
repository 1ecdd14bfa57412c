"""Write docs/types-read.md, the types of ten questions: `python -m bench.types_page`."""

from pathlib import Path

import numpy as np

from bench.reading_page import QUESTIONS
from bench.train_types import embed
from channels.embedder import PACKAGED
from router.understand.typed import Typed
from router.understand.types import TypeClassifier

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "types-read.md"
SHOWN = 0.01  # shares below it are left out
HEAD = """# How the types of ten questions are told

Made by `python -m bench.types_page`; do not edit. The questions of [reading](reading.md), with what
the trace of a recall says of their types (`trace.question.types`). *Because*: what gave the
likeliest type its lead over the second, in log odds; negative numbers spoke for the second.
`vector` is the embedding as a whole, the other names are features of the words
(`router/understand/surface.py`).

| question | types | because |
|---|---|---|
"""


def line(text: str, typed: Typed) -> str:
    """One question as a row of the table."""
    ranked = sorted(typed.shares.items(), key=lambda one: -one[1])
    told = [f"{kind} {share:.2f}" for kind, share in ranked if share >= SHOWN]
    because = [f"`{name}` {value:+.2f}" for name, value in typed.because.items()]
    return f"| {text} | {', '.join(told)} | {', '.join(because)} |"


def main() -> None:
    """Tell the questions' types, write the page, print it."""
    classifier = TypeClassifier.load()
    vectors = embed(QUESTIONS, ROOT / "bench" / "out").astype(np.float32)
    lines = [
        line(text, classifier.read(text, vector, PACKAGED))
        for text, vector in zip(QUESTIONS, vectors, strict=True)
    ]
    page = HEAD + "\n".join(lines) + "\n"
    PAGE.write_text(page, "utf-8")
    print(page)


if __name__ == "__main__":
    main()
