"""Lines with a checksum each, written to a file that appears when it is whole, and read back."""

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from channels.errors import BadInput
from router.jsonl import Line, read_lines
from router.transfer.manifest import FileEntry

T = TypeVar("T")
CHECK = "crc32"  # the sum over a line's other fields: it tells which line of a file is damaged
READ_AT_ONCE = 1 << 20  # bytes


class LineFile:
    """A file of JSON lines under the name `*.partial` until it is finished."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._partial = path.with_name(f"{path.name}.partial")
        self._file = self._partial.open("wb")
        self._hash = hashlib.sha256()
        self._lines = 0

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append the rows, one line each."""
        for row in rows:
            line = json_text({**row, CHECK: check_of(row)}).encode() + b"\n"
            self._file.write(line)
            self._hash.update(line)
            self._lines += 1

    def finish(self) -> FileEntry:
        """Make the file durable under its own name; what the manifest says of it."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._partial.rename(self._path)
        return FileEntry(sha256=self._hash.hexdigest(), lines=self._lines)

    def close(self) -> None:
        """Let go of the file; an unfinished one stays partial."""
        self._file.close()


def json_text(row: Mapping[str, Any]) -> str:
    """The row as one line of JSON; reading and writing it again gives the same text."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def check_of(row: Mapping[str, Any]) -> str:
    """CRC-32 over the row's line, eight hexadecimal digits."""
    return f"{zlib.crc32(json_text(row).encode()):08x}"


def verified(path: Path, entry: FileEntry) -> Iterator[Line]:
    """The lines of a file in order, each checked by its own sum, then the file as a whole.

    Raises BadInput naming the file and, where one is at fault, the line.
    """
    if not path.is_file():
        raise BadInput(path.name, f"is not in {path.parent}; copy the whole folder")
    number = 0
    for line in read_lines(path):
        number = line.number
        if number > entry.lines:
            reason = f"is one too many, the manifest counts {entry.lines}; copy the folder again"
            raise BadInput(f"{path.name} line {number}", reason)
        yield Line(number, row_of(path.name, line))
    if number < entry.lines:
        reason = f"is missing, the manifest counts {entry.lines}; copy the folder again"
        raise BadInput(f"{path.name} line {number + 1}", reason)
    if file_hash(path) != entry.sha256:
        reason = "is not as it was written, lines may have changed places; copy the folder again"
        raise BadInput(path.name, reason)


def row_of(name: str, line: Line) -> dict[str, Any]:
    """The line's object without its sum. Raises BadInput naming file and line."""
    place = f"{name} line {line.number}"
    if line.problem is not None:
        raise BadInput(place, line.problem)
    if not isinstance(line.value, dict):
        raise BadInput(place, "is no JSON object; copy the folder again")
    row = dict(line.value)
    if not _is_whole(row.pop(CHECK, None), row):
        raise BadInput(place, "is not as it was written; copy the folder again")
    return row


def _is_whole(check: object, row: Mapping[str, Any]) -> bool:
    try:
        return check == check_of(row)
    except ValueError:  # a damaged number can read as infinite, a damaged letter as half of one
        return False


def file_hash(path: Path) -> str:
    """SHA-256 of the file, hexadecimal."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(READ_AT_ONCE):
            found.update(part)
    return found.hexdigest()


def pages(found: Iterable[T], size: int) -> Iterator[Sequence[T]]:
    """Runs of `size`, the last one shorter."""
    source = iter(found)
    while page := list(islice(source, size)):
        yield page
