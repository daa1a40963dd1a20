"""Baselines: thesauri, the rule-based system of Smart Word Suggestions, and a masked language model."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.baselines.given import read_sentences
from experiments.baselines.masked import Masked, MaskedModel
from experiments.baselines.targets import Finder, RuleBased
from experiments.baselines.thesaurus import both, either, load, read, table
from tests.benchmarks.conftest import PIECES, log_probabilities, refused, written
from tests.command import study_here, usim_here
from usim.benchmarks import sws
from usim.errors import InputError, UsimError

# Thesauri


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.tsv", "# mine\nintimate\tadj\tclose\tdear\nIntimate\tverb\tsuggest\n\nby and by\t\tsoon\n"),
        ("t.json", '{"intimate": {"adjective": ["close", "dear"], "verb": ["suggest"]}, "by and by": ["soon"]}'),
        (
            "t.json",
            '{"intimate": [{"sense": "…", "pos": "adjective", "Synonyms for": ["close", "dear"], "Antonyms for": ["cold"]},'
            ' {"pos": "verb (1)", "Synonyms for": ["suggest"]}], "by and by": [{"pos": "phrase", "Synonyms": ["soon"]}]}',
        ),
        (
            "t.ppdb",
            "[JJ] ||| intimate ||| close ||| PPDB2.0Score=3\n[JJ] ||| intimate ||| dear ||| x\n"
            "[VB] ||| intimate ||| suggest ||| x\n[X] ||| by and by ||| soon ||| x\n",
        ),
    ],
)
def test_a_thesaurus_in_each_form(tmp_path: Path, name: str, content: str) -> None:
    thesaurus = read(written(tmp_path / name, content))
    assert thesaurus.longest == 3
    assert thesaurus.name == name
    assert thesaurus.synonyms("intimate", "ADJ") == ("close", "dear")
    assert thesaurus.synonyms("INTIMATE") == ("close", "dear", "suggest")
    assert thesaurus.synonyms("intimate", "NOUN") == ()
    assert thesaurus.synonyms("by and by", "VERB") == ("soon",)
    assert thesaurus.synonyms("odd") == ()
    packed = written(tmp_path / "t.json.gz", {"give": ["hand (over or out)", "give", "Hand", "  "]})
    assert load(packed).synonyms("give") == ("hand", "hand over", "hand out")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsv", "intimate\tclose\n", "t.tsv:1: an entry must be"),
        ("t.tsv", "ok\tn\tfine\n[X] ||| word\n", "t.tsv:2: PPDB"),
        ("t.tsv", "# nothing\n", "no entry"),
        ("t.json", '{"a": "b"}', "'a': an array of synonyms"),
        ("t.json", '{"a": {"noun": [1]}}', "'a': synonyms must be an array of strings"),
        ("t.json", '{"a": [', "not JSON"),
    ],
)
def test_what_is_no_thesaurus_is_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    refused(lambda path: load(str(path)), written(tmp_path / name, content), message)
    refused(lambda path: load(str(path)), tmp_path / "none.tsv", "cannot be read")


def test_the_wordnet_that_comes_with_usim() -> None:
    thesaurus = load("wordnet")
    assert "automobile" in thesaurus.synonyms("car", "NOUN")
    assert thesaurus.synonyms("car", "VERB") == ()
    assert thesaurus.synonyms("flurb") == ()
    # Senses that are tagged more often come first, and the word itself never comes.
    assert thesaurus.synonyms("large", "ADJ")[0] == "big"
    assert "large" not in thesaurus.synonyms("large")
    assert "take part" in thesaurus.synonyms("participate", "VERB")


def test_either_and_both() -> None:
    one = table({"big": {"ADJ": ["large", "Grand"]}, "big deal": {"": ["matter"]}}, "one")
    other = table({"big": {"": ["grand", "great"]}, "small": {"": ["little"]}}, "other")
    or_, and_ = either(one, other), both(one, other)
    assert or_.synonyms("Big", "ADJ") == ("large", "Grand", "great")
    assert or_.synonyms("small") == ("little",)
    assert or_.synonyms("odd") == and_.synonyms("small") == ()
    assert (or_.name, or_.longest) == ("one+other", 2)
    assert and_.synonyms("big", "ADJ") == ("Grand",)
    assert (and_.name, and_.longest) == ("one&other", 1)


@pytest.fixture
def wn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package ``wn`` with a folder of its own and one small lexicon in it."""
    package = pytest.importorskip("wn", reason="the package wn is not installed")
    from wn import config

    monkeypatch.setattr(config, "data_directory", tmp_path / "wn")
    package.add(Path(__file__).with_name("tiny_wordnet.xml"), progress_handler=None)
    return package


def test_a_wordnet_of_the_package_wn(wn: Any) -> None:
    thesaurus = load("wn:tiny:1")
    assert thesaurus.name == "wn:tiny:1"
    assert thesaurus.synonyms("intimate", "ADJ") == ("close",)
    assert thesaurus.synonyms("Intimate", "VERB") == ("suggest",)
    assert set(thesaurus.synonyms("intimate")) == {"close", "suggest"}
    with pytest.raises(UsimError, match="python -m wn download other:1"):
        load("wn:other:1")


# Targets and rules

MINE = table(
    {
        "intimate": {"ADJ": ["close", "dear"], "VERB": ["suggest"]},
        "walk": {"VERB": ["stroll"], "NOUN": ["stroll", "amble"]},
        "take part": {"": ["participate"]},
        "part": {"NOUN": ["piece"]},
        "the": {"": ["this"]},
    },
    "mine",
)


def suggested(sentence: str, **options: Any) -> dict[str, tuple[str, ...]]:
    words = sentence.split()
    found = RuleBased(Finder(MINE, forms=options.pop("forms", True)), **options)(words)
    return {" ".join(words[start:end]): made for (start, end), made in found.items()}


def test_the_part_of_speech_in_the_sentence_decides() -> None:
    assert suggested("An intimate friend .") == {"intimate": ("close", "dear")}
    assert suggested("He went for a walk .") == {"walk": ("stroll", "amble")}
    assert suggested("They like to walk .") == {"walk": ("stroll",)}
    # Words of closed classes are no targets.
    assert suggested("The walk") == {"walk": ("stroll", "amble")}
    # Synonyms get the form of the word, and phrases go before words.
    inflected = {"walked": ("strolled",), "took part": ("participated",), "parts": ("pieces",)}
    assert suggested("She walked and took part in the parts .") == inflected
    # Without forms, words count as they stand, with the synonyms of all parts of speech.
    plain = {"walk": ("stroll", "amble"), "intimate": ("close", "dear", "suggest")}
    assert suggested("She walked for a walk , an intimate one .", forms=False) == plain


def test_k_and_shuffling() -> None:
    assert suggested("An intimate friend", k=1) == {"intimate": ("close",)}
    many = table({"walk": {"": [f"w{letter}" for letter in "abcdefghij"]}}, "many")
    orders = {RuleBased(Finder(many, forms=False), seed=seed)(["walk"])[0, 1] for seed in range(5)}
    assert len(orders) > 1
    assert {tuple(sorted(order)) for order in orders} == {tuple(f"w{letter}" for letter in "abcdefghij")}
    one = RuleBased(Finder(many, forms=False), seed=1)
    assert one(["walk"]) == one(["walk"])
    assert "seed:1" in one.signature


@given(
    st.lists(st.sampled_from("An intimate friend walked , and 's take part 3 - the walks PART".split()), max_size=12)
)
def test_targets_do_not_overlap_and_lie_within(words: list[str]) -> None:
    done = 0
    for target in Finder(MINE).targets(words):
        assert done <= target.start < target.end <= len(words)
        assert " ".join(words[target.start : target.end]).lower() not in map(str.lower, target.synonyms)
        done = target.end


# Files

GOLD = {"s": {"sentence_split": ["An", "intimate", "friend"], "substitutes": [[[1, 2], {"close": 3, "dear": 1}, 1]]}}


def test_sentences_of_a_text_and_of_the_benchmark(tmp_path: Path) -> None:
    text = written(tmp_path / "t.txt", "I don't know.\n\nGo\u2028on!\n")  # a line separator cuts no sentence
    assert list(read_sentences(text)) == [("1", ("I", "do", "n't", "know", ".")), ("3", ("Go", "on", "!"))]
    data = written(tmp_path / "t.json", GOLD)
    assert list(read_sentences(data)) == [("s", ("An", "intimate", "friend"))]
    refused(lambda path: list(read_sentences(path)), written(tmp_path / "u.txt", "\n"), "no sentence")
    refused(
        lambda path: list(read_sentences(path)),
        written(tmp_path / "u.json", '{"s": {"words": []}}'),
        "'s'.*array of words",
    )


def test_rules_from_the_command_line_and_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "gold.json", GOLD)
    written(tmp_path / "t.tsv", "intimate\tadj\tdear\tclose\nfriend\tnoun\tpal\n")
    monkeypatch.chdir(tmp_path)
    done = study_here("baseline", "rules", "gold.json", "-o", "made.json", "--thesaurus", "t.tsv")
    assert done.stdout == ""
    assert "2 targets in 1 sentences" in done.stderr
    assert "usim|baseline|rules|thesaurus:t.tsv|" in done.stderr
    scored = json.loads(usim_here("sws", "gold.json", "made.json", "--format", "json", "--resamples", "0").stdout)
    assert scored["figures"]["p_detection"] == 0.5
    assert scored["figures"]["acc_recommendation"] == 1


def test_errors_of_the_command() -> None:
    assert study_here("baseline", "rules", "x.txt").returncode == 2  # of sentences, a thesaurus is needed
    odd = study_here("baseline", "masked", "x.txt", "--model", "m", "--and", "wordnet")
    assert odd.returncode == 2
    assert "give --thesaurus as well" in odd.stderr


# A masked language model


def test_the_scores_are_those_of_the_model_itself(tiny: Path) -> None:
    words = "an intimate friend .".split()
    for context, said in ((False, ("an [MASK] friend .",)), (True, ("an intimate friend .", "an [MASK] friend ."))):
        pieces, scores = log_probabilities(tiny, *said)
        expected = scores[pieces.index(PIECES.index("[MASK]"))]
        made, own = MaskedModel(str(tiny), context=context).ranked(words, 1, 2, ["old", "close"])
        assert [candidate.text for candidate in made] == ["close", "old"]
        assert made[0].score == pytest.approx(float(expected[PIECES.index("close")]), abs=1e-5)
        assert own == pytest.approx(float(expected[PIECES.index("intimate")]), abs=1e-5)
    # A candidate of several pieces has as many masks.
    made, _ = MaskedModel(str(tiny), context=False).ranked(words, 1, 2, ["dearly"])
    _, scores = log_probabilities(tiny, "an [MASK] [MASK] friend .")
    mean = (scores[2, PIECES.index("dear")] + scores[3, PIECES.index("##ly")]) / 2
    assert made[0].score == pytest.approx(float(mean), abs=1e-5)


def test_words_that_the_model_likes_better_are_targets(tiny: Path) -> None:
    model = MaskedModel(str(tiny))
    words = "an intimate friend of mine is close .".split()
    found = Masked(model, k=2)(words)
    # *close* is what it likes best everywhere: what it stands for is a target, where it stands itself is none.
    assert found == {(1, 2): ("close", "dear"), (2, 3): ("close", "dear")}
    assert Masked(model, k=2)(words) == found
    assert Masked(model, margin=1000.0)(words) == {}
    assert (6, 7) in Masked(model, margin=float("-inf"))(words)
    # Marks, and pieces that are no words, are never proposed.
    everything = {text for made in Masked(model, k=50)(words).values() for text in made}
    assert everything <= {piece for piece in PIECES if piece.isalpha() and len(piece) > 1}


def test_a_thesaurus_limits_targets_and_candidates(tiny: Path) -> None:
    finder = Finder(table({"intimate": {"": ["old", "dear"]}, "friend": {"": ["a b bc bc bc bc"]}}, "mine"))
    assert Masked(MaskedModel(str(tiny)), finder)("an intimate friend .".split()) == {(1, 2): ("dear", "old")}


def test_what_the_model_cannot_hold_is_left_alone(tiny: Path) -> None:
    model = MaskedModel(str(tiny))
    assert Masked(model)(["intimate"] * 60) == {}
    assert Masked(model, Finder(MINE, forms=False))(["intimate"] * 60) == {}
    assert Masked(model)([]) == {}
    with pytest.raises(InputError, match="cannot be loaded"):
        MaskedModel(str(tiny.parent / "nowhere"))
    assert Masked(model)(["[MASK]", "intimate"]).keys() == {(1, 2)}


def test_masked_from_the_command_line(tiny: Path, tmp_path: Path) -> None:
    gold, made = written(tmp_path / "gold.json", GOLD), tmp_path / "made.json"
    done = study_here("baseline", "masked", gold, "-o", made, "--model", tiny, "--method", "mask", "-k", "1")
    assert done.returncode == 0, done.stderr
    found = sws.read_predictions(made, sws.read_gold(gold))
    assert found["s"][1, 2] == ("close",)


@pytest.mark.parametrize("package", ["torch", "transformers", "wn"])
def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsimError, match="pip install " + ("wn, then" if package == "wn" else package)):
        load("wn:oewn:2024") if package == "wn" else MaskedModel("any")
