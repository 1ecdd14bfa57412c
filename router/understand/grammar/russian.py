"""Russian: its words and its common phrases."""

from router.understand.grammar import absolute, ago, ahead, relative, years
from router.understand.grammar.lexicon import Language, Rule, rule

GENITIVE = ("января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
            "октября", "ноября", "декабря")  # fmt: skip
LOCATIVE = ("январе", "феврале", "марте", "апреле", "мае", "июне", "июле", "августе", "сентябре",
            "октябре", "ноябре", "декабре")  # fmt: skip
RUSSIAN = Language(
    "ru",
    {name: number for names in (GENITIVE, LOCATIVE) for number, name in enumerate(names, start=1)},
    {"понедельник": 0, "вторник": 1, "среду": 2, "четверг": 3, "пятницу": 4, "субботу": 5,
     "воскресенье": 6},
    {"час": "hour", "часа": "hour", "часов": "hour", "день": "day", "дня": "day", "дней": "day",
     "неделю": "week", "недели": "week", "недель": "week", "неделе": "week", "месяц": "month",
     "месяца": "month", "месяцев": "month", "месяце": "month", "год": "year", "года": "year",
     "лет": "year", "году": "year", "выходные": "weekend"},
    {"один": 1, "одну": 1, "два": 2, "две": 2, "пару": 2, "три": 3, "несколько": 3, "четыре": 4,
     "пять": 5, "шесть": 6, "семь": 7, "десять": 10},
    {"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2},
    {"весной": 1, "летом": 2, "осенью": 3, "зимой": 4},
    {"утром": "morning", "днём": "afternoon", "днем": "afternoon", "вечером": "evening",
     "ночью": "night"},
)  # fmt: skip


def russian_rules() -> tuple[Rule, ...]:
    """Every Russian rule."""
    unit_at = relative.unit_at
    return (
        rule(RUSSIAN, "day_word", "{daywd}", relative.read_day_word),
        rule(RUSSIAN, "yesterday_part", "вчера {part}", relative.day_part(-1), "вчера"),
        rule(RUSSIAN, "today_part", "сегодня {part}", relative.day_part(0), "сегодня"),
        rule(RUSSIAN, "ago", "(?:{n} )?{unit} назад", ago.read_ago, "назад"),
        rule(RUSSIAN, "ahead", "через {n} {unit}", ahead.read_in, "через"),
        rule(RUSSIAN, "last_unit", "(?:в|на) прошл(?:ой|ом|ую|ый|ые) {unit}", unit_at(-1), "прошл"),
        rule(RUSSIAN, "this_unit", "(?:в|на) эт(?:ой|ом|у|от|и) {unit}", unit_at(0), "эт"),
        rule(
            RUSSIAN, "next_unit", "(?:в|на) следующ(?:ей|ем|ую|ий|ие) {unit}", unit_at(1), "следующ"
        ),
        rule(
            RUSSIAN,
            "rolling",
            "(?:за )?последни(?:е|х) {n} {unit}",
            relative.read_rolling,
            "последни",
        ),
        rule(
            RUSSIAN, "last_weekday", "прошл(?:ый|ую|ое) {weekday}", relative.read_last_bare, "прошл"
        ),
        rule(RUSSIAN, "weekday", "(?:в|во) {weekday}", relative.read_bare),
        rule(RUSSIAN, "last_season", "прошл(?:ой|ым) {season}", relative.read_last_bare, "прошл"),
        rule(RUSSIAN, "date", "{dom} {month}(?: {year})?", absolute.read_date),
        rule(RUSSIAN, "month_year", "{month} {year}", absolute.read_month_year),
        rule(RUSSIAN, "month", "(?:в|с|до) {month}", relative.read_bare),
        rule(RUSSIAN, "year", "(?:в )?{year} (?:году|года|год)", years.read_said_year, "год"),
        rule(RUSSIAN, "soft", "недавно|в последнее время", relative.read_soft, "недавно последнее"),
    )
