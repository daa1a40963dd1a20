"""What LanguageTool's description says that its answers have (https://languagetool.org/http-api/), as JSON schemas."""

from __future__ import annotations

from typing import Any

import httpx
import jsonschema

_TEXT = {"type": "string"}
_PLACE = {"type": "integer", "minimum": 0}


def _object(**members: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(members), "properties": members}


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_RULE = _object(id=_TEXT, description=_TEXT, category=_object(id=_TEXT, name=_TEXT))
_CONTEXT = _object(text=_TEXT, offset=_PLACE, length=_PLACE)
_REPLACEMENTS = _array(_object(value=_TEXT))
_MATCH = _object(
    message=_TEXT,
    offset=_PLACE,
    length=_PLACE,
    sentence=_TEXT,
    rule=_RULE,
    replacements=_REPLACEMENTS,
    context=_CONTEXT,
)
CHECK = _object(
    software=_object(name=_TEXT, version=_TEXT, buildDate=_TEXT, apiVersion={"type": "number"}),
    language=_object(name=_TEXT, code=_TEXT, detectedLanguage=_object(name=_TEXT, code=_TEXT)),
    matches=_array(_MATCH),
)
LANGUAGES = _array(_object(name=_TEXT, code=_TEXT, longCode=_TEXT))


def check_answer(response: httpx.Response) -> dict[str, Any]:
    """Return an answer of ``/v2/check`` whose shape is right, and whose places lie in its texts."""
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    jsonschema.validate(answer, CHECK)
    for match in answer["matches"]:
        context = match["context"]
        assert context["offset"] + context["length"] <= len(context["text"].encode("utf-16-le")) // 2
    return answer
