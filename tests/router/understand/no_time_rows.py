"""Texts that name no time, phrases that move with the clock, and fragments to mix."""

NEGATIVES = """
Cyberpunk 2077
to this day
every 4th of July
the version 10.5.2024
release 2024.10.01
离我家最近的超市
"11/22/63" by King
Friday the 13th
Friday 13th
Christmas gift ideas
30 February 2024
September 31
what did we discuss
tell me about me
did I do it
so what am I
I may need the token, where is it?
may I ask something
you may 5 times retry
Should we march ahead?
we march at dawn
Did April approve it?
ask April about the budget
April's report
what did June say to Mark
May asked for the key
an august company
the sun theme
give me a second
second attempt at the build
Do you have a car
mar the surface
the mon process and the sat solver
is the indexer listening on port 9077
port 2024
ticket 2048 status
release 3.12.1 notes
v3.12.1
version 2024.1
python 3.11 or 3.12
top 10 errors
top 2000 songs
costs $2024
2000 users signed up
we sold in 2000 stores and 1500 people came
1999 euros
call 555-2024
+1 415 555 2671
192.168.20.25
PR #2019
issue 2021
error code 1984
room 2023
change the new button colour
update policy for current users
the current version
what is new
what broke before the launch
after the meeting with Ida
two weeks before the launch
the week after the wedding
since I moved
until we shipped
the last thing about X
the last 10 messages
last 5 commits
first name of my sister
weeks of work
a two-year plan
how many days did it take
24 hours of video
5-year-old laptop
how long ago was it
Monday.com integration
every Friday standup
on Fridays
Spring Boot settings
in Spring Boot
spring framework beans
fall back to the cache
last call
last name
last year of school
the last day of the trip
half of the users
Q1: how do I log in?
1920x1080
2023-99-99
32/13/2025
3/4 of the cake
24/7 support
ISO 2022
CVE-2024-1234
sha 20240101ab
a/b/2024/c
the quarter final
day one
night mode
morning routine
weekend
month over month growth
year
the march on Washington
in march step
Guten Morgen
el segundo intento
une seconde
我喜欢听什么类型的音乐
第三天堂
私の名前は何ですか
"""

WEEKLY = """
yesterday
last week
next week
last Friday
on Monday
3 days ago
two weeks ago
last weekend
past 10 days
tonight
three Fridays ago
this morning
recently
the day after tomorrow
since last Monday
yesterday at 3pm
between 2 and 4 pm yesterday
last Friday at noon
the Friday before last
昨天下午三点
上周
letzten Montag
hace dos semanas
"""

FRAGMENTS = """
last next this past since until before after between and from to of the in on may march 3 31 29 feb
2024 2023 9999 0001-01-01 9999-12-31 monday week weeks month year ago days summer q3 early end first
half evening night 99999 weekend decade century 19th 1700s christmas 昨天 三 年 前 月 letzte vor
"""
