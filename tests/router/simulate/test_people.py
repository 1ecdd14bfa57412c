import json
from pathlib import Path

import numpy as np
import pytest

from channels.errors import BadInput
from router.simulate.people import USERS, Position, User, published
from router.simulate.spam import SPAM

PAGE = np.array([True, False, False, True, False, False, False, False, False, True])
N = 4_000


def rates(user: User, page: np.ndarray = PAGE) -> np.ndarray:
    rng = np.random.default_rng(5)
    found: np.ndarray = np.mean([user(rng, page) for _ in range(N)], axis=0)
    return found


@pytest.mark.parametrize("name", sorted(USERS))
def test_people_prefer_what_is_relevant_and_what_stands_high(name: str) -> None:
    found = rates(USERS[name])
    assert found[0] > found[3] > found[9]
    assert found[0] > 3 * found[1]


def test_position_based_rates_are_looks_times_wants_times_not_silent() -> None:
    found = rates(Position.power(1.0))
    expected = 0.75 * np.arange(1.0, 11.0) ** -1.0 * np.where(PAGE, 0.85, 0.08)
    assert np.all(np.abs(found - expected) < 4 * np.sqrt(expected / N) + 1e-3)


def test_spam_against_relevance_never_clicks_what_is_relevant() -> None:
    rng, unknown = np.random.default_rng(5), np.zeros(len(PAGE), np.int16)
    clicks = [SPAM["against"](rng, PAGE, unknown) for _ in range(N)]
    assert not np.any(np.array(clicks)[:, PAGE])


def test_published_parameters_become_a_user(tmp_path: Path) -> None:
    models = {
        "pbm": {"model_name": "position_biased_model", "exam_prob": [0.7, 0.3],
                "click_prob": [0.1, 0.2, 1.0]},
        "ubm": {"model_name": "user_browsing_model", "exam_prob": [[1.0]], "click_prob": [0.1, 1]},
    }  # fmt: skip
    path = tmp_path / "models.json"
    path.write_text(json.dumps(models))
    found = rates(published(path, "pbm"))
    assert abs(found[0] - 0.7 * 0.75) < 0.03
    with pytest.raises(BadInput, match="no curve of looks"):
        published(path, "ubm")
    with pytest.raises(BadInput, match="no model 'x'"):
        published(path, "x")
