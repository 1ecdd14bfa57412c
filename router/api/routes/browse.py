"""A bank walked without a question, and the summaries of its days, weeks and months."""

from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from channels.errors import BadInput
from router.api.auth import Reader, Writer
from router.api.cursors import UNKNOWN, after_place, place_of
from router.api.doors import Running, reply
from router.api.names import BankName
from router.api.schemas import utc_span
from router.api.schemas_browse import DaysQuery, EntitiesQuery, EpisodesQuery, TopicsQuery
from router.api.shown_browse import day_json, entity_json, episode_json, topic_json
from router.structure.browse import Browser
from router.timezone import zone

routes = APIRouter(prefix="/v1/banks/{bank}", tags=["browse"])


@routes.get("/browse/topics")
async def browse_topics(
    bank: BankName, caller: Reader, service: Running, query: Annotated[TopicsQuery, Query()]
) -> Response:
    """The tree of topics below a path, with how many memories lie on and below each."""
    held = await service.banks.get(bank)
    place = place_of(query.cursor, str)
    tree, last = await Browser(service.transaction).topics(
        held.key,
        prefix=query.prefix,
        levels=query.levels,
        after=place[0] if place else None,
        limit=query.limit,
        state=query.state,
    )
    told = topic_json(tree)
    prefix = told.pop("topic")
    return reply({"prefix": prefix, **told, "next": last and after_place(last)})


@routes.get("/browse/episodes")
async def browse_episodes(
    bank: BankName, caller: Reader, service: Running, query: Annotated[EpisodesQuery, Query()]
) -> Response:
    """Episodes, the latest first."""
    held = await service.banks.get(bank)
    place = place_of(query.cursor, str, str)
    walked = await Browser(service.transaction).episodes(
        held.key,
        topic=query.topic,
        entity=query.entity,
        after=(_moment(place[0]), place[1]) if place else None,
        limit=query.limit,
        state=query.state,
    )
    last = walked.rows[-1] if walked.has_next else None
    following = after_place(last["place"].isoformat(), last["episode"]) if last else None
    return reply({"episodes": list(map(episode_json, walked.rows)), "next": following})


@routes.get("/browse/entities")
async def browse_entities(
    bank: BankName, caller: Reader, service: Running, query: Annotated[EntitiesQuery, Query()]
) -> Response:
    """Entities, the most mentioned first."""
    held = await service.banks.get(bank)
    place = place_of(query.cursor, int, int)
    walked = await Browser(service.transaction).entities(
        held.key,
        prefix=query.prefix,
        kind=query.kind,
        after=place,
        limit=query.limit,
        state=query.state,
    )
    last = walked.rows[-1] if walked.has_next else None
    following = after_place(last["df"], last["entity"]) if last else None
    return reply({"entities": list(map(entity_json, walked.rows)), "next": following})


@routes.get("/browse/days")
async def browse_days(
    bank: BankName, caller: Reader, service: Running, query: Annotated[DaysQuery, Query()]
) -> Response:
    """Days on which memories happened, the latest first, each with its summary where one is."""
    held = await service.banks.get(bank)
    timezone = query.timezone or held.config.timezone
    start, end = utc_span(query.start, query.end, zone(timezone), ("from", "to"))
    place = place_of(query.cursor, str)
    walked = await Browser(service.transaction).days(
        held.key,
        timezone=timezone,
        own_timezone=held.config.timezone,
        topic=query.topic,
        before=_day(place[0]) if place else None,
        start=start,
        end=end,
        limit=query.limit,
        state=query.state,
    )
    last = walked.rows[-1] if walked.has_next else None
    following = after_place(last["day"].isoformat()) if last else None
    return reply(
        {"timezone": timezone, "days": list(map(day_json, walked.rows)), "next": following}
    )


@routes.post("/summarise")
async def summarise(bank: BankName, caller: Writer, service: Running) -> Response:
    """Make the summaries that are due now, as `serve` does from time to time."""
    done = await service.summariser.refresh(await service.banks.get(bank))
    service.banks.forget(bank)
    return reply(asdict(done))


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput("cursor", UNKNOWN) from error
    if found.tzinfo is None:
        raise BadInput("cursor", UNKNOWN)
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput("cursor", UNKNOWN) from error
