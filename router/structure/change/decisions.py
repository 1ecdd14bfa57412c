"""A decision that differs from an earlier one in one place only. Pure."""

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from router.structure.change.cues import Fired
from router.structure.change.text import NEGATION, Sentence, stems
from router.structure.change.values import kind_of

DECIDED = re.compile(
    r"^(?P<who>we|I|they|he|she|the team|[A-Z]\w+)(?: have|'ve| has| are|'re| will|'ll)?"
    r"(?: all| now| finally)? "
    r"(?:decided|agreed|chose|opted|voted|settled|going|go)"
    r"(?: to| on| for| with| that we| upon)?(?: go(?:ing)? with| use)?\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_UNSPACED = r"[\u3040-\u30ff\u4e00-\u9fff]"  # kana and Han, each of which is a word here
_WORD = re.compile(rf"{_UNSPACED}|(?:(?!{_UNSPACED})[\w.+#'-])+")
LONGEST_SLOT = 3  # words that differ
LEAST_SHARED = 2  # content stems that both have
ONE_AT_A_TIME = ("date", "time")  # kinds of which what is decided has one


def decided(older: Sentence, newer: Sentence) -> Fired:
    """Both are decisions, equal but for one place of at most three words.

    Of what stays the same two words must tell of the matter: who hires Ana may hire Ben too. One is
    enough where one party can have one only: a day or time, or a name that comes first, as what is
    chosen.
    """
    old, new = DECIDED.match(older.text), DECIDED.match(newer.text)
    if old is None or new is None or NEGATION.search(older.text) or NEGATION.search(newer.text):
        return None
    before, after = old["what"], new["what"]
    changed = small_change(before, after, stems)
    if changed is None and old["who"].lower() == new["who"].lower():
        changed = _only_choice(before, after)
    return {"words": newer.text, **changed} if changed else None


def _only_choice(before: str, after: str) -> dict[str, str] | None:
    changed = small_change(before, after, stems, least=1)
    if changed is None:
        return None
    kind = kind_of(changed["old"])
    is_chosen = kind == "name" and before.startswith(changed["old"])
    fits = kind == kind_of(changed["new"]) and (kind in ONE_AT_A_TIME or is_chosen)
    return changed if fits else None


def small_change(
    before: str,
    after: str,
    content: Callable[[str], frozenset[str]],
    *,
    least: int = LEAST_SHARED,
) -> dict[str, str] | None:
    """What stands in the one short place that differs; None when more does, or too little is kept.

    `content`: the stems of a text that say something of the matter; `least`: how many are kept.
    """
    was, now = (list(_WORD.finditer(text)) for text in (before, after))
    slot = _slot([word[0].lower() for word in was], [word[0].lower() for word in now])
    if slot is None:
        return None
    first, last, new_first, new_last = slot
    start, end = was[first].start(), was[last - 1].end()
    if len(content(f"{before[:start]} {before[end:]}")) < least:
        return None
    return {
        "old": before[start:end],
        "new": after[now[new_first].start() : now[new_last - 1].end()],
    }


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
