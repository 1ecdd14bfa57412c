"""What the bed found, as text for people. Pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from router.evaluate.report import table
from router.simulate.verdict import told, verdict

Report = Mapping[str, Any]


def markdown(report: Report) -> str:
    """A section for each study and profile, and the verdict."""
    lines = [f"# {report['dataset']}", ""]
    for study, found in report["studies"].items():
        if study == "fleet":
            lines += [*_fleet(found), ""]
            continue
        for profile, its in found.items():
            lines += [f"## {study}: {profile} ({its['cases']} questions)", "", *_described(its)]
            lines += ["", *TABLES[study](its), ""]
    return "\n".join([*lines, told(verdict(report))])


def _described(found: Report) -> list[str]:
    halves = "; ".join(f"{one['default']:.3f} to {one['ceiling']:.3f}" for one in found["halves"])
    return [
        f"Default to fitted ceiling on unseen questions, by half: {halves}. Best library row: "
        f"{found['library_share']:.3f} of the ceiling. "
        + ("Counts." if found["counts"] else "Does not count."),
    ]


def _bars(found: Report) -> Iterator[str]:
    learners = found["learners"]
    checkpoints = list(next(iter(learners.values()))["ratio"])
    head = ["learner", *(f"@{int(at):,}" for at in checkpoints), "worst harm", "regret", "versions"]
    rows = [
        [
            name,
            *(_ratio(its, at) for at in checkpoints),
            f"{its['worst_harm']:+.1%}",
            "" if its["regret_share"] is None else f"{its['regret_share']:.0%} of static",
            f"{its['versions']:.0f}",
        ]
        for name, its in learners.items()
    ]
    return iter(table(head, rows))


def _scenarios(found: Report) -> Iterator[str]:
    yield f"The lane that is pushed: {found['pushed_lane']}."
    yield ""
    its = found["scenarios"]
    checkpoints = list(next(iter(its.values()))["ratio"])
    rows = [
        [name, *(_ratio(one, at) for at in checkpoints), f"{one['worst_harm']:+.1%}"]
        for name, one in its.items()
    ]
    yield from table(["traffic", *(f"@{int(at):,}" for at in checkpoints), "worst harm"], rows)


def _collusion(found: Report) -> Iterator[str]:
    yield f"nDCG@10 over the default's, mean (lowest run). Lane pushed: {found['pushed_lane']}."
    yield ""
    its = found["collusion"]
    checkpoints = list(next(iter(its.values()))["value"])
    rows = [[name, *(_value(one, at) for at in checkpoints)] for name, one in its.items()]
    yield from table(["accounts", *(f"@{int(at):,}" for at in checkpoints)], rows)


def _switch(found: Report) -> Iterator[str]:
    yield (
        f"Default {found['healthy_default']:.3f} before and {found['default']:.3f} after; nDCG@10 "
        "over the latter, mean (lowest run)."
    )
    yield ""
    head = [f"{int(at) - found['breaks_at']:+,}" for at in found["value"]]
    yield from table(head, [[_value(found, at) for at in found["value"]]])


def _judging(found: Report) -> Iterator[str]:
    names = list(next(iter(found["sizes"].values())))
    rows = [
        [f"{int(size):,}", *(f"{its[name]:.3f}" for name in names)]
        for size, its in found["sizes"].items()
    ]
    yield from table(["recalls", *(name.replace("_", " ") for name in names)], rows)


def _fleet(found: Report) -> Iterator[str]:
    yield f"## fleet ({found['banks']} banks)"
    yield ""
    yield "nDCG@10 over the default's on a new bank's own unseen questions, mean (lowest run)."
    yield ""
    rows = []
    for kind, regimes in found["kinds"].items():
        for name, its in regimes.items():
            gains = [f"{one['mean']:+.1%} ({one['lowest']:+.1%})" for one in its.values()]
            rows.append([kind, name, *gains])
    points = list(next(iter(found["kinds"].values()))["alone"])
    yield from table(["fleet", "start", *(f"@{at}" for at in points)], rows)


def _ratio(one: Report, at: str) -> str:
    return f"{one['ratio'][at]:.2f} ± {one['sd'][at]:.2f} ({one['lowest'][at]:.2f})"


def _value(one: Report, at: str) -> str:
    return f"{one['value'][at]:+.1%} ({one['lowest_value'][at]:+.1%})"


TABLES: Mapping[str, Callable[[Report], Iterator[str]]] = {
    "bars": _bars,
    "scenarios": _scenarios,
    "switch": _switch,
    "judging": _judging,
    "collusion": _collusion,
}
