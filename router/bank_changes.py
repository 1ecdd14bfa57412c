"""A bank's configuration changed in part: what is not given stays, however deep it stands."""

from collections.abc import Mapping
from typing import Any

from channels.errors import BadInput
from router.store.banks import BankConfig, DecayConfig

OPEN = ("config.decay.per_kind", "config.event_values")  # whose names are the caller's own


def merged(held: BankConfig, given: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration with the given values in it, not yet checked; as RFC 7396 merges JSON.

    Objects are merged, all else is replaced; null takes a value back to its default, or a name of
    the caller's own away.
    """
    return _merged(held.model_dump(mode="json"), given, "config")


def check_decay(decay: DecayConfig) -> None:
    """Raises BadInput for half-lives of a curve that never falls."""
    if decay.kind != "none":
        return
    for field, is_given in (
        ("half_life_days", decay.half_life_days is not None),
        ("per_kind", bool(decay.per_kind)),
    ):
        if is_given:
            raise BadInput(
                f"config.decay.{field}",
                "means nothing where kind is none, which never fades; give null for it, or"
                " another kind",
            )


def _merged(held: Mapping[str, Any], given: Mapping[str, Any], path: str) -> dict[str, Any]:
    changed = dict(held)
    for name, value in given.items():
        if value is None and (name in held or path.startswith(OPEN)):
            changed.pop(name, None)
        elif isinstance(value, Mapping):
            own = held.get(name)
            below = own if isinstance(own, Mapping) else {}
            changed[name] = _merged(below, value, f"{path}.{name}")
        else:
            changed[name] = value  # also the null of an unknown name, which is then refused
    return changed
