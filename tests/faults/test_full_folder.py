"""A data folder without room: refused aloud, nothing acknowledged lost, well again with room."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.audit import audit
from tests.faults.harness import Kit, Server, full_only, served, temporary, within
from tests.faults.load import Ledger, load

ROOM_MB = 40  # beside the empty database; one file of its journal takes 16
FULL_S = 3.0
BACK_S = 60.0  # the watch waits up to 30 s between two tries
REFUSED = 10
TITLE = "Full data folder"
pytestmark = [
    pytest.mark.faults,
    pytest.mark.timeout(240),
    full_only,
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("mount") is None,
        reason="only root can mount a small folder to fill",
    ),
]


@pytest.fixture
def small(kit: Kit) -> Iterator[Server]:
    """A server whose data folder is a file system of its own with little room."""
    used = sum(path.stat().st_blocks * 512 for path in kit.made.rglob("*") if path.is_file())
    size_mb = used // 1024**2 + ROOM_MB
    with temporary() as folder, mounted(folder / "data", size_mb) as place:
        shutil.copytree(kit.made, place, symlinks=True, dirs_exist_ok=True)
        with served(kit, folder, copied=False) as server:
            yield server
            make_room(server.data_dir)  # or its Postgres could not be stopped in order


@contextmanager
def mounted(place: Path, size_mb: int) -> Iterator[Path]:
    place.mkdir()
    options = f"size={size_mb}m,mode=700"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "fivefold-test", str(place)], check=False
    )
    if made.returncode != 0:
        pytest.skip("this system lets nobody mount a small folder")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(data_dir: Path) -> None:
    """Leave not one byte."""
    with (data_dir / "filler").open("wb", buffering=0) as filler:
        for size in (1 << 20, 4096):
            block = b"x" * size
            try:
                while filler.write(block) == size:
                    pass
            except OSError:
                continue


def make_room(data_dir: Path) -> None:
    (data_dir / "filler").unlink(missing_ok=True)


def test_full_folder_refuses_loses_nothing_and_heals_when_there_is_room(
    small: Server, observed: Callable[..., None]
) -> None:
    ledger = Ledger()
    small.start()
    small.make_bank()
    with load(small, ledger):
        within(30, lambda: len(ledger.items) > 50)
        fill(small.data_dir)
        before = ledger.answers["503"]

        def refuses() -> bool:
            fill(small.data_dir)  # again: an old piece of the journal may have been freed
            return ledger.answers["503"] >= before + REFUSED

        within(60, refuses)
        time.sleep(FULL_S)
        refused = ledger.answers["503"] - before
        make_room(small.data_dir)
        back = within(BACK_S, small.is_ready)
        acknowledged = len(ledger.items)
        within(30, lambda: len(ledger.items) > acknowledged)
    found = audit(small, ledger)
    found.assert_whole()
    assert ledger.answers["500"] == 0
    log = (small.data_dir / "postgres.log").read_text(errors="replace")
    assert "No space left on device" in log
    observed(
        TITLE,
        f"filled to the last byte under load: {refused} requests were refused with 503 and "
        f"nothing else; every part answered again {back:.1f} s after there was room, without a "
        f"restart of the server (Postgres gave up and recovered {log.count('PANIC')} times)",
        f"{len(ledger.items)} memories, {len(ledger.events)} events acknowledged and found once; "
        f"{found.recorded} of {len(ledger.recalls)} recalls on record",
    )


def test_start_on_a_full_folder_says_so_in_one_line_and_works_once_there_is_room(
    small: Server, observed: Callable[..., None]
) -> None:
    fill(small.data_dir)
    small.launch()
    assert small.process.wait(BACK_S) == 1
    said = small.outputs[-1].read_text()
    assert "Traceback" not in said
    assert said.splitlines()[-1]
    assert "FIVEFOLD_DATA_DIR" in said
    make_room(small.data_dir)
    small.start()
    small.make_bank()
    observed(TITLE, "started on a full folder: ended with exit code 1 and the reason; with room it "
             "started as ever")  # fmt: skip
