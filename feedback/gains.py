"""What one closed recall says of every row of the library, in DCG. Pure."""

import numpy as np
from numpy.typing import NDArray

from feedback.impression import Impression
from feedback.library import TypeRows, leaders, rows_of

MOST_GAIN = 3.0  # DCG that one impression can add to a row
TOP = 10  # ranks that DCG counts
DISCOUNT = 1.0 / np.log2(2.0 + np.arange(TOP))

Array = NDArray[np.float64]


class Pages:
    """The first TOP that each row of the library would have shown; types of equal rows share it."""

    def __init__(self, one: Impression, prior: TypeRows) -> None:
        self._one, self._prior = one, prior
        self._known: dict[bytes, NDArray[np.intp]] = {}

    def of(self, kind: int) -> NDArray[np.intp]:
        """Candidates, best first, (J, at most TOP)."""
        weights, rrf_k = self._prior.weights[kind], float(self._prior.rrf_k[kind])
        name = weights.tobytes() + self._prior.rrf_k[kind].tobytes()
        if name not in self._known:
            rows, constants = rows_of(weights, rrf_k)
            rows = self._one.heard(rows)
            self._known[name] = leaders(self._one.ranks, rows, constants, TOP)
        return self._known[name]


def row_gains(
    one: Impression, shown: NDArray[np.intp], reward: Array, value: Array, share: Array
) -> Array:
    """Estimated DCG of each row less that of the prior's own, (J,), within +-MOST_GAIN.

    `shown`: `Pages.of` the type. `reward` (n,) imputes every candidate; `value` and `share` (k,)
    correct it where one was shown.
    """
    worth = reward.copy()
    np.add.at(worth, one.page, value - reward[one.page] * share)
    total = worth[shown] @ DISCOUNT[: shown.shape[1]]
    gains: Array = np.clip(total - total[0], -MOST_GAIN, MOST_GAIN)
    return gains
