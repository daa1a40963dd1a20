"""The benchmark beside peers: what it makes of scores, without the models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.peers import JFLEG, Cost, Scored, cosine, crossed, fill, installed, measure, study, token_match
from judges.data import Pair

pytest.importorskip("sklearn")
pytest.importorskip("sacrebleu")


def test_sentences_are_compared_by_means_and_tokens_by_best_matches() -> None:
    source = np.array([[9.0, 9.0], [1.0, 0.0], [0.0, 1.0], [9.0, 9.0]])
    output = np.array([[9.0, 9.0], [0.0, 2.0], [9.0, 9.0]])
    assert cosine(source[1:3], np.array([[2.0, 2.0]])) == pytest.approx(1)
    # Without the special pieces: of two vectors of the source one has a partner, and that of the output has one.
    assert token_match(source, output) == pytest.approx(2 * 0.5 * 1.0 / 1.5)
    assert token_match(source[:2], output[:2]) == 0.0


def test_a_threshold_comes_from_the_other_half_of_the_sources() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.5
    scores = labels + rng.normal(0, 0.3, 400)
    groups = [str(k) for k in range(400)]
    likely = crossed(scores, labels, groups)
    assert ((likely >= 0.5) == labels).mean() > 0.9
    own = labels.copy()
    own[0] = not own[0]
    assert crossed(scores, own, groups)[0] == likely[0]  # its own label has no part in it


def pairs(name: str, labels: list[float]) -> list[Pair]:
    return [Pair(f"{name} {k}", "b", label, name, f"{name} {k}", label) for k, label in enumerate(labels)]


def test_the_tables(tmp_path: Path) -> None:
    sets = {
        "contrast": pairs("contrast", [1, 0] * 20),
        "summedits": pairs("summedits", [1, 0] * 20),
        "csmd": pairs("csmd", [0.1, 0.5, 0.9] * 5),
        JFLEG: pairs("jflegs", [1.0] * 4),
    }
    labels = np.array([pair.label for some in sets.values() for pair in some])
    said = {"usim en": labels + np.linspace(0, 0.01, len(labels)), "chrF": 1 - labels}
    said["usim en"][-1] = 0.0
    costs = {"usim en": Cost(20.0, 800.0, 300.0), "chrF": Cost(3000.0, 90.0, 5.0)}
    result = study(Scored(sets, said), costs, settings={}, resamples=20, seed=0)
    quality, cost, summedits, curve = result.tables
    rows = {(row[0], row[1]): row for row in quality.rows}
    assert {key[1] for key in rows} == {"AUC", "Pearson", "kept"}
    contrast = next(row for key, row in rows.items() if key[0].startswith("contrast pairs"))
    assert contrast[2:5] == (40, 1.0, 0.0)
    assert contrast[5].value == 1.0  # type: ignore[union-attr]
    assert rows[f"{JFLEG}, references", "kept"][3:5] == (0.75, 0.0)  # of four, one is as low as changed pairs
    assert cost.rows[0][1:4] == (1.0, 20.0, round(20 / 3000, 2))
    assert summedits.rows[0][1] == 1.0
    assert "published" in str(summedits.rows[-1][2])
    assert {row[0] for row in curve.rows} == {"usim en", "chrF"}
    page = tmp_path / "page.md"
    page.write_text("# Peers\n\n<!-- table: cost -->\nold\n<!-- end -->\n\nEnd.\n", encoding="utf-8")
    fill(page, result.tables)
    text = page.read_text(encoding="utf-8")
    assert "old" not in text
    assert "| usim en |" in text
    assert text.startswith("# Peers\n\n<!-- table: cost -->\n**Cost")
    assert text.endswith("<!-- end -->\n\nEnd.\n")


@pytest.mark.slow
def test_a_run_that_was_cut_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [("He go home.", "He goes home."), ("He left.", "She stayed.")]
    scores, cost = measure("chrf", "", texts, tmp_path)
    assert scores["chrF"][0] > scores["chrF"][1]
    monkeypatch.setattr("bench.peers.ProcessPoolExecutor", None)
    again, same = measure("chrf", "", texts, tmp_path)
    assert (again["chrF"].tolist(), same) == (scores["chrF"].tolist(), cost)
    with pytest.raises(TypeError):  # other pairs are scored anew
        measure("chrf", "", texts[:1], tmp_path)


def test_what_is_installed_counts_what_it_needs() -> None:
    assert installed(("no-such-package",)) == 0
    assert installed(("usim-faithfulness",)) > installed(("onnxruntime",)) + 100
