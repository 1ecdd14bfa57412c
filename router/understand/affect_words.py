"""Words of a question that change a feeling: negations, intensifiers, shapes, other topics."""

import re
from collections.abc import Mapping


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


NEGATION_WINDOW = 3  # words before the feeling that are searched for a negation
CONTEXT_WINDOW = 4  # words before it in which a feeling or a state must be spoken of
FLIPPED = (("sadness", 0.5), ("disappointment", 0.5))  # "not happy" is less than sad

_AUXILIARIES = (
    "is was are were do does did ca could wo would has have had should must need ai might sha"
)
_CONTRACTED = [f"{word}n{sign}t" for word in _AUXILIARIES.split() for sign in ("'", "")]
NEGATIONS = _words(
    "not never no without hardly barely scarcely rarely seldom nor neither cannot dosent doesnot "
    "nicht nie niemals kein keine keinen keiner keinem kaum ohne weder "
    "ne pas jamais sans guère nunca jamás no sin ni tampoco"
).union(_CONTRACTED)
# As the subject they deny what is said of it, further on: "nobody at work was upset".
NOBODY = _words("nobody noone none nothing niemand nichts nadie nada")
NOBODY_WINDOW = 6  # words; a sentence about nobody in particular is short
OTHER_CLAUSE = _words(  # "nobody knew that she was sad": she was
    "i he she we they you it who whom that how why when what if where whether because than "
    "knew know knows noticed notice saw sees see realised realized said say says told thought "
    "think asked understood understands believed believes cared cares guessed"
)
FRAMED_NEGATIONS = {  # the word, and the words that make a negation of it
    "far": _words("from"),
    "nowhere": _words("near"),
    "instead": _words("of"),
    "rather": _words("than"),
    "free": _words("of from"),
    "lack": _words("of"),
    "less": _words("than"),
    "devoid": _words("of"),
    "alles": _words("andere"),
}
RAISERS = _words("think believe suppose expect seem glaube")  # "I don't think …"
RAISING_WINDOW = 6  # words from "don't" to the feeling then
LEAST = _words("least slightest any remotely means")  # "not in the least scared", "not in any way"
YET = _words("but yet though although however except ! ? — – aber sondern mais sino pero")
# Between a negation and the feeling: it is told all the same. "not only sad", "nicht mehr traurig"
KEEPS = _words("only longer just merely simply nur bloß mehr plus seulement solo sólo solamente")
UNSURE = _words(  # "can't remember being sad", "not because he was angry", "no wonder sad"
    "remember remembering recall recalling forget know knowing sure certain wonder doubt question "
    "matter mind if whether why how when because until unless who what"
)
PRONOUNS = _words("i he she we they you it i'm he's she's they're we're")  # "no she was angry"
STOPS = _words("stop stopped help hide deny shake contain")  # "couldn't help feeling sad"
# Nothing goes beyond: "never so happy", "couldn't be happier", "nobody was more upset".
UNABLE = NOBODY | _words("never can't cant cannot couldn't couldnt nie nunca jamais jamás")
MORE = _words("so more such as mehr si plus tan más")
LIST_GLUE = _words("or nor oder noch ou o ni")  # "not sad or angry": neither
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
    "im hes shes theyre were isn't isnt wasn't wasnt aren't arent weren't werent ain't aint "
    "became becoming seem seems seemed look looked looks sound sounded make makes made leave left"
)
# Words that make a topic of the feeling before them ("surprise party") or of the one behind them.
TOPIC_AFTER = _words(
    "path paths flow flows packaging verdict plea matrix error errors handler exception emoji meme "
    "playlist album podcast plugin library package "
    "party parties hour hours birthday birthdays anniversary holidays birds button management test "
    "tests song songs movie book show level mode room factor joy division"
)
TOPIC_BEFORE = _words("kernel go golang rust called titled named past future perfect verb")

GONE = re.compile(
    r"\b(calm(?:ed|s|ing)? down|cool(?:ed|ing) off|g[eo]t(?:ting)? over|recover(?:ed|ing)? from|"
    r"no longer|nicht mehr|ya no|n'est plus|n'était plus|stop(?:ped)? being|stop(?:ped)? feeling|"
    r"moved? on from|let go of)\b|不再|再也不"
    r"|\b(?:not|never|[a-z]+n't|dont|isnt|wasnt|arent|werent) .{1,40} any ?more\b"
)
CALMED = re.compile(r"\bcalm(?:ed|s|ing)? down\b")
RISE = re.compile(
    r"\b(increasingly|more and more|growing|grew|getting|building up|immer mehr|de plus en plus"
    r"|cada vez más|gradually(?! (?:less|calm))|progressively|steadily|ever more|by the day"
    r"|(?!over\b)([a-z]+er) and \2|zunehmend|immer [a-zäöü]+er|nach und nach)\b"
    r"|越来越(?!不)|渐渐|逐渐|日益|ますます|だんだん|段々|次第に|徐々に|どんどん"
)
FALL = re.compile(
    r"\b(less and less|decreasingly|gradually less|fading|faded|wearing off|immer weniger"
    r"|de moins en moins|cada vez menos)\b|越来越不"
)
SPIKE = re.compile(
    r"\b(suddenly|all of a sudden|outburst|burst of|flash of|for a moment|briefly|plötzlich|soudain"
    r"|soudainement|de repente)\b|突然|急に"
)
START = re.compile(
    r"\b(from|at first|first|initially|originally|beginning|started|used to|zuerst|anfangs|von"
    r"|d'abord|début|de|al principio|primero)\b|先|最初|从"
)
OPENING = re.compile(  # before the first feeling or behind it: "scared at first but happy"
    r"\b(at first|initially|originally|in the beginning|used to|once|started|began|zuerst|anfangs"
    r"|d'abord|al principio)\b|最初"
)
TURN = re.compile(
    r"\b(to|into|then|until|till|turned|turning|became|becoming|ended|wound up|later|eventually"
    r"|finally|afterwards|in the end|before|gave way|(?:but|and) (?:now|later)|now|but|dann|zu"
    r"|puis|ensuite|à|luego|después|pero|aber|a)\b|然后|后来|最后|变成|变得|それから|その後|最後|最終的に|到"
)
# Too common alone: they make a turn where something says that it begins.
WITH_START = frozenset(("to", "later", "zu", "à", "a", "después", "到"))
WITH_OPENING = _words("but now pero aber")  # and these where it says "at first"
BACK = re.compile(r"\b(?:after|nachdem)\b")  # "relieved after being scared": the second came first
ANY_MORE = re.compile(r"\bany ?more\b")  # "not sad anymore": sad before
ANY_MORE_WORDS = 5  # behind the feeling in which it stands
# What stands before a feeling that only the telling of a turn makes one: "then confident".
FRAME = _words(
    "from to into then until till first initially originally beginning started later eventually "
    "finally afterwards once began made left finished ended wound turned turning became becoming "
    "before after but now end "
    "dann zuerst anfangs von zu d'abord puis ensuite de à primero luego después a principio"
)
FRAME_BRIDGE = _words(
    "up out off in being feeling felt feel all bit at just still me us him her them "
    "war waren ich er sie wir estaba estaban era yo él ella était je il elle"
)
FRAME_TAIL = _words(  # what may follow it; a noun would make an adjective of it
    "and or but about with when while after at in on for by because over once during to into then "
    "until till as that again before since within later ? ! this last yesterday today now und oder "
    "et y puis dann luego ensuite"
)
FRAME_REACH = 6  # words from a frame to its feeling
FRAME_GAP = 8  # words between the two feelings of a turn; further apart they are of two stories
