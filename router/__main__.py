"""`fivefold` and `python -m router`: are the three package names ours? Then the commands."""

import sys
from pathlib import Path

PACKAGES = ("router", "channels", "feedback")
DISTRIBUTION = "fivefold"


def main() -> None:
    """Run the command line and exit: 0 done, 1 failed, 2 wrong usage."""
    owner = foreign_owner([Path(entry) for entry in sys.path if entry])
    if owner is not None:
        sys.exit(owner)
    from router.cli import app

    app(prog_name=DISTRIBUTION)


def foreign_owner(folders: list[Path]) -> str | None:
    """A sentence naming another distribution that brings one of our package names, or None.

    Django Channels also installs `channels`: beside it either of the two breaks, silently. Asking
    importlib.metadata takes longer than most commands, so it is asked only on suspicion.
    """
    if not any(_suspicious(record) for folder in folders for record in _records(folder)):
        return None
    from importlib.metadata import packages_distributions

    owners = packages_distributions()
    for package in PACKAGES:
        others = sorted(set(owners.get(package, ())) - {DISTRIBUTION})
        if others:
            return (
                f"fivefold: the package {package!r} is also installed by {others[0]}; install "
                "fivefold into an environment of its own (pipx, uv tool install, or a venv)"
            )
    return None


def _records(folder: Path) -> list[Path]:
    others = (one for one in folder.glob("*.dist-info") if not one.name.startswith(DISTRIBUTION))
    return [one / name for one in others for name in ("RECORD", "top_level.txt")]


def _suspicious(record: Path) -> bool:
    try:
        text = b"\n" + record.read_bytes()
    except OSError:  # many distributions have only one of the two files
        return False
    return any(f"\n{package}{end}".encode() in text for package in PACKAGES for end in ("/", "\n"))


if __name__ == "__main__":
    main()
