"""What the next thing a person says tells about the answer before it. Pure.

The next turn judges the previous answer: whoever books it must name the recall before.
"""

import re
from datetime import timedelta
from typing import Literal

from channels.analyser import stem_words
from channels.analysis.stopwords import QUESTION_WORDS
from feedback.mentions import GENERIC, Sentence

WITHIN = timedelta(seconds=300)  # between the two questions; later ones are a new need
LEAST = timedelta(seconds=1)  # closer ones come from a program that asks in several wordings
ALIKE = 0.5  # of all content words of both questions
LONGEST_COMPLAINT = 300  # characters; a longer text tells something and does not only complain

_ASKING = frozenset(("when", "where", "who", "whose", "why", "how"))
COMMON = GENERIC | {stem for word in QUESTION_WORDS for stem in stem_words(word)}

Complaint = Literal["complaint", "retry"]

_COMPLAINT = re.compile(
    r"^\W*(?:(?:no+|nope|nah|hm+|ugh|sorry|wait|well|but|sadly)\b[\s,.!-]*)*"
    r"(?:(?:no|nope)\b[,.!]?\s+)?"
    r"(?:(?:that(?:['’]?s| is| was)|this is|it(?:['’]?s| is)|you(?:['’]re| are)|that answer is|"
    r"your answer is|still|completely|totally|all|just|plain)\s+)*"
    r"(?:(?:not (?:right|correct|true|it|what i (?:asked|meant|wanted|was asking|was looking)"
    r"|the (?:right|one i)\b)|wrong|incorrect|false|untrue|mistaken|nonsense|a mistake)"
    r"|(?:that|this|it) (?:is|was)n['’]t (?:right|correct|true|it|what i)"
    r"|i (?:did not|didn['’]t) (?:ask|mean) (?:that|this|for|about)"
    r"|(?:that|this|it) (?:does not|doesn['’]t|did not|didn['’]t) (?:answer|help|work)"
    r"|you (?:got|have) (?:that|it|this) wrong|wrong (?:answer|one|person|memory|place|date))\b",
    re.IGNORECASE,
)
_BARE_NO = re.compile(
    r"^\W*(?:no+|nope|nah)(?:[\s,.!]+(?:no+|nope|wrong|sorry|not that))*\W*$", re.I
)
_RETRY = re.compile(
    r"^\W*(?:(?:no+|nope|please|ok|okay|hm+|well)\b[\s,.!]*)*(?:can you |could you |please |just )*"
    r"(?:try (?:that |it |this )?(?:again|once more|harder)|once (?:more|again)|again,? please"
    r"|retry|redo (?:that|it|this)|do (?:that|it) (?:again|over)|look again|search again"
    r"|check again|think again)\b",
    re.IGNORECASE,
)


def complaint(text: str) -> Complaint | None:
    """Whether a person's words turn the answer before them down, or ask for another.

    Only words that open with it count: "what went wrong?" is a question, "no, I'm fine" a reply.
    """
    plain = text.strip()
    if not plain or len(plain) > LONGEST_COMPLAINT:
        return None
    if _RETRY.match(plain):
        return "retry"
    if _BARE_NO.match(plain) or (_COMPLAINT.match(plain) and not _asks(plain)):
        return "complaint"
    return None


def is_rephrasing(before: str, after: str) -> bool:
    """Whether the second question asks for the same as the first, in other words.

    At least half of the wording is shared and nothing is exchanged: a word added narrows the
    question, a word in the place of another (Ben for Ana, dinner for breakfast) asks for something
    else, and synonyms cannot be told from it. The very same words are none: programs repeat them.
    """
    first, second = Sentence(before), Sentence(after)
    if first.words == second.words or _exchanged(first, second):
        return False
    mine, other = frozenset(first.stems), frozenset(second.stems)
    if (mine - other - COMMON) and (other - mine - COMMON):
        return False
    shared = mine & other
    enough = min(2, len(mine), len(other))
    return bool(shared - COMMON) and len(shared) >= max(enough, ALIKE * len(mine | other))


def _exchanged(first: Sentence, second: Sentence) -> bool:
    """Whether each names, or asks for, something that the other does not."""
    asks, asks_now = _ASKING & set(first.words), _ASKING & set(second.words)
    if asks and asks_now and not asks & asks_now:
        return True
    mine, other = first.firm | first.numbers, second.firm | second.numbers
    if mine - other and other - mine:
        return True
    gone = any(f" {name} " not in second.plain for name in first.names)
    return gone and any(f" {name} " not in first.plain for name in second.names)


def _asks(text: str) -> bool:
    """Whether it is a question of its own: "is that not right?"."""
    return text.rstrip().endswith("?") and "," not in text and "." not in text
