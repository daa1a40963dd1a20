"""Grammatical error detection: whether a sentence has errors, as learners make them, that its changed version lacks.

A correction may change more of the wording, so the thresholds are other ones (:mod:`usim.verdicts.thresholds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from usim.evidence import Finding, say
from usim.lexicon import word_info
from usim.spelling.edits import find_edits, written_words

if TYPE_CHECKING:
    from usim.judge.reading import ReadPair

Floats = npt.NDArray[np.float32]

#: The file of a judge that holds the network.
DETECTOR_FILE = "errors.npz"
#: How many tokens a figure of a token depends on: the token itself and its neighbours.
SPAN = 3
#: From this logit on a sentence surely has errors, whatever became of them. One in a hundred clean ones reaches it.
SURE = 2.0
#: A sentence below the first logit hardly has an error. A change that raises the logit by the second puts one in. Of
#: the corrections of the BEA dev set that replace a word by a similar one of another kind, one in a hundred seems to.
_RIGHT, _WORSE = 0.0, 1.0
#: The fewest words of a sentence.
_SENTENCE = 3
#: Similar words differ in at most so many letters, and agree in at least this share.
_LETTERS, _SHARE = 2, 0.5
#: Words that share a part of speech in this share of their uses may stand in one place.
_SHARED_USES = 0.2


class ErrorDetector:
    """A small network over the tokens of a sentence; trained by ``judges.errors``.

    Args: path: ``first`` (width, hidden) and ``near`` (:data:`SPAN`, hidden, hidden), a layer and a convolution, with
    biases; ``last`` (hidden,) and ``last_bias``; ``least``, see :meth:`is_mended`.

    Raises:
        OSError, KeyError, ValueError: the file is no such network.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as arrays:
            own = {name: arrays[name].astype(np.float32) for name in arrays.files}
        self._first, self._first_bias, self._last = own["first"], own["first_bias"], own["last"]
        self._near, self._near_bias = own["near"].reshape(-1, own["near"].shape[-1]), own["near_bias"]
        self._last_bias, self._least = float(own["last_bias"]), float(own["least"])

    def __call__(self, vectors: Floats) -> float:
        """Return the logit of the probability that a sentence has errors.

        ``vectors`` are those of its tokens, at least one, (tokens, width); the network reads their last layers.
        """
        width = self._first.shape[0]
        x = np.tanh(vectors[:, -width:] @ self._first + self._first_bias)
        padded = np.pad(x, ((SPAN // 2, SPAN // 2), (0, 0)))
        near = np.concatenate([padded[k : k + len(x)] for k in range(SPAN)], axis=1)
        said = np.maximum(near @ self._near + self._near_bias, 0) @ self._last + self._last_bias
        return float(np.logaddexp.reduce(said))

    def is_mended(self, of_source: float, of_output: float) -> bool:
        """Return whether the source surely has errors, or more than the output, by ``least`` of their logits."""
        return of_source >= SURE or of_source - of_output >= self._least

    def is_marred(self, of_source: float, of_output: float) -> bool:
        """Return whether the source likely has no errors, and the output has some, by ``least`` or more."""
        return of_source < _RIGHT < of_output and of_output - of_source >= self._least


def is_worse(errors: float | None, before: float | None) -> bool:
    """Return whether a sentence likely has errors, and clearly more than another, by their logits; no if unknown."""
    return errors is not None and before is not None and errors > max(_RIGHT, before + _WORSE)


def unfit(pair: ReadPair) -> Iterator[Finding]:
    """Yield a certain finding if only one word of a right sentence changed, and the new word does not fit there.

    The new word is like the old one by its letters, and of another part of speech or no word: *were* and *we're*. Where
    both may be of one part of speech, as *desert* and *dessert*, the judge says whether it fits. A heading of a word or
    two, as *Use* and *Usage*, is no sentence that it could not fit in.
    """
    of_source, of_output = pair.errors
    if of_source >= _RIGHT or of_output - of_source < _WORSE:
        return
    sides = written_words(pair.source.tokens), written_words(pair.output.tokens)
    if len(sides[0]) < _SENTENCE:
        return
    edits = find_edits(*([word.text for word in words] for words in sides))
    if len(edits) == 1 and all(end - start == 1 for start, end in edits[0]):
        old, new = (words[start] for words, (start, _) in zip(sides, edits[0], strict=True))
        words = old.text.lower(), new.text.lower()
        x, y = (word_info(word).word for word in words)
        if is_other_word(*words) and x.overlap(y) < _SHARED_USES:
            at, to = (tuple(range(word.start, word.end)) for word in (old, new))
            yield Finding("not-meant", say("not-meant.unfit", old.text, new.text), at, to, weight=0.9, is_certain=True)


def is_other_word(old: str, new: str) -> bool:
    """Return whether a word is like another by its letters, but of another part of speech, or no word."""
    letters = ["".join(filter(str.isalpha, word)) for word in (old, new)]
    if min(map(len, letters)) < 2 or OSA.distance(*letters) > _LETTERS or OSA.normalized_similarity(*letters) < _SHARE:
        return False
    kinds = _kind(old), _kind(new)
    return kinds[0] != kinds[1] and not (letters[0] == letters[1] and "" in kinds)


def _kind(word: str) -> str:
    """Return the most frequent part of speech of a word, empty for no word."""
    info = word_info(word)
    if not word.isalpha():
        return "clause" if info.is_word else ""
    closed = {
        "v": info.is_auxiliary or info.modal, "pronoun": info.person, "preposition": info.is_preposition,
        "link": info.links, "determiner": info.is_article or info.quantity,
    }  # fmt: skip
    parts = info.word.parts or {"other" if info.is_function else "": 1.0}
    return next((kind for kind, is_one in closed.items() if is_one), max(parts, key=parts.__getitem__))
