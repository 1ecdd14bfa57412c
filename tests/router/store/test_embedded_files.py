"""Folders, accounts, settings: what the embedded server puts where, and what it leaves alone."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import ConfigError
from router.store.account import server_account
from router.store.binaries import find_binaries
from router.store.embedded import EmbeddedPostgres, default_data_dir
from router.store.leases import locked
from router.store.profile import as_conf, server_settings
from router.store.socket_dir import SOCKET, socket_dir

Seed = Callable[[Path], Path]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root switches accounts")
GB = 1024**3


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def asked(dsn: str, statement: str) -> object:
    with psycopg.connect(dsn) as connection:
        row = connection.execute(statement).fetchone()
        assert row is not None
        return row[0]


def test_server_runs_with_our_profile(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        dsn = server.start()
        for name, value in {
            "listen_addresses": "",
            "max_connections": "50",
            "work_mem": "16MB",
            "maintenance_work_mem": "256MB",
            "max_wal_size": "2GB",
            "random_page_cost": "1.1",
            "max_parallel_workers_per_gather": "0",
            "jit": "off",
            "TimeZone": "UTC",
            "data_checksums": "on",
        }.items():
            assert asked(dsn, f"select current_setting('{name}')") == value


def test_case_folding_does_not_depend_on_the_machines_locale(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        dsn = server.start()
        assert asked(dsn, "select lower('МОСКВА') || lower('CAFÉ')") == "москваcafé"
        assert asked(dsn, "select to_tsvector('simple', 'МОСКВА') @@ 'москва'::tsquery") is True
        assert (
            asked(dsn, "select datlocale from pg_database where datname = 'fivefold'") == "C.UTF-8"
        )


def test_only_the_owner_can_reach_the_socket_that_asks_for_no_password(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        assert mode(data_dir / "run") == 0o700
        assert mode(data_dir / "pg") == 0o700
        access = (data_dir / "pg" / "pg_hba.conf").read_text().splitlines()
        over_tcp = [line for line in access if line.startswith("host")]
        assert over_tcp
        assert not [line for line in over_tcp if line.endswith("trust")]


def test_own_settings_below_the_include_win(data_dir: Path) -> None:
    conf = data_dir / "pg" / "postgresql.conf"
    before = conf.read_text()
    conf.write_text(before + "work_mem = '8MB'\n")
    try:
        with EmbeddedPostgres(data_dir) as server:
            assert asked(server.start(), "show work_mem") == "8MB"
    finally:
        conf.write_text(before)


def test_data_folder_with_a_long_path_gets_a_short_private_socket(
    temp_dir: Path, seed: Seed
) -> None:
    data_dir = seed(temp_dir / ("long" * 20) / "data and, 'quotes'")
    data_dir.parent.chmod(0o711)
    temp_dir.chmod(0o711)
    sockets = socket_dir(data_dir)
    assert len(os.fsencode(sockets / SOCKET)) <= 103
    with EmbeddedPostgres(data_dir) as server:
        assert asked(server.start(), "select 1") == 1
        assert mode(sockets) == 0o700
        shutil.rmtree(sockets)  # as cleaners of temporary folders do
        assert asked(server.start(), "select 1") == 1
    assert not sockets.exists()


def test_socket_folder_that_somebody_else_laid_out_is_refused(temp_dir: Path, seed: Seed) -> None:
    data_dir = seed(temp_dir / ("long" * 25))
    temp_dir.chmod(0o711)
    sockets = socket_dir(data_dir)
    sockets.mkdir(mode=0o777)
    sockets.chmod(0o777)
    try:
        with pytest.raises(ConfigError, match="only Postgres' account"):
            EmbeddedPostgres(data_dir).start()
    finally:
        sockets.rmdir()


def test_interrupted_creation_is_wiped_and_made_anew(temp_dir: Path) -> None:
    unfinished = temp_dir / "pg.partial-1234"
    (unfinished / "base").mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    temp_dir.chmod(0o711)
    with EmbeddedPostgres(temp_dir) as server:
        assert asked(server.start(), "show fsync") == "on"
    assert not unfinished.exists()


def test_folder_that_is_no_database_is_never_wiped(temp_dir: Path) -> None:
    (temp_dir / "pg").mkdir()
    (temp_dir / "pg" / "letter.txt").write_text("dear")
    temp_dir.chmod(0o711)
    with pytest.raises(ConfigError, match="no database"):
        EmbeddedPostgres(temp_dir).start()
    assert (temp_dir / "pg" / "letter.txt").read_text() == "dear"


def test_another_versions_database_is_refused_with_advice(temp_dir: Path) -> None:
    (temp_dir / "pg").mkdir()
    (temp_dir / "pg" / "PG_VERSION").write_text("14\n")
    temp_dir.chmod(0o711)
    with pytest.raises(ConfigError, match="made by Postgres 14") as raised:
        EmbeddedPostgres(temp_dir).start()
    assert raised.value.setting == "FIVEFOLD_POSTGRES_BIN"


def test_server_that_cannot_start_says_why(data_dir: Path) -> None:
    control = data_dir / "pg" / "global" / "pg_control"
    hidden = control.with_name("hidden")
    control.rename(hidden)
    try:
        with pytest.raises(ConfigError, match="could not find the database system"):
            EmbeddedPostgres(data_dir).start()
    finally:
        hidden.rename(control)


def test_log_that_has_grown_is_put_aside(data_dir: Path) -> None:
    os.truncate(data_dir / "postgres.log", 11 * 1024 * 1024)
    with EmbeddedPostgres(data_dir):
        assert (data_dir / "postgres.log").stat().st_size < 100_000
    (data_dir / "postgres.log.1").unlink()


def test_data_folder_below_a_file_is_a_wrong_setting(temp_dir: Path) -> None:
    (temp_dir / "file").write_text("")
    temp_dir.chmod(0o711)
    with pytest.raises(ConfigError, match="FIVEFOLD_DATA_DIR"):
        EmbeddedPostgres(temp_dir / "file" / "data").start()


def test_folder_that_another_process_holds_for_too_long_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with (
        locked(lock),
        pytest.raises(ConfigError, match="another process"),
        locked(lock, timeout_s=0.1),
    ):
        pass


def test_explicit_programs_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="FIVEFOLD_POSTGRES_BIN"):
        find_binaries(tmp_path)


def test_newest_server_of_the_wheel_is_taken() -> None:
    assert find_binaries().major >= 18


@as_root
def test_closed_parent_is_named_and_stays_closed(temp_dir: Path) -> None:
    closed = temp_dir / "private"
    closed.mkdir(mode=0o700)
    temp_dir.chmod(0o711)
    with pytest.raises(ConfigError, match=f"{closed} is closed to the account"):
        EmbeddedPostgres(closed / "data").start()
    assert mode(closed) == 0o700


@as_root
def test_folder_with_other_peoples_files_keeps_its_owner(temp_dir: Path, seed: Seed) -> None:
    (temp_dir / "letter.txt").write_text("dear")
    temp_dir.chmod(0o755)
    shutil.chown(seed(temp_dir) / "pg", "nobody")
    with EmbeddedPostgres(temp_dir) as server:
        assert asked(server.start(), "select 1") == 1
        assert temp_dir.stat().st_uid == 0
        assert (temp_dir / "letter.txt").stat().st_uid == 0


@as_root
def test_programs_below_a_private_home_are_copied_beside_the_data(
    temp_dir: Path, seed: Seed
) -> None:
    found, home = find_binaries().folder, temp_dir / "home"
    package = found.parents[1]
    shutil.copytree(found.parent, home / package.name / found.parent.name)
    libraries = package.with_name(f"{package.name}.libs")
    shutil.copytree(libraries, home / libraries.name)
    home.chmod(0o700)
    temp_dir.chmod(0o711)
    data_dir = seed(temp_dir / "data")
    closed = home.joinpath(*found.parts[-3:])
    with EmbeddedPostgres(data_dir, bin_dir=closed) as server:
        assert asked(server.start(), "select 1") == 1
    assert [path.name for path in data_dir.glob("bin-*")] == [f"bin-{find_binaries().version}"]
    assert mode(home) == 0o700


@as_root
def test_account_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="no account named 'nobody-at-all'"):
        server_account("nobody-at-all")
    with pytest.raises(ConfigError, match="unprivileged"):
        server_account("root")


def test_default_folder_follows_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    assert os.geteuid() != 0 or default_data_dir() == Path("/var/lib/fivefold")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_data_dir() == Path("/data/fivefold")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_data_dir() == Path.home() / ".local" / "share" / "fivefold"


@given(st.integers(0, 2**50), st.integers(0, 2**50))
def test_shared_buffers_stay_between_16_and_512_megabytes(memory: int, shared: int) -> None:
    settings = server_settings(Path("/run"), memory_bytes=memory, shared_memory_bytes=shared)
    assert 16 <= int(settings["shared_buffers"].removesuffix("MB")) <= 512


def test_small_containers_get_a_quarter_of_memory_and_no_parallel_build() -> None:
    settings = server_settings(Path("/run"), memory_bytes=GB, shared_memory_bytes=64 * 1024**2)
    assert settings["shared_buffers"] == "256MB"
    assert settings["max_parallel_maintenance_workers"] == "0"


def test_quotes_in_a_setting_stay_inside_it() -> None:
    assert "a = 'it''s \\\\'\n" in as_conf({"a": "it's \\"})
