"""The same announcements in German, French, Spanish, Chinese and Japanese. Pure.

The analyser folds these languages but does not know their grammar (Chinese and Japanese are pairs
of characters), so nearly all that is said must stand in the older text, every name of it included.
"""

import re

from router.structure.change.cues import COVERED, SUBJECT, Fired, Rule
from router.structure.change.decisions import small_change
from router.structure.change.text import Sentence, share, stems

_FUNCTION = """
wir ich sie er es du ihr uns der die das den dem des ein eine einen einem einer und oder mit von
vom im in am an auf aus bei beim zu zum zur für nach ist sind war wird wurde wurden werden hat
haben habe seit jetzt nun noch nur auch schon als
nous je tu il elle on ils elles le la les l un une des du de d et ou avec pour dans en au aux par
sur chez a à est sont été ont avons ai que qui ce cette depuis maintenant déjà aussi
yo tú él ella nosotros ellos el los las una uno unos unas y o con para por del al se que fue fueron
ha han hemos he está están desde ahora también ya lo su
"""
FUNCTION = stems(_FUNCTION)
NEGATION = re.compile(
    r"\b(?:nicht|kein\w*|nie|niemals|ohne|pas|jamais|sans|no|nunca|sin|ni)\b|没有|没|从未|并未|ない|ません",
    re.IGNORECASE,
)
USED = re.compile(
    r"\b(?:nutz\w*|verwend\w*|läuft|laufen|utilis\w*|us(?:a|o|an|amos)|emple\w+|corre)\b|用|使",
    re.IGNORECASE,
)
UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")  # looked for first: most texts have none
_LATIN = r"[A-Za-z0-9][A-Za-z0-9 .+#_-]*"
_HAN = r"[\u30a0-\u30ff\u4e00-\u9fff]+?"
_KANA = r"[\u3040-\u309f]*"  # the endings of a Japanese verb
_THING = rf"(?:{_LATIN}|{_HAN})"
_DE = r"(?=\s+(?:für|in|im|auf|an|am|bei|beim|als|von|seit|weil|und|zu|zur|zum|nach)\b|[,;:(]|$)"
_FR = r"(?=\s+(?:pour|dans|en|à|au|aux|sur|chez|avec|depuis|parce|et|comme|par)\b|[,;:(]|$)"
_ES = r"(?=\s+(?:para|en|al?|con|desde|porque|y|como|por|de)\b|[,;:(]|$)"
_ZH = r"(?=做|来|作为|进行|处理|[，,、；]|$)"
_PAST_DE = (
    r"umgestiegen|gewechselt|umgezogen|verschoben|migriert|geändert|erhöht|gesenkt|verlegt|"
    r"umgestellt"
)
_MOVED_FR = r"pass|migr|chang|déplac|déménag|augment|rédui|report|bascul"
_MOVED_ES = r"pas|cambi|migr|mov|mud|traslad|aument|baj|sub|aplaz|mudamos"
_MOVED_ZH = r"换成|换到|改成|改为|改到|切换到|切换成|迁移到|升级到|移到|搬到|推迟到|提前到"
_MOVED_JA = r"切り替え|変更|移行|移し|移り|移動|乗り換え"


Patterns = tuple[tuple[re.Pattern[str], bool], ...]  # each with whether it reads an unspaced script


def _compiled(*patterns: str) -> Patterns:
    return tuple((re.compile(one, re.IGNORECASE), bool(UNSPACED.search(one))) for one in patterns)


FROM_TO = _compiled(
    rf"\bvo[nm]\s+(?P<old>.+?)\s+(?:auf|zu|nach|in)\s+(?P<new>.+?)\s+(?:{_PAST_DE})\b",
    rf"\b(?:{_MOVED_FR})\w*(?P<topic>\s.*?)?\s*\bd(?:e |u |es |')(?P<old>.+?)\s+(?:à|vers|au)\s+"
    rf"(?P<new>.+?){_FR}",
    rf"\b(?:{_MOVED_ES})\w*(?P<topic>\s.*?)?\s*\b(?:desde|del|de)\s+(?P<old>.+?)\s+(?:a|al|hacia)"
    rf"\s+(?P<new>.+?){_ES}",
    rf"从(?P<old>.+?)(?:{_MOVED_ZH})了?(?P<new>.+?){_ZH}",
    rf"(?P<old>{_THING})から(?P<new>{_THING})[にへ](?:{_MOVED_JA}){_KANA}",
)
INSTEAD = _compiled(
    rf"\b(?:statt|anstatt|anstelle von)\s+(?:mit |in |auf |bei |durch )?(?P<old>.+?){_DE}",
    rf"\b(?:au lieu d|plutôt qu|à la place d)(?:e |u |'|es )(?P<old>.+?){_FR}",
    rf"\b(?:en lugar|en vez) de(?:l)?\s+(?P<old>.+?){_ES}",
    rf"而不是(?P<old>.+?){_ZH}",
    rf"(?P<old>{_THING})の(?:代わり|かわり)に",
)
PASSIVE = _compiled(
    r"^(?P<old>.+?)\s+(?:wurden?|wird|ist|sind)\s+(?:jetzt |nun )?durch\s+(?P<new>.+?)\s+"
    r"(?:ersetzt|abgelöst)",
    r"^(?P<old>.+?)\s+(?:a|ont)\s+été\s+remplacée?s?\s+par\s+(?P<new>.+)$",
    r"^(?P<old>.+?)\s+(?:fue|fueron|ha sido|han sido)\s+(?:reemplazad|sustituid)[oa]s?\s+por\s+"
    r"(?P<new>.+)$",
    r"^(?P<old>.+?)(?:已经|已)?被(?P<new>.+?)(?:取代|替换|代替|替代)",
    r"^(?P<old>.+?)[はが](?P<new>.+?)に(?:置き換え|取って代わ)られ",
)
ACTIVE = _compiled(
    rf"^(?P<new>.+?)\s+ersetz(?:t|en|te|ten)\s+(?P<old>.+?){_DE}",
    rf"^(?P<new>.+?)\s+(?:remplacent?|a remplacé|ont remplacé)\s+(?P<old>.+?){_FR}",
    rf"^(?P<new>.+?)\s+(?:reemplaz|sustituy)\w+\s+(?:a |al )?(?P<old>.+?){_ES}",
    rf"(?P<new>{_THING})(?:取代|代替|替代|替换)了?(?P<old>{_THING}){_ZH}",
)
GONE = _compiled(
    r"\b(?:nicht|kein\w*)\s+(?:mehr|länger)\b",
    r"\b(?:ne\s+|n')(?P<kept>[^\s,]+)\s+plus\b(?! \w+ que)",
    r"\bya\s+no\b",
    r"\bdej(?:é|ó|amos|aron)\s+de\b",
    r"不再|已经不|已不",
    r"もう(?P<kept>.+?)(?:ていない|ていません|ない|ません)",
)
REVERSAL = _compiled(
    r"\b(?:zurückgenommen|rückgängig gemacht|zurückgerollt|abgesagt|storniert|aufgehoben|verworfen|"
    r"widerrufen)\b",
    r"\b(?:annul|abandonn|révoqu)(?:ée?s?|ons|e|ent)\b",
    r"\b(?:cancel|anul|suspend|descart|revert)(?:ad[oa]s?|id[oa]s?|amos|imos|ó|ió)\b",
    r"撤销|取消|回滚|撤回|作废|推翻",
    rf"(?:取り消|中止|撤回|キャンセル|元に戻){_KANA}",
)
_WE = r"(?:wir|ich|sie|er|das team|\w+)"
DECIDED = _compiled(
    rf"^{_WE} (?:haben|habe|hat) (?:uns |sich |mich )?(?:beschlossen|entschieden|vereinbart),? "
    r"(?P<what>.+)$",
    r"^(?:nous avons|on a|j'ai|ils ont|elles ont|l'équipe a|\w+ a) (?:décidé|choisi|convenu) "
    r"(?:de |d'|que )?(?P<what>.+)$",
    r"^(?:hemos |han |ha |he )?(?:decidi(?:do|mos)|acorda(?:do|mos)|elegi(?:do|mos)) (?P<what>.+)$",
    r"^(?:我们|我|团队|大家|他们)?(?:已经|最终|最后)?决定了?(?P<what>.+)$",
    r"^(?P<what>.+?)ことに(?:決めた|決めました|しました|した)$",
)


def from_to(older: Sentence, newer: Sentence) -> Fired:
    """Switched from X to Y: the older has X and not Y, and is about the same matter."""
    found = _first(FROM_TO, newer.text)
    if found is None or NEGATION.search(newer.text):
        return None
    told = found.groupdict().get("topic") or ""
    return _in_place_of(older, found, _without(found, told))


def instead_of(older: Sentence, newer: Sentence) -> Fired:
    """Y instead of X: the older has X, and half of what is said of Y."""
    found = _first(INSTEAD, newer.text)
    if found is None or NEGATION.search(newer.text[: found.start()]):
        return None
    old = content(found["old"])
    topic = content(_without(found))
    if not old or not old <= older.stems or topic <= older.stems:
        return None
    fits = share(topic, older.stems) >= SUBJECT
    return {"words": found[0], "old": found["old"].strip()} if fits else None


def replaced(older: Sentence, newer: Sentence) -> Fired:
    """X was replaced by Y, or Y replaces X."""
    if NEGATION.search(newer.text):
        return None
    found = _first(PASSIVE, newer.text)
    if found is not None:
        old = content(found["old"])
        fits = len(old) > 1 and old <= older.stems and not content(found["new"]) <= older.stems
        return {"words": found[0], "old": found["old"].strip()} if fits else None
    found = _first(ACTIVE, newer.text)
    if found is None:
        return None
    return _in_place_of(older, found, _without(found))


def no_longer(older: Sentence, newer: Sentence) -> Fired:
    """S no longer does P: the older says that S does P."""
    found = _first(GONE, newer.text)
    if found is None or _first(GONE, older.text):
        return None
    kept = found.groupdict().get("kept") or ""
    return _all_told(older, found, _without(found, kept))


def reverted(older: Sentence, newer: Sentence) -> Fired:
    """P was called off, taken back: the older tells of P."""
    found = _first(REVERSAL, newer.text)
    if found is None or _first(REVERSAL, older.text) or NEGATION.search(newer.text):
        return None
    return _all_told(older, found, _without(found))


def decided(older: Sentence, newer: Sentence) -> Fired:
    """Both are decisions, equal but for one short place."""
    old, new = _first(DECIDED, older.text), _first(DECIDED, newer.text)
    if old is None or new is None or NEGATION.search(older.text + newer.text):
        return None
    changed = small_change(old["what"], new["what"], content)
    return {"words": newer.text, **changed} if changed else None


RULES: dict[str, Rule] = {
    "switched_from_to": from_to,
    "instead_of": instead_of,
    "replaced_by": replaced,
    "no_longer": no_longer,
    "reverted": reverted,
    "decided": decided,
}


def announces(text: str) -> bool:
    """Whether any of the rules could fire on the text as the newer one."""
    every = (FROM_TO, INSTEAD, PASSIVE, ACTIVE, GONE, REVERSAL, DECIDED)
    return any(_first(patterns, text) for patterns in every)


def content(text: str) -> frozenset[str]:
    """Stems without the function words of these languages."""
    return stems(text) - FUNCTION


def _first(patterns: Patterns, text: str) -> re.Match[str] | None:
    is_unspaced = bool(UNSPACED.search(text))
    fitting = (one for one, unspaced in patterns if unspaced == is_unspaced)
    return next((found for one in fitting if (found := one.search(text))), None)


def _without(found: re.Match[str], kept: str = "") -> str:
    """The text that was searched with only `kept` of what was found."""
    return found.string[: found.start()] + kept + found.string[found.end() :]


def _in_place_of(older: Sentence, found: re.Match[str], beside: str) -> Fired:
    old, new, topic = content(found["old"]), content(found["new"]), content(beside)
    if not old or not old <= older.stems or (new - old) & older.stems:
        return None
    fits = share(topic, older.stems) >= SUBJECT if topic else bool(USED.search(older.text))
    return {"words": found[0], "old": found["old"].strip()} if fits else None


def _all_told(older: Sentence, found: re.Match[str], rest: str) -> Fired:
    """The evidence, when the older tells nearly all of the rest, and every name in it."""
    what = content(rest)
    names = content(" ".join(re.findall(r"\b[A-ZÀ-Þ][\w'-]*", rest)))
    if len(what & older.stems) < 2 or share(what, older.stems) < COVERED:
        return None
    return {"words": found[0]} if names <= older.stems else None
