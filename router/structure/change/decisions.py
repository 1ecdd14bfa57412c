"""A decision that differs from an earlier one in one place only. Pure."""

import re
from difflib import SequenceMatcher

from router.structure.change.cues import Fired
from router.structure.change.text import NEGATION, Sentence, stems

DECIDED = re.compile(
    r"^(?:we|I|they|he|she|the team|[A-Z]\w+)(?: have|'ve| has| are|'re| will|'ll)?"
    r"(?: all| now| finally)? "
    r"(?:decided|agreed|chose|opted|voted|settled|going|go)"
    r"(?: to| on| for| with| that we| upon)?(?: go(?:ing)? with| use)?\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w.+#'-]+")
LONGEST_SLOT = 3  # words that differ
LEAST_SHARED = 2  # content stems that both have


def decided(older: Sentence, newer: Sentence) -> Fired:
    """Both are decisions, equal but for one place of at most three words."""
    old, new = DECIDED.match(older.text), DECIDED.match(newer.text)
    if old is None or new is None or NEGATION.search(older.text) or NEGATION.search(newer.text):
        return None
    before, after = (_WORD.findall(match["what"]) for match in (old, new))
    slot = _slot([w.lower() for w in before], [w.lower() for w in after])
    if slot is None:
        return None
    first, last, new_first, new_last = slot
    kept = stems(" ".join(before[:first] + before[last:]))
    if len(kept) < LEAST_SHARED:
        return None
    was, now = " ".join(before[first:last]), " ".join(after[new_first:new_last])
    return {"words": newer.text, "old": was, "new": now}


def _slot(before: list[str], after: list[str]) -> tuple[int, int, int, int] | None:
    """The one stretch that differs, as ends in both; None when there are several, or too long."""
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [code for code in codes if code[0] != "equal"]
    if len(changed) != 1 or changed[0][0] != "replace":
        return None
    _, first, last, new_first, new_last = changed[0]
    if max(last - first, new_last - new_first) > LONGEST_SLOT:
        return None
    return first, last, new_first, new_last
