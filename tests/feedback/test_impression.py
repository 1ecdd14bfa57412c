import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from feedback.impression import LEAST_TYPE, TYPES, type_shares

PROBABILITIES = st.lists(st.floats(0, 1), min_size=len(TYPES), max_size=len(TYPES)).filter(
    lambda parts: sum(parts) > 0
)


@given(PROBABILITIES)
def test_shares_sum_to_one_and_leave_out_what_is_improbable(parts: list[float]) -> None:
    probabilities = np.array(parts) / sum(parts)
    shares = type_shares(probabilities)
    assert abs(shares.sum() - 1) < 1e-12
    assert shares.min() >= 0
    assert not np.any(shares[probabilities < LEAST_TYPE])


def test_a_question_that_could_be_anything_is_credited_to_the_most_probable() -> None:
    assert type_shares([0.04, 0.03, 0.045, 0.01, 0.02]).tolist() == [0, 0, 1, 0, 0]


@given(st.sampled_from(range(len(TYPES))))
def test_corrected_type_gets_all(place: int) -> None:
    assert type_shares(np.eye(len(TYPES))[place]).tolist() == np.eye(len(TYPES))[place].tolist()
