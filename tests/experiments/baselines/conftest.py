"""A tiny masked language model, made where ``torch`` and ``transformers`` are installed."""

from pathlib import Path

import pytest

PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] an intimate close friend of mine is dear ##ly old . a b ##c she".split()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer and twenty pieces, which finds *close* likely everywhere, and *dear* less so."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    old = int(transformers.__version__.split(".")[0]) < 5
    given = str(vocabulary) if old else {piece: number for number, piece in enumerate(PIECES)}
    tokeniser = (transformers.BertTokenizerFast if old else transformers.BertTokenizer)(given)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=40,
    )  # fmt: skip
    model = transformers.BertForMaskedLM(config)
    with torch.no_grad():
        model.cls.predictions.bias[PIECES.index("close")] = 5.0
        model.cls.predictions.bias[PIECES.index("dear")] = 3.0
    model.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    return folder
