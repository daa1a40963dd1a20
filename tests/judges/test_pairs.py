"""Pairs for training the judge: what each maker promises, and the command that writes them."""

import json
import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("textblob")

from judges.pairs import amounts, contrasts, learners, phrases
from judges.pairs.learners import edits_between, with_errors
from judges.pairs.make import make, read_sources, write
from judges.pairs.registry import MAKERS, Change, Pair, Sources, apply_edit
from judges.pairs.templates.frames import FRAMES
from judges.pairs.templates.lexicon import Draw
from tests.support.graphs import gave
from training import corpora, detokenise
from training.sentence import Sentence
from usim.suggestions import apply
from usim.text import tokenise
from usim.ucca import Graph, write_xml

NOTHING = Sources(())


def bag(text: str) -> Counter[str]:
    return Counter(token.text.lower() for token in tokenise(text))


def changes(name: str, text: str | Graph, draws: int = 30) -> set[Change]:
    """All that an edit makes of a sentence in some draws."""
    sentence = Sentence.of(text) if isinstance(text, str) else Sentence.of_graph(text)
    sources = Sources((sentence,))
    return set(filter(None, (apply_edit(name, sentence, random.Random(seed), sources) for seed in range(draws))))


def texts(name: str, text: str) -> set[str]:
    return {change.text for change in changes(name, text)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small inputs of every kind."""
    root = tmp_path_factory.mktemp("inputs")
    (root / "wiki").mkdir()
    names = ["Anna", "Peter", "Maria", "Tom", "Julia", "Oscar", "Clara", "Victor"]
    for i, name in enumerate(names):
        graph = gave(name, ["praised", "chased", "helped"][i % 3], names[i - 1])
        write_xml(graph, root / "wiki" / f"{i}00{i}.xml")
    (root / "wordnet").mkdir()
    for part in ("noun", "verb", "adj", "adv"):
        (root / "wordnet" / f"data.{part}").write_text("  1 licence\n")
    (root / "wordnet" / "data.noun").write_text(
        '02958343 06 n 05 car 0 auto 0 automobile 0 machine 0 motorcar 0 001 @ 03791235 n 0000 | a vehicle; "he needs a car to get to work"\n'
    )
    return root


TEXT = (
    "The old farmer sold three horses to a friend in London. She did not go home because it was raining. "
    "Many people must work very hard, and they never complain about it. All the students bought a car in 1998."
)


@pytest.fixture(scope="module")
def given_sources(folder: Path) -> Sources:
    sentences = [*corpora.from_graphs(folder / "wiki", "wiki"), *corpora.split(TEXT, "more")]
    sentences += corpora.from_examples(corpora.read_examples(folder / "wordnet"))
    return Sources(*with_errors(sentences, 8, 1))


# -- all pairs -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generated(given_sources: Sources) -> list[Pair]:
    return make(given_sources, 200, seed=1)


def test_pairs_are_written_as_lines_of_json(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.pairs.make.FRAMES", 40)
    out = tmp_path / "pairs.jsonl"
    generated = make(read_sources([("wiki", folder / "wiki")], folder / "wordnet", seed=1), 60, seed=1)
    write(out, generated)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [Pair(*row.values()) for row in rows] == generated != []
    assert list(rows[0]) == ["source", "target", "label", "kind", "group"]  # as files of pairs have had it


def test_pairs_are_labelled_and_balanced(generated: list[Pair]) -> None:
    assert all(0 <= p.label <= 1 and p.source.strip() and p.output.strip() and p.group for p in generated)
    faithful = sum(p.label >= 0.5 for p in generated)
    assert abs(2 * faithful - len(generated)) <= 0.1 * len(generated)
    assert len({p.kind.split("+")[0] for p in generated}) > 40
    # Unfaithful pairs are as noisy as faithful ones: noise says nothing about meaning.
    assert any(p.label < 0.3 and p.kind.endswith("+errors") for p in generated)
    # Data sets of their own are no part of the other pairs.
    assert not any(p.kind.startswith(("step.", "ends.")) for p in generated)
    assert all(pair.source != pair.output for pair in generated)


def test_pairs_are_the_same_for_a_seed(given_sources: Sources, generated: list[Pair]) -> None:
    assert make(given_sources, 200, seed=1) == generated
    assert make(given_sources, 40, seed=1, only="word.") != make(given_sources, 40, seed=2, only="word.")


@pytest.mark.parametrize("family", ["template", "step"])
def test_some_makers_alone(given_sources: Sources, family: str) -> None:
    assert {p.kind.split(".")[0] for p in make(given_sources, 40, seed=1, only=f"{family}.")} == {family}


# -- text ------------------------------------------------------------------------------------------------------------


def test_tokens_become_text_as_people_write_it() -> None:
    tokens = "He ca n't say `` Hi '' to Ann 's well - known , 30 - year - old ( but shy ) dog !".split()
    text, placed = detokenise.detokenise(tokens)
    assert text == "He can't say \"Hi\" to Ann's well-known, 30-year-old (but shy) dog!"
    assert [text[t.start : t.end] for t in placed] == [t.text for t in placed]


@given(
    st.lists(st.sampled_from("cat dog Ann 's n't , . ( ) \" $ 1,000 % is - ; well ?".split()), min_size=1, max_size=12)
)
def test_every_token_has_its_place(tokens: list[str]) -> None:
    text, placed = detokenise.detokenise(tokens)
    assert [text[t.start : t.end] for t in placed] == tokens
    assert "".join(text.split()) == "".join(tokens)


# -- edits -----------------------------------------------------------------------------------------------------------

SHE = gave("She", "praised", "him")


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        ("unit.participants-swapped", gave(), {"Peter praised Anna yesterday."}),
        ("unit.participants-swapped", SHE, {"He praised her yesterday."}),
        ("unit.passive", gave(when="again"), {"Peter was praised by Anna again."}),
        ("unit.passive-swapped", gave(when="again"), {"Anna was praised by Peter again."}),
        ("word.antonym", "She accepted the gift.", {"She rejected the gift.", "She refused the gift."}),
        ("negation.added", "Tom sold the house.", {"Tom did not sell the house.", "Tom didn't sell the house."}),
        ("negation.added", "She can swim.", {"She cannot swim."}),
        ("negation.added", "Nobody has never been there.", set()),
        ("negation.removed", "They did not buy it.", {"They bought it."}),
        ("negation.removed", "She never left the house.", {"She left the house.", "She often left the house."}),
        ("negation.removed", "He has no money.", {"He has some money."}),
        ("negation.removed", "He arrived without money.", {"He arrived with money."}),
        ("name.shortened", "In May Peter Brown sold it.", {"In May Brown sold it."}),
        ("modality.changed", "He sleeps here.", {"He has to sleep here.", "He may sleep here."}),
        ("number.changed", "They have 40 dogs.", {"They have 4 dogs.", "They have 400 dogs."}),
        ("link.changed", "He left before the war.", {"He left after the war."}),
        ("comparison.changed", "It has more than ten rooms.", {"It has fewer than ten rooms."}),
        ("number.written", "They have three dogs and 12 cats.", {"They have 3 dogs and 12 cats.", "They have three dogs and twelve cats."}),
        ("date.written", "He was born on 7 July 1967.", {"He was born on July 7, 1967."}),
        ("pronoun.changed", "They lost my keys.", {"They lost your keys."}),
        ("pronoun.changed", "I was late.", {"We were late."}),
        ("amount.rewritten", "It is 5 km long.", {"It is five kilometres long.", "It is 5 kilometers long."}),
        ("swap.variant-same", "A lorry stopped.", {"A truck stopped."}),
        ("swap.claim-other", "He managed to leave.", {"He tried to leave."}),
    ],
)  # fmt: skip
def test_an_edit_changes_a_sentence_as_a_writer_would(name: str, sentence: str | Graph, expected: set[str]) -> None:
    come_out = changes(name, sentence)
    assert {change.text for change in come_out} >= expected
    assert all((change.label >= 0.5) is MAKERS[name].faithful for change in come_out)
    assert bool(come_out) is bool(expected)


def test_what_an_edit_leaves() -> None:
    assert "It was a hot summer." not in texts("word.antonym", "It was an awfully cold summer.")
    assert "They have 3 dogs." not in texts("number.changed", "They have three dogs.")
    assert "They have twelve cats." not in texts("number.changed", "They have 12 cats.")


def test_what_is_dropped_decides_the_label() -> None:
    dropped = changes("unit.dropped", gave())
    time, who = ({c.label for c in dropped if word not in c.text} for word in ("yesterday", "Peter"))
    assert max(who) < min(time) < 0.5


def test_tables_replace_nothing_by_itself() -> None:
    for name, swaps in phrases.SWAPS.items():
        for swap in (swap for of_word in swaps.values() for swap in of_word):
            assert all(new.lower() != " ".join(swap.old) for new in swap.new), swap
            assert (swap.label >= 0.5) == name.endswith("same") or swap.label == 0.5, swap


# -- learners --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
def test_errors_leave_numbers_names_and_negation_alone(seed: int) -> None:
    text = "Anna did not sell the 25 old houses to Peter in London because nobody wanted them."
    for kept in ("anna", "not", "25", "peter", "london"):
        assert kept in learners.put_errors(text, random.Random(seed), 1).lower()
    assert bag(learners.put_errors(text, random.Random(seed), 3)).keys() >= {"not", "25"}


# -- corrections one at a time ---------------------------------------------------------------------------------------


@given(*[st.lists(st.sampled_from("he go goes to home now .".split()), min_size=1, max_size=8)] * 2)
def test_the_edits_between_two_texts_lead_from_one_to_the_other(first: list[str], other: list[str]) -> None:
    text, wanted = " ".join(first), " ".join(other)
    assert " ".join(apply(text, edits_between(text, wanted)).split()) == wanted


def test_steps_lead_from_a_sentence_on_the_way_to_a_later_one() -> None:
    text = "She go to a old schol every days ."
    corrected = "She goes to an old school every day ."
    item = corpora.Corrected(text, text, edits_between(text, corrected))
    generated = list(MAKERS["step.valid"].make(Sources((), (item,)), random.Random(1)))
    wrong, right = text.split(), corrected.split()
    for pair in generated:
        source, output = (s.removesuffix(".").split() for s in (pair.source, pair.output))
        left = {k for k, word in enumerate(source) if word != right[k]}
        still = {k for k, word in enumerate(output) if word != right[k]}
        assert all(word in (wrong[k], right[k]) for side in (source, output) for k, word in enumerate(side))
        assert still < left
        assert pair.label >= 0.95
        assert pair.group == text
    assert {pair.source.endswith(" .") for pair in generated} == {True, False}  # as tokens, and as people write


def test_what_no_corrector_would_do_is_put_among_the_corrections() -> None:
    text, corrected = "The old farmer sell three hose yesterday .", "The old farmer sold three horses yesterday ."
    item = corpora.Corrected(text, text, edits_between(text, corrected))
    generated = list(MAKERS["step.wrong"].make(Sources((), (item,) * 20), random.Random(1)))
    right = {*text.split(), *corrected.split()}
    assert {pair.kind.split("-")[0] for pair in generated} == {"step.place", "step.source", "step.target"}
    for pair in generated:
        assert pair.label < 0.5
        sides = {"source": set(pair.source.rstrip(".").split()), "target": set(pair.output.rstrip(".").split())}
        side = "source" if pair.kind.startswith("step.source") else "target"
        if pair.kind.startswith("step.place"):
            assert {"farmer", "yesterday"} <= sides["target"]
            assert not {"sold", "horses"} <= sides["target"]
        elif "dropped" not in pair.kind and "antonym" in pair.kind:
            assert sides[side] - right


# -- templates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FRAMES))
def test_meanings_of_a_frame_share_no_sentence(name: str) -> None:
    for seed in range(4):
        family = FRAMES[name].draw(Draw(random.Random(seed)))
        meanings = [set(m) for m in family.meanings]
        assert len(meanings) > 1
        assert any(len(m) > 1 for m in meanings)
        assert FRAMES[name].good > 0.5 > FRAMES[name].bad
        for i, meaning in enumerate(meanings):
            assert not any(meaning & other for other in meanings[i + 1 :])
        assert not any("{" in text or "  " in text.strip() for m in meanings for text in m)


# -- amounts, times, contrasts, swaps, made errors ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["amount", "clock", "date", "number-form", "calendar", "hours", *contrasts.SECTIONS])
def test_makers_of_wordings_keep_their_promise(given_sources: Sources, name: str) -> None:
    for faithful in (True, False):
        maker = MAKERS[f"{name}.{'same' if faithful else 'other'}"]
        generated = list(islice(maker.make(given_sources, random.Random(1)), 40))
        assert len(generated) == 40
        for pair in generated:
            assert (pair.label >= 0.5) is faithful
            assert pair.source != pair.output
            assert "{" not in pair.source + pair.output
            assert not pair.source.endswith("m..")


def test_an_amount_is_the_same_however_it_is_written() -> None:
    rng = random.Random(1)
    for _ in range(200):
        amount = amounts.draw_amount("length", rng)
        converted = amount.converted(rng)
        if converted is not None:
            assert converted.value * converted.unit.factor == pytest.approx(amount.value * amount.unit.factor)
        other = amount.other(rng)
        assert other.value * other.unit.factor != pytest.approx(amount.value * amount.unit.factor, rel=0.01)


def test_errors_that_are_made_are_edits_of_the_clean_sentence() -> None:
    sentences = [
        Sentence.of(f"The {word} walked to the old garden yesterday.") for word in ("dog", "man", "cat", "girl")
    ]
    marked, corrected = with_errors(sentences, 3, seed=1)
    assert 1 <= len(corrected) <= 3
    assert sum(bool(s.learner) for s in marked) == len(corrected)
    for item in corrected:
        assert corpora.as_text(apply(item.tokenised, item.edits)) in {s.text for s in sentences}
    assert with_errors(sentences, 3, seed=1)[1] == corrected
