"""What makes a word an identifier, by name; for the trace."""

import re

SHAPES = (
    ("date", re.compile(r"^(?:\d{1,2}([-/])\d{1,2}\1\d{2,4}|\d{4}([-/])\d{1,2}\2\d{1,2})$")),
    ("address", re.compile(r"[/\\@]|://")),
    ("number_sign", re.compile(r"^#")),
    ("version", re.compile(r"^v?\d+(?:\.\d+)+")),
    ("underscored", re.compile(r"_")),
    ("language", re.compile(r"[+#]$")),
    ("scoped", re.compile(r"::|->|[:&+#]")),
    ("dotted", re.compile(r"\.")),
    ("hyphenated", re.compile(r"-")),
    ("letters_and_digits", re.compile(r"\d")),
)


def shape_of(identifier: str) -> str:
    """The first shape that an identifier, casefolded, shows; inner capitals where none is left."""
    for name, pattern in SHAPES:
        if pattern.search(identifier):
            return name
    return "inner_capitals"
