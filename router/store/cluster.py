"""One Postgres data folder: made, started, asked and stopped."""

import shutil
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import psycopg
import structlog
from psycopg.conninfo import make_conninfo

from channels.errors import ConfigError
from router.store.account import Account, give, run_as
from router.store.binaries import Binaries
from router.store.postmaster import Postmaster, clear_stale_note, postmaster
from router.store.profile import as_conf, memory_bytes, server_settings, shared_memory_bytes
from router.store.socket_dir import make_private, socket_dir

SUPERUSER = "postgres"
UNFINISHED = "pg.partial-"
DATABASE = "fivefold"
START_TIMEOUT_S = 120  # recovery after a crash replays at most max_wal_size
STOP_TIMEOUT_S = 60
MAX_LOG_BYTES = 10 * 1024 * 1024
POLL_S = 0.05
BUILTIN_LOCALES_SINCE = 17

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Cluster:
    """The server over `data_dir/pg`. Call its methods only under the data folder's lock."""

    data_dir: Path
    binaries: Binaries
    account: Account | None

    @property
    def folder(self) -> Path:
        return self.data_dir / "pg"

    @property
    def log_file(self) -> Path:
        return self.data_dir / "postgres.log"

    def make(self) -> None:
        """Create the data folder unless it exists. An interrupted try is wiped and made anew.

        It gets its name only when complete, so nothing under that name is ever wiped. Raises
        ConfigError when the folder there is not a cluster, or another version's.
        """
        self._remove_unfinished()
        if (self.folder / "PG_VERSION").exists():
            self._require_same_version()
            give(self.folder, self.account)
            return
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ConfigError("FIVEFOLD_DATA_DIR", f"{self.folder} is not empty and no database")
        # A name of its own: the initdb of a killed process may still be writing into the last one.
        unfinished = self.data_dir / f"{UNFINISHED}{uuid.uuid4().hex[:8]}"
        unfinished.mkdir(mode=0o700)
        give(unfinished, self.account)
        done = self._call("initdb", "--pgdata", unfinished, *_initdb_options(self.binaries.major))
        if done.returncode != 0:
            raise self._failure("initdb failed", _tail(done.stderr or done.stdout))
        with (unfinished / "postgresql.conf").open("a") as conf:
            conf.write("\ninclude 'fivefold.conf'\n")
        unfinished.rename(self.folder)

    def ensure_running(self) -> str:
        """Return the superuser's DSN of a server that has just answered `select 1`."""
        found = postmaster(self.folder)
        if found is not None and found.is_ready and not found.is_reachable:
            log.warning("socket_lost", folder=str(found.socket_dir))
            self.stop()
            found = None
        if found is None:
            found = self._start()
        return self._probe(found)

    def stop(self) -> None:
        """End the server, if one runs; clients are disconnected, nothing committed is lost."""
        found = postmaster(self.folder)
        if found is None:
            return
        for mode in ("fast", "immediate"):
            wait = ("-w", "-t", str(STOP_TIMEOUT_S))
            self._call("pg_ctl", "stop", "-D", self.folder, "-m", mode, *wait)
            if postmaster(self.folder) is None:
                break
            log.warning("server_stop_slow", mode=mode)
        self._remove_short_socket_dir(found.socket_dir)

    def _start(self) -> Postmaster:
        clear_stale_note(self.folder)
        sockets = socket_dir(self.data_dir)
        make_private(sockets, self.account)
        settings = server_settings(
            sockets, memory_bytes=memory_bytes(), shared_memory_bytes=shared_memory_bytes()
        )
        conf = self.folder / "fivefold.conf"
        conf.write_text(as_conf(settings))
        give(conf, self.account)
        self._open_log()
        wait = ("-w", "-t", str(START_TIMEOUT_S))
        words = ("start", "-D", self.folder, "-l", self.log_file, *wait)
        done = self._call("pg_ctl", *words)
        # It also fails when recovery takes longer, or when a killed process' own try comes first:
        # what counts is whether a server runs.
        found = postmaster(self.folder)
        if found is None:
            raise self._failure("Postgres did not start", _tail(done.stderr or done.stdout))
        return found

    def _probe(self, found: Postmaster) -> str:
        def dsn(database: str) -> str:
            host = str(found.socket_dir)
            return make_conninfo(host=host, port=5432, user=SUPERUSER, dbname=database)

        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                _ensure_database(dsn("postgres"))
                with psycopg.connect(dsn(DATABASE), connect_timeout=10) as connection:
                    connection.execute("select 1")
                return dsn(DATABASE)
            except psycopg.OperationalError as error:  # recovering, or gone since we looked
                alive = postmaster(self.folder)
                if alive is None or time.monotonic() > deadline:
                    raise self._failure(f"Postgres does not answer ({error})") from error
                time.sleep(POLL_S)

    def _call(self, program: str, *words: str | Path) -> CompletedProcess[str]:
        command = (self.binaries.folder / program, *words)
        return run_as(self.account, command, timeout_s=START_TIMEOUT_S + STOP_TIMEOUT_S)

    def _failure(self, what: str, lines: Sequence[str] = ()) -> ConfigError:
        told = "\n  ".join((*lines, *self._log_lines()))
        advice = (
            f"mend the cause, or set FIVEFOLD_DATABASE_URL to another server; {self.log_file} says"
        )
        return ConfigError("FIVEFOLD_DATA_DIR", f"{what} in {self.data_dir}; {advice}\n  {told}")

    def _log_lines(self) -> list[str]:
        with suppress(FileNotFoundError):
            return _tail(self.log_file.read_text(errors="replace"))
        return []

    def _remove_unfinished(self) -> None:
        for folder in self.data_dir.glob(f"{UNFINISHED}*"):
            log.warning("unfinished_database_removed", folder=str(folder))
            shutil.rmtree(folder, ignore_errors=True)

    def _open_log(self) -> None:
        if self.log_file.exists() and self.log_file.stat().st_size > MAX_LOG_BYTES:
            self.log_file.replace(self.log_file.with_suffix(".log.1"))
        self.log_file.touch(mode=0o600)
        give(self.log_file, self.account)

    def _require_same_version(self) -> None:
        made_by = (self.folder / "PG_VERSION").read_text().strip()
        if made_by != str(self.binaries.major):
            raise ConfigError(
                "FIVEFOLD_POSTGRES_BIN",
                f"{self.folder} was made by Postgres {made_by}, but {self.binaries.folder} is "
                f"{self.binaries.version}; name the programs of {made_by}, or export and import",
            )

    def _remove_short_socket_dir(self, folder: Path | None) -> None:
        # The one beside the data may stay; a system's temporary folder is not ours to fill.
        if folder is not None and folder.parent != self.data_dir:
            with suppress(OSError):
                folder.rmdir()


def _tail(text: str) -> list[str]:
    return text.strip().splitlines()[-8:]


def _initdb_options(major: int) -> Sequence[str]:
    # The machine's LANG must not decide whether МОСКВА and москва are one word.
    locale = (
        ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        if major >= BUILTIN_LOCALES_SINCE
        else ("--locale-provider=libc", "--locale=C.UTF-8")
    )
    access = ("--auth-local=trust", "--auth-host=scram-sha-256", f"--username={SUPERUSER}")
    return (*locale, *access, "--encoding=UTF8", "--data-checksums")


def _ensure_database(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True, connect_timeout=10) as connection:
        found = connection.execute("select from pg_database where datname = %s", (DATABASE,))
        if found.fetchone() is None:
            connection.execute(f"create database {DATABASE}")
