"""The training side of the judge: figures, calibration, readers of the data sets, and a training run in small."""

import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from judges import calibrate, risk
from judges.data import SAYS, Pair, contrast, csmd, made, mqm, prolex_dev, replaced, tmu
from tests.benchmarks.conftest import written as packed
from usim.judge import Thresholds

pytestmark = pytest.mark.slow


def test_calibration_finds_the_curve_that_was_used() -> None:
    logit = np.random.default_rng(1).normal(size=4000)
    label = 1 / (1 + np.exp(-(0.7 * logit - 0.4)))
    slope, shift = calibrate.platt(logit, label, np.full(4000, 1 / 4000))
    assert (slope, shift) == (pytest.approx(0.7, abs=1e-3), pytest.approx(-0.4, abs=1e-3))


def test_thresholds_keep_to_the_error_rates() -> None:
    rng = np.random.default_rng(2)
    said = rng.uniform(size=5000)
    held = (said > rng.uniform(size=5000)).astype(float)  # perfectly calibrated
    chosen = calibrate.thresholds(said, held)
    assert 0 < chosen["drop"] < chosen["keep"] < 1
    assert (said[held == 1] < chosen["drop"]).mean() <= calibrate.DROPPED
    assert (1 - held[said >= chosen["keep"]]).mean() <= calibrate.KEPT
    assert calibrate.calibration_error(said, held) < 0.02 < calibrate.calibration_error(said / 2, held)


def test_thresholds_are_chosen_on_suggestions_that_count_the_same() -> None:
    rng = np.random.default_rng(4)
    said, label = rng.uniform(size=4000), np.full(4000, 1.0)
    first = np.arange(4000) < 3000
    said[first] = 0.3 + 0.7 * said[first]  # the second set is the harder one, and the smaller
    chosen = calibrate.thresholds(said, label, [first, ~first])
    assert 2 * calibrate.DROPPED - 0.02 <= (said[~first] < chosen["drop"]).mean() <= 2 * calibrate.DROPPED
    label[said < np.where(first, 0.5, 0.8)] = 0.0
    assert calibrate.thresholds(said, label, [], first)["keep"] < calibrate.thresholds(said, label, [], ~first)["keep"]


def test_measured_sets_have_no_part_in_the_calibration(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        {"origin": "x", "source": "a", "target": f"b{k}", "label": float(v > rng.uniform()), "said": float(v)}
        for k, v in enumerate(rng.uniform(0.01, 0.99, 500))
    ]
    for row in rows:  # what is the same is supported and covered
        row |= {"wanted": dict.fromkeys(SAYS, row["label"]), "said": dict.fromkeys(SAYS, row["said"])}
    (tmp_path / "holdout.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    more = [*rows, *({**row, "origin": "y", "label": 0.9} for row in rows)]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in more))
    calibrate.make(tmp_path / "more.jsonl", tmp_path, ["y"])
    also_measured = json.loads((tmp_path / "calibration.json").read_text())
    calibrate.make(tmp_path / "holdout.jsonl", tmp_path, [])
    written = json.loads((tmp_path / "calibration.json").read_text())
    assert also_measured["calibration"] == written["calibration"]
    slope, shift = written["calibration"][0]
    said = [1 / (1 + np.exp(-slope * np.log(row["said"]["same"] / (1 - row["said"]["same"])) - shift)) for row in rows]
    assert calibrate.calibration_error(np.array(said), np.array([row["label"] for row in rows])) < 0.1


def test_readers(tmp_path: Path) -> None:
    (tmp_path / "tmu.csv").write_text(
        "source,output,grammer,fluency,meaning,system,ave_g,ave_f,ave_m\n"
        'He go .,He goes .,"4,4,4,4,4","4,4,4,4,4","4,4,2,0,4",x,4,4,3.5\n'
    )
    (pair,) = tmu(tmp_path / "tmu.csv")
    assert (pair.source, pair.output, pair.figure) == ("He go .", "He goes .", 3.5)
    assert pair.label == pytest.approx((2.5 / 3 + 3 / 4) / 2)  # the 0 is no answer
    (tmp_path / "c.tsv").write_text("original\tsimplification\tlabel\nA long one.\tA one.\t40\n")
    assert [p.label for p in csmd(tmp_path / "c.tsv")] == [0.4]
    (tmp_path / "p.csv").write_text(
        "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs,prof_unacc_subs\n"
        "big,It is a **big** house.,['huge'],['old'],[],[]\n"
    )
    assert [(p.output, p.label) for p in prolex_dev(tmp_path / "p.csv")] == [
        ("It is a huge house.", 1.0),
        ("It is an old house.", 0.0),
    ]
    (tmp_path / "k.tsv").write_text('# c\nid\tphenomenon\tfaithful\tsource\toutput\n1\tn\tno\tA "b.\tB.\n')
    assert [(p.source, p.label, p.kind) for p in contrast(tmp_path / "k.tsv")] == [('A "b.', 0.0, "n")]
    row = {"source": "a", "target": "b", "label": 0.2, "kind": "k", "group": "g"}
    (tmp_path / "m.jsonl").write_text(json.dumps(row) + "\n")
    assert [(p.label, p.kind, p.origin) for p in made(tmp_path / "m.jsonl")] == [(0.2, "k", "made")]


def test_a_substitute_is_put_into_the_sentence_around_it() -> None:
    text = "It rained. He walked home. We stayed."
    assert replaced(text, 14, 20, "run", "VERB") == ("He walked home.", "He ran home.")
    assert replaced(text, 15, 18, "run", None) is None  # within a word


@pytest.mark.parametrize(("in_8_bits", "apart"), [(10**9, 1e-4), (10_000, 0.02)])
def test_the_graph_of_pairs_says_what_the_network_says(
    in_8_bits: int, apart: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each pair, whatever stands beside it in the batch and however much of it is padding."""
    torch = pytest.importorskip("torch")
    ort = pytest.importorskip("onnxruntime")
    from judges import export
    from judges.network import PairNet, gather
    from usim.judge.classifier import pair_feed
    from usim.judge.inputs import PairInputs

    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    width = 16
    net = PairNet(width, 10, 3, plain=1).eval()

    def reading(partner: list[int], flag: list[int], n: int) -> Any:
        source, output = (rng.normal(size=(count, 2 * width)).astype(np.float32) for count in (n, len(flag) - n))
        roles = rng.integers(0, 5, (len(flag), 2))
        inputs = PairInputs(np.arange(n), np.arange(len(flag) - n), np.array(partner), np.array(flag), roles)
        features = rng.normal(size=10).astype(np.float32)
        return SimpleNamespace(before=source, after=output, width=width, inputs=inputs, features=features)

    partner = [7, 8, 9, -1, 10, 11, 12, 0, 1, 2, 4, 5, 6]
    flag = [1, 1, 3, 0, 1, 1, 1, 1, 1, 3, 1, 1, 1]
    readings = [reading(partner, flag, 7), reading(partner, flag, 7), reading([-1, 3, -1, 1], [0, 3, 0, 3], 2)]
    monkeypatch.setattr(export, "_IN_8_BITS", in_8_bits)
    session = ort.InferenceSession(export.pair_graph(net).SerializeToString())
    (together,) = session.run(["logits"], pair_feed(readings))
    for pair, logit in zip(readings, together, strict=True):
        source, output = pair.before, pair.after
        (alone,) = session.run(["logits"], pair_feed([pair]))
        assert alone[0].tolist() == pytest.approx(logit.tolist(), abs=1e-5)
        last = np.concatenate([source, output])[:, width:]
        batch = gather(last, [pair.inputs], np.array([[0, len(source)]]))
        with torch.no_grad():
            batch["features"] = torch.from_numpy(pair.features)[None]
            assert logit.tolist() == pytest.approx(net(batch)[0].tolist(), abs=apart)


def test_plain_networks_read_the_features_alone() -> None:
    torch = pytest.importorskip("torch")
    from judges.network import PairNet, gather
    from usim.judge.inputs import PairInputs

    torch.manual_seed(1)
    net = PairNet(8, 5, 3, dropout=0.0, plain=2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    flag, roles = np.array([1, 3, 1, 3]), np.zeros((4, 2), np.int64)
    inputs = PairInputs(np.arange(2), np.arange(2), np.array([2, 3, 0, 1]), flag, roles)
    rng = np.random.default_rng(1)
    first, second = (
        gather(rng.normal(size=(4, 8)), [inputs], np.array([[0, 2]])) | {"features": torch.ones(1, 5)} for _ in range(2)
    )
    for _ in range(3):
        optimizer.zero_grad()
        (net.each(first) ** 2).sum().backward()
        optimizer.step()
    with torch.no_grad():
        a, b = net.each(first)[0], net.each(second)[0]
    assert a[0].tolist() != b[0].tolist()
    assert a[1:].tolist() == b[1:].tolist()
    assert not net.last[1:, :32].any(), "the graph that is exported reads these weights"


@pytest.mark.model
def test_the_judge_is_made_by_one_command(tmp_path: Path) -> None:
    """From tiny data sets to the files of a judge, on the trunk and the parser of the small model."""
    pytest.importorskip("torch")
    from judges import make
    from usim.judge.trained import SHIPPED, TrainedJudge
    from usim.scorer import Scorer

    data = tmp_path / "data"
    data.mkdir()
    _write_tiny_sets(data)
    out = tmp_path / "run"
    arguments = ["--data", data, "--wordnet", data, "--model", "en-fast", "--out", out]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(make, "MADE", {})
        patch.setattr(make.head, "EPOCHS", 1)
        patch.setattr(make, "WRITTEN", _few_written(tmp_path / "written"))
        make.main([str(argument) for argument in arguments])
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["data"]) >= {file for _, file, *_ in make.SETS}
    # Its settings name the trunk by its way from its folder.
    judge = TrainedJudge(out / "model")
    assert json.loads((out / "model/settings.json").read_text())["trunk_digest"] in (
        json.loads((SHIPPED / "en-fast/trunk/settings.json").read_text())["sha256"].values()
    )
    rows = [json.loads(line) for line in (out / "head/holdout.jsonl").read_text(encoding="utf-8").splitlines()][:6]
    results = list(Scorer(model="en-fast", judge=judge).score_pairs([(row["source"], row["target"]) for row in rows]))
    assert all(0 < result.judgement.faithfulness < 1 for result in results)
    assert len({result.judgement.faithfulness for result in results}) > 1


def _few_written(folder: Path) -> Path:
    """Return a folder with the first rows of each table of the written pairs."""
    folder.mkdir()
    for table in (Path(calibrate.__file__).parent / "written").glob("*.tsv"):
        lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / table.name).write_text("".join(lines[:25]), encoding="utf-8")
    return folder


def _write_tiny_sets(folder: Path) -> None:
    """Write each of the data sets with a few sentences."""
    swords: dict[str, dict[str, object]] = {n: {} for n in ("contexts", "targets", "substitutes", "substitute_labels")}
    prolex = ["target_words,query_pos,tagged_sentences,substitutes"]
    paws, mqm = ["id\tsentence1\tsentence2\tlabel"], ["system\tdoc\tseg_id\ttarget\tcategory\tseverity"]
    nli, summedits, entailment = [], [], ["set\tid\tpremise\thypothesis\tlabel"]
    for k in range(40):
        text = f"Person {k} saw the old house of the {k}th uncle."
        start = text.index("old")
        swords["contexts"][f"c:{k}"] = {"context": text}
        swords["targets"][f"t:{k}"] = {"context_id": f"c:{k}", "target": "old", "offset": start, "pos": "ADJ"}
        for word, votes in (("aged", 8), ("ancient", 6), ("green", 0)):
            swords["substitutes"][f"s:{k}:{word}"] = {"target_id": f"t:{k}", "substitute": word}
            swords["substitute_labels"][f"s:{k}:{word}"] = ["TRUE"] * votes + ["FALSE"] * (10 - votes)
        marked = text.replace("old", "**old**")
        word = ("big", "large")[k % 2]
        prolex.append(f"old{k},a,{marked},\"['{word}', 'aged', 'ancient']\"")
        paws.append(f"{k}\t{text}\tThe old home of the {k}th uncle saw person {k}.\t{k % 2}")
        for system, target, category, severity in (
            ("a", text, "No-error", "No-error"),
            ("b", text.replace("saw", "looked at"), "No-error", "No-error"),
            ("c", text.replace("saw", "<v>sold</v>"), "Accuracy/Mistranslation", "Major"),
        ):
            mqm.append(f"{system}\ttalk.{k % 12}\t{k}\t{target}\t{category}\t{severity}")
        row = {"pairID": k, "sentence1": text, "sentence2": text.replace("old", "new"), "category": "antonyms"}
        nli.append({**row, "gold_label": ("contradiction", "entailment")[k % 2]})
        entailment.append(f"snli\t{k}\t{text}\tPerson {k} saw a house.\t{('entailment', 'neutral')[k % 2]}")
        output = text.replace("saw", ("noticed", "sold")[k % 2])
        summedits.append({"source": text, "output": output, "label": 1 - k % 2})
    packed(folder / "swords-v1.1_dev.json.gz", swords)
    packed(folder / "paws-wiki-dev.tsv.gz", "\n".join(paws))
    packed(folder / "mqm-ted-zhen.tsv.gz", "\n".join(mqm))
    packed(folder / "breaking-nli-train.jsonl.gz", "\n".join(map(json.dumps, nli)))
    packed(folder / "summedits-dev.jsonl.gz", "\n".join(map(json.dumps, summedits)))
    packed(folder / "entailment-dev.tsv.gz", "\n".join(entailment))
    (folder / "ProLex_train_D_LS.csv").write_text("".join(f"{line}\n" for line in prolex), encoding="utf-8")


def test_pairs_of_translations(tmp_path: Path) -> None:
    """Two without an error of accuracy say the same; one with a major one does not."""
    rows = [
        "system\tdoc\tseg_id\ttarget\tcategory\tseverity",
        "a\ttalk.1\t4\tHe <v>leave</v>.\tFluency/Grammar\tMajor",
        "b\ttalk.1\t4\tHe went away.\tNo-error\tNo-error",
        "c\ttalk.1\t4\tHe <v>arrived</v>.\tAccuracy/Mistranslation\tMajor",
        "d\ttalk.1\t4\tHe arrived late.\tAccuracy/Addition\tMinor",
        "b\ttalk.1\t5\tIt rained.\tNo-error\tNo-error",
    ]
    packed(tmp_path / "mqm.tsv.gz", "\n".join(rows))
    pairs = list(mqm(tmp_path / "mqm.tsv.gz", random.Random(1), each=2))
    same, other = ([p for p in pairs if (p.label > 0.5) is wanted] for wanted in (True, False))
    assert {(p.source, p.output) for p in same} == {("He leave.", "He went away."), ("He went away.", "He leave.")}
    assert {p.output for p in other} == {"He arrived."}
    assert {p.after for p in pairs if p.source == "He went away."} == {"It rained."}


def test_what_is_held_out_is_said_by_the_pair() -> None:
    pair = Pair("a", "b", 1.0, "mqm", "talk.6")
    assert pair.is_held_out
    assert not Pair("a", "b", 1.0, "mqm", "talk.1").is_held_out
    shares = [Pair("a", "b", 1.0, "paws", str(k)).is_held_out for k in range(2000)]
    assert 0.07 < sum(shares) / 2000 < 0.13


def test_wrong_corrections_are_drawn_from_all_sets_that_have_them() -> None:
    counts = {("step", 0.0): 60, ("corrections", 0.0): 60, ("corrections", 1.0): 90, ("paws", 0.0): 5}
    rows = [
        risk.Row(origin, "corrected", {"same": label}, {"same": label})
        for (origin, label), count in counts.items()
        for _ in range(count)
    ]
    drawn = risk.as_in_use(rows, "same")
    wrong = [row.origin for row in drawn if row.wanted["same"] < 0.5]
    assert len(wrong) == 10 + 5  # of a hundred corrections ten; those of other sets stay
    assert {"step", "corrections", "paws"} == set(wrong)
    assert sum(row.wanted["same"] == 1 for row in drawn) == 90
    assert drawn == risk.as_in_use(rows, "same")


class TestThresholds:
    def rows(self, band: str, *values: tuple[float, float, int], origin: str = "rewrites") -> list[risk.Row]:
        """Return pairs of one set: how many of which label are judged how."""
        return [
            risk.Row(origin, band, {"same": label}, dict.fromkeys(("same", "shorten", "expand"), said))
            for said, label, count in values
            for _ in range(count)
        ]

    def at(self, rows: list[risk.Row], band: str) -> Thresholds:
        return risk.risk_table(rows, Thresholds(0.8, 0.1)).at("same", band, 0.1)

    def test_too_few_corrections_show_nothing_and_are_kept_as_edits_are(self) -> None:
        edits = self.rows("edit", (0.9, 1.0, 200), (0.6, 1.0, 50), (0.6, 0.0, 50), (0.3, 0.0, 100))
        few = self.rows("recast", (0.9, 1.0, 20), origin="clear")
        assert self.at(edits + few, "recast").keep == self.at(edits + few, "edit").keep == 0.75

    def test_what_no_test_can_prove_is_what_it_likely_is(self) -> None:
        few = ((0.9, 1.0, 37), (0.9, 0.0, 3), (0.5, 1.0, 60), (0.5, 0.0, 60), (0.1, 0.0, 37), (0.1, 1.0, 3))
        of_band = {band: self.at(self.rows(band, *few), band) for band in ("edits", "reworded", "rewritten")}
        assert (of_band["edits"].keep, of_band["reworded"].keep, of_band["rewritten"].keep) == (0.7, 1, 1)
        assert (of_band["edits"].drop, of_band["reworded"].drop, of_band["rewritten"].drop) == (0, 0.3, 0)

    def test_of_each_set_no_more_is_wrong_than_of_all(self) -> None:
        said, label = np.array([0.1] * 400 + [0.5] * 9), np.array([False] * 370 + [True] * 39)
        sets = ["made"] * 340 + ["written"] * 69
        assert risk.likely_drop(said, label, 0.1, [""] * 409) == 0.3
        assert risk.likely_drop(said, label, 0.1, sets) == 0  # of the written ones half
