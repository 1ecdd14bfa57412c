"""The matrix: shown, published by hand, taken back."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from router.api.auth import Admin, Reader
from router.api.body import read_model
from router.api.cursors import after_number, number_of
from router.api.doors import Running, Versions, body_of, reply
from router.api.names import BankName
from router.api.routes.learner import OfLearners
from router.api.schemas import DiffQuery, Page, PublishBody, RollbackBody
from router.api.shown import diff_json, matrix_json, version_json
from router.presets import parse_rows, stored_rows
from router.store.matrices import DEFAULT_VERSION
from router.weights import Matrix

routes = APIRouter(prefix="/v1/banks/{bank}/matrix", tags=["matrix"])
HOLDS = {  # what a person publishes is not replaced until a person says so
    "learner": 'held; POST .../learner {"state": "on"} lets it publish again',
}


@routes.get("")
async def get_matrix(
    bank: BankName, caller: Reader, service: Running, matrices: Versions, learned: OfLearners
) -> Response:
    """The live rows with their reach, what the learner knows of them, and the model's default."""
    held = await service.banks.get(bank)
    head = await matrices.head(held.key)
    default = service.live.default(held)
    priors = service.live.priors
    matrix = Matrix(stored_rows(head.rows, priors), head.version) if head else default
    return reply(matrix_json(matrix, head, default, await learned.known(held)))


@routes.get("/versions")
async def list_versions(
    bank: BankName,
    caller: Reader,
    service: Running,
    matrices: Versions,
    query: Annotated[Page, Query()],
) -> Response:
    """Published versions, the newest first; version 0 is the default and not among them."""
    held = await service.banks.get(bank)
    found = await matrices.versions(held.key, before=number_of(query.cursor), limit=query.limit + 1)
    page = found[: query.limit]
    following = after_number(page[-1].version) if len(found) > len(page) else None
    return reply({"versions": [version_json(entry) for entry in page], "next": following})


@routes.get("/diff")
async def diff(
    bank: BankName,
    caller: Reader,
    service: Running,
    learned: OfLearners,
    query: Annotated[DiffQuery, Query()],
) -> Response:
    """What one version changed beside another; the live one beside its parent if none is named."""
    held = await service.banks.get(bank)
    return reply(diff_json(*await learned.diff(held, query.former, query.to)))


@routes.post("", openapi_extra=body_of("PublishBody"))
async def publish(
    request: Request, bank: BankName, caller: Admin, service: Running, matrices: Versions
) -> Response:
    """Make these rows the live version, unless another has been published meanwhile."""
    body = await read_model(request, service.settings.max_request_bytes, PublishBody)
    given = {kind: row.model_dump() for kind, row in body.rows.items()}
    rows = parse_rows(given, service.live.priors)
    held = await service.banks.get(bank)
    version = await matrices.publish(
        held.key,
        Matrix(rows, DEFAULT_VERSION),
        expected=body.expected_version,
        reason=body.reason,
        author=caller.author,
    )
    service.live.forget(held.key)
    return reply({"version": version, "parent": body.expected_version, **HOLDS})


@routes.post("/rollback", openapi_extra=body_of("RollbackBody"))
async def roll_back(
    request: Request, bank: BankName, caller: Admin, service: Running, matrices: Versions
) -> Response:
    """Publish the rows of an earlier version anew."""
    body = await read_model(request, service.settings.max_request_bytes, RollbackBody)
    held = await service.banks.get(bank)
    version = await matrices.roll_back(
        held.key, body.to, service.live.default(held), reason=body.reason, author=caller.author
    )
    service.live.forget(held.key)
    return reply({"version": version, "rows_of": body.to, **HOLDS})
