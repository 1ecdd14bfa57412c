"""The walk: banks move in, half of their questions are asked for long, the others are measured."""

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from channels.errors import BadInput
from router.evaluate.dataset import Dataset, Query
from router.simulate.over_http.lift import Lived, report
from router.simulate.over_http.remote import Remote, Reply, Row
from router.simulate.over_http.tenant import STILL_S, Tenant
from router.simulate.people import USERS, User
from router.simulate.profiles import rewritten

SPLIT_SEED = 7  # of the halves: the same questions are unseen in every run
TRAFFIC = ("natural", "terse", "dated", "masked")  # profiles that are in the words of a question
PROFILES = ("natural", "terse", "masked")
LEAST_QUESTIONS = 4  # of a bank

Advance = Callable[[str, int], None]  # stage ("load", "before", "live", "after"), and how many more


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated."""

    profiles: Sequence[str] = PROFILES  # of the banks in turn
    banks: int = 3
    recalls: int = 1_500  # of each bank
    people: int = 100  # of each bank
    user: User = USERS["position"]
    seed: int = 100
    swaps: bool = False  # the halves change places, in new banks

    def totals(self, dataset: Dataset) -> dict[str, int]:
        """How much there is to do of each stage."""
        names, turns = banks_of(dataset, self.banks), 2 if self.swaps else 1
        asked = [judged(dataset, name) for name in names]
        unseen = sum(len(queries) if self.swaps else len(queries) // 2 for queries in asked)
        return {
            "load": turns * sum(len(dataset.memories[name]) for name in names),
            "before": unseen,
            "live": turns * len(names) * self.recalls,
            "after": unseen,
        }


def simulate(remote: Remote, dataset: Dataset, plan: Plan, advance: Advance) -> dict[str, Any]:
    """The report: lift on unseen questions, how soon a closing was heard, and the matrices.

    The banks are made anew and deleted at the end. Raises BadInput for a data set with fewer banks.
    """
    found: list[Lived] = []
    for half in (0, 1) if plan.swaps else (0,):
        found += _lived(remote, dataset, plan, half, advance)
    return report(dataset.name, plan.recalls, plan.people, found)


def banks_of(dataset: Dataset, count: int) -> list[str]:
    """The first banks that have questions enough to be halved. Raises BadInput."""
    able = [name for name in dataset.memories if len(judged(dataset, name)) >= LEAST_QUESTIONS]
    if len(able) < count:
        reason = (
            f"{count} of {dataset.name}, which has {len(able)} with {LEAST_QUESTIONS} questions"
        )
        raise BadInput("--banks", reason)
    return able[:count]


def judged(dataset: Dataset, bank: str) -> list[Query]:
    """A bank's questions that have a relevant memory."""
    return [query for query in dataset.queries if query.bank == bank and query.relevant]


def halved(queries: Sequence[Query], half: int) -> tuple[list[Query], list[Query]]:
    """Questions that are asked, and those that nobody asks; `half` 1 is the other way round."""
    mixed = np.random.default_rng(SPLIT_SEED).permutation(len(queries)).tolist()
    cut = (len(mixed) + 1) // 2
    parts = [queries[at] for at in mixed[:cut]], [queries[at] for at in mixed[cut:]]
    return parts if half == 0 else (parts[1], parts[0])


def _lived(
    remote: Remote, dataset: Dataset, plan: Plan, half: int, advance: Advance
) -> list[Lived]:
    mark = secrets.token_hex(4)
    lives: list[tuple[Tenant, str, list[Query]]] = []
    for number, name in enumerate(banks_of(dataset, plan.banks)):
        profile = plan.profiles[number % len(plan.profiles)]
        told = rewritten(dataset, profile)
        asked, unseen = halved(judged(told, name), half)
        bank = f"simulated:{number}:{profile}:{mark}"
        rng = np.random.default_rng([plan.seed, half, number])
        tenant = Tenant(remote, bank, told, name, asked, plan.user, plan.people, rng)
        lives.append((tenant, profile, unseen))
    with ExitStack() as closing:
        for tenant, _, _ in lives:
            tenant.make()
            closing.callback(tenant.delete)
            tenant.fill(lambda count: advance("load", count))
        return _through(lives, half, plan.recalls, advance)


def _through(
    lives: Sequence[tuple[Tenant, str, list[Query]]], half: int, recalls: int, advance: Advance
) -> list[Lived]:
    befores = []
    for tenant, _, unseen in lives:
        befores.append([tenant.measured(query) for query in unseen])
        advance("before", len(unseen))
    for _ in range(recalls):
        for tenant, _, _ in lives:
            tenant.visit()
            advance("live", 1)
    waits = [tenant.await_learning() for tenant, _, _ in lives]
    time.sleep(STILL_S)
    found = []
    for (tenant, profile, unseen), before, learnt_s in zip(lives, befores, waits, strict=True):
        found.append(_measured(tenant, profile, half, unseen, before, learnt_s))
        advance("after", len(unseen))
    return found


def _measured(
    tenant: Tenant,
    profile: str,
    half: int,
    unseen: Sequence[Query],
    before: Sequence[Reply],
    learnt_s: float,
) -> Lived:
    served = [tenant.measured(query) for query in unseen]
    lanes = _under(tenant, unseen, [reply.row for reply in before])
    matrix = _under(tenant, unseen, [reply.row for reply in served])
    state, told = tenant.remote.matrix(tenant.bank), dict(tenant.told)
    return Lived(
        bank=tenant.name,
        profile=profile,
        half=half,
        asked=len(tenant.asked),
        unseen=unseen,
        pages={"default": before, "lanes": lanes, "matrix": matrix, "served": served},
        told=told,
        people=len(tenant.actors),
        first_learnt=tenant.first_learnt,
        learnt_s=learnt_s,
        change=tenant.await_change(),
        state=state,
    )


def _under(tenant: Tenant, queries: Sequence[Query], rows: Sequence[Row]) -> list[Reply]:
    """The pages under these rows alone: the residual ranker keeps away from a caller's weights."""
    return [tenant.measured(query, row) for query, row in zip(queries, rows, strict=True)]
