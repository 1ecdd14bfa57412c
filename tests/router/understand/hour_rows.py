"""Times of day with the windows they mean, and forms of five languages; rows as in time_rows.

The clocks are a Wednesday 15:30, a Sunday 20:00 and a New Year's Day 09:00, local.
"""

MIDWEEK = """
what happened at 3pm | 2025-06-11T15 | 2025-06-11T16
what happened at 4 pm | 2025-06-10T16 | 2025-06-10T17
at 3 p.m. yesterday | 2025-06-10T15 | 2025-06-10T16
yesterday at 3 | 2025-06-10T15 | 2025-06-10T16
yesterday at 10 | 2025-06-10T10 | 2025-06-10T11
tomorrow at 10 | 2025-06-12T10 | 2025-06-12T11
yesterday at 15:30 | 2025-06-10T15:30 | 2025-06-10T15:31
what did I say at 14:20? | 2025-06-11T14:20 | 2025-06-11T14:21
at 3:15 pm on June 3rd | 2025-06-03T15:15 | 2025-06-03T15:16
June 3 at 3:15 pm | 2025-06-03T15:15 | 2025-06-03T15:16
what 7 pm on June 3, 2024 was about | 2024-06-03T19 | 2024-06-03T20
last Monday at 9:30am | 2025-06-09T09:30 | 2025-06-09T09:31
Monday of last week at 10 | 2025-06-02T10 | 2025-06-02T11
the 9 am standup on Tuesday | 2025-06-10T09 | 2025-06-10T10
yesterday's call at 3pm | 2025-06-10T15 | 2025-06-10T16
on 2025-05-17 at 09:30 | 2025-05-17T09:30 | 2025-05-17T09:31
at 10 o'clock yesterday | 2025-06-10T10 | 2025-06-10T11
this morning at 8 | 2025-06-11T08 | 2025-06-11T09
around 9 this morning | 2025-06-11T08 | 2025-06-11T10
Saturday evening at 8 | 2025-06-07T20 | 2025-06-07T21
last night at 11 | 2025-06-10T23 | 2025-06-11
last night at 2 | 2025-06-11T02 | 2025-06-11T03
tonight at 8 | 2025-06-11T20 | 2025-06-11T21
around noon | 2025-06-11T11 | 2025-06-11T13
at noon yesterday | 2025-06-10T12 | 2025-06-10T13
12pm yesterday | 2025-06-10T12 | 2025-06-10T13
12am today | 2025-06-11T00 | 2025-06-11T01
at midnight | 2025-06-10T23 | 2025-06-11T01
yesterday around lunchtime | 2025-06-10T11:30 | 2025-06-10T14
around 3pm yesterday | 2025-06-10T14 | 2025-06-10T16
before 10am today | 2025-06-11 | 2025-06-11T10
yesterday before noon | 2025-06-10 | 2025-06-10T12
after 5pm on Friday | 2025-06-06T17 | 2025-06-07
until 5pm yesterday | 2025-06-10 | 2025-06-10T17
since 9am | 2025-06-11T09 | ..
since yesterday at 3pm | 2025-06-10T15 | ..
between 2 and 4 pm yesterday | 2025-06-10T14 | 2025-06-10T16
between 11 and 2 pm yesterday | 2025-06-10T11 | 2025-06-10T14
from 9 to 11 today | 2025-06-11T09 | 2025-06-11T11
from 9 to 5 yesterday | 2025-06-10T09 | 2025-06-10T17
from 10pm to 2am yesterday | 2025-06-10T22 | 2025-06-11T02
2-4pm yesterday | 2025-06-10T14 | 2025-06-10T16
this morning between 8 and 9 | 2025-06-11T08 | 2025-06-11T09
yesterday 9:00-10:30 | 2025-06-10T09 | 2025-06-10T10:30
from 3pm yesterday to 5pm today | 2025-06-10T15 | 2025-06-11T18
20 minutes ago | 2025-06-11T15 | 2025-06-11T15:20
half an hour ago | 2025-06-11T14:45 | 2025-06-11T15:15
two hours ago | 2025-06-11T13 | 2025-06-11T14
last week at 3pm | 2025-06-02 | 2025-06-09
gestern um 15 Uhr | 2025-06-10T15 | 2025-06-10T16
gestern um halb vier | 2025-06-10T15:30 | 2025-06-10T15:31
am Freitag um acht | 2025-06-06T08 | 2025-06-06T09
gestern zwischen 14 und 16 Uhr | 2025-06-10T14 | 2025-06-10T16
gestern Mittag | 2025-06-10T12 | 2025-06-10T13
am Montagabend | 2025-06-09T17 | 2025-06-10
morgen früh | 2025-06-12T05 | 2025-06-12T12
hier à 15h30 | 2025-06-10T15:30 | 2025-06-10T15:31
hier entre 14h et 16h | 2025-06-10T14 | 2025-06-10T16
hier midi | 2025-06-10T12 | 2025-06-10T13
lundi soir | 2025-06-09T17 | 2025-06-10
ayer a las 15:00 | 2025-06-10T15 | 2025-06-10T15:01
ayer a las 3 de la tarde | 2025-06-10T15 | 2025-06-10T16
ayer entre las 2 y las 4 de la tarde | 2025-06-10T14 | 2025-06-10T16
el viernes por la noche | 2025-06-06T18 | 2025-06-07T06
昨天下午3点 | 2025-06-10T15 | 2025-06-10T16
昨天下午三点半 | 2025-06-10T15:30 | 2025-06-10T15:31
昨天中午 | 2025-06-10T11:30 | 2025-06-10T13:30
昨日の午後3時 | 2025-06-10T15 | 2025-06-10T16
昨日の午後3時半 | 2025-06-10T15:30 | 2025-06-10T15:31
at 3 this morning | 2025-06-11T03 | 2025-06-11T04
what happened on the night of June 3? | 2025-06-03T18 | 2025-06-04T06
on the evening of May 10 | 2025-05-10T17 | 2025-05-11
how has Ana been since she moved to Berlin in 2021? | 2021-01-01 | ..
after we signed the lease on March 3 | 2025-03-03 | ..
remind me about tomorrow's dentist | 2025-06-12 | 2025-06-13
what do you know about yesterday? | 2025-06-10 | 2025-06-11
how did it evolve over the quarter? | 2025-04-01 | 2025-07-01
in the early 90s | 1990-01-01 | 1994-01-01
back in '98 | 1998-01-01 | 1999-01-01
calendar week 23 | 2025-06-02 | 2025-06-09
KW 23 | 2025-06-02 | 2025-06-09
the Friday before last | 2025-05-30 | 2025-05-31
the night before last | 2025-06-09T18 | 2025-06-10T06
same day last year | 2024-06-11 | 2024-06-12
this time last year | 2024-06-04 | 2024-06-19
so far this month | 2025-06-01 | 2025-06-11T15:30
year to date | 2025-01-01 | 2025-06-11T15:30
previous month | 2025-05-01 | 2025-06-01
this coming Monday | 2025-06-16 | 2025-06-17
vorletzte Woche | 2025-05-26 | 2025-06-02
die letzten 7 Tage | 2025-06-04T15:30 | 2025-06-11T15:30
Anfang März | 2025-03-01 | 2025-03-12
Ende letzten Monats | 2025-05-21 | 2025-06-01
im ersten Quartal 2024 | 2024-01-01 | 2024-04-01
zwischen März und Mai 2024 | 2024-03-01 | 2024-06-01
bis Freitag | .. | 2025-06-07
vor Weihnachten | .. | 2024-12-25
avant-hier | 2025-06-09 | 2025-06-10
l'été dernier | 2024-06-01 | 2024-09-01
mi-juin | 2025-06-11 | 2025-06-21
les 7 derniers jours | 2025-06-04T15:30 | 2025-06-11T15:30
la nuit dernière | 2025-06-10T18 | 2025-06-11T06
au premier trimestre 2024 | 2024-01-01 | 2024-04-01
depuis mars | 2025-03-01 | ..
anteayer | 2025-06-09 | 2025-06-10
el verano pasado | 2024-06-01 | 2024-09-01
en verano de 2023 | 2023-06-01 | 2023-09-01
¿qué hago mañana? | 2025-06-12 | 2025-06-13
a finales de abril | 2025-04-21 | 2025-05-01
la semana antepasada | 2025-05-26 | 2025-06-02
el primer trimestre de 2024 | 2024-01-01 | 2024-04-01
四月底 | 2025-04-21 | 2025-05-01
去年年底 | 2024-09-01 | 2025-01-01
2024年春天 | 2024-03-01 | 2024-06-01
2024年第一季度 | 2024-01-01 | 2024-04-01
从三月到五月 | 2025-03-01 | 2025-06-01
三月以来 | 2025-03-01 | ..
4月末 | 2025-04-21 | 2025-05-01
3月から5月まで | 2025-03-01 | 2025-06-01
先々週 | 2025-05-26 | 2025-06-02
今朝 | 2025-06-11T05 | 2025-06-11T12
"""

SUNDAY = """
at 1:30 am | 2025-03-09T01:30 | 2025-03-09T01:31
today at 3am | 2025-03-09T03 | 2025-03-09T04
last night at 11pm | 2025-03-08T23 | 2025-03-09
at 9pm | 2025-03-08T21 | 2025-03-08T22
on Sunday at noon | 2025-03-09T12 | 2025-03-09T13
last Sunday at noon | 2025-03-02T12 | 2025-03-02T13
on Saturday between 8 and 10 pm | 2025-03-08T20 | 2025-03-08T22
half an hour ago | 2025-03-09T19:15 | 2025-03-09T19:45
the Sunday before last | 2025-02-23 | 2025-02-24
same day last month | 2025-02-09 | 2025-02-10
"""

NEW_YEAR = """
at midnight | 2023-12-31T23 | 2024-01-01T01
at 10am | 2023-12-31T10 | 2023-12-31T11
this morning at 7 | 2024-01-01T07 | 2024-01-01T08
yesterday at 11:59 pm | 2023-12-31T23:59 | 2024-01-01
since 8am | 2024-01-01T08 | ..
this time last year | 2022-12-25 | 2023-01-09
so far this week | 2024-01-01 | 2024-01-01T09
calendar week 52 | 2023-12-25 | 2024-01-01
20 minutes ago | 2024-01-01T08:30 | 2024-01-01T08:50
"""

CLOCKS = (MIDWEEK, SUNDAY, NEW_YEAR)

NEGATIVES = """
John 3:16 tells us
a ratio of 3:15
at 3:15 odds
aspect 16:9
score 2:1
ran in 3:15
marathon in 3:15:20
file.py:15:30
listening at 8080
room at 3
meeting at 3 tables
meeting with 3 people
point 3 of the plan
what am I, 10 am I late?
at 50% of users
the standup at 9am every day
every Friday at 3pm
we start daily at 9am
I usually eat at 7pm
open from 9 to 5
14pm
at 24:00
before 10am
24h de travail
il y a du monde
pages 2 to 4
between 2 and 4 errors
我有一点问题
三点建议
几点开会
一時的な問題
10時間かかる
das kostet um die 15 Euro
un café à 3
a las tres personas
lunch with Ida
over the quarter mile
the last 3 commits of Ben
noonday.io settings
"""
