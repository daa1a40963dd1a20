"""The trainable baseline, end to end on a tiny model."""

import json
from pathlib import Path

import pytest

from experiments.baselines.train import Settings, read_examples, train
from experiments.baselines.trained import DETECTION, Trained, TrainingSentence, TwoHeads
from tests.benchmarks.conftest import swords_data, written
from tests.command import study_here
from usim.benchmarks import swords, sws
from usim.errors import FormatError, InputError

TEXT = "She is an old friend .\nA close friend of mine is old .\n" * 8
THESAURUS = "old\tadj\tdear\nclose\tadj\tintimate\n"
GOLD = {
    "s": {"sentence_split": "she is a dear friend .".split(), "substitutes": [[[3, 4], {"old": 3}, 1]]},
    "t": {"sentence_split": ["friend"] * 60, "substitutes": []},
}
SWORDS = swords_data("she is a dear friend .", {"u": ("dear", "ADJ", {"old": ["TRUE", "TRUE"]})})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    written(tmp_path / "text", TEXT)
    written(tmp_path / "mine.tsv", THESAURUS)
    written(tmp_path / "gold.json", GOLD)
    written(tmp_path / "swords.json", SWORDS)
    return tmp_path


def run(*arguments: object, code: int = 0) -> str:
    """Run a command; return what it says on standard error."""
    done = study_here(*map(str, arguments))
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.fixture
def data(files: Path) -> Path:
    said = run("generate", files / "text", "--thesaurus", files / "mine.tsv", "-o", files / "data.jsonl")
    assert "% of their words" in said
    return files / "data.jsonl"


# Data


def test_what_generate_writes_is_read(data: Path) -> None:
    examples = read_examples(data, most=2)
    assert [example.words[start:end] for example in examples for start, end, _ in example.targets] == [
        ("dear",), ("intimate",), ("dear",)
    ]  # fmt: skip
    assert [better for example in examples for _, _, better in example.targets] == ["old", "close", "old"]


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"sentence_split": ["a"], "substitutes": [[[0, 2], {"b": 1}, 1]]}',
     '{"sentence_split": ["a"], "substitutes": [[[0, 1], {}, 1]]}', '{"sentence_split": [], "substitutes": []}',
     '{"sent": "a", "targets": [], "substitutes": []}'],
)  # fmt: skip
def test_lines_that_are_none_of_its_are_named(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "data.jsonl", '{"sentence_split": ["a"], "substitutes": []}\n' + line + "\n")
    with pytest.raises(FormatError, match=r"data\.jsonl:2.*experiments generate"):
        read_examples(path)
    with pytest.raises(InputError, match="no sentence"):
        read_examples(written(path, "\n"))


# Training


@pytest.mark.slow
def test_from_text_to_a_score_by_four_commands(tiny: Path, data: Path, files: Path) -> None:
    out = files / "mine"
    run("baseline", "train", data, "--model", tiny, "-o", out, "--epochs", 100, "--rate", 0.02, "--batch", 8)
    assert not (files / "mine.part").exists()
    about = json.loads((out / "usim.json").read_text(encoding="utf-8"))
    assert (about["sentences"], about["steps"]) == (16, 200)
    said = run("baseline", "trained", files / "gold.json", "--model", out, "-k", 3, "-o", files / "made.json")
    gold = sws.read_gold(files / "gold.json")
    found = sws.read_predictions(files / "made.json", gold)
    # It has learned that *dear* could be better, that *old* would be, and leaves out what is too long for it.
    assert found["s"][3, 4][0] == "old"
    assert sws.Sws(gold).score(found, resamples=0).figures["r_e2e"] == 1
    assert found["t"] == {}
    assert about["data"] in said
    run("baseline", "trained", files / "swords.json", "--model", out, "-o", files / "made.json")
    assert swords.read_predictions(files / "made.json", swords.read_gold(files / "swords.json"))["u"][0][0] == "old"
    assert "is there already" in run("baseline", "train", data, "--model", tiny, "-o", out, code=2)


@pytest.mark.slow
def test_a_training_that_was_stopped_comes_to_the_same_weights(tiny: Path, data: Path, files: Path) -> None:
    examples, settings = read_examples(data), Settings(str(tiny), epochs=3, batch=8, seed=3)
    train(examples, files / "whole", settings, say=lambda line: None)

    def stop(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(examples, files / "cut", settings, save_every=2, say=stop)
    assert not (files / "cut").exists()
    with pytest.raises(InputError, match="other settings"):
        train(examples, files / "cut", Settings(str(tiny), epochs=4, batch=8, seed=3))
    said: list[str] = []
    train(examples, files / "cut", settings, save_every=2, say=said.append)
    assert [line.split(",")[0] for line in said] == ["step 4 of 6", "step 6 of 6"]
    one, other = (TwoHeads(str(files / name)) for name in ("whole", "cut"))
    for first, second in ((one.body, other.body), (one.detection, other.detection)):
        assert all((a == b).all() for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert (files / "whole" / DETECTION).exists()


@pytest.mark.slow
def test_what_cannot_be_trained_or_used(tiny: Path, data: Path, files: Path) -> None:
    with pytest.raises(InputError, match="no folder of a trained baseline"):
        Trained(str(tiny))
    with pytest.raises(InputError, match="short enough"):
        train([TrainingSentence(("friend",) * 60, ())], files / "out", Settings(str(tiny)))
    with pytest.raises(InputError, match="cannot be loaded"):
        train(read_examples(data), files / "out", Settings(str(files)))
    (files / "out.part").mkdir()
    (files / "out.part" / "state.pt").write_bytes(b"odd")
    with pytest.raises(InputError, match="not the state of a training"):
        train(read_examples(data), files / "out", Settings(str(tiny)))
