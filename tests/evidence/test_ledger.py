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
    ("The boss who hired Tom left.", "The boss hired Tom, who left.", "relative changed boss > Tom"),
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
    ("source", "output", "finding"),
    [
        ("[A It] [D has been] [P mended]", "[A It] [D will be] [P mended]", "has been mended > will be mended"),
        ("[A We] [D will] [P move] [A it]", "[A We] [P moved] [A it]", "will move > moved"),
        ("[A We] [D will] [P move] [A it] [D yesterday]", "[A We] [P moved] [A it] [D yesterday]", ""),
        ("[A We] [P move] [A it]", "[A We] [P moved] [A it]", ""),
    ],
)
def test_what_is_done_is_not_what_will_be(source: str, output: str, finding: str) -> None:
    a, b = (SentenceView(graph_of(f"[H {brackets} ]"), None, "") for brackets in (source, output))
    findings = [said(entry) for entry in build_ledger(a, b, [], []).findings]
    assert findings == ([f"intent changed {finding}"] if finding else [])


EAT = "[A Patients] [D must] [D not] [P [C eat] [N or] [H [P drink] ] ] [A [R before] [C surgery] ]"
FRAUD = "[A We] [F are] [S liable] [A [R for] [C [C fraud] [N or] [C [E gross] [C negligence] ] ] ]"
STAFF = "[A It] [P covers] [A [C employees] [U ,] [C contractors] [N and] [C agents] ]"


def both_ways(longer: str, shorter: str) -> list[Ledger]:
    """Return the ledgers of a longer text cut, and of the shorter one made longer, of one clause each in brackets."""
    a, b = (
        SentenceView(graph_of(text if text[:3] == "[H " else f"[H {text} ]"), None, "") for text in (longer, shorter)
    )
    return [build_ledger(x, y, align_graphs(x.graph, y.graph).pairs, []) for x, y in ((a, b), (b, a))]


@pytest.mark.parametrize(
    ("longer", "shorter", "kind", "member"),
    [
        (EAT, "[A Patients] [D must] [D not] [P eat] [A [R before] [C surgery] ]", "member", "drink"),
        (EAT, "[A Patients] [D must] [D not] [P drink] [A [R before] [C surgery] ]", "member", "eat"),
        (FRAUD, "[A We] [F are] [S liable] [A [R for] [C fraud] ]", "member", "gross negligence"),
        (FRAUD, "[A We] [F are] [S liable] [A [R for] [C [E gross] [C negligence] ] ]", "member", "fraud"),
        (STAFF, "[A It] [P covers] [A employees]", "member", "contractors and agents"),
        (STAFF, "[A It] [P covers] [A [C employees] [N and] [C agents] ]", "member", "contractors"),
        # A list under a condition, and one of what must be done or is excepted, are other things, not more or less.
        ("[A We] [D shall] [P [C mend] [N or] [C replace] ] [A it]", "[A We] [D shall] [P mend] [A it]",
         "alternative", "replace"),
        ("[A It] [F is] [S free] [A [R except for] [C [C breakfast] [N and] [C dinner] ] ]",
         "[A It] [F is] [S free] [A [R except for] [C breakfast] ]", "alternative", "dinner"),
        ("[H [A You] [D must] [P sign] [A it] ] [L and] [H [P return] [A [E the] [C form] ] ]",
         "[H [A You] [D must] [P sign] [A it] ]", "member", "return the form"),
        ("[P Bring] [A [C [E a] [C passport] ] [N and] [C [E a] [C visa] ] ]", "[P Bring] [A [E a] [C passport] ]",
         "member", "a visa"),
    ],
)  # fmt: skip
def test_a_member_of_a_list_that_binds_is_certainly_gone_or_new(
    longer: str, shorter: str, kind: str, member: str
) -> None:
    cut, made_longer = both_ways(longer, shorter)
    assert ([said(entry) for entry in cut.findings], cut.is_all) == ([f"{kind} lost {member} >"], True)
    assert [said(entry) for entry in made_longer.findings] == [f"{kind} added > {member}"]


def test_a_member_is_gone_though_the_rest_is_in_another_order() -> None:
    cut, made_longer = both_ways(EAT, "[A [R before] [C surgery] ] [A patients] [D should] [D not] [P eat]")
    assert [said(entry) for entry in cut.findings if entry.kind == "member"] == ["member lost drink >"]
    assert [said(entry) for entry in made_longer.findings if entry.kind == "member"] == ["member added > drink"]


CASES = "[A We] [F are] [S liable] [A [R except for] [C [C fraud] [U ,] [C dishonesty] [N or] [C [E gross] [C negligence] ] ] ]"


@pytest.mark.parametrize(
    "rest",
    [
        "[A [R Save for] [C [C fraud] [N or] [C dishonesty] ] ] [U ,] [A the firm] [P bears] [A no responsibility]",
        "[A Nothing] [P binds] [A the firm] [A [R but] [C [C dishonesty] [N and] [C fraud] ] ]",
    ],
)
def test_a_member_is_gone_though_all_but_the_list_is_reworded(rest: str) -> None:
    cut, made_longer = both_ways(CASES, rest)
    assert [said(entry) for entry in cut.findings if entry.kind == "alternative"] == [
        "alternative lost gross negligence >"
    ]
    members = ("member", "alternative")  # which of both follows from what the longer text says
    assert [entry.new for entry in made_longer.findings if entry.kind in members] == ["gross negligence"]


@pytest.mark.parametrize(
    "rest",
    [
        # The list goes on before, behind, or by another word.
        "[A [R Save for] [C [C carelessness] [U ,] [C fraud] [N or] [C dishonesty] ] ] [A nothing] [P binds] [A us]",
        "[A [R Save for] [C [C fraud] [N or] [C dishonesty] [U ,] [N or] [C something] ] ] [U ,] [A nothing] [P binds] [A us]",
        "[A [R Save for] [C [C fraud] [N or] [C dishonesty] [E [R with] [C carelessness] ] ] ] [A nothing] [P binds] [A us]",
        # Other members are in other words; no list is left.
        "[A [R Save for] [C [C deceit] [N or] [C dishonesty] ] ] [A nothing] [P binds] [A us]",
        "[A [R Save for] [C fraud] ] [A nothing] [P binds] [A us]",
    ],
)
def test_of_a_reworded_text_a_member_that_another_word_may_say_is_not_gone(rest: str) -> None:
    kinds = {entry.kind for ledger in both_ways(CASES, rest) for entry in ledger.findings}
    assert kinds.isdisjoint(("member", "alternative"))


def test_a_member_that_a_word_alike_may_say_is_not_gone() -> None:
    longer, shorter = (SentenceView(graph_of(f"[H {text} ]"), None, "") for text in (
        CASES, "[A [R Save for] [C [C fraud] [N or] [C dishonesty] ] ] [A recklessness] [P binds] [A us]"))  # fmt: skip
    alike = [(longer.words.index("negligence"), shorter.words.index("recklessness"), 0.7)]
    found = build_ledger(longer, shorter, [], alike).findings
    assert {entry.kind for entry in found}.isdisjoint(("member", "alternative"))
    assert not any(entry.kind == "alternative" for entry in build_ledger(longer, shorter, [], None).findings)


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        # It is said otherwise.
        (EAT, "[A Patients] [D must] [D not] [P consume] [A anything] [A [R before] [C surgery] ]"),
        ("[A [E All] [C employees] [N and] [C agents] ] [D must] [P sign]", "[A [E All] [C staff] ] [D must] [P sign]"),
        # Another member includes it, or the law writes both and means one.
        ("[A You] [D may] [P keep] [A [C dogs] [N and] [C animals] ]", "[A You] [D may] [P keep] [A animals]"),
        ("[A You] [D must] [P [C cease] [N and] [C desist] ]", "[A You] [D must] [P cease]"),
        ("[A They] [D may] [P [C run] [N and] [C reach] ] [A [E a] [C goal] ]", "[A They] [D may] [P run] [A [R to] [E a] [C goal] ]"),
        ("[A He] [F has] [A [C rights] [N and] [C [C amounts] [E [R of] [C duties] ] ] ]",
         "[A He] [F has] [A [C rights] [N and] [C duties] ]"),
        # It is no member: a part of one, words of two, a clause of its own, what stands beside a name.
        ("[A We] [D must] [P mend] [A [C roofs] [N and] [C [E possible] [C leaks] ] ]",
         "[A We] [D must] [P mend] [A [C roofs] [N and] [C leaks] ]"),
        ("[A [C [C staff] [E [R of] [C Ada] ] ] [N and] [C [C agents] [E [R of] [C Bob] ] ] ] [D must] [P sign]",
         "[A [C staff] [E [R of] [C Bob] ] ] [D must] [P sign]"),
        ("[H [A You] [D must] [P sign] ] [L and] [H [A we] [P send] [A copies] ]", "[H [A You] [D must] [P sign] ]"),
        # Nobody is bound by it.
        ("[A She] [P bought] [A [C apples] [N and] [C pears] ]", "[A She] [P bought] [A apples]"),
    ],
)  # fmt: skip
def test_a_member_that_may_still_be_meant_is_not_certainly_gone(longer: str, shorter: str) -> None:
    kinds = {entry.kind for ledger in both_ways(longer, shorter) for entry in ledger.findings}
    assert kinds.isdisjoint(("member", "alternative"))


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
