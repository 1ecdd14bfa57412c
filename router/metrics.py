"""Prometheus instruments. Labels come from closed sets."""

from prometheus_client import Counter, Gauge, Histogram

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

RECALL_SECONDS = Histogram("fivefold_recall_seconds", "Whole recalls.", buckets=BUCKETS)
CHANNEL_SECONDS = Histogram(
    "fivefold_channel_seconds", "One channel's answer.", ["channel"], buckets=BUCKETS
)
CHANNEL_FAILURES = Counter(
    "fivefold_channel_failures", "Channels left out of a recall.", ["channel", "reason"]
)
DEGRADED = Counter("fivefold_degraded", "Recalls that lacked a part.", ["part"])
RETAINED = Counter("fivefold_memories_retained", "Memories stored.")
RETAIN_ERRORS = Counter("fivefold_retain_errors", "Items refused.")
EVENTS = Counter("fivefold_events", "Feedback events by outcome.", ["outcome"])
RECORDS_LOST = Counter("fivefold_records_lost", "Decision records that could not be written.")
RECORDS_WAITING = Gauge("fivefold_records_waiting", "Decision records not yet written.")
MATRIX_VERSION = Gauge("fivefold_matrix_version", "Newest matrix version served.")
