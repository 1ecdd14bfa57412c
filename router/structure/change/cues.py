"""Changes that a cue announces: from X to Y, instead of X, no longer, reverted. Pure."""

import re
from collections.abc import Callable

from router.structure.change.text import NEGATION, Sentence, share, stems

COVERED = 0.75  # of what a reversal names must stand in the older text: less is another matter
SUBJECT = 0.5  # of the subject
_CHANGES = (
    r"switch\w*|mov(?:e|es|ed|ing)|migrat\w*|chang\w*|went|upgrad\w*|downgrad\w*|transition\w*|"
    r"convert\w*|rais\w*|lower\w*|reduc\w*|increas\w*|renam\w*|resched\w*|postpon\w*|shift\w*"
)
_AFTER = (
    r"(?=\s+(?:for|in|on|at|as|of|to|by|with|last|this|because|since|after|before|and)\b|[,;:(]|$)"
)
FROM_TO = re.compile(
    rf"\b(?:{_CHANGES})\b.*?\bfrom\s+(?P<old>.+?)\s+(?:over\s+|on\s+)?to\s+(?P<new>.+?){_AFTER}",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of)\s+(?:in\s+|on\s+|at\s+|with\s+|by\s+)?"
    rf"(?P<old>.+?){_AFTER}",
    re.IGNORECASE,
)
PASSIVE = re.compile(
    r"^(?P<old>.+?)\s+(?:is|are|was|were|has been|have been|got|gets)\s+(?:now\s+)?"
    r"(?:replaced|superseded)\s+(?:by|with)\s+(?P<new>.+)$",
    re.IGNORECASE,
)
ACTIVE = re.compile(
    rf"^(?P<new>.+?)\s+(?:has\s+|have\s+)?(?:replac|supersed)(?:es?|ed)\s+(?P<old>.+?){_AFTER}",
    re.IGNORECASE,
)
NO_LONGER = (
    re.compile(r"^(?P<who>.*?)\bno longer\b(?P<what>.+)$", re.IGNORECASE),
    re.compile(
        r"^(?P<who>.*?)(?:\b(?:do|does|is|are|was|were|can|will|has|have)(?:n't| not)|\bnot)\b"
        r"(?P<what>.+?)\bany ?(?:more|longer)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<who>.*?)\b(?:stopped|quit|ceased|gave up)\s+(?P<what>\w+ing\b.*)$", re.IGNORECASE
    ),
)
REVERSAL = re.compile(
    r"\b(?:revert\w*|roll(?:ed|ing)? back|undid|undone|called off|cancel\w*|scrapp\w*|overturn\w*|"
    r"withdr[ae]wn?|abandon\w*|backed out of|taken back|took back)\b",
    re.IGNORECASE,
)
_GONE = re.compile(r"\b(?:no longer|any ?more|stopped|quit|never)\b|n't\b|\bnot\b", re.IGNORECASE)
_USED = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|runs? on|rel(?:y|ies) on|hosted on|based on|deployed)\b", re.I
)
_REVERSAL_WORDS = stems("reverted rolled called off cancelled scrapped overturned withdrawn undone")

Fired = dict[str, str] | None
Rule = Callable[[Sentence, Sentence], Fired]


def from_to(older: Sentence, newer: Sentence) -> Fired:
    """Switched from X to Y: the older has X and not Y, and is about the same matter."""
    found = FROM_TO.search(newer.text)
    if found is None or NEGATION.search(newer.text[: found.start("new")]):
        return None
    old, new = stems(found["old"]), stems(found["new"])
    if not _replaced(old, new, older) or _strangers(older, newer, found["old"], found["new"]):
        return None
    topic = newer.stems - old - new - stems(_verb(found))
    return _same_matter(older, topic, found["old"], found[0])


def instead_of(older: Sentence, newer: Sentence) -> Fired:
    """Y instead of X: the older has X, and what is said of Y fits it."""
    found = INSTEAD.search(newer.text)
    if found is None:
        return None
    before = newer.text[: found.start()]
    old = stems(found["old"])
    topic = stems(before) | stems(newer.text[found.end() :])
    if NEGATION.search(before) or not old or not old <= older.stems or topic <= older.stems:
        return None
    fits = share(topic, older.stems) >= SUBJECT
    return {"words": found[0], "old": found["old"]} if fits else None


def replaced(older: Sentence, newer: Sentence) -> Fired:
    """X was replaced by Y, or Y replaces X."""
    found = PASSIVE.search(newer.text)
    if found is not None:
        old = stems(found["old"])
        fits = len(old) > 1 and old <= older.stems
        fits = fits and not stems(found["new"]) & older.stems and not NEGATION.search(found[0])
        return {"words": found[0], "old": found["old"]} if fits else None
    found = ACTIVE.search(newer.text)
    if found is None or NEGATION.search(found[0]):
        return None
    old, new = stems(found["old"]), stems(found["new"])
    if not _replaced(old, new, older):
        return None
    return _same_matter(older, stems(newer.text[found.end() :]), found["old"], found[0])


def no_longer(older: Sentence, newer: Sentence) -> Fired:
    """S no longer does P: the older says that S does P."""
    found = next((match for one in NO_LONGER if (match := one.search(newer.text))), None)
    if found is None or _GONE.search(older.text):
        return None
    who, what = stems(found["who"]), stems(found["what"])
    who_fits = not who or share(who, older.stems) >= SUBJECT
    if not who_fits or _strangers(older, newer, found["what"]):
        return None
    if share(what, older.stems) < COVERED or (len(what) < 2 and not who <= older.stems):
        return None
    return {"words": found[0], "old": found["what"].strip()}


def reverted(older: Sentence, newer: Sentence) -> Fired:
    """P was reverted, rolled back, called off: the older tells of P."""
    found = REVERSAL.search(newer.text)
    if found is None or NEGATION.search(newer.text) or REVERSAL.search(older.text):
        return None
    what = newer.stems - _REVERSAL_WORDS
    if len(what & older.stems) < 2 or share(what, older.stems) <= COVERED:
        return None
    return {"words": found[0]}


RULES: dict[str, Rule] = {
    "switched_from_to": from_to,
    "instead_of": instead_of,
    "replaced_by": replaced,
    "no_longer": no_longer,
    "reverted": reverted,
}


def _replaced(old: frozenset[str], new: frozenset[str], older: Sentence) -> bool:
    return bool(old) and old <= older.stems and not (new - old) & older.stems


def _same_matter(older: Sentence, topic: frozenset[str], old: str, words: str) -> Fired:
    """The evidence, when half of the topic is in the older, or neither tells of any but use."""
    fits = share(topic, older.stems) >= SUBJECT if topic else bool(_USED.search(older.text))
    return {"words": words, "old": old} if fits else None


def _strangers(older: Sentence, newer: Sentence, *apart: str) -> frozenset[str]:
    """Names of the newer that the older has not, those within `apart` left out."""
    beside = " ".join(apart).casefold()
    names = frozenset(name for name in newer.names if name not in beside)
    return names - older.names - _words(older)


def _verb(found: re.Match[str]) -> str:
    return found[0].split(maxsplit=1)[0]


def _words(sentence: Sentence) -> frozenset[str]:
    return frozenset(sentence.text.casefold().replace("'s", "").split())
