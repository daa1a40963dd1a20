"""Sensitivity to types of errors: which sentences are compared, and what the figures are."""

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from experiments import error_types
from experiments.error_types import Corrected, WordEdit, read_corrected, run, steps
from usim.errors import InputError

pytestmark = pytest.mark.model

FILE = Path(__file__).parent / "data/small.m2"


class TestReading:
    def test_each_annotator_who_corrects_something(self) -> None:
        corrected, wrong = read_corrected(FILE)
        assert wrong == []
        assert len(corrected) == 3
        assert [edit.kind for edit in corrected[0].edits] == ["R:VERB:SVA", "R:NOUN:NUM", "M:ADJ"]
        assert corrected[0].edits[0] == WordEdit(1, 2, ("has",), "R:VERB:SVA")  # the first of the alternatives

    def test_a_record_that_cannot_be_read_costs_only_itself(self, tmp_path: Path) -> None:
        file = tmp_path / "small.m2"
        file.write_text("S a b\nA 5 6|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n" + FILE.read_text(), encoding="utf-8")
        corrected, wrong = read_corrected(file)
        assert len(corrected) == 3
        assert "small.m2:1" in wrong[0]
        file.write_text("S a b\n", encoding="utf-8")
        with pytest.raises(InputError, match="no corrected sentence"):
            read_corrected(file)


class TestSteps:
    edits = (1, 2, ("has",), "verb"), (3, 4, ("cats",), "noun"), (3, 3, ("small",), "adjective")
    more = (3, 3, ("black",), "adjective"), (4, 5, (), "stop")
    sentence = Corrected(("She", "have", "two", "cat", "."), tuple(WordEdit(*edit) for edit in (*edits, *more)))

    def test_edits_done_together(self) -> None:
        for done, text in (
            ((), "She have two cat ."), ((0,), "She has two cat ."), ((1, 2), "She have two small cats ."),
            ((3, 2), "She have two small black cat ."), ((4,), "She have two cat"), (range(5), "She has two small black cats"),
        ):  # fmt: skip
            assert self.sentence.with_edits(done) == text

    def test_an_edit_at_a_time_from_the_source_to_the_correction(self) -> None:
        drawn = steps([self.sentence], edits="after", samples=40, seed=1)
        assert drawn[0].before == drawn[0].source
        ends = [k for k, step in enumerate(drawn) if step.after == "She has two small black cats"]
        assert len(ends) == 40  # every sample ends there
        for k, step in enumerate(drawn):
            if k - 1 in ends:
                assert step.before == step.source
            elif k:
                assert (step.before, step.source) == (drawn[k - 1].after, drawn[k - 1].source)
        # Now the sentence as it was written is the source, now one that is corrected in part.
        assert len({step.source for step in drawn}) > 5

    def test_as_printed_every_edit_counts_and_any_sentence_on_the_way_is_the_source(self) -> None:
        drawn = steps([self.sentence], samples=40, seed=1)
        assert len(drawn) == 40 * len(self.sentence.edits)
        whole = " ".join(self.sentence.words)
        sources = set()
        for start in range(0, len(drawn), 5):
            way = drawn[start : start + 5]
            assert (way[0].before, way[-1].after) == (whole, "She has two small black cats")
            assert all(a.after == b.before for a, b in pairwise(way))
            assert {step.source for step in way} <= {whole, *(step.after for step in way)}
            sources |= {step.source for step in way}
        assert {whole, "She has two small black cats"} < sources

    def test_what_is_drawn_depends_on_the_seed_and_the_place_alone(self) -> None:
        other = Corrected(("x",), (WordEdit(0, 1, ("y",), "X"),))
        both = steps([other, self.sentence], seed=5)
        assert both == steps([other, self.sentence], seed=5)
        assert both[1:] == steps([self.sentence, self.sentence], seed=5)[-len(both) + 1 :]
        assert any(steps([self.sentence], seed=5) != steps([self.sentence], seed=s) for s in range(6, 10))


class Lengths:
    """A scorer whose scores can be worked out: 1 less a tenth for each word that the sentences differ in length."""

    signature = "lengths"

    def score_pairs(self, pairs: Iterable[tuple[str, str]]) -> Iterator[SimpleNamespace]:
        for source, output in pairs:
            apart = abs(len(source.split()) - len(output.split())) / 10
            yield SimpleNamespace(score=1 - apart, judgement=SimpleNamespace(faithfulness=1 - apart / 4))


LENGTHS: Any = Lengths()


def test_figures_by_hand() -> None:
    study = run(FILE, LENGTHS, edits="after", resamples=10, often=1)
    rows = {row[0]: row for row in study.table.rows}
    # A word comes or goes: a tenth; a word is replaced: nothing.
    assert rows["U:DET"][1] == 1
    assert rows["U:DET"][2].value == pytest.approx(-0.1)  # type: ignore[union-attr]
    assert rows["R:VERB:TENSE"][2].value == 0.0  # type: ignore[union-attr]
    total = rows["all edits"][1]
    moved = sum(row[1] for name, row in rows.items() if name in ("U:DET", "M:ADJ"))
    assert rows["weighted mean |Δ|"][2:] == pytest.approx((0.1 * moved / total, 0.025 * moved / total))  # type: ignore[operator]


def test_as_printed_what_an_edit_costs_it_brings_on_the_way_to_the_source() -> None:
    study = run(FILE, LENGTHS, samples=200, resamples=10, often=1)
    rows = {row[0]: row for row in study.table.rows}
    # A word more or less costs a tenth after the source and brings a tenth before it, each in half of the draws.
    assert rows["U:DET"][1] == 200
    assert abs(rows["U:DET"][2].value) < 0.02  # type: ignore[union-attr]
    tests = {row[0]: row for row in study.tables[1].rows}
    assert tests["U:DET"][2] > 0.01  # type: ignore[operator]  # p: no type moves the score
    assert study.settings["edits"] == "all"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--m2", str(FILE), "--out", str(tmp_path / "out"), "--often", "1", "--judge", "usim", "--samples", "1"]
    assert error_types.main([*line, "--resamples", "20"]) == 0
    assert "weighted mean |Δ|" in capsys.readouterr().out
    written = json.loads((tmp_path / "out" / "error_types.json").read_text(encoding="utf-8"))
    assert written["settings"]["m2"] == "small.m2"
    assert (tmp_path / "out" / "error_types.svg").is_file()
    assert error_types.main(["--m2", str(tmp_path / "nowhere.m2")]) == 2
    assert "nowhere.m2" in capsys.readouterr().err
    assert sum(row["occurrences"] for row in written["tables"]["types"]["rows"][:-2]) >= 3
