"""Word vectors as a system: the words whose vectors are closest to the target's, or its synonyms in that order.

The vectors are a file of the user's in GloVe's form (Pennington et al. 2014: a word and its numbers a line, the most
frequent words first) or word2vec's text form (the same after a line with two numbers); ``.gz`` is unpacked.

>>> vectors = Vectors(["close", "near", "loud"], [[1.0, 0.1], [1.0, 0.0], [0.0, 1.0]], "mine")
>>> [candidate.text for candidate in vectors.closest(vectors.vector("close"), 2, "close")]
['near', 'loud']
>>> round(vectors.similarity("close", "near loud"), 3)
0.774
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
import numpy.typing as npt

from experiments.baselines.given import Candidate, GivenTarget
from experiments.baselines.targets import Finder
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
    """

    vectors: Vectors
    finder: Finder | None = None
    _: KW_ONLY
    k: int = 10

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same substitutes again."""
        candidates = "vocabulary" if self.finder is None else self.finder.signature
        return f"vectors|{self.vectors.name}|words:{len(self.vectors)}|{candidates}|k:{self.k}"

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target, the closest first."""
        vector = self.vectors.vector(target.text)
        if self.finder is None:
            return self.vectors.closest(vector, self.k, target.text)
        synonyms = self.finder.synonyms(target.words, target.start, target.end, target.pos)
        return self.vectors.ranked(vector, synonyms)[: self.k]
