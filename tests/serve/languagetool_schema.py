"""LanguageTool's published description of its answers (https://languagetool.org/http-api/), as JSON schemas."""

from __future__ import annotations

from typing import Any

import jsonschema

_TEXT = {"type": "string"}
_PLACE = {"type": "integer", "minimum": 0}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


_MATCH = _object(
    {
        "message": _TEXT,
        "offset": _PLACE,
        "length": _PLACE,
        "replacements": {"type": "array", "items": _object({"value": _TEXT}, {"shortDescription": _TEXT})},
        "context": _object({"text": _TEXT, "offset": _PLACE, "length": _PLACE}),
        "sentence": _TEXT,
        "rule": _object(
            {
                "id": _TEXT,
                "description": _TEXT,
                "category": _object({"id": _TEXT, "name": _TEXT}),
            },
            {
                "subId": _TEXT,
                "urls": {"type": "array", "items": _object({"value": _TEXT})},
                "issueType": _TEXT,
                "isPremium": {"type": "boolean"},
            },
        ),
    },
    {
        "shortMessage": _TEXT,
        "type": _object({"typeName": _TEXT}),
        "ignoreForIncompleteSentence": {"type": "boolean"},
        "contextForSureMatch": {"type": "integer"},
    },
)
CHECK = _object(
    {
        "software": _object(
            {"name": _TEXT, "version": _TEXT, "buildDate": _TEXT, "apiVersion": {"type": "integer"}},
            {"premium": {"type": "boolean"}, "premiumHint": _TEXT, "status": _TEXT},
        ),
        "language": _object(
            {
                "name": _TEXT,
                "code": _TEXT,
                "detectedLanguage": _object(
                    {"name": _TEXT, "code": _TEXT},
                    {"confidence": {"type": "number", "minimum": 0, "maximum": 1}, "source": _TEXT},
                ),
            }
        ),
        "matches": {"type": "array", "items": _MATCH},
    },
    {
        "warnings": _object({}, {"incompleteResults": {"type": "boolean"}}),
        "sentenceRanges": {
            "type": "array",
            "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": _PLACE},
        },
    },
)
LANGUAGES = {"type": "array", "items": _object({"name": _TEXT, "code": _TEXT, "longCode": _TEXT})}


def check_answer(answer: Any) -> None:
    """Check an answer of ``/v2/check``: its shape, and that its places lie in its texts."""
    jsonschema.validate(answer, CHECK)
    for match in answer["matches"]:
        context = match["context"]
        assert context["offset"] + context["length"] <= len(context["text"].encode("utf-16-le")) // 2
