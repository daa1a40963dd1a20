"""The evidence of a pair: certain facts, what else speaks against a change, and what people are told of it."""

from __future__ import annotations

import pytest

from tests.brackets import graph_of
from usim.evidence import Analysis, Evidence, Finding, compare, gather, show
from usim.text import token_texts


def analysis(text: str) -> Analysis:
    return Analysis(graph_of(f"[H {' '.join(token_texts(text))} ]"), None, text)


def found(
    source: str, output: str, *findings: Finding, is_reworded: bool = False
) -> tuple[Evidence, list[str], list[str]]:
    """Return the evidence of a pair, and the texts that are told where it is to be reviewed, and where it is kept."""
    a, b = analysis(source), analysis(output)
    comparison = compare(a, b)
    evidence = gather(a, b, comparison, (), found=findings, is_reworded=is_reworded)
    told = [
        [one.text for one in show(evidence.findings, a, b, comparison, verdict=verdict, policy="same",
                                  is_reworded=is_reworded) if one.is_shown]
        for verdict in ("review", "keep")
    ]  # fmt: skip
    return evidence, *told


def found_by_itself(source: str, output: str) -> Evidence:
    a, b = analysis(source), analysis(output)
    return gather(a, b, compare(a, b), ())


SENSE = Finding("sense", "“ask” became “say”, which may mean something else", (1,), (1,), weight=0.5)
GRAVE, LIGHT = (Finding("negation", "g", (0,), (), weight=0.9), Finding("tense", "l", (1,), (1,), weight=0.4))


@pytest.mark.parametrize(
    ("source", "output", "is_told"),
    [
        ("It is checked every two years.", "It is checked every second year.", False),
        ("It is checked every two hours.", "It is checked every other hour.", False),
        ("It is checked every two years.", "It is checked every third year.", True),
        ("Ann is thirty and Ben is thirty.", "Ann and Ben are both thirty.", False),
        ("Ann is thirty and Ben is thirty.", "Ann is thirty and Ben is forty.", True),
        ("Apply at least ten days before it.", "Apply no later than ten days before it.", False),
        ("Apply at least ten days before it.", "Apply at most ten days before it.", True),
    ],
)
def test_the_words_of_equal_values_are_no_findings(source: str, output: str, is_told: bool) -> None:
    about = {"number", "modifier-added", "adverbial-added", "direction", "fact"}
    kinds = {one.kind for one in found_by_itself(source, output).findings if "both" not in one.text}
    assert bool(kinds & about) == is_told


@pytest.mark.parametrize(
    ("output", "is_reworded", "is_told"),
    [
        ("It attracted over 2,000 visitors to the big park.", False, True),
        ("It attracted over 2,000 visitors to the big park.", True, False),
        ("It attracted 2,000 visitors to the big park.", False, False),
    ],
)
def test_a_limit_is_told_beside_other_changes_where_nothing_is_reworded(
    output: str, is_reworded: bool, is_told: bool
) -> None:
    _, told, _ = found("It drew 2,000 visitors to the big park.", output, is_reworded=is_reworded)
    assert ("The limit changed: “2,000” became “over 2,000”" in told) == is_told


@pytest.mark.parametrize(
    ("source", "output", "is_told"),
    [
        ("He was 34 years of age in May.", "In May he turned 34.", False),
        ("Children aged 5–12 may come in.", "Children from 5 to 12 years may come.", False),
        ("It takes nine hours to walk to it.", "To walk to it takes nine days.", True),
    ],
)
def test_a_unit_that_was_left_out_is_not_told(source: str, output: str, is_told: bool) -> None:
    assert any(one.kind == "unit" for one in found_by_itself(source, output).findings) == is_told


@pytest.mark.parametrize(
    "output", ["The lake is 3 km long and 12 km wide.", "While 12 km wide, the lake is 3 km long."]
)
def test_an_exchange_is_told_once(output: str) -> None:
    _, told, _ = found("The lake is 12 km long and 3 km wide.", output)
    assert [text for text in told if "changed places" in text] == ["“12 km” and “3 km” have changed places"]


@pytest.mark.parametrize(
    ("source", "output", "limits"),
    [
        ("At least 30 people came.", "There came at most 30 people.", "“At least 30” became “at most 30”"),
        ("Come without a card if under six.", "Come with a card if over six.", "“under six” became “over six”"),
    ],
)
def test_opposite_limits_are_one_finding(source: str, output: str, limits: str) -> None:
    told = [one.text for one in found_by_itself(source, output).findings]
    assert told.count(f"The limit changed: {limits}") == 1


@pytest.mark.parametrize(("places", "is_told"), [((5, 6), False), ((3, 4, 5, 6), True), ((5,), False)])
def test_what_the_reader_misses_is_not_told_beside_the_values_that_it_is_about(
    places: tuple[int, ...], is_told: bool
) -> None:
    unsaid = Finding("unsaid", "unsaid", places, (), weight=0.9)
    source = "The house was cheaply built in 2019 and it was sold in 2021."
    _, told, _ = found(source, "The house was built in 2021 and it was sold in 2019.", unsaid)
    assert told[0] == "“2019” and “2021” have changed places"
    assert ("“cheaply” seems to be missing" in told) == is_told


@pytest.mark.parametrize("is_reworded", [False, True])
def test_a_fact_that_changed_is_certain_and_told(is_reworded: bool) -> None:
    evidence, told, _ = found("We sold 48 chairs.", "We have sold 84 chairs.", is_reworded=is_reworded)
    assert told == ["The number changed: “48” became “84”"]
    (fact,) = evidence.findings
    assert (fact.is_certain, fact.is_alone, fact.allowed_by) == (True, False, "")
    assert [evidence.ledger.findings[0].kind, fact.source_spans] == ["number", ((8, 10),)]


@pytest.mark.parametrize(
    ("source", "output", "policy", "is_alone"),
    [
        ("We sold 48 chairs.", "We sold chairs.", "shorten", True),
        ("We sold 48 chairs.", "Chairs were sold by us.", "shorten", False),
        ("We sold chairs.", "We sold 48 chairs.", "expand", True),
        ("We sold 48 chairs.", "We sold 49 chairs.", "", True),
        ("We refund you if it is faulty.", "We refund you.", "", True),
    ],
)
def test_a_policy_allows_its_direction_but_no_loss_of_a_condition(
    source: str, output: str, policy: str, is_alone: bool
) -> None:
    (fact, *_) = found(source, output)[0].findings
    assert (fact.is_certain, fact.allowed_by, fact.is_alone) == (True, policy, is_alone)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("You may enter with a ticket.", "You may enter without a ticket."),
        ("Keep no pets here.", "Keep pets here."),
        ("Call us unless it rains.", "Call us unless it does not rain."),
        ("It is not free of charge.", "It is free of charge."),
        ("They take only no bookings.", "They take just bookings."),
        ("The minimum age is 16.", "Nobody over 16 may enter."),
        ("He cannot come.", "He is able to come."),
        ("It was without pain.", "It was a pain."),
        ("You ask whether it rains.", "You ask whether it does not rain."),
    ],
)
def test_a_negation_of_what_both_texts_say_turns_it_round(source: str, output: str) -> None:
    for pair in ((source, output), (output, source)):
        assert "negation" in [one.kind for one in found_by_itself(*pair).findings]


@pytest.mark.parametrize(
    ("source", "output", "is_certain"),
    [
        ("Parking is allowed in the street only on market days .", "On market days you can only park there .", True),
        ("Take them to the rear gate only on weekdays .", "On weekdays take them only to the rear gate .", True),
        ("Refunds are given only with a receipt .", "Refunds are only given with a receipt .", False),
        ("Refunds are given only with a receipt .", "Only with a receipt are refunds given .", False),
        ("We only open on Mondays .", "On Mondays only do we open .", False),
        ("Ann was the only guest of the six that came .", "Of the six guests only Ann came .", False),
        ("We open. It is only on Mondays that we eat .", "We eat on Mondays. We only open then .", False),
    ],
)
def test_what_stands_before_only_is_not_what_it_is_about(source: str, output: str, is_certain: bool) -> None:
    certain = [one for one in found_by_itself(source, output).findings if one.is_certain]
    assert [one.kind for one in certain] == ["scope"] * is_certain


@pytest.mark.parametrize(
    ("source", "output", "is_found"),
    [
        ("Invoices are due within 30 days.", "Invoices must be paid within 30 days.", False),
        ("Smokers leave the room.", "Smokers must leave the room.", True),
        ("Invoices are paid within 30 days.", "Invoices must be paid within 30 days.", True),
    ],
)
def test_a_duty_may_be_said_otherwise(source: str, output: str, is_found: bool) -> None:
    for pair in ((source, output), (output, source)):
        assert ("modality" in [one.kind for one in found_by_itself(*pair).findings]) == is_found


@pytest.mark.parametrize(
    ("source", "output", "said"),
    [
        ("He was not able to come to the party.", "He could not come to the party.",
         "“was not able to” became “could not”; "),
        ("Upon termination all of the data is deleted.", "On the end all of the data is erased.", ""),
        ("They ask us.", "They say it.", "The whole sentence was reworded; "),
    ],
)  # fmt: skip
def test_a_sentence_is_said_to_be_reworded_as_a_whole_where_most_of_it_was(source: str, output: str, said: str) -> None:
    a, b = analysis(source), analysis(output)
    marked = show((), a, b, compare(a, b), verdict="review", policy="same", is_reworded=True)
    assert [finding.text for finding in marked] == [f"{said}usim cannot tell whether it still says the same"]


def test_of_a_reworded_text_no_single_word_is_told_and_of_a_change_that_is_kept_none() -> None:
    unsure = "usim cannot tell whether it still says the same"
    assert found("They ask us.", "They say it.", SENSE, is_reworded=True)[1] == [
        f"The whole sentence was reworded; {unsure}"
    ]
    assert found("They ask us.", "They say it.")[1:] == ([unsure], [])
    assert found("They ask us.", "They ask him.", GRAVE, LIGHT)[1:] == (["g"], [])


@pytest.mark.parametrize(
    ("source", "output", "weight"),
    [
        ("It was not above zero.", "It was below zero.", 0.3),
        ("It is less difficult now.", "It is easier now.", None),
        ("Hand it in by May.", "Hand it in no later than May.", None),
        # Equal forms: each denies in its own way, or the word that is denied is not said.
        ("Neither party may assign it without consent.", "No party may assign it unless consent is given.", None),
        ("Pets need consent: keep none without it.", "Pets need consent: keep none unless it is there.", None),
        ("Trains run except on Sundays.", "Trains run but not on Sundays.", None),
        ("It was not a large model but more data.", "Rather than a large model it was more data.", None),
        ("Delivery is free of charge.", "Delivery is without charge.", None),
        ("Tell them promptly.", "Tell them without delay.", None),
        ("The minimum age is 16.", "Nobody under 16 may enter.", None),
        ("The maximum age is 65.", "Nobody over 65 may enter.", None),
        ("He cannot come.", "He is unable to come.", None),
        ("It was painless.", "It was without pain.", None),
        ("There is no limit.", "It is unlimited.", None),
        ("You pay no matter whether you come.", "You pay whether you come or not.", None),
        ("You pay regardless of whether you come.", "You pay whether or not you come.", None),
        ("Almost nobody came.", "Hardly anyone came.", None),
        ("It almost never rains.", "It hardly ever rains.", None),
        ("She left at once.", "She left without delay.", None),
        # What denies a verb is about that verb.
        ("You shall not fail to tell us.", "You shall tell us.", None),
        ("Do not omit to sign.", "Sign.", None),
        ("You may not sell it without leave.", "You may not sell it unless you have leave.", None),
        ("We print names only with consent.", "We do not print a name unless you consent.", None),
        ("Bids that are unsuccessful are kept.", "We keep the bids that did not succeed.", None),
        ("You pay for repairs, wear excepted.", "You pay for repairs. You do not have to pay for wear.", None),
        # Of two negations each takes back its own word.
        ("Theft is not covered if it was unlocked.", "Theft is excluded if it was not locked.", None),
        ("It was unlocked and the door was not open.", "It was not locked and the door was closed.", None),
    ],
)
def test_what_a_negation_takes_back_is_no_opposite(source: str, output: str, weight: float | None) -> None:
    a, b = analysis(source), analysis(output)
    evidence = gather(a, b, compare(a, b), ()).findings
    negations = [one for one in evidence if one.kind == "negation"]
    assert [one.weight for one in negations] == ([] if weight is None else [weight])
    assert not any("the opposite" in one.text for one in evidence)


@pytest.mark.parametrize(
    ("source", "output", "is_found"),
    [
        ("The Buyer shall not assign it.", "The Buyer may not assign it.", False),
        ("No party may assign it.", "Neither party shall assign it.", False),
        ("You need not pay.", "You must not pay.", True),
        ("The Buyer shall assign it.", "The Buyer may assign it.", True),
        ("Without a key they may enter.", "Without a key they must enter.", True),
    ],
)
def test_what_forbids_on_both_sides_forbids_alike(source: str, output: str, *, is_found: bool) -> None:
    kinds = {finding.kind for finding in found_by_itself(source, output).findings}
    assert ("modality" in kinds) == is_found


@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        ("She has a used bicycle.", "She has a new bicycle.", "“used” became “new”, which may say something else"),
        ("They came around nine.", "They came after nine.", "The limit changed: “around nine” became “after nine”"),
    ],
)
def test_what_gave_way_is_told_with_what_took_its_place(source: str, output: str, told: str) -> None:
    assert told in [finding.text for finding in found_by_itself(source, output).findings]


@pytest.mark.parametrize(
    ("source", "output", "is_equal"),
    [
        ("He almost never comes.", "He hardly ever comes.", True),
        ("He never comes.", "He hardly ever comes.", False),
        ("He answered promptly.", "He answered without delay.", True),
        ("He promptly answered.", "He answered without delay.", True),
        ("He promptly answered.", "He answered with delay.", False),
    ],
)
def test_phrases_that_deny_alike_are_no_findings(source: str, output: str, *, is_equal: bool) -> None:
    for pair in ((source, output), (output, source)):
        assert (not found_by_itself(*pair).findings) == is_equal


@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        (
            "We paid the other party.",
            "We paid the Supplier.",
            "“party” became “Supplier”, which means something else",
        ),
        ("We paid the Supplier.", "We paid the driver.", "“Supplier” became “driver”, which means something else"),
        ("He asked the mayor.", "He asked Anna.", "The name changed: “mayor” became “Anna”"),
        ("The Supplier paid us.", "The Customer paid us.", "The name changed: “Supplier” became “Customer”"),
    ],
)
def test_a_role_that_is_written_as_a_name_is_a_word(source: str, output: str, told: str) -> None:
    assert [one.text for one in found_by_itself(source, output).findings if one.kind == "name"] == [told]


def test_what_stands_between_no_two_that_are_related_is_an_opposite() -> None:
    evidence = found_by_itself("The parent pays the fee.", "The child pays the fee.")
    assert [one.kind for one in evidence.findings] == ["opposite"]


LUNCH = "Please keep the receipt, as he may not pay for lunch and drinks."


@pytest.mark.parametrize(
    ("text", "source", "output", "told"),
    [
        # It is said, as it stands or in another form; in another place; with other words of little weight.
        ("He paid for drinks and lunch and keeps receipts.", (3,), (), ""),
        ("He paid for drinks and lunch and keeps receipts.", (11, 12, 13), (), ""),
        ("He paid for drinks and lunch and keeps receipts.", (9,), (1,), ""),
        ("He paid for drinks and lunch and keeps receipts.", (2, 3), (), ""),
        ("He paid for drinks and lunch, keeping their receipts.", (), (7, 8), "“their” seems to be new"),
        # It is not, or by some of its words; or how they stand together is not.
        ("He paid for it.", (3,), (), "as the network says"),
        ("He paid for it: keep it.", (1, 2, 3), (), "“receipt” seems to be missing"),
        ("He may pay for it.", (7, 8), (), "“not” seems to be missing"),
        ("Please keep the bill.", (3,), (3,), "as the network says"),
    ],
)  # fmt: skip
def test_a_word_that_the_other_text_has_is_not_told_as_unsaid(
    text: str, source: tuple[int, ...], output: tuple[int, ...], told: str
) -> None:
    finding = Finding("unsaid", "as the network says", source, output, weight=0.7)
    findings = found(LUNCH, text, finding)[0].findings
    assert [one.text for one in findings if one.kind == "unsaid"] == ([told] if told else [])


@pytest.mark.parametrize("is_reworded", [False, True])
def test_where_words_were_only_left_out_or_added_these_are_named(is_reworded: bool) -> None:
    long, short = "She sang in the old church by the river.", "She sang."
    unsure = "usim cannot tell whether it still says the same"
    assert found(long, short, is_reworded=is_reworded)[1] == [f"“in the old church by the river” is left out; {unsure}"]
    assert found(short, long, is_reworded=is_reworded)[1] == [f"“in the old church by the river” is added; {unsure}"]


@pytest.mark.parametrize(
    ("findings", "shown"),
    [
        pytest.param((GRAVE, LIGHT), "g", id="less than half the weight of the gravest"),
        pytest.param((LIGHT,), "l", id="alone"),
        pytest.param((GRAVE, Finding("sense", "s", (2,), (2,), weight=0.45)), "g s", id="half the weight"),
        pytest.param((Finding("number", "n", (3,), (), weight=0.6), Finding("claim", "c", (), (3,), weight=0.5)), "n",
                     id="about the same words"),
        pytest.param((GRAVE, Finding("question", "q", weight=0.7)), "g q", id="about no word"),
    ],
)  # fmt: skip
def test_the_gravest_are_told(findings: tuple[Finding, ...], shown: str) -> None:
    a, b = analysis("He will come home"), analysis("He will come late")
    marked = show(findings, a, b, compare(a, b), verdict="review", policy="same")
    assert [one.text for one in marked if one.is_shown] == shown.split()


@pytest.mark.parametrize("verdict", ["keep", "review", "drop"])
@pytest.mark.parametrize("is_reworded", [False, True])
def test_beside_corrections_it_is_told_which_words_were_exchanged(verdict: str, is_reworded: bool) -> None:
    a, b = analysis("He buyed a small house in there."), analysis("He bought a cheap house there.")
    comparison = compare(a, b)
    evidence = gather(a, b, comparison, (), is_reworded=is_reworded)
    marked = show(
        evidence.findings, a, b, comparison, verdict=verdict, policy="same", is_reworded=is_reworded, is_corrected=True
    )
    told = [one for one in marked if one.is_shown and one.kind in ("sense", "unrelated")]
    assert [(a.tokens[one.source[0]], b.tokens[one.output[0]], one.is_certain) for one in told] == [
        ("small", "cheap", False)
    ]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("We make a party.", "We give a party."),  # what was exchanged is the error
        ("He loose the keys in there.", "He lost the key there."),  # the letters say so
        ("He work hardly in the city.", "He works hard in the city."),
    ],
)
def test_the_correction_itself_is_no_exchange(source: str, output: str) -> None:
    a, b = analysis(source), analysis(output)
    comparison = compare(a, b)
    findings = gather(a, b, comparison, ()).findings
    marked = show(findings, a, b, comparison, verdict="keep", policy="same", is_corrected=True)
    assert not any(one.is_shown for one in marked)


def test_of_another_language_it_is_told_that_usim_does_not_read_it() -> None:
    a, b = analysis("zwei Katzen sitzen auf dem Dach"), analysis("drei Katzen sitzen auf dem Dach")
    guess = Finding("not-meant", "m", (0,), (0,), weight=0.6, is_shown=True)
    language = Finding("language", "l", weight=0.5, is_shown=True)
    marked = show((guess, language), a, b, compare(a, b), verdict="review", policy="same")
    assert [one.text for one in marked if one.is_shown] == ["l"]


@pytest.mark.parametrize(
    ("source", "output", "kind", "text"),
    [
        ("He saw the dog.", "The dog saw he.", "order", "The same words stand in another order"),
        ("He sleeps.", f"He {'a' * 101}s.", "unreadable", "A very long word changed, which usim cannot read"),
        (
            "He sleeps.",
            "He slеeps.",
            "unreadable",
            "Letters of another script that look the same took the place of others",
        ),
        (
            "Er hat das Haus gestern nicht gesehen und ging.",
            "Er hat das Haus heute nicht gesehen und ging.",
            "language",
            "",
        ),
    ],
)
def test_what_usim_cannot_read_and_another_order_are_findings(source: str, output: str, kind: str, text: str) -> None:
    (finding,) = (one for one in found(source, output)[0].findings if one.kind == kind)
    assert finding.text == text or finding.text.startswith("This seems not to be English")


@pytest.mark.parametrize(
    ("source", "output", "text"),
    [
        ("It renews if the award-winning tenant pays 15 %.", "It renews.",
         "The condition “if the award-winning tenant pays 15 %” is gone"),
        ("Back it up before you upgrade.", "Back it up after you upgrade.",
         "The order in time changed: “before you upgrade” became “after you upgrade”"),
        ("Nobody has seen the dog.", "Somebody has seen the dog.",
         "The output says the opposite: “Nobody has seen” became “Somebody has seen”"),
        ("You may enter only with a ticket.", "You may enter without a ticket.",
         "The output says the opposite: “only with a ticket” became “without a ticket”"),
        ("The plumber didnt come.", "The plumber did come.",
         "The output says the opposite: “didnt come” became “did come”"),
        ("Sales fell by 5% in May.", "Sales fell to 5% in May.", "“by 5%” became “to 5%”, which means something else"),
        ("Sales rose from 5% in May.", "Sales rose to 5% in May.", "“from 5%” became “to 5%”, the opposite"),
        ("It costs 20 \t  euros.", "It costs 25\n\teuros.", "The number changed: “20 euros” became “25 euros”"),
    ],
)  # fmt: skip
def test_a_finding_names_a_fact_as_it_is_written_with_single_blanks(source: str, output: str, text: str) -> None:
    assert text in [one.text for one in found(source, output)[0].findings]


@pytest.mark.parametrize(
    ("source", "output", "status"),
    [
        ("If I were rich, I would travel the world.", "Were I rich, I would travel the world.", "kept"),
        ("I would travel if I were rich.", "I would travel were I rich.", "kept"),
        ("If I was rich, I would travel.", "Were I rich, I would travel.", "kept"),
        ("If he had known it, he would have come.", "Had he known it, he would have come.", "kept"),
        ("If you had known, would you have come?", "Had you known, would you have come?", "kept"),
        ("If it were not for you, we would have failed.", "Were it not for you, we would have failed.", "kept"),
        ("If the court finds a breach, it ends.", "Should the court find a breach, it ends.", "kept"),
        ("If you need help, call us.", "Should you need help, call us.", "kept"),
        ("Even if it should rain, we will play.", "Even should it rain, we will play.", "kept"),
        ("Even were I rich, I would stay.", "Even if I were rich, I would stay.", "kept"),
        ("We will not deliver if you fail to pay.", "We will not deliver should you fail to pay.", "kept"),
        ("Unless you pay, we will leave.", "If you do not pay, we will leave.", "kept"),
        ("We start unless anybody objects.", "We start if nobody objects.", "kept"),
        ("Unless you pay, we will leave.", "If you pay, we will leave.", "changed"),
        ("Had he known it, he would have come.", "He had known it and came.", "lost"),
        ("I would travel were I rich.", "I would travel.", "lost"),
        ("If you were rich.", "Were you rich?", "lost"),
        ("If he had known it, he came.", "Had he known it?", "lost"),
        ("So should you.", "So you should.", ""),
        ("Perhaps you should check it.", "It may help if you check it.", "added"),
        ("Anyone who falls should report it.", "Anyone who falls reports it.", ""),
        ("It is late, you should always ask.", "It is late, you always ask.", ""),
        ("I know which way should we go.", "I know which way we should go.", ""),
        ("They won and were the owners.", "They won, were the owners, and would stay.", ""),
    ],
)
def test_a_condition_is_one_however_it_is_said(source: str, output: str, status: str) -> None:
    about = {"question", "connective", "modality", "tense", "fact"}
    for pair, turned in (
        ((source, output), status),
        ((output, source), {"lost": "added", "added": "lost"}.get(status, status)),
    ):
        evidence = found_by_itself(*pair)
        assert [fact.status for fact in evidence.ledger.entries if fact.kind == "condition"] == [turned] * bool(status)
        assert status != "kept" or about.isdisjoint(finding.kind for finding in evidence.findings)
        assert any(f.is_certain for f in evidence.findings) == (status == "changed") or status in ("lost", "added", "")


def test_a_condition_may_still_be_asked_or_be_a_duty() -> None:
    kinds = {finding.kind for finding in found_by_itself("Should we leave?", "We should leave.").findings}
    assert "question" in kinds
    pair = "If you must pay, you should ask.", "If you must pay, you ask."
    assert "modality" in {finding.kind for finding in found_by_itself(*pair).findings}


@pytest.mark.parametrize(
    ("source", "output", "is_opposite"),
    [
        ("You may enter only with a ticket.", "You may enter without a ticket.", True),
        ("You may only park here with permission.", "You may park here without permission.", True),
        ("You may park here only if you pay.", "You may park here unless you pay.", True),
        ("We only sell bread.", "We do not sell bread.", True),
        ("You may enter only after approval.", "You may enter before approval.", True),
        ("You may enter only with a ticket.", "You may not enter without a ticket.", False),
        ("You may enter only if you pay.", "You may not enter unless you pay.", False),
        ("You may enter only after approval.", "You may not enter before approval.", False),
        ("You may enter only with a ticket.", "Without a ticket you may just look.", False),
    ],
)
def test_without_is_the_opposite_of_only_with(source: str, output: str, is_opposite: bool) -> None:
    for pair in ((source, output), (output, source)):
        assert any(finding.is_certain for finding in found_by_itself(*pair).findings) == is_opposite


@pytest.mark.parametrize(
    ("future", "present", "is_told"),
    [
        ("If it will rain, we stay.", "If it rains, we stay.", False),
        ("Unless it'll rain, we go.", "Unless it rains, we go.", False),
        ("When he will arrive, we will eat.", "When he arrives, we will eat.", False),
        ("We wait until the bus will come.", "We wait until the bus comes.", False),
        ("Call me as soon as you will be there.", "Call me as soon as you are there.", False),
        ("It will rain.", "It rains.", True),
        ("If it rains, we will stay.", "If it rains, we stay.", True),
        ("I know when he will arrive.", "I know when he arrives.", True),
        ("Before noon it will rain.", "Before noon it rains.", True),
        ("After lunch Tom will come.", "After lunch Tom comes.", True),
        ("Until it is repaired I will pay.", "Until it is repaired I pay.", True),
    ],
)
def test_in_a_condition_or_a_time_a_future_is_no_other_time(future: str, present: str, is_told: bool) -> None:
    for pair in ((future, present), (present, future)):
        assert ("modality" in {finding.kind for finding in found_by_itself(*pair).findings}) == is_told


@pytest.mark.parametrize(("link", "is_told"), [("[L If]", False), ("[L Because]", True)])
def test_in_a_condition_the_verb_of_a_future_has_no_other_time(link: str, is_told: bool) -> None:
    brackets = [f"[H {link} [A it] {verb} ] [H [A we] [P stay] ]" for verb in ("[D will] [P rain]", "[P rains]")]
    a, b = (Analysis(graph_of(text), None, " ".join(graph_of(text).tokens)) for text in brackets)
    kinds = {finding.kind for finding in gather(a, b, compare(a, b), ()).findings}
    assert ("tense" in kinds) == is_told
