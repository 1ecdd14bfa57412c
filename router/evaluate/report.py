"""The report of `fivefold eval` as markdown tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from router.evaluate.metrics import METRICS


def markdown(report: Mapping[str, Any]) -> str:
    """All systems over all queries, fivefold by type, paired differences, and the settings."""
    settings = report["settings"]
    lines = [f"## {report['dataset']}: {report['queries']} queries", ""]
    if report["systems"]:
        lines += [*_systems(report["systems"]), "", *_types(report["systems"]["fivefold"]), ""]
        lines += [*_differences(report["vs"]), ""]
    latency = report["latency_ms"]
    lines.append(f"Recall latency: p50 {latency['p50']:.1f} ms, p95 {latency['p95']:.1f} ms.")
    lines.append("")
    lines += [f"- {name}: {_plain(value)}" for name, value in sorted(settings.items())]
    return "\n".join(lines)


def _systems(systems: Mapping[str, Any]) -> list[str]:
    rows = [[name, *_metrics(blocks["all"])] for name, blocks in systems.items()]
    return table(["system", *METRICS, "nDCG@10, 95 %"], rows)


def _types(blocks: Mapping[str, Any]) -> list[str]:
    rows = [[kind, str(block["n"]), *_metrics(block)] for kind, block in blocks.items()]
    return table(["fivefold on", "n", *METRICS, "nDCG@10, 95 %"], rows)


def _metrics(block: Mapping[str, Any]) -> list[str]:
    low, high = block["ci95"]
    return [*(f"{block[name]:.3f}" for name in METRICS), f"{low:.3f} to {high:.3f}"]


def _differences(found: Mapping[str, Any]) -> list[str]:
    rows = []
    for name, one in found.items():
        baseline = f"{name} ({one['channel']})" if "channel" in one else name
        low, high = one["ci95"]
        effect = "" if one["cohens_d"] is None else f"{one['cohens_d']:+.2f}"
        counts = f"{one['win']}/{one['tie']}/{one['loss']}"
        interval = f"{low:+.3f} to {high:+.3f}"
        rows.append([baseline, f"{one['delta']:+.3f}", interval, counts, effect, f"{one['p']:.4f}"])
    head = ["fivefold minus", "nDCG@10", "95 %", "win/tie/loss", "Cohen's d", "p"]
    return table(head, rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a markdown table; the first column is text, the others stand right."""
    rule = ["---", *("---:" for _ in head[1:])]
    return [f"| {' | '.join(map(_cell, cells))} |" for cells in (head, rule, *rows)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)
