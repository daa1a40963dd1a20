"""The ledger of facts: what is certain, both ways round, and what always holds."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.brackets import graph_of
from tests.tables import cases
from usim.evidence import Fact, Ledger, SentenceView, build_ledger
from usim.measures import align_graphs
from usim.text import token_texts


def view(text: str) -> SentenceView:
    return SentenceView(graph_of(f"[H {' '.join(token_texts(text))} ]"), None, text)


def ledger(source: str, output: str) -> Ledger:
    a, b = view(source), view(output)
    return build_ledger(a, b, align_graphs(a.graph, b.graph).pairs, [])


def said(entry: Fact) -> str:
    return " ".join(part for part in (entry.kind, entry.status, entry.old, ">", entry.new) if part)


EXAMPLES = cases(__file__, "ledger.tsv")


@pytest.mark.parametrize(("source", "output", "finding"), EXAMPLES)
def test_a_fact_that_changed_is_certain_and_one_that_is_paraphrase_is_not(
    source: str, output: str, finding: str
) -> None:
    assert [said(entry) for entry in ledger(source, output).findings] == ([finding] if finding else [])
    # A faithful text around it does not hide it.
    source = f"The weather was kind to us. {source} Everybody enjoyed the dinner."
    output = f"We were lucky with the weather. {output} The dinner was enjoyed by everybody."
    assert not finding or finding in [said(entry) for entry in ledger(source, output).findings]


ALONE = [
    ("The pill may cause headaches.", "The pill causes headaches.", "possibility lost may >"),
    ("The mayor allegedly took the money.", "The mayor took the money.", "attribution lost allegedly >"),
    ("He tried to sell the house.", "He sold the house.", "intent lost tried >"),
    ("According to her, he fled.", "He fled.", "attribution lost According to her >"),
    ("Critics allege that the firm lied.", "The firm lied.", "attribution lost Critics allege >"),
    ("Members vote here.", "Only members vote here.", "focus added > Only"),
    ("She have two cat.", "She has three cats.", "number changed two > three"),
    ("We pay if nobody objects to it.", "We pay.", "condition lost if nobody objects to it >"),
    ("You pay.", "Unless you win, you pay.", "condition added > Unless you win"),
    ("He stopped to smoke.", "He stopped smoking.", "construction changed stopped to smoke > stopped smoking"),
    ("I used to live here.", "I am used to living here.", "construction changed used to live > am used to living"),
    ("She is used to working.", "She used to work.", "construction changed is used to working > used to work"),
    ("Tea is linked to it.", "Tea causes it.", "construction changed is linked to > causes"),
    ("He earns twice as much as she does.", "He earns half as much as she does.", "number changed twice > half"),
    ("In children the pill may cause pain.", "The pill causes pain in children.", "possibility lost may >"),
    ("Last week he beat Ann by 2 points.", "He beat Ann by 3 points last week.", "number changed 2 > 3"),
    ("Tests suggest it could help.", "Tests prove it helps.", "possibility changed suggest … could > prove"),
]


@pytest.mark.parametrize(("source", "output", "finding"), ALONE)
def test_what_is_all_that_changed_is_certain(source: str, output: str, finding: str) -> None:
    found = ledger(source, output)
    assert ([said(entry) for entry in found.findings], found.is_all) == ([finding], True)
    # In a reworded text another word may say it.
    assert not ledger(source, "Somebody said another thing. " + output).is_all


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Please stop to ask me.", "Please stop asking me."),
        ("I stopped to smoke two years ago.", "I stopped smoking two years ago."),
        ("I used to living here.", "I am used to living here."),
        ("The data suggest that it helps.", "The data show that it helps."),
        ("We are open if it rains.", "We are open when it rains."),
        ("She lives in Edimburgh.", "She lives in Edinburgh."),
        ("It opens in Febuary.", "It opens in February."),
        ("It starts at 12.30 p.m. today.", "It starts at 12.30 today."),
        # A negation stands in a verb, and a modal before its subject asks, or makes a condition.
        ("Many doubted it.", "Few believed it."),
        ("Many readers doubt that it is so.", "Few readers believe that it is so."),
        ("Keep a dose unless six hours remain.", "Skip a dose if six hours remain."),
        ("We should like to see you.", "May we see you, please?"),
        ("If it must be so early, tell us.", "Should it be so early, tell us."),
        ("Most lamps work.", "More than half of the lamps work."),
        # Participants changed places.
        ("He earns twice as much as she does.", "She earns half as much as he does."),
        ("Tom beat Ann by 2 points.", "Ann beat Tom by 3 points."),
    ],
)
def test_what_says_the_same_in_nearly_the_same_words_is_not_all_that_changed(source: str, output: str) -> None:
    assert not ledger(source, output).is_all


@pytest.mark.parametrize(
    ("source", "output", "findings"),
    [
        # What else certainly changed, or changed in another sentence, hides nothing.
        ("It may cost 5 euros.", "It costs 6 euros.", ["possibility lost may >", "number changed 5 euros > 6 euros"]),
        ("It may rain. Tom called us.", "It rains. We got a call from Tom.", ["possibility lost may >"]),
        ("You pay if you lose. Tom called us.", "You pay. We got a call from Tom.", ["condition lost if you lose >"]),
        # What else changed in the sentence may say it, as may a sentence that is new.
        ("It may rain. Tom called us.", "Rain is seen, we hear. Tom rang us.", []),
        ("Tom called. It may rain.", "Tom called.", []),
        ("You win. They pay you if you called us.", "You win. You called us: they pay you.", []),
        ("Bikes are free if they were bought here.", "Bikes bought here are free.", []),
        ("Call us if they have been here. It rains.", "Whoever has been here, call us. It rains.", []),
    ],
)
def test_a_limit_is_gone_whatever_else_certainly_changed(source: str, output: str, findings: list[str]) -> None:
    assert [said(entry) for entry in ledger(source, output).findings] == findings


@pytest.mark.parametrize(
    ("source", "output", "finding"),
    [
        ("You pay no matter whether you come.", "You pay whether you come.", []),
        ("You pay regardless of whether you come.", "You pay whether you come.", []),
        ("You pay no matter whether you come.", "You pay.", ["condition lost no matter whether you come >"]),
        ("You pay no matter what you win.", "You pay if you win.", []),
    ],
)
def test_what_depends_on_nothing_may_be_said_by_whether_alone(source: str, output: str, finding: list[str]) -> None:
    assert [said(entry) for entry in ledger(source, output).findings] == finding


SENTENCES = sorted({text for row in EXAMPLES for text in row[:2]})
TURNED = {"lost": "added", "added": "lost", "changed": "changed", "kept": "kept"}


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3))
@settings(deadline=None, max_examples=50)
def test_of_equal_texts_all_is_kept(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert all(entry.status == "kept" for entry in ledger(text, text).entries)


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
@example("Nobody eats before nine.", "The shop opens at 9 a.m. today.")
@settings(deadline=None, max_examples=100)
def test_what_is_lost_one_way_is_added_the_other_way(source: str, output: str) -> None:
    a, b = view(source), view(output)
    links = align_graphs(a.graph, b.graph).pairs
    there, back = build_ledger(a, b, links, []), build_ledger(b, a, [(j, i) for i, j in links], [])
    assert sorted((e.kind, e.status) for e in there.entries) == sorted((e.kind, TURNED[e.status]) for e in back.entries)
