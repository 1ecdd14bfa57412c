"""Recall over several banks: one list, each result with its bank and that bank's own record."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from channels.base import MemoryKey
from channels.errors import BadInput, Forbidden
from router.answer import RecallRequest
from router.api.arcs import holds, unknown
from router.api.auth import AnyCaller, Caller
from router.api.body import read_model
from router.api.doors import OnShelf, Running, body_of, reply
from router.api.encode import answer_json, path_keys
from router.api.routes.recall import recall_request
from router.api.schemas import BankAsked, SeveralBody, now
from router.fuse import RRF_K
from router.several import BankAnswer, BankQuestion, Place, SeveralAnswer, recall_several
from router.store.banks import Bank
from router.store.shelf import Shelf

routes = APIRouter(tags=["recall"])
Names = Mapping[MemoryKey, str]


@routes.post("/v1/recall", openapi_extra=body_of("SeveralBody"))
async def recall(request: Request, caller: AnyCaller, service: Running, shelf: OnShelf) -> Response:
    """Answer one question from several banks, their lists fused by weighted RRF."""
    body = await read_model(request, service.settings.max_request_bytes, SeveralBody)
    _check(body.banks, caller)
    banks = [await service.banks.get(asked.bank) for asked in body.banks]
    holding = await _holding_arc(shelf, body, banks)
    # One moment for all: a window must not differ between banks by the time it took to ask.
    body = body.model_copy(update={"asked_at": body.asked_at or now()})
    questions = [
        BankQuestion(
            bank, _request(body, bank, caller, holding, service.settings.depth), one.weight
        )
        for bank, one in zip(banks, body.banks, strict=True)
    ]
    recaller = service.recaller
    answer = await recall_several(
        recaller.decide, recaller.record, questions, k=body.k, offset=body.offset
    )
    names = await _path_names(shelf, answer) if body.explain else {}
    return reply(await asyncio.to_thread(_json, answer, names, body))


def _check(asked: Sequence[BankAsked], caller: Caller) -> None:
    """Every bank once, and all covered by the key, before anything tells which of them exist."""
    seen: set[str] = set()
    for place, one in enumerate(asked):
        if one.bank in seen:
            raise BadInput(f"banks[{place}]", f"names {one.bank!r} again; give each bank once")
        seen.add(one.bank)
        try:
            caller.check("recall", one.bank)
        except Forbidden as error:
            reason = f"bank {one.bank!r}: {error.reason}"
            raise Forbidden(reason, authenticated=True) from error


async def _holding_arc(shelf: Shelf, body: SeveralBody, banks: Sequence[Bank]) -> set[str]:
    """Names of the banks that hold the memory or episode of `arc`; others are asked without it."""
    if body.arc is None:
        return set()
    held = {bank.name for bank in banks if await holds(shelf, bank.key, body.arc)}
    if not held:
        raise unknown(body.arc, "any of these banks")
    return held


def _request(
    body: SeveralBody, bank: Bank, caller: Caller, holding: set[str], depth: int
) -> RecallRequest:
    own = body if bank.name in holding else body.model_copy(update={"arc": None})
    return recall_request(own, bank, caller, default_depth=depth)


async def _path_names(shelf: Shelf, several: SeveralAnswer) -> dict[str, Names]:
    return {
        one.asked.bank.name: await shelf.ids_of(one.asked.bank.key, sorted(path_keys(one.answer)))
        for one in several.banks
        if one.answer is not None
    }


def _json(several: SeveralAnswer, names: Mapping[str, Names], body: SeveralBody) -> dict[str, Any]:
    whole = [_bank_json(one, names, body) for one in several.banks]
    lists = [one.pop("results", []) for one in whole]
    return {
        "rrf_k": RRF_K,
        "degraded": list(several.degraded),
        "results": [
            _result(rank, place, whole[place.bank], _taken(several, lists, place))
            for rank, place in enumerate(several.page, body.offset + 1)
        ],
        "banks": whole,
        "timings_ms": {"total": round(several.total_ms, 3)},
    }


def _taken(
    several: SeveralAnswer, lists: Sequence[Sequence[Mapping[str, Any]]], place: Place
) -> Mapping[str, Any]:
    answer = several.banks[place.bank].answer
    assert answer is not None  # noqa: S101 - a bank without an answer has no place on the page
    return lists[place.bank][place.rank - 1 - answer.request.offset]


def _bank_json(one: BankAnswer, names: Mapping[str, Names], body: SeveralBody) -> dict[str, Any]:
    """A bank's own answer as the native recall gives it; null without one, and why."""
    bank = {"bank": one.asked.bank.name, "bank_weight": one.asked.weight, "failure": one.failure}
    if one.answer is None:
        return {**bank, "recall_id": None}
    own = names.get(one.asked.bank.name, {})
    return {**bank, **answer_json(one.answer, own, explain=body.explain)}


def _result(
    rank: int, place: Place, bank: Mapping[str, Any], result: Mapping[str, Any]
) -> dict[str, Any]:
    """A bank's result at its place in the fused list; what the bank said of it is kept."""
    return {
        **result,
        "rank": rank,
        "score": place.score,
        "bank": bank["bank"],
        "recall_id": bank["recall_id"],
        "bank_rank": place.rank,
        "bank_score": result["score"],
    }
