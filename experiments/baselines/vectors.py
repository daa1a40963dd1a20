"""Word vectors as a system: the words whose vectors are closest to the target's, or its synonyms in that order.

The vectors are a file of the user's in GloVe's form (Pennington et al. 2014: a word and its numbers a line, the most
frequent words first) or word2vec's text form (the same after a line with two numbers); ``.gz`` is unpacked. Or they are
decontextualised: that of a word is the mean of its contextual vectors in many sentences of the user's, and the target
has that of its own sentence. Wada et al. (2022) take the mean in each of four clusters of the sentences and order the
best proposals anew by what they do to the sentence; here there is one mean, and ``--rerank --by context`` orders.

>>> vectors = Vectors(["close", "near", "loud"], [[1.0, 0.1], [1.0, 0.0], [0.0, 1.0]], "mine")
>>> [candidate.text for candidate in vectors.closest(vectors.vector("close"), 2, "close")]
['near', 'loud']
>>> round(vectors.similarity("close", "near loud"), 3)
0.774
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from experiments.baselines.given import Candidate, GivenTarget
from experiments.baselines.rankers import Encoder
from experiments.baselines.targets import CLOSED, Finder
from usim.errors import FormatError, InputError
from usim.text.files import Path, read_lines

Matrix = npt.NDArray[np.float32]


class Vectors:
    """Vectors of words, shape (words, dimensions); of two words that differ in case only, the first counts.

    ``name`` is for signatures.
    """

    def __init__(self, words: Sequence[str], matrix: Sequence[Sequence[float]] | Matrix, name: str) -> None:
        self.name = name
        self._words = list(words)
        self._rows: dict[str, int] = {}
        for row, word in enumerate(self._words):
            self._rows.setdefault(word.lower(), row)
        vectors = np.asarray(matrix, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._matrix: Matrix = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
        self._proposed = np.array([len(w) > 1 and w.isalpha() and w.islower() for w in self._words], dtype=bool)

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self._words)

    def vector(self, text: str) -> Matrix | None:
        """Return the vector of a word or phrase with length 1, shape (dimensions,); None where no word of it has one.

        The vector of a phrase is the mean of its words'.
        """
        text = text.lower()
        words = [text] if text in self._rows else text.split()
        rows = [self._rows[word] for word in words if word in self._rows]
        if not rows:
            return None
        mean: Matrix = self._matrix[rows].mean(axis=0)
        return _normalised(mean) if mean.any() else None

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine of two words or phrases, in [-1, 1]; -1 where one has no vector."""
        return self._cosine(self.vector(first), second)

    def _cosine(self, vector: Matrix | None, text: str) -> float:
        other = self.vector(text)
        return -1.0 if vector is None or other is None else float(_normalised(vector) @ other)

    def closest(self, vector: Matrix | None, k: int, text: str) -> list[Candidate]:
        """Return the k words of small letters that are closest to a vector, without the word that it is of."""
        if vector is None:
            return []
        scores = np.where(self._proposed, self._matrix @ _normalised(vector), -2)
        order = np.argsort(-scores, kind="stable")[: k + 1]
        candidates = [Candidate(self._words[row], float(scores[row])) for row in order if scores[row] > -2]
        return [candidate for candidate in candidates if candidate.text != text.lower()][:k]

    def ranked(self, vector: Matrix | None, candidates: Iterable[str]) -> list[Candidate]:
        """Return candidates by how close they are to a vector, the closest first."""
        scored = [Candidate(candidate, self._cosine(vector, candidate)) for candidate in candidates]
        return sorted(scored, key=lambda candidate: -candidate.score)


def _normalised(vector: Matrix) -> Matrix:
    length = float(np.linalg.norm(vector))
    return (vector / np.float32(length or 1)).astype(np.float32)


def read_vectors(path: Path, *, most: int | None = None) -> Vectors:
    """Read word vectors in the text form of GloVe or word2vec: ``most`` words from the top, None for all.

    Raises:
        InputError: the file cannot be read, or has no vector.
        FormatError: a line has other numbers than the first one, or none.
    """
    words: list[str] = []
    rows: list[Matrix] = []
    dimensions = 0
    for number, line in read_lines(path):
        cells = line.rstrip().split(" ")
        if number == 1 and len(cells) == 2 and all(cell.isdigit() for cell in cells):
            continue  # word2vec's header
        if most is not None and len(words) == most:
            break
        if not line.strip():
            continue
        try:
            dimensions = dimensions or len(cells) - 1
            # A word may have blanks in it.
            row = np.array(cells[-dimensions:], dtype=np.float32) if len(cells) > dimensions > 0 else None
        except ValueError:
            row = None
        if row is None or not np.isfinite(row).all():
            wanted = f"a word and {dimensions or 'its'} numbers, with blanks between"
            raise FormatError(f"a line of vectors must be {wanted}", path=path, line=number, text=line)
        words.append(" ".join(cells[:-dimensions]))
        rows.append(row)
    if not rows:
        raise InputError("no vector in the file", path=path)
    return Vectors(words, np.stack(rows), os.path.basename(os.fspath(path)))


@dataclass(frozen=True)
class NearestWords:
    """Proposes the words whose vectors are closest to the target's.

    Args:
        vectors: the vectors.
        finder: with one, only synonyms of its thesaurus are candidates.
        k: how many substitutes to propose at most.
        encoder: gives a target the vector that it has in its sentence; by default it has that of its words.
        name: of the system, for signatures.
    """

    vectors: Vectors
    finder: Finder | None = None
    _: KW_ONLY
    k: int = 10
    encoder: Encoder | None = None
    name: str = "vectors"

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same substitutes again."""
        candidates = "vocabulary" if self.finder is None else self.finder.signature
        return f"{self.name}|{self.vectors.name}|words:{len(self.vectors)}|{candidates}|k:{self.k}"

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target, the closest first."""
        vector = self.vectors.vector(target.text)
        if self.encoder is not None:
            (encoded,) = self.encoder([target.words])
            vector = encoded[target.start : target.end, : self.encoder.lower].mean(axis=0)
        if self.finder is None:
            return self.vectors.closest(vector, self.k, target.text)
        synonyms = self.finder.synonyms(target.words, target.start, target.end, target.pos)
        return self.vectors.ranked(vector, synonyms)[: self.k]


# Decontextualised vectors

_BLOCK = 256  # sentences that are encoded together
_MOST = 100  # occurrences of a word that count


def averaged(
    encoder: Encoder, sentences: Iterable[Sequence[str]], *, least: int = 3, name: str = "sentences"
) -> Vectors:
    """Return the mean vector of each word of open classes in sentences of words, the most frequent words first.

    A word must occur ``least`` times; ``name`` is that of the sentences, for signatures.

    Raises:
        InputError: no word occurs so often.
    """
    lowered = [[word.lower() for word in words] for words in sentences]
    counts = Counter(word for words in lowered for word in words if word.isalpha() and word not in CLOSED)
    sums = {word: np.zeros(encoder.lower) for word, count in counts.most_common() if count >= least}
    if not sums:
        raise InputError(f"no word occurs {least} times in it", path=name)
    seen: Counter[str] = Counter()
    blocks = iter(lowered)
    while block := list(islice(blocks, _BLOCK)):
        for words, vectors in zip(block, encoder(block), strict=True):
            for word, vector in zip(words, vectors[:, : encoder.lower], strict=True):
                if word in sums and seen[word] < _MOST:
                    seen[word] += 1
                    sums[word] += vector / (np.linalg.norm(vector) or 1)
    return Vectors(list(sums), np.stack(list(sums.values())).astype(np.float32), name)
