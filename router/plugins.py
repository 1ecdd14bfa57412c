"""Lanes of other distributions, by entry point: found, checked, and kept from harming a recall."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

import structlog

from channels.base import Channel, Hit, Question, best_first
from channels.connection import Transaction
from channels.errors import ChannelError, ConfigError
from router.presets import CHANNELS
from router.settings import Settings

GROUP = "fivefold.channels"
PRIOR = (
    0.35  # of the largest weight, where a lane names none: that of the graph lane, a recall lane
)
NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")  # a key in JSON, a label of metrics, a word in commands

log = structlog.get_logger()


class Factory(Protocol):
    """What an entry point names: a class, or a function, that makes a lane.

    It may carry `prior_weight`, the lane's weight in (0, 1] beside a largest of 1.
    """

    def __call__(self, transaction: Transaction, *, timeout_ms: int) -> Channel: ...


@dataclass(frozen=True, slots=True)
class PlugIn:
    """A lane that another distribution brings."""

    name: str
    factory: Factory
    distribution: str
    prior: float
    is_shadow: bool  # asked and traced, without a vote

    def make(self, transaction: Transaction, *, timeout_ms: int) -> Channel:
        """The lane. Raises ConfigError when it cannot be made or is no lane of that name."""
        try:
            lane = self.factory(transaction, timeout_ms=timeout_ms)
        except ConfigError as error:  # it says itself what is wrong and what to do
            raise _wrong(self.distribution, self.name, f"cannot be made: {error}") from error
        except Exception as error:  # foreign code: whatever it raises, the process does not start
            raise _wrong(self.distribution, self.name, f"cannot be made: {error!r}") from error
        if getattr(lane, "name", None) != self.name:
            reason = f"calls itself {getattr(lane, 'name', None)!r}; both names must be one"
            raise _wrong(self.distribution, self.name, reason)
        if not callable(getattr(lane, "search", None)):
            raise _wrong(self.distribution, self.name, "has no method search(question, depth)")
        return Guarded(lane)


class Guarded:
    """A foreign lane held to the contract: what it breaks costs its own run and nothing else."""

    def __init__(self, lane: Channel) -> None:
        self._lane = lane

    @property
    def name(self) -> str:
        """The lane's own."""
        return self._lane.name

    async def search(self, question: Question, depth: int) -> list[Hit]:
        """Its hits in order, each memory once, at most `depth`. Raises ChannelError for others."""
        hits = await self._lane.search(question, depth)
        if not all(isinstance(hit, Hit) and math.isfinite(hit.score) for hit in hits):
            raise ChannelError(self.name, "malformed")
        return best_first(hits, depth)


def discover(settings: Settings, found: Iterable[EntryPoint] | None = None) -> tuple[PlugIn, ...]:
    """The lanes that the settings let in, by name.

    Raises ConfigError for one that cannot be loaded, a name that is taken or no name, and a setting
    that names a lane which is not installed.
    """
    points = sorted(
        entry_points(group=GROUP) if found is None else found,
        key=lambda point: (point.name, _distribution(point)),
    )
    wanted, shadow = _names(settings.plugins), _names(settings.shadow)
    installed = {point.name for point in points}
    for setting, names in (("FIVEFOLD_PLUGINS", wanted), ("FIVEFOLD_SHADOW", shadow)):
        for name in sorted(names - installed - {"all", "none"}):
            known = ", ".join(sorted(installed)) or "none"
            raise ConfigError(setting, f"no lane {name!r} is installed; installed are: {known}")
    chosen = [point for point in points if wanted & {"all", point.name} and "none" not in wanted]
    plugins = tuple(_load(point, is_shadow=bool(shadow & {"all", point.name})) for point in chosen)
    _check_names(plugins)
    for one in plugins:
        log.info("lane_found", channel=one.name, distribution=one.distribution, prior=one.prior)
    return plugins


def priors(plugins: Sequence[PlugIn]) -> Mapping[str, float]:
    """Channel -> prior weight of the lanes that vote."""
    return {one.name: one.prior for one in plugins if not one.is_shadow}


def _names(given: str) -> set[str]:
    return {name.strip() for name in given.split(",") if name.strip()}


def _load(point: EntryPoint, *, is_shadow: bool) -> PlugIn:
    distribution = _distribution(point)
    try:
        factory = point.load()
    except Exception as error:  # foreign code, imported: it may raise anything
        raise _wrong(distribution, point.name, f"cannot be imported: {error!r}") from error
    if not callable(factory):
        raise _wrong(distribution, point.name, f"{point.value} makes no lane: it is not callable")
    prior = getattr(factory, "prior_weight", PRIOR)
    if not isinstance(prior, int | float) or isinstance(prior, bool) or not 0 < prior <= 1:
        raise _wrong(distribution, point.name, f"prior_weight {prior!r} is outside (0, 1]")
    return PlugIn(point.name, factory, distribution, float(prior), is_shadow)


def _check_names(plugins: Sequence[PlugIn]) -> None:
    seen: dict[str, str] = dict.fromkeys(CHANNELS, "fivefold itself")
    for one in plugins:
        if not NAME.fullmatch(one.name):
            reason = "is no name; use small letters, digits and _, a letter first, at most 31"
            raise _wrong(one.distribution, one.name, reason)
        if one.name in seen:
            reason = f"is a lane of {seen[one.name]} already; leave one out by FIVEFOLD_PLUGINS"
            raise _wrong(one.distribution, one.name, reason)
        seen[one.name] = one.distribution


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown distribution"


def _wrong(distribution: str, name: str, reason: str) -> ConfigError:
    return ConfigError(f"{GROUP}: {name} of {distribution}", reason)
