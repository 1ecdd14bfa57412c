"""The grammar beside dateparser, a library of single moments: where it is right, and where not.

dateparser gives one moment for a whole text; the grammar gives a window for a phrase inside a
question. They agree where its moment lies in our window, which begins on the same day.
"""

from datetime import UTC, datetime

import dateparser
import pytest

from channels.window import Window
from router.understand.time import find_window

CLOCKS = (datetime(2025, 6, 11, 15, 30), datetime(2025, 3, 9, 20), datetime(2024, 1, 1, 9))
AGREED = {
    "en": """
yesterday
today
tomorrow
the day before yesterday
day after tomorrow
3 days ago
10 days ago
two days ago
a week ago
2 weeks ago
3 months ago
a month ago
2 years ago
a year ago
5 hours ago
20 minutes ago
an hour ago
3 days from now
2025-05-17
2025-05-17T09:30
2025-05-17 14:20
2024/12/01
21.01.2024
March 3, 2024
3 March 2024
3rd of March 2024
Mar 3 2024
March 3rd
on 3/4/2025
13/4/2025
May 7
December 31
Friday
last Monday
last Friday
last Wednesday
March 2024
in March
last week
last month
last year
next week
next month
this week
next Friday
yesterday at 3pm
yesterday at 15:30
yesterday noon
today at 10am
3 days ago at 5pm
March 3 2024 at 7:15 pm
""",
    "de": """
gestern
heute
vorgestern
vor 3 Tagen
vor zwei Wochen
vor einem Monat
3. März 2024
21.01.2024
März 2024
gestern um 15:30
morgen
Freitag
letzte Woche
letztes Jahr
""",
    "fr": """
hier
aujourd'hui
demain
avant-hier
il y a 3 jours
il y a trois jours
il y a 2 semaines
il y a un mois
3 mars 2024
vendredi
mars 2024
hier à 15h30
hier à 15:30
la semaine dernière
""",
    "es": """
ayer
hoy
mañana
anteayer
hace 3 días
hace un mes
3 de marzo de 2024
marzo de 2024
ayer a las 15:30
martes
la semana pasada
""",
    "zh": """
昨天
今天
明天
前天
3天前
2024年3月5日
2024年3月
""",
    "ja": """
昨日
今日
明日
一昨日
3日前
2週間前
1か月前
2024年3月5日
2024年3月
金曜日
""",
}
# Phrase by language, clock, what dateparser says, what we say; None: nothing.
DIFFERENT = [
    # A weekday on its own is the latest that has begun, today's too; only "last" leaves today out.
    ("en", "Wednesday", 0, "2025-06-04 00:00", "2025-06-11 00:00"),
    ("en", "Sunday", 1, "2025-03-02 00:00", "2025-03-09 00:00"),
    ("zh", "星期一", 2, "2023-12-25 00:00", "2024-01-01 00:00"),
    # "In three days" is as often how long something took.
    ("en", "in 3 days", 0, "2025-06-14 15:30", None),
    # A number on its own is no year.
    ("en", "2023", 0, "2023-06-11 00:00", None),
    # Weekdays without an article: theirs leaves today out.
    ("de", "am Freitag", 0, None, "2025-06-06 00:00"),
    ("es", "lunes", 2, "2023-12-25 00:00", "2024-01-01 00:00"),
    ("es", "el lunes", 0, None, "2025-06-09 00:00"),
    # Errors of the library: the month jumps on New Year's Day, hours in words get lost.
    ("en", "3pm", 2, "2023-01-31 15:00", "2023-12-31 15:00"),
    ("de", "gestern um 15 Uhr", 1, "2025-03-08 20:00", "2025-03-08 15:00"),
    ("ja", "昨日の午後3時", 1, "2025-03-08 20:00", "2025-03-08 15:00"),
    # It knows no such phrase.
    ("de", "letzten Montag", 0, None, "2025-06-09 00:00"),
    ("fr", "lundi dernier", 0, None, "2025-06-09 00:00"),
    ("es", "hace dos semanas", 0, None, "2025-05-26 00:00"),
    ("zh", "两周前", 0, None, "2025-05-26 00:00"),
    ("zh", "5月3日", 0, None, "2025-05-03 00:00"),
    ("zh", "昨天下午3点", 0, None, "2025-06-10 15:00"),
    ("en", "the week before last", 0, None, "2025-05-26 00:00"),
    ("en", "since Q3", 0, None, "2024-07-01 00:00"),
    ("en", "last summer", 0, None, "2024-06-01 00:00"),
    ("en", "three Fridays ago", 0, None, "2025-05-23 00:00"),
    # Words that are no dates.
    ("en", "may", 0, "2025-05-11 00:00", None),
    ("en", "march", 0, "2025-03-11 00:00", None),
    ("en", "sun", 0, "2025-06-08 00:00", None),
]


def theirs(text: str, language: str, now: datetime) -> datetime | None:
    settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "past"}
    found: datetime | None = dateparser.parse(text, languages=[language], settings=settings)
    return found and found.replace(tzinfo=UTC)


def ours(text: str, now: datetime) -> Window | None:
    return find_window(text, now.replace(tzinfo=UTC))


PHRASES = [
    (language, text) for language, texts in AGREED.items() for text in texts.strip().splitlines()
]


@pytest.mark.parametrize(("language", "text"), PHRASES)
def test_moment_that_dateparser_gives_lies_in_our_window(language: str, text: str) -> None:
    for now in CLOCKS:
        moment, window = theirs(text, language, now), ours(text, now)
        assert moment is not None
        assert window is not None
        assert window.start is not None
        assert window.end is not None
        assert window.start <= moment < window.end, (text, now)


@pytest.mark.parametrize(("language", "text", "clock", "their", "our"), DIFFERENT)
def test_differences_are_those_listed(
    language: str, text: str, clock: int, their: str | None, our: str | None
) -> None:
    moment, window = theirs(text, language, CLOCKS[clock]), ours(text, CLOCKS[clock])
    assert (moment and f"{moment:%Y-%m-%d %H:%M}") == their
    assert (window and f"{window.start:%Y-%m-%d %H:%M}") == our
