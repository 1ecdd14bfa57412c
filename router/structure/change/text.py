"""A text as the rules see it: sentences, content stems, names, supposing. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from channels.analyser import document_terms
from channels.analysis.stopwords import STOP_WORDS
from channels.entities import extract_entities

LONGEST = 1_000  # characters that are read; a change is told at the beginning or not at all
MOST = 8  # sentences
_BREAK = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_SPACE = re.compile(r"\s+")
_END = re.compile(r"[\s.!;,。！；，]+$")
_OPENING = re.compile(
    r"^(?:(?:so|and|but|ok|okay|well|update|note|fyi|also|actually|finally|today|yesterday|decision)"
    r"\s*[,:-]?\s+)+", re.IGNORECASE
)  # fmt: skip
# Words of supposing; "may" small only, for May is a month.
_SUPPOSING = re.compile(
    r"\b(?:if|might|could|would|should|maybe|perhaps|consider\w*|thinking about|think about|"
    r"hop(?:e|es|ing) to|wish\w*|wants? to|wanted to|suggest\w*|propos\w*|unless|whether|suppos\w*|"
    r"almost|nearly|asked|wonder\w*)\b",
    re.IGNORECASE,
)
# The same in German, French, Spanish; in Chinese and Japanese, which have no spaces.
_SUPPOSING_ABROAD = re.compile(
    r"\b(?:wenn|falls|ob|vielleicht|könnt\w*|würd\w*|sollt\w*|möcht\w*|überleg\w*|hoff\w*|"
    r"beinahe|vorschl\w*|si|s'il\w*|peut-être|pourr\w+|devr\w+|voudr\w+|envisag\w*|espèr\w*|"
    r"presque|quizás?|tal vez|podr[ií]\w*|deber[ií]\w*|quier\w*|quisier\w*|esper\w*|casi)\b|"
    r"如果|要是|也许|可能|考虑|建议|希望|应该|打算|想要|是否|是不是|几乎|差点|吗$|"
    r"もし|かも|たぶん|検討|提案|べき|だろう|でしょう|たいと|か$",
    re.IGNORECASE,
)
_MAY = re.compile(r"\bmay\b")
NEGATION = re.compile(r"\b(?:not|never|nobody|without)\b|n't\b", re.IGNORECASE)
FIRST_PERSON = re.compile(
    r"\b(?:I|my|me|mine|myself|ich|mich|mir|mein\w*|je|moi|yo|mi|mis)\b|\b(?:I|j)'|"
    r"我(?!们)|私|僕|俺",
    re.IGNORECASE,
)
# Stems that say nothing about the matter itself.
_GENERIC_STEMS = """
use run now decid decis agre switch move migrat chang go going went get make take keep new old
current back instead rather replac longer anymor pleas also just still last night today yesterday
thing end
"""
GENERIC = frozenset(_GENERIC_STEMS.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without its full stop."""

    text: str
    stems: frozenset[str]  # content stems, the generic ones left out
    names: frozenset[str]  # normal forms

    @property
    def supposes(self) -> bool:
        """Whether it asks or supposes, so that nothing has changed."""
        return bool(
            self.text.endswith(("?", "？"))
            or _SUPPOSING.search(self.text)
            or _SUPPOSING_ABROAD.search(self.text)
            or _MAY.search(self.text)
        )


@lru_cache(maxsize=4_096)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The first sentences of a text, each once it is put plain."""
    plain = _SPACE.sub(" ", text[:LONGEST].replace("\u2019", "'").replace("`", "")).strip()
    parts = [_OPENING.sub("", _END.sub("", part)) for part in _BREAK.split(plain)[:MOST]]
    return tuple(
        Sentence(part, stems(part), frozenset(extract_entities(part))) for part in parts if part
    )


@lru_cache(maxsize=8_192)
def stems(text: str) -> frozenset[str]:
    """Content stems of a piece of text, without joined spellings and generic words."""
    return frozenset(
        term
        for term, count in document_terms(text).items()
        if count >= 1 and term not in GENERIC and term not in STOP_WORDS
    )


def share(part: frozenset[str], whole: frozenset[str]) -> float:
    """Which share of `part` is in `whole`, 0 for an empty part."""
    return len(part & whole) / len(part) if part else 0.0
