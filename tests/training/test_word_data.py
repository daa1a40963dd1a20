"""The file of WordNet, made from a small database of our own."""

import lzma
import os
from pathlib import Path

import pytest

from training.word_data import build, main
from usim.lexicon import WordNet
from usim.lexicon.wordnet import SHIPPED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A WordNet of ten words, as the files of a database."""
    _, *files = Path(__file__).with_name("ten_words.txt").read_text("utf-8").split("== ")
    for file in files:
        name, _, lines = file.partition("\n")
        (tmp_path / name).write_text(lines, "utf-8")
    return tmp_path


def test_the_file_from_a_database(folder: Path) -> None:
    data = build(folder)
    assert data == build(folder)
    net = WordNet(lzma.decompress(data))
    assert len(net) == 11
    dog, puppy = net.word("dogs"), net.word("puppy")
    assert dog.count == 9
    assert [net.lemma(n) for n in dog.lemmas] == ["dog"]
    assert dog.senses.keys() == net.word("hound").senses.keys()
    assert {steps for steps, _ in puppy.above.values()} == {0, 1, 2}
    (animal,) = net.word("animal").senses
    assert [net.depth(s) for w in ("animal", "dog", "puppy") for s in net.word(w).senses] == [0, 1, 2]
    assert net.information(animal) < net.information(next(iter(puppy.senses)))
    assert [net.lemma(n) for n in net.word("hot").antonyms] == ["cold"]
    assert net.word("cold").opposed_synsets >= net.word("scorching").senses.keys()
    assert [net.lemma(n) for n in net.word("barking").derived] == ["barker"]
    assert net.word("Bath").is_proper
    assert net.word("kitties").known
    assert not net.word("cow").known
    assert not net.word("zebra").known


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made.xz"
    assert main([str(folder), "--out", str(out)]) == 0
    assert out.read_bytes() == build(folder)
    assert "bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("data.noun", "00000009 05 n 0x", "data.noun:8"),
        ("index.adj", "cold a one", "index.adj:5"),
        ("cntlist.rev", "cat 1 3", "cntlist.rev:4"),
    ],
)
def test_bad_files_are_named(folder: Path, name: str, line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with open(folder / name, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert main([str(folder), "--out", str(folder / "out")]) == 2
    assert told in capsys.readouterr().err
    assert not (folder / "out").exists()
    (folder / name).unlink()
    assert main([str(folder), "--out", str(folder / "out")]) == 2
    assert "name the folder" in capsys.readouterr().err


@pytest.mark.skipif("USIM_WORDNET" not in os.environ, reason="USIM_WORDNET names no folder with WordNet 3.0")
def test_the_shipped_file_is_what_the_command_makes() -> None:
    assert build(Path(os.environ["USIM_WORDNET"])) == SHIPPED.read_bytes()
