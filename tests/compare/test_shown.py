"""Which reasons people are told."""

from __future__ import annotations

from usim.compare import Reason, mark_shown


def reason(kind: str, source: tuple[int, ...], target: tuple[int, ...], weight: float) -> Reason:
    return Reason(kind, kind, source, target, weight=weight)


def shown(*reasons: Reason, pairs: tuple[tuple[int, int], ...] = (), is_kept: bool = False) -> list[str]:
    return [one.kind for one in mark_shown(reasons, pairs, is_kept=is_kept) if one.is_shown]


GRAVE, LIGHT = reason("negation", (1,), (), 0.9), reason("tense", (2,), (2,), 0.4)


def test_a_change_that_is_kept_shows_none() -> None:
    assert shown(GRAVE, LIGHT, is_kept=True) == []


def test_reasons_of_less_than_half_the_weight_of_the_gravest_are_not_shown() -> None:
    assert shown(GRAVE, LIGHT) == ["negation"]
    assert shown(LIGHT) == ["tense"]
    assert shown(GRAVE, reason("sense", (3,), (3,), 0.45)) == ["negation", "sense"]


def test_what_is_about_the_same_words_is_said_once() -> None:
    number, link = reason("number", (4,), (), 0.6), reason("connective", (), (4,), 0.5)
    assert shown(number, link, pairs=((4, 4),)) == ["number"]
    assert shown(number, link) == ["number", "connective"]


def test_a_reason_about_no_word_is_shown() -> None:
    assert shown(GRAVE, reason("question", (), (), 0.7)) == ["negation", "question"]


def test_all_stay_in_json() -> None:
    marked = mark_shown((GRAVE, LIGHT), (), is_kept=True)
    assert [one.to_dict()["shown"] for one in marked] == [False, False]
    assert [one.kind for one in marked] == ["negation", "tense"]
