"""Cut a text into the hashed grams that the affect model knows."""

import re
from itertools import islice, pairwise
from zlib import crc32

from channels.affect.lexicon import lexicon

# Words with inner apostrophes, runs of ! or ?, and any other visible sign (emoji among them).
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[!?]+|[^\w\s.,;:'\"()\[\]{}<>/\\|*#_-]")
_BREAK = re.compile(r"[,;:.]|\s-+\s")  # a clause may end there
BEGINNING = 5  # letters; stands for a stem at a fraction of its cost
MAX_TOKENS = 256  # a memory's feeling is rarely decided after that; bounds the time a text takes


def tokens(text: str) -> list[str]:
    """Case-folded words and signs of a text, in order, at most MAX_TOKENS of them."""
    found = _TOKEN.findall(text.casefold().replace("’", "'")[: MAX_TOKENS * 16])
    return [word[0] if word[0] in "!?" else word for word in found[:MAX_TOKENS]]


def tokens_and_breaks(text: str) -> tuple[list[str], frozenset[int]]:
    """The same tokens, and the places of those behind a comma, a full stop or a dash."""
    folded = text.casefold().replace("’", "'")[: MAX_TOKENS * 16]
    words: list[str] = []
    breaks: set[int] = set()
    end = 0
    for match in islice(_TOKEN.finditer(folded), MAX_TOKENS):
        if _BREAK.search(folded, end, match.start()):
            breaks.add(len(words))
        word = match[0]
        words.append(word[0] if word[0] in "!?" else word)
        end = match.end()
    return words, frozenset(breaks)


def grams(words: list[str]) -> list[int]:
    """32-bit hashes of what the model looks at, each once, in first-seen order.

    Words, neighbouring pairs, word beginnings (so that an ending does not hide a word), and the
    main label of each lexicon word, which lends the model words that its training texts hardly
    hold.
    """
    pairs = [f"{left} {right}" for left, right in pairwise(words)]
    beginnings = [f"{word[:BEGINNING]}*" for word in words if len(word) > BEGINNING]
    table = lexicon()
    found = (table.at(words, start) for start in range(len(words)))
    feelings = [f"~{hit[1].main}" for hit in found if hit is not None]
    distinct = dict.fromkeys((*words, *pairs, *beginnings, *feelings))
    return [crc32(gram.encode(errors="surrogatepass")) for gram in distinct]
