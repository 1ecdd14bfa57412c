"""One running service with the packaged model for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.conftest import fresh_database
from tests.router.api.conftest import Api, running, settings_for


@pytest.fixture(scope="module")
def api(server: str, template: str) -> Iterator[Api]:
    """An app without keys over a database of this module's own, with hashed words as its model."""
    with fresh_database(server, template) as dsn, running(settings_for(dsn)) as api:
        yield api


@pytest.fixture
def own_api(database: str) -> Iterator[Api]:
    """An app whose database no other test sees: for keys."""
    with running(settings_for(database)) as api:
        yield api
