"""Arrays and plain values as bytes, the same bytes for the same state. No pickle. Pure."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.errors import ConfigError

Arrays = Mapping[str, NDArray[Any]]


def pack(kind: str, plain: Mapping[str, Any], arrays: Arrays) -> bytes:
    """A line of JSON that names the parts, then the arrays' own bytes, little-endian."""
    parts = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    shapes = {
        name: [str(part.dtype.newbyteorder("<").str), part.shape] for name, part in parts.items()
    }
    head = json.dumps({"kind": kind, "plain": plain, "arrays": shapes}, separators=(",", ":"))
    body = b"".join(part.astype(part.dtype.newbyteorder("<")).tobytes() for part in parts.values())
    return head.encode() + b"\n" + body


def unpack(kind: str, packed: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Plain values and arrays. Raises ConfigError for bytes of another kind or a torn rest."""
    head, _, body = packed.partition(b"\n")
    told = json.loads(head)
    if told["kind"] != kind:
        raise ConfigError("learner state", f"is {told['kind']!r}, this version reads {kind!r}")
    arrays, at = {}, 0
    for name, (dtype, shape) in told["arrays"].items():
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if at + size > len(body):
            raise ConfigError("learner state", f"ends inside {name}; run `fivefold learner replay`")
        arrays[name] = np.frombuffer(body[at : at + size], dtype).reshape(shape).copy()
        at += size
    return told["plain"], arrays
