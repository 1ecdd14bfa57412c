"""A sentence-transformers model whose transformer runs on ONNX Runtime; the rest is as it was."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from transformers import PreTrainedModel

from channels.errors import ConfigError
from channels.runtime import SETTING

Slot = tuple[Any, str]  # the module that holds the transformer, and the name it holds it by


class OnnxTransformer(torch.nn.Module):
    """Answers in the place of the transformer of a sentence-transformers model.

    One text at a time, without padding. On one thread that takes half the time of a batch of mixed
    lengths; and an 8-bit model scales what it computes by the largest value of a batch, so that a
    text would get another vector in other company, by up to .04 in an element.
    """

    def __init__(self, config: Any, file: Path) -> None:
        super().__init__()
        self.config, self.device = config, torch.device("cpu")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # as torch, and for as long
        options.log_severity_level = 3  # errors; its warnings tell of its own optimiser
        self._session = onnxruntime.InferenceSession(
            str(file), options, providers=["CPUExecutionProvider"]
        )
        self._names = [one.name for one in self._session.get_inputs()]

    def forward(self, **features: Any) -> dict[str, torch.Tensor]:
        """`last_hidden_state` of shape (texts, tokens, dim), zeros at padding."""
        given = {name: features[name].numpy() for name in self._names}
        places = features["attention_mask"].numpy().astype(bool)
        rows = []
        for row, own in enumerate(places):
            one = {name: values[row : row + 1, own] for name, values in given.items()}
            rows.append(self._session.run(None, one)[0][0])
        whole = np.zeros((*places.shape, rows[0].shape[1]), np.float32)
        whole[places] = np.concatenate(rows)
        return {"last_hidden_state": torch.from_numpy(whole)}


def slot_of(model: Any, name: str) -> Slot:
    """Where the model holds its one transformer. Raises ConfigError when it has none, or several,
    or its numbers are not 32-bit floats: then ONNX could not give the same vectors.
    """
    found = [
        (holder, slot)
        for holder in model.children()
        for slot, child in holder.named_children()
        if isinstance(child, PreTrainedModel)
    ]
    if len(found) != 1:
        raise refused(name, f"has {len(found)} transformers, not one")
    dtype = getattr(*found[0]).dtype
    if dtype != torch.float32:
        raise refused(name, f"has weights of {dtype}, and only float32 gives the same vectors")
    return found[0]


def refused(name: str, reason: str) -> ConfigError:
    """The error that says why a model cannot run on ONNX, and what to do."""
    return ConfigError(SETTING, f"{name!r} {reason}; set it to torch for this model")
