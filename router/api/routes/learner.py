"""The learner of a bank: turned on or held, and its matrices compared by what people did."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from router.api.auth import Admin, Reader
from router.api.body import read_model
from router.api.doors import Running, body_of, reply, service_of
from router.api.names import BankName
from router.api.schemas import LearnerBody
from router.api.shown_learner import status_json
from router.learned import Learned

routes = APIRouter(prefix="/v1/banks/{bank}", tags=["matrix"])


def learned_of(request: Request) -> Learned:
    """What banks have learnt."""
    service = service_of(request)
    fleet = service.settings.fleet_prior
    return Learned(service.transaction, service.live, fleet=fleet)


OfLearners = Annotated[Learned, Depends(learned_of)]


@routes.post("/learner", openapi_extra=body_of("LearnerBody"))
async def set_learner(
    request: Request, bank: BankName, caller: Admin, service: Running, learned: OfLearners
) -> Response:
    """Let the learner publish (on), hold it (frozen), or let it only say what it would do (shadow).

    Turned on, it may replace the matrix that is live, whoever published that.
    """
    body = await read_model(request, service.settings.max_request_bytes, LearnerBody)
    held = await service.banks.get(bank)
    why = f"{body.state} by {caller.author}" + (f": {body.reason}" if body.reason else "")
    return reply(status_json(await learned.set_state(held, body.state, why)))


@routes.get("/policy")
async def get_policy(
    bank: BankName, caller: Reader, service: Running, learned: OfLearners
) -> Response:
    """The live, default and last matrix by what people did with the last answers."""
    held = await service.banks.get(bank)
    return reply(await learned.policy(held))
