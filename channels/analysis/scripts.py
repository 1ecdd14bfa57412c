"""Scripts without spaces between words (and Korean, whose particles stick) cut into bigrams."""

import re

# Han and kana form one run: Japanese words mix them.
_HAN_KANA = "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_HAN_MORE = "\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3131-\u318f\ua960-\ua97f\uac00-\ud7ff"
_THAI, _LAO, _BURMESE, _KHMER = "\u0e00-\u0e7f", "\u0e80-\u0eff", "\u1000-\u109f", "\u1780-\u17ff"
_UNSPACED = _HAN_KANA + _HAN_MORE + _THAI + _LAO + _BURMESE + _KHMER

CJK = re.compile(f"[{_HAN_KANA}{_HAN_MORE}{_HANGUL}]")
"""One character that may be a word by itself; a Thai or Khmer letter is not."""

HAN = re.compile(f"[\u3400-\u4dbf\u4e00-\u9fff{_HAN_MORE}]")
"""One Chinese character."""

RUNS = re.compile(
    f"(?P<unspaced>[{_HAN_KANA}{_HAN_MORE}]+|[{_THAI}]+|[{_LAO}]+|[{_BURMESE}]+|[{_KHMER}]+)"
    f"|(?P<hangul>[{_HANGUL}]+)"
    f"|(?P<spaced>[^{_UNSPACED}{_HANGUL}]+)"
)
"""Cuts a chunk into runs of one kind; every character is in exactly one run."""


def bigrams(run: str) -> list[str]:
    """Neighbouring pairs of characters, in order; a run of one character gives itself."""
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]
