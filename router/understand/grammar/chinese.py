"""Chinese: its common phrases."""

from router.understand.grammar import absolute, ago, cjk_words, relative
from router.understand.grammar.cjk import CHINESE, COUNTED, NO_DIGIT, dated, decades, edges
from router.understand.grammar.lexicon import Rule, rule
from router.understand.grammar.relative import whole


def chinese_rules() -> tuple[Rule, ...]:
    """Every Chinese rule."""
    return (*_chinese_days(), *_chinese_units())


def _chinese_days() -> tuple[Rule, ...]:
    day_part = relative.day_part
    return (
        *dated(CHINESE, "年", "日|号"),
        rule(CHINESE, "day_word", "(?<!大){daywd}", cjk_words.unless_named(relative.read_day_word)),
        rule(CHINESE, "far_day_word", "(?P<daywd>大前天)", relative.read_day_word, "大前天"),
        rule(CHINESE, "yesterday_part", "昨(?:天)?{part}", day_part(-1), "昨"),
        rule(CHINESE, "today_part", "今(?:天)?{part}", day_part(0), "今"),
        rule(CHINESE, "tomorrow_part", "明天{part}", day_part(1), "明天"),
        rule(
            CHINESE,
            "ago",
            f"{COUNTED}{{n}} {{unit}}(?:以前|之前|前)(?![后半])",
            ago.read_ago,
            "前",
        ),
        rule(
            CHINESE, "half_ago", "(?<!上)(?<!下)半年(?:以前|之前|前)", ago.half_of("year"), "半年"
        ),
        rule(CHINESE, "half_ago", "半(?:个)?小时(?:以前|之前|前)", ago.half_of("hour"), "半"),
        rule(
            CHINESE,
            "ahead",
            f"{COUNTED}(?!几){{n}} {{unit}}(?:以后|之后|后)(?![的续来面期])",
            cjk_words.read_after,
            "后",
        ),
        *edges(CHINESE),
        *decades(CHINESE),
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
            cjk_words.unless_named(relative.read_bare),
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
            f"{NO_DIGIT}(?<!个)(?<!每年)(?<!毎年){{month}}(?:份)?(?![0-9一二三四五六七八九十])",
            cjk_words.unless_named(relative.read_bare),
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
