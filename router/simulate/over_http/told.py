"""The report of a simulation over HTTP, as text for people. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from router.evaluate.report import table
from router.simulate.over_http.lift import PARTS

YES = {True: "yes", False: "NO"}


def markdown(report: Mapping[str, Any]) -> str:
    """Lift by bank and pooled, how soon a closing was heard, final rows, and the verdicts."""
    banks, pooled = report["banks"], report["pooled"]
    lines = [
        f"# {report['dataset']}: {report['recalls']:,} recalls of each bank, "
        f"{report['people']} people",
        "",
        "nDCG@10 on questions that nobody asked; what the lift is made of, with 95 % intervals:",
        "",
        *table(
            ["bank", "n", "before", "after", *PARTS],
            [*(_scores(_name(one), one["unseen"], one) for one in banks),
             _scores("pooled", pooled["questions"], pooled)],
        ),
        "",
        *table(
            ["bank", "learnt rows from recall", "last closing learnt, s", "a closing served, s",
             "by", "version", "gate", "explored", "held back", "clicks"],
            [_life(one) for one in banks],
        ),
        "",
        *_rows(banks),
        "",
    ]  # fmt: skip
    lines += [_apart(pair) for pair in report["apart"]]
    return "\n".join([*lines, "", *_verdicts(report)])


def _name(one: Mapping[str, Any]) -> str:
    return f"{one['bank']} {one['profile']}" + (" (halves swapped)" if one["half"] else "")


def _scores(name: str, n: int, found: Mapping[str, Any]) -> list[str]:
    ndcg = found["ndcg@10"]
    parts = [
        f"{part['delta']:+.4f} ({part['ci95'][0]:+.4f} to {part['ci95'][1]:+.4f})"
        for part in found["parts"].values()
    ]
    return [name, str(n), f"{ndcg['default']:.3f}", f"{ndcg['served']:.3f}", *parts]


def _life(one: Mapping[str, Any]) -> list[str]:
    told, change = one["told"], one["change"]
    served = "never" if change["seconds"] is None else f"{change['seconds']:.1f}"
    return [
        _name(one),
        "never" if one["first_learnt"] is None else str(one["first_learnt"]),
        f"{one['learnt_s']:.1f}",
        f"{served} ({change['closings']})",
        change["by"],
        str(one["version"]),
        f"{one['gate']} (z {one['gate_z'] or 0:.1f})",
        str(told.get("explored", 0)),
        str(told.get("holdback", 0)),
        str(told["clicks"]),
    ]


def _rows(banks: Sequence[Mapping[str, Any]]) -> list[str]:
    channels = list(next(iter(banks[0]["rows"].values()))["weights"])
    found = []
    for kind in banks[0]["rows"]:
        for one in banks:
            row, default = one["rows"][kind], one["default"][kind]
            weights = [f"{row['weights'][c]:.2f} ({default['weights'][c]:.2f})" for c in channels]
            constant = f"{row['rrf_k']:.1f} ({default['rrf_k']:.1f})"
            found.append([f"{kind}: {_name(one)}", *weights, constant])
    return table(["final row (default)", *channels, "rrf_k"], found)


def _apart(pair: Mapping[str, Any]) -> str:
    one, other = pair["weights"]
    return (
        f"{' and '.join(pair['banks'])} moved apart most in {pair['type']} / {pair['channel']}: "
        f"{one:.2f} and {other:.2f}, by {pair['difference']:.2f}."
    )


def _verdicts(report: Mapping[str, Any]) -> list[str]:
    verdicts, bounds = report["verdicts"], report["bounds"]
    return [
        f"- lift on unseen questions above 0: {YES[verdicts['lift_above_zero']]}",
        f"- a closing changes what is served within {bounds['seconds']:.0f} s: "
        f"{YES[verdicts['closing_changes_what_is_served']]}",
        f"- rows of two banks moved apart by {bounds['difference']} or more: "
        f"{YES[verdicts['matrices_differ']]}",
    ]
