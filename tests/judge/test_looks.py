"""What looks the same keeps its meaning, whatever characters it is written with: by every way in."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.brackets import graph_of
from tests.command import usim_here
from usim import Scorer, Screen
from usim.text import unseen_differences

pytestmark = pytest.mark.model

TEXT = "She didn't send her résumé to the naïve co-operative with 25 members, did she?"
WIDE = {ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"}


def within(character: str) -> Callable[[str, int], str]:
    """Put a character into a word."""

    def put(text: str, number: int) -> str:
        places = [k for k in range(1, len(text)) if text[k - 1].isalnum() and text[k].isalnum()]
        place = places[number % len(places)]
        return text[:place] + character + text[place:]

    return put


#: Ways to write a text otherwise that look the same; the number says where.
WAYS: dict[str, Callable[[str, int], str]] = {
    "NFD": lambda text, _: unicodedata.normalize("NFD", text),
    "NFC": lambda text, _: unicodedata.normalize("NFC", text),
    "full-width digits": lambda text, _: text.translate(WIDE),
    "letter apostrophe": lambda text, _: text.replace("'", "\u02bc"),
    **{f"U+{ord(each):04X}": within(each) for each in "\u00ad\u200b\u200d\u2060\u200e\ufeff"},
}


@pytest.fixture(scope="module", params=["en", "en-fast"])
def scorer(request: pytest.FixtureRequest) -> Scorer:
    return Scorer(model=request.param)


@settings(max_examples=15)
@given(st.sampled_from(sorted(WAYS)), st.sampled_from(sorted(WAYS)), st.integers(0, 60))
def test_what_looks_the_same_keeps_its_meaning(scorer: Scorer, way: str, other: str, number: int) -> None:
    source, output = WAYS[way](TEXT, number), WAYS[other](TEXT, number + 1)
    result = scorer.score(source, output)
    assert result.judgement.faithfulness >= 0.99
    assert result.judgement.verdict == "keep"
    assert result.judgement.findings == ()
    assert (result.source, result.output) == (source, output)
    assert bool(result.notes) == (source != output)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_change_beside_it_is_judged_as_without_it(scorer: Scorer, way: str) -> None:
    changed = TEXT.replace("send", "sell")
    plain, odd = scorer.score(TEXT, changed), scorer.score(TEXT, WAYS[way](changed, 0))
    assert odd.judgement.faithfulness == pytest.approx(plain.judgement.faithfulness, abs=0.02)
    assert [each.kind for each in odd.judgement.findings] == [each.kind for each in plain.judgement.findings]
    for finding in odd.judgement.findings:  # places count in what was written
        for start, end in finding.output_spans:
            assert "se" in odd.output[start:end]


@pytest.mark.parametrize("way", sorted(WAYS))
def test_every_way_in_sees_the_same(way: str, scorer: Scorer, tmp_path: Path) -> None:
    odd = WAYS[way](TEXT, 12)
    tokens = scorer.score(TEXT.split(), odd.split())
    assert (tokens.judgement.faithfulness, tokens.judgement.findings) == (1.0, ())
    graphs = scorer.score_graphs(graph_of("[A She] [P met] [A ２５]"), graph_of("[A She] [P met] [A 25]"))
    assert (graphs.judgement.faithfulness, graphs.judgement.findings) == (1.0, ())


def test_a_substitute_that_looks_like_its_target_is_kept() -> None:
    for parser in (None, "en"):
        screen = Screen(parser=parser)
        for target, substitute in (("25", "２５"), ("résumé", "re\u0301sume\u0301"), ("members", "mem\u00adbers")):
            start = TEXT.index(target)
            (kept,) = screen.screen(TEXT, start, start + len(target), [substitute])
            assert (kept.verdict, kept.faithfulness, kept.findings) == ("keep", 1.0, ())
            assert len(kept.notes) == 1
            assert kept.to_dict()["notes"] == list(kept.notes)


def test_letters_of_another_script_are_to_review_with_a_plain_warning(scorer: Scorer) -> None:
    result = scorer.score("The cat sat.", "The c\u0430t sat.")
    assert result.judgement.verdict == "review"
    assert [(finding.kind, finding.text) for finding in result.judgement.findings] == [
        ("unreadable", "Letters of another script that look the same took the place of others")
    ]
    assert result.notes == (
        "“cat” has letters of another script that look like Latin ones in the output: U+0430 CYRILLIC SMALL LETTER A",
    )
    assert scorer.score("The c\u0430t sat.", "The c\u0430t sat.").judgement.verdict == "keep"
    assert scorer.score("The cat sat.", "The cat didn't sit.").judgement.verdict != "keep"
    (screened,) = Screen(judge="usim").screen("The cat sat.", 4, 7, ["c\u0430t"])
    assert (screened.verdict, len(screened.notes)) == ("review", 1)


def test_commands_tell_it_as_a_note() -> None:
    odd = "She met 2\u200b5 people."
    told = usim_here("score", "--text", "She met 25 people.", odd, "--judge", "usim").stdout
    note = "“25” has characters that are not seen in the output: U+200B ZERO WIDTH SPACE"
    assert f"note: {note}" in told
    record = usim_here("score", "--text", "She met 25 people.", odd, "--judge", "usim", "--format", "json").stdout
    assert note in json.dumps(json.loads(record), ensure_ascii=False)
    suggestion = json.dumps({"sentence": "She met 25.", "start": 8, "end": 10, "substitutes": ["2\u200b5"]})
    for form in ("text", "jsonl"):
        done = usim_here("screen", "-", "--judge", "usim", "--format", form, stdin=suggestion + "\n")
        assert note in done.stdout


def test_what_is_read_otherwise_is_no_note() -> None:
    assert unseen_differences("10² people", "10 people").notes == ()
    assert unseen_differences("He left.", "He went.").notes == ()
