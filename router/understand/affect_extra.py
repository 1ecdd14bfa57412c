"""Words for feelings that only questions are read by: informal, inflected and misspelt ones.

The packaged table is what the model of texts is trained with; a word there would change what is
read of every memory. The marks are those of that table.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from channels.affect.lexicon import Entry, Lexicon, lexicon, read_table

_DE = "(|e|en|em|er|es|ere|erer|eren|ste|sten)"
_TABLE = f"""
! nervousness .8, fear .6 = freak(|s|ed|ing)_out freak(|s|ed|ing)_(me|him|her|them|us)_out
! nervousness .8, fear .6 = frantic hysterical panicky antsier jumpier jumpiest edgier uneasier
! fear .8, nervousness .3 = scarier scariest
! sadness .9, grief .3 = cry cries sob(|s|bed|bing) bawling teary unhappier unhappiest
! sadness .9, grief .3 = gloomier gloomiest glummer mopey
! sadness .9, nervousness .2 = lonelier loneliest
! anger .9, annoyance .6, frustration_behaviour .5 = angrier angriest fuming
! annoyance .9, anger .4, frustration_behaviour .5 = grumpier grumpiest crankier crankiest
! joy .8 = cheerier cheeriest merrier merriest jollier gladder
! disappointment .5, sadness .3, annoyance .2 = bored
! disappointment .9, sadness .5 = bummed bummed_out
! nervousness .8, annoyance .5, frustration_behaviour .4 = worn_out
? nervousness .8, annoyance .5, frustration_behaviour .4 = exhausted
? sadness .8, nervousness .4 = desperate
? disappointment .9, sadness .5 = gutted
~ anger .8, annoyance .5, frustration_behaviour .4 = madder maddest
~ annoyance .8, disapproval .4, frustration_behaviour .7 = moodier
~ nervousness .7, fear .4 = tenser
~ joy .6, relief .4, approval .3 = calmer calmest fine ok okay alright zen composed
~ joy .6, relief .4, approval .3 = ruhig gelassen zufrieden entspannt calme serein sereine
~ joy .6, relief .4, approval .3 = tranquil(o|a) seren(o|a) satisfech(o|a)
! joy 1 = freude joie alegría
! joy .6, relief .4, approval .3 = 平静 落ち着い
! fear .9, nervousness .5 = ängstlich{_DE} verängstigt{_DE}
! nervousness .9 = nervös{_DE} besorgt{_DE} gestresst{_DE} unruhig{_DE}
! annoyance .9, anger .4, frustration_behaviour 1 = frustriert{_DE} genervt{_DE} verärgert{_DE}
! anger 1, annoyance .5, frustration_behaviour .5 = wütend{_DE} zornig{_DE}
! sadness .9 = traurig{_DE} einsam{_DE} deprimiert{_DE} unglücklich{_DE}
! disappointment 1, sadness .4 = enttäuscht{_DE}
! embarrassment 1 = beschämt{_DE}
! confusion 1, confusion_behaviour 1 = verwirrt{_DE} ratlos{_DE}
! joy 1 = glücklich{_DE} fröhlich{_DE} froh{_DE}
! excitement 1, joy .5 = begeistert{_DE} aufgeregt{_DE}
! relief 1, joy .3 = erleichtert{_DE}
! gratitude 1 = dankbar{_DE}
! desire .5, annoyance .6 = eifersüchtig{_DE} neidisch{_DE}
! surprise 1 = überrascht{_DE} erstaunt{_DE}
! fear .9, nervousness .5 = effrayé(|e)s terrifié(|e)s asustad(o|a)s aterrad(o|a)s
! nervousness .9 = anxieuses nerveuses stressé(|e)s inquiets inquiètes
! nervousness .9 = ansios(o|a)s nervios(o|a)s estresad(o|a)s preocupad(o|a)s
! annoyance .9, anger .4, frustration_behaviour 1 = frustré(|e)s agacé(|e)s énervé(|e)s
! annoyance .9, anger .4, frustration_behaviour 1 = frustrad(o|a)s molest(o|a)s
! anger 1, annoyance .5, frustration_behaviour .5 = furieuses fâché(|e)s
! anger 1, annoyance .5, frustration_behaviour .5 = enojad(o|a)s furios(o|a)s enfadad(o|a)s
! sadness .9 = tristes malheureuses deprimid(o|a)s infelices
! disappointment 1, sadness .4 = déçu(|e)s decepcionad(o|a)s
! embarrassment 1, remorse .3 = gêné(|e)s honteuses avergonzad(o|a)s
! joy 1 = heureuses joyeuses felices alegres content(o|a)s
! excitement 1, joy .5 = enthousiastes emocionad(o|a)s entusiasmad(o|a)s
! relief 1, joy .3 = soulagé(|e)s aliviad(o|a)s
! gratitude 1 = reconnaissant(|e)s agradecid(o|a)s
! surprise 1 = étonné(|e)s sorprendid(o|a)s
! fear .9, nervousness .5 = 怖く 怖さ
! anger 1, annoyance .5, frustration_behaviour .5 = 怒ら 怒り
! sadness .9 = 悲しく 悲しさ 悲しみ 寂しく 寂しさ つらい つらかった 泣いた 泣いて
! joy 1 = 嬉しく 嬉しさ 嬉しそう
! surprise 1 = 驚か
"""
# Misspelt too early or too often for the rule: too short, or two slips at once.
_MISSPELT = """
dissapointed=disappointed dissapointment=disappointment dissapointing=disappointing
dissappointed=disappointed dissappointment=disappointment disapointed=disappointed
disapointment=disappointment frusterated=frustrated fustrated=frustrated frustraded=frustrated
frusturated=frustrated frustation=frustration embarased=embarrassed embarassed=embarrassed
suprised=surprised supprised=surprised surprized=surprised anxios=anxious anxous=anxious
anxiuos=anxious nervious=nervous nervouse=nervous woried=worried worryed=worried angy=angry
releived=relieved releaved=relieved jelous=jealous jealos=jealous jelousy=jealousy lonley=lonely
greatful=grateful gratefull=grateful furios=furious furius=furious terified=terrified
happyness=happiness lonelyness=loneliness exicted=excited excitied=excited depresed=depressed
anoyed=annoyed annoyd=annoyed irratated=irritated stresed=stressed guilthy=guilty
overwelmed=overwhelmed humilated=humiliated confussed=confused ashmed=ashamed
"""
SHORTEST_TYPO = 8  # letters as typed; shorter ones are other words: exited, started, relived

EXTRA = read_table(_TABLE)


def _slips(word: str) -> Iterator[str]:
    """The word with one letter left out or doubled, or two changed about.

    A letter put for another is left alone (irrigated, dreaming and homeless are such words), and
    so is a last one left out (aggravate).
    """
    for place in range(1, len(word)):
        if place + 1 < len(word):
            yield word[:place] + word[place + 1 :]
        yield word[:place] + word[place] + word[place:]
        yield word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]


def _typos() -> Mapping[str, Entry]:
    table = lexicon()
    listed = (pair.split("=") for pair in _MISSPELT.split())
    found = {typed: entry for typed, meant in listed if (entry := table.find(meant)) is not None}
    known = {part for key in chain(table.entries, EXTRA.entries) for part in key}
    informal = [(key, entry) for key, entry in EXTRA.entries.items() if entry.mark == "?"]
    for key, entry in chain(table.entries.items(), informal):
        if entry.mark != "~" and len(key) == 1 and key[0].isascii():
            for typed in _slips(key[0]):
                if len(typed) >= SHORTEST_TYPO and typed not in known:
                    found.setdefault(typed, entry)
    return MappingProxyType(found)


TYPOS = _typos()
_UNSPACED = (lexicon().unspaced.pattern, EXTRA.unspaced.pattern)
UNSPACED = re.compile(
    "|".join(sorted("|".join(_UNSPACED).split("|"), key=lambda word: (-len(word), word)))
)


def entry_at(table: Lexicon, words: Sequence[str], start: int) -> tuple[int, Entry] | None:
    """The longest entry of the table or of the words here; of equals, the one here."""
    ours, theirs = EXTRA.at(words, start), table.at(words, start)
    if ours is not None and (theirs is None or ours[0] >= theirs[0]):
        return ours
    typed = TYPOS.get(words[start])
    return theirs or (None if typed is None else (1, typed))
