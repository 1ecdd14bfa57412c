"""Write docs/settings.md from router/settings.py: `python -m bench.settings_table`."""

from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from router.evaluate.report import table
from router.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
HEAD = """# Settings

Written by `python -m bench.settings_table` from `router/settings.py`; do not edit. Settings are
environment variables, read once when a process starts. `fivefold settings` prints those in force,
secrets masked. A value out of bounds stops the process with the variable's name.
"""
FOOT = """
`FIVEFOLD_DATA_DIR` without a value is `/var/lib/fivefold` for root, else `fivefold` below
`$XDG_DATA_HOME` or `~/.local/share`.

What belongs to one bank and not to the process (decay, time zone, embedder, event values) is its
`config`: see [the API](api.md#banks).
"""
BOUNDS = (("gt", "> {}"), ("ge", ">= {}"), ("lt", "< {}"), ("le", "<= {}"))


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE.name}: {len(Settings.model_fields)} settings")


def page() -> str:
    """The markdown of docs/settings.md."""
    rows = [
        [f"`FIVEFOLD_{name.upper()}`", default(field), bounds(field), field.description or ""]
        for name, field in Settings.model_fields.items()
    ]
    lines = table(["variable", "default", "bounds", "meaning"], rows)
    lines[1] = lines[1].replace("---:", "---")  # text, not numbers
    return "\n".join([HEAD, *lines]) + "\n" + FOOT


def default(field: FieldInfo) -> str:
    """The default as one would write it."""
    if field.default_factory is not None:
        return "by account"
    value: Any = field.default
    if value is None:
        return "unset"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def bounds(field: FieldInfo) -> str:
    """Bounds or pattern of the value; empty when anything of its type goes."""
    found = []
    for mark in field.metadata:
        found += [text.format(getattr(mark, name)) for name, text in BOUNDS if hasattr(mark, name)]
        if pattern := getattr(mark, "pattern", None):
            found.append(f"`{pattern}`")
    return ", ".join(found)


if __name__ == "__main__":
    main()
