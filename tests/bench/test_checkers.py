"""Checkers of factual consistency, with tiny models made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench import checkers

torch: Any = pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")
tokenizers: Any = pytest.importorskip("tokenizers")

PAIRS = [("A cat sat. It slept.", "A cat slept."), ("A cat sat.", "A dog sat. A cat sat."), ("A", "A")]
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
         "vocab_size": 12, "max_position_embeddings": 600, "pad_token_id": 1}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tokenizer of words in the form of RoBERTa's."""
    words = ["<s>", "<pad>", "</s>", "<unk>", *"A cat sat It slept dog .".split()]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({w: k for k, w in enumerate(words)}, "<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    special = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        "<s> $A </s>", "<s> $A </s> $B:1 </s>:1", special
    )
    marks = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks).save_pretrained(tmp_path)
    torch.manual_seed(0)
    return tmp_path


def made(folder: Path, kind: str, **settings: Any) -> Any:
    model = getattr(transformers, f"Roberta{kind}")(transformers.RobertaConfig(**SIZES, **settings))
    model.save_pretrained(folder)
    return model.eval()


def test_minicheck_is_the_second_class(folder: Path) -> None:
    model = made(folder, "ForSequenceClassification", num_labels=2)
    scores = list(map(checkers.minicheck(str(folder)), PAIRS))
    assert all(0 <= score <= 1 for score in scores)
    # <s> A </s> A </s>
    with torch.inference_mode():
        logits = model(torch.tensor([[0, 4, 2, 4, 2]])).logits[0]
    assert scores[2] == pytest.approx(float(logits.softmax(-1)[1]), abs=1e-6)


def test_alignscore_reads_the_authors_checkpoint(folder: Path) -> None:
    model = made(folder, "Model")
    weights = {f"base_model.{name}": value for name, value in model.state_dict().items()}
    weights |= {"base_model.embeddings.position_ids": torch.arange(600), "bin_layer.bias": torch.zeros(2)}
    weights |= {"tri_layer.weight": torch.zeros(3, 16), "tri_layer.bias": torch.tensor([0.0, 0.0, torch.inf * -1])}
    torch.save({"state_dict": weights}, folder / "AlignScore.ckpt")
    assert list(map(checkers.alignscore(str(folder)), PAIRS)) == [0.5] * 3


def test_summac_takes_the_best_sentence_of_the_source(folder: Path) -> None:
    names = {0: "CONTRADICTION", 1: "neutral", 2: "entailment"}
    made(folder, "ForSequenceClassification", num_labels=3, id2label=names, label2id={v: k for k, v in names.items()})
    score = checkers.summac(str(folder))
    whole, first, second = map(score, (PAIRS[0], ("A cat sat.", PAIRS[0][1]), ("It slept.", PAIRS[0][1])))
    assert whole == pytest.approx(max(first, second))
    made(folder, "ForSequenceClassification", num_labels=2)
    with pytest.raises(ValueError, match="must name entailment and contradiction"):
        checkers.summac(str(folder))


def test_lettucedetect_takes_the_most_doubtful_token_of_the_output(folder: Path) -> None:
    model = made(folder, "ForTokenClassification", num_labels=2)
    score = checkers.lettucedetect(str(folder))(("A", "A cat"))
    with torch.inference_mode():
        invented = model(torch.tensor([[0, 4, 2, 4, 5, 2]])).logits[0].softmax(-1)[:, 1]
    assert score == pytest.approx(1 - float(invented[3:5].max()), abs=1e-6)
