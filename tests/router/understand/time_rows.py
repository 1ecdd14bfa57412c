"""Expressions with the windows they mean, local wall time, under three clocks in three zones.

A row is `text | start | end`; a date stands for its midnight, `..` for an open side.
"""

MIDWEEK = """
what did I do yesterday | 2025-06-10 | 2025-06-11
what is on today | 2025-06-11 | 2025-06-12
what do I have tomorrow | 2025-06-12 | 2025-06-13
the day before yesterday | 2025-06-09 | 2025-06-10
the day after tomorrow | 2025-06-13 | 2025-06-14
what did we cook last night | 2025-06-10T18 | 2025-06-11T06
yesterday morning | 2025-06-10T05 | 2025-06-10T12
yesterday afternoon | 2025-06-10T12 | 2025-06-10T17
yesterday evening | 2025-06-10T17 | 2025-06-11
this morning | 2025-06-11T05 | 2025-06-11T12
this afternoon | 2025-06-11T12 | 2025-06-11T17
this evening | 2025-06-11T17 | 2025-06-12
tonight | 2025-06-11T18 | 2025-06-12T06
on Monday morning | 2025-06-09T05 | 2025-06-09T12
what did we fix last week | 2025-06-02 | 2025-06-09
this week | 2025-06-09 | 2025-06-16
next week | 2025-06-16 | 2025-06-23
the week before last | 2025-05-26 | 2025-06-02
last month | 2025-05-01 | 2025-06-01
this month | 2025-06-01 | 2025-07-01
next month | 2025-07-01 | 2025-08-01
the month before last | 2025-04-01 | 2025-05-01
last year | 2024-01-01 | 2025-01-01
this year | 2025-01-01 | 2026-01-01
next year | 2026-01-01 | 2027-01-01
last quarter | 2025-01-01 | 2025-04-01
this quarter | 2025-04-01 | 2025-07-01
last weekend | 2025-06-07 | 2025-06-09
the past weekend | 2025-06-07 | 2025-06-09
this weekend | 2025-06-14 | 2025-06-16
what did we do on the weekend | 2025-06-07 | 2025-06-09
last Monday | 2025-06-09 | 2025-06-10
last Wednesday | 2025-06-04 | 2025-06-05
last Friday | 2025-06-06 | 2025-06-07
who called on Friday? | 2025-06-06 | 2025-06-07
who called on Wednesday? | 2025-06-11 | 2025-06-12
next Friday | 2025-06-13 | 2025-06-14
this Friday | 2025-06-13 | 2025-06-14
Monday of last week | 2025-06-02 | 2025-06-03
last week on Tuesday | 2025-06-03 | 2025-06-04
three Fridays ago | 2025-05-23 | 2025-05-24
two Mondays ago | 2025-06-02 | 2025-06-03
3 days ago | 2025-06-08 | 2025-06-09
a couple of days ago | 2025-06-09 | 2025-06-10
a few days ago | 2025-06-08 | 2025-06-09
two weeks ago | 2025-05-26 | 2025-06-02
a week ago | 2025-06-02 | 2025-06-09
6 months ago | 2024-12-01 | 2025-01-01
four years ago | 2021-01-01 | 2022-01-01
five hours ago | 2025-06-11T10 | 2025-06-11T11
two weekends ago | 2025-05-31 | 2025-06-02
half a year ago | 2024-12-01 | 2025-01-01
a week ago on Friday | 2025-06-06 | 2025-06-07
over the past 10 days | 2025-06-01T15:30 | 2025-06-11T15:30
in the last 24 hours | 2025-06-10T15:30 | 2025-06-11T15:30
the last two weeks | 2025-05-28T15:30 | 2025-06-11T15:30
during the past month | 2025-05-11T15:30 | 2025-06-11T15:30
in the last month | 2025-05-11T15:30 | 2025-06-11T15:30
the past few weeks | 2025-05-21T15:30 | 2025-06-11T15:30
the previous 5 years | 2020-06-11T15:30 | 2025-06-11T15:30
what have I read recently | 2025-05-28T15:30 | 2025-06-11T15:30
how have I slept lately | 2025-05-28T15:30 | 2025-06-11T15:30
we met the other day | 2025-05-28T15:30 | 2025-06-11T15:30
earlier this week | 2025-06-09 | 2025-06-11T15:30
later this month | 2025-06-11T15:30 | 2025-07-01
earlier today | 2025-06-11 | 2025-06-11T15:30
in 2 weeks' time | 2025-06-23 | 2025-06-30
three days from now | 2025-06-14 | 2025-06-15
in March | 2025-03-01 | 2025-04-01
in may | 2025-05-01 | 2025-06-01
in June | 2025-06-01 | 2025-07-01
in July | 2024-07-01 | 2024-08-01
the December invoice | 2024-12-01 | 2025-01-01
last March | 2025-03-01 | 2025-04-01
last June | 2024-06-01 | 2024-07-01
next March | 2026-03-01 | 2026-04-01
this August | 2025-08-01 | 2025-09-01
April 2024 | 2024-04-01 | 2024-05-01
Sept 2023 | 2023-09-01 | 2023-10-01
on March 3rd | 2025-03-03 | 2025-03-04
on 3 March | 2025-03-03 | 2025-03-04
the 3rd of March 2024 | 2024-03-03 | 2024-03-04
December 31 | 2024-12-31 | 2025-01-01
May 7, 2023 | 2023-05-07 | 2023-05-08
on 31 July, 2023 | 2023-07-31 | 2023-08-01
Monday, June 9 | 2025-06-09 | 2025-06-10
Feb 29 | 2024-02-29 | 2024-03-01
what did I say on the 5th? | 2025-06-05 | 2025-06-06
in 2023 | 2023-01-01 | 2024-01-01
during 2021 | 2021-01-01 | 2022-01-01
in the 1990s | 1990-01-01 | 2000-01-01
2025-05-17 | 2025-05-17 | 2025-05-18
2025-05-17T09:30 | 2025-05-17T09:30 | 2025-05-17T09:31
2025-05-17T09:30Z | 2025-05-17T11:30 | 2025-05-17T11:31
2025-W20 | 2025-05-12 | 2025-05-19
on 3/4/2025 | 2025-03-04 | 2025-03-05
on 13/4/2025 | 2025-04-13 | 2025-04-14
21.01.2024 | 2024-01-21 | 2024-01-22
2024/12/01 | 2024-12-01 | 2024-12-02
Q3 2024 | 2024-07-01 | 2024-10-01
in Q1 | 2025-01-01 | 2025-04-01
the third quarter of 2024 | 2024-07-01 | 2024-10-01
first half of 2024 | 2024-01-01 | 2024-07-01
H2 2023 | 2023-07-01 | 2024-01-01
last summer | 2024-06-01 | 2024-09-01
last winter | 2024-12-01 | 2025-03-01
this winter | 2025-12-01 | 2026-03-01
in the spring | 2025-03-01 | 2025-06-01
in the fall | 2024-09-01 | 2024-12-01
winter 2021 | 2021-12-01 | 2022-03-01
spring of 2024 | 2024-03-01 | 2024-06-01
early 2024 | 2024-01-01 | 2024-05-01
mid 2024 | 2024-05-01 | 2024-09-01
late 2024 | 2024-09-01 | 2025-01-01
at the end of April | 2025-04-21 | 2025-05-01
early June 2024 | 2024-06-01 | 2024-06-11
in mid-June 2024 | 2024-06-11 | 2024-06-21
the beginning of last year | 2024-01-01 | 2024-05-01
the first week of May | 2025-05-01 | 2025-05-08
the last week of May | 2025-05-25 | 2025-06-01
the last day of March 2024 | 2024-03-31 | 2024-04-01
the first Monday of March 2024 | 2024-03-04 | 2024-03-05
the first weekend of May 2025 | 2025-05-03 | 2025-05-05
the week before 4 October 2023 | 2023-09-27 | 2023-10-04
over the weekend before 4 October 2023 | 2023-09-30 | 2023-10-02
the day after March 3, 2024 | 2024-03-04 | 2024-03-05
two days before March 3, 2024 | 2024-03-01 | 2024-03-02
the Friday before 15 July 2023 | 2023-07-14 | 2023-07-15
the week of March 3 | 2025-03-03 | 2025-03-10
shortly before 7 Jan 2024 | 2023-12-24 | 2024-01-07
around 7 January 2024 | 2024-01-04 | 2024-01-11
since Q3 | 2024-07-01 | ..
since yesterday | 2025-06-10 | ..
since March 2024 | 2024-03-01 | ..
since 2020 | 2020-01-01 | ..
until last Thursday | .. | 2025-06-06
until 2021 | .. | 2022-01-01
before 2020 | .. | 2020-01-01
before March 3 | .. | 2025-03-03
after 2020 | 2021-01-01 | ..
after last Monday | 2025-06-10 | ..
by the end of 2024 | .. | 2025-01-01
as of December 2023 | .. | 2024-01-01
from 2019 onwards | 2019-01-01 | ..
between June and August 2023 | 2023-06-01 | 2023-09-01
from July to October | 2024-07-01 | 2024-11-01
from November to February | 2024-11-01 | 2025-03-01
between Monday and Wednesday | 2025-06-09 | 2025-06-12
from March 3 to March 7 | 2025-03-03 | 2025-03-08
May 5-7, 2023 | 2023-05-05 | 2023-05-08
from 2004 to 2005 | 2004-01-01 | 2006-01-01
between 2019 and 2021 | 2019-01-01 | 2022-01-01
from Mar 2001 to 2004 | 2001-03-01 | 2005-01-01
from 2025-05-01 to 2025-05-10 | 2025-05-01 | 2025-05-11
in March and April 2025 | 2025-03-01 | 2025-05-01
in March last year | 2024-03-01 | 2024-04-01
on New Year's Eve | 2024-12-31 | 2025-01-01
letzten Montag | 2025-06-09 | 2025-06-10
Was haben wir gestern besprochen? | 2025-06-10 | 2025-06-11
gestern Abend | 2025-06-10T17 | 2025-06-11
letzte Woche | 2025-06-02 | 2025-06-09
im letzten Monat | 2025-05-01 | 2025-06-01
letztes Jahr | 2024-01-01 | 2025-01-01
vor zwei Wochen | 2025-05-26 | 2025-06-02
vor 3 Tagen | 2025-06-08 | 2025-06-09
am Freitag | 2025-06-06 | 2025-06-07
im März | 2025-03-01 | 2025-04-01
März 2024 | 2024-03-01 | 2024-04-01
am 3. März 2024 | 2024-03-03 | 2024-03-04
seit 2020 | 2020-01-01 | ..
hier | 2025-06-10 | 2025-06-11
il y a trois jours | 2025-06-08 | 2025-06-09
la semaine dernière | 2025-06-02 | 2025-06-09
le mois dernier | 2025-05-01 | 2025-06-01
lundi dernier | 2025-06-09 | 2025-06-10
en mars 2024 | 2024-03-01 | 2024-04-01
le 3 mars 2024 | 2024-03-03 | 2024-03-04
hace dos semanas | 2025-05-26 | 2025-06-02
ayer | 2025-06-10 | 2025-06-11
la semana pasada | 2025-06-02 | 2025-06-09
el mes pasado | 2025-05-01 | 2025-06-01
el año pasado | 2024-01-01 | 2025-01-01
el 3 de marzo de 2024 | 2024-03-03 | 2024-03-04
昨天我做了什么 | 2025-06-10 | 2025-06-11
上周我们讨论了什么 | 2025-06-02 | 2025-06-09
上个月 | 2025-05-01 | 2025-06-01
去年 | 2024-01-01 | 2025-01-01
三天前 | 2025-06-08 | 2025-06-09
两周前 | 2025-05-26 | 2025-06-02
上周五 | 2025-06-06 | 2025-06-07
2024年3月5日 | 2024-03-05 | 2024-03-06
5月3号我看了什么 | 2025-05-03 | 2025-05-04
昨晚 | 2025-06-10T17 | 2025-06-11
过去三天 | 2025-06-08T15:30 | 2025-06-11T15:30
昨日何をした | 2025-06-10 | 2025-06-11
先週 | 2025-06-02 | 2025-06-09
先月 | 2025-05-01 | 2025-06-01
3日前 | 2025-06-08 | 2025-06-09
先週の金曜日 | 2025-06-06 | 2025-06-07
ieri | 2025-06-10 | 2025-06-11
due settimane fa | 2025-05-26 | 2025-06-02
ontem | 2025-06-10 | 2025-06-11
há três dias | 2025-06-08 | 2025-06-09
вчера | 2025-06-10 | 2025-06-11
на прошлой неделе | 2025-06-02 | 2025-06-09
어제 | 2025-06-10 | 2025-06-11
지난주 | 2025-06-02 | 2025-06-09
3일 전 | 2025-06-08 | 2025-06-09
"""

SUNDAY = """
what did Monday's standup cover | 2025-03-03 | 2025-03-04
a year ago today | 2024-03-09 | 2024-03-10
prior to 2020 | .. | 2020-01-01
the second of May | 2024-05-02 | 2024-05-03
the first of June 2024 | 2024-06-01 | 2024-06-02
on the 12th of last month | 2025-02-12 | 2025-02-13
下下周二 | 2025-03-18 | 2025-03-19
what shall I cook for the weekend | 2025-03-08 | 2025-03-10
summer of last year | 2024-06-01 | 2024-09-01
in the second quarter | 2024-04-01 | 2024-07-01
what have you been up to today | 2025-03-09 | 2025-03-10
from may 15, 1958 - october 1, 1959 | 1958-05-15 | 1959-10-02
the first two weeks of January | 2025-01-01 | 2025-01-15
yesterday | 2025-03-08 | 2025-03-09
today | 2025-03-09 | 2025-03-10
last week | 2025-02-24 | 2025-03-03
this week | 2025-03-03 | 2025-03-10
next week | 2025-03-10 | 2025-03-17
last weekend | 2025-03-01 | 2025-03-03
this weekend | 2025-03-08 | 2025-03-10
the weekend | 2025-03-08 | 2025-03-10
last Sunday | 2025-03-02 | 2025-03-03
on Sunday | 2025-03-09 | 2025-03-10
last Monday | 2025-03-03 | 2025-03-04
this Friday | 2025-03-07 | 2025-03-08
next Monday | 2025-03-10 | 2025-03-11
two weeks ago | 2025-02-17 | 2025-02-24
last night | 2025-03-08T18 | 2025-03-09T06
tonight | 2025-03-09T18 | 2025-03-10T06
last winter | 2024-12-01 | 2025-03-01
in March | 2025-03-01 | 2025-04-01
in April | 2024-04-01 | 2024-05-01
last quarter | 2024-10-01 | 2025-01-01
between Monday and Wednesday | 2025-03-03 | 2025-03-06
past 3 hours | 2025-03-09T17 | 2025-03-09T20
past 2 days | 2025-03-07T20 | 2025-03-09T20
last month | 2025-02-01 | 2025-03-01
"""

NEW_YEAR = """
yesterday | 2023-12-31 | 2024-01-01
today | 2024-01-01 | 2024-01-02
last week | 2023-12-25 | 2024-01-01
this week | 2024-01-01 | 2024-01-08
last Monday | 2023-12-25 | 2023-12-26
on Monday | 2024-01-01 | 2024-01-02
last month | 2023-12-01 | 2024-01-01
last year | 2023-01-01 | 2024-01-01
this year | 2024-01-01 | 2025-01-01
last quarter | 2023-10-01 | 2024-01-01
December 31 | 2023-12-31 | 2024-01-01
January 1 | 2024-01-01 | 2024-01-02
in January | 2024-01-01 | 2024-02-01
in December | 2023-12-01 | 2024-01-01
last winter | 2022-12-01 | 2023-03-01
this winter | 2023-12-01 | 2024-03-01
last summer | 2023-06-01 | 2023-09-01
since Q3 | 2023-07-01 | ..
last weekend | 2023-12-30 | 2024-01-01
two months ago | 2023-11-01 | 2023-12-01
three Fridays ago | 2023-12-15 | 2023-12-16
past 2 days | 2023-12-30T09 | 2024-01-01T09
last night | 2023-12-31T18 | 2024-01-01T06
"""

CLOCKS = (MIDWEEK, SUNDAY, NEW_YEAR)
