"""Chinese, Japanese and Korean: their words and their common phrases."""

from router.understand.grammar import absolute, relative
from router.understand.grammar.lexicon import Language, Rule, rule
from router.understand.grammar.relative import whole

DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
          "十": 10, "十一": 11, "十二": 12}  # fmt: skip
MONTHS = {f"{number}月": number for number in range(1, 13)} | {
    f"{word}月": number for word, number in DIGITS.items() if word != "两"
}
CHINESE = Language(
    "zh",
    MONTHS,
    {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6},
    {"小时": "hour", "个小时": "hour", "分钟": "minute", "天": "day", "日": "day", "周": "week",
     "星期": "week", "个星期": "week", "个礼拜": "week", "个月": "month",
     "季度": "quarter", "年": "year", "周末": "weekend"},
    DIGITS | {"几": 3},
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
    {word: number for word, number in DIGITS.items() if word != "两"} | {"数": 3},
    {"一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "今日": 0, "本日": 0, "明日": 1,
     "明後日": 2},
    {"春": 1, "夏": 2, "秋": 3, "冬": 4},
    {"朝": "morning", "午前": "morning", "午後": "afternoon", "夕方": "evening", "夜": "night",
     "晩": "night"},
    spaced=False,
)  # fmt: skip
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
NO_DIGIT = "(?<![0-9一二三四五六七八九十第])"
YEAR_MARK = "(?<![0-9])"


def cjk_rules() -> tuple[Rule, ...]:
    """Every rule of the three languages."""
    return (*_chinese(), *_japanese(), *_korean())


def _dates(language: Language, year: str, day: str) -> tuple[Rule, ...]:
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
            "month_year",
            f"{YEAR_MARK}{{year}}{year} {{month}}",
            absolute.read_month_year,
            month_sign(language),
        ),
        rule(
            language,
            "year",
            f"{YEAR_MARK}{{year}}{year}(?![前间間内后後代])",
            absolute.read_said_year,
            year,
        ),
    )


def month_sign(language: Language) -> str:
    """The character every month name of that language ends in."""
    return next(iter(language.months))[-1]


def _chinese() -> tuple[Rule, ...]:
    return (*_chinese_days(), *_chinese_units())


def _chinese_days() -> tuple[Rule, ...]:
    day_part = relative.day_part
    return (
        *_dates(CHINESE, "年", "日|号"),
        rule(CHINESE, "day_word", "(?<!大){daywd}", relative.read_day_word),
        rule(CHINESE, "far_day_word", "(?P<daywd>大前天)", relative.read_day_word, "大前天"),
        rule(CHINESE, "yesterday_part", "昨(?:天)?{part}", day_part(-1), "昨"),
        rule(CHINESE, "today_part", "今(?:天)?{part}", day_part(0), "今"),
        rule(CHINESE, "tomorrow_part", "明天{part}", day_part(1), "明天"),
        rule(
            CHINESE,
            "ago",
            f"{NO_DIGIT}{{n}} {{unit}}(?:以前|之前|前)(?!后)",
            relative.read_ago,
            "前",
        ),
        rule(
            CHINESE,
            "rolling",
            "(?:过去|最近|近|这)(?:的)? {n} {unit}",
            relative.read_rolling,
            "过去 最近 近 这",
        ),
        rule(CHINESE, "last_week", "上(?:个)?(?:周|星期|礼拜)", whole("week", -1), "上"),
    )


def _chinese_units() -> tuple[Rule, ...]:
    of_week = relative.read_weekday_of_week
    week = "(?:个)?(?:周|星期|礼拜)"
    return (
        rule(
            CHINESE,
            "this_week",
            "(?:这|本)(?:个)?(?:周|星期|礼拜)",
            whole("week", 0),
            "这 本",
        ),
        rule(CHINESE, "next_week", "下(?:个)?(?:周|星期|礼拜)", whole("week", 1), "下"),
        rule(
            CHINESE,
            "before_last_week",
            "上上(?:个)?(?:周|星期|礼拜)",
            whole("week", -2),
            "上上",
        ),
        rule(CHINESE, "last_month", "上(?:个)?月", whole("month", -1), "上"),
        rule(CHINESE, "this_month", "(?:这|本)(?:个)?月", whole("month", 0), "这 本"),
        rule(CHINESE, "next_month", "下(?:个)?月", whole("month", 1), "下"),
        rule(CHINESE, "last_quarter", "上(?:个)?季度", whole("quarter", -1), "季度"),
        rule(CHINESE, "last_year", "去年", whole("year", -1), "去年"),
        rule(CHINESE, "year_before", "(?<![0-9])前年", whole("year", -2), "前年"),
        rule(CHINESE, "this_year", "今年|本年", whole("year", 0), "今年 本年"),
        rule(CHINESE, "next_year", "明年", whole("year", 1), "明年"),
        rule(CHINESE, "last_weekend", "上(?:个)?周末", whole("weekend", -1), "周末"),
        rule(CHINESE, "this_weekend", "(?:这|本)(?:个)?周末", whole("weekend", 0), "周末"),
        rule(CHINESE, "weekend", "(?<!每)周末", relative.read_the_weekend, "周末"),
        rule(CHINESE, "weekday_last_week", f"上{week}{{weekday}}", of_week(-1), "上"),
        rule(CHINESE, "weekday_this_week", f"(?:这|本){week}{{weekday}}", of_week(0), "这 本"),
        rule(CHINESE, "weekday_next_week", f"下{week}{{weekday}}", of_week(1), "下"),
        rule(CHINESE, "weekday_after_next", f"下下{week}{{weekday}}", of_week(2), "下下"),
        rule(CHINESE, "weekday_before_last", f"上上{week}{{weekday}}", of_week(-2), "上上"),
        rule(CHINESE, "after_next_week", f"下下{week}", whole("week", 2), "下下"),
        rule(
            CHINESE,
            "weekday",
            "(?<![每一二两三四五六七八九十几个0-9])(?:周|星期|礼拜){weekday}(?![年个天])",
            relative.read_bare,
            "周 星期 礼拜",
        ),
        rule(CHINESE, "season_year", "{year}年的? {season}", absolute.read_season_year),
        rule(
            CHINESE,
            "quarter",
            "(?:{year}年的?)?第?(?P<piece>[一二三四1-4])季度",
            absolute.piece_of_year("quarter"),
            "季度",
        ),
        rule(CHINESE, "season_last_year", "去年{season}", relative.read_season_of_year(-1), "去年"),
        rule(CHINESE, "season_this_year", "今年{season}", relative.read_season_of_year(0), "今年"),
        rule(
            CHINESE,
            "month",
            f"{NO_DIGIT}(?<!个){{month}}(?:份)?(?![0-9一二三四五六七八九十])",
            relative.read_bare,
            "月",
        ),
        rule(
            CHINESE,
            "soft",
            "最近(?!的)|前几天|近来|近期|前些天",
            relative.read_soft,
            "最近 前几 近来 近期 前些",
        ),
    )


def _japanese() -> tuple[Rule, ...]:
    of_week, day_part = relative.read_weekday_of_week, relative.day_part
    return (
        rule(JAPANESE, "day_word", "{daywd}", relative.read_day_word),
        rule(JAPANESE, "last_night", "昨夜|昨晩|ゆうべ", day_part(-1, "night"), "昨夜 昨晩 ゆうべ"),
        rule(JAPANESE, "this_morning", "今朝", day_part(0, "morning"), "今朝"),
        rule(JAPANESE, "tonight", "今夜|今晩", day_part(0, "night"), "今夜 今晩"),
        rule(JAPANESE, "yesterday_part", "昨日の{part}", day_part(-1), "昨日"),
        rule(
            JAPANESE,
            "ago",
            f"{NO_DIGIT}{{n}} {{unit}}(?:ほど|くらい|ぐらい)?前",
            relative.read_ago,
            "前",
        ),
        rule(
            JAPANESE,
            "rolling",
            "(?:過去|ここ|直近)(?:の)? {n} {unit}",
            relative.read_rolling,
            "過去 ここ 直近",
        ),
        rule(JAPANESE, "last_week", "先週", whole("week", -1), "先週"),
        rule(JAPANESE, "before_last_week", "先々週", whole("week", -2), "先々週"),
        rule(JAPANESE, "this_week", "今週", whole("week", 0), "今週"),
        rule(JAPANESE, "next_week", "来週", whole("week", 1), "来週"),
        rule(JAPANESE, "last_month", "先月", whole("month", -1), "先月"),
        rule(JAPANESE, "before_last_month", "先々月", whole("month", -2), "先々月"),
        rule(JAPANESE, "this_month", "今月", whole("month", 0), "今月"),
        rule(JAPANESE, "next_month", "来月", whole("month", 1), "来月"),
        rule(JAPANESE, "last_year", "昨年", whole("year", -1), "昨年"),
        rule(
            JAPANESE,
            "year_before",
            "一昨年|おととし",
            whole("year", -2),
            "一昨年 おととし",
        ),
        rule(JAPANESE, "next_year", "来年", whole("year", 1), "来年"),
        rule(JAPANESE, "last_weekend", "先週末|先週の週末", whole("weekend", -1), "週末"),
        rule(JAPANESE, "this_weekend", "今週末", whole("weekend", 0), "今週末"),
        rule(JAPANESE, "weekend", "(?<![先今来毎])週末", relative.read_the_weekend, "週末"),
        rule(JAPANESE, "weekday_last_week", "先週の?{weekday}曜日?", of_week(-1), "先週"),
        rule(JAPANESE, "weekday_this_week", "今週の?{weekday}曜日?", of_week(0), "今週"),
        rule(JAPANESE, "weekday_next_week", "来週の?{weekday}曜日?", of_week(1), "来週"),
        rule(JAPANESE, "weekday", "(?<!毎週)(?<!毎週の){weekday}曜日?", relative.read_bare, "曜"),
        rule(
            JAPANESE,
            "season_last_year",
            "(?:去年|昨年)の{season}",
            relative.read_season_of_year(-1),
            "年の",
        ),
        rule(
            JAPANESE,
            "soft",
            "先日|この前|この間|ここ最近",
            relative.read_soft,
            "先日 この前 この間 最近",
        ),
    )


def _korean() -> tuple[Rule, ...]:
    unit_at = relative.unit_at
    return (
        *_dates(KOREAN, "년", "일"),
        rule(KOREAN, "day_word", "{daywd}", relative.read_day_word),
        rule(KOREAN, "yesterday_part", "어제 {part}", relative.day_part(-1), "어제"),
        rule(KOREAN, "today_part", "오늘 {part}", relative.day_part(0), "오늘"),
        rule(KOREAN, "last_night", "어젯밤", relative.day_part(-1, "night"), "어젯밤"),
        rule(KOREAN, "ago", f"{NO_DIGIT}{{n}} {{unit}} 전", relative.read_ago, "전"),
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
