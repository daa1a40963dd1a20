"""The study of references: which of people's own corrections are kept, by which reason others are not."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from experiments import references
from experiments.assistant import read_sentences
from experiments.common.corrections import read_corrections
from tests.support.corrections import M2, corpus
from usim.judge.trained import SHIPPED
from usim.spelling.model import WORDS_FILE
from usim.spelling.words import WordTable

FILES = {
    "src": "My best freind lives here ./I definatly know it ./We seen alot of letters .",
    "ref0": "My best friend lives here ./I definitely know it ./We saw a lot of letters .",
    "ref1": "My best friend lives here ./I definatly know it ./We have seen many letters .",
    "poor_out": "My worst friend lives here ./I definitely know it ./We seen alot of litters .",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path / "learners", **FILES)


@pytest.fixture(scope="module")
def words() -> WordTable:
    return WordTable(SHIPPED / "corrections" / WORDS_FILE)


class ByLength:
    """Keeps what has as many words, reviews what has more, and drops what has fewer."""

    signature = "by length"

    def score_pairs(self, pairs: Iterable[tuple[str, str]]) -> Iterator[SimpleNamespace]:
        for source, output in pairs:
            more = len(output.split()) - len(source.split())
            yield SimpleNamespace(
                judgement=SimpleNamespace(verdict="keep" if not more else "review" if more > 0 else "drop")
            )


def test_one_misspelt_word_at_a_time(folder: Path, tmp_path: Path, words: WordTable) -> None:
    pairs = references.single_corrections(read_sentences(folder), words)
    # alot became two words, and seen is a word.
    assert [(pair.source, pair.output) for pair in pairs] == [
        ("My best freind lives here.", "My best friend lives here."),
        ("I definatly know it.", "I definitely know it."),
    ]
    path = tmp_path / "some.m2"
    path.write_text(M2, encoding="utf-8")
    assert [pair.output.split()[3] for pair in references.single_corrections(read_sentences(path), words)] == [
        "lives",
        "it.",
    ]


def test_the_tables(folder: Path) -> None:
    pairs = references.whole_corrections(read_corrections(folder))
    assert len(pairs) == 5
    study = references.run([folder], ByLength(), resamples=10)  # type: ignore[arg-type]
    whole, single = (dict(zip(study.table.columns, row, strict=True)) for row in study.table.rows)
    assert (whole["pairs"], single["pairs"]) == (5, 2)
    assert [whole[name].value for name in ("kept", "reviewed", "dropped")] == [0.8, 0.2, 0.0]  # type: ignore[union-attr]
    assert study.signatures == {"judge": "by length"}
