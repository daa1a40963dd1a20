"""Tokens to word pieces, and where each token begins among them."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

#: The greatest number of pieces of a token; of a longer one the first ones and the last are kept.
PIECES_A_TOKEN = 16
_MOST_CACHED = 200_000
#: The types of a tokeniser of BERT: of its model, of what prepares texts, of what cuts them into words.
_KINDS = ("WordPiece", "BertNormalizer", "BertPreTokenizer")
_OF_BERT = ("[CLS]", "[SEP]", "[MASK]", "[PAD]")
_OF_MPNET = ("<s>", "</s>", "<mask>", "<pad>")
#: The pieces of a longer token would be too many anyway.
_CHARACTERS_A_TOKEN = 1000


class Pieces:
    """The uncased tokeniser of BERT: text without accents and case, its words cut into the longest pieces there are.

    Devlin et al. (2019, "BERT", appendix A); Wu et al. (2016, "Google's Neural Machine Translation System", §4.1).
    It gives the ids that the ``tokenizers`` library gives for the same file, but that special pieces in a text, such as
    ``[CLS]``, are words like others. Pieces of tokens are kept from one sentence to the next; several threads may share
    them.

    Args:
        vocabulary: the id of each piece; within a word pieces begin with ``##``. It has ``[UNK]`` and the special
            pieces of BERT (``[CLS]``, ``[SEP]``, ``[MASK]``, ``[PAD]``) or of MPNet (``<s>``, ``</s>``, ``<mask>``,
            ``<pad>``).
        longest: a word of more characters is ``[UNK]``.

    Raises:
        ValueError: one of the special pieces is missing, or an id is no number.
    """

    def __init__(self, vocabulary: Mapping[str, int], longest: int = 100) -> None:
        self._vocabulary = vocabulary
        self._longest = longest
        # MPNet's vocabulary still has BERT's special pieces, at other places than its own, and never learnt them.
        special = [*(_OF_MPNET if "<s>" in vocabulary else _OF_BERT), "[UNK]"]
        if not vocabulary.keys() >= set(special) or set(map(type, vocabulary.values())) != {int}:
            raise ValueError(f"a vocabulary without {', '.join(special)}, or with numbers that are none")
        self.cls, self.sep, self.mask, self.padding, self.unknown = map(vocabulary.__getitem__, special)
        # Word pieces do not depend on the context, so each token is cut once.
        self._of_token = lru_cache(_MOST_CACHED)(self._cut)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Pieces:
        """Read a tokeniser from its JSON file, as the ``tokenizers`` library writes it.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is not a tokeniser, or not an uncased one of word pieces.
        """
        try:
            record = json.loads(Path(path).read_bytes())  # large, and no deeper than Python's stack, or an error
            model, normalizer = record["model"], record["normalizer"]
            kinds = (model["type"], normalizer["type"], record["pre_tokenizer"]["type"])
            is_uncased = normalizer["lowercase"] and normalizer["strip_accents"] in (None, True)
            if kinds != _KINDS or model["continuing_subword_prefix"] != "##" or not is_uncased:
                raise ValueError("not an uncased tokeniser of word pieces, as BERT has it")
            vocabulary: dict[str, int] = model["vocab"]
            vocabulary |= {token["content"]: token["id"] for token in record["added_tokens"]}
            return cls(vocabulary, model["max_input_chars_per_word"])
        except (KeyError, TypeError, AttributeError, RecursionError) as e:
            raise ValueError(f"not a tokeniser: {type(e).__name__}: {e}") from e

    def of_text(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text, without special ones."""
        if text.isascii() and text.isalnum():  # nearly all words
            return self._of_word(text.lower())
        return [piece for word in _characters().words.findall(_normalised(text)) for piece in self._of_word(word)]

    def _of_word(self, word: str) -> list[int]:
        vocabulary, ids, start = self._vocabulary, [], 0
        if word in vocabulary and len(word) <= self._longest:
            return [vocabulary[word]]
        while start < len(word) <= self._longest:
            for end in range(len(word), start, -1):
                piece = "##" + word[start:end] if start else word[:end]
                if piece in vocabulary:
                    ids.append(vocabulary[piece])
                    start = end
                    break
            else:
                break
        return ids if start == len(word) else [self.unknown]

    def _cut(self, token: str) -> tuple[int, ...]:
        ids = self.of_text(token[:_CHARACTERS_A_TOKEN])
        if len(ids) > PIECES_A_TOKEN:
            del ids[PIECES_A_TOKEN - 1 : -1]
        # Control characters have no pieces at all, but every token needs a place.
        return tuple(ids) or (self.unknown,)

    def count(self, token: str) -> int:
        """Return how many pieces a token has."""
        return len(self._of_token(token))

    def encode(self, tokens: Iterable[str]) -> tuple[list[int], list[int]]:
        """Return the ids of the pieces of a sentence, and where its tokens begin among them.

        Returns:
            The piece ids with ``[CLS]`` and ``[SEP]``; for each token the place of its first piece, with one more entry
            for the end of the last.
        """
        ids, starts = [self.cls], [1]
        for token in tokens:
            ids += self._of_token(token)
            starts.append(len(ids))
        return [*ids, self.sep], starts


class _Characters(dict[int, str | None]):
    """What a character becomes: nothing, a blank, a word of its own, or itself in lower case; for ``str.translate``.

    The classes of characters are those of Unicode 7, which ``tokenizers`` has, whatever version Python has.

    Attributes:
        words: a pattern of the words and the marks of punctuation of a text in which this is done.
    """

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int, str]] = []
        marks = ""
        for line in Path(__file__).with_name("characters.tsv").read_text(encoding="ascii").splitlines():
            kind, *ends = line.split("\t")
            first, last = (int(end, 16) for end in ends)
            if kind == "punctuation":
                marks += f"\\U{first:08x}-\\U{last:08x}"
            else:
                self._ranges.append((first, last, kind))
        self._ranges.sort()
        self.words = re.compile(f"[{marks}]|[^ {marks}]+")

    def __missing__(self, code: int) -> str | None:
        first, last, kind = self._ranges[bisect_right(self._ranges, (code, sys.maxunicode + 1)) - 1]
        character = chr(code)
        if not first <= code <= last:
            self[code] = " " if character.isspace() else character.lower()
        else:
            self[code] = f" {character} " if kind == "alone" else None
        return self[code]


@cache
def _characters() -> _Characters:
    return _Characters()


def _normalised(text: str) -> str:
    """Return a text without accents, case and control characters, with blanks around Chinese characters."""
    if text.isascii() and text.isprintable():
        return text.lower()
    characters = _characters()
    # A lone surrogate is no character.
    text = text.encode("utf-8", "replace").decode("utf-8").translate(characters)
    return unicodedata.normalize("NFD", text).translate(characters)
