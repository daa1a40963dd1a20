"""The judge on a trunk, from encoded pairs to the files that usim loads; the trunk is tiny, its layers multiples."""

from __future__ import annotations

import json
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
from judges.data import Pair  # noqa: E402
from judges.evaluate import gap  # noqa: E402
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
    import pickle

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


def test_from_encoded_pairs_to_a_judge_that_says_the_same(
    encoded: Path,
    folder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "LAYERS", (3, 6))
    words.main([str(encoded), "--out", str(tmp_path), "--apply", str(encoded), "--epochs", "2"])
    of_head = tmp_path / "head"
    head.main([str(encoded), "--out", str(of_head), "--epochs", "1", "--holdout", "0", "1", "2", "--count", "2"])
    about = {"calibration": [1.0, 0.0], "thresholds": {"keep": 0.6, "drop": 0.1}}
    (of_head / "calibration.json").write_text(json.dumps(about))
    out = folder / "judge"
    export.main([str(a) for a in (tmp_path, "--head", of_head, "--trunk", folder, "--out", out, "--name", "tiny")])
    about = json.loads((out / "settings.json").read_text())
    assert (about["trunk"], about["layers"], about["name"]) == ("..", [3, 6], "tiny")
    judge = TrainedJudge(out)
    analyser = Analyser(Flat(), judge.encoder)
    # What was held out was read by networks that had not seen it, and others have: what people say is compared instead.
    data, net = head.Pairs([encoded]), export.load_networks(tmp_path, of_head)[1]
    own = words.read_rows(encoded)
    said = words.of_pairs(words.say(export.load_networks(tmp_path, of_head)[0], own), own.of_pair, len(data.pairs))
    data.features[:, -2:] = said
    expected = 1 / (1 + np.exp(-head.predict(net, data, np.arange(len(data.pairs)))))
    for k in (0, 1, 5):
        a, b = analyser.analyse([data.pairs[k].source.split(), data.pairs[k].target.split()])
        assert judge.judge([(a, b)])[0].faithfulness == pytest.approx(float(expected[k]), abs=2e-3)
