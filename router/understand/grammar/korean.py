"""Korean: its words and its most common phrases."""

from router.understand.grammar import ago, relative
from router.understand.grammar.cjk import COUNTED, NO_DIGIT, dated
from router.understand.grammar.lexicon import Language, Rule, rule
from router.understand.grammar.relative import whole

KOREAN = Language(
    "ko",
    {f"{number}월": number for number in range(1, 13)},
    {"월요일": 0, "화요일": 1, "수요일": 2, "목요일": 3, "금요일": 4, "토요일": 5, "일요일": 6},
    {"시간": "hour", "일": "day", "주": "week", "주일": "week", "달": "month", "개월": "month",
     "년": "year", "주말": "weekend", "해": "year"},
    {"한": 1, "두": 2, "세": 3, "네": 4, "며칠": 3},
    {"그저께": -2, "어제": -1, "오늘": 0, "내일": 1, "모레": 2},
    {"봄": 1, "여름": 2, "가을": 3, "겨울": 4},
    {"아침": "morning", "오전": "morning", "오후": "afternoon", "저녁": "evening", "밤": "night"},
    spaced=False,
)  # fmt: skip


def korean_rules() -> tuple[Rule, ...]:
    """Every Korean rule."""
    unit_at = relative.unit_at
    return (
        *dated(KOREAN, "년", "일"),
        rule(KOREAN, "day_word", "{daywd}", relative.read_day_word),
        rule(KOREAN, "yesterday_part", "어제 {part}", relative.day_part(-1), "어제"),
        rule(KOREAN, "today_part", "오늘 {part}", relative.day_part(0), "오늘"),
        rule(KOREAN, "last_night", "어젯밤", relative.day_part(-1, "night"), "어젯밤"),
        rule(KOREAN, "ago", f"{COUNTED}{{n}} {{unit}} 전", ago.read_ago, "전"),
        rule(KOREAN, "rolling", "(?:지난|최근) {n} {unit}", relative.read_rolling, "지난 최근"),
        rule(KOREAN, "last_unit", "지난 {unit}", unit_at(-1), "지난"),
        rule(KOREAN, "this_unit", "이번 {unit}", unit_at(0), "이번"),
        rule(KOREAN, "next_unit", "다음 {unit}", unit_at(1), "다음"),
        rule(KOREAN, "last_year", "작년", whole("year", -1), "작년"),
        rule(KOREAN, "this_year", "올해", whole("year", 0), "올해"),
        rule(KOREAN, "next_year", "내년", whole("year", 1), "내년"),
        rule(KOREAN, "last_bare", "지난 (?:{weekday}|{season})", relative.read_last_bare, "지난"),
        rule(KOREAN, "weekday", "{weekday}", relative.read_bare, "요일"),
        rule(KOREAN, "month", f"{NO_DIGIT}{{month}}(?:에|부터|까지)", relative.read_bare, "월"),
        rule(KOREAN, "soft", "최근에?|얼마 전|요즘", relative.read_soft, "최근 얼마 요즘"),
    )
