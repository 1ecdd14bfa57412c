"""How sure a mean and a paired difference are: bootstrap and permutation, seeded. Pure."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 2_000
FLIPS: Final = 10_000  # the least p that can be shown is 1 / (FLIPS + 1)
FLIP_ROWS: Final = 500  # drawn at once; bounds memory to 500 x n_queries
LEAST_BANKS: Final = 5  # with fewer, a bootstrap over banks has too few distinct resamples
SEED: Final = 20_240_603
TIE: Final = 1e-9

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Paired:
    """System minus baseline over the same queries."""

    delta: float
    ci95: tuple[float, float]
    win: int
    tie: int
    loss: int
    cohens_d: float | None  # mean / standard deviation of the differences; None without spread
    p: float  # two-sided sign-flip permutation test over queries


def resampled_unit(banks: Sequence[Hashable]) -> str:
    """What is drawn again: "bank" where there are five or more, else "query"."""
    return "bank" if len(set(banks)) >= LEAST_BANKS else "query"


def bootstrap(
    values: Values, banks: Sequence[Hashable], *, seed: int = SEED
) -> tuple[float, float]:
    """95 % percentile interval of the mean of `values`, shape (n_queries,), n_queries >= 1.

    Draws banks with all their queries where there are five or more (questions about one
    conversation are not independent), else single queries. Efron & Tibshirani 1993, chapter 13.
    """
    sums, counts = _units(values, banks)
    drawn = np.random.default_rng(seed).integers(0, len(sums), (RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def paired(
    system: Values, baseline: Values, banks: Sequence[Hashable], *, seed: int = SEED
) -> Paired:
    """The difference of two systems on the same queries, shape (n_queries,) each."""
    differences = system - baseline
    delta = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return Paired(
        delta=delta,
        ci95=bootstrap(differences, banks, seed=seed),
        win=int((differences > TIE).sum()),
        tie=int((np.abs(differences) <= TIE).sum()),
        loss=int((differences < -TIE).sum()),
        cohens_d=delta / spread if spread > TIE else None,
        p=sign_flip_p(differences, seed=seed),
    )


def sign_flip_p(differences: Values, *, seed: int = SEED) -> float:
    """Two-sided p that signs of the differences are chance, in [1 / (FLIPS + 1), 1].

    The share of random sign flips whose mean is at least as far from 0, the observed one counted
    among them (Phipson & Smyth 2010), so it is never 0.
    """
    moved = differences[np.abs(differences) > TIE]
    if not len(moved):
        return 1.0
    observed = abs(moved.sum()) - TIE
    rng = np.random.default_rng(seed)
    as_far = 0
    for _ in range(FLIPS // FLIP_ROWS):
        signs = rng.integers(0, 2, (FLIP_ROWS, len(moved)), dtype=np.int8) * 2 - 1
        as_far += int((np.abs(signs @ moved) >= observed).sum())
    return (as_far + 1) / (FLIPS + 1)


def _units(values: Values, banks: Sequence[Hashable]) -> tuple[Values, Values]:
    if len(values) != len(banks) or not len(values):
        raise ValueError(f"{len(values)} values for {len(banks)} banks; give one a query")
    if resampled_unit(banks) == "query":
        return values, np.ones(len(values))
    numbers: dict[Hashable, int] = {}
    place = np.array([numbers.setdefault(bank, len(numbers)) for bank in banks])
    return _sums(place, values), _sums(place, np.ones(len(values)))


def _sums(place: NDArray[np.intp], values: Values) -> Values:
    return np.bincount(place, weights=values).astype(np.float64)
