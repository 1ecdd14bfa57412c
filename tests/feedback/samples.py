"""Feedback events as clients send them."""

from datetime import UTC, datetime

NOW = datetime(2024, 6, 3, 12, 0, tzinfo=UTC)
CITED = {
    "event_id": "e1",
    "action_name": "memory_cited",
    "timestamp": "2024-06-03T09:12:00.000Z",
    "query_id": "r1",
    "event_attributes": {"object": {"object_id": "m7"}, "position": {"ordinal": 3}},
}
LIKED = {
    "event_id": "e2",
    "action_name": "answer_thumbs_up",
    "timestamp": "2024-06-03T09:12:00.000Z",
    "recall_id": "r1",
}
