"""`fivefold doctor` and `fivefold maintain`: is it sound, and what can be mended."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from router.finding import Finding
    from router.settings import Settings

OneBank = Annotated[str | None, typer.Option("--bank", help="this bank only; all without it")]
NO_DATA = "start `fivefold serve` once, or name another folder by --data-dir"


def doctor(bank: OneBank = None, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print what runs and whether it is sound; changes nothing. Exit code 1 if something is not."""
    from router.cli.opening import log_to_stderr, settings_with

    settings = settings_with(data_dir)
    log_to_stderr("ERROR")  # what it would log as a warning, it finds and prints
    findings = _findings(settings, bank)
    if as_json:
        print_json({"findings": [finding.as_json() for finding in findings]})
    else:
        rows = [
            [one.status, one.bank or "", one.check, one.detail, one.hint or ""] for one in findings
        ]
        print_table("doctor", ["status", "bank", "check", "detail", "hint"], rows)
    if any(finding.status == "fail" for finding in findings):
        raise typer.Exit(1)


def maintain(bank: OneBank = None, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Mend statistics and indexes, drop what serves no bank, vacuum; print what was done."""
    from router.cli.opening import log_to_stderr, settings_with
    from router.embedders import Embedders
    from router.maintain import maintain as mend
    from router.store.migrate import migrate

    settings = settings_with(data_dir)
    log_to_stderr(settings.log_level)
    with _database(settings) as dsn:
        migrate(dsn)
        models = Embedders.of(settings)
        deeds = asyncio.run(mend(dsn, bank=bank, embedders=models))
        models.close()
    if as_json:
        print_json({"done": [deed.as_json() for deed in deeds]})
    else:
        rows = [[one.bank or "", one.action, one.detail] for one in deeds]
        print_table("maintain", ["bank", "action", "detail"], rows)


def _findings(settings: "Settings", bank: str | None) -> "list[Finding]":
    from channels.errors import ConfigError
    from router.doctor import examine, place
    from router.finding import Finding

    # Starting an embedded server makes its folder; a doctor must not make what it looks for.
    if settings.dsn is None and not (settings.data_dir.expanduser() / "pg" / "PG_VERSION").exists():
        return [Finding("database", "fail", f"{place(settings)}: nothing is there", NO_DATA)]
    try:
        with _database(settings) as dsn:
            return asyncio.run(examine(settings, dsn, bank=bank))
    except ConfigError as error:
        return [Finding("database", "fail", f"{place(settings)}: {error}", NO_DATA)]


@contextmanager
def _database(settings: "Settings") -> Iterator[str]:
    from router.store.embedded import EmbeddedPostgres

    if settings.dsn is not None:
        yield settings.dsn
    else:
        with EmbeddedPostgres(settings.data_dir) as server:
            yield server.start()
