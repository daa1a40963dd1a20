"""Lexical simplification as TSAR-2022 and MLSP-2024 score it, worked by hand."""

from pathlib import Path

import pytest

from tests.command import usim_here
from usim.benchmarks import load
from usim.benchmarks.tsar import Mlsp, Tsar, read_lines
from usim.errors import FormatError, InputError

GOLD = (
    "The edifice fell.\tedifice\tbuilding\tbuilding\tstructure\tedifice\tedifice\tedifice\n"
    "A mendacious man.\tmendacious\tlying\tuntruthful\tlying\tuntruthful\tfalse\tdishonest\n"
    "He went.\twent\tleft\n"
)
MADE = (
    "The edifice fell.\tedifice\tstructure\tedifice\thouse\tstructure\tbuilding\n"
    "A mendacious man.\tmendacious\tmean\tuntruthful\tdishonest\n"
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, made = tmp_path / "gold.tsv", tmp_path / "made.tsv"
    gold.write_text(GOLD, encoding="utf-8")
    made.write_text(MADE, encoding="utf-8")
    return gold, made


def test_worked_by_hand(files: tuple[Path, Path]) -> None:
    benchmark = Tsar.open(files[0])
    result = benchmark.score(benchmark.read_predictions(files[1]), resamples=0)
    # edifice: structure, house, building; annotated are building (2) and structure. mendacious: mean, untruthful,
    # dishonest; top are lying and untruthful. went has no line.
    expected = {
        "acc@1": (1 + 0) / 3,
        "acc@1@top1": 0,
        "acc@2@top1": (0 + 1) / 3,
        "acc@3@top1": (1 + 1) / 3,
        "map@3": ((1 + 2 / 3) / 3 + (1 / 2 + 2 / 3) / 3) / 3,
        "map@5": ((1 + 2 / 3) / 5 + (1 / 2 + 2 / 3) / 5) / 3,
        "potential@3": 2 / 3,
        "p@3": (2 / 3 + 2 / 3) / 3,
        "r@3": (2 / 2 + 2 / 4) / 3,
    }
    assert {name: result.figures[name] for name in expected} == pytest.approx(expected)
    assert result.signature.startswith("usim|tsar|word:out|avg:macro|n:3")


def test_mlsp_counts_the_word_itself_among_the_annotations(files: tuple[Path, Path]) -> None:
    benchmark = Mlsp.open(files[0])
    figures = benchmark.score(benchmark.read_predictions(files[1]), resamples=0).figures
    assert figures["acc@3@top1"] == pytest.approx(1 / 3)  # edifice itself is the top one of its target
    assert figures["r@3"] == pytest.approx((2 / 3 + 2 / 4) / 3)
    assert load("mlsp") is Mlsp


def test_places_and_changes(files: tuple[Path, Path]) -> None:
    benchmark = Tsar.open(files[0])
    predictions = benchmark.read_predictions(files[1])
    case = benchmark.cases(predictions)[0]
    assert case.place.word == "edifice"
    assert case.labels == {"structure": "acceptable", "house": "unjudged", "building": "acceptable"}
    assert benchmark.changed(predictions, lambda target, own: own[:1])["A mendacious man.", "mendacious"] == ["mean"]
    with pytest.raises(InputError, match="not in its sentence"):
        Tsar({("A cat.", "dog"): ("pet",)}).cases({})


def test_what_cannot_be_read(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, _ = files
    for text, problem in (("A man.\n", "between tabs"), (GOLD + GOLD, "a second line"), ("\n", "no target in it")):
        (tmp_path / "bad.tsv").write_text(text, encoding="utf-8")
        with pytest.raises((InputError, FormatError), match=problem):
            read_lines(tmp_path / "bad.tsv")
    (tmp_path / "bad.tsv").write_text("Another.\tAnother\tone\n", encoding="utf-8")
    with pytest.raises(FormatError, match="not in the gold file"):
        Tsar.open(gold).read_predictions(tmp_path / "bad.tsv")


def test_the_command(files: tuple[Path, Path]) -> None:
    done = usim_here("tsar", *files)
    assert done.returncode == 0, done.stderr
    assert "acc@3@top1" in done.stdout
    assert "1 of 3 targets have no line" in done.stderr
