"""``usim evaluate`` as a user types it, and the pairing of passages below it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.corruption import corrupted
from tests.support.graphs import GOLD, PREDICTED, clause, written
from usim.errors import InputError, ParsingError, UsimError
from usim.parsing import load
from usim.ucca import Graph, read_xml, write_mrp, write_xml
from usim.ucca.evaluate import Counts, evaluate, total
from usim.ucca.files import GraphPair, pair_graphs, read_graphs


class Made:
    """A parser whose graphs a function makes of the words, and which remembers them."""

    def __init__(self, name: str, graph_of: Callable[[Sequence[str]], Graph]) -> None:
        self.name, self._graph_of = name, graph_of
        self.seen: list[tuple[str, ...]] = []

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        self.seen += map(tuple, sentences)
        return [self._graph_of(sentence) for sentence in sentences]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path / "gold", GOLD), written(tmp_path / "predicted", PREDICTED)


def names(results: Sequence[GraphPair | UsimError]) -> list[str]:
    return [r.path.name for r in results if isinstance(r, GraphPair)]


def errors(results: Sequence[GraphPair | UsimError]) -> list[str]:
    return [str(r) for r in results if isinstance(r, UsimError)]


class TestTables:
    def test_text(self, folders: tuple[Path, Path]) -> None:
        done = usim_here("evaluate", *folders)
        assert done.returncode == 0, done.stderr
        rows = [line.split() for line in done.stdout.splitlines()]
        # H, he, ran; H, it, fell; H, we, saw, it: ten units, two of them with another label.
        assert ["labelled", "primary", ".8000", ".8000", ".8000", "8", "10", "10"] in rows
        assert ["unlabelled", "primary", "1.0000", "1.0000", "1.0000", "10", "10", "10"] in rows
        assert ["labelled", "remote", "1.0000", "1.0000", "1.0000", "0", "0", "0"] in rows
        assert ["category", "A", "1.0000", ".7500", ".8571", "3", "3", "4"] in rows
        assert ["category", "D", ".0000", "1.0000", ".0000", "0", "2", "0"] in rows
        assert rows[-2] == ["2", "passages"]
        assert done.stdout.splitlines()[-1].startswith("usim|evaluate|pred:xml:predicted|norm:yes|unit:passages|v:")

    def test_json_has_the_passages_and_the_sum(self, folders: tuple[Path, Path]) -> None:
        record = json.loads(usim_here("evaluate", *folders, "--format", "json").stdout)
        results = [evaluate(GOLD[name], PREDICTED[name]) for name in ("a", "b")]
        assert [r["id"] for r in record["results"]] == ["1", "2"]
        for mine, expected in zip(record["results"], results, strict=True):
            assert mine["labelled"]["primary"] == expected.tables["labelled"]["primary"].to_dict()
        summary = record["summary"]
        assert summary["problems"] == 0
        assert {key: summary[key] for key in total(results).to_dict()} == total(results).to_dict()

    def test_files_of_mrp_are_read_as_folders_of_xml_are(self, folders: tuple[Path, Path], tmp_path: Path) -> None:
        gold, predicted = tmp_path / "g.mrp", tmp_path / "p.mrp"
        write_mrp(GOLD.values(), gold)
        write_mrp(PREDICTED.values(), predicted)
        expected = usim_here("evaluate", *folders).stdout
        for each in (gold, folders[0]):
            assert usim_here("evaluate", each, predicted).stdout.splitlines()[:9] == expected.splitlines()[:9]
        parsed = usim_here("evaluate", gold, "--parser", predicted)
        assert parsed.stdout.splitlines()[:9] == expected.splitlines()[:9]
        predicted.write_text("{\n" + predicted.read_text())
        done = usim_here("evaluate", gold, predicted)
        assert done.returncode == 0
        assert done.stdout.splitlines()[:9] == expected.splitlines()[:9]


class TestParser:
    def test_graphs_of_a_parser(self, folders: tuple[Path, Path]) -> None:
        gold, predicted = folders
        one = usim_here("evaluate", gold, "--parser", f"xml:{predicted}", "--format", "json")
        other = usim_here("evaluate", gold, predicted, "--format", "json")
        assert one.returncode == 0, one.stderr
        assert json.loads(one.stdout)["summary"]["labelled"] == json.loads(other.stdout)["summary"]["labelled"]
        assert "1 passage of several sentences" in one.stderr
        assert "norm:yes" in json.loads(one.stdout)["summary"]["signature"]

    def test_one_sentence_that_cannot_be_parsed_costs_only_itself(self, tmp_path: Path) -> None:
        def broken(words: Sequence[str]) -> Graph:
            if "fell" in words:
                raise ParsingError("the parser died")
            return clause(" ".join(words), "DP" + "U" * (len(words) - 2))

        graphs = {"a": GOLD["a"], "b": clause("It fell .", "APU", "2"), "c": clause("We ran", "AP", "3")}
        gold = written(tmp_path / "gold", graphs)
        results = list(pair_graphs(gold, Made("broken", broken)))
        assert names(results) == ["a.xml", "c.xml"]
        assert errors(results) == [f"{gold / 'b.xml'}: the parser died"]

    def test_sentences_are_parsed_one_by_one(self, folders: tuple[Path, Path]) -> None:
        parser = Made("echo", lambda words: clause(" ".join(words), "AP" + "A" * (len(words) - 3) + "U"))
        results = list(pair_graphs(folders[0], parser, sentences=True))
        assert parser.seen == [("He", "ran", "."), ("It", "fell", "."), ("We", "saw", "it", ".")]
        assert not errors(results)
        assert (
            total(evaluate(r.gold, r.predicted) for r in results if isinstance(r, GraphPair))
            .tables["labelled"]["all"]
            .f
            == 1
        )


class TestPairs:
    def test_passages_are_cut_where_the_gold_passage_is(self, folders: tuple[Path, Path]) -> None:
        record = json.loads(usim_here("evaluate", *folders, "--sentences", "--format", "json").stdout)
        assert [r["id"] for r in record["results"]] == ["1000", "2000", "2001"]
        assert record["summary"]["labelled"]["all"] == Counts(8, 10, 10).to_dict()
        assert "|unit:sentences|" in record["summary"]["signature"]

    def test_a_passage_without_a_graph_of_its_tokens_costs_only_itself(self, folders: tuple[Path, Path]) -> None:
        gold, predicted = folders
        write_xml(clause("He runs .", "APU", "1"), predicted / "a.xml")
        write_xml(clause("We slept", "AP", "9"), predicted / "c.xml")
        (predicted / "d.xml").write_text("<root passageID='1'>\n<layer", encoding="utf-8")
        done = usim_here("evaluate", *folders, "--format", "json")
        assert done.returncode == 2
        assert done.stderr.splitlines() == [
            f"usim: warning: {predicted}: none of the 3 graphs has the tokens of the sentence 1; the one in "
            f"{predicted / 'a.xml'} is of He runs .; 1 more could not be read, the first: {predicted / 'd.xml'}:2: "
            "not well-formed XML: unclosed token (column 1): 'He ran .'; not evaluated"
        ]
        record = json.loads(done.stdout)
        assert (
            record["summary"]["labelled"]["all"]
            == evaluate(GOLD["b"], PREDICTED["b"]).tables["labelled"]["all"].to_dict()
        )
        assert record["summary"]["problems"] == 1
        (gold / "b.xml").write_text("<root>", encoding="utf-8")
        assert f"{gold / 'b.xml'}:1: not well-formed" in usim_here("evaluate", *folders).stderr

    @pytest.mark.parametrize("files", [None, []])
    def test_no_such_folder_or_nothing_in_it(self, tmp_path: Path, files: list[str] | None) -> None:
        if files is not None:
            (tmp_path / "x").mkdir()
        with pytest.raises(InputError, match="no such file or folder" if files is None else "no graphs in this folder"):
            list(read_graphs(tmp_path / "x"))
        done = usim_here("evaluate", tmp_path / "x", tmp_path / "x")
        assert done.returncode == 2
        assert done.stderr.startswith(f"usim: {tmp_path / 'x'}: ")

    @pytest.mark.parametrize(
        "arguments", [[], ["gold"], ["gold", "predicted", "--parser", "en"], ["gold", "predicted", "--guidelines", "1"]]
    )
    def test_wrong_usage(self, arguments: list[str]) -> None:
        done = usim_here("evaluate", *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("Usage: ")


@pytest.mark.data
@pytest.mark.parametrize("name", ["ucca-wiki-dev", "ucca-ewt-dev"])
def test_a_corpus_with_itself_in_sentences(corpus: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    """Cut alike, gold agrees with gold; and a changed copy scores the same from files as from graphs."""
    gold, other = written(tmp_path / "gold", {}), written(tmp_path / "other", {})
    results = []
    for i, path in enumerate(sorted(corpus(name).glob("*.xml"))[::25]):
        (gold / path.name).symlink_to(path)
        graph = read_xml(path)
        write_xml(corrupted(graph, random.Random(i), changes=5), other / path.name)
        results.append(evaluate(graph, read_xml(other / path.name)))
    pairs = list(pair_graphs(gold, load(f"xml:{gold}"), sentences=True, whole=True))
    same = total(evaluate(p.gold, p.predicted) for p in pairs if isinstance(p, GraphPair))
    assert same.passages == len(pairs) >= len(results)
    assert same.tables["labelled"]["all"].f == same.tables["labelled"]["implicit"].f == 1
    record = json.loads(usim_here("evaluate", gold, other, "--format", "json").stdout)
    assert record["summary"]["weak"] == total(results).to_dict()["weak"]
    assert 0 < record["summary"]["labelled"]["all"]["f"] < 1


def test_of_many_problems_the_first_are_named(tmp_path: Path) -> None:
    for name in ("gold", "predicted"):
        sentences = "".join(f"He saw {count} cats in {name}.\n" for count in range(2, 9))
        (tmp_path / f"{name}.txt").write_text(sentences)
        usim_here("parse", tmp_path / f"{name}.txt", "--format", "ucca-xml", "-o", tmp_path / name)
    done = usim_here("evaluate", tmp_path / "gold", tmp_path / "predicted")
    assert done.returncode == 2
    assert done.stderr.count("; not evaluated") == 5
    assert "2 more could not be evaluated" in done.stderr
    assert (
        "nothing was evaluated; for graphs of a sentence before and after a change there is usim score" in done.stderr
    )
