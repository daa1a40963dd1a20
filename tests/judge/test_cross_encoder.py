"""A reader from elsewhere, on a tiny model: it counts the words of either text that it takes for *not* and *cat*."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.command import usim_here
from usim.errors import OptionError, ParsingError
from usim.judge.cross_encoder import CrossEncoder
from usim.options import Options
from usim.scorer import Scorer

onnx = pytest.importorskip("onnx")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "cat", "not", "sat"]
LABELS = {"0": "contradiction", "1": "entailment", "2": "neutral"}


def write_model(folder: Path, labels: dict[str, str] | None = None, extra: str = "") -> Path:
    """Write a model whose logits are sums over words: *not* speaks for contradiction, *cat* for entailment."""
    from onnx import TensorProto, helper, numpy_helper

    labels = LABELS if labels is None else labels
    folder.mkdir(exist_ok=True)
    table = np.zeros((len(WORDS), 3), np.float32)
    table[WORDS.index("not"), 0], table[WORDS.index("cat"), 1] = 4, 2
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
    ]
    names = ["input_ids", "attention_mask", *filter(None, [extra])]
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "tokens"]) for name in names]
    out = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", 3])]
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axis")]
    graph = helper.make_graph(nodes, "tiny", given, out, constants)
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), str(folder / "model.onnx"))
    cut = tokenizers.Tokenizer(tokenizers.models.WordLevel({w: k for k, w in enumerate(WORDS)}, unk_token="[UNK]"))
    cut.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    cut.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    cut.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": labels}), encoding="utf-8")
    return folder


def test_the_logit_is_that_of_entailment_against_the_other_labels(tmp_path: Path) -> None:
    reader = CrossEncoder(write_model(tmp_path / "tiny"))
    said = reader.entailed([("a cat sat", "a cat"), ("a cat sat", "not a cat"), ("a", "a")])
    expected = [4 - np.log(2), 4 - np.log(np.exp(4) + 1), -np.log(2)]
    assert said == pytest.approx(expected, abs=1e-3)


def test_pairs_of_other_lengths_beside_a_pair_change_nothing(tmp_path: Path) -> None:
    reader = CrossEncoder(write_model(tmp_path / "tiny"))
    pairs = [("a cat", "a"), ("a cat sat " * 20, "a not"), ("a", "cat")]
    assert reader.entailed(pairs) == [reader.entailed([pair])[0] for pair in pairs]


def test_a_model_without_segments_is_read_and_so_is_one_with_two_labels(tmp_path: Path) -> None:
    labels = {"0": "not_entailment", "1": "ENTAILMENT", "2": "neutral"}
    assert CrossEncoder(write_model(tmp_path / "tiny", labels, "token_type_ids")).entailed([("a", "cat")])[0] > 0


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = write_model(tmp_path / "tiny")
    (folder / name).unlink()
    with pytest.raises(ParsingError, match=name):
        CrossEncoder(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    folder = write_model(tmp_path / "tiny")
    (folder / name).write_bytes(b"\x00nothing")
    with pytest.raises(ParsingError, match=name):
        CrossEncoder(folder)


@pytest.mark.parametrize("labels", [{}, {"0": "LABEL_0", "1": "LABEL_1"}, {"0": "neutral", "1": "contradiction"}])
def test_labels_that_are_no_entailment_are_refused(tmp_path: Path, labels: dict[str, str]) -> None:
    with pytest.raises(ParsingError, match=r"config\.json"):
        CrossEncoder(write_model(tmp_path / "tiny", labels))


def test_a_model_that_reads_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParsingError, match="pixel_values"):
        CrossEncoder(write_model(tmp_path / "tiny", extra="pixel_values"))


def test_a_model_with_another_number_of_labels_is_refused_when_it_answers(tmp_path: Path) -> None:
    reader = CrossEncoder(write_model(tmp_path / "tiny", {"0": "not_entailment", "1": "entailment"}))
    with pytest.raises(ParsingError, match="2 labels"):
        reader.entailed([("a", "cat")])


PAIR = ("The cat sat on the old wall.", "On the old wall there was a cat.")


@pytest.mark.model
def test_its_entailment_in_both_directions_is_what_the_judge_says(tmp_path: Path) -> None:
    folder = str(write_model(tmp_path / "tiny"))
    with pytest.warns(UserWarning, match="usim tune --reader"):
        scorer = Scorer(options=Options(reader=folder))
    assert f"reader:{CrossEncoder(Path(folder)).digest}" in scorer.signature
    opinion = scorer.score(*PAIR).judgement.opinion
    said = CrossEncoder(Path(folder)).entailed([PAIR, PAIR[::-1]])
    assert [opinion.supported, opinion.covered] == pytest.approx([1 / (1 + np.exp(-each)) for each in said], abs=1e-3)
    assert opinion.same == min(opinion.supported, opinion.covered)


def test_a_judge_without_a_reader_takes_none(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="has no reader"):
        Options(judge="usim", reader=str(tmp_path)).load_judge()


@pytest.mark.model
def test_a_judge_is_fitted_to_it_by_usim_tune(tmp_path: Path) -> None:
    folder, table, mine = write_model(tmp_path / "tiny"), tmp_path / "p.jsonl", tmp_path / "mine.json"
    rows = [
        {"source": f"The cat saw {k} dogs.", "output": f"{k} dogs were seen by the {animal}.", "label": animal == "cat"}
        for k in range(2, 22)
        for animal in ("cat", "not")
    ]
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    done = usim_here("tune", table, "--reader", folder, "-o", mine)
    assert done.returncode == 0, done.stderr
    record = json.loads(mine.read_text())
    assert record["reader"] == str(folder)
    assert record["last"]["weights"][0][3] > 0
    scored = usim_here("score", "--text", *PAIR, "--judge", mine, "--format", "json")
    assert f"+reader:{CrossEncoder(folder).digest}" in json.loads(scored.stdout)["summary"]["signature"]
