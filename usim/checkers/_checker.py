"""What a checker is asked, what it finds, and what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self

from usim.checkers._annotated import AnnotatedText
from usim.errors import InputError, UsimError
from usim.text import Span

if TYPE_CHECKING:
    from usim.screen import SuggestionResult

#: What a text is written in.
Markup = Literal["plaintext", "markdown"]


@dataclass(frozen=True)
class CheckRequest:
    """A text to check, and how.

    Attributes:
        text: the text.
        language: the code of the language, or ``auto``.
        preferred_variants: codes of languages to choose from where the language is ``auto`` or a plain ``en``.
        enabled_rules, disabled_rules: names of rules.
        enabled_categories, disabled_categories: names of groups of rules.
        is_enabled_only: whether nothing but what is enabled is checked.
        is_picky: whether rules are asked for that not everybody wants.
        markup: what the text is written in.
        fields: the form that a client of LanguageTool's protocol sent, for a server that speaks it as well.

    Raises:
        InputError: the text has half of a surrogate pair in it.
    """

    text: AnnotatedText
    language: str = "auto"
    preferred_variants: tuple[str, ...] = ()
    enabled_rules: frozenset[str] = frozenset()
    disabled_rules: frozenset[str] = frozenset()
    enabled_categories: frozenset[str] = frozenset()
    disabled_categories: frozenset[str] = frozenset()
    is_enabled_only: bool = False
    is_picky: bool = False
    markup: Markup = "plaintext"
    fields: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            (self.text.plain + self.text.sent).encode()
        except UnicodeEncodeError as e:
            message = "the text has half of a surrogate pair in it, which is no character: send UTF-8"
            raise InputError(message) from e

    @classmethod
    def of(cls, text: str, **settings: Any) -> Self:
        """Return the request for a text without markup between its parts."""
        return cls(AnnotatedText([(text, None)]), **settings)

    def check_rules(self) -> None:
        """Check that what is enabled and disabled makes sense together."""
        if self.is_enabled_only and not (self.enabled_rules or self.enabled_categories):
            raise InputError("enabledOnly needs enabledRules or enabledCategories")
        if self.is_enabled_only and (self.disabled_rules or self.disabled_categories):
            raise InputError("enabledOnly goes with neither disabledRules nor disabledCategories")

    def wants(self, finding: Finding) -> bool:
        """Return whether a finding is by a rule that is on."""
        is_enabled = finding.rule in self.enabled_rules
        if finding.rule in self.disabled_rules:
            return False
        if self.is_enabled_only:
            return is_enabled or finding.category in self.enabled_categories
        return is_enabled or finding.category not in self.disabled_categories


@dataclass(frozen=True, slots=True)
class Finding:
    """What a checker finds fault with.

    Attributes:
        start, end: where it stands, in characters of the text that is read.
        message: what the checker says.
        replacements: what the checker suggests, the best first.
        rule, category: the names of the rule and, as LanguageTool has them, of its group.
        description: what the rule is about.
        kind: the kind of mistake in words.
        issue: its type in the Internationalization Tag Set (https://www.w3.org/TR/its20/#lqissue-typevalues).
        is_unknown_word: whether the checker does not know the word.
        sent: the finding as a LanguageTool server sent it.
        screened: the replacements with their verdicts, the most faithful first. Those for which there was no room are
            left out.
    """

    start: int
    end: int
    message: str
    replacements: tuple[str, ...]
    rule: str
    category: str = ""
    description: str = ""
    kind: str = ""
    issue: str = ""
    is_unknown_word: bool = False
    sent: Mapping[str, Any] | None = None
    screened: tuple[SuggestionResult, ...] = ()

    @property
    def left_out(self) -> int:
        """The number of replacements that have no verdict."""
        return len(self.replacements) - len(self.screened)

    @property
    def best(self) -> SuggestionResult | None:
        """The most faithful suggestion if it is kept."""
        return self.screened[0] if self.screened and self.screened[0].verdict == "keep" else None

    def to_dict(self, *, dropped: bool = True) -> dict[str, Any]:
        """Return the finding as JSON values, with or without the suggestions to drop."""
        return {
            "start": self.start,
            "end": self.end,
            "message": self.message,
            "rule": self.rule,
            "category": self.category,
            "suggestions": [each.to_dict() for each in self.screened if dropped or each.verdict != "drop"],
        }


class Software(NamedTuple):
    """The program that checks."""

    name: str
    version: str


class Language(NamedTuple):
    """A language that a checker knows: its name, its code (``en``) and that of the variant (``en-US``)."""

    name: str
    code: str
    long_code: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker answers about a text.

    Attributes:
        findings: what it finds fault with, in order.
        language: the code of the language that it took the text for; None if it does not say.
        language_name: the name of that language.
        not_checked: the parts that it left out because they take too long, in characters.
        misfits: the number of findings that fit no place in the text, and are left out.
        foreign: the number of sentences in another language whose findings are left out, by language.
        software: the program that answered; None if ``sent`` says it.
        sent: the rest of the answer as a LanguageTool server sent it.
    """

    findings: Sequence[Finding]
    language: str | None = None
    language_name: str = ""
    not_checked: Sequence[Span] = ()
    misfits: int = 0
    foreign: Counter[str] = field(default_factory=Counter)
    software: Software | None = None
    sent: Mapping[str, Any] | None = None


class Checker(Protocol):
    """Finds mistakes in texts."""

    async def languages(self) -> list[Language]:
        """Return the languages that the checker knows.

        Raises:
            CheckerError: it cannot say.
        """
        ...

    async def check(self, request: CheckRequest) -> Checked:
        """Check a text.

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
