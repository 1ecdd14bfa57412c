"""Named surface features of a question: what its words show before any model reads it."""

import math
import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from router.understand.grammar.signals import recency_asked
from router.understand.surface_words import CASED, COMMANDS, FUNCTION, PHRASES, WORDS

OPENING, CLOSING = 350, 150  # characters read of a long text: pasted logs ask before or after

_COMMANDS = frozenset(COMMANDS.split())
_FUNCTION = tuple(FUNCTION.split())
_FUNCTION_SET = frozenset(_FUNCTION)
_SCALARS = (
    "length",
    "one_to_three_words",
    "over_20_words",
    "names",
    "all_lower",
    "command",
    "keywords_only",
    "function_share",
    "emotion_count",
    "relative_clauses",
    "terse",
    "terse_attribute",
    "terse_due",
    "terse_counted",
    "terse_feeling",
    "terse_topic",
    "terse_exact",
    "terse_plain",
    "specific",
    "unspecific",
    "asks_newest",
)
TERSE = 7  # words a question in key words has at most
# What a question in key words does not have: it neither asks nor says in a sentence.
_WHOLE = (
    "is are was were do does did can could would should has have had will am be i i'm im i've you "
    "we he she they me us what what's which who who's whom whose where when when's why how"
)
_SENTENCE = frozenset(_WHOLE.split())
_KNOWN = "the this that these those my our your his her their"
_SPECIFIC = frozenset(_KNOWN.split())
FEATURES: tuple[str, ...] = (
    *_SCALARS,
    *WORDS,
    *PHRASES,
    *CASED,
    *(f"opens:{word}" for word in ("what", "which", "who", "where", "how", "why")),
    *(f"word:{word}" for word in _FUNCTION),
)
_INDEX = {name: place for place, name in enumerate(FEATURES)}
_TELLING = np.array(
    [not name.startswith("word:") and name not in ("length", "function_share") for name in FEATURES]
)


def _places() -> dict[str, tuple[int, ...]]:
    """Map a word to the features it votes for."""
    found: dict[str, list[int]] = {}
    for name, words in WORDS.items():
        for word in words.split():
            found.setdefault(word, []).append(_INDEX[name])
    for word in _FUNCTION:
        found.setdefault(word, []).append(_INDEX[f"word:{word}"])
    return {word: tuple(dict.fromkeys(places)) for word, places in found.items()}


_PLACES = _places()
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NAME = re.compile(r"(?<=[\w,'’] )[A-Z][\w’']+")
_EMOTION_COUNT = re.compile(PHRASES["emotion"])
_CLAUSE_COUNT = re.compile(PHRASES["relative_clause"])
_Search = Callable[[str], re.Match[str] | None]
_LOWER: tuple[tuple[int, _Search], ...] = tuple(
    (_INDEX[name], re.compile(pattern, re.DOTALL).search) for name, pattern in PHRASES.items()
)
_WRITTEN: tuple[tuple[int, _Search], ...] = tuple(
    (_INDEX[name], re.compile(pattern).search) for name, pattern in CASED.items()
)


def surface(text: str) -> NDArray[np.float32]:
    """Return the features of a text, shape (len(FEATURES),), in the order of FEATURES.

    Flags are 0 or 1; counts are squeezed by log1p, shares lie in [0, 1]. Of a long text the
    opening and the closing are read. Any text is allowed, the empty one too.
    """
    if len(text) > OPENING + CLOSING:
        text = f"{text[:OPENING]} {text[-CLOSING:]}"
    lower = text.casefold().replace("’", "'")
    tokens: list[str] = _TOKEN.findall(lower)
    values = np.zeros(len(FEATURES), dtype=np.float32)
    for token in tokens:
        for place in _PLACES.get(token, ()):
            values[place] = 1.0
    for place, search in _LOWER:
        if search(lower):
            values[place] = 1.0
    for place, search in _WRITTEN:
        if search(text):
            values[place] = 1.0
    _scalars(values, text, lower, tokens)
    return values


def _scalars(values: NDArray[np.float32], text: str, lower: str, tokens: list[str]) -> None:
    count = len(tokens)
    function = sum(token in _FUNCTION_SET for token in tokens)
    opening = tokens[0].partition("'")[0] if tokens else ""
    scalars: dict[str, float] = {
        "length": math.log1p(count),
        "one_to_three_words": count <= 3,
        "over_20_words": count > 20,
        "names": math.log1p(len(_NAME.findall(text))),
        "all_lower": text == text.lower(),
        "command": opening in _COMMANDS,
        "keywords_only": function == 0,
        "function_share": function / count if count else 0.0,
        "emotion_count": math.log1p(len(_EMOTION_COUNT.findall(lower))),
        "relative_clauses": math.log1p(len(_CLAUSE_COUNT.findall(lower))),
        "asks_newest": recency_asked(text) == "last",
    }
    scalars |= _specific(values, tokens) | _terse(values, tokens, opening)
    for name, value in scalars.items():
        values[_INDEX[name]] = value
    opens = _INDEX.get(f"opens:{opening}")
    if opens is not None:
        values[opens] = 1.0


def _has(values: NDArray[np.float32], *names: str) -> bool:
    return any(values[_INDEX[name]] for name in names)


def _specific(values: NDArray[np.float32], tokens: list[str]) -> dict[str, float]:
    """Whether it is about one thing that asker and memory know, or about things in general."""
    found = _has(values, "inner_name", "identifier", "digits", "possessive", "quoted")
    found = found or not _SPECIFIC.isdisjoint(tokens)
    return {"specific": found, "unspecific": not found}


def _terse(values: NDArray[np.float32], tokens: list[str], opening: str) -> dict[str, float]:
    """What a question in key words is about: they are all there is to tell its type by."""
    sentence = opening in _COMMANDS or not _SENTENCE.isdisjoint(tokens)
    if sentence or not 0 < len(tokens) <= TERSE or _has(values, "ends_question"):
        return {}
    signs: dict[str, float] = {
        "terse_attribute": _has(values, "attribute"),
        "terse_due": _has(values, "due", "weekday_or_month", "relative_day", "year", "clock_unit"),
        "terse_counted": _has(values, "counted", "aggregate", "compare", "shared"),
        "terse_feeling": _has(values, "emotion"),
        "terse_topic": _has(values, "topic", "advice", "how_to", "about", "gerund_topic"),
        "terse_exact": _has(values, "identifier", "digits"),
    }
    return {"terse": True, **signs, "terse_plain": not any(signs.values())}


def fired(text: str) -> tuple[str, ...]:
    """Return the names of the features that are not zero, function words and length left out."""
    return tuple(telling(text))


def telling(text: str) -> dict[str, float]:
    """Return the features that are not zero by name, function words and length left out."""
    return telling_of(surface(text))


def telling_of(values: NDArray[np.float32]) -> dict[str, float]:
    """Return the same for the features of a text, shape (len(FEATURES),)."""
    return {FEATURES[place]: float(values[place]) for place in np.flatnonzero(values * _TELLING)}


def place_of(name: str) -> int:
    """Return where a feature stands in FEATURES. Raises KeyError."""
    return _INDEX[name]
