"""Names that a spaCy pipeline finds beside those of the rules; an extra, imported late."""

import warnings
from collections.abc import Mapping
from threading import Lock
from typing import Any, Protocol

from channels.errors import ConfigError

SETTING = "FIVEFOLD_ENTITY_MODEL"
MOST_CHARS = 20_000  # of a text that are read: a pipeline takes about a second for as many
NO_NAMES = frozenset(  # labels of numbers and times, in the schemes of spaCy's own pipelines
    ("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY")
)


class NameFinder(Protocol):
    """One way to find names in a text."""

    def find(self, text: str) -> Mapping[str, str]:
        """Names as written, each with its kind, in order of appearance. Safe to call at once."""
        ...


class SpacyNames:
    """The named entities of a spaCy pipeline."""

    def __init__(self, pipeline: str) -> None:
        """Load it by package name or path. Raises ConfigError that says what to install."""
        self._nlp = _load(pipeline)
        self._lock = Lock()  # a pipeline grows its vocabulary as it reads

    def find(self, text: str) -> dict[str, str]:
        """Names of the first 20,000 characters, kinds in lower case, such as person and org."""
        with self._lock:
            read = self._nlp(text[:MOST_CHARS].encode("utf-8", "replace").decode())
        return {e.text: e.label_.lower() for e in read.ents if e.label_ not in NO_NAMES}


def name_finder(pipeline: str | None) -> NameFinder | None:
    """The finder of that pipeline, or None without one. Raises ConfigError."""
    return None if pipeline is None else SpacyNames(pipeline)


def _load(pipeline: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # spaCy's parts warn of each other's versions
            import spacy

            return spacy.load(pipeline)
    except ImportError as error:
        raise ConfigError(
            SETTING, f"{pipeline!r} needs spaCy: pip install 'fivefold[spacy]' ({error})"
        ) from error
    except (OSError, ValueError) as error:
        raise ConfigError(
            SETTING,
            f"no pipeline {pipeline!r}: install it (python -m spacy download {pipeline}) or give "
            f"the path of a saved one ({str(error).splitlines()[0]})",
        ) from error
