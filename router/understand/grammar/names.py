"""Date words that are only a piece of a name: a host, a path, a file, a flag, a function."""

import re

from router.understand.grammar.calendar import NOTHING
from router.understand.grammar.found import Found

LETTER = re.compile(r"[a-zà-ÿ]")
LOOK = 12  # characters before a match in which the word that a hyphen ties to it stands
# What runs on right behind: "tomorrow.io", "tuesday@x.test", "q3-cleanup", "yesterday()".
# Capitals are read as written: "Done.Yesterday we" lacks a space, "Q3-Zahlen" is a German word.
BEHIND = re.compile(r"[@\\_=]\w|\(\)|'s_|\.[a-z]")
TIED_BEHIND = re.compile(r"(?<![0-9])/[A-Za-z0-9]|/[A-Za-z]|-(?!era\b)[a-z]")
# "The Friday-night dinner" is on Friday; "tomorrow-night" is a theme of colours.
NIGHT = re.compile(r"(?<=[nsuri]day)-(?:morning|afternoon|evening|night)\b(?!-)")
AHEAD = re.compile(r"(?:[@\\=]|--)$")
MEMBER = re.compile(r"[A-Za-z]\.$")
TIED_AHEAD = re.compile(r"(?:/|\w-)$")
# Words that a hyphen may tie to a date.
FITS = re.compile(r"\b(?:mid|early|late|mi|mitte|anfang|ende|début|fin|end|non)-$")


def outside_names(low: str, original: str, founds: list[Found]) -> list[Found]:
    """The same, where every match that is a piece of a longer name stands for nothing."""
    starts = {found.start for found in founds}
    stops = {found.stop for found in founds}
    return [
        Found(found.start, found.stop, NOTHING)
        if _is_piece(low, original, found, starts, stops)
        else found
        for found in founds
    ]


def _is_piece(low: str, original: str, found: Found, starts: set[int], stops: set[int]) -> bool:
    if not LETTER.search(low, found.start, found.stop):
        return False  # digits and signs of Chinese look to their own edges
    if BEHIND.match(original, found.stop):
        return True
    tied = TIED_BEHIND.match(original, found.stop) and not NIGHT.match(low, found.stop)
    if tied and found.stop + 1 not in starts:
        return True  # "June/July" and "Monday-Friday" are two dates
    begin = max(0, found.start - LOOK)
    lead = original[begin : found.start + 1]
    if not LETTER.match(low, found.start):
        return False
    return _is_tied(low, lead, found, stops)


def _is_tied(low: str, lead: str, found: Found, stops: set[int]) -> bool:
    ahead, first = lead[:-1], lead[-1:]
    if ahead.endswith("`"):
        return low.startswith("`", found.stop)
    if AHEAD.search(ahead):
        return True
    if MEMBER.search(ahead):
        return first.islower()
    if not TIED_AHEAD.search(ahead) or found.start - 1 in stops:
        return False
    return not FITS.search(low[max(0, found.start - LOOK) : found.start])
