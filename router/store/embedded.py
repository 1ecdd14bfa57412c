"""The embedded server: a Postgres that starts with us and stops with the last of us."""

import atexit
import os
import signal
import sys
import threading
import uuid
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from channels.errors import ConfigError
from router.store.account import Account, give, require_way, server_account
from router.store.binaries import find_binaries, reachable
from router.store.cluster import Cluster
from router.store.leases import Leases, locked
from router.store.postmaster import postmaster

EXPORTS = "onnx"  # the one thing of ours that may lie in a data folder before its cluster


def default_data_dir() -> Path:
    """Return where data lies unless FIVEFOLD_DATA_DIR says otherwise: /var/lib/fivefold for root,
    else `fivefold` below $XDG_DATA_HOME or ~/.local/share.
    """
    if os.geteuid() == 0:
        return Path("/var/lib/fivefold")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fivefold"


class EmbeddedPostgres:
    """One user's handle on the server over a data folder.

    Several handles, in several processes, share one server; the last to leave stops it. A process
    that was killed counts as gone as soon as another one starts or stops.

        data_dir/pg            the cluster             data_dir/run          the socket
        data_dir/postgres.log  what the server says    data_dir/leases.json  who uses it
        data_dir/onnx          models exported for ONNX Runtime, which may be deleted
    """

    def __init__(
        self, data_dir: Path, *, bin_dir: Path | None = None, account: str | None = None
    ) -> None:
        """`bin_dir` holds pg_ctl, else an installed wheel's is used; `account` is for root."""
        self.data_dir = data_dir.expanduser().resolve()
        self._bin_dir = bin_dir
        self._account_name = account
        self._handle = uuid.uuid4().hex
        self._owner = os.getpid()
        self._cluster: Cluster | None = None

    def start(self) -> str:
        """Return the superuser's DSN of the database `fivefold`, on a server that answers.

        Made, started, recovered or joined, whatever it takes; calling it again checks again. In the
        main thread it also turns a SIGTERM that nobody handles into a normal exit, so that the
        server does not outlive us. Raises ConfigError with the last lines of the server's log.
        """
        try:
            return self._start()
        except OSError as error:
            where = error.filename or self.data_dir
            reason = f"{where}: {error.strerror or error}; choose a folder we can write to"
            raise ConfigError("FIVEFOLD_DATA_DIR", reason) from error

    def is_running(self) -> bool:
        """Whether the server's process lives, by its note; it is not asked anything."""
        return postmaster(self.data_dir / "pg") is not None

    def restart(self) -> None:
        """Start again a server that died. Raises ConfigError when it cannot, or its data is gone:
        a new, empty database in its place would look like one that forgot everything.
        """
        if not (self.data_dir / "pg" / "PG_VERSION").exists():
            reason = f"{self.data_dir / 'pg'} was removed; put it back, or start fivefold anew"
            raise ConfigError("FIVEFOLD_DATA_DIR", reason)
        self.start()

    def stop(self) -> None:
        """Leave; the last one out stops the server. Again, or in a fork, it does nothing."""
        if self._cluster is None or self._owner != os.getpid():
            return
        cluster, self._cluster = self._cluster, None
        atexit.unregister(self.stop)
        if not self.data_dir.exists():  # removed under us: Postgres notices and ends by itself
            return
        with locked(self.data_dir / "lock"):
            if self._leases().drop(self._handle) == 0:
                cluster.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _start(self) -> str:
        if self._owner != os.getpid():  # forked: the parent's lease is not ours
            self._handle, self._owner = uuid.uuid4().hex, os.getpid()
        account = server_account(self._account_name)
        _claim(self.data_dir, account)
        with locked(self.data_dir / "lock"):
            binaries = reachable(find_binaries(self._bin_dir), account, self.data_dir)
            cluster = Cluster(self.data_dir, binaries, account)
            cluster.make()
            # Entered before the server runs: if we are killed here, the lease can be pruned.
            self._leases().add(self._handle)
            self._cluster = cluster
            for name in ("lock", "leases.json"):
                give(self.data_dir / name, account)
            atexit.unregister(self.stop)
            atexit.register(self.stop)
            exit_on_sigterm()
            try:
                return cluster.ensure_running()
            except ConfigError:
                self._leases().drop(self._handle)  # who got no server keeps none alive
                raise

    def _leases(self) -> Leases:
        return Leases(self.data_dir / "leases.json")


def _claim(data_dir: Path, account: Account | None) -> None:
    """Create the data folder, or take it over when it is empty or ours; no other is touched."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner, cluster = data_dir.stat().st_uid, data_dir / "pg"
    is_empty = all(one.name == EXPORTS for one in data_dir.iterdir())
    is_ours = is_empty or (cluster.exists() and cluster.stat().st_uid == owner)
    if account is not None and is_ours and owner != account.uid:
        os.chown(data_dir, account.uid, account.gid)
    require_way(data_dir / "pg", account)


def exit_on_sigterm() -> None:
    """Let a SIGTERM that nobody handles end the process in order; only the main thread can ask.

    Python dies of it without its exit handlers; uvicorn raises it again after shutdown.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
