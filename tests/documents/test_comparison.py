"""Two texts compared by the models: what is found, where, and what it means for the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import usim
from tests.documents.paragraphs import CHANGES, FAITHFUL, PARAGRAPHS
from tests.documents.word import p, word_file
from usim.documents import MAX_CHARACTERS, TextComparison, read_document
from usim.documents._align import PassageReader, ReadPassage
from usim.errors import InputError, OptionError
from usim.evidence import Analysis
from usim.judge import Judge, UsimJudge
from usim.report import comparison_html
from usim.report.texts import comparison_text, listed_findings
from usim.scorer import Scorer
from usim.verdicts import Opinion

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


def around(pair: tuple[str, str], count: int) -> tuple[str, str]:
    """The pair in the middle of so many faithful ones."""
    pairs = [*FAITHFUL[: count // 2], pair, *FAITHFUL[count // 2 : count]]
    before, after = (" ".join(side) for side in zip(*pairs, strict=True))
    return before, after


def test_a_pair_is_as_faithful_as_its_worst_block_and_findings_stand_in_the_whole(scorer: Scorer) -> None:
    before, after = around(CHANGES[0][1:3], 4)
    result = scorer.score(before, after)
    blocks = list(scorer.score_pairs([*FAITHFUL[:2], CHANGES[0][1:3], *FAITHFUL[2:4]]))
    assert result.judgement.faithfulness == min(block.judgement.faithfulness for block in blocks)
    number = next(finding for finding in result.judgement.findings if finding.kind == "number")
    assert [before[slice(*span)] for span in number.source_spans] == ["20", "euros"]
    assert [after[slice(*span)] for span in number.output_spans] == ["25", "euros"]
    assert [result.source_graph.tokens[k] for k in number.source] == ["20", "euros"]
    assert [result.output_graph.tokens[k] for k in number.output] == ["25", "euros"]


def test_what_is_left_out_or_invented_is_named(scorer: Scorer) -> None:
    before, after = around(FAITHFUL[0], 5)
    lost = scorer.score(before + " The depot in Leeds burnt down.", after).judgement
    added = scorer.score(before, after + " The depot in Leeds burnt down.").judgement
    assert (lost.verdict, added.verdict) == ("drop", "drop")
    assert (lost.shown[0].kind, added.shown[0].kind) == ("scene-lost", "scene-added")
    assert lost.shown[0].text == "The sentence “The depot in Leeds burnt down.” is left out"


def test_single_sentences_are_as_ever(scorer: Scorer) -> None:
    """A pair of one sentence each, or that is one block, is judged as a whole; so is every pair of USim's."""
    usim_alone = Scorer(judge="usim")
    pair = around(FAITHFUL[3], 3)
    assert usim_alone.score(*pair).judgement.faithfulness == usim_alone.score(*pair).usim.f
    merged = ("It rained. We stayed.", "As it rained, we stayed.")
    (judged,) = scorer.pipeline.judge_pairs([merged])
    assert scorer.score(*merged).judgement == judged.judgement


def test_given_tokens_are_judged_in_blocks_too(scorer: Scorer) -> None:
    before, after = (text.replace(".", " .").replace(",", " ,").split() for text in around(CHANGES[1][1:3], 2))
    judgement = scorer.score(before, after).judgement
    assert judgement.verdict == "drop"
    assert [before[k] for k in judgement.findings[0].source] == ["not", "open"]


LETTER = (
    "Dear residents,\n\nThe lift in building B will be repaired next week. The work starts on Monday. During this time "
    "the lift cannot be used.\n\nPlease call the office by Friday.\n\nThe cellar will be cleaned. "
    "Bicycles go to the depot. Collecting one costs 20 euros.\n\nKind regards,\nThe management\n"
)
REWRITTEN = (
    "Hello everyone,\n\nThe lift in building B will be repaired next week. The work starts on Monday, and the lift "
    "cannot be used during this time.\n\nThe cellar will be cleaned. Bicycles go to the depot. Collecting one costs 25 "
    "euros.\n\nPlease call the office by Friday. Parcels can be left with the caretaker.\n\nBest wishes,\nThe management\n"
)


@pytest.fixture(scope="module")
def letter(scorer: Scorer) -> TextComparison:
    return scorer.compare_texts(LETTER, REWRITTEN)


def test_a_letter(letter: TextComparison) -> None:
    assert letter.verdict == "drop"
    forms = [(block.form, block.is_moved) for block in letter.blocks]
    assert ("2-1", False) in forms
    assert ("1-1", True) in forms
    assert [f.text for f in letter.findings if f.kind == "added"] == [
        "The sentence “Parcels can be left with the caretaker.” is added"
    ]
    number = next(finding for finding in letter.findings if finding.kind == "number")
    assert [LETTER[slice(*span)] for span in number.before] == ["20", "euros"]
    assert [REWRITTEN[slice(*span)] for span in number.after] == ["25", "euros"]
    assert letter.blocks[0].verdict == "keep"  # another greeting
    assert letter.faithfulness == min(block.faithfulness for block in letter.blocks)


@pytest.mark.parametrize("is_markdown", [False, True])
def test_a_heading_that_claims_nothing_is_in_doubt(scorer: Scorer, is_markdown: bool) -> None:
    plain = "We open at 8 every day.\n\nDo not run near the pool."
    headings = ["Opening hours", "How long?"] + ["## Safety", "**Your belongings**"] * is_markdown
    for heading in headings:
        with_heading = plain.replace("\n\n", f"\n\n{heading}\n\n")
        name = heading.strip("#* ")
        for pair, done in (((plain, with_heading), "added"), ((with_heading, plain), "left out")):
            comparison = scorer.compare_texts(*pair, is_markdown=is_markdown)
            assert (comparison.verdict, comparison.findings) == ("review", ())
            assert [doubt.text for doubt in comparison.doubts] == [f"The heading “{name}” is {done}"]
    parties = scorer.compare_texts(plain, f"Here “we” means the pool.\n\n{plain}", is_markdown=is_markdown)
    assert [doubt.text for doubt in parties.doubts] == ["The sentence “Here “we” means the pool.” is added"]
    claim = scorer.compare_texts(plain, plain.replace("\n\n", "\n\nMembers only\n\n"), is_markdown=is_markdown)
    assert [finding.text for finding in claim.findings] == ["The sentence “Members only” is added"]


def test_places_are_places_in_the_texts(letter: TextComparison) -> None:
    values = letter.to_dict()
    for side, text in (("before", LETTER), ("after", REWRITTEN)):
        spans = sorted(tuple(span) for block in values["blocks"] for span in block[side])
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        outside = "".join(text[a[1] : b[0]] for a, b in pairwise([(0, 0), *spans, (len(text), len(text))]))
        assert not outside.strip()
    assert values["counts"]["added"] == 1
    assert sum(values["counts"][verdict] for verdict in ("keep", "review", "drop")) == len(values["blocks"])


def test_findings_are_counted_as_they_are_listed(scorer: Scorer) -> None:
    comparison = scorer.compare_texts("We pay 20 euros by Monday.", "We pay 25 euros by Friday.")
    assert len(comparison.findings) == 2
    assert comparison.counts["findings"] == len(listed_findings(comparison)) == 1


def test_one_changed_sentence_in_fifty_changes_the_text(scorer: Scorer) -> None:
    lines = [f"Room {k} of the old house has a window to the north." for k in range(50)]
    changed = [*lines[:20], "Room 20 of the old house has no window to the north.", *lines[21:]]
    comparison = scorer.compare_texts(" ".join(lines), " ".join(changed))
    assert comparison.verdict == "drop"
    assert comparison.counts["same"] == 49
    assert len(comparison.findings) >= 1
    assert scorer.compare_texts(" ".join(lines), " ".join(lines)).verdict == "keep"


@pytest.mark.parametrize(
    ("policy", "lost", "added"), [("same", "drop", "drop"), ("shorten", "keep", "drop"), ("expand", "drop", "keep")]
)
def test_policies(scorer: Scorer, policy: Any, lost: str, added: str) -> None:
    short, long = "It rained all day.", "It rained all day. The depot in Leeds burnt down."
    assert scorer.compare_texts(long, short, policy=policy).verdict == lost
    assert scorer.compare_texts(short, long, policy=policy).verdict == added


def test_what_is_only_reworded_is_in_doubt_and_a_named_fact_is_a_finding(scorer: Scorer) -> None:
    paragraph = next(each for each in PARAGRAPHS if each.name == "number, among 11, place 6")
    comparison = scorer.compare_texts(paragraph.before, paragraph.after)
    assert "number" in [finding.kind for finding in comparison.findings]
    blocks = {doubt.block for doubt in comparison.doubts}
    assert {comparison.blocks[k].verdict for k in blocks} == {"review"}
    assert comparison.counts["doubts"] == len(blocks) > 0


def test_a_fact_that_certainly_changed_is_told_with_both_places_in_a_reworded_block(scorer: Scorer) -> None:
    """In the text, in JSON and on the page."""
    before = "The Supplier must deliver the goods within 30 days of receipt of a written order. The shop is closed."
    after = (
        "Within 30 days of receiving a written order, the goods may be delivered by the Supplier. The shop is closed."
    )
    comparison = scorer.compare_texts(before, after)
    finding = comparison.findings[0]
    assert [before[slice(*span)] for span in finding.before] == ["must", "deliver"]
    assert [after[slice(*span)] for span in finding.after] == ["may", "be", "delivered"]
    said = "The certainty, duty or ability changed: “must deliver” became “may be delivered”"
    assert comparison.to_dict()["findings"][0]["text"] == finding.text == said
    lines = comparison_text(comparison, ("before", "after"))
    assert said in "\n".join(line.plain for line in lines)
    pytest.importorskip("jinja2", reason="pages need jinja2")
    assert said in comparison_html(comparison)


def test_nothing_is_told_of_a_block_that_is_kept(scorer: Scorer) -> None:
    before, after = "If you have any questions, please let me know.", "Please let me know if you have any questions."
    (_, block) = scorer.compare_texts(f"It rained.\n\n{before}", f"It rained.\n\n{after}").blocks
    assert block.verdict == "keep"
    assert "order" in {finding.kind for finding in block.findings}
    assert not any(finding.is_shown for finding in block.findings)


def test_what_the_text_around_says_is_no_finding(scorer: Scorer) -> None:
    before = "Wash the pellet with ethanol. Dry it in the air. Dissolve in 50 µl of water."
    named = scorer.compare_texts(before, before.replace("Dissolve in", "Dissolve the pellet in"))
    assert named.verdict == "review"
    assert (named.findings, len({doubt.block for doubt in named.doubts})) == ((), 1)
    invented = scorer.compare_texts(before, before.replace("Dissolve in", "Dissolve the sugar in"))
    assert len(invented.findings) > 0


def test_beside_another_name_a_pronoun_may_stand_for_that(scorer: Scorer) -> None:
    before = "The Buyer pays. The Supplier shall, at the Buyer's option, repair the Goods or refund them."
    changed = scorer.compare_texts(before, before.replace("the Buyer's", "its"))
    assert len(changed.findings) > 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "We couldn't ask everyone twice, so the figures come from the 41 people who live near the campus. "
            "They may not be typical.",
            "Since it was not possible to question all participants a second time, the data derive from 41 individuals "
            "who reside close to the campus and who may not be representative.",
        ),
    ],
)
def test_what_a_rewrite_merged_is_not_left_out(scorer: Scorer, before: str, after: str) -> None:
    """The words have no counterparts, but the judge, who reads them beside their neighbours, finds their content."""
    assert scorer.score(before, after).judgement.faithfulness > 0.1
    assert scorer.compare_texts(before, after).verdict == "review"


@pytest.mark.parametrize(("said", "is_said"), [("and, surprisingly, approved", True), ("and, boldly, approved", False)])
def test_what_a_word_beside_a_sentence_says_is_not_surely_left_out(scorer: Scorer, said: str, is_said: bool) -> None:
    vote = "Before the vote the treasurer had left the room."
    before = f"The board met on Monday. It approved the budget of 40,000 euros. That was a surprise. {vote}"
    after = f"The board met on Monday {said} the budget of 40,000 euros. {vote}"
    for pair in ((before, after), (after, before)):
        (lone,) = (b for b in scorer.compare_texts(*pair).blocks if bool(b.before) != bool(b.after))
        assert (lone.verdict != "drop") == is_said


def test_what_stands_elsewhere_is_not_left_out(scorer: Scorer) -> None:
    before = "The shop opens at nine. Parking is free for customers. Bread is baked on Friday. Dogs may come in."
    after = "The shop opens at nine. Bread is baked on Friday. Dogs may come in. Parking is free for customers."
    comparison = scorer.compare_texts(before, after)
    assert comparison.verdict == "keep"
    assert comparison.counts["moved"] == 1
    repeated = scorer.compare_texts(before, before + " Parking is free for all customers.")
    (added,) = [block for block in repeated.blocks if not block.before]
    assert [before[slice(*span)] for span in added.elsewhere] == ["Parking is free for customers."]
    assert added.supported > 0.9


class Believing:
    """The shipped judge, which believes that any source says so much of an output with a word, and all of others."""

    def __init__(self, judge: Judge, supported: float, word: str = "") -> None:
        self._judge, self._supported, self._word = judge, supported, word
        self.name, self.thresholds, self.encoder = judge.name, judge.thresholds, judge.encoder

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        opinions = zip(self._judge.judge(pairs), pairs, strict=True)
        return [
            replace(opinion, supported=self._supported)
            if self._word in output.text
            else Opinion(1.0, 1.0, 1.0, opinion.band)
            for opinion, (_, output) in opinions
        ]


@pytest.mark.parametrize(
    ("sentence", "supported", "is_found"),
    [
        ("The Consultant may not subcontract the Services to anybody without paying the Client.", 0.3, True),
        ("The Consultant may not subcontract the Services to anybody without paying the Client.", 0.7, False),
        ("The Client shall pay the Consultant a fee of EUR 1,850.", 0.7, True),  # a fact that certainly changed
    ],
)
def test_like_words_elsewhere_say_a_sentence_only_if_the_judge_agrees(
    scorer: Scorer, sentence: str, supported: float, is_found: bool
) -> None:
    before = (
        "The Consultant may subcontract parts of the Services only with the prior written consent of the Client.\n\n"
        "The Client shall pay the Consultant a fixed fee of EUR 18,500."
    )
    after = f"{before}\n\n{sentence}"
    believing = Scorer(judge=Believing(scorer.judge, supported))
    for texts, kind in (((before, after), "added"), ((after, before), "left-out")):
        comparison = believing.compare_texts(*texts)
        assert [finding.kind for finding in comparison.findings] == [kind] * is_found
        assert comparison.verdict == ("drop" if is_found else "keep")


@pytest.mark.parametrize(("alone", "is_named"), [(0.5, False), (0.6, True)])
def test_a_place_is_named_only_if_it_alone_says_much_of_a_sentence(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch, alone: float, is_named: bool
) -> None:
    def coverage(self: PassageReader, passage: ReadPassage, others: Sequence[ReadPassage]) -> float:
        return alone if len(others) == 1 else 0.6

    monkeypatch.setattr(PassageReader, "coverage", coverage)
    before = "The shop sells bread on Friday. Dogs may come into the garden."
    comparison = scorer.compare_texts(before, f"{before} The garden sells bread to dogs.")
    (finding,) = comparison.findings
    assert ("something like it stands in" in finding.text) == is_named


def test_a_sentence_beside_one_that_says_all_of_its_source_is_added(scorer: Scorer) -> None:
    before = "Members can borrow six books for four weeks."
    after = "Six books can be borrowed by members for four weeks. Members may not borrow films."
    believing = Scorer(judge=Believing(scorer.judge, 0.1, "films"))
    for texts, kind in (((before, after), "added"), ((after, before), "left-out")):
        assert [finding.kind for finding in believing.compare_texts(*texts).findings] == [kind]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Either party may terminate this agreement with notice. The notice must be sent by post. It rained.",
            "The Client may terminate this agreement with notice, and the notice must be sent by post. It rained.",
        ),
        (
            "Either party may terminate this agreement by giving 30 days' notice. Notice must be given in writing. It rained.",
            "The Client may end this agreement. To do so, 30 days' notice in writing must be given. It rained.",
        ),
    ],
)
def test_a_merged_block_does_not_hide_what_is_found_in_one_of_its_sentences(
    scorer: Scorer, before: str, after: str
) -> None:
    comparison = scorer.compare_texts(before, after)
    assert "Client" in {after[slice(*span)] for finding in comparison.findings for span in finding.after}


def test_clauses_that_have_hardly_anything_in_common_are_left_out_and_added(scorer: Scorer) -> None:
    """Each is a finding of its own, although each stands where the other stood."""
    kept = "5.4 The Builder keeps insurance for the whole term.", "7.1 This agreement ends on 1 April."
    gone = (
        "6.1 The Owner shall report faults in writing within two days.",
        "6.2 The Builder shall mend every fault at its own cost.",
    )
    new = "5.5 The Owner shall have no claim against the Builder for loss of rent."
    comparison = scorer.compare_texts("\n\n".join([kept[0], *gone, kept[1]]), "\n\n".join([kept[0], new, kept[1]]))
    found = [(finding.where, finding.kind) for finding in comparison.findings]
    assert found == [("point 6.1 (before)", "left-out"), ("point 6.2 (before)", "left-out"), ("point 5.5", "added")]


def test_a_finding_speaks_of_texts_and_names_both_clauses(scorer: Scorer) -> None:
    before, after = "7.1 You may not park here.\n7.2 It rained.", "6.1 You may park here.\n6.2 It rained."
    (finding,) = scorer.compare_texts(before, after).findings
    assert finding.where == "point 6.1 (before: point 7.1)"
    assert finding.text.startswith("The text after the change says the opposite: “not")


def test_an_item_is_named_with_its_heading_and_its_sentence(scorer: Scorer) -> None:
    """Its number before is said where it was another one, but not where only the heading was reworded."""
    before = "# Mending\n\n1. Stop.\n2. Wait.\n\n# Opening\n\n1. It rained.\n2. We met them. You may not park here."
    after = before.replace("may not", "may")
    for changed, where in (
        (after, "“Opening”, point 2, sentence 2"),
        (after.replace("Opening", "To open"), "“To open”, point 2, sentence 2"),
        (after.replace("1. It rained.\n2.", "1."), "“Opening”, point 1, sentence 2 (before: point 2)"),
        (before.replace(" You may not park here.", ""), "“Opening”, point 2, sentence 2 (before)"),
    ):
        assert where in {finding.where for finding in scorer.compare_texts(before, changed, is_markdown=True).findings}


@pytest.mark.parametrize(
    ("title", "findings"),
    [("Paying.", 0), ("**Paying.**", 0), ("Your payments", 0), ("No payment.", 1), ("2 payments.", 1), ("Dogs.", 1)],
)
def test_a_title_that_the_text_below_it_says_is_no_added_sentence(scorer: Scorer, title: str, findings: int) -> None:
    before = "You pay by card when you arrive. It rained."
    for text, other in ((before, f"{title} {before}"), (f"{title}\n\n{before}", before)):
        comparison = scorer.compare_texts(text, other, is_markdown=True)
        assert len(comparison.findings) == findings, (text, other)


def test_a_request_is_one_as_a_question_or_not(scorer: Scorer) -> None:
    asked = "Could you please send me the invoice by Friday? It rained."
    for after in (
        "Please send me the invoice by Friday. It rained.",
        "Send me the invoice by Friday, please. It rained.",
    ):
        comparison = scorer.compare_texts(asked, after)
        assert "question" not in {finding.kind for finding in comparison.findings}
    changed = scorer.compare_texts("Is the shop open on Sunday? It rained.", "The shop is open on Sunday. It rained.")
    assert "question" in {finding.kind for finding in changed.findings}


def test_a_pronoun_for_what_stands_around_is_no_finding(scorer: Scorer) -> None:
    before = "Fill the tube with water. Let it cool to room temperature. Add the powder."
    after = before.replace("Let it cool", "Let the tube cool")
    assert scorer.compare_texts(before, after).findings == scorer.compare_texts(after, before).findings == ()
    assert scorer.compare_texts(before, before.replace("Let it", "Let the baby")).verdict != "keep"


def test_clauses_of_word_files_and_markdown_are_named(scorer: Scorer) -> None:
    before = "# Rent\n\n7.1 The rent is paid early.\n\n7.2 The rent is 900 euros."
    comparison = scorer.compare_texts(before, before.replace("900", "950"), is_markdown=True)
    (finding,) = listed_findings(comparison)
    assert (finding.where, finding.line, finding.verdict) == ("point 7.2", 5, "drop")
    assert {each["where"] for each in comparison.to_dict()["findings"]} == {"point 7.2"}
    assert (finding.before, finding.after) == ("The rent is 900 euros.", "The rent is 950 euros.")


RENUMBERED = (
    "3.1 Fees are due in May.\n\n4.1 The Client shall pay EUR 500 under clause 3.1.\n\n"
    "4.2 Either party may appeal under clauses 3.1 and 4.1 unless the time limit in clause 6 has run out.\n\n"
    "6. The time limit is 30 days.",
    "3.1 Fees are due in May.\n\n4.1 Notices shall be sent by post.\n\n"
    "5.1 The Client shall pay EUR 500 under clause 3.1.\n\n"
    "5.2 Either party may appeal under clauses 3.1 and 5.1 unless the time limit in clause 10 has run out.\n\n"
    "10. The time limit is 30 days.",
)


@pytest.mark.parametrize("is_markdown", [False, True])
def test_numbers_of_clauses_and_references_that_follow_them_are_no_finding(scorer: Scorer, is_markdown: bool) -> None:
    before, after = RENUMBERED
    for texts, kind in (((before, after), "added"), ((after, before), "left-out")):
        comparison = scorer.compare_texts(*texts, is_markdown=is_markdown)
        assert [finding.kind for finding in comparison.findings] == [kind]
        assert sum(block.is_same for block in comparison.blocks) == 3


def test_a_reference_to_another_clause_is_a_finding_beside_others_in_its_place(scorer: Scorer) -> None:
    before, after = RENUMBERED
    comparison = scorer.compare_texts(before, after.replace("and 5.1", "and 5.2"))
    (number,) = [finding for finding in comparison.findings if finding.kind == "number"]
    assert number.text == "The number changed: “4.1” became “5.2”"
    after = after.replace("unless", "within 20 days unless")
    comparison = scorer.compare_texts(before, after)
    (number,) = [finding for finding in comparison.findings if finding.kind == "number"]
    assert "".join(after[slice(*span)] for span in number.after) == "20days"
    pytest.importorskip("jinja2", reason="pages need jinja2")
    assert "5.2 " in comparison_html(comparison)


def test_cells_are_reported_with_the_marks_around_them(scorer: Scorer) -> None:
    before = "| option | default |\n|---|---|\n| `--depth N` | 1 |\n"
    comparison = scorer.compare_texts(before, before.replace("1", "2"), is_markdown=True)
    assert "before: `--depth N` | [-1-]" in "\n".join(map(str, comparison_text(comparison, ("a", "b"))))
    pytest.importorskip("jinja2", reason="pages need jinja2")
    assert "`--depth N` | <del>1</del>" in comparison_html(comparison)


def test_code_is_left_alone_unless_it_changed(scorer: Scorer) -> None:
    before = "Run this:\n\n```\nx = 1\n```\n\nSee [the page](https://a.example).\n"
    same = scorer.compare_texts(before, before.replace("the page", "**the page**"), is_markdown=True)
    assert (same.verdict, same.counts["same"]) == ("keep", 3)
    changed = scorer.compare_texts(before, before.replace("x = 1", "x = 2"), is_markdown=True)
    assert [finding.kind for finding in changed.findings] == ["code"]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("", "", "keep"),
        ("", "The depot burnt down.", "drop"),
        ("The depot burnt down.", " \n", "drop"),
        ("…", "---", "keep"),
        ("\x00\x1b[", "\ufffd", "keep"),
    ],
)
def test_texts_without_words(scorer: Scorer, before: str, after: str, verdict: str) -> None:
    assert scorer.compare_texts(before, after).verdict == verdict


def test_what_cannot_be_compared_is_refused(scorer: Scorer) -> None:
    with pytest.raises(InputError, match=r"1,000,001 characters, and 1,000,000 are the most"):
        scorer.compare_texts("a" * (MAX_CHARACTERS + 1), "b")
    with pytest.raises(InputError, match="a sentence on line 3 of the text after the change has 2001 tokens or more"):
        scorer.compare_texts("One.", "One.\n\n" + "word " * 2001)
    with pytest.raises(InputError, match="a text must be a string"):
        usim.compare_texts(b"a", "b")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no such policy: 'longer'; there are same, shorten, expand"):
        scorer.compare_texts("a", "b", policy="longer")  # type: ignore[arg-type]


def test_a_judge_without_words_compares_texts_too() -> None:
    comparison = Scorer(judge=UsimJudge()).compare_texts(*around(FAITHFUL[5], 5))
    assert [block.form for block in comparison.blocks] == ["1-1"] * 6


def test_a_certain_finding_is_told_in_every_way_in_and_never_in_doubt(scorer: Scorer) -> None:
    source = "Please note that we sold 48 chairs to the school on Monday, which pleased all of us a lot."
    output = "On Monday, to the delight of everybody, the school bought 84 chairs from us."
    text = "The number changed: “48” became “84”"
    (first, *_) = scorer.score(source, output).judgement.shown
    assert (first.text, first.is_certain) == (text, True)
    comparison = scorer.compare_texts(f"It rained. {source} We left.", f"It rained. {output} We left.")
    assert text in [finding.text for finding in comparison.findings]
    assert text not in [finding.text for finding in comparison.doubts]
    # Beside another sentence, in a block of its own or a merged one
    merged = scorer.score(f"{source} It was a good day.", f"{output} It was a good day.").judgement
    assert text in [finding.text for finding in merged.shown]
    best = scorer.best(source, [output, "On Monday we sold 48 chairs to the school."])
    assert best.nearest.output != output
    assert bool(best.note) == (best.text is None)


CLAUSES = [
    "The Customer shall inspect the goods within five days.",
    "The Supplier shall insure the goods until delivery.",
    "The Customer shall pay each invoice within thirty days.",
    "Either party may terminate this agreement with two months' notice.",
    "After a termination under clause {} the Supplier shall complete all orders.",
]
STEPS = ["Switch off the pump.", "Close the valve.", "Disconnect the hose.", "Drain the water.", "Repeat step {}."]


def listed(items: Sequence[str], way: str, *numbers: object) -> str:
    """Numbered items as a format writes them, with the numbers that they refer to."""
    form, gap = {
        "text": ("{}. {}", "\n\n"), "lines": ("{}. {}", "\n"), "named": ("Clause {}: {}", "\n\n"),
        "markdown": ("{}. {}", "\n"), "counted": ("1. {1}", "\n"), "headings": ("## {}. Part\n\n{}", "\n\n"),
        "unnumbered": ("- {1}", "\n"), "Word": ("{}. {}", "\n\n"),
    }[way]  # fmt: skip
    return gap.join(form.format(k, item) for k, item in enumerate(items, 1)).format(*numbers)


def found(
    scorer: Scorer, before: str, after: str, way: str, tmp_path: Path, **policy: Any
) -> list[tuple[str, str, str]]:
    """What is found by a way into usim: kind, text and verdict."""
    if way == "Word":
        files = (
            word_file(tmp_path / name, "".join(map(p, text.split("\n\n"))))
            for name, text in (("a.docx", before), ("b.docx", after))
        )
        before, after = (read_document(file).text for file in files)
    is_markdown = way in ("markdown", "counted", "headings")
    comparison = scorer.compare_texts(before, after, is_markdown=is_markdown, **policy)
    return [(finding.kind, finding.text, finding.verdict) for finding in comparison.findings]


NUMBERED = ["text", "lines", "named", "markdown", "counted", "headings", "Word"]


@pytest.mark.parametrize("way", NUMBERED)
@pytest.mark.parametrize("change", ["deleted", "inserted"])
def test_a_reference_to_a_clause_that_was_renumbered(scorer: Scorer, tmp_path: Path, way: str, change: str) -> None:
    """It is out of date where it stays; brought up to date it is no finding."""
    new = [*CLAUSES[:1], *CLAUSES[2:]] if change == "deleted" else ["The Customer shall not resell goods.", *CLAUSES]
    now = 3 if change == "deleted" else 5
    before = listed(CLAUSES, way, 4)
    kind = "left-out" if change == "deleted" else "added"
    stale, mended = (found(scorer, before, listed(new, way, n), way, tmp_path) for n in (4, now))
    said = f"The reference to clause 4 is out of date: clause 4 is now clause {now}"
    assert [each for each in stale if each[0] != kind] == [("reference", said, "drop")]
    assert {each[0] for each in mended} == {kind}


REWORDED = [
    "Customers look at what arrives in the first five days.",
    "Goods are insured by the Supplier until they are delivered.",
    "Money for a bill is due in thirty days.",
    "This contract can be brought to an end by each side if it tells the other two months ahead.",
    "Once it has ended under clause {}, open orders are still done.",
]


@pytest.mark.parametrize("way", ["text", "named", "markdown", "Word"])
@pytest.mark.parametrize("reworded", [[3], [3, 4], [2, 3, 4]])
def test_a_reference_to_a_clause_that_was_renumbered_and_reworded(
    scorer: Scorer, tmp_path: Path, way: str, reworded: list[int]
) -> None:
    """The clause is the one that comes next to one that stays, whatever it says now."""
    items = [REWORDED[k] if k in reworded else clause for k, clause in enumerate(CLAUSES)]
    before, (stale, mended) = listed(CLAUSES, way, 4), (listed(items[1:], way, n) for n in (4, 3))
    said = "The reference to clause 4 is out of date: clause 4 is now clause 3"
    findings = found(scorer, before, stale, way, tmp_path)
    assert said in [text for kind, text, _ in findings if kind == "reference"]
    assert "reference" not in [kind for kind, *_ in found(scorer, before, mended, way, tmp_path)]


@pytest.mark.parametrize("policy", ["same", "shorten", "expand"])
def test_no_policy_allows_a_reference_to_another_clause(scorer: Scorer, tmp_path: Path, policy: str) -> None:
    before, after = listed(CLAUSES, "text", 4), listed(CLAUSES[1:], "text", 4)
    assert "reference" in [kind for kind, *_ in found(scorer, before, after, "text", tmp_path, policy=policy)]


@pytest.mark.parametrize(
    ("items", "change", "said"),
    [
        ([*CLAUSES[:4], "Clause 2 survives."], [0, 2, 3, 4], "clause 2 is left out"),
        ([*CLAUSES[:3], "Clause 5 survives.", CLAUSES[3]], [0, 1, 2, 3], "clause 5 is left out"),
        (
            [*CLAUSES[:4], "Clauses 2 and 3 survive."],
            [1, 2, 3, 4],
            "clause 2 is now clause 1; clause 3 is now clause 2",
        ),
        ([*CLAUSES[:4], "Clause 3 of the Sale of Goods Act survives."], [1, 2, 3, 4], ""),
        ([*CLAUSES[:4], "Clause 1 survives."], [0, 1, 3, 4], ""),
    ],
)
def test_references_that_stay(scorer: Scorer, tmp_path: Path, items: list[str], change: list[int], said: str) -> None:
    after = [items[k] for k in change]
    findings = found(scorer, listed(items, "text"), listed(after, "text"), "text", tmp_path)
    assert "; ".join(text.partition("date: ")[2] for kind, text, _ in findings if kind == "reference") == said


def test_places_of_a_reference_are_those_of_its_numbers(scorer: Scorer) -> None:
    before, after = listed(CLAUSES, "text", 4), listed(CLAUSES[1:], "text", 4)
    comparison = scorer.compare_texts(before, after)
    (finding,) = (each for each in comparison.findings if each.kind == "reference")
    assert [before[slice(*span)] for span in finding.before] == [after[slice(*span)] for span in finding.after] == ["4"]
    assert finding.where == "point 4 (before: point 5)"


@pytest.mark.parametrize("way", ["text", "lines", "named", "markdown", "counted", "Word", "unnumbered"])
def test_steps_that_change_places_are_found_in_a_numbered_list(scorer: Scorer, tmp_path: Path, way: str) -> None:
    before, after = (listed([STEPS[k] for k in order], way) for order in ((0, 1, 2, 3), (0, 2, 1, 3)))
    said = ("order", "Step 3 now comes before step 2", "drop")
    assert found(scorer, before, after, way, tmp_path) == ([] if way == "unnumbered" else [said])


def test_clauses_that_change_places_are_to_look_at(scorer: Scorer, tmp_path: Path) -> None:
    before, after = (listed([CLAUSES[k] for k in order], "text") for order in ((0, 1, 2, 3), (0, 2, 1, 3)))
    assert found(scorer, before, after, "text", tmp_path) == [("order", "Point 3 now comes before point 2", "review")]
    paragraphs = (" ".join(CLAUSES[k] for k in order) for order in ((0, 1, 2, 3), (0, 2, 1, 3)))
    assert found(scorer, *paragraphs, "text", tmp_path) == []


@pytest.mark.parametrize("way", ["text", "lines", "markdown", "unnumbered", "Word"])
@pytest.mark.parametrize("place", range(4))
def test_a_clause_of_its_own_is_as_grave_when_it_is_added_as_when_it_is_left_out(
    scorer: Scorer, tmp_path: Path, way: str, place: int
) -> None:
    """Its words stand in the clauses around it, which have not changed."""
    whole, rest = (listed(items, way) for items in (CLAUSES[:4], [*CLAUSES[:place], *CLAUSES[place + 1 : 4]]))
    ((lost, _, first),) = found(scorer, whole, rest, way, tmp_path)
    ((added, _, second),) = found(scorer, rest, whole, way, tmp_path)
    assert (lost, first, added, second) == ("left-out", "drop", "added", "drop")


def test_a_sentence_has_the_same_verdict_in_text_and_in_word(scorer: Scorer, tmp_path: Path) -> None:
    before = [
        "Working hours and how they are recorded",
        "Employees record their hours in the time sheet every day",
        "If a manager asks for it, the record is sent on Friday",
        "Equipment that the company provides",
        "The company provides a laptop and a screen",
    ]
    after = [
        *before[:2],
        "On the request of a manager the record is sent on Friday",
        before[3],
        "The company provides a laptop",
    ]
    ways = (("text", "\n\n"), ("lines", "\n"), ("Word", "\n\n"))
    first, *others = (found(scorer, gap.join(before), gap.join(after), way, tmp_path) for way, gap in ways)
    assert others == [first] * 2
