"""What a command logs."""

from collections.abc import Iterator

import pytest
import structlog

from router.cli.opening import log_to_stderr


@pytest.fixture(autouse=True)
def defaults() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def fail(question: str) -> None:
    raise ValueError(f"cannot read {len(question)} letters")


def test_logged_failure_shows_where_it_was_and_no_value_on_the_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log_to_stderr("INFO")
    words = ["what", "ana", "said"]
    try:
        fail(" ".join(words))
    except ValueError:
        structlog.get_logger().exception("job_failed", bank="demo")
    told = capsys.readouterr()
    assert told.out == ""
    assert "job_failed" in told.err
    assert "bank=demo" in told.err
    assert "ValueError: cannot read 13 letters" in told.err
    assert "in fail" in told.err
    assert "what ana said" not in told.err
    assert len(told.err.splitlines()) < 12


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("WARNING")
    structlog.get_logger().info("thing_done")
    structlog.get_logger().warning("thing_late")
    assert "thing_done" not in (told := capsys.readouterr().err)
    assert "thing_late" in told
