"""Scores of graphs side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import graphs
from experiments.papers.usim_example import TUPA
from tests.brackets import graph_of
from usim.errors import InputError
from usim.ucca import write_xml

pytest.importorskip("smatchpp")

#: A program in the place of mtool: it counts the graphs of both files, and answers in mtool's form.
MTOOL = """import json, sys
gold, predicted = (open(path).read().splitlines() for path in sys.argv[-2:])
assert "--framework" in sys.argv and json.loads(gold[0])["framework"] == "ucca"
assert [json.loads(g)["id"] for g in gold] == [json.loads(p)["id"] for p in predicted]
print(json.dumps({"n": len(gold), "all": {"p": 0.5, "r": 1.0, "f": 2 / 3}}))
"""


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    pairs = [("[H [A He] [P left]] [U .]", "[H [A He] [P left]] [U .]"),
             ("[H [A She] [P ran] [A home]]", "[H [A She] [P ran home]]")]  # fmt: skip
    for name, column in (("gold", 0), ("made", 1)):
        (tmp_path / name).mkdir()
        for number, pair in enumerate(pairs):
            write_xml(graph_of(pair[column], id=str(number)), tmp_path / name / f"{number}.xml")
    return tmp_path / "gold", tmp_path / "made"


def test_one_row_a_score(folders: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MTOOL)
    rows = {str(row[0]): row[1:] for row in graphs.run(*folders, mtool=tmp_path).table.rows}
    assert list(rows) == ["DAG F, labelled", "USim, default", "USim, reference", "smatch++", "MRP"]
    assert rows["MRP"] == (0.5, 1.0, pytest.approx(2 / 3))
    assert 0.5 < float(rows["smatch++"][2] or 0) < 1
    same = {str(row[0]): row[3] for row in graphs.run(folders[0], folders[0]).table.rows}
    assert same["smatch++"] == same["DAG F, labelled"] == same["USim, default"] == 1
    (tmp_path / "main.py").write_text("import sys; sys.exit('no framework')")
    with pytest.raises(InputError, match="it gave no scores: no framework"):
        graphs.run(*folders, mtool=tmp_path)


def test_equal_graphs_of_a_whole_sentence_score_one() -> None:
    same = [graphs.penman(TUPA.source)]
    assert graphs.smatch(same, same)["F"] == 1  # by hill climbing .9


def test_a_row_for_amr(tmp_path: Path) -> None:
    gold, made = tmp_path / "gold.amr", tmp_path / "made.amr"
    gold.write_text("# ::id 1\n(w / want-01\n   :ARG0 (b / boy))\n\n(s / sing-01)\n")
    made.write_text("(w / want-01 :ARG0 (g / girl))\n\n(s / sing-01)\n")
    ((name, precision, recall, f),) = graphs.run(gold, made).table.rows
    assert (name, graphs.run(gold, gold).table.rows[0][3]) == ("smatch++", 1)
    assert 0 < float(f or 0) < 1
    assert precision == recall
    made.write_text("(s / sing-01)\n")
    with pytest.raises(InputError, match="1 graphs for 2 gold ones"):
        graphs.run(gold, made)
