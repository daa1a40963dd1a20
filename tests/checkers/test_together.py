"""Checkers beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from usim.checkers import Checked, CheckRequest, Fault, check_text
from usim.checkers._checker import CheckersTogether

SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)).map(lambda span: (span[0], sum(span))), max_size=4)


class Fixed:
    """A checker that always finds the same."""

    def __init__(self, findings: list[Fault], language: str | None = None) -> None:
        self._checked = Checked(findings, language)

    def check(self, request: CheckRequest) -> Checked:
        return self._checked


def found(start: int, end: int, *replacements: str, rule: str = "A") -> Fault:
    return Fault(start, end, "", replacements, rule)


def test_findings_of_both_are_there_and_at_one_place_those_of_the_first() -> None:
    first = Fixed([found(0, 4, "one", "two"), found(10, 12, "three")], "en-US")
    second = Fixed([found(0, 4, "two", "four", rule="B"), found(11, 15, rule="B"), found(5, 8, rule="B")], "en-GB")
    checked = CheckersTogether([first, second]).check(CheckRequest("A text."))
    assert checked.findings == [
        found(0, 4, "one", "two", "four"),
        found(5, 8, rule="B"),
        found(10, 12, "three"),
    ]
    assert checked.language == "en-GB"


@given(SPANS, SPANS)
def test_nothing_of_the_first_is_lost_and_nothing_of_the_second_overlaps_it(
    spans: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    first, second = [found(*span) for span in spans], [found(*span, rule="B") for span in others]
    findings = CheckersTogether([Fixed(first), Fixed(second)]).check(CheckRequest("")).findings
    assert sorted((each.start, each.end) for each in findings if each.rule == "A") == sorted(spans)

    def overlaps(span: tuple[int, int]) -> Iterator[bool]:
        return (span[0] < end and start < span[1] for start, end in spans)

    added = sorted((each.start, each.end) for each in findings if each.rule == "B")
    assert added == sorted(span for span in others if not any(overlaps(span)))


def test_indentation_and_other_blanks_are_no_mistakes() -> None:
    text = "A list:\n  - two  apples\n\t- bread  and she likes it"
    indented, between, tab, last = (match.span() for match in re.finditer(r"[ \t]{2,}|\t", text))
    blanks = [found(*indented, " "), found(*between, " "), found(*tab, "")]
    comma = found(*last, ", ")
    assert check_text(Fixed([*blanks, comma], "en-US"), CheckRequest(text, "en-US")).findings == [comma]


def test_the_best_suggestion_is_the_first_that_is_not_dropped() -> None:
    def best(*verdicts: str) -> str | None:
        screened = tuple(SimpleNamespace(verdict=verdict) for verdict in verdicts)
        chosen = Fault(0, 1, "", (), "A", screened=screened).best  # type: ignore[arg-type]
        return chosen and chosen.verdict

    assert best("drop", "keep") == best("keep", "review") == "keep"
    assert best("review", "keep") is best("drop") is best() is None
