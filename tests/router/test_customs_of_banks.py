"""A bank's date order and seasons reach its questions and the dates inside its memories."""

from tests.router.api.conftest import HASHES
from tests.router.world import World, memory

DATED = memory("a", "The permit was signed on 3/4/2024", "2024-05-01")
ROOF = memory("b", "The roof leaked in summer 2023", "2024-05-01")
STARTS = (
    "select d.starts from memory_dates d join memories m using (bank_id, key)"
    " where m.bank_id = %(bank)s and m.id = %s order by 1"
)


def starts(world: World, bank: str, name: str) -> list[str]:
    return [f"{row[0]:%Y-%m-%d}" for row in world.rows(bank, STARTS, name)]


def asked(world: World, bank: str, question: str) -> str:
    window = world.ask(bank, question).read.window
    assert window is not None
    return f"{window.start:%Y-%m-%d}"


def test_order_and_seasons_of_a_bank_hold_for_writing_and_asking(world: World) -> None:
    bank = world.bank(DATED, ROOF, date_order="day_first", seasons="southern", embedder=HASHES)
    assert starts(world, bank, "a") == ["2024-04-03"]
    assert starts(world, bank, "b") == ["2023-12-01"]
    assert asked(world, bank, "what was signed on 3/4/2024?") == "2024-04-03"
    assert asked(world, bank, "what leaked in summer 2023?") == "2023-12-01"


def test_bank_without_customs_writes_the_month_first(world: World) -> None:
    bank = world.quick_bank(DATED, ROOF)
    assert starts(world, bank, "a") == ["2024-03-04"]
    assert starts(world, bank, "b") == ["2023-06-01"]
    assert asked(world, bank, "what was signed on 3/4/2024?") == "2024-03-04"
