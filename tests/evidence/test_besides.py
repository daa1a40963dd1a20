"""Findings beside corrected errors: what a slip explains is light, another time or person that no error explains is grave."""

from __future__ import annotations

import pytest

from tests.brackets import graph_of
from usim.evidence import Analysis, Finding, compare, detect_findings, reweighed
from usim.text import token_texts


def weighed(source: str, output: str, *findings: Finding) -> list[Finding]:
    a, b = (Analysis(graph_of(f"[H {' '.join(token_texts(text))} ]"), None, text) for text in (source, output))
    comparison = compare(a, b)
    return reweighed(comparison, findings or detect_findings(comparison))


@pytest.mark.parametrize(
    ("source", "output", "kind"),
    [
        ("He is married with a doctor.", "He was married to a doctor.", "tense"),
        ("She must to go.", "She had to go.", "tense"),
        ("They was late again.", "They are late again.", "tense"),
        # Another verb, or another word, asks for the time, or the form is of the same one.
        ("She is ill and she was in bed.", "She was ill and she was in bed.", ""),
        ("Yesterday he is ill.", "Yesterday he was ill.", ""),
        ("They was late again.", "They were late again.", ""),
        ("He have two dogs.", "He has two dogs.", ""),
        ("It will did damage.", "It will do damage.", ""),
        ("People had gone through it.", "People have gone through it.", ""),
        # Another person, which no noun before it asks for.
        ("He have two dogs.", "They have two dogs.", "pronoun"),
        ("I have two dogs.", "We have two dogs.", "pronoun"),
        ("The students like his teacher.", "The students like their teacher.", ""),
    ],
)
def test_what_no_error_explains_is_grave(source: str, output: str, kind: str) -> None:
    grave = {finding.kind for finding in weighed(source, output) if finding.weight >= 0.6}
    assert grave & {"tense", "pronoun"} == ({kind} if kind else set())


@pytest.mark.parametrize(
    ("source", "output", "kind", "is_slip"),
    [
        ("She bought a pear of shoes.", "She bought a pair of shoes.", "unrelated", True),
        ("He took a brake from work.", "He took a break from work.", "unrelated", True),
        ("She bought a pear of shoes.", "She bought a box of shoes.", "unrelated", False),
        ("Please except my apology.", "Please accept my apology.", "scene-added", True),
        ("Can I lend your pen?", "Can I borrow your pen?", "roles-swapped", True),
        ("I lent him my car.", "I borrowed his car.", "roles-swapped", False),
        ("Can I buy your pen?", "Can I sell your pen?", "roles-swapped", False),
        ("I no the answer.", "I know the answer.", "negation", True),
        ("He is not here.", "He is now here.", "negation", False),
        ("They open the major gate.", "They open the minor gate.", "opposite", False),
    ],
)
def test_of_a_slip_the_two_words_say_little(source: str, output: str, kind: str, is_slip: bool) -> None:
    words = token_texts(source)
    at = next(k for k, word in enumerate(token_texts(output)) if word != words[k])
    (finding,) = weighed(source, output, Finding(kind, "…", (at,), (at,), weight=0.8))
    assert (finding.kind, finding.weight < 0.3) == (("sense", True) if is_slip else (kind, False))
