"""A reader from elsewhere: a cross-encoder of entailment, in the layout that exporters write.

Many are published under free terms. The folder has ``model.onnx``, ``tokenizer.json`` and ``config.json``, whose
``id2label`` names the labels. The entailment in both directions replaces the logits of usim's own reader.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import OptionError, ParsingError
from usim.judge.reader import ReaderLogits
from usim.judge.reading import ReadPair
from usim.parsing import load_session
from usim.parsing.network import padded
from usim.text.checksums import digest_of

MODEL, TOKENISER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
#: The names of the label of entailment, and of the others that a model may have.
_ENTAILED = {"entailment", "entail", "entailed"}
_OTHERS = {"neutral", "contradiction", "not_entailment", "not entailment", "non_entailment", "non-entailment"}
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
#: How many pairs of like length are read together, and how many pieces of a pair; a longer pair is cut.
_BATCH, _LONGEST = 8, 512


class CrossEncoder:
    """A cross-encoder of entailment in onnxruntime, from the files of a folder.

    Attributes:
        digest: eight hexadecimal digits of the model file, for signatures.

    Raises:
        OptionError: the package that reads its tokeniser is not installed.
        ParsingError: a file is missing or damaged, its labels are not those of entailment, or the model has other
            inputs.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as e:
            message = "a reader from elsewhere needs the extra reader: pip install tokenizers"
            raise OptionError(message, option="reader") from e
        missing = [name for name in (MODEL, TOKENISER, CONFIG) if not (folder / name).is_file()]
        if missing:
            message = f"no {' and no '.join(missing)}: a reader has {MODEL}, {TOKENISER}, {CONFIG}"
            raise ParsingError(message, path=folder)
        self._entailed, self._count = _labels(folder / CONFIG)
        try:
            self._cut = Tokenizer.from_file(str(folder / TOKENISER))
        except Exception as e:  # the library raises nothing narrower
            raise ParsingError(f"not a tokeniser: {e}", path=folder / TOKENISER) from e
        self._cut.enable_truncation(_LONGEST)
        self._cut.no_padding()
        try:
            self._session = load_session(folder / MODEL)
        except (OSError, ValueError) as e:
            raise ParsingError(f"not a usable model: {type(e).__name__}: {e}", path=folder / MODEL) from e
        self._inputs = [given.name for given in self._session.get_inputs()]
        if not {"input_ids"} <= set(self._inputs) <= _INPUTS:
            message = f"it reads {', '.join(self._inputs)}, not {', '.join(sorted(_INPUTS))}"
            raise ParsingError(message, path=folder / MODEL)
        self.digest = digest_of(folder / MODEL)[:8]
        self._folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._folder,)

    def __call__(self, pairs: Sequence[ReadPair]) -> list[ReaderLogits]:
        """Return the logits of pairs, in order: both texts say the same if each follows from the other."""
        texts = [(pair.source.text, pair.output.text) for pair in pairs]
        said = self.entailed([*texts, *((output, source) for source, output in texts)])
        none = np.zeros(0, np.float32)
        return [
            ReaderLogits([min(supported, covered), supported, covered], none, none)
            for supported, covered in zip(said[: len(texts)], said[len(texts) :], strict=True)
        ]

    def entailed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the logits that the second text of each pair follows from the first.

        Raises:
            ParsingError: the model does not give one number for each label.
        """
        encoded = [self._cut.encode(*pair) for pair in pairs]
        order = sorted(range(len(pairs)), key=lambda k: len(encoded[k].ids))
        found = np.zeros(len(pairs))
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            columns = {
                "input_ids": [encoded[k].ids for k in some],
                "attention_mask": [encoded[k].attention_mask for k in some],
                "token_type_ids": [encoded[k].type_ids for k in some],
            }
            logits = self._session.run(None, {name: padded(columns[name]) for name in self._inputs})[0]
            if logits.shape != (len(some), self._count):
                shape = " x ".join(map(str, logits.shape))
                message = f"it gives {shape} numbers for {len(some)} pairs, and {CONFIG} has {self._count} labels"
                raise ParsingError(message, path=self._folder / MODEL)
            found[some] = _log_odds(logits.astype(np.float64), self._entailed)
        said: list[float] = found.round(4).tolist()
        return said


def _labels(path: Path) -> tuple[int, int]:
    """Return the number of the label of entailment, and how many labels there are."""
    try:
        labels = {int(k): str(v) for k, v in json.loads(path.read_text(encoding="utf-8"))["id2label"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise ParsingError(f"no labels under id2label: {type(e).__name__}: {e}", path=path) from e
    entailed = [k for k, name in labels.items() if name.lower() in _ENTAILED]
    unknown = [name for name in labels.values() if name.lower() not in _ENTAILED | _OTHERS]
    if len(entailed) != 1 or unknown or sorted(labels) != list(range(len(labels))) or len(labels) < 2:
        known = "entailment beside neutral and contradiction, or beside not_entailment"
        raise ParsingError(f"its labels are {', '.join(labels.values())}; a reader has {known}", path=path)
    return entailed[0], len(labels)


def _log_odds(logits: npt.NDArray[Any], label: int) -> npt.NDArray[np.float64]:
    """Return the logarithm of the odds of a label, (pairs,), cut off at 15."""
    others = np.delete(logits, label, axis=1)
    odds: npt.NDArray[np.float64] = logits[:, label] - np.logaddexp.reduce(others, axis=1)
    return np.clip(odds, -15, 15)
