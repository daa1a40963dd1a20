"""Training data like those of ProLex, and its proficient substitutes by levels."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import pytest

from tests.command import usim_here
from usim.benchmarks import prolex
from usim.benchmarks.baselines.targets import Finder
from usim.benchmarks.baselines.thesaurus import table
from usim.benchmarks.case import Place
from usim.benchmarks.prolex_data import Lesson, from_sentences, from_swords, write_lessons
from usim.errors import FormatError
from usim.lexicon.cefr import listed_levels

from .conftest import swords_data, written

LEVELS = listed_levels(
    {("quick", None): 3, ("fast", None): 1, ("rapid", None): 4, ("tale", None): 3, ("story", None): 1}, "mine"
)
TEXT = "He is quick. She left."
SWORDS = swords_data(
    TEXT,
    {
        "t": ("quick", "ADJ", {
            "fast": ["TRUE", "TRUE"], "rapid": ["TRUE", "TRUE", "FALSE"], "swift": ["TRUE", "TRUE", "UNSURE"],
        }),
        "u": ("left", "VERB", {"stayed": ["TRUE", "FALSE"]}),
    },
)  # fmt: skip


@pytest.fixture
def swords(tmp_path: Path) -> Path:
    return written(tmp_path / "swords.json", SWORDS)


def test_swords_without_easier_substitutes(swords: Path) -> None:
    assert list(from_swords(swords, LEVELS)) == [Lesson(Place(TEXT, 6, 11, "ADJ"), ("swift", "rapid"))]
    assert list(from_swords(swords, None)) == [Lesson(Place(TEXT, 6, 11, "ADJ"), ("fast", "swift", "rapid"))]


def test_one_target_a_sentence_with_synonyms_that_are_not_easier() -> None:
    finder = Finder(table({"tale": {"NOUN": ["story", "saga"]}, "quick": {"ADJ": ["fast"]}}, "mine"), forms=False)
    sentences = ["A quick tale.", "Nothing here.", "A quick one."]
    lessons = list(from_sentences(finder, sentences, LEVELS, seed=1))
    assert lessons == [Lesson(Place("A quick tale.", 8, 12, lessons[0].place.pos), ("saga",))]
    every = list(from_sentences(finder, sentences, None, seed=1))
    assert [lesson.place.text for lesson in every] == ["A quick tale.", "A quick one."]
    assert every == list(from_sentences(finder, sentences, None, seed=1))


def test_the_columns_are_those_of_the_published_files() -> None:
    file = io.StringIO()
    assert write_lessons(file, [Lesson(Place(TEXT, 6, 11, "ADJ"), ("swift", "rapid"))]) == (1, 2)
    (row,) = csv.DictReader(file.getvalue().splitlines())
    assert row["target_words"] == "quick"
    assert ast.literal_eval(row["substitutes"]) == ["swift", "rapid"]
    assert (row["tagged_sentences"], row["query_pos"]) == ("He is **quick**. She left.", "ADJ")


def test_the_command(swords: Path, tmp_path: Path) -> None:
    levels = written(tmp_path / "levels.csv", "quick,B1\nfast,A1\nrapid,B2\n")
    done = usim_here("generate", swords, "--format", "prolex", "--levels", levels)
    assert "['swift', 'rapid']" in done.stdout
    assert "2 substitutes of 1 targets" in done.stderr
    assert "levels:levels.csv" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [(["--levels", "x"], "--levels is for"), ([], "--thesaurus"), (["--format", "prolex"], "--thesaurus")],
)
def test_bad_usage(tmp_path: Path, line: list[str], message: str) -> None:
    done = usim_here("generate", written(tmp_path / "sentences.txt", "A tale.\n"), *line)
    assert done.returncode == 2
    assert message in done.stderr


def test_proficient_substitutes_by_levels(tmp_path: Path) -> None:
    gold = "target word,Sentence,acc_subs\nquick,He is **quick**.,\"['fast', 'rapid', 'in a hurry']\"\n"
    path = written(tmp_path / "gold.csv", gold)
    with pytest.raises(FormatError, match="prof_acc_subs"):
        prolex.read_gold(path)
    assert prolex.read_gold(path, LEVELS)[0].proficient == ("rapid", "in a hurry")
