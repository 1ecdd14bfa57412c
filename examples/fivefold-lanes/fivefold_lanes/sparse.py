"""The sparse lane: a SPLADE model widens the question, the bank's own postings answer it.

The model is any masked language model trained as SPLADE, read from a folder. What it adds are words
that the question does not say; memories are found by them at once, without a vector of their own.
"""

import asyncio
import os
from dataclasses import replace
from functools import cache
from typing import Any

from channels.analyser import question_terms
from channels.base import Hit, Lookups, Question, Term, best_first
from channels.connection import Transaction
from channels.errors import ConfigError
from channels.keyword import LIST, bm25, term_statistics
from channels.once import Once

MODEL = "FIVEFOLD_SPARSE_MODEL"  # the folder
WORDS = 32  # strongest words kept; SPLADE gives about as many that matter to a question
MOST_TOKENS = 64  # of a question


class Sparse:
    """Ranks by BM25 of the question's words as the model weighs and widens them."""

    name = "sparse"
    prior_weight = 0.35

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms
        folder = os.environ.get(MODEL)
        if not folder:
            raise ConfigError(
                MODEL,
                "is not set; give the folder of a SPLADE model, or leave the lane out by "
                "FIVEFOLD_PLUGINS=curated (or none)",
            )
        self._model = Splade.load(folder)

    async def search(self, question: Question, depth: int) -> list[Hit]:
        """At most `depth` hits, best first, ties by key; each says which words were added."""
        if not question.text.strip():
            return []
        words = await asyncio.to_thread(self._model.words, question.text)
        terms = widened(question.terms, words)
        found = await bm25(
            self._transaction,
            self._with(question, terms),
            max(LIST, depth),
            timeout_ms=self._timeout_ms,
        )
        asked = {term.text for term in question.terms}
        detail = {"added": [term.text for term in terms if term.text not in asked]}
        return best_first(
            [Hit(key, score, detail) for key, score in found.as_dict().items()], depth
        )

    def _with(self, question: Question, terms: tuple[Term, ...]) -> Question:
        """The question with other terms, and with what the bank knows of those."""
        other = replace(question, terms=terms)
        statistics = Once(
            lambda: term_statistics(self._transaction, other, timeout_ms=self._timeout_ms)
        )
        shared = question.lookups
        return replace(other, lookups=Lookups(shared.vectors, statistics, shared.keywords))


class Splade:
    """A SPLADE model: a text to weights of its vocabulary's words."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self._tokenizer = tokenizer
        self._model = model

    @classmethod
    @cache
    def load(cls, folder: str) -> "Splade":
        """From a folder as `save_pretrained` writes it.

        Raises ConfigError, too, when the folder lacks weights that the model needs: they would be
        drawn at random, and every start would find other words.
        """
        from transformers import AutoModelForMaskedLM, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, told = AutoModelForMaskedLM.from_pretrained(
                folder, local_files_only=True, output_loading_info=True
            )
        except (OSError, ValueError) as error:
            raise ConfigError(
                MODEL, f"{folder!r} holds no masked language model: {error}"
            ) from error
        if absent := sorted(map(str, told["missing_keys"])):
            raise ConfigError(
                MODEL,
                f"{folder!r} lacks {len(absent)} weights of a masked language model, such as "
                f"{absent[0]}: it was saved without its head; give a SPLADE model, saved whole",
            )
        return cls(tokenizer, model.eval())

    def words(self, text: str) -> dict[str, float]:
        """The WORDS strongest whole words, strongest first: max over tokens of ln(1 + relu(logit)).

        Formal, Piwowarski & Clinchant, SIGIR 2021; pieces of words and signs are left out.
        """
        import torch

        with torch.inference_mode():
            read = self._tokenizer(
                text, truncation=True, max_length=MOST_TOKENS, return_tensors="pt"
            )
            logits = self._model(**read).logits[0]
            weights = torch.log1p(torch.relu(logits)).amax(dim=0)
            strongest = torch.topk(weights, min(8 * WORDS, len(weights)))
        names = self._tokenizer.convert_ids_to_tokens(strongest.indices.tolist())
        found = zip(names, strongest.values.tolist(), strict=True)
        whole = [(name, weight) for name, weight in found if weight > 0 and name.isalnum()]
        return dict(whole[:WORDS])


def widened(terms: tuple[Term, ...], words: dict[str, float]) -> tuple[Term, ...]:
    """The question's terms at their own weight, the model's words at theirs, the best being 1."""
    found = {term.text: term for term in terms}
    best = max(words.values(), default=1.0)
    for word, weight in words.items():
        for term in question_terms(word):
            found.setdefault(term.text, Term(term.text, term.weight * weight / best))
    return tuple(found.values())
