"""Files of benchmarks, a screen that was told what to say, and a tiny masked language model, made where ``torch`` and ``transformers`` are installed."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from usim.errors import FormatError, InputError
from usim.judge import Thresholds
from usim.screen import Screened
from usim.suggestions import Suggestion

PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] an intimate close friend of mine is dear ##ly old . a b ##c she".split()


def written(path: Path, value: object) -> Path:
    """Write a file: texts as they are, other values as JSON; packed where the name says so."""
    content = (value if isinstance(value, str) else json.dumps(value)).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def swords_data(text: str, targets: Mapping[str, tuple[str, str, Mapping[str, Sequence[str]]]]) -> dict[str, Any]:
    """Return data of SWORDS: a context, and its targets with their parts of speech, and substitute → labels."""
    data: dict[str, Any] = {"contexts": {"c": {"context": text}}}
    data |= {member: {} for member in ("targets", "substitutes", "substitute_labels")}
    for name, (word, pos, judged) in targets.items():
        data["targets"][name] = {"context_id": "c", "target": word, "offset": text.index(word), "pos": pos}
        for substitute, labels in judged.items():
            data["substitutes"][f"{name}:{substitute}"] = {"target_id": name, "substitute": substitute}
            data["substitute_labels"][f"{name}:{substitute}"] = labels
    return data


def refused(read: Callable[..., object], path: Path, said: str, *more: object) -> str:
    """Read a file that is not what it should be; the error says so, and names the file."""
    with pytest.raises((FormatError, InputError), match=said) as caught:
        read(path, *more)
    assert str(path) in str(caught.value)
    return str(caught.value)


class Told:
    """A screen that has been told how faithful each substitute is; ``seen`` is what it was asked."""

    signature = "usim|parser:none|judge:told|keep:0.7|drop:0.5|v:0"

    def __init__(self, faithfulness: Mapping[str, float], otherwise: float = 1.0) -> None:
        self.faithfulness, self.otherwise = faithfulness, otherwise
        self.seen: list[tuple[str, str, str, str | None]] = []

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[Screened]]:
        for text, suggestions in texts:
            screened = []
            for suggestion in suggestions:
                assert suggestion.span is not None
                target = text[slice(*suggestion.span)]
                self.seen.append((text, target, suggestion.substitute, suggestion.about.get("pos")))
                value = self.faithfulness.get(suggestion.substitute, self.otherwise)
                verdict = Thresholds(keep=0.7, drop=0.5).verdict(value)
                screened.append(Screened(suggestion.substitute, text, value, verdict, (), value, text, text))
            yield screened


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


def log_probabilities(folder: Path, *said: str) -> tuple[list[int], Any]:
    """The pieces of a text, or of two, and the log-probabilities that the model itself gives in their places."""
    import torch
    import transformers

    row = transformers.AutoTokenizer.from_pretrained(folder)(*said, return_tensors="pt")
    with torch.inference_mode():
        logits = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()(**row).logits[0]
    return row["input_ids"][0].tolist(), logits.log_softmax(-1)
