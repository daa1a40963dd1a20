"""A LanguageTool server of the user's, asked by HTTP. It is the only address that is ever called."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import httpx
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, TypeAdapter, ValidationError

from usim.checkers._annotated import Offsets
from usim.checkers._checker import Checked, CheckerError, CheckRequest, Configuration, Finding, Language
from usim.errors import InputError, OptionError
from usim.http import bounded_client
from usim.text.files import parse_json

_SHOWN = 300  # characters of what a server says about a request that it refuses
_HINT = ": see whether --languagetool names its address"


class _Strict(BaseModel):
    """A value that is used as it was sent: a number in quotation marks is no number."""

    model_config = ConfigDict(strict=True)


class _Replacement(_Strict):
    value: str


class _Category(_Strict):
    id: str = ""


class _Rule(_Strict):
    id: str
    category: _Category | None = None


class _Match(_Strict):
    """What is needed of a match; further members are passed on as they are."""

    message: str
    offset: int = Field(ge=0)
    length: int = Field(ge=0)
    replacements: list[_Replacement]
    rule: _Rule


class _Answer(_Strict):
    language: dict[str, Any]
    matches: list[_Match]


class _Configuration(_Strict):
    software: dict[str, Any]
    rules: list[dict[str, Any]]


class _Language(_Strict):
    name: str
    code: str


class LanguageToolChecker:
    """A LanguageTool server.

    Args:
        url: its address, with or without ``/v2`` at its end.
        seconds: how long a whole answer may take.

    Raises:
        OptionError: the address is none.
    """

    def __init__(self, url: str, *, seconds: float = 10.0) -> None:
        try:
            TypeAdapter(HttpUrl).validate_python(url)
        except ValidationError as e:
            raise OptionError(f"{url!r} is no address: http://localhost:8081", option="languagetool") from e
        self._url = url.rstrip("/").removesuffix("/v2") + "/v2"
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None

    async def languages(self) -> list[Language]:
        """Return the languages that the server knows."""
        values = await self._ask("GET", "/languages", list[_Language])
        return [Language(value["name"], value["code"], value.get("longCode", value["code"])) for value in values]

    async def configuration(self, language: str) -> Configuration:
        """Return the server's version and its rules for a language."""
        value = await self._ask("GET", "/configinfo?" + urlencode({"language": language}), _Configuration)
        return Configuration(sent={name: value[name] for name in ("software", "rules")})

    async def check(self, request: CheckRequest) -> Checked:
        """Have a text checked; the fields of a form are passed on as they are."""
        answer = await self._ask("POST", "/check", _Answer, dict(request.fields) or _form(request))
        offsets = Offsets(request.text.sent)
        findings = []
        matches = answer.pop("matches")
        for match in matches:
            start, end = (offsets.to_characters(match["offset"] + n) for n in (0, match["length"]))
            if start is not None and end is not None:
                rule = match["rule"]
                findings.append(
                    Finding(
                        *request.text.span_read(start, end),
                        match["message"],
                        tuple(each["value"] for each in match["replacements"]),
                        rule["id"],
                        (rule.get("category") or {}).get("id", ""),
                        sent=match,
                    )
                )
        code = answer["language"].get("code")
        language = code if isinstance(code, str) else None
        return Checked(findings, language, misfits=len(matches) - len(findings), sent=answer)

    async def close(self) -> None:
        """Close the connections to the server."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _ask(self, method: str, path: str, shape: Any, form: dict[str, str] | None = None) -> Any:
        """Return the value that the server answers with, of a shape that :mod:`pydantic` knows."""
        if self._client is None:
            self._client = bounded_client(httpx, self._seconds)
        try:
            response = await self._client.request(method, self._url + path, data=form)
        except httpx.TimeoutException as e:
            slow = f"LanguageTool did not answer within {self._seconds:g} s"
            message = f"{slow}: send a shorter text, or see what holds it up"
            raise CheckerError(message, status=504, retry=5) from e
        except httpx.DecodingError as e:
            raise CheckerError(f"LanguageTool's answer cannot be taken ({e}){_HINT}", status=502) from e
        except httpx.TransportError as e:
            lost = f"LanguageTool cannot be reached ({type(e).__name__})"
            message = f"{lost}: see whether it runs where --languagetool says"
            raise CheckerError(message, status=502, retry=5) from e
        value = _value(response)
        try:
            TypeAdapter(shape).validate_python(value)
        except ValidationError as e:
            first = e.errors(include_input=False, include_url=False)[0]
            fault = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            message = f"LanguageTool's answer is not what its protocol says ({fault}){_HINT}"
            raise CheckerError(message, status=502) from e
        return value


def _form(request: CheckRequest) -> dict[str, str]:
    """Return the form of a request that came without one."""
    rules = {"enabledRules": request.enabled_rules, "disabledRules": request.disabled_rules}
    return {
        "text": request.text.plain,
        "language": request.language,
        "level": "picky" if request.is_picky else "default",
        **{name: ",".join(sorted(names)) for name, names in rules.items() if names},
    }


def _value(response: httpx.Response) -> Any:
    """Return the JSON value of an answer."""
    status, body = response.status_code, response.content
    if status == HTTPStatus.TOO_MANY_REQUESTS or status == HTTPStatus.SERVICE_UNAVAILABLE:
        after = response.headers.get("retry-after", "")
        retry = int(after) if after.isdecimal() and len(after) < 6 else 5
        raise CheckerError("LanguageTool has too much to do: try again later", status=503, retry=retry)
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE):
        said = " ".join(body.decode("utf-8", "replace").split())[:_SHOWN]
        raise InputError(f"LanguageTool refuses the request: {said or status}")
    if status != HTTPStatus.OK:
        message = (
            f"LanguageTool answers with status {status}: see its log, and whether --languagetool names its address"
        )
        raise CheckerError(message, status=502)
    try:
        value = parse_json(body)
        # JSON can write half of a surrogate pair, and Python reads NaN: neither can be sent on or written to a file.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as e:
        raise CheckerError(f"LanguageTool's answer is not JSON{_HINT}", status=502) from e
    return value
