"""A pipeline named by the settings finds names in memories and questions; spellings are one."""

from pathlib import Path

import pytest

from channels.errors import ConfigError
from channels.names import SpacyNames
from router.retain import Retainer
from router.settings import Settings
from router.wiring import open_service
from tests.router.world import World, memory

HOLDERS = (
    "select n.name, n.kind, n.df from entities n where n.bank_id = %(bank)s and n.name = any(%s)"
    " order by 1"
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> SpacyNames:
    spacy = pytest.importorskip("spacy", reason="the extra fivefold[spacy] is not installed")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "aoife"}])
    folder: Path = tmp_path_factory.mktemp("pipeline") / "names"
    nlp.to_disk(folder)
    return SpacyNames(str(folder))


def test_names_of_the_model_are_stored_and_asked_for(world: World, names: SpacyNames) -> None:
    bank = world.quick_bank()
    service = world.service
    retainer = Retainer(service.transaction, service.embedders.embed, names)
    held = world.run(service.banks.get(bank))
    world.run(retainer.retain(held, [memory("a", "then aoife left"), memory("b", "aoife again")]))
    assert world.rows(bank, HOLDERS, ["aoife"]) == [("aoife", "person", 2)]
    walk = world.recaller(names=names)
    read = world.ask(bank, "where did aoife go after the long dinner?", recaller=walk).read
    assert read.entities == ("aoife",)
    assert read.fired["entities"] == {"aoife": "model:person"}
    plain = world.ask(bank, "where did aoife go after the long dinner?").read
    assert plain.entities == ()


def test_service_does_not_start_with_a_pipeline_that_is_not_there(world: World) -> None:
    settings = Settings(
        database_url=world.dsn, data_dir=Path("unused"), entity_model="/no/such/pipeline"
    )

    async def start() -> None:
        async with open_service(settings):
            raise AssertionError("it started")

    with pytest.raises(ConfigError, match="FIVEFOLD_ENTITY_MODEL"):
        world.run(start())


def test_question_finds_a_name_by_any_spelling(world: World) -> None:
    bank = world.quick_bank(
        memory("a", "We met José at the lake"),
        memory("b", "Then José and the Millers left for EU-West"),
    )
    assert world.rows(bank, HOLDERS, ["josé"]) == [("josé", "", 2)]
    for question, found in (
        ("what did we hear from Jose in all that time?", {"a", "b"}),
        ("what did we hear from JOSÉ in all that time?", {"a", "b"}),
        ("whatever became of the Millers' old house?", {"b"}),
        ("whatever moved to EU West in the end?", {"b"}),
    ):
        run = world.ask(bank, question).found.outcomes["graph"].hits
        seeds = {hit.key for hit in run if hit.detail["seed"]}
        ids = dict(world.rows(bank, "select key, id from memories where bank_id = %(bank)s"))
        assert found <= {ids[key] for key in seeds}, question


def test_two_spellings_in_one_memory_are_one_mention(world: World) -> None:
    bank = world.quick_bank(memory("a", 'José, or "Jose" as they wrote, came'))
    assert sum(row[2] for row in world.rows(bank, HOLDERS, ["josé", "jose"])) == 1
