"""Chinese and Japanese words that begin with a day or a month and are none: 明日香, 五月天."""

import re

from router.understand.grammar import relative
from router.understand.grammar.ahead import read_ahead
from router.understand.grammar.calendar import NOTHING, Span, box_of, third_of
from router.understand.grammar.clock import Clock
from router.understand.grammar.guards import after, before
from router.understand.grammar.lexicon import Language, Read

# People, bands, books, firms; "五月天气" is the weather in May, "今日子供" children today.
NAMES = re.compile(
    r"明日[香菜奈]|今日[香菜奈]|今日子(?!供|ど)|今日头条|今日頭條"
    r"|[一二三四五六七八九十0-9]{1,2}月(?:天(?!气|氣|候|空)|兔|のライオン|うさぎ)"
    r"|周一围|星期[一二三四五六日天]餐厅|[月火水木金土日]曜(?:どうでしょう|サスペンス|大工|洋画|ロードショー)"
)


# "发布三天后" counts from the release: without its own clause before it, a verb must look ahead.
HEAD = re.compile(r"(?:^|[\s，。、；：！？,.;:!?「（(我你您他她们在是约等再过はがもにで])$")
LOOKS_AHEAD = re.compile(r"\s?(?:要|得|会|有|到期|截止|出发|开始|见面|の予定|の締|に締)")


def read_after(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """三天后, 3日後: ahead, where it counts from now."""
    if not HEAD.search(before(match)) and not LOOKS_AHEAD.match(after(match)):
        return None
    return read_ahead(match, clock, language)


def unless_named(read: Read) -> Read:
    """The reading, unless a name begins there."""

    def guarded(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        if NAMES.match(match.string, match.start()):
            return NOTHING
        return read(match, clock, language)

    return guarded


def read_edge(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """年初, 月底: that third of the running year or month, once it has begun.

    Before, "年末" may be the last one as well as the next.
    """
    unit = "year" if match["unit"] == "年" else "month"
    start, end = third_of(box_of(unit, clock.now), unit, relative.EDGES[match["edge"]])
    return Span(start, end, "range", "edge", 0.7) if start <= clock.now else None
