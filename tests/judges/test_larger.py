"""The judge on a trunk, from encoded pairs to the files that usim loads; the trunk is tiny, its layers multiples."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.parsing.test_trunk import folder  # noqa: F401
from tests.test_scorer import Flat
from usim.judge import Analyser, TrainedJudge

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from judges import head  # noqa: E402
from judges.data import HELD, Pair  # noqa: E402
from judges.evaluate import gap  # noqa: E402
from judges.larger import __main__ as larger  # noqa: E402
from judges.larger import encode, export, words  # noqa: E402

TARGETS = ["a b c", "c b a", "b a b", "b c c", "a b b", "c c b"]


def swords() -> list[Pair]:
    """Return substitutes for the second word of sentences: people accept "a", and not the full stop."""
    pairs = []
    for number, sentence in enumerate(TARGETS * 3):
        first, _, last = sentence.split()
        for word, share in (("a", 0.9), ("B", 0.5), (".", 0.0)):
            target = f"{first} {word} {last}"
            if target != sentence:
                key = f"t{number}"
                pairs.append(Pair(sentence, target, share, "swords", f"g{number}", share, key))
    return pairs


@pytest.fixture
def encoded(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    monkeypatch.setattr(encode, "LAYERS", (3, 6))
    monkeypatch.setattr(encode, "_BLOCK", 20)

    def graphs(text: str) -> object:
        return Flat().parse([text.split()])[0]

    prepared = tmp_path / "prepared.pkl"
    with open(prepared, "wb") as file:
        pickle.dump([(p, graphs(p.source), graphs(p.target)) for p in swords()], file)
    out = tmp_path / "encoded" / "swords.pkl"
    encode.main([str(prepared), "--trunk", str(folder), "--out", str(out)])
    return out


def test_blocks_are_read_once(encoded: Path, folder: Path, tmp_path: Path) -> None:  # noqa: F811
    parts = sorted(encoded.with_suffix(".parts").iterdir())
    assert len(parts) > 1
    before = [part.stat().st_mtime_ns for part in parts]
    whole = np.load(encoded.with_suffix(".npz"))["upper"]
    encode.main([str(tmp_path / "prepared.pkl"), "--trunk", str(folder), "--out", str(encoded)])
    assert [part.stat().st_mtime_ns for part in parts] == before
    np.testing.assert_array_equal(np.load(encoded.with_suffix(".npz"))["upper"], whole)


def test_the_network_of_words_learns_what_people_accept(encoded: Path, tmp_path: Path) -> None:
    words.main([str(encoded), "--out", str(tmp_path), "--apply", str(encoded)])
    report = json.loads((tmp_path / "words.json").read_text())
    assert report["auc"] > 0.9
    data, read = head.load(encoded), np.load(encoded.with_suffix(".npz"))
    assert read["features"].shape == (len(data.pairs), data.features.shape[1] + 2)
    first = [k for k, pair in enumerate(data.pairs) if pair.key == "t1"]
    assert gap(np.array([data.pairs[k].figure for k in first]), read["features"][first, -2]) == 1


def test_words_of_held_out_contexts_are_not_learned_from(encoded: Path, tmp_path: Path) -> None:
    pairs, rows = head.load(encoded).pairs, words.read_rows(encoded)
    held = np.array([pairs[k].fold in HELD for k in rows.of_pair])
    assert held.any()
    assert not words.learnable(rows, pairs)[held].any()
    assert words.learnable(rows, pairs)[~held].all()
    words.main([str(encoded), "--out", str(tmp_path / "one"), "--apply", str(encoded)])
    said = np.load(encoded.with_suffix(".npz"))["features"][:, -2]
    data = head.load(encoded)
    data.pairs = [replace(p, figure=1 - p.figure) if p.fold in HELD else p for p in pairs]
    with open(encoded, "wb") as file:
        pickle.dump(data, file)
    words.main([str(encoded), "--out", str(tmp_path / "two"), "--apply", str(encoded)])
    np.testing.assert_array_equal(np.load(encoded.with_suffix(".npz"))["features"][:, -2], said)


def test_one_command_makes_a_judge_that_says_what_its_networks_say(
    encoded: Path,
    folder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(export, "LAYERS", (3, 6))
    prepared, run, out = tmp_path / "prepared", tmp_path / "run", folder / "judge"
    prepared.mkdir()
    (tmp_path / "prepared.pkl").rename(prepared / "swords.pkl")
    command = [str(a) for a in (prepared, "--trunk", folder, "--out", run, "--model", out, "--epochs", 1)]
    larger.main(command)
    about = json.loads((out / "settings.json").read_text())
    assert (about["trunk"], about["layers"], about["name"]) == ("..", [3, 6], "judge-large")
    before = (out / "pair.onnx").stat().st_mtime_ns
    larger.main(command)
    assert (out / "pair.onnx").stat().st_mtime_ns == before  # nothing is done twice
    judge = TrainedJudge(out)
    analyser = Analyser(Flat(), judge.encoder)
    file = run / "encoded" / "swords.pkl"
    data, rows = head.Pairs([file]), words.read_rows(file)
    of_words, net = export.load_networks(run, run / "head")
    # In training these are of networks that had not seen the words.
    data.features[:, -2:] = words.of_pairs(words.say(of_words, rows), rows.of_pair, len(data.pairs))
    slope, shift = about["calibration"]
    expected = 1 / (1 + np.exp(-(slope * head.predict(net, data, np.arange(len(data.pairs))) + shift)))
    for k in (0, 1, 5):
        a, b = analyser.analyse([data.pairs[k].source.split(), data.pairs[k].target.split()])
        assert judge.judge([(a, b)])[0].faithfulness == pytest.approx(float(expected[k]), abs=2e-3)
