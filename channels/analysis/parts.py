"""Whole identifiers and what they are made of: `src/api/getUser.py:142` and every piece of it."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from channels.analysis.clean import MARKS
from channels.analysis.stems import MAX_WORD, cap
from channels.analysis.stopwords import STOP_WORDS

_SHORT = 3  # pieces; longer names are not retyped as one word
MAX_PARTS = 24  # more pieces is data or prose without spaces: its words count, the whole does not


def _token_pattern(w: str) -> re.Pattern[str]:
    return re.compile(
        r"""(?P<url>[A-Za-z][A-Za-z0-9+.\-]{1,15}://[^\s<>"'`]+)"""
        rf"|(?P<token>(?:(?<![\w.])\.(?=[A-Za-z])|\#(?=\d))?"  # .NET, .env, #1234
        rf"{w}+(?:(?:::|->|[-./\\:@+&#']){w}+)*"
        rf"(?:(?:\+\+|\#)(?!{w}))?)"  # C++, C#
    )


_ASCII_TOKEN = _token_pattern(r"[A-Za-z0-9_]")
_ANY_TOKEN = _token_pattern(rf"[\w{MARKS}]")
_PIECES = re.compile(rf"[^\W_{MARKS}][^\W_]*(?:[{MARKS}]+[^\W_]*)*")
_CAMEL = re.compile(r"[a-z][0-9]*[A-Z]|[A-Z]{2}[0-9]*[a-z]{2}")
_HUMPS = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_SEGMENT_ENDS = re.compile(r"::|->|[/\\:@#]")
_LETTER_AND_DIGIT = re.compile(r"[0-9][^\W\d_]|[^\W\d_][0-9]")
_COUNTED = re.compile(r"[0-9]+(?:st|nd|rd|th|s|am|pm|k|m|x|h|d|min|ms|kg|km|cm|mm|gb|mb|kb)")
_HEX = re.compile(r"0[xX][0-9a-fA-F]+")
_ERRNO = re.compile(
    r"E(?:CONN|NO|ADDR|HOST|NET|TIME|PERM|ACCES|AGAIN|EXIST|INVAL|PIPE|ISDIR|MFILE|BUSY|BADF)[A-Z]*"
    r"|SIG[A-Z]{3,6}"
)
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)$", re.IGNORECASE)
_VERSION_MARK = re.compile(r"v(?=[0-9]+(?:\.[0-9]))")
_LINE = re.compile(r"(?::[0-9]+){1,2}$")
_SCHEME = re.compile(r"[^:]*://(?:www\.)?", re.IGNORECASE)


# Letters with full stops between, and a sentence that begins without its space. Neither can be told
# from `a.b` and `promise.then` by its looks, so few words count as a beginning.
_SHORTENED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_RUN_ON = re.compile(
    r"[^\W\d_]{2,}\.(?:how|what|when|where|who|why|which|i|i'm|we|you|he|she|they|our|your|his|her"
    r"|their|the|can|could|would|should|did|does|because|please|thanks|also)"
)


class Parts(NamedTuple):
    """One token taken apart; everything casefolded."""

    forms: tuple[str, ...]  # whole identifiers, the longest first; empty for a plain word
    words: tuple[str, ...]  # the words in it, in order
    joins: tuple[str, ...]  # the same words written together: `signoff` of `sign-off`


def tokens(run: str) -> Iterator[re.Match[str]]:
    """Tokens of a run without spaces, in order; group `url` or `token` is set."""
    return (_ASCII_TOKEN if run.isascii() else _ANY_TOKEN).finditer(run)


def take_apart(raw: str, *, url: bool = False) -> Parts:
    """The identifiers, words and joined spellings of one token. Linear in its length."""
    if url:
        return _url(raw)
    raw = _ENDING.sub("", raw)
    folded = raw.casefold()
    if folded.endswith("n't"):
        return Parts((), ("not",), ())
    pieces = _PIECES.findall(raw)
    if len(pieces) > MAX_PARTS:
        return Parts((), tuple(w for p in pieces for w in _humps(p)), ())
    if "'" in raw:
        return _apostrophe(pieces)
    if not _is_compound(raw):
        return Parts((), tuple(p.casefold() for p in pieces), ())
    return _compound(raw, pieces)


def is_prose(form: str) -> bool:
    """Whether a whole identifier, casefolded, is rather an abbreviation or two sentences run on."""
    return "." in form and bool(_SHORTENED.fullmatch(form) or _RUN_ON.fullmatch(form))


def _url(raw: str) -> Parts:
    """Address without scheme and `www`, as people shorten it; inner identifiers of short ones."""
    rest = _SCHEME.sub("", raw.rstrip(".,;:!?)]}*_"), count=1).rstrip("/")
    words = tuple(w for p in _PIECES.findall(rest) for w in _humps(p))
    if not words:
        return Parts((), (), ())
    forms = [rest.casefold()]
    if len(words) <= MAX_PARTS:
        inner = (m["token"] or "" for m in tokens(rest))
        forms += [form for t in inner if _is_compound(t) for form in _forms(t)]
    return Parts(tuple(dict.fromkeys(map(cap, forms))), words, ())


def _apostrophe(pieces: list[str]) -> Parts:
    """O'Brien is `obrien` and `brien`, rock'n'roll is `rocknroll`, `rock` and `roll`."""
    folded = [p.casefold() for p in pieces]
    whole = "".join(folded)
    return Parts((), (whole, *(p for p in folded if len(p) > 1 and p != whole)), ())


def _compound(raw: str, pieces: list[str]) -> Parts:
    words = [w for p in pieces for w in _humps(p)]
    together = "".join(p.casefold() for p in pieces)
    if len(pieces) == 1 and words != [together]:
        words.insert(0, together)  # GitHub is the word `github` too
    common = all(w in STOP_WORDS for w in words)
    prose = common and "_" not in raw and not _CAMEL.search(raw)  # and/or, IF-IF
    return Parts(() if prose or not words else _forms(raw), tuple(words), _joins(raw))


def _forms(raw: str) -> tuple[str, ...]:
    """The whole, then every piece of it that is an identifier in its own right."""
    candidates = [_LINE.sub("", raw)]  # router.py:142 is in router.py
    for segment in filter(None, _SEGMENT_ENDS.split(raw)):
        candidates += [segment, *segment.split(".")]
    found = [raw, *(c for c in candidates if _is_compound(c))]
    return tuple(dict.fromkeys(cap(_form(c)) for c in found))


def _form(raw: str) -> str:
    """Casefolded; a version without its v: v2.14.0 and 2.14.0 are one."""
    return _VERSION_MARK.sub("", raw.casefold(), count=1) if raw[0] in "vV" else raw.casefold()


def _is_compound(raw: str) -> bool:
    """Whether the token is an identifier rather than a word or a bare number."""
    if not raw or (raw.isalpha() and (raw.islower() or raw[1:].islower())):
        return False
    if not raw.isalnum():
        return len(_PIECES.findall(raw)) > 1 or bool(_PIECES.search(raw) and _decorated(raw))
    if raw.isdigit() or len(raw) > MAX_WORD or _COUNTED.fullmatch(raw.casefold()):
        return False
    return bool(_LETTER_AND_DIGIT.search(raw) or _CAMEL.search(raw) or _ERRNO.fullmatch(raw))


def _decorated(raw: str) -> bool:
    """`__init__`, `.NET`, `#1234`, `C++`: one piece whose punctuation is part of the name."""
    return raw[0] in "._#" or raw[-1] in "_" or (raw[-1] in "+#" and len(raw) <= 5)


def _humps(piece: str) -> list[str]:
    """`parseHTMLResponse` -> parse, html, response; a piece without humps is itself."""
    folded = piece.casefold()
    if folded[0] == "v" and folded[1:].isdecimal():
        return [folded, folded[1:]]
    if len(piece) > MAX_WORD or not _CAMEL.search(piece) or _HEX.fullmatch(piece):
        return [folded]
    return [h.casefold() for h in _HUMPS.findall(piece)] if piece.isascii() else [folded]


def _joins(raw: str) -> tuple[str, ...]:
    """Neighbouring parts written together, for those who leave the hyphen out."""
    out: list[str] = []
    pieces = _PIECES.findall(raw)
    if 1 < len(pieces) <= _SHORT:
        out.append("".join(pieces).casefold())
    for segment in _SEGMENT_ENDS.split(raw.replace(".", "/")):
        inner = _PIECES.findall(segment)
        words = [w for p in inner for w in _humps(p)]
        out.append("".join(inner).casefold())
        if "".join(words) == out[-1]:  # not when v2 counts as v2 and 2
            out += [a + b for a, b in pairwise(words) if a[:1].isalpha()]
    known = {w for p in pieces for w in (p.casefold(), *_humps(p))}
    return tuple(j for j in dict.fromkeys(out) if j and j not in known and len(j) <= MAX_WORD)
