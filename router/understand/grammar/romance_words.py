"""Romance words of two meanings: hier is German for here, Abril and Julio are people."""

import re

from router.understand.grammar import guards, relative
from router.understand.grammar.calendar import NOTHING, Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language

NEAR = 60  # characters to either side in which the language shows
FRENCH = re.compile(
    r"\b(?:le|la|les|une|et|est|sont|était|étais|étaient|ont|avons|avez|avait|j'ai|nous|vous|elles?|ils?"
    r"|qui|que|quoi|quand|où|à|au|aux|avec|dans|sur|pour|ce|cette|mes|ses|nos|vos|notre|votre|chez|depuis"
    r"|avant|jusqu'|entre|quel|quels|quelles?|pourquoi|combien|on (?:a|avait|est|était|va)"
    r"|(?:c|d|j|l|m|n|s|t|qu)'[a-zà-ÿ]{2,}|[a-z]{0,20}[èêçùûîôàœ][a-zà-ÿ]{0,20}|ré\w{2,20})\b"
)
TIED = re.compile(
    r"\s{1,2}(?:matin|midi|soir|après-midi|nuit|vers|en|à|entre|avant|après)\b|-?soir"
)
GERMAN = re.compile(  # and Dutch
    r"\b(?:der|die|das|dem|den|ist|sind|und|oder|ich|du|wir|ihr|er|sie|nicht|kein\w{0,2}|was|wo|wie|wer|wann"
    r"|warum|ein\w{0,2}|im|am|mit|für|auf|bei|von|zu|zum|zur|gibt|war|waren|kommt|kann|jemand|niemand|alles"
    r"|etwas|nur|noch|mein\w{0,2}|bitte|wird|hat|haben|het|een|van|wat|waar|niet|met|voor|zijn|heb|heeft)\b"
)
ALONE = (re.compile(r"(?:^|[.:;!?]\s{1,2})$"), re.compile(r"\s{0,2}(?:$|[.;!?])"))
# "A", "de" and "y" stand before people as well; months are written small.
SURE_LEADS = frozenset((
    "en", "desde", "antes de", "después de", "hasta", "mes de", "depuis", "avant", "après",
    "mois de", "mois d'", "début", "fin", "in", "da", "dal", "fino a", "mese di", "em", "até",
    "mês de",
))  # fmt: skip


def read_day_word(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Hier, demain and the others; "hier" only where French stands around it."""
    if match["daywd"] == "hier" and not _is_french(match):
        return None
    return relative.read_day_word(match, clock, language)


def _is_french(match: re.Match[str]) -> bool:
    text = match.string
    ahead = text[max(0, match.start() - NEAR) : match.start()]
    tail = text[match.end() : match.end() + NEAR]
    if GERMAN.search(ahead) or GERMAN.search(tail):
        return False
    if ahead.endswith(("d'", "qu'")):
        return True
    if ALONE[0].search(ahead) and ALONE[1].match(tail):
        return True
    return bool(TIED.match(tail) or FRENCH.search(ahead) or FRENCH.search(tail))


def read_month(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A month behind its preposition; with a capital behind "a" or "de" it is somebody."""
    lead = re.sub(r"\s+", " ", match["lead"] or "")
    named = guards.is_capitalised(match, "month", clock)
    if not lead or (named and lead not in SURE_LEADS):
        return relative.read_month_name(match, clock, language)
    return relative.read_bare(match, clock, language)


# "Los lunes" and "de lunes a viernes" come every week, "Domingo" is somebody.
EVERY = re.compile(r"\b(?:los|las|cada|todos|todas|de|misas?)\s{1,2}$")
FEAST = re.compile(r"\s{1,2}(?:santo|de (?:ramos|pascua|resurrección|ceniza))\b")
EACH_WEEK = re.compile(r"\s{1,2}a\s{1,2}(?:viernes|sábado|sabado|domingo)\b")
FROM_MONDAY = re.compile(r"\blunes\s{1,2}a\s{1,2}$")


def read_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A Spanish weekday; without an article it is written small, as Spanish does."""
    lead, tail = guards.before(match), guards.after(match)
    if FEAST.match(tail):
        return NOTHING
    if NTH.search(lead) and OF.match(match.string, match.end()):
        return NOTHING
    if match["lead"]:
        return relative.read_bare(match, clock, language)
    if match["weekday"] == "lunes" and EACH_WEEK.match(tail):
        return NOTHING
    if FROM_MONDAY.search(lead) and match["weekday"] in ("viernes", "sábado", "sabado", "domingo"):
        return NOTHING
    small = not guards.is_capitalised(match, "weekday", clock)
    if not small or (EVERY.search(lead) and not lead.endswith("de ")):
        return None
    return relative.read_bare(match, clock, language)


# "Le dernier lundi du mois" comes every month; that of May is found with its May.
NTH = re.compile(
    r"\b(?:premier|deuxième|second|troisième|quatrième|dernier|primer|segundo|tercer|cuarto|último)"
    r"\s{1,2}$"
)


def read_french_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Lundi, unless it is the first or last one of a month."""
    if NTH.search(guards.before(match)) and OF.match(match.string, match.end()):
        return NOTHING
    return relative.read_bare(match, clock, language)


def read_one(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """La dernière semaine, el último mes: the past one, until now."""
    if OF.match(match.string, match.end()):
        return None
    return relative.read_rolling(match, clock, language)


OF = re.compile(r"\s{1,3}(?:de|du|des|del|di|da|do)\b|\s{1,3}d'")
