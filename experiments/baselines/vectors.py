"""Word vectors, and how close two words or phrases are by them.

The vectors are a file of the user's in GloVe's form (Pennington et al. 2014: a word and its numbers a line, the most
frequent words first) or word2vec's text form (the same after a line with two numbers); ``.gz`` is unpacked.

>>> vectors = Vectors(["close", "near", "loud"], [[1.0, 0.1], [1.0, 0.0], [0.0, 1.0]], "mine")
>>> round(vectors.similarity("close", "near loud"), 3)
0.774
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.errors import FormatError, InputError
from usim.text.files import Path, read_lines

Matrix = npt.NDArray[np.float32]


class Vectors:
    """Vectors of words, shape (words, dimensions); of two words that differ in case only, the first counts.

    ``name`` is for signatures.
    """

    def __init__(self, words: Sequence[str], matrix: Sequence[Sequence[float]] | Matrix, name: str) -> None:
        self.name = name
        self._rows: dict[str, int] = {}
        for row, word in enumerate(words):
            self._rows.setdefault(word.lower(), row)
        vectors = np.asarray(matrix, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._matrix: Matrix = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)

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
        vector, other = self.vector(first), self.vector(second)
        return -1.0 if vector is None or other is None else float(_normalised(vector) @ other)


def _normalised(vector: Matrix) -> Matrix:
    length = float(np.linalg.norm(vector))
    return (vector / np.float32(length or 1)).astype(np.float32)


def read_vectors(path: Path) -> Vectors:
    """Read word vectors in the text form of GloVe or word2vec.

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
