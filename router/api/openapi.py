"""The description of the API, completed with what handlers read by themselves."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

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
EVENT: dict[str, Any] = {
    "type": "object",
    "description": "A superset of UBI 1.3 events; fields not named here are kept and ignored.",
    "required": ["event_id", "action_name", "timestamp"],
    "additionalProperties": True,
    "properties": {
        "event_id": {"type": "string", "maxLength": 200},
        "action_name": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,99}$"},
        "timestamp": {"type": "string", "format": "date-time"},
        "query_id": {"type": "string", "description": "id of the recall; recall_id does as well"},
        "memory_id": {"type": "string"},
        "position": {"type": "integer", "minimum": 1},
        "value": {"type": "number", "minimum": -1, "maximum": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "annotator": {"enum": ["human", "agent", "judge", "code"]},
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
