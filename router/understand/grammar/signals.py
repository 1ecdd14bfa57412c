"""Signs in a question that it asks for a time, or for the newest, without naming a window."""

import re

from channels.window import Recency

READ = 2_000  # characters of a question that are read

# "How long is the fence" asks for metres: the thing ends the phrase, or a word for a place follows
# ("how long was the fence broken" asks for a time).
MEASURED = (
    r"(?:fences?|tables?|desks?|boards?|planks?|ropes?|cables?|cords?|strings?|wires?|hoses?|pipes?"
    r"|rivers?|roads?|streets?|bridges?|tunnels?|walls?|hair|beards?|tails?|legs?|arms?|noses?|necks?"
    r"|boats?|ships?|cars?|trucks?|vans?|trailers?|beds?|sofas?|couch(?:es)?|rugs?|carpets?|curtains?"
    r"|dress(?:es)?|skirts?|sleeves?|scarf|scarves|trousers|jeans|swords?|kni(?:fe|ves)|blades?"
    r"|poles?|ladders?|shel(?:f|ves)|beams?|benches|bench|pools?|gardens?|fields?|corridors?"
    r"|hallways?|rooms?|driveways?|coastlines?|borders?|beach(?:es)?|trench(?:es)?|banners?|ramps?"
    r"|counters?|countertops?|sticks?|screws?|nails?|chains?|ribbons?|leash(?:es)?|pencils?"
    r"|passwords?|tokens?|keys?|hash(?:es)?|urls?|file\s?names?|messages?|prompts?|tweets?|paragraphs?"
    r"|sentences?|words?|lines?|lists?|arrays?|vectors?|essays?|articles?|documents?|texts?|queues?"
    r"|columns?|fingers?|snakes?|feet|foot|metres?|meters?|cm|centimet(?:re|er)s?|mm"
    r"|inch(?:es)?|km|kilomet(?:re|er)s?|miles?)"
)
BEHIND = (
    r"(?:\W{0,3}$|[?.,;]|\s(?:around|behind|of|between|along|near|beside|be|needs?\sto\sbe|do|did"
    r"|we|i|you|that|which|and|or)\b|\sin\s(?:[mck]?m|feet|inches|miles|characters|words|bytes)\b"
    r"|\sin\s(?:met|cent|kilom)|\sin\sthe\s(?:back)?(?:yard|garden)\b)"
)
NO_LENGTH = (
    r"(?!\s(?:(?:is|are|was|were|should|must|do|does|did|in|an?)\s(?:[\w'-]{1,20}\s){0,4}?)?"
    rf"{MEASURED}{BEHIND})"
)
# "What time zone", "what day care": the word for a time only tells the kind of a thing.
NO_KIND = (
    r"(?![\s-]{1,2}(?:zones?|signatures?|complexity|formats?|machines?|series|tracking|tracker"
    r"|management|stamps?|sheets?|servers?|sync|units?|travel|share|capsules?"
    r"|cares?|jobs?|trips?|pass(?:es)?|planners?|schools?|spas?|rates?|camps?|packs?|nights?|nurser(?:y|ies)"
    r"|centers?|centres?|beds?|dreams?|laborers?|shift|trad(?:ers?|ing)|wear|cream"
    r"|pickers?|librar(?:y|ies)|palms?|syrup|ideas?|spots?|types?|fields?|columns?|pars(?:ers?|ing)"
    r"|books?|tickets?|finales?|hands?|notes?|horses?|bags?|houses?|eggs?|calendars?)\b)"
)
ASKS = re.compile(
    r"(?:^|[?.!,;:]\s{0,3}|\b(?:and|or|so|but|hey|know|tell me|remember|recall|remind me|say|said"
    r"|asks?|wonder|exactly|sure|find out|check|mention(?:ed)?|of|about|if|me)\s{1,3})"
    r"(?:since\s|until\s|by\s|from\s|around\s)?when(?:'s|'d|\s(?:exactly\s)?"
    r"(?:did|do|does|is|was|were|are|will|would|has|have|had|am|can|could|should|might"
    r"|the\s|it\s|i\s|we\s|he\s|she\s|they\s|my\s|our\s|you\s|[\w'-]{1,30}\s))"
    r"|(?:^|\s)when\s{0,2}\?"
    rf"|\bhow\s(?:long{NO_LENGTH}|recently|soon|early|late|many\s(?:minutes|hours|days|weeks|months|years|decades)\b"
    r"|much\s(?:time|longer|later|earlier))"
    r"|\b(?:what|which|whose)\s(?:exact\s|specific\s)?(?:day|date|time|month|year|week|weekday|season|decade|quarter|century|hour|weekend)s?\b"
    + NO_KIND
    + r"|\b(?:what\sis\sthe\s(?:exact\s)?(?:date|day|time)|what's\sthe\s(?:date|day))\b"
    + NO_KIND
    + "|"
    r"\b(?:date|day|year|time)\s(?:when|that\s\w{1,20}\s|on\swhich|in\swhich|of\sthe)|\bhow\sold\b|\bsince\swhen\b"
    r"|\bat\swhat\s(?:time(?!\szone)|point|age)\b"
    r"|\bwann\b|\bwie\s(?:lange|alt)\b|\ban\swelchem\stag\b|\bin\swelchem\sjahr\b|\bwelches\s(?:datum|jahr)\b"
    r"|\bquand\s|\bdepuis\scombien\b|\bcombien\sde\stemps\b|\bquelle?\s(?:date|année|jour|heure)\b"
    r"|\bcuándo\b|\bcuando\sfue\b|\bcuánto\stiempo\b|\bqué\s(?:día|fecha|año|mes|hora)\b"
    r"|\bquando\b|\bquanto\stempo\b|\bche\sgiorno\b|\bque\sdia\b"
    r"|когда|как\sдолго|в\sкаком\sгоду"
    r"|什么时候|何时|哪天|哪一天|几号|哪年|哪一年|几月|多久|几点|什么时间|哪个月|多长时间"
    r"|いつ(?!も|か|の間|でも)|何日|何月|何年|何時|どのくらいの期間|언제|며칠|몇\s?년|몇\s?월"
)
# "When I was at the lake, what did we eat?": the question is another one.
CLAUSE = re.compile(
    r"^\W{0,3}when\s(?!(?:did|do|does|is|was|were|are|will|would|has|have|had|can|could|should)\b)"
    r"[^?]{1,200}?,?\s(?:what|who|whom|whose|where|which|why|how|did|do|does|is|was|were|are|can|could|would|will|should)\b"
)
OTHER = re.compile(
    r"\b(?:how\s(?:long|recently|old|many\s(?:days|weeks|months|years|hours))|what\s(?:day|date|time|year|month))\b"
)

A_TIME = (  # "last week" is a window, not the newest of something
    r"(?!\s(?:few|couple|\d|one|two|three|four|five|six|seven|ten|minute|hour|day|night|evening|week"
    r"|weekend|fortnight|month|quarter|year|decade|century|mon|tue|wed|thu|fri|sat|sun|jan|feb"
    r"|mar(?:ch)?\b|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|christmas|easter"
    r"|name))"
)
# "What makes a friendship last" has none of these before "last", "who called last" has.
PAST = (
    r"\w{2,20}ed|came|went|ran|left|spoke|wrote|saw|met|won|sent|said|made|got|took|gave|broke|ate|paid"
    r"|read|told|sold|bought|began|rang"
)
LAST = re.compile(
    r"\bmost\srecent(?:ly)?\b|\blast\s(?:(?:few|couple\sof|[0-9]{1,3}|two|three|four|five|ten)\s)?"
    r"(?:thing|time|conversation|chat|message|session|discussion|topic|meeting"
    r"|talk|note|memory|entry|decision|update|one|call|email|question|exchange|release|deploy"
    r"|deployment|build|incident|outage|commit|change|version)s?\b"
    r"|\b(?:talk(?:ed|ing)?|spoke|speak|discuss(?:ed)?|chat(?:ted)?|said|say|sa(?:w|id)|mention(?:ed)?|work(?:ed|ing)?|did|do|tell|told"
    r"|decided?|left|leave)\b(?:\s[\w']{1,20}){0,4}\slast(?:\s{0,2}[?.!]|\s{0,2}$)"
    rf"|\b(?:what|which|who|whom|where)\b[^?.!]{{0,80}}\b(?:did|was|were|ha[sd]|have|{PAST})\b"
    r"(?:\s[\w']{1,20}){0,5}\slast(?:\s{0,2}[?.!]|\s{0,2}$)"
    r"|\bwhere\s(?:did\s)?we\s(?:left|leave)\soff\b"
    rf"|\bwhen\s(?:did|was|were|have)\b[^?]{{0,60}}\blast\b{A_TIME}"
    r"|\blatest\s(?:thing|message|conversation|decision)\b"
    r"|\bzuletzt\b|\bla\sdernière\sfois\b|\bla\súltima\svez\b|上次|最后一次|最近一次|前回|最後に|지난번"
)
# To last is a verb too: "how long did the siege last" asks for a duration.
LASTS = re.compile(
    r"\bhow\s(?:much|long|many)\b[^?]{0,200}\slast\W{0,3}$"
    r"|(?:\b(?:will|would|to|can|could|should|might|not|it)|n't)\slast\W{0,3}$"
    r"|^\W{0,3}did\s(?!(?:i|we|you|he|she)\b)[^?]{1,100}\slast\W{0,3}$"
)
RECENT = re.compile(
    r"\brecent(?:ly)?\b|\blately\b|\blatest\b|\bnewest\b|\bmost\srecent\b|\bnowadays\b|\bthese\sdays\b"
    r"|\bright\snow\b|\bat\sthe\smoment\b|\bas\sof\snow\b|\bcurrently\b|\bthe\sother\sday\b|\bup\sto\snow\b"
    r"|\b(?:do|does|am|is|are)\b[^?]{0,80}\bnow\s{0,2}(?:\?|$)"
    r"|\bkürzlich\b|\bneulich\b|\bderzeit\b|\bmomentan\b|\baktuell\b(?!e)|\brécemment\b|\bactuellement\b"
    r"|\brecientemente\b|\búltimamente\b|\bactualmente\b|\brecentemente\b|\bultimamente\b|недавно|сейчас"
    r"|最近|近来|目前|现在|最新|この頃|現在|요즘|최근"
)


LAST_NEEDLES = (
    "last", "recent", "left off", "leave off", "latest", "zuletzt", "dernière", "última", "上次",
    "最", "前回", "지난번",
)  # fmt: skip
RECENT_NEEDLES = (
    "recent", "late", "newest", "now", "these days", "moment", "current", "the other day",
    "kürzlich", "neulich", "derzeit", "aktuell", "récemment", "actuel", "actual", "ltimamente",
    "недавно",
    "сейчас", "最", "近来", "目前", "现在", "現在", "この頃", "요즘",
)  # fmt: skip


def asks_for_date(text: str) -> bool:
    """Whether the question asks for a date or a duration, in any of nine languages."""
    return date_words(text) is not None


def date_words(text: str) -> str | None:
    """The words that ask for a date or a duration, lower case; None where none do."""
    low = text[:READ].lower().replace("’", "'")
    asked = ASKS.search(low)
    if asked is not None and CLAUSE.match(low):
        asked = OTHER.search(low)
    return asked and asked[0].strip(" ?.!,;:")


def recency_asked(text: str) -> Recency:
    """Whether the question wants the newest first, newer ones rather ("recent"), or neither.

    New, change, update and current are words about things, not about age: they ask for neither.
    """
    return recency_words(text)[0]


def recency_words(text: str) -> tuple[Recency, str]:
    """What `recency_asked` says, with the words that say it, lower case."""
    low = text[:READ].lower().replace("’", "'")
    if any(map(low.__contains__, LAST_NEEDLES)) and (last := LAST.search(low)):
        words = last[0].strip(" ?.!")
        if not (words.endswith(" last") and LASTS.search(low)):
            return "last", words
    if any(map(low.__contains__, RECENT_NEEDLES)) and (recent := RECENT.search(low)):
        return "recent", recent[0].strip(" ?.!")
    return "none", ""
