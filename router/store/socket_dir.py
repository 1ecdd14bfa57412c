"""The private folder of the server's socket: only its owner can enter, so no password is asked."""

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from channels.errors import ConfigError
from router.store.account import Account, require_way

SOCKET = ".s.PGSQL.5432"
MAX_PATH_BYTES = 103  # sun_path less its closing zero: 107 on Linux, 103 on macOS


def socket_dir(data_dir: Path) -> Path:
    """Return `<data_dir>/run`, or a short temporary folder where that is too long."""
    beside = data_dir / "run"
    if len(os.fsencode(beside / SOCKET)) <= MAX_PATH_BYTES:
        return beside
    name = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()).resolve() / f"fivefold-{name}"


def make_private(folder: Path, account: Account | None) -> None:
    """Create the folder, 0700 and owned by the server's account, or check that it is just that.

    The temporary folder is everyone's, so a folder that is already there may be a trap. Raises
    ConfigError then. A socket that a killed server left is removed, as its note can name a process
    that has not quite gone, or another one by now: call this only while no server runs.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        if account is not None:
            os.chown(folder, account.uid, account.gid)
    facts = folder.lstat()
    owners = {account.uid} if account else {os.geteuid()}
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid not in owners or facts.st_mode & 0o077:
        raise ConfigError(
            "FIVEFOLD_DATA_DIR",
            f"{folder} must be a folder that only Postgres' account can enter; remove it",
        )
    require_way(folder, account)
    for name in (SOCKET, f"{SOCKET}.lock"):
        (folder / name).unlink(missing_ok=True)
