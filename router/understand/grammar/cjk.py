"""Chinese, Japanese and Korean: the words of the first two, and the rules all three build alike."""

from router.understand.grammar import absolute, cjk_words, years
from router.understand.grammar.lexicon import Language, Rule, rule

DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
          "十": 10, "十一": 11, "十二": 12}  # fmt: skip
MONTHS = {f"{number}月": number for number in range(1, 13)} | {
    f"{word}月": number for word, number in DIGITS.items() if word != "两"
}
TENS = {f"{ten}十": number * 10 for ten, number in DIGITS.items() if 2 <= number <= 9}
COUNTS = DIGITS | {"十": 10} | TENS | {
    f"{ten}十{one}" if ten != "一" else f"十{one}": DIGITS[ten] * 10 + DIGITS[one]
    for ten in "一二三四五六七八九"
    for one in "一二三四五六七八九"
}  # fmt: skip
CHINESE = Language(
    "zh",
    MONTHS,
    {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6},
    {"小时": "hour", "个小时": "hour", "分钟": "minute", "天": "day", "日": "day", "周": "week",
     "星期": "week", "个星期": "week", "个礼拜": "week", "个月": "month",
     "季度": "quarter", "年": "year", "周末": "weekend"},
    COUNTS | {"几": 3},
    {"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "后天": 2},
    {"春天": 1, "夏天": 2, "秋天": 3, "冬天": 4, "春季": 1, "夏季": 2, "秋季": 3, "冬季": 4},
    {"早上": "morning", "上午": "morning", "早晨": "morning", "下午": "afternoon",
     "傍晚": "evening", "晚上": "evening", "晚": "evening", "夜里": "night", "早": "morning"},
    spaced=False,
)  # fmt: skip
JAPANESE = Language(
    "ja",
    MONTHS,
    {"月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5, "日": 6},
    {"時間": "hour", "分": "minute", "日": "day", "日間": "day", "週間": "week", "週": "week",
     "ヶ月": "month", "か月": "month", "カ月": "month", "ヶ月間": "month", "か月間": "month",
     "年": "year", "年間": "year", "週末": "weekend", "月": "month"},
    {word: number for word, number in COUNTS.items() if word != "两"} | {"数": 3},
    {"一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "今日": 0, "本日": 0, "明日": 1,
     "明後日": 2},
    {"春": 1, "夏": 2, "秋": 3, "冬": 4},
    {"朝": "morning", "午前": "morning", "午後": "afternoon", "夕方": "evening", "夜": "night",
     "晩": "night"},
    spaced=False,
)  # fmt: skip
NO_DIGIT = "(?<![0-9一二三四五六七八九十第])"
COUNTED = "(?<![0-9一二三四五六七八九十第月年.])"  # "3月5日之前" is before the 5th
YEAR_MARK = "(?<![0-9])"


DECADES = {f"{digit}十": 1900 + DIGITS[digit] * 10 for digit in "五六七八九"}


def dated(language: Language, year: str, day: str) -> tuple[Rule, ...]:
    """Year, month and day by their unit signs."""
    return (
        rule(
            language,
            "date",
            f"(?:{YEAR_MARK}{{year}}{year} )?{NO_DIGIT}{{month}} {{dom}}(?:{day})",
            absolute.read_date,
            month_sign(language),
        ),
        rule(
            language,
            "days",
            f"(?:{YEAR_MARK}{{year}}{year} )?{NO_DIGIT}{{month}} {{dom}}(?:{day})?"
            f"(?:到|至|-|~|から){{dom2}}(?:{day})",
            absolute.read_date,
            month_sign(language),
        ),
        rule(
            language,
            "month_year",
            f"{YEAR_MARK}{{year}}{year} {{month}}",
            absolute.read_month_year,
            month_sign(language),
        ),
        rule(
            language,
            "year",
            f"{YEAR_MARK}{{year}}{year}(?![间間内代])",
            years.read_said_year,
            year,
        ),
    )


def edges(language: Language) -> tuple[Rule, ...]:
    """The beginning and the end of the running month and year: 年初, 月底."""
    ahead_of = "(?<![0-9一二三四五六七八九十上下本个個这這今先来去前明每毎同当])"
    return (
        rule(
            language,
            "edge",
            f"{ahead_of}(?P<unit>年)(?P<edge>[初底末])(?!始)",
            cjk_words.read_edge,
            "年初 年底 年末",
        ),
        rule(
            language,
            "edge",
            f"{ahead_of}(?P<unit>月)(?P<edge>[初底末])",
            cjk_words.read_edge,
            "月初 月底 月末",
        ),
    )


def decades(language: Language) -> tuple[Rule, ...]:
    """90年代, 九十年代."""
    return (
        rule(
            language,
            "decade",
            f"{YEAR_MARK}(?P<decade>(?:19)?[5-9]0|20[0-9]0)年代",
            years.read_decade,
            "年代",
        ),
        rule(
            language,
            "spoken_decade",
            "(?P<decade>[五六七八九]十)年代",
            years.read_spoken_decade(DECADES),
            "年代",
        ),
    )


def month_sign(language: Language) -> str:
    """The character every month name of that language ends in."""
    return next(iter(language.months))[-1]
