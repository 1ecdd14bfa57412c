"""The table of runtimes is made from what was measured."""

import asyncio

import pytest

from bench.embedding import HEAD, measure, rows, sample
from channels.embedder import PACKAGED

pytestmark = pytest.mark.timeout(400)  # may be the first to export the model


def test_sample_is_distinct_and_as_long_as_asked():
    found = sample("memories", 40)
    assert len(set(found)) == len(found) == 40


def test_every_runtime_is_measured_over_the_same_texts(exports):
    runs = asyncio.run(measure(PACKAGED, exports, questions=6, memories=40))
    assert [len(run.questions) for run in runs.values()] == [6, 6, 6]
    assert [len(run.found) for run in runs.values()] == [40, 40, 40]
    torch, onnx, int8 = rows(runs)
    assert len(torch) == len(onnx) == len(int8) == len(HEAD)
    assert torch[2] == torch[4] == "1.00"
    assert onnx[5] == "1.0000 / 1.0000"
    least, mean = map(float, int8[5].split(" / "))
    assert 0.9 < least < mean < 1.0
