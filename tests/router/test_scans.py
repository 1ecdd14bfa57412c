"""Vector look-ups are counted by the way they went."""

from prometheus_client import REGISTRY

from tests.router.world import World, memory


def scans(path: str) -> float:
    return REGISTRY.get_sample_value("fivefold_vector_scans_total", {"path": path}) or 0.0


def test_every_vector_look_up_is_counted_by_its_path(world: World) -> None:
    bank = world.quick_bank(memory("a", "the harbour lease"))
    before = scans("exact"), scans("index"), scans("repeated")
    world.ask(bank, "what of the lease?")
    assert (scans("exact"), scans("index"), scans("repeated")) == (before[0] + 1, *before[1:])
