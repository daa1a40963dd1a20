"""Contextual vectors of tokens from a model of the user's, for :class:`usim.benchmarks.ranking.ByContext`.

Any encoder that ``transformers`` can load with a fast tokeniser will do: ``pip install torch transformers``. SWORDS
ranks by the last layer of ``bert-large-uncased`` (Lee et al. 2021, section 5.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.benchmarks.transformer import Transformer

_BATCH = 16


class TransformerVectors(Transformer):
    """Makes a vector for each token of a sentence: the mean of the last layer over its pieces.

    Args:
        name: a folder, or a name that ``transformers`` knows.

    Raises:
        UsimError: ``transformers`` or ``torch`` is not installed.
        InputError: the model cannot be loaded.

    Attributes:
        lower: the length of the vectors.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "vectors of a model of yours need", kind="AutoModel")
        self.lower = int(self.body.config.hidden_size)
        self.most = min(int(getattr(self.body.config, "max_position_embeddings", 512)), 512)

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[npt.NDArray[np.float32]]:
        """Return the vectors of the tokens of each sentence, (tokens, lower).

        Tokens beyond what the model can take have a vector of zeros.
        """
        vectors: list[npt.NDArray[np.float32]] = []
        for start in range(0, len(sentences), _BATCH):
            batch = [list(tokens) for tokens in sentences[start : start + _BATCH]]
            pieces = self.tokeniser(
                batch,
                is_split_into_words=True,
                truncation=True,
                max_length=self.most,
                padding=True,
                return_tensors="pt",
            )
            with self.torch.inference_mode():
                states = self.body(**pieces).last_hidden_state.float().numpy()
            for row, tokens in enumerate(batch):
                sums = np.zeros((len(tokens), self.lower), np.float32)
                counts = np.zeros(len(tokens), np.float32)
                for place, token in enumerate(pieces.word_ids(row)):
                    if token is not None:
                        sums[token] += states[row, place]
                        counts[token] += 1
                vectors.append((sums / np.maximum(counts, 1)[:, None]).astype(np.float32))
        return vectors


__all__ = ["TransformerVectors"]
