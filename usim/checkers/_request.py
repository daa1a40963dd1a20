"""A checker, and what LanguageTool's protocol asks of it: https://languagetool.org/http-api/ (``/check``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from usim.checkers._annotated import AnnotatedText, read_data
from usim.errors import InputError, UsimError

#: What a text is written in.
Markup = Literal["plaintext", "markdown"]


@dataclass(frozen=True)
class CheckRequest:
    """A text to check, and how.

    Attributes:
        text: the text.
        fields: the fields of the form as they were sent.
        language: the code of the language, or ``auto``.
        preferred_variants: codes of languages to choose from where the language is ``auto`` or a plain ``en``.
        enabled_rules, disabled_rules: names of rules.
        enabled_categories, disabled_categories: names of groups of rules.
        is_enabled_only: whether nothing but what is enabled is checked.
        is_picky: whether rules are asked for that not everybody wants.
        markup: what the text is written in.
    """

    text: AnnotatedText
    fields: Mapping[str, str] = field(default_factory=dict)
    language: str = "auto"
    preferred_variants: tuple[str, ...] = ()
    enabled_rules: frozenset[str] = frozenset()
    disabled_rules: frozenset[str] = frozenset()
    enabled_categories: frozenset[str] = frozenset()
    disabled_categories: frozenset[str] = frozenset()
    is_enabled_only: bool = False
    is_picky: bool = False
    markup: Markup = "plaintext"

    def check_rules(self) -> None:
        """Check that what is enabled and disabled makes sense together."""
        if self.is_enabled_only and not (self.enabled_rules or self.enabled_categories):
            raise InputError("enabledOnly needs enabledRules or enabledCategories")
        if self.is_enabled_only and (self.disabled_rules or self.disabled_categories):
            raise InputError("enabledOnly goes with neither disabledRules nor disabledCategories")


class Checker(Protocol):
    """Finds mistakes in texts."""

    async def languages(self) -> list[dict[str, Any]]:
        """Return the languages that the checker knows, as LanguageTool's ``/v2/languages`` does.

        Raises:
            CheckerError: it cannot say.
        """
        ...

    async def configuration(self, language: str) -> dict[str, Any]:
        """Return ``software`` and ``rules`` as LanguageTool's ``/v2/configinfo`` does.

        Raises:
            InputError: the checker does not know the language.
            CheckerError: it cannot say.
        """
        ...

    async def check(self, request: CheckRequest) -> dict[str, Any]:
        """Check a text, and return the answer of LanguageTool's ``/v2/check``.

        Raises:
            InputError: the request is wrong: a language that the checker does not know, rules that contradict.
            CheckerError: the checker cannot answer.
        """
        ...

    async def close(self) -> None:
        """Give back what the checker holds."""
        ...


class CheckerError(UsimError):
    """A checker that cannot answer, with the HTTP status of a service that has to say so, and the seconds to wait."""

    def __init__(self, message: str, *, status: int, retry: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry = status, retry


def read_request(form: Mapping[str, str]) -> CheckRequest:
    """Read the form of a request.

    Raises:
        InputError: the text is missing or is given twice, ``data`` has another shape, or a field another value.
    """
    if ("text" in form) == ("data" in form):
        raise InputError("the form needs one of text and data: text=…&language=en-US")
    text = AnnotatedText([(form["text"], None)]) if "text" in form else read_data(form["data"])
    if not _is_unicode(text.plain) or not _is_unicode(text.sent):
        raise InputError("the text has half of a surrogate pair in it, which is no character: send UTF-8")
    level = form.get("level", "default").lower()
    if level not in ("default", "picky"):
        raise InputError("level must be default or picky")
    return CheckRequest(
        text=text,
        fields=dict(form),
        language=form.get("language", "auto") or "auto",
        preferred_variants=tuple(_names(form, "preferredVariants")),
        enabled_rules=frozenset(_names(form, "enabledRules")),
        disabled_rules=frozenset(_names(form, "disabledRules")),
        enabled_categories=frozenset(_names(form, "enabledCategories")),
        disabled_categories=frozenset(_names(form, "disabledCategories")),
        is_enabled_only=form.get("enabledOnly", "").lower() in ("true", "yes"),
        is_picky=level == "picky",
    )


def plain_request(
    text: str,
    *,
    language: str = "auto",
    enabled: Iterable[str] = (),
    disabled: Iterable[str] = (),
    is_picky: bool = False,
    markup: Markup = "plaintext",
) -> CheckRequest:
    """Return the request for a text that is no form; see :class:`CheckRequest`.

    Raises:
        InputError: the text has half of a surrogate pair in it.
    """
    form = {"text": text, "language": language, "level": "picky" if is_picky else "default"}
    rules = {"enabledRules": ",".join(enabled), "disabledRules": ",".join(disabled)}
    return replace(read_request(form | {name: names for name, names in rules.items() if names}), markup=markup)


def _names(form: Mapping[str, str], name: str) -> list[str]:
    return [part.strip() for part in form.get(name, "").split(",") if part.strip()]


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
