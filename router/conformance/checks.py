"""The checks: each takes the bed and what makes the lane, and raises NotConforming."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from channels.base import Filters, View
from router.conformance.bed import Bed, NotConforming, bound_to
from router.plugins import Factory

POLLS, POLL_S = 100, 0.05

Check = Callable[[Bed, Factory], None]

FILTERS = (
    (Filters(tags=("lease", "red")), lambda item: "red" in item["tags"]),
    (Filters(topic="legal.lease"), lambda item: item["topic"] == "legal.lease"),
    (Filters(kinds=("decision", "fact")), lambda item: item["kind"] == "decision"),
    (Filters(speaker="ida"), lambda item: item["speaker"] == "Ida"),
    (Filters(tags=("lease", "green")), lambda item: False),
)


def finds_and_orders(bed: Bed, make: Factory) -> None:
    """At most `depth` hits, best first, each memory once, ties by key, scores finite."""
    for depth in (1, 7, 500):
        hits = bed.hits(make, depth=depth)
        _require(bool(hits), f"finds nothing by {bed.asked!r}; give open_bed another `asked`")
        _require(len(hits) <= depth, f"gives {len(hits)} hits where {depth} were asked for")
        _require(len({hit.key for hit in hits}) == len(hits), "gives a memory more than once")
        _require(all(math.isfinite(hit.score) for hit in hits), "gives a score that is not finite")
        order = [(-hit.score, hit.key) for hit in hits]
        _require(order == sorted(order), "is not ordered best first, ties by key")


def cuts_at_depth(bed: Bed, make: Factory) -> None:
    """A smaller depth is the head of a greater one."""
    many, few = bed.hits(make, depth=40), bed.hits(make, depth=5)
    _require(few == many[:5], "finds other memories when fewer are asked for")


def keeps_tenants_apart(bed: Bed, make: Factory) -> None:
    """Only the asked bank's memories; a transaction of another bank shows nothing."""
    strange = {name for name in bed.found(make) if name.startswith("key ")}
    _require(not strange, f"shows memories of another bank: {sorted(strange)}")
    transaction = bound_to(bed.service.reading, bed.empty)

    async def search() -> int:
        question = await bed.question(bed.filled, bed.asked, transaction)
        try:
            return len(await bed.lane(make, transaction).search(question, 50))
        finally:
            await question.cancel()

    _require(bed.run(search()) == 0, "reads past the transaction it is given")


def hides_what_was_replaced(bed: Bed, make: Factory) -> None:
    """Superseded memories only when asked for, and the state of an earlier day."""
    _require("old" not in bed.found(make), "shows a superseded memory")
    whole = bed.found(make, view=View(include_superseded=True))
    _require("old" in whole, "hides a superseded memory that was asked for")
    then = bed.found(make, view=View(as_of=datetime(2023, 5, 1, 10, 30, tzinfo=UTC)))
    _require(then <= {"m00", "m01"}, f"as_of: shows what came later: {sorted(then)}")


def passes_filters(bed: Bed, make: Factory) -> None:
    """Nothing that the caller's filters or a strict window leave out."""
    for filters, passes in FILTERS:
        wanted = {item["id"] for item in bed.items if passes(item)}
        found = bed.found(make, filters=filters) - {"new"}
        _require(found <= wanted, f"{filters} let through {sorted(found - wanted)}")
    asked = f"{bed.asked} On 2 May 2023?"
    days = {item["id"] for item in bed.items if item["occurred_at"].startswith("2023-05-02")}
    found = bed.found(make, text=asked, strict_window=True)
    _require(found <= days | {"old"}, f"a strict window let through {sorted(found - days)}")


def is_silent_without_a_signal(bed: Bed, make: Factory) -> None:
    """An empty bank, signs and nonsense are an empty list or hits, never an exception."""
    hits = bed.run(bed.search(make, bed.empty, 50))
    _require(hits == [], "finds something in an empty bank")
    for text in ("", "?!", "'", '"unclosed', "xylophone zeppelin", "\u961f\u5217", "%s %(bank)s"):
        bed.hits(make, text=text, depth=5)


def answers_many_at_once(bed: Bed, make: Factory) -> None:
    """Ten equal questions at once have ten equal answers, and none changes the question."""

    async def ask() -> list[object]:
        lane = bed.lane(make)
        questions = [await bed.question(bed.filled, bed.asked) for _ in range(10)]
        copies = [replace(question) for question in questions]
        answers = await asyncio.gather(*(lane.search(question, 20) for question in questions))
        _require(questions == copies, "changes the question it is asked")
        for question in questions:
            await question.cancel()
        return list(answers)

    answers = bed.run(ask())
    _require(all(one == answers[0] for one in answers), "answers differently under load")


def survives_cancellation(bed: Bed, make: Factory) -> None:
    """A search that is cancelled at any moment leaves every connection whole."""
    before = bed.hits(make, depth=20)

    async def cancelled_after(delay_s: float) -> None:
        question = await bed.question(bed.filled, bed.asked)
        task = asyncio.create_task(bed.lane(make).search(question, 20))
        await asyncio.sleep(delay_s)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await question.cancel()

    async def many() -> None:
        await asyncio.gather(*(cancelled_after(step / 1_000) for step in range(12)))

    bed.run(many())
    _require(bed.hits(make, depth=20) == before, "answers differently after a cancelled search")
    _require(bed.run(_is_whole(bed)), "keeps a connection when cancelled")


async def _is_whole(bed: Bed) -> bool:
    """Whether every connection comes back; the service's own upkeep may hold one for a moment."""
    for _ in range(POLLS):
        stats = bed.service.pool.get_stats()
        if stats["pool_available"] == stats["pool_size"]:
            return True
        await asyncio.sleep(POLL_S)
    return False


def _require(holds: bool, told: str) -> None:
    if not holds:
        raise NotConforming(f"the lane {told}")


CHECKS: tuple[Check, ...] = (
    finds_and_orders,
    cuts_at_depth,
    keeps_tenants_apart,
    hides_what_was_replaced,
    passes_filters,
    is_silent_without_a_signal,
    answers_many_at_once,
    survives_cancellation,
)
