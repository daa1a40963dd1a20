"""The language check: what is not English is known, and English, also that of learners, gives no alarm."""

import json
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import usim_here
from tests.support.flat import Flat, scorer_of
from tests.tables import cases
from usim.errors import LanguageWarning
from usim.screen import Screen
from usim.text import foreign_sentences, language_of


@pytest.mark.parametrize(("language", "text"), cases(__file__, "languages.tsv"))
def test_languages_are_known_where_the_text_is_long_enough(language: str, text: str) -> None:
    assert language_of(text) == (None if language == "-" else language)


@given(st.text())
def test_every_text_has_an_answer(text: str) -> None:
    answer = language_of(text)
    assert answer is None or answer.islower()


def test_the_language_of_a_pair_is_the_one_that_is_not_english() -> None:
    english, german = "He goes to the school every day.", "Er geht jeden Tag in die Schule."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LanguageWarning)
        pairs = ((english, english), (english, german), (german, english))
        assert [scorer_of().score(*pair).language for pair in pairs] == ["en", "de", "de"]
    assert scorer_of().score("Yes", "Maybe").language is None


def test_a_warning_names_the_language() -> None:
    german = "Er geht jeden Tag in die Schule."
    scorer = scorer_of()
    with pytest.warns(LanguageWarning, match=r"\(de\)"):
        results = list(scorer.score_pairs([(german, german)] * 3))
    assert [result.to_dict()["language"] for result in results] == ["de"] * 3
    assert results[0].to_row()["language"] == "de"
    with pytest.warns(LanguageWarning):
        (screened,) = Screen(parser=Flat(), judge="usim").screen(german, 0, 2, ["Sie"])
    assert (screened.language, screened.to_dict()["language"]) == ("de", "de")


def test_of_a_pair_in_another_language_nothing_but_the_language_is_told() -> None:
    with pytest.warns(LanguageWarning):
        judgement = scorer_of().score("Er ging gestern nach Hause.", "Er ging gestern heim.").judgement
    assert judgement.verdict == "review"
    assert any(finding.is_certain for finding in judgement.findings)  # “Hause”, which looks like a name
    assert [finding.kind for finding in judgement.shown] == ["language"]


def test_the_command_line_names_the_lines(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("He goes to the school.\nEr geht jeden Tag in die Schule.\n", encoding="utf-8")
    done = usim_here("score", str(tmp_path / "a"), str(tmp_path / "a"), "--judge", "usim", "--format", "jsonl")
    assert [json.loads(line)["language"] for line in done.stdout.splitlines()] == ["en", "de"]
    assert f"{tmp_path / 'a'}:2: this seems not to be English (de)" in done.stderr
    assert done.stderr.count("not to be English") == 1
    assert done.returncode == 0


@pytest.mark.data
def test_no_false_alarm_on_the_english_of_learners(data: Path) -> None:
    """All 754 learner sentences of JFLEG dev, their corrections, and the sentences of W&I+LOCNESS dev."""
    texts = [line for file in (data / "jfleg-dev").iterdir() for line in file.read_text(encoding="utf-8").splitlines()]
    lines = (data / "bea-dev.m2").read_text(encoding="utf-8").splitlines()
    texts += [line[2:] for line in lines if line.startswith("S ")]
    assert len(texts) > 10_000
    assert [text for text in texts if language_of(text) not in ("en", None)] == []


def test_sentences_in_another_language_among_english_ones() -> None:
    german = "Er ging jeden Tag in die Schule."
    text = f"He left the house at noon. {german} She came back to us.\n\nJawohl!"
    assert foreign_sentences(text) == {(27, 59): "de"}
    assert foreign_sentences(f"{german} Jawohl!") == {(0, 32): "de", (33, 40): "de"}
    assert foreign_sentences("Hmm. Yes!") == {}


def test_a_judge_of_english_keeps_and_drops_nothing_in_another_language(tmp_path: Path) -> None:
    german, french = "Er geht jeden Tag in die Schule.", "Il ne va pas avec nous."
    screen = Screen(parser=Flat(), judge="usim", keep=0, drop=0)
    with pytest.warns(LanguageWarning):
        changed, same = screen.screen(german, 0, 2, ["Sie", "Er"])
    assert (changed.verdict, same.verdict) == ("review", "keep")
    path = tmp_path / "a.jsonl"
    records = [
        {"sentence": "He left.", "start": 3, "end": 7, "substitutes": ["had to go"]},
        {"sentence": french, "start": 0, "end": 2, "substitutes": ["On"]},
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    done = usim_here("screen", path, "--filter-review", "--judge", "usim", "--keep", "1", "--drop", "1")
    assert [json.loads(line)["substitutes"] for line in done.stdout.splitlines()] == [[], ["On"]]
    assert "1 of them in another language, left alone" in done.stderr
