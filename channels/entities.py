"""Names in a text: identifiers, @handles, quoted phrases, capitalised runs, known speakers."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from channels.analyser import identifiers, term_key
from channels.analysis.clean import clean, fold_accents
from channels.analysis.stopwords import STOP_WORDS

_LONGEST = 60  # characters of a quoted phrase; longer is a citation, not a name
_LONGEST_RUN = 5  # words of a name
_QUOTED = re.compile(
    r'"([^"\n]{1,60})"|“([^”\n]{1,60})”|«([^»\n]{1,60})»|「([^」\n]{1,60})」|`([^`\n]{1,60})`'
)
_HANDLE = re.compile(r"(?<![\w@.])@([^\W_][\w.-]{0,62}\w|[^\W_])")
_WORD = re.compile(r"[^\W\d_][\w'&-]*|[.!?:]+(?!\S)|\n+|[^\w\s]|\d\S*|_")
_OPENING = '.!?:\n"“('  # a sentence may begin behind these
_CHUNK = re.compile(r"\S+")
_ADDRESS_SIGNS = frozenset("/\\@_=")
_SURROUNDING = re.compile(r"^[\W_]+|[\W_]+$")
_SPACE = re.compile(r"\s+")
_BREAKS = re.compile(r"[-_]+")
_OWNER = re.compile(r"'s$")
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr)\.(?=\s)")  # their full stop ends nothing
# Nothing ends at the full stops of these either: "e.g. Ana". A time may end a sentence: "at 5 p.m."
_SHORTENED = re.compile(
    r"(?<![\w.])(?:[Ee]\.\s?g|[Ii]\.\s?e|[Nn]\.b|cf|[Vv]s|[Vv]iz|approx|incl|esp)\.(?=[\s,])"
)
_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]\.)+[^\W\d_](?!\w|\.\w)")  # U.S., m.i.t
_NO_INITIALS_WORDS = "a.m p.m e.g i.e n.b p.s q.v a.k.a c.f o.k r.i.p m.p.h a.d b.c"
_NO_INITIALS = frozenset(_NO_INITIALS_WORDS.split())
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof"))
_LINKS = frozenset(("of", "de", "del", "der", "da", "van", "von", "&"))
_CALENDAR_WORDS = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june
july august september october november december today tomorrow yesterday
"""
_CALENDAR = frozenset(_CALENDAR_WORDS.split())
_OPENER_WORDS = "yes no yeah ok okay hey hi hello wow oh thanks please let"
_OPENERS = frozenset(_OPENER_WORDS.split())
# A lone capital at the start of a sentence names something when such a verb follows it.
_VERB_WORDS = "is was has had will would can could did does said says and"
_SUBJECT_VERBS = frozenset(_VERB_WORDS.split())
# What people do; of other openers ("Build failed", "Tests need") such verbs are seldom told.
_PERSON_VERB_WORDS = """
likes liked loves loved hates hated prefers preferred enjoys enjoyed wants wanted wished hoped told
tells asked asks thinks thought knows knew believes believed feels felt remembers remembered lives
lived moved went goes came comes met saw sees visited travelled traveled flew drove drives bought
buys sold gave gives took makes made got ate eats drinks drank cooks cooked wrote writes plays
played sings sang studied teaches taught learned learnt owns owned adopted married divorced invited
recommended recommends suggested suggests promised agreed decided hired quit joined resigned
graduated planned booked borrowed lent owes paid spent spoke speaks talked mentioned mentions called
emailed texted wore wears won helped kissed hugged
isn't wasn't hasn't hadn't won't wouldn't can't couldn't didn't doesn't
isnt wasnt hasnt hadnt wouldnt couldnt didnt doesnt
"""
_PERSON_VERBS = frozenset(_PERSON_VERB_WORDS.split())
_WORKS = frozenset(("works", "worked"))  # "Code works" too, but not at a firm
_PLACES = frozenset(("at", "for", "with", "there", "from", "where", "which", "what", "as"))
# "Kofi lost his keys when": what things do as well ("Build broke") shows a name where it is asked.
_ASKING = frozenset(("what", "which", "where", "when", "who", "whom", "how", "why", "whose"))
_ASKING_REACH = 5  # words behind the name in which one of them stands
_PAST_WORDS = """
lost broke found kept held grew rang heard sat stood ran slept led built chose cut set put hid drew
fell forgot threw wrote began became brought caught fought felt meant sent shot stole swam woke
"""
_PAST = frozenset(_PAST_WORDS.split())
_NO_PERSON_WORDS = """
someone somebody anyone anybody everyone everybody nobody noone none something anything everything
nothing people folks others another one two three many few several user users assistant agent agents
customer customers client clients team teams company companies management
mom mum mommy mother dad daddy father sister brother wife husband son daughter boss friend friends
man guys sorry haha lol btw yep yea nope never always sometimes maybe perhaps finally recently today
now last first next further even still also then later early once really usually probably actually
originally formerly previously currently initially eventually typically generally normally don't
haven't aren't weren't make like
"""
_SHORT = 5  # letters; longer words in -ing are what somebody does ("Dancing made me …")
_NO_PERSON = frozenset(_NO_PERSON_WORDS.split())
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_POSSESSIVE = re.compile(r"'(?:s|re|ve|ll|d|m|t)?$", re.IGNORECASE)


def normal_form(text: str) -> str:
    """The form under which a name is stored and compared; may be empty. Idempotent.

    NFKC, casefolded, inner whitespace single, surrounding punctuation and a leading @ or # gone.
    """
    once = _normal(text)
    while (again := _normal(once)) != once:  # casefolding may compose anew; two rounds settle it
        once = again
    return once


def _normal(text: str) -> str:
    folded = _SPACE.sub(" ", clean(clean(text).casefold())).strip()
    core = _SURROUNDING.sub("", folded)
    return core + folded[len(folded.rstrip("+#")) :] if _is_language(folded) else core


def _is_language(folded: str) -> bool:
    """C++, C#, F#: the signs behind are the name."""
    bare = folded.rstrip("+#")
    return bare != folded and 0 < len(bare) <= 2 and bare.isalnum()


def extract_entities(text: str, speakers: Collection[str] = ()) -> tuple[str, ...]:
    """Normal forms of the names in a text, each once; see `entity_rules`."""
    return tuple(entity_rules(text, speakers))


def entity_rules(
    text: str, speakers: Collection[str] = (), known: Collection[str] | None = None
) -> dict[str, str]:
    """Normal forms of the names in a text with the rule that found each, identifiers first.

    Rules: identifier, initials, handle, quoted, capitalised, speaker. Dates, clock times and bare
    numbers are no names; a capital that only opens a sentence is none unless a verb shows it to be
    the subject. `speakers` are found whatever their case. `known`: the text's identifiers, where
    they are read.
    """
    plain = clean(text)
    whole = identifiers(plain) if known is None else known
    found = [("identifier", name) for name in whole if _is_name(name)]
    letters = (m[0] for m in _INITIALS.finditer(plain))
    found += [("initials", name) for name in letters if name.casefold() not in _NO_INITIALS]
    found += [("handle", m[1]) for m in _HANDLE.finditer(plain)]
    found += [("quoted", next(filter(None, m.groups()))) for m in _QUOTED.finditer(plain)]
    found += [("capitalised", name) for name in capitalised_names(_QUOTED.sub('"|"', plain))]
    if speakers:
        folded = plain.casefold()
        named = [s for s in speakers if (name := normal_form(s)) and _occurs(name, folded)]
        found += [("speaker", name) for name in named]
    rules: dict[str, str] = {}
    for rule, raw in found:
        if name := normal_form(raw):
            rules.setdefault(name, rule)
    return rules


def alias_key(name: str) -> str:
    """What all spellings of a name have in common: without accents, hyphens and apostrophes.

    "José", "jose" and "JOSÉ" are one, "eu-west" and "EU West", "O'Brien" and "obrien", "the
    Millers'" and "Millers". Idempotent; of a name that is all signs, its normal form.
    """
    normal = normal_form(name)
    folded = _OWNER.sub("", fold_accents(normal)).replace("'", "")
    return _SPACE.sub(" ", _BREAKS.sub(" ", folded)).strip() or normal


def entity_key(name: str) -> int:
    """The key that all spellings of a name are stored under."""
    return term_key(alias_key(name))


def entity_keys(names: Iterable[str]) -> list[int]:
    """Keys by which a question finds names: of all spellings, and of the very one.

    Names stored by earlier releases stand under their very spelling.
    """
    keys = [key for name in names for key in (entity_key(name), term_key(normal_form(name)))]
    return list(dict.fromkeys(keys))


def _is_name(identifier: str) -> bool:
    if identifier.startswith("#") or _VERSION.fullmatch(identifier):
        return True
    return any(c.isalpha() for c in identifier)


def _occurs(name: str, folded: str) -> bool:
    return bool(_whole(name).search(folded))


@lru_cache(maxsize=1_024)
def _whole(name: str) -> re.Pattern[str]:
    """The name with no letter beside it; scripts without spaces may touch it."""
    edge = r"(?![A-Za-z0-9_\u00c0-\u052f])"
    return re.compile(r"(?<![A-Za-z0-9_\u00c0-\u052f])" + re.escape(name) + edge)


def capitalised_names(text: str) -> Iterator[str]:
    """Runs of capitalised words; nothing from a text without small letters."""
    if text.isupper():
        return
    # Paths and addresses are identifiers already; their capitals are no names.
    prose = _CHUNK.sub(lambda m: "|" if _ADDRESS_SIGNS & set(m[0]) else m[0], text)
    prose = _SHORTENED.sub(lambda m: m[0].replace(".", ""), _TITLE.sub(r"\1", prose))
    words = _WORD.findall(prose)
    start, opens = 0, True
    while start < len(words):
        run = _run(words, start)
        end = start + max(len(run), 1)
        if run:
            yield from _names(run, words[end : end + _ASKING_REACH], opens=opens)
            opens = False
        else:
            opens = words[start][0] in _OPENING or (opens and not words[start][0].isalnum())
        start = end


def _run(words: list[str], start: int) -> list[str]:
    """Capitalised words from `start` on, joined over `of`, `de`, `van` between two of them."""
    run: list[str] = []
    for i in range(start, min(start + 2 * _LONGEST_RUN, len(words))):
        following = words[i + 1] if i + 1 < len(words) else ""
        if not (words[i][0].isupper() or (run and words[i] in _LINKS and following[:1].isupper())):
            break
        run.append(words[i])
        if _POSSESSIVE.search(words[i]):
            break
    return run


def _names(run: list[str], following: list[str], *, opens: bool) -> Iterator[str]:
    """The names a run holds, common words at its edges dropped."""
    owns = run[-1].lower().endswith("'s")
    bare = [_POSSESSIVE.sub("", word) for word in run]
    while bare and is_common(bare[0]):
        bare, opens = bare[1:], False
    while bare and is_common(bare[-1]):
        bare = bare[:-1]
    if not bare or len(bare) > _LONGEST_RUN:
        return
    is_last = run[-1].startswith(bare[-1]) and not run[-1].lower().endswith("n't")
    if len(bare) == 1 and opens and not (owns or (is_last and _is_subject(bare[0], following))):
        return
    yield " ".join(bare)
    if opens and len(bare) > 1:
        yield " ".join(bare[1:])  # "Ask Rhea": the first word may only open the sentence


def _is_subject(word: str, following: list[str]) -> bool:
    """Whether the words behind a sentence's first word show that it names somebody."""
    verb = following[0] if following else ""
    if verb in _SUBJECT_VERBS:
        return True
    if word.casefold() in _NO_PERSON or (len(word) > _SHORT and word.endswith("ing")):
        return False
    if verb in _WORKS:
        return not _PLACES.isdisjoint(following[1:2])
    return verb in _PERSON_VERBS or (verb in _PAST and not _ASKING.isdisjoint(following[1:]))


def is_common(word: str) -> bool:
    """Whether a word alone names nothing: a letter, stop word, day, month, greeting or title."""
    folded = word.casefold()
    no_name = folded in STOP_WORDS or folded in _CALENDAR or folded in _OPENERS
    return len(word) == 1 or no_name or folded in _TITLES
