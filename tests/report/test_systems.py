"""Several systems: what they are compared by, and from which files."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import usim_here
from tests.support.flat import scorer_of
from usim.errors import UsimError
from usim.report.systems import Systems, load_errant, word_edits
from usim.stats import holm, paired_bootstrap

SOURCES = ["He has two cats.", "She left early.", "They went home."]
SYSTEMS = {
    "good": ["He has two cats.", "She left early.", "They went home."],
    "poor": ["He has three cats.", "She left early.", "They went."],
}
ARGUMENTS = ("--judge", "usim")


def compare(outputs: dict[str, list[str]], parts: Sequence[Sequence[Sequence[str]]] = ((), (), ())) -> Systems:
    """Return systems with the outputs of each for the three sources, and the parts that these count in."""
    scorer = scorer_of()
    systems = Systems(list(outputs), scorer.signature, by="domain" if any(parts) else "")
    for line, (source, of_systems) in enumerate(zip(SOURCES, parts, strict=True)):
        systems.add(line + 1, [scorer.score(source, texts[line]) for texts in outputs.values()], of_systems)
    return systems


@pytest.fixture
def systems() -> Systems:
    return compare(SYSTEMS)


def test_a_comparison(systems: Systems) -> None:
    record = systems.to_dict()
    assert record["baseline"] == "good"
    assert record["systems"]["good"]["faithfulness"]["mean"] == 1.0
    assert "p" not in record["systems"]["good"]["usim"]
    poor = record["systems"]["poor"]
    assert poor["usim"]["difference"] < 0
    low, high = poor["usim"]["difference_interval"]
    assert low <= poor["usim"]["difference"] <= high <= 0
    assert (poor["usim"]["higher"], poor["usim"]["lower"]) == (0, sum(b.score < a.score for a, b in systems.outcomes))
    assert poor["findings"] == {"participant-lost": 1, "number": 1}
    assert [apart["line"] for apart in record["most_apart"]] == [3, 1]
    assert "|bs:1000|seed:0|v:" in record["signature"]
    assert json.loads(json.dumps(record)) == record
    text = "\n".join(systems.text())
    assert "They went home." in text
    assert "She left early." not in text
    outcome = systems.outcomes[2][1]
    thresholds = outcome.judgement.thresholds
    assert thresholds is not None
    keep, drop = (f"{figure:.3f}" if 0 < figure < 1 else "–" for figure in (thresholds.keep, thresholds.drop))
    faithfulness = f"{outcome.judgement.faithfulness:.3f}"
    assert re.search(rf"^    poor +{faithfulness} +{keep} +{drop} +{outcome.judgement.verdict} ", text, re.M)
    assert "near .05 they may disagree" in text
    assert re.search(r"^USim +poor +good +-\..*\] +0 +\d", text, re.M)


def test_parts_of_the_sentences_have_figures_of_their_own() -> None:
    compared = compare(SYSTEMS, [[(domain,), (domain, "poor alone")] for domain in ("news", "mail", "news")])
    table = compared.parts()
    assert [row[:3] for row in table.rows] == [
        ("poor alone", "poor", 3), ("news", "good", 2), ("news", "poor", 2), ("mail", "good", 1), ("mail", "poor", 1)
    ]  # fmt: skip
    of_news = [outcomes[1].score for outcomes in (compared.outcomes[0], compared.outcomes[2])]
    assert table.rows[2][3].value == pytest.approx(sum(of_news) / 2)  # type: ignore[union-attr]
    assert table.rows[2][5:] == tuple(
        sum(compared.outcomes[k][1].judgement.verdict == verdict for k in (0, 2))
        for verdict in ("keep", "review", "drop")
    )
    assert compared.to_dict()["parts"][1]["domain"] == "news"
    assert list(compared.tables())[-1].name == "parts"
    assert "By domain" in "\n".join(compared.text())


def test_a_plot(systems: Systems, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    systems.plot(str(tmp_path / "a.svg"))
    replace(systems, names=[r"$x_{$", "\x1b$\n", "a$"][: len(systems.names)]).plot(str(tmp_path / "b.svg"))
    drawing = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert drawing.count("<!-- poor -->") == 1
    with pytest.raises(UsimError, match=r"end in \.svg or \.png"):
        systems.plot(str(tmp_path / "a.jpx"))
    with pytest.raises(UsimError, match="the folder must exist"):
        systems.plot(str(tmp_path / "nowhere" / "a.png"))


@pytest.mark.model
def test_by_a_column_and_by_the_types_of_m2(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("source,output,domain\nHe go home.,He goes home.,mail\nShe came.,She left.,news\n")
    done = usim_here("score", table, "--by", "domain", "--plot", tmp_path / "p.svg", "--format", "json", *ARGUMENTS)
    assert [part["domain"] for part in json.loads(done.stdout)["summary"]["parts"]] == ["mail", "news"]
    assert (tmp_path / "p.svg").exists()
    done = usim_here("score", table, "--by", "genre")
    assert "no column 'genre'; there are 'source', 'output', 'domain'" in done.stderr
    corrections = tmp_path / "two.m2"
    corrections.write_text(
        "S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:VERB|||walks|||REQUIRED|||-NONE-|||1\n\nS It is .\n",
        encoding="utf-8",
    )
    options = ("--by", "type", "--format", "json", "--names", "A,B")
    record = json.loads(usim_here("score", corrections, *options, *ARGUMENTS).stdout)["summary"]
    assert [(part["type"], part["system"]) for part in record["parts"]] == [("R:VERB", "B"), ("R:VERB:SVA", "A")]


def test_types_by_errant(monkeypatch: pytest.MonkeyPatch) -> None:
    class Annotator:
        def parse(self, text: str) -> str:
            return text

        def annotate(self, source: str, output: str) -> list[SimpleNamespace]:
            assert (source, output) == ("He go .", "He goes .")  # ERRANT takes tokens with blanks between them
            return [SimpleNamespace(type=kind) for kind in ("R:VERB:SVA", "R:VERB:SVA", "noop")]

    monkeypatch.setitem(sys.modules, "errant", SimpleNamespace(load=lambda language: Annotator()))
    assert load_errant()("He go.", "He goes.") == ["R:VERB:SVA"]
    monkeypatch.setitem(sys.modules, "errant", None)
    with pytest.raises(UsimError, match="pip install errant"):
        load_errant()


def test_all_pairs_are_compared_with_holms_correction() -> None:
    outputs = {**SYSTEMS, "bad": ["Cats.", "She.", "They."]}
    compared = compare(outputs)
    pairs = [pair for pair in compared.pairs if pair["figure"] == "usim"]
    assert [(pair["a"], pair["b"]) for pair in pairs] == [("good", "poor"), ("good", "bad"), ("poor", "bad")]
    assert [pair["p_holm"] for pair in pairs] == holm([pair["p"] for pair in pairs])
    assert pairs[0]["difference"] == compared.to_dict()["systems"]["poor"]["usim"]["difference"]
    assert re.search("^USim +bad +poor", "\n".join(compared.text()), re.M)
    figures, differences = compared.tables()
    assert [row[0] for row in figures.rows] == list(outputs)
    assert len(differences.rows) == 6


def test_of_a_few_sentences_it_says_so(systems: Systems) -> None:
    first = Systems(systems.names, systems.signature, lines=[1], outcomes=systems.outcomes[:1])
    text = "\n".join(first.text())
    assert "1 sentence, means" in text
    assert "Of fewer than 20 sentences intervals and p values come out too small." in text


def test_p_is_that_of_sacrebleu() -> None:
    significance = pytest.importorskip("sacrebleu.significance")
    rng = np.random.default_rng(3)
    for real in (0.0001, 0.01, 0.1):
        base = rng.random(100)
        other = base + rng.normal(real, 0.2, 100)
        draws = np.random.default_rng(0)
        drawn = np.abs([(other - base)[draws.integers(0, 100, 100)].mean() for _ in range(1000)])
        (difference, *_), p = paired_bootstrap(base, other)
        assert p == significance._compute_p_value(drawn - drawn.mean(), abs(difference))


def test_a_paired_test() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(200)
    same, better = paired_bootstrap(base, base), paired_bootstrap(base, base + 0.01 + 0.01 * rng.random(200))
    assert same == ((0.0, 0.0, 0.0), 1.0)
    assert better[1] == 1 / 1001
    assert 0.01 < better[0].low < better[0].value < better[0].high < 0.02
    _, p = paired_bootstrap(base, base + rng.normal(0, 1, 200), seed=5)
    assert p > 0.01
    with pytest.raises(ValueError, match="same size"):
        paired_bootstrap([1.0], [1.0, 2.0])


@pytest.mark.model
def test_files_of_several_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"source": s, "good": a, "poor": b} for s, a, b in zip(SOURCES, *SYSTEMS.values(), strict=True)]
    for name in rows[0]:
        Path(name).write_text("".join(row[name] + "\n" for row in rows))
    Path("t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, delimiter in (("t.csv", ","), ("t.tsv", "\t")):
        with open(name, "w", newline="") as file:
            table = csv.DictWriter(file, ("poor", "source", "good"), delimiter=delimiter)
            table.writeheader()
            table.writerows(rows)

    def score(line: str) -> dict[str, Any]:
        done = usim_here("score", *line.split(), *ARGUMENTS, "--format", "json")
        summary: dict[str, Any] = json.loads(done.stdout)["summary"]
        return summary

    summary = score("source good poor")
    assert re.search(r"\|bs:1000\|seed:0\|v:[^|]+$", summary["signature"])
    for name in ("t.csv", "t.tsv", "t.jsonl"):
        assert score(f"{name} --columns source,good,poor")["systems"] == summary["systems"]
        judged = score(f"{name} --columns source,good,poor --reference good")["systems"]
        assert judged == score("source good poor --reference good")["systems"]
        assert (judged["good"]["f0.5"], judged["poor"]["f0.5"], judged["poor"]["mended"]) == (1, 0, 1)
    for wrong in (
        "t.csv --reference good",
        "t.csv --columns source,good --reference better",
        "source good --reference t.csv",
    ):
        assert usim_here("score", *wrong.split(), *ARGUMENTS).returncode == 2
    done = usim_here("score", "source", "good", "poor", *ARGUMENTS, "--fail-under-faithfulness", "0.99")
    assert (done.returncode, "is below 0.99" in done.stderr) == (1, True)


def test_a_plot_is_checked_before_anything_is_scored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("He left.\n")
    files = (tmp_path / "a.txt", tmp_path / "a.txt")
    monkeypatch.setattr("usim.cli.options.make_scorer", lambda **_: pytest.fail("a model is loaded"))
    assert ".jpx" in usim_here("score", *files, "--plot", tmp_path / "a.jpx").stderr
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    done = usim_here("score", *files, "--plot", tmp_path / "a.svg")
    assert (done.returncode, "pip install matplotlib" in done.stderr) == (2, True)


def test_the_legend_of_a_plot_covers_no_interval(systems: Systems, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure
    drawn: list[Any] = []
    monkeypatch.setattr(figure, "savefig", lambda self, path: drawn.append(self))
    systems.plot("a.svg")
    drawn[0].draw_without_rendering()
    (legend,), (axes,) = drawn[0].legends, drawn[0].axes
    assert not legend.get_window_extent().overlaps(axes.get_window_extent())


@pytest.mark.model
def test_figures_as_tables_with_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"source": SOURCES, **SYSTEMS}.items():
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = ("source.txt", "good.txt", "poor.txt")
    given = usim_here("score", *files, *ARGUMENTS, "--names", "A, B", "--format", "csv").stdout
    first, second = given.split("\n\n")
    assert [row["system"] for row in csv.DictReader(first.splitlines())] == ["A", "B"]
    assert [row["compared with"] for row in csv.DictReader(second.splitlines())] == ["A", "A"]
    one = usim_here("score", *files[:2], *ARGUMENTS, "--format", "markdown").stdout
    assert "| good.txt | 1.000 [1.000, 1.000]" in one
    latex = usim_here("score", *files, *ARGUMENTS, "--format", "latex").stdout.splitlines()
    assert r"\toprule" in latex
    assert r"\caption{3 sentences, means with 95\% intervals}" in latex
    assert any(line.startswith("% usim|") for line in latex)
    for names in ("A", "A,A", "A,"):
        assert "takes 2 different names" in usim_here("score", *files, "--names", names).stderr


def test_tables_of_one_system_and_m2(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,source,output\n1,He left.,He left.\n2,She ran.\n")
    done = usim_here("score", tmp_path / "p.csv", *ARGUMENTS, "--format", "jsonl")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["line"], first["score"], done.returncode) == (2, 1.0, 2)
    assert "2 cells, and 3 are needed: id, source, output" in second["error"]
    (tmp_path / "c.m2").write_text(
        "S She have cats .\nA 1 2|||R:VERB|||has|||REQUIRED|||-NONE-|||0\nA 1 2|||R:VERB|||had|||REQUIRED|||-NONE-|||1\n"
    )
    record = json.loads(usim_here("score", tmp_path / "c.m2", *ARGUMENTS, "--format", "json").stdout)
    (result,) = record["results"]
    assert {name: each["output"] for name, each in result["systems"].items()} == {
        "0": "She has cats .", "1": "She had cats ."
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "columns", "message"),
    [
        ("t.csv", "a,b\n1,2\n", (), "name them with --columns"),
        ("t.csv", "source,b\n1,2\n", ("source", "c"), "no column 'c'; there are 'source', 'b'"),
        ("t.csv", "source,source\n1,2\n", (), "two columns are called 'source'"),
        ("t.csv", "source,b\n", (), "there are no records"),
        ("t.csv", "source,b\n1,2\n", ("source",), "one for each system"),
        ("t.m2", "S a b .\n", ("source", "b"), "no column 'b'; there are 'source', '0'"),
        ("t.txt", "a\n", (), "its name must end in .jsonl"),
    ],
)
def test_what_is_wrong_with_a_table(
    tmp_path: Path, name: str, text: str, columns: tuple[str, ...], message: str
) -> None:
    from usim.records import read_table

    (tmp_path / name).write_text(text)
    with pytest.raises(UsimError) as raised:
        read_table(str(tmp_path / name), columns)
    assert message in str(raised.value)


def test_how_much_was_changed_and_mended_stands_beside_the_means() -> None:
    """Worked by hand: of 12 words `idle` changes none, `good` the two that are wrong, `wild` these and two more."""
    scorer, sources = scorer_of(), ["He go home .", "We was at home with two cats ."]
    outputs = {
        "idle": sources,
        "good": ["He goes home .", "We were at home with two cats ."],
        "wild": ["He goes away .", "We were at home with ten cats ."],
    }
    references = [["He went home .", "He goes home ."], ["We were at home with two cats ."]]
    systems = Systems(list(outputs), scorer.signature)
    for line, source in enumerate(sources):
        results = [scorer.score(source, texts[line]) for texts in outputs.values()]
        systems.add(line + 1, results, references=references[line])
    record = systems.to_dict()["systems"]
    amounts = {name: [each[key] for key in ("changed", "mended", "f0.5")] for name, each in record.items()}
    assert amounts["idle"] == [0, 0, 0]
    assert amounts["good"] == [2 / 12, 1, 1]
    assert amounts["wild"] == pytest.approx([4 / 12, 1, 1.25 * 2 / (4 + 0.25 * 2)])
    table = next(systems.tables())
    assert table.columns[-3:] == ("changed words", "mended", "F0.5")
    assert "does less scores higher" in table.as_text()


@given(st.lists(st.sampled_from("ab."), max_size=8), st.lists(st.sampled_from("ab."), max_size=8))
def test_edits_of_words_are_as_many_as_the_distance_and_none_between_equals(old: list[str], new: list[str]) -> None:
    source, output = " ".join(old), " ".join(new)
    assert word_edits(source, source).total() == 0
    assert word_edits(source, output).total() == word_edits(output, source).total()
    assert word_edits(source, output).total() <= max(len(old), len(new))
