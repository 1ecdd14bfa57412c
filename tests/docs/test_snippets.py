"""Commands in the docs do what the docs say, against the running app with the packaged model."""

import json
from collections.abc import Iterator

import pytest

from channels.embedder import PACKAGED
from router.cli.loading import load
from router.cli.serve import ASK
from router.jsonl import read_lines
from tests.conftest import fresh_database
from tests.docs.snippets import ROOT, blocks, commands, differences, run
from tests.router.api.conftest import Api, running, settings_for

SAMPLE = ROOT / "router" / "sample" / "memorybank" / "memories.jsonl"
SHOWN = ASK.format(url="http://127.0.0.1:8077")


@pytest.fixture(scope="module")
def api(server: str, template: str) -> Iterator[Api]:
    with (
        fresh_database(server, template) as dsn,
        running(settings_for(dsn, embedder=PACKAGED)) as api,
    ):
        yield api


def test_every_command_of_the_api_page_gets_the_reply_it_shows(api: Api) -> None:
    variables: dict[str, str] = {}
    reply, ran = None, 0
    for language, content in blocks((ROOT / "docs" / "api.md").read_text("utf-8")):
        if language == "bash":
            for command in commands(content):
                reply = run(api, command, variables)
                ran += 1
        elif language == "json":
            assert reply is not None
            assert differences(json.loads(content), reply.json()) == []
    assert ran > 15
    assert len(variables["RECALL"]) == 36


def test_readme_shows_the_command_that_the_server_prints() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert SHOWN in text


def test_command_that_the_server_prints_is_answered_from_the_sample(api: Api) -> None:
    emily = [line for line in read_lines(SAMPLE) if line.value["bank"] == "mb-en:Emily"][:60]
    options = {"bank": None, "timezone": "UTC", "batch": 60, "tell": lambda _: None}
    assert api.run(load(api.service, emily, **options)).errors == []
    reply = run(api, SHOWN, {}).json()
    assert len(reply["results"]) == 3
    assert reply["degraded"] == []
    assert "paint" in reply["results"][0]["text"].lower()
