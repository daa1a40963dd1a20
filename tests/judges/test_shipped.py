"""A judge that ships, taken apart again: what its networks say of prepared pairs is what the judge says."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

from usim.judge.trained import SHIPPED, TrainedJudge
from usim.scorer import Scorer

pytestmark = [pytest.mark.slow, pytest.mark.model]

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

import torch  # noqa: E402

from judges import prepare, research, shipped  # noqa: E402
from judges.encode import load  # noqa: E402

PAIRS = [
    ("She was happy about the present.", "She was glad about the present."),
    ("She was happy about the present.", "She was sad about the present."),
    ("The old man went home because he was tired.", "He went home."),
    ("The ferry leaves at six.", "the ferry leaves at six"),
]


def test_the_networks_of_a_judge_are_recovered(tmp_path: Path) -> None:
    rows = [{"source": a, "target": b, "label": 0.5, "kind": "word.synonym", "group": a} for a, b in PAIRS]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    prepare.main(["--out", str(tmp_path), "--name", "own", "--made", str(tmp_path / "pairs.jsonl"), "--origin", "own"])
    shipped.main([str(tmp_path / "own.pkl"), "--judge", str(SHIPPED / "judge"), "--out", str(tmp_path / "encoded"),
                  "--rows", str(tmp_path / "rows.jsonl")])  # fmt: skip
    assert [pair.origin for pair in load(tmp_path / "encoded/own.pkl").pairs] == ["own"] * len(PAIRS)
    slope, shift = json.loads((SHIPPED / "judge/settings.json").read_text())["calibration"]
    logits = np.load(tmp_path / "encoded/own.logits.npy").tolist()
    unseen = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["said"] for row in unseen] == pytest.approx([1 / (1 + math.exp(-logit)) for logit in logits], abs=1e-5)
    said = [result.judgement.faithfulness for result in Scorer(judge=TrainedJudge()).score_pairs(PAIRS)]
    assert [1 / (1 + math.exp(-(slope * logit + shift))) for logit in logits] == pytest.approx(said, abs=2e-3)


def test_a_prepared_file_is_read_as_a_whole(tmp_path: Path) -> None:
    with open(tmp_path / "none.pkl", "wb") as file:
        pickle.dump([], file)
    with pytest.raises(SystemExit, match="no pairs"):
        shipped.main([str(tmp_path / "none.pkl"), "--judge", str(SHIPPED / "judge"), "--out", str(tmp_path)])


def test_networks_are_exported_with_the_encoder_of_a_judge_that_ships(tmp_path: Path) -> None:
    _, net = shipped.load_networks(SHIPPED / "judge")
    torch.save(net.state_dict(), tmp_path / "head.pt")
    about = json.loads((SHIPPED / "judge/settings.json").read_text())
    calibration = {key: about[key] for key in ("calibration", "thresholds")}
    (tmp_path / "calibration.json").write_text(json.dumps(calibration))
    research.main([str(tmp_path), "--out", str(tmp_path / "judge"), "--name", "mine"])
    assert {path.name for path in (tmp_path / "judge").iterdir()} == {"pair.onnx", "settings.json"}
    judges = TrainedJudge(tmp_path / "judge"), TrainedJudge()
    assert judges[0].name == "mine"
    own, default = ([r.judgement.faithfulness for r in Scorer(judge=judge).score_pairs(PAIRS)] for judge in judges)
    assert own == pytest.approx(default, abs=1e-3)
