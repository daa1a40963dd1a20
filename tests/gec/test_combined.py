"""Grammar, spelling and meaning in one score."""

import json
from pathlib import Path

import pytest

from tests.support.flat import Flat, scorer_of
from usim.checkers import load_checker
from usim.errors import FormatError, InputError
from usim.gec import CheckerGrammar
from usim.gec.combined import WEIGHTS_FILE, CombinedScorer, Weights, checked_parts


def test_weights_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(Weights(0.25, 0.25, 0.5).to_json(command="made by hand"), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8"))["command"] == "made by hand"
    assert Weights.read(path).values == (0.25, 0.25, 0.5)
    for wrong in ("{}", '{"weights": {"grammar": 1}}', '{"weights": {"grammar": 2, "spelling": 0, "meaning": 0}}', "["):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(FormatError, match="no weights of grammar, spelling, meaning"):
            Weights.read(path)
    with pytest.raises(InputError):
        Weights.read(tmp_path / "nowhere.json")
    with pytest.raises(ValueError, match="together 1"):
        Weights(0.5, 0.6, -0.1)


def test_the_weights_that_come_with_usim_say_what_made_them() -> None:
    assert sum(Weights.read().values) == pytest.approx(1)
    command = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["command"]
    assert command.startswith("python -m experiments.meta_evaluation --tmu")


@pytest.mark.model
def test_a_correction_is_scored_by_all_parts() -> None:
    checker = CheckerGrammar(load_checker("harper"), "harper")
    right, misspelt, wrong = "I have a big banana.", "I have a big bananna.", "I have an big banana."
    (_, clean), (_, typo), (grammar, spelling) = checked_parts(checker, [right, misspelt, wrong])
    assert (clean, typo) == (1.0, 0.8)
    assert (grammar, spelling) == (0.8, 1.0)
    scorer = CombinedScorer(scorer_of(Flat()), checker, Weights(0.2, 0.3, 0.5))
    (result,) = scorer.score_pairs([(misspelt, misspelt)])
    assert (result.grammar, result.spelling, result.meaning) == (1.0, 0.8, 1.0)
    assert result.score == pytest.approx(0.2 + 0.3 * 0.8 + 0.5)
    assert "|combined:0.2/0.3/0.5|checker:harper|v:" in scorer.signature
