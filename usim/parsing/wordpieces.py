"""Tokens to word pieces, and where each word begins and ends among them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

#: The greatest number of pieces of a token; of a longer one the first ones and the last are kept.
PIECES_A_TOKEN = 16
_MOST_CACHED = 200_000
_OF_BERT = ("[CLS]", "[SEP]", "[MASK]", "[PAD]")
_OF_MPNET = ("<s>", "</s>", "<mask>", "<pad>")
#: The pieces of a longer token would be too many anyway.
_CHARACTERS_A_TOKEN = 1000


class Pieces:
    """The word pieces of tokens, cached from one sentence to the next; several threads may share them.

    Word pieces do not depend on the context, so each token is cut once. :meth:`learn` is optional: it makes later calls
    faster.

    Args:
        tokenizer: a tokeniser of the ``tokenizers`` library, with the special pieces of BERT (``[CLS]``, ``[SEP]``,
            ``[MASK]``, ``[PAD]``) or of MPNet (``<s>``, ``</s>``, ``<mask>``, ``<pad>``), and ``[UNK]``.

    Raises:
        ValueError: one of these pieces is missing.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        # MPNet's vocabulary still has BERT's special pieces, at other places than its own, and never learnt them.
        names = _OF_BERT if tokenizer.token_to_id("<s>") is None else _OF_MPNET
        self.cls, self.sep, self.mask, self.padding, self.unknown = map(self._special, (*names, "[UNK]"))

    def _special(self, piece: str) -> int:
        number = self._tokenizer.token_to_id(piece)
        if number is None:
            raise ValueError(f"the tokeniser has no piece {piece}")
        return number

    def learn(self, tokens: Iterable[str]) -> None:
        """Compute the pieces of all tokens that are not known yet, at once, which is faster than one by one."""
        if len(self._known) > _MOST_CACHED:
            # A new dictionary: another thread may be using the old one.
            self._known = {}
        known = self._known
        unknown_tokens = list({token for token in tokens if token not in known})
        if unknown_tokens:
            known.update(zip(unknown_tokens, self._split(unknown_tokens), strict=True))

    def _split(self, tokens: Sequence[str]) -> list[tuple[int, ...]]:
        # A lone surrogate is no character and cannot be passed on.
        texts = [token[:_CHARACTERS_A_TOKEN].encode("utf-8", "replace").decode("utf-8") for token in tokens]
        encoding = self._tokenizer.encode(texts, is_pretokenized=True, add_special_tokens=False)
        pieces_of_tokens: list[list[int]] = [[] for _ in tokens]
        for piece, number in zip(encoding.ids, encoding.word_ids, strict=True):
            if number is not None:  # only special pieces belong to no token
                pieces_of_tokens[number].append(piece)
        for pieces in pieces_of_tokens:
            if len(pieces) > PIECES_A_TOKEN:
                del pieces[PIECES_A_TOKEN - 1 : -1]
        # Control characters have no pieces at all, but every token needs a place.
        return [tuple(pieces) or (self.unknown,) for pieces in pieces_of_tokens]

    def _pieces_of(self, token: str) -> tuple[int, ...]:
        """Return the pieces of a token, whatever other threads learn or forget meanwhile; without a lock."""
        known = self._known
        pieces = known.get(token)
        if pieces is None:
            (pieces,) = self._split([token])
            known[token] = pieces
        return pieces

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


def read_tokenizer(path: str | os.PathLike[str]) -> Tokenizer:
    """Read a tokeniser from its JSON file, without padding and truncation.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a tokeniser.
    """
    from tokenizers import Tokenizer

    text = Path(path).read_text(encoding="utf-8")
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as e:  # the library raises plain Exception
        raise ValueError(f"not a tokeniser: {e}") from e
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
