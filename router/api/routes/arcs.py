"""Courses of feeling, drawn back turn by turn: of one memory, and of a whole episode."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from channels.arcs import DIMENSIONS
from router.api.auth import Reader
from router.api.doors import OnShelf, Running, reply
from router.api.names import BankName, EpisodeName, MemoryName
from router.courses import Courses, Drawn

routes = APIRouter(prefix="/v1/banks/{bank}", tags=["arcs"])
Least = Annotated[float, Query(ge=0, le=1, description="weakest value shown, either side of 0")]
LEAST = 0.1  # below it is what smoothing leaves beside a feeling


@routes.get("/memories/{memory}/arc")
async def memory_arc(
    bank: BankName,
    memory: MemoryName,
    caller: Reader,
    service: Running,
    shelf: OnShelf,
    least: Least = LEAST,
) -> Response:
    """The course of feeling that leads up to a memory, by which the emotional channel finds it."""
    held = await service.banks.get(bank)
    row = await shelf.memory(held.key, memory)
    drawn = await Courses(service.transaction).memory(held.key, row)
    return reply({"id": memory, "episode": row["episode"], **_arc_json(drawn, least)})


@routes.get("/episodes/{episode}/arc")
async def episode_arc(
    bank: BankName, episode: EpisodeName, caller: Reader, service: Running, least: Least = LEAST
) -> Response:
    """The course of feeling over all turns of an episode."""
    held = await service.banks.get(bank)
    drawn = await Courses(service.transaction).episode(held.key, episode)
    return reply({"episode": episode, **_arc_json(drawn, least)})


def _arc_json(drawn: Drawn, least: float) -> dict[str, Any]:
    return {
        "layout": drawn.layout,
        "read": drawn.read,
        "of": drawn.of,
        "turns": [
            {
                "id": turn.id,
                "sources": list(turn.sources),
                "labels": _labels(values, least),
                "felt": _labels(turn.state, least),
            }
            for turn, values in zip(drawn.turns, drawn.values, strict=True)
        ],
    }


def _labels(values: Any, least: float) -> dict[str, float]:
    """Dimension -> value of those that are strong enough, the strongest first."""
    found = {
        name: round(float(value), 3)
        for name, value in zip(DIMENSIONS, values, strict=True)
        if abs(value) >= least and round(float(value), 3)
    }
    return dict(sorted(found.items(), key=lambda item: (-abs(item[1]), item[0])))
