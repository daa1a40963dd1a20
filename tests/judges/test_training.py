"""The training side of the judge: figures, calibration, readers of the data sets, and a training run in small."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges import calibrate
from judges.data import Pair, csmd, made, prolex_dev, replaced, tmu
from judges.evaluate import auc, figures, gap

pytestmark = pytest.mark.slow


def test_auc_counts_pairs_in_order() -> None:
    assert auc(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.5, 0.5])) == (1 + 1 + 0 + 0.5) / 4


def test_gap_by_hand() -> None:
    # Kishida (2005): means of the relevance up to each relevant item, over those of the best order.
    relevance, scores = np.array([0.0, 0.4, 0.8]), np.array([0.9, 0.5, 0.7])
    assert gap(relevance, scores) == pytest.approx((0.8 / 2 + 1.2 / 3) / (0.8 + 1.2 / 2))
    assert gap(relevance, relevance) == pytest.approx(1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12))
def test_no_order_beats_that_of_the_relevance(rows: list[tuple[float, float]]) -> None:
    relevance, scores = np.array(rows).T
    if relevance.sum() > 1e-6:
        assert gap(relevance, scores) <= gap(relevance, relevance) + 1e-9


def test_calibration_finds_the_curve_that_was_used() -> None:
    logit = np.random.default_rng(1).normal(size=4000)
    label = 1 / (1 + np.exp(-(0.7 * logit - 0.4)))
    slope, shift = calibrate.fit(logit, label, np.full(4000, 1 / 4000))
    assert (slope, shift) == (pytest.approx(0.7, abs=1e-3), pytest.approx(-0.4, abs=1e-3))


def test_thresholds_keep_to_the_error_rates() -> None:
    rng = np.random.default_rng(2)
    said = rng.uniform(size=5000)
    label, weight = said.copy(), np.full(5000, 1 / 5000)  # perfectly calibrated
    chosen = calibrate.thresholds(said, label, weight)
    assert 0 < chosen["drop"] < chosen["keep"] < 1
    assert label[said < chosen["drop"]].sum() <= calibrate.DROPPED * label.sum()
    assert (1 - label[said >= chosen["keep"]]).mean() <= calibrate.KEPT
    bars = calibrate.reliability(said, label, weight)
    assert sum(b["share"] for b in bars) == pytest.approx(1)
    assert all(abs(b["said"] - b["people"]) < 1e-9 for b in bars)


def test_each_data_set_weighs_the_same() -> None:
    weight = calibrate.weights_of(["a", "a", "a", "b"])
    assert weight.tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_the_command_calibrates_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(3)
    rows = [
        {"origin": "x", "source": "a", "target": f"b{k}", "label": float(v > rng.uniform()), "said": float(v)}
        for k, v in enumerate(rng.uniform(0.01, 0.99, 500))
    ]
    (tmp_path / "holdout.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    calibrate.main([str(tmp_path / "holdout.jsonl"), "--out", str(tmp_path)])
    found = json.loads((tmp_path / "calibration.json").read_text())
    assert found["faithful dropped"] <= calibrate.DROPPED
    assert found["expected calibration error"] < 0.1
    assert "<svg" in (tmp_path / "reliability.svg").read_text()


def test_readers(tmp_path: Path) -> None:
    (tmp_path / "tmu.csv").write_text(
        "source,output,grammer,fluency,meaning,system,ave_g,ave_f,ave_m\n"
        'He go .,He goes .,"4,4,4,4,4","4,4,4,4,4","4,4,2,0,4",x,4,4,3.5\n'
    )
    (pair,) = tmu(tmp_path / "tmu.csv")
    assert (pair.source, pair.target, pair.figure) == ("He go .", "He goes .", 3.5)
    assert pair.label == pytest.approx((2.5 / 3 + 3 / 4) / 2)  # the 0 is no answer
    (tmp_path / "c.tsv").write_text("original\tsimplification\tlabel\nA long one.\tA one.\t40\n")
    assert [p.label for p in csmd(tmp_path / "c.tsv")] == [0.4]
    (tmp_path / "p.csv").write_text(
        "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs,prof_unacc_subs\n"
        "big,It is a **big** house.,['huge'],['old'],[],[]\n"
    )
    assert [(p.target, p.label) for p in prolex_dev(tmp_path / "p.csv")] == [
        ("It is a huge house.", 1.0),
        ("It is an old house.", 0.0),
    ]
    row = {"source": "a", "target": "b", "label": 0.2, "kind": "k", "group": "g"}
    (tmp_path / "m.jsonl").write_text(json.dumps(row) + "\n")
    assert [(p.label, p.kind, p.origin) for p in made(tmp_path / "m.jsonl")] == [(0.2, "k", "made")]


def test_a_substitute_is_put_into_the_sentence_around_it() -> None:
    text = "It rained. He walked home. We stayed."
    assert replaced(text, 14, 20, "run", "VERB") == ("He walked home.", "He ran home.")
    assert replaced(text, 15, 18, "run", None) is None  # within a word


def test_figures_by_data_set() -> None:
    pairs = [Pair(f"s{k}", f"t{k}", v, "swords", "g", v, "key") for k, v in enumerate((0.0, 0.5, 1.0))]
    found = figures(pairs, np.array([0.1, 0.2, 0.9]))
    assert (found["swords gap"], found["swords auc"]) == (100.0, 1.0)


def test_two_heads_joined_say_the_mean_of_both() -> None:
    torch = pytest.importorskip("torch")
    head = pytest.importorskip("judges.head")
    rng = np.random.default_rng(5)
    features = torch.from_numpy(rng.uniform(-1, 1, size=(300, 5)).astype(np.float32))
    pooled = torch.from_numpy(rng.normal(size=(300, 8)).astype(np.float32))
    pairs = [Pair(str(k), "t", float(rng.uniform()), "made", str(k)) for k in range(300)]
    one, other = (
        head.train_head(pooled[part], features[part], pairs[part], count=2, epochs=3, seed=seed, dropout=0.2)
        for seed, part in ((1, slice(0, 150)), (2, slice(100, 300)))
    )
    with torch.no_grad():
        wanted = (one(pooled, features) + other(pooled, features)) / 2
        assert torch.allclose(head.joined(one, other)(pooled, features), wanted, atol=1e-5)


def test_a_training_run_in_small(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    head = pytest.importorskip("judges.head")
    rng = np.random.default_rng(4)
    features = torch.from_numpy(rng.normal(size=(600, 5)).astype(np.float32))
    pooled = torch.from_numpy(rng.normal(size=(600, 8)).astype(np.float32))
    label = torch.sigmoid(3 * features[:, 0] + 2 * pooled[:, 1])
    pairs = [Pair(str(k), "t", v, "made", str(k)) for k, v in enumerate(label.tolist())]
    made_ = head.train_head(pooled, features, pairs, count=2, epochs=150, seed=1, dropout=0.0)
    with torch.no_grad():
        said = torch.sigmoid(made_(pooled, features)).numpy()
    assert np.corrcoef(said, label.numpy())[0, 1] > 0.95


def test_a_judge_is_made_from_pairs_and_judges(tmp_path: Path) -> None:
    """All steps from pairs to the files of a judge, with a tiny encoder of random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("matplotlib")
    from judges import encode, export, head, pool, prepare, train
    from usim.judge.trained import TrainedJudge
    from usim.parsing.embeddings import SHARED_TABLE
    from usim.scorer import Scorer

    # Width and word pieces have to be those of the table of words that the judge is exported to.
    encoder = tmp_path / "encoder"
    vocabulary = json.loads((SHARED_TABLE / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=384, num_hidden_layers=4, num_attention_heads=12, intermediate_size=32
    )
    transformers.BertModel(config).save_pretrained(encoder)
    (encoder / "tokenizer.json").write_bytes((SHARED_TABLE / "tokenizer.json").read_bytes())

    rows = []
    for k, (verb, other) in enumerate([("saw", "met"), ("saw", "did not see"), ("praised", "blamed")] * 4):
        source, target = (f"Person {k} {v} the old dog in the garden." for v in (verb, other))
        label = (0.9, 0.05, 0.1)[k % 3]
        rows.append({"source": source, "target": target, "label": label, "kind": "unit.x", "group": source})
    made_pairs = tmp_path / "pairs.jsonl"
    made_pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    prepare.main(["--out", str(tmp_path), "--name", "made", "--made", str(made_pairs)])
    encoded = str(tmp_path / "encoded.pkl")
    encode.main([str(tmp_path / "made.pkl"), "--out", encoded, "--encoder", str(encoder)])
    run, of_head = str(tmp_path / "run"), str(tmp_path / "head")
    train.main([encoded, "--out", run, "--encoder", str(encoder), "--epochs", "1", "--holdout", "0", "1", "2"])
    pool.main([encoded, "--run", run, "--encoder", str(encoder)])
    head.main([encoded, "--out", of_head, "--count", "1", "--epochs", "2", "--folds", "2"])
    calibrate.main([f"{of_head}/holdout.jsonl", "--out", of_head])
    model = tmp_path / "model"
    names = ["--encoder", str(encoder), "--name", "tiny", "--out", str(model)]
    export.main([run, of_head, "--encoded", encoded, *names])

    judge = TrainedJudge(model)
    assert judge.name == "tiny"
    results = Scorer(judge=judge).score_pairs([(row["source"], row["target"]) for row in rows[:3]])
    faithfulness = [result.judgement.faithfulness for result in results]
    assert all(0 < value < 1 for value in faithfulness)
    assert len(set(faithfulness)) == 3
