"""Errors of learners: what the patterns find, and what they leave alone."""

import pytest

from usim.checkers import CheckRequest
from usim.checkers._harper import HarperChecker
from usim.checkers._learners import LEARNER_RULES, SPELLING_RULE, learner_findings

ERRORS = [
    ("They was happy.", "They were happy."),
    ("He go to school.", "He goes to school."),
    ("My sister says that she have a dog.", "My sister says that she has a dog."),
    ("Many young people thinks so.", "Many young people think so."),
    ("The students goes home.", "The students go home."),
    ("My brother have a car.", "My brother has a car."),
    ("We met people from different country.", "We met people from different countries."),
    ("There is many shops.", "There are many shops."),
    ("I get many email.", "I get many emails."),
    ("One of my friend called.", "One of my friends called."),
    ("I need informations.", "I need information."),
    ("I have no time for read.", "I have no time to read."),
    ("I can to swim.", "I can swim."),
    ("She didn't went there.", "She didn't go there."),
    ("We have went home.", "We have gone home."),
    ("I am agree with you.", "I agree with you."),
    ("I enjoy to read.", "I enjoy reading."),
    ("I left without pay.", "I left without paying."),
    ("I look forward to hear from you.", "I look forward to hearing from you."),
    ("It is more better.", "It is better."),
    ("It depends of you.", "It depends on you."),
    ("In the other hand, it rains.", "On the other hand, it rains."),
    ("We met in Monday.", "We met on Monday."),
    ("She said me that.", "She told me that."),
    ("I play guitar.", "I play the guitar."),
    ("He has old car.", "He has an old car."),
    ("I like to eating here.", "I like to eat here."),
    ("I didn't wanted that.", "I didn't want that."),
    ("I know people who likes it.", "I know people who like it."),
    ("I bought a lot of book.", "I bought a lot of books."),
    ("It is smaller then that.", "It is smaller than that."),
    ("We went to shopping.", "We went shopping."),
    ("I go there everyday.", "I go there every day."),
    ("I think she still live here.", "I think she still lives here."),
    ("She did not went there.", "She did not go there."),
    ("The door was broke.", "The door was broken."),
    ("Its not easy.", "It's not easy."),
]
RIGHT = """He used to go. Let him go. Does it make sense? If I were you, they were right. A series of books is a means to an
end. Two bedroom flats are cheap. This is what people in the village is known for. I saw it go. He can't help it. They have to go.
She has let it run. The will states that. It has been read by many. We look forward to Monday. Many a man has tried. I want more.
He read it. The more easily it goes, the better. Every child plays. These days are over. She must be right. One of them left.
He would rather stay. It is the same as before. That they were late is clear. Many email accounts exist. The data are new. His men are tired."""


def mended(text: str) -> str:
    for finding in sorted(learner_findings(text), key=lambda finding: -finding.start):
        text = text[: finding.start] + finding.replacements[0] + text[finding.end :]
    return text


@pytest.mark.parametrize(("text", "expected"), ERRORS)
def test_an_error_is_found_and_what_was_meant_is_not(text: str, expected: str) -> None:
    assert mended(text) == expected
    assert mended(expected) == expected


def test_what_is_right_is_left_alone() -> None:
    assert [text for text in RIGHT.replace("\n", " ").split(". ") if mended(text) != text] == []


def test_the_rules_of_the_table_have_names_and_stand_beside_harpers(harper: HarperChecker) -> None:
    rules = {finding.rule for text, _ in ERRORS for finding in learner_findings(text)}
    assert rules == set(LEARNER_RULES) - {SPELLING_RULE}

    def found(*disabled: str) -> list[tuple[str, str]]:
        request = CheckRequest("I left early, and we enjoyed to read.", disabled_rules=frozenset(disabled))
        return [(finding.rule, finding.replacements[0]) for finding in harper.check(request).findings]

    assert ("LearnerVerb", "reading") in found()
    assert "LearnerVerb" not in [rule for rule, _ in found("LearnerVerb")]
    findings = harper.check(CheckRequest("They was.")).findings
    places = [(finding.start, finding.end) for finding in findings]
    assert len(places) == len(set(places))


def test_a_misspelling_has_the_words_that_are_near_it_beside_harpers(harper: HarperChecker) -> None:
    def found(text: str, *disabled: str) -> tuple[str, ...]:
        request = CheckRequest(text, disabled_rules=frozenset(disabled))
        (finding,) = harper.check(request).findings
        return finding.replacements

    assert found("This is my adress.", SPELLING_RULE) == ("a dress",)
    assert "address" in found("This is my adress.")
    assert "Probably" in found("Propably it is true.")
