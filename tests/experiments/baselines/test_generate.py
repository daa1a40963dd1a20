"""Training data from any sentences: what is replaced, and that a seed makes the same again."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from experiments.baselines.distant import Replaced, worsened
from experiments.baselines.targets import Finder
from experiments.baselines.thesaurus import table
from tests.benchmarks.conftest import written
from tests.command import study_here
from usim.benchmarks import sws
from usim.text import tokenise

MINE = table(
    {
        "tale": {"NOUN": ["account", "yarn"]},
        "tell": {"VERB": ["narrate"]},
        "old": {"ADJ": ["aged", "ancient"]},
        "friend": {"NOUN": ["boyfriend", "ally"]},
        "take part": {"": ["participate"]},
        "do": {"VERB": ["perform"]},
        "big": {"ADJ": ["gargantuan", "large"]},
    },
    "mine",
)
FINDER = Finder(MINE)
SENTENCES = [
    "She told an old tale.",
    "Old friends took part in it, didn't they?",
    "“Tell tales!” he told my friend's friend.",
    "A friend (an old one) told it.",
    "Nothing here.",
    "An old, old tale",
]


def test_words_are_replaced_by_synonyms_in_their_form_and_the_original_is_the_suggestion() -> None:
    synonyms = table({"tell": {"VERB": ["narrate"]}, "tale": {"NOUN": ["account"]}}, "t")
    found = worsened(Finder(synonyms), "7", "She told a tale.")
    assert found is not None
    assert found.text == "She narrated an account."
    assert found.targets == (Replaced(1, 2, "narrated", "told"), Replaced(3, 4, "account", "tale"))
    assert found.as_sws() == {
        "id": "7",
        "sentence": "She narrated an account.",
        "sentence_split": ["She", "narrated", "an", "account", "."],
        "substitutes": [[[1, 2], {"told": 1}, 1], [[3, 4], {"tale": 1}, 1]],
        "original": "She told a tale.",
    }
    published = {"sent": "She told a tale.", "targets": ["told", "tale"], "substitutes": ["narrated", "account"]}
    assert found.as_published() == published


def drawn(sentence: str) -> set[tuple[str, int]]:
    """What a few seeds make of a sentence, and how many replacements are in it."""
    made = (worsened(FINDER, "1", sentence, seed=seed) for seed in range(8))
    return {(example.text, len(example.targets)) for example in made if example is not None}


def test_what_is_drawn() -> None:
    assert drawn("Nothing here.") == drawn("") == set()
    assert drawn("My friend.") == {("My ally.", 1)}  # *boyfriend* has the word in it
    assert drawn("A big car.") == {("A gargantuan car.", 1), ("A large car.", 1)}
    assert drawn("They took part.") == {("They participated.", 1)}  # phrases grow and shrink


def test_the_rate_limits_how_much_is_replaced() -> None:
    sentence = "Old friends told old tales ."
    everything = worsened(FINDER, "1", sentence)
    assert everything is not None
    assert len(everything.targets) == 5
    some = {worsened(FINDER, "1", sentence, rate=0.4, seed=seed).targets for seed in range(6)}  # type: ignore[union-attr]
    assert {len(targets) for targets in some} == {2}
    assert len(some) > 1


@given(st.lists(st.sampled_from([w for s in SENTENCES for w in s.split()]), max_size=12), st.integers(0, 99))
def test_targets_stand_where_it_says(words: list[str], seed: int) -> None:
    sentence = " ".join(words)
    found = worsened(FINDER, "x", sentence, seed=seed)
    if found is None:
        return
    assert list(found.words) == [token.text for token in tokenise(found.text)]
    before, done = 0, 0
    for target in found.targets:
        assert done <= target.start < target.end <= len(found.words)
        done = target.end
        together = "".join(found.words[target.start : target.end])
        assert together == target.new.replace(" ", "")
        before = sentence.index(target.old, before) + len(target.old)
        assert target.old != target.new


# The command line

THESAURUS = "tale\tnoun\taccount\n"


def test_from_the_command_line_the_same_again_and_read_as_gold(tmp_path: Path) -> None:
    source = written(tmp_path / "in.txt", "\n".join([*SENTENCES[:3], "", "No.", "A tale."]) + "\n")
    written(tmp_path / "t.tsv", "old\tadj\taged\tancient\n" + THESAURUS)
    for name in ("a.jsonl", "b.jsonl"):
        done = study_here("generate", source, "--thesaurus", tmp_path / "t.tsv", "-o", tmp_path / name, "--seed", "3")
        assert (done.returncode, done.stdout) == (0, "")
    assert "usim|generate|thesaurus:t.tsv|" in done.stderr
    assert "|seed:3" in done.stderr
    content = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert content == (tmp_path / "b.jsonl").read_text(encoding="utf-8")
    records = {record["id"]: record for record in map(json.loads, content.splitlines())}
    assert [*records] == ["1", "2", "3", "6"]
    gold = sws.Sws.open(written(tmp_path / "gold.json", records)).gold
    made = {
        name: {target.span: tuple(target.suggestions) for target in sentence.targets} for name, sentence in gold.items()
    }
    assert sws.Sws(gold).score(made, resamples=0).figures["f_e2e"] == 1


def test_standard_input_in_the_published_form_where_a_line_that_is_not_utf_8_costs_no_other(tmp_path: Path) -> None:
    command = ("generate", "-", "--thesaurus", written(tmp_path / "t.tsv", THESAURUS), "--format", "published")
    done = study_here(*command, stdin=b"A tale.\nA t\xffale.\nNo.\nThe tale.\n")
    assert done.returncode == 2
    assert "2: not UTF-8" in done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"sent": "A tale.", "targets": ["tale"], "substitutes": ["account"]}
    assert second["sent"] == "The tale."
    assert "2 targets in 2 of 4 sentences" in done.stderr


def test_bad_usage(tmp_path: Path) -> None:
    source = written(tmp_path / "sentences.txt", "A tale.\n")
    done = study_here("generate", source, "--thesaurus", "wordnet", "--rate", "0")
    assert done.returncode == 2
    assert "the rate must lie in" in done.stderr
