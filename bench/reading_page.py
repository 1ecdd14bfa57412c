"""Write docs/reading.md: ten questions and what is read from each, by the code itself.

`python -m bench.reading_page`
"""

from datetime import UTC, datetime
from pathlib import Path

from router.cli.shown import reading_rows
from router.understand.read import understand

PAGE = Path(__file__).parent.parent / "docs" / "reading.md"
ASKED_AT = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)
QUESTIONS = (
    "When was the user frustrated with onboarding last week?",
    "What failed with E_AUTH_404 in src/api/getUser.py between 2 and 4 pm yesterday?",
    "When did Mira go from anxious to really relieved about the launch?",
    'I was not at all happy with "Blue Door" in early spring, why?',
    "Do you remember what we talked about last?",
    "When did we sign the Harbour lease?",
    "May I ask @sam whether port 9077 is free since v3.12.1?",
    "Warum war Jonas letzten Montag plötzlich so wütend?",
    "¿Cuándo estuvo Marta cada vez más triste, el verano pasado?",
    "我昨天下午三点为什么感到害怕？",
)
HEAD = """# How a question is read

Written by `python -m bench.reading_page`; do not edit. A test compares it with what the code reads.

Before any channel is asked, the words of a question are read by rules: no model, no network, a
fifth of a millisecond. Here are ten questions, asked on Wednesday 2025-06-11 at 15:30 UTC, with
everything that is read and the rule or the words behind it. What is not listed was not found.
Stems, as the keyword channel uses them, are left out; types of question come from a trained model.
`fivefold window "…" --explain` shows the same for a question of yours, `explain` in a recall does
so in the trace (`trace.question`), and the record of every recall keeps it (`analysis`).
"""
FOOT = """
## What times mean

| words | mean |
| --- | --- |
| last Monday | the latest one before today; "on Monday" may be today |
| last week | the Monday to Sunday before this one |
| last Friday of May, der letzte Freitag im Mai | that month's last one |
| the past 3 weeks, the last 24 hours, last 24h, past 7d | so long until now |
| several weeks ago; a year and a half ago | six to two weeks back; three months around it |
| in March, in summer, on Friday | the latest that has begun |
| this morning, afternoon, evening, night | 05-12, 12-17, 17-24, 18-06 |
| early, mid, late, the end of | thirds; of a year in whole months |
| Jan-Mar 2025; Monday, Tuesday and Wednesday | from the first to the last |
| April invoices, the budget for May, invoices nov | that month; "gift for May" is a person's |
| the summer before last; in the nineties | a year before the last one; 1990 to 1999 |
| tomorrow, the coming weekend, in zwei Wochen, 三天后 | what lies ahead |
| due in 3 days, flights in two weeks | ahead too; "built in 3 days" is no window |
| at 3pm; at 14:20 | that hour; that minute; without a day the latest that has begun |
| yesterday at 3 | 1 to 6 without am or pm: afternoon, unless morning or night is named |
| before 10am today, after 5pm on Friday | from the beginning, or to the end, of that day |
| 20 minutes ago | that time, half as far to either side |
| recently, lately, the other day | a guess of 14 days, confidence .35, that gives way to any date |
| since, until, before, after | an open side; "since we moved to Graz in 2021" too |
| before the launch | no window: only a memory can tell when that was |
| tomorrow.io, feature/q3-cleanup, only 3 may attend | no window: names, code, verbs |

Days and weeks are those of the request's `timezone`, else the bank's. English is read most fully;
German, French, Spanish, Chinese and Japanese in their common forms, Italian, Portuguese, Russian
and Korean in the most common ones. The same grammar reads the dates inside a memory when it is
stored, by the memory's own time; a clock time without a day says nothing new there.

Two settings of a bank hold for its questions and its memories alike: `"date_order": "day_first"`
makes 3/4/2025 the 3rd of April (4 March otherwise), `"seasons": "southern"` makes summer December
to February (June to August otherwise). See [the API](api.md#banks).

## What is a name

Identifiers, initials (U.S.), @handles, quoted phrases, capitalised words that no rule of spelling
asks for, and a question of up to three words as a whole. The first word of a sentence is one where
a verb behind it tells what somebody is or does ("Dana told me"). "e.g", "5 p.m" and two sentences
run on ("hello.how") are none. Names that callers give with a memory count as well. All
spellings of a name are one: accents, capitals, hyphens, apostrophes and a possessive make no
difference, so that "Jose" finds what was stored of José. Each bank counts the memories that mention
a name; the rarer it is, the more it weighs in the graph channel.

Rules do not know that "aoife" in small letters is a person. A spaCy pipeline does: install the
extra `fivefold[spacy]` (about 200 MB) and a pipeline, and name it, by package or path, in
`FIVEFOLD_ENTITY_MODEL`. It then reads memories and questions; a missing package or pipeline stops
the start with what to install. What it finds in a question is marked `model:` and its kind.

## What a feeling becomes

Words of feeling become labels with an intensity; "very" and "slightly" scale it, a negation up to
three words before, in the same clause, takes it away or, of a pleasant one, turns it round.
"Nobody", "far from" and "anything but" deny, apostrophes or not; "not only", "never so", "can't
remember" and "couldn't help" do not. Long words may be misspelt by a letter left out, doubled or
changed about. Fixed terms are no feelings: happy path, kernel panic, guilty verdict, stress-free.

The shape of the sentence chooses the course that memories are compared with: `turn` (from … to, at
first … then), `return` (after being …), `rising` (increasingly), `falling` (less and less), `spike`
(suddenly), `relief` (no longer, got over, calmed down); without such words `any` of four courses.
In a turn, words that are else as often about something else count too ("from anger to calm").
Feelings are read in English, and a few dozen words of German, French, Spanish, Chinese and
Japanese, with their endings and negations.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE.name}: {len(QUESTIONS)} questions")


def page() -> str:
    """The markdown of docs/reading.md."""
    parts = [HEAD]
    for number, question in enumerate(QUESTIONS, start=1):
        parts.append(f"\n## {number}. {question}\n\n" + "\n".join(_table(question)) + "\n")
    return "".join([*parts, FOOT])


def _table(question: str) -> list[str]:
    lines = ["| part | read as | because of |", "| --- | --- | --- |"]
    for part, seen, because in reading_rows(understand(question, ASKED_AT, "UTC")):
        if part != "words" and (because or seen not in ("none", "no", "")):
            lines.append(f"| {part} | {seen} | {because} |".replace("+00:00", ""))
    return lines if len(lines) > 2 else ["Nothing beyond its words and its type."]


if __name__ == "__main__":
    main()
