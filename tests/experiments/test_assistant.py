"""The study of a real assistant: which of Harper's suggestions are right, and whether the judge tells them apart."""

import importlib.util
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from experiments import assistant
from tests.support.corrections import M2, corpus
from usim.errors import InputError

needs_harper = pytest.mark.skipif(importlib.util.find_spec("harper") is None, reason="needs harper-py")

FILES = {
    "src": "My best freind lives here ./I definatly know it ./We recieve alot of letters ./We saw the enviroment .",
    "ref0": "My best friend lives here ./I definitely know it ./We receive a lot of letters ./We saw the environment .",
    "ref1": "My best friend lives here ./I definitely know that ./We receive many letters ./We saw the environment .",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path / "learners", **FILES)


def test_sentences_of_a_folder_and_of_m2(folder: Path, tmp_path: Path) -> None:
    first, *_ = assistant.read_sentences(folder)
    assert first.text == "My best freind lives here."
    assert first.references == ("My best friend lives here.", "My best friend lives here.")
    assert first.needed == 2
    path = tmp_path / "some.m2"
    path.write_text(M2, encoding="utf-8")
    texts = [text for sentence in assistant.read_sentences(path) for text in sentence.references]
    assert texts == ["My best friend lives here.", "I definitely know it.", "All is well."]
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"some\.m2.*no sentences"):
        assistant.read_sentences(path)


def test_figures() -> None:
    score, right = np.array([0.9, 0.2, 0.4, 0.1, 0.8]), np.array([1.0, 0, 1, 0, 0])
    lists = np.array([0, 0, 1, 1, 1])
    figures = assistant.figures(score, right, lists)
    area, first, own = figures(np.arange(5))
    assert area == pytest.approx(5 / 6)
    assert (first, own) == (0.5, 1.0)
    # A list that is drawn twice counts twice.
    assert figures(np.array([0, 1, 0, 1, 2, 3, 4]))[1] == pytest.approx(2 / 3)


@needs_harper
def test_the_study(folder: Path, tmp_path: Path) -> None:
    known = {"My best friend lives here.", "I definitely know it."}

    class Known:
        signature = "known"

        def score_pairs(self, pairs: Iterable[tuple[str, str]]) -> Iterator[SimpleNamespace]:
            for _, output in pairs:
                yield SimpleNamespace(judgement=SimpleNamespace(faithfulness=0.9 if output in known else 0.5))

    m2 = tmp_path / "some.m2"
    m2.write_text(M2, encoding="utf-8")
    items = assistant.suggestions(assistant.read_sentences(folder))
    assert known <= {item.output for item in items if item.label}
    assert all(item.source != item.output for item in items)
    study = assistant.run([folder, m2], Known(), resamples=10)  # type: ignore[arg-type]
    learners, others = (dict(zip(study.table.columns, row, strict=True)) for row in study.table.rows)
    assert learners["data"], others["data"] == ("learners", "some.m2")
    assert others["AUC"].value == 1
    assert others["first right"].value == 1
    assert 0.5 <= learners["AUC"].value <= 1
    assert learners["suggestions"] > learners["right"] > 2


@needs_harper
@pytest.mark.model
def test_as_a_user_types_it(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert assistant.main(["--data", str(folder), "--resamples", "5", "--out", str(out), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["settings"]["data"] == [str(folder)]
    assert (out / "assistant.md").is_file()
    assert assistant.main(["--data", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err
