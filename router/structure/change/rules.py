"""All rules tried on a pair of texts, the surest first. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from router.structure.change import abroad, cues
from router.structure.change.cues import Rule
from router.structure.change.decisions import DECIDED, decided
from router.structure.change.text import Sentence, sentences
from router.structure.change.values import changed_value, fact_of, is_own

RULES: Mapping[str, Rule] = {**cues.RULES, "decided": decided, "changed_value": changed_value}
EVERY = (*RULES.items(), *abroad.RULES.items())


@dataclass(frozen=True, slots=True)
class Said:
    """A text and who said it."""

    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Which rule holds that the newer text replaces the older, and on what words."""

    rule: str
    evidence: Mapping[str, str]


def may_change(text: str) -> bool:
    """Whether any rule could fire on the text as the newer one; cheap, before others are read."""
    return any(_announces(one) or fact_of(one.text) for one in sentences(text) if not one.supposes)


def change(older: Said, newer: Said) -> Change | None:
    """The change that the newer text tells of the older, or None."""
    for new in sentences(newer.text):
        if new.supposes:
            continue
        for old in sentences(older.text):
            if old.supposes or not _same_speaker(older, newer, old, new):
                continue
            for name, rule in EVERY:
                if evidence := rule(old, new):
                    return Change(name, evidence)
    return None


def _same_speaker(older: Said, newer: Said, old: Sentence, new: Sentence) -> bool:
    """What speakers say of themselves concerns nobody else."""
    if not (is_own(old) or is_own(new)):
        return True
    return (older.speaker or "").lower() == (newer.speaker or "").lower()


def _announces(sentence: Sentence) -> bool:
    text = sentence.text
    patterns = (cues.FROM_TO, cues.INSTEAD, cues.PASSIVE, cues.ACTIVE, cues.REVERSAL)
    english = any(one.search(text) for one in (*patterns, *cues.NO_LONGER)) or _decides(sentence)
    return english or abroad.announces(text)


def _decides(sentence: Sentence) -> bool:
    return DECIDED.match(sentence.text) is not None
