"""A LanguageTool server of the user's, asked by HTTP. It is the only address that is ever called."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import accumulate
from typing import Annotated, Any

import httpx
from msgspec import Meta, MsgspecError, Struct, field, json

from usim.checkers._checker import Checked, CheckerError, CheckRequest, Fault
from usim.errors import InputError, OptionError
from usim.servers import check_address

_SHOWN = 300  # characters of what a server says about a request that it refuses
_HINT = "see whether --languagetool names its address"


class _Replacement(Struct):
    value: str


class _Category(Struct):
    id: str = ""


class _Rule(Struct):
    id: str
    category: _Category = field(default_factory=_Category)
    issue: str = field(name="issueType", default="")


class _Match(Struct):
    """What is needed of a match; its place counts UTF-16 units."""

    message: str
    offset: Annotated[int, Meta(ge=0)]
    length: Annotated[int, Meta(ge=0)]
    replacements: list[_Replacement]
    rule: _Rule


class _Language(Struct):
    code: str | None = None


class _Answer(Struct):
    language: _Language
    matches: list[_Match]


class LanguageToolChecker:
    """A LanguageTool server; its address may end in ``/v2``."""

    def __init__(self, url: str, *, seconds: float = 10.0) -> None:
        check_address(url, "http://localhost:8081", partial(OptionError, option="languagetool"))
        self._url = url.rstrip("/").removesuffix("/v2") + "/v2/check"
        self._seconds = seconds
        self._certificates = httpx.create_ssl_context()  # which takes longer to make than a connection

    def check(self, request: CheckRequest) -> Checked:
        answer = self._ask(_form(request))
        text = request.text
        ends = [] if max(text, default="") <= "\uffff" else list(accumulate(1 + (c > "\uffff") for c in text))

        def character(unit: int) -> int:
            return bisect_right(ends, unit) if ends else min(unit, len(text))

        findings = []
        for match in answer.matches:
            start, end = character(match.offset), character(match.offset + match.length)
            values, rule = tuple(each.value for each in match.replacements), match.rule
            findings.append(Fault(start, end, match.message, values, rule.id, rule.category.id, rule.issue))
        return Checked(findings, answer.language.code)

    def _ask(self, form: dict[str, str]) -> _Answer:
        try:
            response = httpx.post(
                self._url, data=form, timeout=self._seconds, trust_env=False, verify=self._certificates
            )
        except httpx.TimeoutException as e:
            slow = f"LanguageTool did not answer within {self._seconds:g} s"
            raise CheckerError(f"{slow}: send a shorter text, or see what holds it up", status=504) from e
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as e:
            hint = "see whether it runs where --languagetool says"
            raise CheckerError(f"LanguageTool cannot be reached ({type(e).__name__}): {hint}", status=502) from e
        status = response.status_code
        if status in (400, 413):
            said = " ".join(response.text.split())[:_SHOWN]
            raise InputError(f"LanguageTool refuses the request: {said or status}")
        if status in (429, 503):
            raise CheckerError("LanguageTool has too much to do: try again later", status=503)
        if status != 200:
            raise CheckerError(f"LanguageTool answers with status {status}: see its log, and {_HINT}", status=502)
        try:
            return json.decode(response.content, type=_Answer)
        except (MsgspecError, UnicodeDecodeError, RecursionError) as e:
            message = f"LanguageTool's answer is not what its protocol says ({e}): {_HINT}"
            raise CheckerError(message, status=502) from e


def _form(request: CheckRequest) -> dict[str, str]:
    names = {
        "enabledRules": request.enabled_rules,
        "disabledRules": request.disabled_rules,
        "enabledCategories": request.enabled_categories,
        "disabledCategories": request.disabled_categories,
        "preferredVariants": request.preferred_variants if request.language == "auto" else (),
    }
    fields: dict[str, Any] = {
        "text": request.text,
        "language": request.language,
        "level": "picky" if request.is_picky else "default",
        "enabledOnly": str(request.is_enabled_only).lower(),
    }
    return fields | {name: ",".join(sorted(some)) for name, some in names.items() if some}
