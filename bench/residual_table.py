"""The click study as a table. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from bench.residual_bed import CHECKPOINTS


def table(report: Mapping[str, Any]) -> str:
    """One line a learner and traffic, in Markdown."""
    lines = [
        "| | share of the label gain at "
        + " / ".join(f"{mark:,}" for mark in CHECKPOINTS)
        + " | served | gate open | worst served run, thousandths |",
        "|---|---|---|---|---|",
        *(_line(name, part) for name, part in _parts(report)),
    ]
    if "noise" in report:
        noise = report["noise"]
        opened = " / ".join(str(count) for count in noise["on"].values())
        lines.append(f"\nPure noise: the gate was open in {opened} of {noise['runs']} runs.")
    return "\n".join(lines)


def _parts(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in ("zero", "outside", "shipped"):
        if name in report:
            yield f"{name} prior" if name != "zero" else "from zero", report[name]
    for group in ("wrong", "teeth"):
        for name, part in report.get(group, {}).items():
            if isinstance(part, Mapping):
                yield f"{group}: {name}", part


def _line(name: str, part: Mapping[str, Any]) -> str:
    points = list(part["at"].values())
    cells = (
        " ".join(f"{point['share']:.2f}" for point in points),
        " ".join(f"{point['share_served']:.2f}" for point in points),
        " ".join(f"{point['on']:.2f}" for point in points),
        " ".join(f"{1_000 * point['worst_served']:+.0f}" for point in points),
    )
    return f"| {name} | " + " | ".join(cells) + " |"
