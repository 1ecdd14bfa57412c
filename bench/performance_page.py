"""docs/performance.md from the numbers. Pure."""

from collections.abc import Mapping
from typing import Any

from router.evaluate.report import table

HEAD = """# Performance

Made by `make bench` on {date}: {processor}, {cores} cores shared with other work, no GPU, Python
{python}, the embedded Postgres {server_version} with pgvector {pgvector} at its own settings
(shared_buffers {shared_buffers}, fsync {fsync}, synchronous_commit {synchronous_commit}). Load
average {before} before and {after} after the run, so the milliseconds come from a busy machine:
compare them, do not quote them. Seed {seed}. Ratios are of one run, both sides asked in turn.

**Texts and vectors.** {sources:,} distinct sentences from the shipped sample and question set. A
memory joins up to six words in a row of each of three, drawn by Zipf's law (exponent 0.7): some 17
words, and hardly one memory in 100,000 repeats another, whereas whole sentences would come 140
times each. A fifth ends on a made-up name that about four memories share; twenty turns an episode,
spread over three years. Each distinct sentence is embedded once by the packaged MiniLM; a memory
gets the mean of its three vectors plus noise (0.02 in each dimension), at length 1 again, and the
same shares of their token vectors. Rows, postings, links and arcs are written by the product's own
Retainer, 1,000 memories a transaction. Questions: English, the five types in equal parts, {n} a
size.
"""
LOADED = """Memories a second through the Retainer with every vector at hand: embedding is not part
of it. `last` is the last thousand, which writes into the fullest bank. Recall follows the product:
exact comparison up to 20,000 memories, HNSW above.
"""
STEPS = """Each step alone, one after the other, on a warm cache, milliseconds p50 / p95. A recall
overlaps most of them, so they add up to more than a recall takes. The question's embedding is
remembered; `record` is written after the answer has left.
"""
WHOLE = """`cached` has the question's embedding at hand, `with the model` embeds it each time.
`outside` is the time of a `cached` recall in which neither the database nor the model was waited
for; `processor` is all processor time of our process in it, the driver's included; `database` is
the time in which at least one statement was under way. Milliseconds p50 / p95.
"""
KEYWORDS = """{n} questions of three of the words that the most memories say, on {rows:,} memories.
Full text joins the words by OR, ranks by `ts_rank_cd` and returns {limit} rows, in the same
database under a GIN index on `to_tsvector('english', text)`: `computed` as in the manual's
example, where ranking reads every matching text again; `stored` with the tsvector kept in a column.
"""
VECTORS = """Share of the exact nearest 20 that is found, mean and 95 % interval over questions. The
smaller bank lies in one table with all the others; it is compared exactly when asked, and its index
exists only for this table. `as served` is what recalls are given.
"""
HTTP = """{n} requests to each, in turn, over loopback, to one bank of {rows:,} memories; uvicorn,
one process each, question embeddings remembered by both. The peer
(bench/peers/two_channel_server.py) asks HNSW and full text and fuses their ranks;
fivefold asks five channels, reads the question and records the decision.
"""
LIMIT = 200


def page(report: Mapping[str, Any]) -> str:
    """The whole page."""
    machine = report["machine"]
    sizes = {int(size): found for size, found in report["sizes"].items()}
    head = HEAD.format(
        **machine,
        before=_loads(machine["load_before"]),
        after=_loads(machine["load_after"]),
        seed=report["seed"],
        sources=report["sources"],
        n=next(iter(sizes.values()))["n"],
    )
    parts = [
        head,
        *section("Recall", WHOLE, _whole(sizes)),
        *_growth(sizes),
        *section("Steps of a recall", STEPS, _steps(sizes)),
        *section("Writing", LOADED, _loaded(sizes)),
        *_with_index(report),
        *section("Keyword look-up on common words", _told(KEYWORDS, report), _keywords(report)),
        *section("Vector recall@20", VECTORS, _vectors(report)),
        *section(
            "Over HTTP, beside a two-channel server", _told(HTTP, report, "http"), _http(report)
        ),
        *_events(report["events"]),
    ]
    return "\n".join(parts) + "\n"


def section(title: str, text: str, rows: list[str]) -> list[str]:
    """A heading, what the table says, and the table."""
    return [f"## {title}", "", text, *rows, ""]


def _told(text: str, report: Mapping[str, Any], part: str = "keywords") -> str:
    return text.format(n=report[part]["n"], rows=report[part]["rows"], limit=LIMIT)


def _whole(sizes: Mapping[int, Any]) -> list[str]:
    columns = {
        "cached": "end_to_end",
        "with the model": "end_to_end_with_model",
        "outside": "router_wall",
        "processor": "router_cpu",
        "database": "database_busy",
    }
    rows = [
        [f"{size:,}", *(both(found[key]) for key in columns.values()), _loads(found["load_before"])]
        for size, found in sizes.items()
    ]
    return table(["memories", *columns, "load average"], rows)


def _growth(sizes: Mapping[int, Any]) -> list[str]:
    low, high = min(size for size in sizes if size >= 1_000 or len(sizes) == 1), max(sizes)
    ratio = sizes[high]["end_to_end"]["p50"] / sizes[low]["end_to_end"]["p50"]
    return [f"From {low:,} to {high:,} memories the p50 grows {ratio:.1f} times.", ""]


def _steps(sizes: Mapping[int, Any]) -> list[str]:
    names = list(next(iter(sizes.values()))["steps"])
    rows = [[name, *(both(found["steps"][name]) for found in sizes.values())] for name in names]
    return table(["step", *(f"{size:,}" for size in sizes)], rows)


def _loaded(sizes: Mapping[int, Any]) -> list[str]:
    rows = [
        [
            f"{size:,}",
            f"{found['ingest']['seconds']:.1f} s",
            f"{found['ingest']['per_s']:.0f}",
            f"{found['ingest']['last_per_s']:.0f}",
            f"{found['index_seconds']:.1f} s" if "index_seconds" in found else "none",
        ]
        for size, found in sizes.items()
    ]
    return table(["memories", "in all", "a second", "last", "building HNSW"], rows)


def _with_index(report: Mapping[str, Any]) -> list[str]:
    more, size = report["with_index"], report["http"]["rows"]
    return [
        f"With an HNSW index in place, {more['memories']:,.0f} more into the bank of {size:,} went "
        f"at {more['per_s']:.0f} a second. The table's rates come from databases of other ages, so "
        "the difference is not the index's alone.",
        "",
    ]


def _keywords(report: Mapping[str, Any]) -> list[str]:
    found = report["keywords"]
    rows = [
        ["our look-up, ms", both(found["ours"])],
        ["`ts_rank_cd`, computed, ms", both(found["computed"])],
        ["`ts_rank_cd`, stored, ms", both(found["stored"])],
        ["computed / ours, by question", both(found["ratio_computed"])],
        ["stored / ours, by question", both(found["ratio_stored"])],
        ["top 20 shared with exhaustive BM25", share(found["overlap"])],
        ["top 20 that score as high as its 20th", share(found["as_good"])],
    ]
    return table(["", "p50 / p95, or mean (95 % interval)"], rows)


def _vectors(report: Mapping[str, Any]) -> list[str]:
    rows = [
        [f"{found['rows']:,}", str(found["n"]), share(found["index"]), share(found["as_served"])]
        for found in report["vectors"].values()
    ]
    return table(["memories", "questions", "by its index", "as served"], rows)


def _http(report: Mapping[str, Any]) -> list[str]:
    found = report["http"]
    rows = [
        ["fivefold", both(found["fivefold"]), ""],
        ["peer, any word", both(found["peer_any"]), f"{found['ratio_any']:.2f}"],
        ["peer, all words", both(found["peer_all"]), f"{found['ratio_all']:.2f}"],
    ]
    return table(["server", "ms", "fivefold's p50 / its p50"], rows)


def _events(found: Mapping[str, Any]) -> list[str]:
    return [
        "## Feedback events",
        "",
        f"{found['n']:,} events in batches of {found['batch']}, each batch durable when it is "
        f"acknowledged: {found['per_s']:,.0f} a second. A replay of all of them: "
        f"{found['replay_per_s']:,.0f} a second, {found['replay_duplicates']:,} known, "
        f"{found['rows_added_by_replay']} added.",
    ]


def both(found: Mapping[str, float]) -> str:
    """p50 / p95."""
    return f"{found['p50']:.1f} / {found['p95']:.1f}"


def share(found: Mapping[str, float]) -> str:
    """Mean and interval."""
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"


def _loads(found: Any) -> str:
    return f"{found[0]:.1f}"
