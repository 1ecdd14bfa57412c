"""Banks: made, listed, described, deleted."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from channels.errors import BadInput, ConfigError, NotFound
from channels.tokens import gives_tokens
from feedback.values import action_values
from router.api.auth import Admin, AnyCaller, Covered
from router.api.body import read_model, validated
from router.api.doors import OnShelf, Running, body_of, reply, settled
from router.api.names import BankName
from router.api.schemas import BankBody
from router.api.shown import bank_json
from router.bank_changes import check_decay, merged
from router.reembed.job import progress
from router.store.banks import Bank, BankConfig
from router.timezone import zone
from router.wiring import Service

routes = APIRouter(tags=["banks"])


@routes.put("/v1/banks/{bank}", openapi_extra=body_of("BankBody"))
async def put_bank(request: Request, bank: BankName, caller: Admin, service: Running) -> Response:
    """Create a bank, or change what the body gives of an existing one."""
    body = await read_model(request, service.settings.max_request_bytes, BankBody)
    given = body.config or {}
    service.banks.forget(bank)  # what another process has just changed is no part of this change
    try:
        held = await service.banks.get(bank)
    except NotFound:
        return reply(bank_json(await _create(service, bank, body)), 201)
    title = body.name if "name" in body.model_fields_set else held.title
    config = _changed(held.config, given)
    if given.get("embedder") is not None and config.embedder is not None:
        await _change_model(service, held, config.embedder)
    return reply(bank_json(await service.banks.configure(held, title, config)))


@routes.get("/v1/banks")
async def list_banks(caller: AnyCaller, service: Running) -> Response:
    """The banks that the caller's key covers, by name."""
    banks = await service.banks.list()
    return reply({"banks": [bank_json(bank) for bank in banks if caller.covers(bank.name)]})


@routes.get("/v1/banks/{bank}")
async def get_bank(bank: BankName, caller: Covered, service: Running, shelf: OnShelf) -> Response:
    """A bank with its counts, sizes, configuration and matrix version."""
    await settled(service)
    held = await service.banks.get(bank)
    matrix = await service.live.matrix(held)
    moving = await progress(service.transaction, held.key)
    return reply(
        bank_json(held)
        | {
            # Whether token vectors order the semantic channel; without, cosine does.
            "late_interaction": gives_tokens(held.embedder_name),
            "counts": dict(await service.banks.sizes(held)),
            "index": (await service.indexes.state(held)).as_json(),
            "reembedding": moving.as_json() if moving else None,
            "bytes": await shelf.byte_sizes(held.key),
            "matrix_version": matrix.version,
        }
    )


@routes.delete("/v1/banks/{bank}", status_code=204)
async def delete_bank(bank: BankName, caller: Admin, service: Running) -> Response:
    """Delete a bank with all it holds."""
    held = await service.banks.get(bank)
    await settled(service)  # or a late record would outlive its bank
    await service.delete_bank(held)
    service.live.forget(held.key)
    return Response(status_code=204)


async def _create(service: Service, name: str, body: BankBody) -> Bank:
    config = _changed(BankConfig(), body.config or {})
    try:
        made = await service.ensure_bank(name, config)
    except ConfigError as error:
        if config.embedder is None:
            raise
        raise BadInput("config.embedder", error.reason) from error
    return made if body.name is None else await service.banks.configure(made, body.name, config)


async def _change_model(service: Service, bank: Bank, name: str) -> None:
    try:
        await service.change_model(bank, name)
    except ConfigError as error:
        raise BadInput("config.embedder", error.reason) from error


def _changed(held: BankConfig, given: Mapping[str, Any]) -> BankConfig:
    """Raises BadInput for what the schema forbids, and what only its users can judge."""
    config = validated(BankConfig, merged(held, given), "config")
    zone(config.timezone, "config.timezone")
    action_values(config.event_values)
    if "decay" in given:
        check_decay(config.decay)
    return config
