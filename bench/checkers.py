"""Checkers of factual consistency as peers, from folders of weights that the user has.

Each reads the source as the document and the output as the claim, which are a sentence or two, so that nothing is cut
into chunks as the authors do with long documents:

- ``alignscore``: AlignScore (Zha et al. 2023), its head of three classes; the folder has the authors' ``*.ckpt`` beside
  the configuration and tokenizer of its RoBERTa.
- ``minicheck``: MiniCheck (Tang et al. 2024) on RoBERTa, DeBERTa or Flan-T5.
- ``summac``: SummaC-ZS (Laban et al. 2022): a model of entailment over pairs of sentences, of each claim the best
  entailment less contradiction, and their mean.
- ``lettucedetect``: LettuceDetect (Kovács and Recski 2025): one less the likeliest token of the output to be invented.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from usim.text import sentence_spans

TextPair = tuple[str, str]
#: Returns the score of a pair.
Score = Callable[[TextPair], float]
#: Flan-T5's pieces for *0* and *1*, the answers that MiniCheck learned.
_T5_ANSWERS = (3, 209)


class Model:
    """A tokenizer and a model of a folder with one thread; ``weights`` where the folder has none for the ``kind``."""

    def __init__(self, folder: str, kind: str, *, longest: int = 512, weights: dict[str, Any] | None = None) -> None:
        import torch
        import transformers

        torch.set_num_threads(1)
        self._torch, self._longest = torch, longest
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        if weights is None:
            self.model = getattr(transformers, kind).from_pretrained(folder)
        else:
            self.model = getattr(transformers, kind).from_config(transformers.AutoConfig.from_pretrained(folder))
            self.model.load_state_dict(weights)
        self.model.eval()

    def read(self, *texts: Any, truncation: str | bool = True, answers: bool = False) -> tuple[Any, Any]:
        """Return the pieces of texts and what the model makes of them; ``answers``: at the beginning of an answer."""
        pieces = self.tokenizer(
            *texts, padding=True, truncation=truncation, max_length=self._longest, return_tensors="pt"
        )
        begun = {"decoder_input_ids": self._torch.zeros((1, 1), dtype=self._torch.long)} if answers else {}
        with self._torch.inference_mode():
            return pieces, self.model(**pieces, **begun)


def minicheck(folder: str) -> Score:
    """Load MiniCheck; the score is the probability of support, in [0, 1]."""
    is_t5 = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))["model_type"] == "t5"
    model = Model(folder, "AutoModelForSeq2SeqLM" if is_t5 else "AutoModelForSequenceClassification")

    def score(pair: TextPair) -> float:
        text = ("predict: " if is_t5 else "") + model.tokenizer.eos_token.join(pair)
        logits = model.read(text, answers=is_t5)[1].logits[0]
        return float((logits[-1][list(_T5_ANSWERS)] if is_t5 else logits).softmax(-1)[1])

    return score


def alignscore(folder: str) -> Score:
    """Load AlignScore; the score is the probability that the output is aligned, in [0, 1], a mean of its sentences."""
    import torch

    (checkpoint,) = Path(folder).glob("*.ckpt")
    weights = torch.load(checkpoint, map_location="cpu", weights_only=True)["state_dict"]
    own = {name.removeprefix("base_model."): value for name, value in weights.items() if name.startswith("base_model.")}
    # Older versions of the library kept the numbers of positions among the weights.
    own = {name: value for name, value in own.items() if not name.endswith("position_ids")}
    model = Model(folder, "AutoModel", weights=own)
    head, bias = weights["tri_layer.weight"], weights["tri_layer.bias"]

    def score(pair: TextPair) -> float:
        source, output = pair
        read = [model.read(source, sentence, truncation="only_first")[1] for sentence in _sentences(output)]
        scores = [float((head @ states.pooler_output[0] + bias).softmax(-1)[0]) for states in read]
        return sum(scores) / len(scores)

    return score


def summac(folder: str) -> Score:
    """Load a model of entailment whose configuration names its labels; the score is that of SummaC-ZS, in [-1, 1]."""
    model = Model(folder, "AutoModelForSequenceClassification")
    labels = {name.lower()[:4]: int(number) for number, name in model.model.config.id2label.items()}
    if not {"enta", "cont"} <= set(labels):
        raise ValueError(f"{folder}: the labels must name entailment and contradiction, not {sorted(labels)}")

    def entailed(premise: str, hypothesis: str) -> float:
        shares = model.read(premise, hypothesis)[1].logits[0].softmax(-1)
        return float(shares[labels["enta"]] - shares[labels["cont"]])

    def score(pair: TextPair) -> float:
        source, output = map(_sentences, pair)
        best = [max(entailed(premise, claim) for premise in source) for claim in output]
        return sum(best) / len(best)

    return score


def lettucedetect(folder: str) -> Score:
    """Load LettuceDetect; the score is how sure the most doubtful token of the output is, in [0, 1]."""
    model = Model(folder, "AutoModelForTokenClassification")

    def score(pair: TextPair) -> float:
        pieces, read = model.read(*pair, truncation="only_first")
        invented = read.logits[0].softmax(-1)[:, 1]
        own = [place for place, of in enumerate(pieces.sequence_ids(0)) if of == 1]
        return 1 - max((float(invented[place]) for place in own), default=0.0)

    return score


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)] or [text]
