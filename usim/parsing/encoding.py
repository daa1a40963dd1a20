"""Tokens to word pieces, and where each word begins and ends among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def encode_words(
    tokenizer: Tokenizer, sentences: Sequence[Sequence[str]], words: Sequence[Sequence[int]]
) -> list[tuple[list[int], list[int], list[int]]]:
    """The word pieces of sentences, and the pieces on both sides of each fence.

    Args:
        tokenizer: a tokeniser that takes tokens; special pieces at the start and at the end are its own.
        sentences: the tokens of each sentence.
        words: the positions of the tokens that are words; a fence stands before, between and after these.

    Returns:
        For each sentence the piece ids; for each fence the last piece of the word before it (the first special piece
        where there is none) and the first piece of the word after it (the last special piece). A token for which the
        tokeniser has no piece at all (a control character) stands at the piece before it.
    """
    encoded = tokenizer.encode_batch(list(sentences), is_pretokenized=True)
    made = []
    for encoding, tokens, places in zip(encoded, sentences, words, strict=True):
        ids = encoding.ids
        last = len(ids) - 1
        first_piece = [-1] * len(tokens)
        last_piece = [-1] * len(tokens)
        for k, token in enumerate(encoding.word_ids):
            if token is not None:
                if first_piece[token] < 0:
                    first_piece[token] = k
                last_piece[token] = k
        seen = 0
        for t in range(len(tokens)):
            if first_piece[t] < 0:
                first_piece[t] = last_piece[t] = seen
            seen = last_piece[t]
        before = [0, *[last_piece[t] for t in places]]
        after = [*[first_piece[t] for t in places], last]
        made.append((ids, before, after))
    return made
