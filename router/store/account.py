"""The account Postgres runs under: ours, or an unprivileged one when we are root."""

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from channels.errors import ConfigError

SETTING = "FIVEFOLD_POSTGRES_ACCOUNT"
DEFAULT_ACCOUNT = "fivefold"
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server and owns its files."""

    name: str
    uid: int
    gid: int
    groups: frozenset[int]

    def may(self, path: Path, bit: int) -> bool:
        """Whether mode bits grant `bit` (1 enter, 2 write, 4 read) on `path`; ACLs are not read."""
        facts = path.stat()
        if facts.st_uid == self.uid:
            return bool(facts.st_mode & (bit << 6))
        if facts.st_gid in self.groups:
            return bool(facts.st_mode & (bit << 3))
        return bool(facts.st_mode & bit)


def server_account(name: str | None = None) -> Account | None:
    """Return the account to switch to, or None to run as we are.

    Postgres refuses to run as root, so root needs one: `name`, else FIVEFOLD_POSTGRES_ACCOUNT, else
    `fivefold`, which is created when missing. Raises ConfigError when it cannot be had, or when
    another account is asked for without the right to switch.
    """
    wanted = name or os.environ.get(SETTING) or None
    if os.geteuid() != 0:
        if wanted is not None and wanted != pwd.getpwuid(os.geteuid()).pw_name:
            raise ConfigError(SETTING, f"only root can run Postgres as {wanted!r}; unset it")
        return None
    account = _look_up(wanted or DEFAULT_ACCOUNT)
    if account is None and wanted is None:
        _create(DEFAULT_ACCOUNT)
        account = _look_up(DEFAULT_ACCOUNT)
    if account is None:
        raise ConfigError(SETTING, f"no account named {wanted!r}; create it or unset the setting")
    if account.uid == 0:
        raise ConfigError(SETTING, "Postgres refuses to run as root; name an unprivileged account")
    return account


def run_as(
    account: Account | None, command: Sequence[str | Path], *, timeout_s: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run one program to its end under `account` (None: as we are); its output is captured as text.

    It gets its own session, so that Ctrl-C at our terminal never reaches Postgres before the pool
    is closed, and none of our PG* variables. Raises OSError when it cannot be started, ConfigError
    when it does not end in time.
    """
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TZDIR") if name in os.environ}
    try:
        return subprocess.run(  # noqa: S603 - Postgres' programs and our paths, no shell
            [str(word) for word in command],
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=() if account else None,
            cwd="/",
            env={"PATH": SEARCH_PATH, "LC_ALL": "C", **kept},
            umask=0o077,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        program = Path(command[0]).name
        raise ConfigError("FIVEFOLD_DATA_DIR", f"{program} took over {timeout_s:.0f} s") from error


def require_way(folder: Path, account: Account | None) -> None:
    """Check that `account` can reach `folder`. Nothing is changed on the way: it is not ours.

    Raises ConfigError naming the closed folder.
    """
    for parent in reversed(folder.parents) if account else ():
        if account is not None and not account.may(parent, 1):
            raise ConfigError(
                "FIVEFOLD_DATA_DIR",
                f"{parent} is closed to the account {account.name!r} that runs Postgres; "
                "set FIVEFOLD_DATA_DIR to a folder it can reach, such as /var/lib/fivefold",
            )


def give(path: Path, account: Account | None) -> None:
    """Make `account` the owner of `path` and all below it, if it is not already."""
    if account is None or path.lstat().st_uid == account.uid:
        return
    os.lchown(path, account.uid, account.gid)
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            os.lchown(Path(folder) / name, account.uid, account.gid)


def _look_up(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    groups = {entry.pw_gid, *(group.gr_gid for group in grp.getgrall() if name in group.gr_mem)}
    return Account(name, entry.pw_uid, entry.pw_gid, frozenset(groups))


def _create(name: str) -> None:
    advice = f"Postgres cannot run as root; create an account named {name!r} or name one here"
    program = shutil.which("useradd", path=SEARCH_PATH)
    if program is None:
        raise ConfigError(SETTING, f"{advice} (this system has no useradd)")
    options = ("--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent")
    shell = ("--shell", "/usr/sbin/nologin")
    done = run_as(None, (program, *options, *shell, name))
    # Another process may have made it meanwhile: only the account's absence is an error.
    if done.returncode != 0 and _look_up(name) is None:
        raise ConfigError(SETTING, f"{advice} (useradd: {done.stderr.strip()})")
