"""Shell snippets of the docs, taken apart so that tests can run them."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIES = {"rrf_k"}  # follows from the default rows
KEPT = re.compile(r"(\w+)=\$\((.*)\)", re.DOTALL)


@dataclass(frozen=True)
class Call:
    """One curl command: what it sends, and what becomes of the reply."""

    method: str
    path: str
    headers: dict[str, str]
    body: str | None
    pipe: list[str]  # a command that reads the reply
    kept_as: str | None  # the shell variable that takes what comes out


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of each fenced block."""
    return BLOCK.findall(text)


def commands(block: str) -> Iterator[str]:
    """The commands of a shell block, over as many lines as their quotes and backslashes take."""
    waiting = ""
    for line in block.splitlines(keepends=True):
        waiting += line
        if not waiting.rstrip("\n").endswith("\\") and _closed(waiting):
            if waiting.strip() and not waiting.startswith("#"):
                yield waiting.strip().replace("\\\n", " ")
            waiting = ""
    assert not waiting, f"a quote stays open: {waiting}"


def call_of(command: str) -> Call:
    """A `curl` command as a call. Fails on an option that the docs have not used so far."""
    kept = KEPT.fullmatch(command)
    words = shlex.split(kept[2] if kept else command)
    pipe = words[words.index("|") + 1 :] if "|" in words else []
    words = words[1 : words.index("|")] if pipe else words[1:]
    url = ""
    method: str | None = None
    body: str | None = None
    headers: dict[str, str] = {}
    while words:
        match words:
            case ["-s", *words]:
                pass
            case ["-X", method, *words]:
                pass
            case ["-H", header, *words]:
                name, _, value = header.partition(": ")
                headers[name] = value
            case ["-d", body, *words]:
                pass
            case [url, *words]:
                assert url.startswith("http://127.0.0.1:8077/"), f"cannot run {url!r} in {command}"
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    return Call(
        method or ("POST" if body else "GET"), path, headers, body, pipe, kept[1] if kept else None
    )


def run(api: Any, command: str, variables: dict[str, str]) -> Any:
    """The reply to a curl command; it must succeed, and what it keeps goes into the variables."""
    for name, value in variables.items():
        command = command.replace(f"${name}", value)
    call = call_of(command)
    reply = api.call(call.method, call.path, headers=call.headers, content=call.body)
    assert reply.is_success, f"{command}\n{reply.status_code} {reply.text}"
    if call.pipe:
        done = subprocess.run(
            call.pipe, input=reply.text, text=True, capture_output=True, check=True
        )
        variables[str(call.kept_as)] = done.stdout.strip()
    return reply


def differences(shown: Any, reply: Any, at: str = "reply") -> list[str]:
    """Where a reply lacks what the docs show; empty texts, lists and objects stand for any."""
    if isinstance(shown, dict) and isinstance(reply, dict):
        missing = [f"{at}.{name} is not there" for name in shown if name not in reply]
        return missing + [
            found
            for name in shown.keys() & reply.keys() - VARIES
            for found in differences(shown[name], reply[name], f"{at}.{name}")
        ]
    if isinstance(shown, list) and isinstance(reply, list) and shown:
        if len(shown) != len(reply):
            return [f"{at} has {len(reply)} entries"]
        pairs = enumerate(zip(shown, reply, strict=True))
        return [found for n, pair in pairs for found in differences(*pair, f"{at}[{n}]")]
    same = shown in ("", [], {}) or json.dumps(shown) == json.dumps(reply)
    return [] if same else [f"{at} is {reply!r}"]


def _closed(text: str) -> bool:
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True
