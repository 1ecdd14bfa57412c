"""Export of a model to ONNX at its first use, checked against torch, kept in a folder."""

import hashlib
import json
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from channels.errors import ConfigError
from channels.onnx_model import OnnxTransformer, Slot, refused, slot_of

FORMAT = 1  # of what is kept; raise it when the same versions should export otherwise
FILE = "model.onnx"
LIBRARIES = ("torch", "transformers", "sentence-transformers", "onnx", "onnxruntime", "onnxscript")
SAME = 1e-5  # largest difference of an element of two unit vectors: rounding, not another model
NEAR = 0.95  # least cosine of int8 to fp32: the packaged model has .98, a spoiled one .88
PROBES = (  # several lengths and scripts; together they make a batch with padding
    "ready",
    "Where did Ana move the staging cluster last week, and who asked for it?",
    "E_AUTH_404: token expired at 2024-06-03T10:15:00Z (attempt 3/5)",
    "Что сказала Анна о поездке в Вену?",
    "先週の会議で何が決まりましたか",
    "Ich war enttäuscht, als das Treffen am Montag wieder verschoben wurde. " * 12,
    "¿?",
)


def onto_onnx(model: Any, name: str, folder: Path, *, int8: bool) -> None:
    """Let the transformer inside `model` run on ONNX Runtime, as fp32 or 8-bit integers.

    Exported files are found again in `folder` by the model's weights and the libraries' versions.
    Raises ConfigError when the model cannot be exported or does not give what torch gives.
    """
    slot = slot_of(model, name)
    inner = getattr(*slot)
    try:
        key = fingerprint(inner)
        kept = made_once(folder / key, lambda to: _export(model, slot, name, to / FILE))
        if int8:
            fp32 = kept / FILE
            kept = made_once(
                folder / f"{key}-int8", lambda to: _quantise(model, slot, name, fp32, to / FILE)
            )
    except OSError as error:
        reason = f"{folder}: {error.strerror or error}; choose a folder we can write to"
        raise ConfigError("FIVEFOLD_DATA_DIR", reason) from error
    setattr(*slot, OnnxTransformer(inner.config, kept / FILE))


def fingerprint(inner: Any) -> str:
    """40 hexadecimal digits of weights, configuration and the versions that shape the export."""
    config = {key: value for key, value in inner.config.to_dict().items() if key[0] != "_"}
    libraries = {one: version(one) for one in LIBRARIES}
    digest = hashlib.sha256(
        json.dumps([FORMAT, config, libraries], sort_keys=True, default=str).encode()
    )
    for name, values in sorted(inner.state_dict().items()):
        digest.update(f"{name} {tuple(values.shape)} {values.dtype}".encode())
        digest.update(values.contiguous().numpy().tobytes())
    return digest.hexdigest()[:40]


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """`folder`, filled by `make` unless it is there; whole or absent, however we end."""
    if folder.is_dir():
        return folder
    for above in (folder.parent.parent, folder.parent):
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix="partial-") as aside:
        new = Path(aside) / "new"
        new.mkdir()
        make(new)
        try:
            new.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was first, with the same
                raise
    return folder


def _export(model: Any, slot: Slot, name: str, file: Path) -> None:
    inner = getattr(*slot)
    given = _inputs(model, inner)
    anything = torch.export.Dim.DYNAMIC
    try:
        with _quiet(), torch.no_grad():
            torch.onnx.export(
                _Positional(inner, list(given)).eval(),
                tuple(given.values()),
                str(file),
                input_names=list(given),
                output_names=["last_hidden_state"],
                dynamic_shapes=(tuple({0: anything, 1: anything} for _ in given),),
                dynamo=True,
                external_data=True,  # one file holds 2 GB at most
                verbose=False,
            )
    except (torch.onnx.OnnxExporterError, RuntimeError, TypeError, ValueError) as error:
        cause = error.__cause__ or error  # the exporter wraps it in a page of advice
        first = f"{type(cause).__name__}: {cause}".partition("\n")[0]
        raise refused(name, f"cannot be exported ({first})") from error
    torch_vectors, onnx_vectors = _both(model, slot, file)
    worst = float(np.abs(torch_vectors - onnx_vectors).max())
    if not worst <= SAME:
        raise refused(name, f"gives other vectors on ONNX, by up to {worst:.1e} an element")


def _quantise(model: Any, slot: Slot, name: str, fp32: Path, file: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with _quiet():
        quantize_dynamic(
            fp32,
            file,
            weight_type=QuantType.QInt8,
            per_channel=True,  # without it the packaged model's vectors fall to a cosine of .88
            reduce_range=True,  # 7 bits: without VNNI 8 of them overflow, other vectors by machine
        )
    torch_vectors, onnx_vectors = _both(model, slot, file)
    worst = float((torch_vectors * onnx_vectors).sum(axis=1).min())
    if not worst >= NEAR:
        raise refused(name, f"is spoiled by 8 bits: a vector keeps a cosine of only {worst:.2f}")


def _both(model: Any, slot: Slot, file: Path) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Unit vectors of the probes by torch and by the exported file."""
    inner, before = getattr(*slot), _encoded(model)
    setattr(*slot, OnnxTransformer(inner.config, file))
    try:
        return before, _encoded(model)
    finally:
        setattr(*slot, inner)


def _encoded(model: Any) -> NDArray[np.float32]:
    found = model.encode(
        list(PROBES), batch_size=len(PROBES), normalize_embeddings=True, show_progress_bar=False
    )
    return np.asarray(found, dtype=np.float32)


def _inputs(model: Any, inner: Any) -> dict[str, Any]:
    """The tensors that the model gives its transformer for a batch, by name."""
    seen: dict[str, Any] = {}
    forward = inner.forward

    def noting(**given: Any) -> Any:  # no hook: sentence-transformers calls forward itself
        seen.update({key: one for key, one in given.items() if isinstance(one, torch.Tensor)})
        return forward(**given)

    inner.forward = noting
    try:
        _encoded(model)
    finally:
        del inner.forward  # the class's own is seen again
    return {key: one.clone() for key, one in seen.items()}  # as tensors that may be traced


class _Positional(torch.nn.Module):
    """The transformer with inputs by position and its last layer as output, as exporters ask."""

    def __init__(self, inner: Any, names: list[str]) -> None:
        super().__init__()
        self.inner, self.names = inner, names

    def forward(self, *values: Any) -> Any:
        """The last hidden state, shape (texts, tokens, dim)."""
        given = dict(zip(self.names, values, strict=True))
        return self.inner(**given, return_dict=True).last_hidden_state


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps what the exporters say about themselves from the user: the result is checked."""
    exporter, root = logging.getLogger("torch.onnx"), logging.getLogger()
    level = exporter.level

    def is_ours(record: logging.LogRecord) -> bool:
        return record.module != "quantize"

    exporter.setLevel(logging.ERROR)
    root.addFilter(is_ours)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        exporter.setLevel(level)
        root.removeFilter(is_ours)
