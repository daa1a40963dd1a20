"""PAWS, Breaking NLI, MQM and SEEDA: their readers, what is held out, and the figures, on small files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from experiments import breaking_nli, mqm, paws, seeda
from experiments.__main__ import main
from experiments.common.labelled import digest
from usim.errors import FormatError

pytestmark = pytest.mark.model

DATA = Path(__file__).parent / "data"


def study(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    given = [*map(str, arguments), "--judge", "usim", "--format", "json"]
    assert main(given) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


class TestPaws:
    def test_every_tenth_pair_by_the_hash_of_its_id(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "dev.tsv.gz"
        path.write_bytes(gzip.compress((DATA / "paws.tsv").read_bytes()))
        pairs = paws.read(path)
        assert [pair.is_held_out for pair in pairs] == [True, False, True]
        assert [digest(name) % 10 == 0 for name in ("18", "1", "72")] == [True, False, True]
        assert pairs[0].source == 'The "old" dog sleeps .'  # quotation marks are no quoting
        (row,) = study(capsys, "paws", "--data", path, "--resamples", 5)["tables"]["figures"]["rows"]
        assert (row["pairs"], row["number"], row["same meaning"]) == ("all", 2, 1)
        assert row["faithfulness: AUC"]["value"] == 1
        (row,) = study(capsys, "paws", "--data", path, "--all", "--resamples", 5)["tables"]["figures"]["rows"]
        assert row["number"] == 3

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("label\n", "tag\n", "dev.tsv:1: no column label"),
            ("\t0\n72", "\t2\n72", "a label must be 0 or 1: '1: 2'"),
            ("him .\t0", "him .", "dev.tsv:3: 3 cells, and 4 are needed"),
        ],
    )
    def test_what_is_no_such_file(self, tmp_path: Path, old: str, new: str, message: str) -> None:
        (tmp_path / "dev.tsv").write_text((DATA / "paws.tsv").read_text().replace(old, new, 1), encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            paws.read(tmp_path / "dev.tsv")


class TestBreakingNli:
    def test_by_kinds(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "pairs.jsonl"
        table = study(capsys, "breaking-nli", "--data", DATA / "nli.jsonl", "--resamples", 5)["tables"]["figures"][
            "rows"
        ]
        assert [(row["pairs"], row["number"], row["same meaning"]) for row in table] == [
            ("all", 2, 1), ("synonyms", 1, 1), ("colors", 1, 0),
        ]  # fmt: skip
        assert table[1]["faithfulness: AUC"]["value"] is None
        assert table[1]["USim: right at .5"]["value"] == 1
        path.write_text('{"sentence1": "a"}\n', encoding="utf-8")
        with pytest.raises(FormatError, match=r"pairs.jsonl:1: no pair with sentence1"):
            breaking_nli.read(path)


class TestMqm:
    def test_pairs_and_marked_words(self, capsys: pytest.CaptureFixture[str]) -> None:
        pairs = mqm.read(DATA / "mqm.tsv")
        # A and B have no error of accuracy; C has a major one; D has a minor one and is in no pair.
        assert {(pair.source, pair.output, pair.is_faithful) for pair in pairs} == {
            ("The light came from the stars .", "The light was from the stars .", True),
            ("The light was from the stars .", "The light came from the stars .", True),
            ("The light came from the stars .", "The light came from the cars .", False),
            ("The light was from the stars .", "The light came from the cars .", False),
        }
        assert {pair.output[min(pair.marked) : max(pair.marked) + 1] for pair in pairs if pair.marked} == {"cars"}
        content = study(capsys, "mqm", "--data", DATA / "mqm.tsv", "--resamples", 5)
        assert [row["pairs"] for row in content["tables"]["figures"]["rows"]] == ["all", "talk.6"]
        _, plain = content["tables"]["places"]["rows"]
        # "cars" twice, and "came" where the source has "was".
        assert (plain["precision"], plain["recall"]) == (pytest.approx(2 / 3), 1)


class TestSeeda:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        source = "He go home every day ."
        for place, system in enumerate(seeda.PUBLISHED):
            text = source if system == "INPUT" else " ".join(source.split()[: 6 - place % 4])
            (tmp_path / f"{system}.txt").write_text(text + "\n", encoding="utf-8")
        for human in seeda.HUMAN:
            scores = "\n".join(str(-(place % 4)) for place in range(15))
            (tmp_path / f"{human}.txt").write_text(scores + "\n", encoding="utf-8")
        return tmp_path

    def test_systems_beside_published_measures(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        tables = study(capsys, "seeda", "--data", folder)["tables"]
        rows = {(row["systems"], row["measure"]): row for row in tables["correlations"]["rows"]}
        assert {measure for _, measure in rows} == {
            "faithfulness",
            "USim",
            "USim and GLEU",
            "USim and ERRANT",
            *seeda.METRICS,
        }
        # People put the systems in the order of the words that they kept.
        assert rows["base", "USim"]["EW_edit ρ"] > 0.9
        assert abs(rows["base", "SOME"]["TS_sent r"]) < 1
        assert {row["system"]: row["SOME"] for row in tables["systems"]["rows"]}["TransGEC"] == 0.82

    def test_files_that_are_missing_or_do_not_fit(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "EW_sent.txt").write_text("1 2 3", encoding="utf-8")
        assert main(["seeda", "--data", str(folder), "--judge", "usim"]) == 2
        assert "EW_sent.txt: 3 numbers for 15 systems" in capsys.readouterr().err
        (folder / "T5.txt").unlink()
        assert main(["seeda", "--data", str(folder), "--judge", "usim"]) == 2
        assert "T5.txt: no such file; python -m experiments.data seeda" in capsys.readouterr().err
