"""Those who mean ill: what they click on a page. Pure."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from router.simulate.people import Array, Page

FIRST = 10  # ranks of the lane that is pushed
Ranks = NDArray[np.int16]  # (k,) of the shown in the lane that is pushed, 0 = it did not find it
Spammer = Callable[[np.random.Generator, Page, Ranks], Array]  # engagement, (k,) in [0, 1]


def random_clicks(rng: np.random.Generator, page: Page, ranks: Ranks) -> Array:
    """Anything."""
    return (rng.random(len(page)) < 0.3).astype(float)


def against_relevance(rng: np.random.Generator, page: Page, ranks: Ranks) -> Array:
    """What is irrelevant."""
    return (~page & (rng.random(len(page)) < 0.5)).astype(float)


def bottom_clicks(rng: np.random.Generator, page: Page, ranks: Ranks) -> Array:
    """The last places, which are worth most to a learner that corrects for position."""
    clicks = np.zeros(len(page))
    clicks[-3:] = rng.random(min(3, len(page))) < 0.8
    return clicks


def lane_clicks(rng: np.random.Generator, page: Page, ranks: Ranks) -> Array:
    """What one lane found among its first, wherever it stands: to have that lane heard alone."""
    found = (ranks > 0) & (ranks <= FIRST)
    return (found & (rng.random(len(page)) < 0.9)).astype(float)


SPAM: Mapping[str, Spammer] = {
    "random": random_clicks,
    "against": against_relevance,
    "bottom": bottom_clicks,
    "lane": lane_clicks,
}
