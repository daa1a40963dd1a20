"""Tokens to word pieces, and where each word begins and ends among them."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

#: The greatest number of pieces of a token; of a longer one the first ones and the last are kept.
PIECES_A_TOKEN = 16
_MOST_CACHED = 200_000
_OF_BERT = ("[CLS]", "[SEP]", "[MASK]", "[PAD]")
_OF_MPNET = ("<s>", "</s>", "<mask>", "<pad>")
#: The pieces of a longer token would be too many anyway.
_CHARACTERS_A_TOKEN = 1000


class WordPiece:
    """The uncased tokeniser of BERT: text without accents and case, its words cut into the longest pieces there are.

    Devlin et al. (2019, "BERT", appendix A); Wu et al. (2016, "Google's Neural Machine Translation System", §4.1).
    It gives the ids that the ``tokenizers`` library gives for the same file, but that special pieces in a text, such as
    ``[CLS]``, are words like others.

    Args:
        vocabulary: the id of each piece; within a word pieces begin with ``##``.
        longest: a word of more characters is ``[UNK]``.
    """

    def __init__(self, vocabulary: Mapping[str, int], longest: int = 100) -> None:
        self.vocabulary = vocabulary
        self._longest = longest

    def encode(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text, without ``[CLS]`` and ``[SEP]``."""
        ids: list[int] = []
        if text.isascii() and text.isalnum():  # nearly all words
            self._cut(text.lower(), ids)
            return ids
        for word in _characters().words.findall(_normalised(text)):
            self._cut(word, ids)
        return ids

    def _cut(self, word: str, ids: list[int]) -> None:
        """Append the ids of a word's pieces."""
        vocabulary = self.vocabulary
        if word in vocabulary and len(word) <= self._longest:
            ids.append(vocabulary[word])
            return
        first, start = len(ids), 0
        while start < len(word) <= self._longest:
            for end in range(len(word), start, -1):
                piece = "##" + word[start:end] if start else word[:end]
                if piece in vocabulary:
                    ids.append(vocabulary[piece])
                    start = end
                    break
            else:
                break
        if start < len(word):
            ids[first:] = [vocabulary["[UNK]"]]


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


def read_tokenizer(path: str | os.PathLike[str]) -> WordPiece:
    """Read a tokeniser from its JSON file, as the ``tokenizers`` library writes it.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a tokeniser, or not an uncased one of word pieces.
    """
    try:
        record = json.loads(Path(path).read_bytes())  # large, and no deeper than Python's stack, or an error
        model, normalizer = record["model"], record["normalizer"]
        kinds = model["type"], normalizer["type"], record["pre_tokenizer"]["type"], model["continuing_subword_prefix"]
        is_uncased = normalizer["lowercase"] and normalizer["strip_accents"] in (None, True)
        if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer", "##") or not is_uncased:
            raise ValueError("not an uncased tokeniser of word pieces, as BERT has it")
        vocabulary: dict[str, int] = model["vocab"]
        vocabulary |= {token["content"]: token["id"] for token in record["added_tokens"]}
        if "[UNK]" not in vocabulary or set(map(type, vocabulary.values())) != {int}:
            raise ValueError("a vocabulary without [UNK], or with numbers that are none")
        return WordPiece(vocabulary, model["max_input_chars_per_word"])
    except (KeyError, TypeError, AttributeError, RecursionError) as e:
        raise ValueError(f"not a tokeniser: {type(e).__name__}: {e}") from e


class Pieces:
    """The word pieces of tokens, kept from one sentence to the next; several threads may share them.

    Args:
        tokenizer: a tokeniser with the special pieces of BERT (``[CLS]``, ``[SEP]``, ``[MASK]``, ``[PAD]``) or of MPNet
            (``<s>``, ``</s>``, ``<mask>``, ``<pad>``), and ``[UNK]``.

    Raises:
        ValueError: one of these pieces is missing.
    """

    def __init__(self, tokenizer: WordPiece) -> None:
        self._tokenizer = tokenizer
        # Word pieces do not depend on the context, so each token is cut once.
        self._pieces_of = lru_cache(_MOST_CACHED)(self._cut)
        # MPNet's vocabulary still has BERT's special pieces, at other places than its own, and never learnt them.
        names = _OF_MPNET if "<s>" in tokenizer.vocabulary else _OF_BERT
        self.cls, self.sep, self.mask, self.padding, self.unknown = map(self._special, (*names, "[UNK]"))

    def _special(self, piece: str) -> int:
        if piece not in self._tokenizer.vocabulary:
            raise ValueError(f"the tokeniser has no piece {piece}")
        return self._tokenizer.vocabulary[piece]

    def _cut(self, token: str) -> tuple[int, ...]:
        ids = self._tokenizer.encode(token[:_CHARACTERS_A_TOKEN])
        if len(ids) > PIECES_A_TOKEN:
            del ids[PIECES_A_TOKEN - 1 : -1]
        # Control characters have no pieces at all, but every token needs a place.
        return tuple(ids) or (self.unknown,)

    def count(self, token: str) -> int:
        """Return how many pieces a token has."""
        return len(self._pieces_of(token))

    def encode(self, tokens: Sequence[str], words: Sequence[int]) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return the pieces of a sentence, and those on both sides of each fence.

        Args:
            tokens: the sentence.
            words: the positions of the tokens that are words; a fence stands before, between and after these.

        Returns:
            The piece ids with ``[CLS]`` and ``[SEP]``; for each fence the place of the last piece of the word before it
            (``[CLS]`` where there is none) and of the first piece of the word after it (``[SEP]``); and for each token
            the place of its first piece, with one more entry for the end of the last.
        """
        ids = [self.cls]
        starts = []
        for token in tokens:
            starts.append(len(ids))
            ids += self._pieces_of(token)
        starts.append(len(ids))
        ids.append(self.sep)
        before = [0, *[starts[t + 1] - 1 for t in words]]
        after = [*[starts[t] for t in words], len(ids) - 1]
        return ids, before, after, starts
