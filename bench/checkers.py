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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from usim.text import sentence_spans

TextPair = tuple[str, str]
Score = Callable[[Sequence[TextPair]], Sequence[tuple[float, ...]]]
_LONGEST = 512
#: Flan-T5's pieces for *0* and *1*, the answers that MiniCheck learned.
_T5_ANSWERS = (3, 209)


def _libraries() -> tuple[Any, Any]:
    import torch
    import transformers

    torch.set_num_threads(1)
    return torch, transformers


def minicheck(folder: str) -> Score:
    """Load MiniCheck; the score is the probability of support, in [0, 1]."""
    torch, transformers = _libraries()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    is_t5 = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))["model_type"] == "t5"
    kind = "AutoModelForSeq2SeqLM" if is_t5 else "AutoModelForSequenceClassification"
    model = getattr(transformers, kind).from_pretrained(folder).eval()

    def one(pair: TextPair) -> tuple[float]:
        text = ("predict: " if is_t5 else "") + tokenizer.eos_token.join(pair)
        pieces = tokenizer(text, truncation=True, max_length=_LONGEST, return_tensors="pt")
        with torch.inference_mode():
            if is_t5:
                start = torch.zeros((1, 1), dtype=torch.long)
                logits = model(**pieces, decoder_input_ids=start).logits[0, -1][list(_T5_ANSWERS)]
            else:
                logits = model(**pieces).logits[0]
        return (float(logits.softmax(-1)[1]),)

    return lambda pairs: [one(pair) for pair in pairs]


def alignscore(folder: str) -> Score:
    """Load AlignScore; the score is the probability that the output is aligned, in [0, 1], a mean of its sentences."""
    torch, transformers = _libraries()
    (checkpoint,) = Path(folder).glob("*.ckpt")
    weights = torch.load(checkpoint, map_location="cpu", weights_only=True)["state_dict"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_config(transformers.AutoConfig.from_pretrained(folder)).eval()
    own = {name.removeprefix("base_model."): value for name, value in weights.items() if name.startswith("base_model.")}
    # Older versions of the library kept the numbers of positions among the weights.
    model.load_state_dict({name: value for name, value in own.items() if not name.endswith("position_ids")})
    head, bias = weights["tri_layer.weight"], weights["tri_layer.bias"]

    def one(pair: TextPair) -> tuple[float]:
        source, output = pair
        scores = []
        for sentence in _sentences(output):
            pieces = tokenizer(source, sentence, truncation="only_first", max_length=_LONGEST, return_tensors="pt")
            with torch.inference_mode():
                pooled = model(**pieces).pooler_output[0]
            scores.append(float((head @ pooled + bias).softmax(-1)[0]))
        return (sum(scores) / len(scores),)

    return lambda pairs: [one(pair) for pair in pairs]


def summac(folder: str) -> Score:
    """Load a model of entailment; the score is that of SummaC-ZS, in [-1, 1].

    Raises:
        ValueError: the model's configuration does not name entailment and contradiction.
    """
    torch, transformers = _libraries()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    labels = {name.lower()[:4]: int(number) for number, name in model.config.id2label.items()}
    if not {"enta", "cont"} <= set(labels):
        raise ValueError(f"{folder}: the labels must name entailment and contradiction, not {sorted(labels)}")

    def entailed(premise: str, hypothesis: str) -> float:
        pieces = tokenizer(premise, hypothesis, truncation=True, max_length=_LONGEST, return_tensors="pt")
        with torch.inference_mode():
            shares = model(**pieces).logits[0].softmax(-1)
        return float(shares[labels["enta"]] - shares[labels["cont"]])

    def one(pair: TextPair) -> tuple[float]:
        source, output = map(_sentences, pair)
        best = [max(entailed(premise, claim) for premise in source) for claim in output]
        return (sum(best) / len(best),)

    return lambda pairs: [one(pair) for pair in pairs]


def lettucedetect(folder: str) -> Score:
    """Load LettuceDetect; the score is how sure the most doubtful token of the output is, in [0, 1]."""
    torch, transformers = _libraries()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForTokenClassification.from_pretrained(folder).eval()

    def one(pair: TextPair) -> tuple[float]:
        pieces = tokenizer(*pair, truncation="only_first", max_length=_LONGEST, return_tensors="pt")
        own = [place for place, of in enumerate(pieces.sequence_ids(0)) if of == 1]
        with torch.inference_mode():
            invented = model(**pieces).logits[0].softmax(-1)[:, 1]
        return (1 - max((float(invented[place]) for place in own), default=0.0),)

    return lambda pairs: [one(pair) for pair in pairs]


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)] or [text]
