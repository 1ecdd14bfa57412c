"""The docs name everything there is, and every link in them leads somewhere."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest
import typer
from prometheus_client import Counter
from prometheus_client.metrics import MetricWrapperBase

from bench import settings_table
from channels.spread import EDGE_WEIGHTS
from feedback.values import DEFAULTS
from router import metrics
from router.cli import app
from router.settings import Settings
from tests.docs.snippets import PAGES, ROOT, blocks, commands

TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}
ALL = "\n".join(TEXTS.values())
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def named_commands() -> Iterator[tuple[str, click.Command]]:
    """Every command by its words: `matrix show`."""
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
        else:
            yield from ((f"{name} {sub}", one) for sub, one in inner.items())


COMMANDS = dict(named_commands())
METRICS = [one for one in vars(metrics).values() if isinstance(one, MetricWrapperBase)]


def anchors(text: str) -> set[str]:
    """The names that a page's headings can be linked by."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(plain))
    return {heading.strip().replace(" ", "-") for heading in words}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme(name: str) -> None:
    assert f"fivefold {name}" in TEXTS["README.md"]


def test_commands_in_shell_blocks_exist_with_their_options() -> None:
    lines = [
        line
        for text in TEXTS.values()
        for language, content in blocks(text)
        if language == "bash"
        for line in commands(content)
        if line.startswith("fivefold ")
    ]
    assert lines
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        name = words[0] if words[0] in COMMANDS else " ".join(words[:2])
        known = {option for one in COMMANDS[name].params for option in one.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_in_the_settings_page(name: str) -> None:
    assert f"`FIVEFOLD_{name.upper()}`" in TEXTS["docs/settings.md"]


def test_settings_page_is_as_its_script_writes_it() -> None:
    fresh = settings_table.page()
    assert TEXTS["docs/settings.md"] == fresh, "run `python -m bench.settings_table`"


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric._name)
def test_every_metric_is_in_the_api_page(metric: MetricWrapperBase) -> None:
    end = "_total" if isinstance(metric, Counter) else ""
    assert f"`{metric._name}{end}`" in TEXTS["docs/api.md"]


@pytest.mark.parametrize("action", DEFAULTS)
def test_every_action_of_feedback_is_in_the_api_page(action: str) -> None:
    assert f"`{action}`" in TEXTS["docs/api.md"]


@pytest.mark.parametrize("kind", EDGE_WEIGHTS)
def test_every_type_of_edge_is_in_the_architecture_page(kind: str) -> None:
    assert kind in TEXTS["docs/architecture.md"]


@pytest.mark.parametrize("page", TEXTS)
def test_every_relative_link_resolves(page: str) -> None:
    folder = (ROOT / page).parent
    for link in LINK.findall(TEXTS[page]):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        path = (folder / target).resolve() if target else ROOT / page
        assert path.exists(), f"{page}: {link}"
        if anchor:
            assert anchor in anchors(path.read_text("utf-8")), f"{page}: {link}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_that_are_named_exist(page: str) -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make (\w+)|^make (\w+)", TEXTS[page], re.MULTILINE))
    assert {one or other for one, other in named} <= targets


def test_functions_that_the_architecture_page_names_are_in_their_files() -> None:
    text = " ".join(TEXTS["docs/architecture.md"].split())
    named = re.findall(r"`([\w.]+)` (?:\(|in )`([\w/]+\.py)`", text)
    assert len(named) > 15
    for name, file in named:
        source = (ROOT / file).read_text("utf-8")
        for part in name.split("."):
            assert re.search(rf"\b(?:def|class) {part}\b", source), f"{name} is not in {file}"


def test_files_that_the_architecture_page_names_exist() -> None:
    named = re.findall(
        r"`((?:router|channels|feedback|bench)/[\w./]+)`", TEXTS["docs/architecture.md"]
    )
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
