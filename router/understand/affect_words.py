"""Words of a question that change a feeling: negations, intensifiers, shapes, other topics."""

import re
from collections.abc import Mapping


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


NEGATION_WINDOW = 3  # words before the feeling that are searched for a negation
CONTEXT_WINDOW = 4  # words before it in which a feeling or a state must be spoken of
FLIPPED = (("sadness", 0.5), ("disappointment", 0.5))  # "not happy" is less than sad

NEGATIONS = _words(
    "not never no without hardly barely nor neither cannot isn't wasn't aren't weren't don't "
    "doesn't didn't won't can't couldn't wouldn't hasn't haven't hadn't "
    "nicht nie kein keine ne pas jamais nunca no sin"
)
KEEPS = _words("only longer nur mehr ya plus")  # "not only sad", "nicht mehr traurig": still told
INTENSIFIERS: Mapping[str, float] = {
    **dict.fromkeys(
        _words(
            "extremely incredibly utterly totally completely absolutely insanely "
            "extrem unglaublich extrêmement extremadamente"
        ),
        1.5,
    ),
    **dict.fromkeys(
        _words(
            "very really so deeply super terribly most truly sehr so wirklich très vraiment "
            "muy tan realmente"
        ),
        1.25,
    ),
    **dict.fromkeys(
        _words("slightly somewhat mildly little bit faintly etwas leicht peu poco"), 0.5
    ),
    **dict.fromkeys(_words("rather fairly pretty kinda"), 0.8),
}
FEELING = _words(
    "feel feels felt feeling feelings mood moods emotion emotions sense moment moments"
)
# What may stand between "felt" and the word, besides other feelings, negations and intensifiers.
BRIDGE = _words("a an of and or both more less quite too such much was is i he she we they")
FELT = _words("feel feels felt feeling")  # after which an unlisted word may name a feeling too
LEAST_LETTERS = 4
NO_FEELING = INTENSIFIERS.keys() | _words(
    "about after again against although around because could might would before better between "
    "different during each every everyone from have having here into just know like more most must "
    "other over same should since some something sure than that their them then there these they "
    "thing things think this those though through today toward towards under until upon want way "
    "ways well were what whatever when whenever where whether which while whom whose will with "
    "within worse your regarding concerning anything everything nothing anyone someone people "
    "person certain it's"
)
STATE = _words(
    "am is are was were be been being i'm he's she's they're get gets got getting become becomes "
    "became becoming seem seems seemed look looked looks sound sounded make makes made leave left"
)
# Words that make a topic of the feeling before them ("surprise party") or of the one behind them.
TOPIC_AFTER = _words(
    "party parties hour hours birthday birthdays anniversary holidays birds button management test "
    "tests song songs movie book show level mode room factor joy division"
)
TOPIC_BEFORE = _words("kernel go golang called titled named")

GONE = re.compile(
    r"\b(calm(?:ed|s|ing)? down|cool(?:ed|ing) off|g[eo]t(?:ting)? over|recover(?:ed|ing)? from|"
    r"no longer|nicht mehr|ya no|n'est plus|n'était plus|stop(?:ped)? being|stop(?:ped)? feeling|"
    r"moved? on from|let go of)\b"
)
CALMED = re.compile(r"\bcalm(?:ed|s|ing)? down\b")
RISE = re.compile(
    r"\b(increasingly|more and more|growing|grew|getting|building up|immer mehr|de plus en plus"
    r"|cada vez más)\b|越来越(?!不)|ますます"
)
FALL = re.compile(
    r"\b(less and less|decreasingly|fading|faded|wearing off|immer weniger|de moins en moins"
    r"|cada vez menos)\b|越来越不"
)
SPIKE = re.compile(
    r"\b(suddenly|all of a sudden|outburst|burst of|flash of|for a moment|briefly|plötzlich|soudain"
    r"|soudainement|de repente)\b|突然|急に"
)
START = re.compile(
    r"\b(from|at first|first|initially|originally|beginning|started|zuerst|anfangs|von|d'abord"
    r"|début|de|al principio|primero)\b|先|最初|从"
)
TURN = re.compile(
    r"\b(to|into|then|until|turned|became|ended|later|eventually|finally|before|gave way|dann|zu"
    r"|puis|ensuite|à|luego|después|a)\b|然后|后来|最后|それから|その後|到"
)
WITH_START = frozenset(("to", "later", "zu", "à", "a", "después", "到"))  # too common alone
BACK = re.compile(r"\b(?:after|nachdem)\b")  # "relieved after being scared": the second came first
