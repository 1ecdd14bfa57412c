"""One running service for all cases; each takes banks of its own."""

from collections.abc import Iterator

import pytest

from tests.conftest import fresh_database
from tests.router.world import World, opened


@pytest.fixture(scope="session")
def world(server: str, template: str) -> Iterator[World]:
    """The real service with the packaged model."""
    with fresh_database(server, template) as dsn, opened(dsn) as running:
        yield running
