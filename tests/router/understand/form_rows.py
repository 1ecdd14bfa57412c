"""Phrases in more forms and languages with their windows, and texts of that shape without one.

The clock is a Thursday, 12 March 2026, 10:20 local; rows as in time_rows.
"""

THURSDAY = """
what changed since 1 Feb | 2026-02-01 | ..
a recap of May | 2025-05-01 | 2025-06-01
summary for June | 2025-06-01 | 2025-07-01
emails before 5 March | .. | 2026-03-05
notes after 3 Jan | 2026-01-04 | ..
since 5 may | 2025-05-05 | ..
before 1 July | .. | 2025-07-01
until 10 may | .. | 2025-05-11
around 7 Jan | 2026-01-04 | 2026-01-11
by 5 Jan | .. | 2026-01-06
seit 1. Februar | 2026-02-01 | ..
bis 3. März | .. | 2026-03-04
avant le 5 mars | .. | 2026-03-05
depuis 5 mars | 2026-03-05 | ..
the meeting on 5 may we skipped | 2025-05-05 | 2025-05-06
3 to 5 May | 2025-05-03 | 2025-05-06
qui est venu hier ? | 2026-03-11 | 2026-03-12
hier, on a mangé des crêpes | 2026-03-11 | 2026-03-12
notes d'hier | 2026-03-11 | 2026-03-12
hier matin à 9h | 2026-03-11T09 | 2026-03-11T10
restarts 2h ago | 2026-03-12T08 | 2026-03-12T09
3d ago | 2026-03-09 | 2026-03-10
2 wks ago | 2026-02-23 | 2026-03-02
last wk | 2026-03-02 | 2026-03-09
errors last 24h | 2026-03-11T10:20 | 2026-03-12T10:20
deploys past 7d | 2026-03-05T10:20 | 2026-03-12T10:20
alerts in the last 15m | 2026-03-12T10:05 | 2026-03-12T10:20
last 7-days | 2026-03-05T10:20 | 2026-03-12T10:20
last-7-days errors | 2026-03-05T10:20 | 2026-03-12T10:20
last 6mo spend | 2025-09-12T10:20 | 2026-03-12T10:20
several weeks ago | 2026-01-26 | 2026-02-23
a year and a half ago | 2024-08-01 | 2024-11-01
a week and a half ago | 2026-02-28 | 2026-03-05
an hour and a half ago | 2026-03-12T08:05 | 2026-03-12T09:35
vor einem halben Jahr | 2025-09-01 | 2025-10-01
vor anderthalb Jahren | 2024-08-01 | 2024-11-01
il y a un an et demi | 2024-08-01 | 2024-11-01
hace medio año | 2025-09-01 | 2025-10-01
半年前 | 2025-09-01 | 2025-10-01
半个小时前 | 2026-03-12T09:35 | 2026-03-12T10:05
二十天前 | 2026-02-20 | 2026-02-21
last Monday of February | 2026-02-23 | 2026-02-24
last Sunday in October | 2025-10-26 | 2025-10-27
the last Tuesday of 2025 | 2025-12-30 | 2025-12-31
last Thursday of last month | 2026-02-26 | 2026-02-27
last week in January | 2026-01-25 | 2026-02-01
last Monday in the office | 2026-03-09 | 2026-03-10
last week offsite | 2026-03-02 | 2026-03-09
last year in March | 2025-03-01 | 2025-04-01
der letzte Freitag im Februar | 2026-02-27 | 2026-02-28
le dernier lundi de février | 2026-02-23 | 2026-02-24
el último lunes de febrero | 2026-02-23 | 2026-02-24
die erste Woche im Januar | 2026-01-01 | 2026-01-08
Was steht morgen an? | 2026-03-13 | 2026-03-14
bis morgen | .. | 2026-03-14
morgen um 9 Uhr | 2026-03-13T09 | 2026-03-13T10
Morgen habe ich Zahnarzt | 2026-03-13 | 2026-03-14
Termine für morgen | 2026-03-13 | 2026-03-14
Treffen in drei Tagen | 2026-03-15 | 2026-03-16
in zwei Wochen | 2026-03-23 | 2026-03-30
dans trois jours | 2026-03-15 | 2026-03-16
dentro de tres días | 2026-03-15 | 2026-03-16
tra due settimane | 2026-03-23 | 2026-03-30
daqui a três dias | 2026-03-15 | 2026-03-16
через три дня | 2026-03-15 | 2026-03-16
三天后 | 2026-03-15 | 2026-03-16
会议在三天之后 | 2026-03-15 | 2026-03-16
三日後の予定 | 2026-03-15 | 2026-03-16
what is due in 3 days | 2026-03-15 | 2026-03-16
flights in two weeks | 2026-03-23 | 2026-03-30
coming weekend | 2026-03-14 | 2026-03-16
kommendes Wochenende | 2026-03-14 | 2026-03-16
2020年之前的工作 | .. | 2020-01-01
3月5日之前的记录 | .. | 2026-03-05
2020年以前 | .. | 2020-01-01
3月5日前に | .. | 2026-03-05
3月5日后的记录 | 2026-03-06 | ..
5日前 | 2026-03-07 | 2026-03-08
lundi de la semaine dernière | 2026-03-02 | 2026-03-03
el jueves de la semana pasada | 2026-03-05 | 2026-03-06
Donnerstag letzter Woche | 2026-03-05 | 2026-03-06
nächste Woche Dienstag | 2026-03-17 | 2026-03-18
en mars de l'année dernière | 2025-03-01 | 2025-04-01
le 5 mars de l'année dernière | 2025-03-05 | 2025-03-06
letztes Jahr im März | 2025-03-01 | 2025-04-01
im März letzten Jahres | 2025-03-01 | 2025-04-01
fin de l'année dernière | 2025-09-01 | 2026-01-01
a finales del año pasado | 2025-09-01 | 2026-01-01
a principios del mes pasado | 2026-02-01 | 2026-02-11
début du mois dernier | 2026-02-01 | 2026-02-11
2024年の夏 | 2024-06-01 | 2024-09-01
H2 last year | 2025-07-01 | 2026-01-01
demain matin | 2026-03-13T05 | 2026-03-13T12
avant-hier soir | 2026-03-10T17 | 2026-03-11
5 mars au matin | 2026-03-05T05 | 2026-03-05T12
demain soir à 8h | 2026-03-13T20 | 2026-03-13T21
vorgestern Abend | 2026-03-10T17 | 2026-03-11
Freitag Nacht | 2026-03-06T18 | 2026-03-07T06
mañana por la mañana | 2026-03-13T05 | 2026-03-13T12
ayer noche | 2026-03-11T18 | 2026-03-12T06
ieri sera | 2026-03-11T17 | 2026-03-12
ontem à noite | 2026-03-11T18 | 2026-03-12T06
завтра утром | 2026-03-13T05 | 2026-03-13T12
明日の朝 | 2026-03-13T05 | 2026-03-13T12
火曜日の午後 | 2026-03-10T12 | 2026-03-10T17
3月5日の夜 | 2026-03-05T18 | 2026-03-06T06
水曜の夜8時 | 2026-03-11T20 | 2026-03-11T21
周三晚上 | 2026-03-11T17 | 2026-03-12
周三晚上8点 | 2026-03-11T20 | 2026-03-11T21
上周五晚上 | 2026-03-06T17 | 2026-03-07
明日の朝食 | 2026-03-13 | 2026-03-14
April invoices | 2025-04-01 | 2025-05-01
June offsite notes | 2025-06-01 | 2025-07-01
our April trip | 2025-04-01 | 2025-05-01
the august trip | 2025-08-01 | 2025-09-01
march expenses | 2026-03-01 | 2026-04-01
budget for May | 2025-05-01 | 2025-06-01
budget for May and June | 2025-05-01 | 2025-07-01
what was the plan for march | 2026-03-01 | 2026-04-01
invoices from june | 2025-06-01 | 2025-07-01
in jan | 2026-01-01 | 2026-02-01
in dec? | 2025-12-01 | 2026-01-01
last oct | 2025-10-01 | 2025-11-01
invoices nov | 2025-11-01 | 2025-12-01
Nov invoices | 2025-11-01 | 2025-12-01
Jan-Mar 2025 | 2025-01-01 | 2025-04-01
Jun–Aug 2024 | 2024-06-01 | 2024-09-01
Jan to Mar 2025 | 2025-01-01 | 2025-04-01
Jan/Feb 2025 | 2025-01-01 | 2025-03-01
Jan, Feb and Mar 2025 | 2025-01-01 | 2025-04-01
June/July 2024 | 2024-06-01 | 2024-08-01
Oct-Dec | 2025-10-01 | 2026-01-01
from jan to mar | 2026-01-01 | 2026-04-01
Monday, Tuesday and Wednesday | 2026-03-09 | 2026-03-12
Okt-Dez 2024 | 2024-10-01 | 2025-01-01
Juni bis August 2024 | 2024-06-01 | 2024-09-01
Mai–Juli 2024 | 2024-05-01 | 2024-08-01
juin-août 2024 | 2024-06-01 | 2024-09-01
enero a marzo de 2025 | 2025-01-01 | 2025-04-01
vom 3. bis 7. März | 2026-03-03 | 2026-03-08
du 3 au 7 mars | 2026-03-03 | 2026-03-08
del 3 al 7 de marzo | 2026-03-03 | 2026-03-08
3月5日到7日 | 2026-03-05 | 2026-03-08
Ende des Monats | 2026-03-21 | 2026-04-01
bis Ende des Monats | .. | 2026-04-01
Anfang der Woche | 2026-03-09 | 2026-03-12
a finales de mes | 2026-03-21 | 2026-04-01
a principios de año | 2026-01-01 | 2026-05-01
au début de l'année | 2026-01-01 | 2026-05-01
en début de semaine | 2026-03-09 | 2026-03-12
年初 | 2026-01-01 | 2026-05-01
去年年初 | 2025-01-01 | 2025-05-01
2月の終わり | 2026-02-19 | 2026-03-01
in the nineties | 1990-01-01 | 2000-01-01
in the early nineties | 1990-01-01 | 1994-01-01
since the eighties | 1980-01-01 | ..
années 90 | 1990-01-01 | 2000-01-01
los años 90 | 1990-01-01 | 2000-01-01
en los noventa | 1990-01-01 | 2000-01-01
die 90er | 1990-01-01 | 2000-01-01
in den 90er Jahren | 1990-01-01 | 2000-01-01
in den Neunzigern | 1990-01-01 | 2000-01-01
九十年代 | 1990-01-01 | 2000-01-01
90年代 | 1990-01-01 | 2000-01-01
jobs 2019-2021 | 2019-01-01 | 2022-01-01
mid-2024 | 2024-05-01 | 2024-09-01
late-2019 | 2019-09-01 | 2020-01-01
03/2025 | 2025-03-01 | 2025-04-01
2025/03 | 2025-03-01 | 2025-04-01
06/2014 - 09/2017 | 2014-06-01 | 2017-10-01
the summer before last | 2024-06-01 | 2024-09-01
la última semana | 2026-03-05T10:20 | 2026-03-12T10:20
le dernier mois | 2026-02-12T10:20 | 2026-03-12T10:20
el mes anterior | 2026-02-01 | 2026-03-01
el pasado lunes | 2026-03-09 | 2026-03-10
Dienstag Standup | 2026-03-10 | 2026-03-11
notas martes | 2026-03-10 | 2026-03-11
Weihnachten 2024 | 2024-12-25 | 2024-12-26
die letzten paar Tage | 2026-03-09T10:20 | 2026-03-12T10:20
the Friday-night dinner | 2026-03-06T18 | 2026-03-07T06
since 5 may acme invoices | 2025-05-05 | ..
late January–early February | 2026-01-21 | 2026-02-11
Montag, Dienstag und Mittwoch | 2026-03-09 | 2026-03-12
le premier week-end de mars | 2026-03-07 | 2026-03-09
Freitag-Meeting | 2026-03-06 | 2026-03-07
Q3-Zahlen | 2025-07-01 | 2025-10-01
"""

NEGATIVES = """
a review of May's book
review of March Fitness
only 3 may attend
which of the 5 may fail
why 10 may not be enough
up to 5 may join
3 to 5 may fail
could 4 may pass
only 3 march in the parade
wo ist hier der Schalter
was steht hier im Vertrag
Hier kommt Alex
hier: https://x.test
wat is hier aan de hand
what does 'hier' mean
Guten Morgen zusammen
am Morgen
jeden Morgen laufen
der nächste Morgen
Morgen und Abend, der Roman
der Roman von J. P. Morgen
built in 3 days
built in 1 minute
der 50er Pack
May bills be paid late?
April reports to Dana daily
how much did I lose in two weeks
what can I read in 3 hours
in zwei Wochen geschafft
Was haben wir in zwei Wochen geschafft?
dans les trois jours de congé
发布三天后崩溃了
la semaine de trois jours
the last 3d model
last 3D print
the last 100m sprint
the last 5m rows
the last 2-week sprint
the last Friday of the month
the first Monday of the month
last weekend of the term
der letzte Freitag im Monat
le dernier lundi du mois
tomorrow.io api
yesterday.js module
email tuesday@x.test
monday-standup-bot token
config/december.yaml
src/january/index.ts
branch feature/q3-cleanup
branch release/june-2024
host q1.internal
noon.py
midnight-theme
flag --since-yesterday
def yesterday():
today() returns a string
datetime.today
the `yesterday` variable
when=yesterday
on 3/4 of the tests
before 1/4 inch
on 24/7 duty
after 2/3 of the run
12/2000 tests passed
2019/20 tickets
pages 1990-2005
lines 1950-1999 of the file
convert 10 in dec
dec 10 to binary
oct 17 to decimal
April invoices the customer
did April report it
June plans to leave
gift for May
card for April
emails from June
letter from Jan
Mark and Jan, who is older
in mar del plata
last sep argument
temperatures in the nineties
he is in his fifties
she was in the forties
tiene 90 años
murió a los ochenta
le dije a Abril la clave
la casa de Abril
el primo de Julio
Marta y Abril
An und Mai
Herr Freitag
Frau Sonntag hat angerufen
jeden Dienstag
Freitag, der 13.
los martes
cada lunes
abierto de lunes a viernes
con Domingo García
domingo de ramos
ask Sunday (our cat sitter)
Thursday (band) albums
Saturday Night Fever
明日香さんの誕生日
今日子さんの住所
今日头条的密码
三月のライオンの作者
五月天的歌
日曜大工の道具
la última semana del proyecto
le dernier mois du contrat
page 1789 of 2000
1999 of 2000 done
a week from Friday
tomorrow-night color scheme
Mon-Fri opening
一年半前
十分前卫
每月底
"""
