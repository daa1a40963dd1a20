"""Baselines: thesauri, and the rule-based system of Smart Word Suggestions."""

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.baselines.given import read_sentences
from experiments.baselines.targets import Finder, RuleBased
from experiments.baselines.thesaurus import both, either, load, table
from tests.benchmarks.conftest import refused, written
from tests.command import study_here, usim_here

# Thesauri


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.tsv", "# mine\nintimate\tadj\tclose\tdear\nIntimate\tverb\tsuggest\n\nby and by\t\tsoon\n"),
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
    thesaurus = load(written(tmp_path / name, content))
    assert thesaurus.longest == 3
    assert thesaurus.name == name
    assert thesaurus.synonyms("intimate", "ADJ") == ("close", "dear")
    assert thesaurus.synonyms("INTIMATE") == ("close", "dear", "suggest")
    assert thesaurus.synonyms("intimate", "NOUN") == ()
    assert thesaurus.synonyms("by and by", "VERB") == ("soon",)
    assert thesaurus.synonyms("odd") == ()
    packed = written(tmp_path / "t.json.gz", {"give": [{"Synonyms": ["hand (over or out)", "give", "Hand", "  "]}]})
    assert load(packed).synonyms("give") == ("hand", "hand over", "hand out")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsv", "intimate\tclose\n", "t.tsv:1: an entry must be"),
        ("t.tsv", "ok\tn\tfine\n[X] ||| word\n", "t.tsv:2: PPDB"),
        ("t.tsv", "# nothing\n", "no entry"),
        ("t.json", '{"a": "b"}', "'a': an array of senses"),
        ("t.json", '{"a": [{"Synonyms": [1]}]}', "'a': synonyms must be an array of strings"),
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


# Files

GOLD = {"s": {"sentence_split": ["An", "intimate", "friend"], "substitutes": [[[1, 2], {"close": 3, "dear": 1}, 1]]}}


def test_sentences_of_a_text_and_of_the_benchmark(tmp_path: Path) -> None:
    text = written(tmp_path / "t.txt", "I don't know.\n\nGo\u2028on!\n")  # a line separator cuts no sentence
    assert list(read_sentences(text)) == [("1", ("I", "do", "n't", "know", ".")), ("3", ("Go", "on", "!"))]
    data = written(tmp_path / "t.json", GOLD)
    assert list(read_sentences(data)) == [("s", ("An", "intimate", "friend"))]
    for name, content, message in (("u.txt", "\n", "no sentence"), ("u.json", '{"s": {}}', "'s'.*array of words")):
        refused(lambda path: list(read_sentences(path)), written(tmp_path / name, content), message)


def test_rules_from_the_command_line_and_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "gold.json", GOLD)
    written(tmp_path / "t.tsv", "intimate\tadj\tdear\tclose\nfriend\tnoun\tpal\n")
    monkeypatch.chdir(tmp_path)
    done = study_here("baseline", "rules", "gold.json", "-o", "made.json", "--thesaurus", "t.tsv")
    assert done.stdout == ""
    assert "2 targets in 1 sentences" in done.stderr
    assert "usim|baseline|rules|thesaurus:t.tsv|" in done.stderr
    scored = json.loads(usim_here("sws", "gold.json", "made.json", "--format", "json").stdout)
    assert scored["figures"]["p_detection"] == 0.5
    assert scored["figures"]["acc_recommendation"] == 1


def test_errors_of_the_command() -> None:
    for arguments, message in (
        (("rules", "x.txt", "--and", "wordnet"), "give --thesaurus"),
        (("masked", "x.txt"), "give --model"),
        (("masked", "x.txt", "--model", "m"), "add --given"),
        (("rules", "-", "--given"), "standard input is a text"),
    ):
        odd = study_here("baseline", *arguments)
        assert odd.returncode == 2
        assert message in odd.stderr
