"""The verdict says what the report says: each bar can be met and can be missed."""

from typing import Any

import pytest

from router.simulate.report import markdown
from router.simulate.verdict import Bar, told, verdict

POINTS = ("500", "1000", "2000", "3000")


def learner(ratio: float, **changes: Any) -> dict[str, Any]:
    same = dict.fromkeys(POINTS, ratio)
    return {
        "ratio": same, "lowest": same, "sd": dict.fromkeys(POINTS, 0.1), "worst_harm": -0.01,
        "types": {"general": dict.fromkeys(POINTS, 0.02)}, "regret_share": 0.3,
        "versions": 40, **changes,
    }  # fmt: skip


def profile(counts: bool = True, **learners: Any) -> dict[str, Any]:
    known = {
        "fivefold": learner(0.8), "static": learner(0.0, regret_share=1.0),
        "naive": learner(-0.2, regret_share=3.6), "ips": learner(0.7),
    }  # fmt: skip
    half = {"default": 0.4, "ceiling": 0.5}
    return {
        "cases": 10, "halves": [half, half], "library_share": 0.99, "counts": counts,
        "learners": {**known, **learners},
    }  # fmt: skip


def report(**profiles: Any) -> dict[str, Any]:
    known = {name: profile() for name in ("natural", "terse", "weak_embedder")}
    return {"dataset": "made up", "studies": {"bars": {**known, **profiles}}}


def missed(found: dict[str, Any]) -> list[str]:
    return [bar.claim for bar in verdict(found) if not bar.is_met]


def test_learner_that_reaches_every_bar_meets_the_verdict() -> None:
    assert not missed(report())
    assert len(verdict(report())) == 14


@pytest.mark.parametrize(
    ("changed", "claim"),
    [
        ({"terse": profile(counts=False)}, "profiles that count"),
        ({"weak_embedder": profile(counts=False), "dated": profile()}, "weak_embedder counts"),
        ({"terse": profile(fivefold=learner(0.0))}, "mean ratio @1000"),
        ({"terse": profile(fivefold=learner(0.6))}, "lowest profile's ratio @3000"),
        ({"dated": profile(counts=False, fivefold=learner(0.8, worst_harm=-0.07))},
         "lowest run, all profiles (dated)"),
        ({"dated": profile(False, fivefold=learner(0.8, types={"emotional": {"500": -0.2}}))},
         "lowest type, all profiles (dated, emotional, @500)"),
        ({"terse": profile(fivefold=learner(0.8, regret_share=0.6))},
         "regret against not learning, profiles that count (terse)"),
        ({"terse": profile(naive=learner(0.9))},
         "naive credit's mean ratio @3000, which must fail"),
        ({"terse": profile(ips=learner(1.3))}, "ratio @2000 ahead of inverse propensity"),
    ],
)  # fmt: skip
def test_each_bar_is_missed_by_the_learner_it_is_there_for(
    changed: dict[str, Any], claim: str
) -> None:
    assert claim in missed(report(**changed))


def test_profile_that_does_not_count_leaves_the_ratios_alone() -> None:
    assert not missed(report(dated=profile(False, fivefold=learner(-3.0))))


def test_verdict_stands_at_the_end_of_the_report_with_every_figure() -> None:
    found = report(terse=profile(fivefold=learner(0.0)))
    text = markdown(found)
    end = text.split("## Verdict")[1]
    assert "MISSED  lowest profile's ratio @3000: 0 (at least 0.65)" in end
    assert end.strip().endswith(f"{14 - len(missed(found))} met, {len(missed(found))} missed.")


@pytest.mark.parametrize(("figure", "is_met"), [(0.5, True), (0.49, False), (float("nan"), False)])
def test_bar_is_met_from_its_limit_on_and_never_by_no_number(figure: float, is_met: bool) -> None:
    assert Bar("claim", figure, 0.5).is_met is is_met
    assert told([Bar("claim", figure, 0.5)]).count("MISSED") == (not is_met)
