"""Names say which vectors a bank holds; settings say what computes them."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import ConfigError
from channels.runtime import EXTRA, INT8, described, model_of, name_for, require, runtime_of
from channels.tokens import gives_tokens, projection

RUNTIMES = ("torch", "onnx", "onnx-int8")
MODELS = st.text(min_size=1).filter(lambda name: not name.endswith(INT8))


@given(MODELS, st.sampled_from(RUNTIMES))
def test_only_eight_bits_change_the_name(model, runtime):
    name = name_for(model, runtime)
    assert model_of(name) == model
    assert (name == model) is (runtime != "onnx-int8")
    assert name_for(name, runtime) == name


@given(MODELS, st.sampled_from(RUNTIMES))
def test_an_eight_bit_bank_stays_so_whatever_the_process_is_set_to(model, runtime):
    assert runtime_of(model + INT8, runtime) == "onnx-int8"
    assert runtime_of(model, runtime) == ("torch" if runtime == "torch" else "onnx")


def test_the_eight_bit_form_shares_the_token_projection():
    assert gives_tokens("all-MiniLM-L6-v2" + INT8)
    assert (projection("all-MiniLM-L6-v2" + INT8) == projection("all-MiniLM-L6-v2")).all()


@pytest.mark.parametrize("package", EXTRA)
def test_a_missing_package_names_the_extra(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=r'pip install "fivefold\[onnx\]"') as refused:
        require("onnx")
    assert package in str(refused.value)
    assert refused.value.setting == "FIVEFOLD_EMBEDDER_RUNTIME"
    require("torch")


def test_the_runtime_is_described_with_its_version():
    assert described("torch").startswith("on torch 2.")
    assert described("onnx").startswith("on ONNX Runtime 1.")
    assert described("onnx-int8").endswith("int8")
