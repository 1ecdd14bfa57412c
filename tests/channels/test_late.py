"""Late interaction: of a question without end, what counts most is compared."""

import numpy as np

from channels.late import MOST_ASKED, strongest


def test_of_a_long_question_the_tokens_that_weigh_most_are_compared_in_their_order() -> None:
    tokens = np.arange(2 * (MOST_ASKED + 50), dtype=np.float32).reshape(-1, 2)
    weights = np.full(len(tokens), 0.3, np.float32)
    weights[-20:] = 5.0  # what is asked stands at the end
    kept, heavy = strongest(tokens, weights)
    assert len(kept) == len(heavy) == MOST_ASKED
    assert np.array_equal(kept[-20:], tokens[-20:])
    assert np.array_equal(kept[:5], tokens[:5])  # equal ones: the first
    assert (np.diff(kept[:, 0]) > 0).all()


def test_a_question_that_is_short_enough_is_compared_whole() -> None:
    tokens, weights = np.ones((MOST_ASKED, 2), np.float32), np.ones(MOST_ASKED, np.float32)
    assert strongest(tokens, weights)[0] is tokens
