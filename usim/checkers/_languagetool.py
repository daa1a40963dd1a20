"""A LanguageTool server of the user's, asked by HTTP. It is the only address that is ever called."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

import httpx
from msgspec import Meta, Struct, field, json

from usim.checkers._annotated import Offsets
from usim.checkers._checker import Checked, CheckerError, CheckRequest, Finding, Language
from usim.errors import FormatError, InputError, OptionError
from usim.http import bounded_client
from usim.text.codec import read_as

_SHOWN = 300  # characters of what a server says about a request that it refuses
_HINT = ": see whether --languagetool names its address"


class _Replacement(Struct):
    value: str


class _Category(Struct):
    id: str = ""


class _Rule(Struct):
    id: str
    category: _Category | None = None


class _Match(Struct):
    """What is needed of a match; further members are passed on as they are."""

    message: str
    offset: Annotated[int, Meta(ge=0)]
    length: Annotated[int, Meta(ge=0)]
    replacements: list[_Replacement]
    rule: _Rule


class _Answer(Struct):
    language: dict[str, Any]
    matches: list[_Match]


class _Language(Struct):
    name: str
    code: str
    long_code: str = field(name="longCode", default="")


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
            has_host = bool(httpx.URL(url).host)
        except (httpx.InvalidURL, TypeError):
            has_host = False
        if not has_host or not url.startswith(("http://", "https://")):
            raise OptionError(f"{url!r} is no address: http://localhost:8081", option="languagetool")
        self._url = url.rstrip("/").removesuffix("/v2") + "/v2"
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None

    async def languages(self) -> list[Language]:
        """Return the languages that the server knows."""
        _, languages = await self._ask("GET", "/languages", list[_Language])
        return [Language(each.name, each.code, each.long_code or each.code) for each in languages]

    async def check(self, request: CheckRequest) -> Checked:
        """Have a text checked; the fields of a form are passed on as they are."""
        sent, answer = await self._ask("POST", "/check", _Answer, dict(request.fields) or _form(request))
        offsets = Offsets(request.text.sent)
        findings = []
        for match_sent, match in zip(sent.pop("matches"), answer.matches, strict=True):
            start, end = (offsets.to_characters(match.offset + n) for n in (0, match.length))
            if start is not None and end is not None:
                span = request.text.span_read(start, end)
                values = tuple(each.value for each in match.replacements)
                category = match.rule.category.id if match.rule.category else ""
                findings.append(Finding(*span, match.message, values, match.rule.id, category, sent=match_sent))
        code = answer.language.get("code")
        language = code if isinstance(code, str) else None
        return Checked(findings, language, misfits=len(answer.matches) - len(findings), sent=sent)

    async def close(self) -> None:
        """Close the connections to the server."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _ask(self, method: str, path: str, kind: Any, form: dict[str, str] | None = None) -> tuple[Any, Any]:
        """Return what the server answers: the parsed JSON, and what is needed of it as a type."""
        if self._client is None:
            self._client = bounded_client(self._seconds)
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
            return value, read_as(value, kind)
        except FormatError as e:
            message = f"LanguageTool's answer is not what its protocol says ({e.message}){_HINT}"
            raise CheckerError(message, status=502) from e


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
        hint = "see its log, and whether --languagetool names its address"
        raise CheckerError(f"LanguageTool answers with status {status}: {hint}", status=502)
    try:
        return json.decode(body)
    except (ValueError, RecursionError) as e:
        raise CheckerError(f"LanguageTool's answer is not JSON{_HINT}", status=502) from e
