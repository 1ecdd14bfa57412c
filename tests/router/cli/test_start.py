import subprocess
import sys
import time
from pathlib import Path

import pytest

from router.__main__ import foreign_owner

ROOT = Path(__file__).resolve().parents[3]
WINDOW = ("-m", "router", "window", "what broke last week?", "--now", "2024-06-12", "--json")
LIMIT_S = 0.4  # api.md
LIMIT_RATIO = 3.5  # the same limit over the .115 s of the bare imports on an idle machine
HEAVY = ("torch", "sklearn", "fastapi", "psycopg", "sentence_transformers", "scipy")


def best_of(times, *words):
    """Shortest wall time of several runs: the others also waited for the machine."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
        found.append(time.perf_counter() - started)
    return min(found)


def test_a_window_is_answered_before_one_notices():
    taken = best_of(5, *WINDOW)
    if taken >= LIMIT_S:  # a busy machine is slow at anything: compare with what is unavoidable
        assert taken < LIMIT_RATIO * best_of(5, "-c", "import typer, pydantic, rich.console")


def test_a_window_loads_no_heavy_package():
    code = (
        "import sys\nfrom router.cli import app\n"
        "try:\n    app(['window', 'yesterday', '--json'])\nexcept SystemExit as end:\n"
        f"    print(end.code, [name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"


def install(folder, name, record):
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text(record, "utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_another_distribution_with_our_package_name_is_told_by_name(site):
    install(site, "django_channels", "channels/__init__.py,,\nchannels/layers.py,,\n")
    said = foreign_owner([site])
    assert said is not None
    assert "'channels'" in said
    assert "django_channels" in said


def test_our_own_distribution_and_strangers_are_left_in_peace(site):
    install(site, "fivefold", "router/__init__.py,,\nchannels/__init__.py,,\n")
    install(site, "other", "other/channels/__init__.py,,\n")
    assert foreign_owner([site]) is None
