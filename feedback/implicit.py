"""What an answer, a tool call or a person's reply says about the memories shown before. Pure.

`derive` finds the memories that an answer rests on. It would rather miss one than take one for
another: a memory that is credited wrongly pulls its channel up with every further answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from channels.analyser import stem_words
from feedback.mentions import (
    LONGEST,
    Match,
    Sentence,
    command,
    key_matches,
    overlap,
    sentences,
    stems_everywhere,
)

MOST_SAID = 200  # sentences of an answer, leaves of tool arguments
MOST_HELD = 40  # sentences of a memory
MOST_PAIRS = 10_000  # sentences compared; beside a page of long memories an answer's end is unread
MOST_ALIKE = 2  # memories that one thing said may credit; held by more, it tells nothing
SHORT_ID = 8  # characters; a shorter id counts only where it is marked as one
#: Stronger rules first: a memory is credited by the strongest that found it.
CITING = ("id", "identifier", "detail", "overlap")
USING = ("argument", "detail", "overlap")

_EDGE = r"(?<![\w./:@#-]){}(?![\w@/-]|[.:]\w)"
_MARKED = (
    r"(?:[\[(<{{【](?:[^\]\n)>}}】]{{0,80}}[,;\s:#])?{0}(?:[,;\s][^\]\n)>}}】]{{0,80}})?[\])>}}】]"
    r"|\b(?:memory|memories|source|ref|reference|id)(?:[\s_-]?id)?[\s:=#]+[\"'`]?{0}(?![\w@/-]))"
)
_MARKED_NUMBER = r"\b(?:memory|memory[\s_-]?id|mem)[\s:=#]*[\"'`]?{0}(?![\w@/.-])"


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory as it was shown."""

    memory_id: str
    text: str  # with its speaker in front, if it has one


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that was used, and how that shows."""

    memory_id: str
    action: str  # memory_cited or memory_used_in_tool
    rule: str  # one of CITING or USING
    quote: str  # what gave it away


def derive(
    question: str, answer: str | None, tool_arguments: object, shown: Sequence[Shown]
) -> tuple[Found, ...]:
    """The memories that the answer cites and the tools were given, each once per action.

    In the order shown, citations first. What the question says itself counts for nothing.
    """
    asked = Sentence(question)
    held = [tuple(islice(sentences(one.text), MOST_HELD)) for one in shown]
    cited: dict[tuple[int, str], str] = {}
    if answer:
        said = [(one, frozenset[str]()) for one in islice(sentences(answer), MOST_SAID)]
        cited = {**_ids(question, answer, shown), **_matched(said, held, asked, in_tool=False)}
    used = _matched(list(_leaves(tool_arguments)), held, asked, in_tool=True)
    return (
        *_strongest(cited, shown, "memory_cited", CITING),
        *_strongest(used, shown, "memory_used_in_tool", USING),
    )


def _strongest(
    found: Mapping[tuple[int, str], str], shown: Sequence[Shown], action: str, rules: Sequence[str]
) -> Iterator[Found]:
    for place, one in enumerate(shown):
        for rule in rules:
            if (place, rule) in found:
                yield Found(one.memory_id, action, rule, found[place, rule][:200])
                break


def _ids(question: str, answer: str, shown: Sequence[Shown]) -> dict[tuple[int, str], str]:
    lines = [one for one in sentences(answer) if not one.speaks_for_nothing]
    found: dict[tuple[int, str], str] = {}
    for place, one in enumerate(shown):
        pattern = id_pattern(one.memory_id)
        if re.search(_EDGE.format(re.escape(one.memory_id)), question):
            continue
        hit = next((m for line in lines if (m := pattern.search(line.text))), None)
        if hit:
            found[place, "id"] = hit[0]
    return found


def id_pattern(memory_id: str) -> re.Pattern[str]:
    """Finds a memory's id where it stands as one.

    A long id with a digit or mark in it counts anywhere, any other in brackets or behind "memory",
    "source" and the like. A bare number counts behind "memory" only: `[3]` may be the third of a
    list.
    """
    escaped = re.escape(memory_id)
    if memory_id.isdigit():
        return re.compile(_MARKED_NUMBER.format(escaped), re.IGNORECASE)
    if len(memory_id) >= SHORT_ID and not memory_id.isalpha() and " " not in memory_id:
        return re.compile(_EDGE.format(escaped))
    return re.compile(_MARKED.format(escaped))


def _matched(
    said: Sequence[tuple[Sentence, frozenset[str]]],
    held: Sequence[tuple[Sentence, ...]],
    asked: Sentence,
    *,
    in_tool: bool,
) -> dict[tuple[int, str], str]:
    """Place and rule of the memories that match, with what gave them away."""
    everywhere = stems_everywhere(held)
    readable = MOST_PAIRS // max(1, sum(map(len, held)))
    found: dict[tuple[int, str], str] = {}
    for one, beside in said[: max(1, readable)]:
        if not in_tool and one.speaks_for_nothing:
            continue
        by_key: dict[str, dict[int, Match]] = {}
        for place, key, match in _matches(one, beside, held, asked, everywhere, in_tool=in_tool):
            best = by_key.setdefault(key, {})
            if place not in best or match.strength > best[place].strength:
                best[place] = match
        for key, best in by_key.items():
            for place, match in _closest(best):
                rule = _rule(match.rule, in_tool=in_tool)
                found.setdefault((place, rule), key or one.text)
    return found


def _matches(
    one: Sentence,
    beside: frozenset[str],
    held: Sequence[tuple[Sentence, ...]],
    asked: Sentence,
    everywhere: frozenset[str],
    *,
    in_tool: bool,
) -> Iterator[tuple[int, str, Match]]:
    """Place, key and match of each sentence held that shows in the one said; key "": wording."""
    for place, memory in enumerate(held):
        for sentence in memory:
            if not one.meets(sentence):
                continue
            for key, match in key_matches(one, sentence, asked, beside, alone=in_tool):
                yield place, key, match
            wording = command(one, sentence, asked) if in_tool else None
            wording = wording or overlap(one, sentence, asked, everywhere)
            if wording:
                yield place, "", wording


def _closest(best: Mapping[int, Match]) -> list[tuple[int, Match]]:
    """The memories nearest to what was said; none when too many are as near."""
    most = max(match.strength for match in best.values())
    nearest = [(place, match) for place, match in best.items() if match.strength == most]
    return nearest if len(nearest) <= MOST_ALIKE else []


def _rule(rule: str, *, in_tool: bool) -> str:
    return "argument" if in_tool and rule in ("identifier", "command") else rule


def _leaves(value: object) -> Iterator[tuple[Sentence, frozenset[str]]]:
    """Sentences of all texts and numbers in the arguments, with the stems of the names above."""
    for text, names in islice(_texts(value, ()), MOST_SAID):
        beside = frozenset(stem_words(" ".join(re.split(r"[_\W]+", " ".join(names)))))
        for one in sentences(text):
            yield one, beside


def _texts(value: object, names: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, names)]
    while waiting:  # no recursion: arguments come as deep as clients like
        item, above = waiting.pop()
        if isinstance(item, dict):
            waiting += [(inner, (*above, str(name))) for name, inner in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [(inner, above) for inner in reversed(item)]
        elif isinstance(item, str):
            yield item[:LONGEST], above
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield str(item), above
