"""LanguageTool's published description of its answers (https://languagetool.org/http-api/), as JSON schemas."""

from __future__ import annotations

from typing import Any

import jsonschema

_TEXT, _NUMBER, _FLAG = ({"type": name} for name in ("string", "integer", "boolean"))
_PLACE = {"type": "integer", "minimum": 0}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


def _array(items: dict[str, Any], **more: int) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


_NAMED = {"name": _TEXT, "code": _TEXT}
_RULE = _object(
    {"id": _TEXT, "description": _TEXT, "category": _object({"id": _TEXT, "name": _TEXT})},
    {"subId": _TEXT, "urls": _array(_object({"value": _TEXT})), "issueType": _TEXT, "isPremium": _FLAG},
)
_MATCH = _object(
    {
        "message": _TEXT, "offset": _PLACE, "length": _PLACE, "sentence": _TEXT, "rule": _RULE,
        "replacements": _array(_object({"value": _TEXT}, {"shortDescription": _TEXT})),
        "context": _object({"text": _TEXT, "offset": _PLACE, "length": _PLACE}),
    },
    {
        "shortMessage": _TEXT, "type": _object({"typeName": _TEXT}), "ignoreForIncompleteSentence": _FLAG,
        "contextForSureMatch": _NUMBER,
    },
)  # fmt: skip
_DETECTED = _object(_NAMED, {"confidence": {"type": "number", "minimum": 0, "maximum": 1}, "source": _TEXT})
CHECK = _object(
    {
        "software": _object({"name": _TEXT, "version": _TEXT, "buildDate": _TEXT, "apiVersion": _NUMBER},
                            {"premium": _FLAG, "premiumHint": _TEXT, "status": _TEXT}),
        "language": _object(_NAMED | {"detectedLanguage": _DETECTED}),
        "matches": _array(_MATCH),
    },
    {
        "warnings": _object({}, {"incompleteResults": _FLAG}),
        "sentenceRanges": _array(_array(_PLACE, minItems=2, maxItems=2)),
    },
)  # fmt: skip
LANGUAGES = _array(_object(_NAMED | {"longCode": _TEXT}))


def check_answer(answer: Any) -> None:
    """Check an answer of ``/v2/check``: its shape, and that its places lie in its texts."""
    jsonschema.validate(answer, CHECK)
    for match in answer["matches"]:
        context = match["context"]
        assert context["offset"] + context["length"] <= len(context["text"].encode("utf-16-le")) // 2
