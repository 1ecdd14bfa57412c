"""Japanese: its common phrases."""

from router.understand.grammar import absolute, ago, cjk_words, relative
from router.understand.grammar.cjk import COUNTED, JAPANESE
from router.understand.grammar.lexicon import Rule, rule
from router.understand.grammar.relative import whole


def japanese_rules() -> tuple[Rule, ...]:
    """Every Japanese rule."""
    of_week, day_part = relative.read_weekday_of_week, relative.day_part
    return (
        rule(JAPANESE, "day_word", "{daywd}", cjk_words.unless_named(relative.read_day_word)),
        rule(JAPANESE, "last_night", "昨夜|昨晩|ゆうべ", day_part(-1, "night"), "昨夜 昨晩 ゆうべ"),
        rule(JAPANESE, "this_morning", "今朝", day_part(0, "morning"), "今朝"),
        rule(JAPANESE, "tonight", "今夜|今晩", day_part(0, "night"), "今夜 今晩"),
        rule(JAPANESE, "yesterday_part", "昨日の{part}", day_part(-1), "昨日"),
        rule(
            JAPANESE,
            "ago",
            f"{COUNTED}{{n}} {{unit}}(?:ほど|くらい|ぐらい)?前(?![半卫沿])",
            ago.read_ago,
            "前",
        ),
        rule(
            JAPANESE,
            "half_ago",
            "(?<![上下一二三四五六七八九十0-9])半年(?:ほど|くらい|ぐらい)?前",
            ago.half_of("year"),
            "半年",
        ),
        rule(
            JAPANESE,
            "ahead",
            f"{COUNTED}(?!数){{n}} {{unit}}後(?!半)",
            cjk_words.read_after,
            "後",
        ),
        rule(JAPANESE, "season_year", "{year}年の?{season}", absolute.read_season_year, "年"),
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
        rule(
            JAPANESE,
            "weekday",
            "(?<!毎週)(?<!毎週の){weekday}曜日?",
            cjk_words.unless_named(relative.read_bare),
            "曜",
        ),
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
