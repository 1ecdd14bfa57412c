"""Which library computes a model's vectors, and the ending of a name that says so."""

from importlib.metadata import version
from importlib.util import find_spec

from channels.errors import ConfigError

TORCH, ONNX, ONNX_INT8 = "torch", "onnx", "onnx-int8"
INT8 = "+int8"  # its vectors are others than the model's own: another name, so they never mix
EXTRA = ("onnxruntime", "onnx", "onnxscript")
SETTING = "FIVEFOLD_EMBEDDER_RUNTIME"


def model_of(name: str) -> str:
    """The name of the model itself, without the ending of its 8-bit form."""
    return name.removesuffix(INT8)


def name_for(model: str, runtime: str) -> str:
    """The embedder's name of a model on that runtime: fp32 vectors agree, so they share one."""
    return model_of(model) + INT8 if runtime == ONNX_INT8 else model


def runtime_of(name: str, runtime: str) -> str:
    """What serves an embedder of that name: an 8-bit one always ONNX, else as the process does."""
    if name.endswith(INT8):
        return ONNX_INT8
    return TORCH if runtime == TORCH else ONNX


def require(runtime: str) -> None:
    """Raises ConfigError, naming the extra, when what the runtime needs is not installed."""
    absent = [] if runtime == TORCH else [one for one in EXTRA if find_spec(one) is None]
    if absent:
        raise ConfigError(
            SETTING,
            f"{runtime!r} needs {', '.join(absent)}: not installed. "
            'Run `pip install "fivefold[onnx]"`, or set it to torch',
        )


def described(runtime: str) -> str:
    """The runtime with its version, for a reader. Raises ConfigError when it is not installed."""
    require(runtime)
    if runtime == TORCH:
        return f"on torch {version('torch')}"
    return f"on ONNX Runtime {version('onnxruntime')}, {'int8' if runtime == ONNX_INT8 else 'fp32'}"
