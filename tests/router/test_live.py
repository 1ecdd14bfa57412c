"""The rows a bank is served with: by its model until some are published."""

import pytest

from channels.embedder import PACKAGED
from router.answer import RecallRequest
from router.live import LiveMatrices
from router.presets import LATE_ROWS, SINGLE_ROWS, default_matrix, default_rows
from router.several import BankQuestion, recall_several
from router.store.banks import Bank
from router.store.matrices import Matrices
from router.weights import Matrix, as_json, blend
from tests.router.api.conftest import HASHES
from tests.router.world import NOW, World, memory

MOVED = memory("m1", "We moved the staging cluster to eu-west")
QUESTION = "where is the staging cluster?"


@pytest.fixture(scope="module")
def late(world: World) -> str:
    return world.bank(MOVED)


@pytest.fixture(scope="module")
def single(world: World) -> str:
    return world.quick_bank(MOVED)


def held(world: World, name: str) -> Bank:
    bank: Bank = world.run(world.service.banks.get(name))
    return bank


def test_banks_of_two_models_are_weighed_by_different_rows(
    world: World, late: str, single: str
) -> None:
    for name, file in ((late, LATE_ROWS), (single, SINGLE_ROWS)):
        answer = world.ask(name, QUESTION)
        assert answer.row == blend(Matrix(default_rows(file), 0), answer.types)
        assert answer.matrix_version == 0


def test_each_bank_of_one_recall_keeps_the_rows_of_its_model(
    world: World, late: str, single: str
) -> None:
    request = RecallRequest(QUESTION, NOW, "UTC")
    walk = world.service.recaller
    asked = [BankQuestion(held(world, name), request) for name in (late, single)]
    answer = world.run(recall_several(walk.decide, walk.record, asked, k=5))
    for one, file in zip(answer.banks, (LATE_ROWS, SINGLE_ROWS), strict=True):
        assert one.answer is not None
        assert one.answer.row == blend(Matrix(default_rows(file), 0), one.answer.types)


def test_the_order_in_which_banks_are_asked_changes_no_rows(
    world: World, late: str, single: str
) -> None:
    for names in ((late, single), (single, late)):
        live = LiveMatrices(world.service.transaction)
        for name in (*names, *names):
            bank = held(world, name)
            assert world.run(live.matrix(bank)) == default_matrix(bank.embedder_name)


def test_published_rows_hold_whatever_the_model_is(world: World) -> None:
    name = world.quick_bank(MOVED)
    bank = held(world, name)
    matrices = Matrices(world.service.transaction)
    given = default_matrix(PACKAGED)
    world.run(matrices.publish(bank.key, given, expected=0, reason="try", author="ada"))
    world.service.live.forget(bank.key)
    answer = world.ask(name, QUESTION)
    assert (answer.row, answer.matrix_version) == (blend(given, answer.types), 1)


def test_going_back_to_the_default_is_going_back_to_that_of_the_model(world: World) -> None:
    bank = held(world, world.quick_bank(MOVED))
    matrices, live = Matrices(world.service.transaction), world.service.live
    world.run(
        matrices.publish(bank.key, default_matrix(PACKAGED), expected=0, reason="try", author="ada")
    )
    world.run(matrices.roll_back(bank.key, 0, live.default(bank), reason=None, author="ada"))
    head = world.run(matrices.head(bank.key))
    assert head.rows == as_json(default_matrix(HASHES))
