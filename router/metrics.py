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
SUMMARY_FALLBACKS = Counter(
    "fivefold_summary_fallbacks", "Summaries left as extracts, for the endpoint gave none."
)
VECTOR_SCANS = Counter(
    "fivefold_vector_scans", "Vector look-ups: exact, by index, or repeated exactly.", ["path"]
)
INDEX_BUILDS = Gauge("fivefold_index_builds", "Vector indexes that are being built here.")
INDEX_BUILT_SHARE = Gauge("fivefold_index_built_share", "Of the build that runs here, 0 to 1.")
REEMBEDDED = Counter("fivefold_memories_reembedded", "Memories embedded by a bank's new model.")
REEMBEDDINGS = Counter("fivefold_reembeddings", "Banks that have moved to another model.")
REEMBEDDING_WAITING = Gauge(
    "fivefold_reembedding_waiting", "Memories that wait for their bank's new model here."
)
RETAINED = Counter("fivefold_memories_retained", "Memories stored.")
RETAIN_ERRORS = Counter("fivefold_retain_errors", "Items refused.")
EVENTS = Counter(
    "fivefold_events", "Feedback events by outcome; parked ones may expire.", ["outcome"]
)
RECORDS_LOST = Counter("fivefold_records_lost", "Decision records that could not be written.")
RECORDS_WAITING = Gauge("fivefold_records_waiting", "Decision records not yet written.")
MATRIX_VERSION = Gauge("fivefold_matrix_version", "Newest matrix version served.")
TYPE_CORRECTIONS = Counter(
    "fivefold_type_corrections", "Words of people on the types of questions.", ["deed"]
)
RECALL_POLICIES = Counter(
    "fivefold_recall_policies", "Recalls by what they were answered with.", ["policy"]
)
LEARNER_RECALLS = Counter(
    "fivefold_learner_recalls", "Closed recalls by why they are evidence.", ["evidence"]
)
LEARNER_BATCHES = Counter(
    "fivefold_learner_batches", "Batches by what became of them.", ["outcome"]
)
LEARNER_FAILURES = Counter("fivefold_learner_failures", "Batches that failed and were undone.")
LEARNER_SECONDS = Histogram("fivefold_learner_seconds", "Whole batches.", buckets=BUCKETS)
