"""What the bed found, as text for people. Pure."""

from collections.abc import Mapping
from typing import Any

from router.evaluate.report import table


def markdown(report: Mapping[str, Any]) -> str:
    """One table a profile: share of the gap closed at each checkpoint, worst harm, regret."""
    lines = [f"# {report['dataset']}", ""]
    for profile, found in report["profiles"].items():
        halves = found["halves"]
        counts = "counts" if all(half["counts"] for half in halves) else "does not count"
        told = "; ".join(f"{half['default']:.3f} to {half['ceiling']:.3f}" for half in halves)
        shares = ", ".join(f"{half['library_share']:.3f}" for half in halves)
        lines += [
            f"## {profile} ({found['cases']} questions; {counts})",
            "",
            f"Default to fitted ceiling on unseen questions, by half: {told}. "
            f"Best library row: {shares} of the ceiling.",
            "",
        ]
        checkpoints = list(next(iter(found["learners"].values()))["ratio"])
        head = ["learner", *(f"@{at:,}" for at in checkpoints), "worst harm", "regret"]
        rows = [
            [
                name,
                *(f"{its['ratio'][at]:.2f} ± {its['sd'][at]:.2f}" for at in checkpoints),
                f"{its['worst_harm']:+.1%}",
                "" if its["regret_share"] is None else f"{its['regret_share']:.0%} of static",
            ]
            for name, its in found["learners"].items()
        ]
        lines += [*table(head, rows), ""]
    return "\n".join(lines)
