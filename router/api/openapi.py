"""The description of the API, completed with what handlers read by themselves."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from feedback.checks import MAX_ID, MAX_NAMED
from router.api.problems import MEDIA_TYPE, SCHEMA
from router.api.schemas import COMPONENTS
from router.items import MemoryItem

REF = "#/components/schemas/{model}"
PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "Problem document (RFC 9457)",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}
OPEN = ("/health/live", "/health/ready", "/metrics", "/version")
ID: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": MAX_ID}
IDS: dict[str, Any] = {"type": "array", "maxItems": MAX_NAMED, "uniqueItems": True, "items": ID}
#: Ours, inside `router`; they may also stand at the top of an event.
ROUTER: dict[str, Any] = {
    "memory_id": {**ID, "description": "the same as event_attributes.object.object_id"},
    "position": {"type": "integer", "minimum": 1, "description": "rank at which it was shown"},
    "value": {
        "type": "number",
        "minimum": -1,
        "maximum": 1,
        "description": "graded signal, not of the other sign than the action's; judge_relevance "
        "needs it, others have a default",
    },
    "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": 1},
    "annotator": {"enum": ["human", "agent", "judge", "code"], "default": "agent"},
    "dwell_ms": {"type": "integer", "minimum": 0, "description": "dwell needs it, or a value"},
    "used_ids": {**IDS, "description": "memories that the answer rests on"},
    "unused_ids": {**IDS, "description": "memories shown that it does not rest on"},
}
ROUTER_ONLY: dict[str, Any] = {
    "next_query_id": {**ID, "description": "query_rephrased: the recall that replaced this one"},
    "trace_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "span_id": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "reason": {"type": "string", "maxLength": 1024},
}
EVENT: dict[str, Any] = {
    "type": "object",
    "description": "A superset of UBI 1.3 events; fields not named here are kept and ignored.",
    "required": ["event_id", "action_name", "timestamp"],
    "anyOf": [{"required": ["query_id"]}, {"required": ["recall_id"]}],
    "additionalProperties": True,
    "properties": {
        "event_id": {**ID, "description": "unique in its bank: sent again it counts once"},
        "action_name": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,99}$"},
        "timestamp": {"type": "string", "format": "date-time"},
        "query_id": {**ID, "description": "of the recall it is about; or recall_id"},
        "recall_id": {**ID, "description": "the same as query_id; if both, they agree"},
        "event_attributes": {
            "type": "object",
            "properties": {
                "object": {"type": "object", "properties": {"object_id": ID}},
                "position": {
                    "type": "object",
                    "properties": {"ordinal": {"type": "integer", "minimum": 1}},
                },
            },
        },
        "object_id": {**ID, "description": "the same as event_attributes.object.object_id"},
        "router": {
            "type": "object",
            "description": "Ours; those of them that stand beside it too may stand in either.",
            "properties": {**ROUTER, **ROUTER_ONLY},
        },
        **ROUTER,
        "application": {"type": "string", "maxLength": 100},
        "client_id": {"type": "string", "maxLength": 200},
        "session_id": {"type": "string", "maxLength": 200},
        "user_id": {"type": "string", "maxLength": 200, "description": "for audit only"},
        "user_query": {"type": "string"},
        "message_type": {"type": "string", "maxLength": 100},
        "message": {"type": "string", "maxLength": 1024},
        "answer": {"type": "string", "description": "answer_given: the text of the answer"},
        "tool_arguments": {"description": "answer_given: what tools were called with, any JSON"},
        "reply": {"type": "string", "description": "user_replied: a person's reply to the answer"},
    },
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
        )
        components = document.setdefault("components", {})
        components.setdefault("schemas", {}).update(_schemas())
        components["securitySchemes"] = {
            "key": {"type": "http", "scheme": "bearer", "bearerFormat": "ff_<id>_<secret>"}
        }
        document["security"] = [{"key": []}]
        for path in OPEN:
            document["paths"][path]["get"]["security"] = []
        app.openapi_schema = document
    return app.openapi_schema


def _schemas() -> dict[str, Any]:
    found: dict[str, Any] = {"Problem": dict(SCHEMA), "FeedbackEvent": EVENT}
    models: dict[str, type[BaseModel]] = {**COMPONENTS, "MemoryItem": MemoryItem}
    for name, model in models.items():
        schema = model.model_json_schema(ref_template=REF)
        found.update(schema.pop("$defs", {}))
        found[name] = schema
    found["RetainBody"]["properties"]["items"]["items"] = {"$ref": REF.format(model="MemoryItem")}
    return found
