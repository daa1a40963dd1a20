"""What a checker is asked, what it finds, and what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from usim.errors import InputError, UsimError

if TYPE_CHECKING:
    from usim.screen import SuggestionResult

#: The codes of the dialects of English, in Harper's order.
DIALECTS = ("en-US", "en-GB", "en-AU", "en-CA", "en-IN")
#: The category of words that a checker does not know.
SPELLING = "TYPOS"


@dataclass(frozen=True)
class CheckRequest:
    """A text to check, and how.

    Attributes:
        language: the code of the language, or ``auto``.
        preferred_variants: codes of languages to choose from where the language is ``auto`` or a plain ``en``.
        enabled_rules, disabled_rules, enabled_categories, disabled_categories: names of rules, and of groups of rules.
        is_enabled_only: whether nothing but what is enabled is checked.
        is_picky: whether rules are asked for that not everybody wants.
        is_markdown: whether the text is Markdown, and not plain text.

    Raises:
        InputError: the text has half of a surrogate pair in it.
    """

    text: str
    language: str = "auto"
    preferred_variants: tuple[str, ...] = ()
    enabled_rules: frozenset[str] = frozenset()
    disabled_rules: frozenset[str] = frozenset()
    enabled_categories: frozenset[str] = frozenset()
    disabled_categories: frozenset[str] = frozenset()
    is_enabled_only: bool = False
    is_picky: bool = False
    is_markdown: bool = False

    def __post_init__(self) -> None:
        try:
            self.text.encode()
        except UnicodeEncodeError as e:
            message = "the text has half of a surrogate pair in it, which is no character: send UTF-8"
            raise InputError(message) from e

    def wants(self, finding: Fault) -> bool:
        """Return whether a finding is by a rule that is on."""
        is_enabled = finding.rule in self.enabled_rules
        if finding.rule in self.disabled_rules:
            return False
        if self.is_enabled_only:
            return is_enabled or finding.category in self.enabled_categories
        return is_enabled or finding.category not in self.disabled_categories

    def mends(self, finding: Fault) -> bool:
        """Return whether a finding may be mended together with others: one of style only if style was asked for."""
        return finding.issue != "style" or self.is_picky or finding.rule in self.enabled_rules


@dataclass(frozen=True, slots=True)
class Fault:
    """What a checker finds fault with.

    Attributes:
        start, end: where it stands, in characters of the text.
        message: what the checker says.
        replacements: what the checker suggests, the best first.
        rule, category: the names of the rule and, as LanguageTool has them, of its group.
        issue: its type in the Internationalization Tag Set (https://www.w3.org/TR/its20/#lqissue-typevalues).
        screened: the replacements with their verdicts, the most faithful first. Those for which there was no room are
            left out.
    """

    start: int
    end: int
    message: str
    replacements: tuple[str, ...]
    rule: str
    category: str = ""
    issue: str = ""
    screened: tuple[SuggestionResult, ...] = ()

    @property
    def best(self) -> SuggestionResult | None:
        """The most faithful suggestion that is not dropped, if it is kept."""
        first = next((each for each in self.screened if each.verdict != "drop"), None)
        return first if first is not None and first.verdict == "keep" else None

    def to_dict(self, *, dropped: bool = True) -> dict[str, Any]:
        """Return the finding as JSON values, with or without the suggestions to drop."""
        values = {name: getattr(self, name) for name in ("start", "end", "message", "rule", "category")}
        return values | {"suggestions": [each.to_dict() for each in self.screened if dropped or each.verdict != "drop"]}


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker answers about a text.

    Attributes:
        findings: in order.
        language: the code of the language that it took the text for; None if it does not say.
        foreign: the number of sentences in another language whose findings are left out, by language.
    """

    findings: Sequence[Fault]
    language: str | None = None
    foreign: Counter[str] = field(default_factory=Counter)


class Checker(Protocol):
    """Finds mistakes in texts."""

    def check(self, request: CheckRequest) -> Checked:
        """Check a text; threads may do so at the same time.

        Raises:
            InputError: the request is wrong: a language that the checker does not know.
            CheckerError: the checker cannot answer.
        """
        ...


class CheckersTogether:
    """Checkers beside each other: where findings overlap, the first counts; the last says what language a text is."""

    def __init__(self, checkers: Sequence[Checker]) -> None:
        self._checkers = checkers

    def check(self, request: CheckRequest) -> Checked:
        found: list[Fault] = []
        for checker in self._checkers:
            checked = checker.check(request)
            known = {(each.start, each.end): place for place, each in enumerate(found)}
            earlier = tuple(found)
            for finding in checked.findings:
                place = known.get((finding.start, finding.end))
                if place is not None:
                    both = (*found[place].replacements, *finding.replacements)
                    found[place] = replace(found[place], replacements=tuple(dict.fromkeys(both)))
                elif all(finding.end <= each.start or each.end <= finding.start for each in earlier):
                    found.append(finding)
        return replace(checked, findings=sorted(found, key=lambda each: (each.start, each.end)))


class CheckerError(UsimError):
    """A checker that cannot answer, with the HTTP status of a service that has to say so."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status
