"""Numbers and text of the query-type classifier's model card."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bench.types_data import ROWS, SHARES, Example
from router.understand.surface import FEATURES
from router.understand.types import TYPES, VERSION

BINS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """Predictions beside their examples."""

    examples: Sequence[Example]
    top: NDArray[np.float64]  # probability of the predicted type
    predicted: tuple[str, ...]
    strict: NDArray[np.bool_]  # the main type was predicted
    lenient: NDArray[np.bool_]  # the main type or one in `also`

    def where(self, keep: Callable[[Example], bool]) -> NDArray[np.bool_]:
        """Rows whose example satisfies the condition."""
        return np.array([keep(example) for example in self.examples], dtype=bool)


Report = tuple[str, float, Judged, Judged]  # head, temperature, held-out own and public, unseen set


def judge(examples: Sequence[Example], shares: NDArray[np.float64]) -> Judged:
    """Right or wrong per row, for probabilities of shape (n, n_types)."""
    predicted = tuple(TYPES[place] for place in shares.argmax(axis=1))
    pairs = list(zip(examples, predicted, strict=True))
    return Judged(
        examples,
        shares.max(axis=1),
        predicted,
        np.array([kind == example.type for example, kind in pairs]),
        np.array([kind in (example.type, *example.also) for example, kind in pairs]),
    )


def calibration_error(top: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error over ten equal bins of the top probability, in [0, 1].

    Guo et al., ICML 2017.
    """
    place = np.minimum((top * BINS).astype(int), BINS - 1)
    gaps = [
        float((place == b).mean()) * abs(float(top[place == b].mean() - right[place == b].mean()))
        for b in range(BINS)
        if (place == b).any()
    ]
    return float(np.sum(gaps))


def _is(field: str, value: str, row: Example) -> bool:
    return bool(getattr(row, field) == value)


def _line(name: str, judged: Judged, rows: NDArray[np.bool_]) -> str:
    top, strict, lenient = judged.top[rows], judged.strict[rows], judged.lenient[rows]
    return (
        f"| {name} | {int(rows.sum())} | {strict.mean():.3f} | {lenient.mean():.3f} | "
        f"{calibration_error(top, strict):.3f} | {calibration_error(top, lenient):.3f} |"
    )


def _table(judged: Judged, groups: dict[str, NDArray[np.bool_]]) -> str:
    head = "| rows | n | main type | with `also` | ECE, main type | ECE, with `also` |"
    lines = [_line(name, judged, rows) for name, rows in groups.items() if rows.any()]
    return "\n".join([head, "|---|---|---|---|---|---|", *lines])


def _groups(judged: Judged) -> dict[str, NDArray[np.bool_]]:
    types = {f"type {kind}": judged.where(partial(_is, "type", kind)) for kind in TYPES}
    names = sorted({row.source for row in judged.examples})
    by = {name: judged.where(partial(_is, "source", name)) for name in names}
    return types | by


def _unseen_table(judged: Judged) -> str:
    groups = {"all": judged.where(lambda _: True)}
    groups["without high doubt"] = judged.where(lambda row: row.doubt != "high")
    return _table(judged, groups | _groups(judged))


def _confusion(judged: Judged, rows: NDArray[np.bool_]) -> str:
    pairs = Counter(
        (example.type, kind)
        for example, kind, used in zip(judged.examples, judged.predicted, rows, strict=True)
        if used
    )
    body = [f"| {row} | {' | '.join(str(pairs[row, kind]) for kind in TYPES)} |" for row in TYPES]
    head = f"| main type ↓ predicted → | {' | '.join(TYPES)} |"
    return "\n".join([head, "|---" * (len(TYPES) + 1) + "|", *body])


def _section(report: Report) -> str:
    head, divisor, held_out, unseen = report
    own = held_out.where(lambda row: row.source == "own")
    english = held_out.where(lambda row: row.source == "own" and row.lang == "en")
    terse = held_out.where(lambda row: row.theme.startswith("keyword"))
    groups = {"own, all": own, "own, English": english, "own, other languages": own & ~english}
    groups |= {"own, key words": terse, "own, English sentences": english & ~terse}
    for kind in TYPES:
        groups[f"own, {kind}"] = own & held_out.where(partial(_is, "type", kind))
    for source in ROWS:
        groups[source] = held_out.where(partial(_is, "source", source))
    return f"""## Head `{head}` (temperature {divisor:.2f})

Held out: own questions by whole themes, public sets by whole sets.

{_table(held_out, groups)}

{_confusion(held_out, own)}

Evaluation set, never trained on:

{_unseen_table(unseen)}

{_confusion(unseen, unseen.where(lambda _: True))}
"""


def card(reports: Sequence[Report], *, own: Sequence[Example], public: Sequence[Example]) -> str:
    """Write the model card in Markdown."""
    drawn = Counter(example.source for example in public)
    sources = "\n".join(f"| {name} | {drawn[name]} | {SHARES[name]:.2f} |" for name in ROWS)
    sections = "\n".join(_section(report) for report in reports)
    return f"""# Model card: query types, version {VERSION}

Made by `python -m bench.train_types`; do not edit. Gives calibrated probabilities over
{", ".join(TYPES)} for a question put to a memory. Multinomial logistic regression over the
question's MiniLM vector and {len(FEATURES)} named surface features (head `full`), and over the
surface features alone (head `surface`: other embedders, or no vector). Temperatures are fitted on
held-out themes and held-out sets, half the weight each, and folded into the weights.

It is meant for blending the weights of lanes, where a mistake is mild; it is not meant to judge
people. `emotional` says that a text is about feelings, not that its writer is unwell. English is
best covered; German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese and Korean
have few examples, Dutch and Polish a handful, and the embedding knows them poorly.

## Training data

{len(own)} own questions (`bench/data/README.md`), total weight 1, and draws from public sets. Rows
whose text also stands in the evaluation set are left out.

| set | rows | total weight |
|---|---|---|
{sources}

ECE: expected calibration error, ten bins of the top probability. "With `also`": a prediction of a
second type that the row allows counts as right. The evaluation set was read as totals by type and
source only; two rounds of writing own questions followed such a reading (`bench/data/README.md`).
Temperature, penalty, scale and features were chosen without it, on held-out themes. Held-out own
questions are a mix: a quarter of them are in key words or in other languages, which are harder.

{sections}"""
