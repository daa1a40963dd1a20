"""Text: files opened, sentences checked and cut into tokens, and the words around a sentence."""

from usim.text._display import aligned, as_cell, counted, from_cell, printable, unbroken, visible
from usim.text._inputs import CHARACTERS_A_TOKEN, MAX_TOKENS, as_list, check_batch, check_length, check_pair
from usim.text._language import foreign_sentences, is_foreign, language_of, language_of_pair
from usim.text._plain import Unseen, plain, plain_places, unseen_differences
from usim.text._sentences import (
    CONTEXT_PIECES,
    Context,
    Span,
    context_between,
    context_of,
    sentence_around,
    sentence_spans,
)
from usim.text._tokens import Token, is_punct, sentence_ends, token_spans, token_texts, tokenise
from usim.text.files import written_beside

__all__ = [
    "CHARACTERS_A_TOKEN",
    "CONTEXT_PIECES",
    "MAX_TOKENS",
    "Context",
    "Span",
    "Token",
    "Unseen",
    "aligned",
    "as_cell",
    "as_list",
    "check_batch",
    "check_length",
    "check_pair",
    "context_between",
    "context_of",
    "counted",
    "foreign_sentences",
    "from_cell",
    "is_foreign",
    "is_punct",
    "language_of",
    "language_of_pair",
    "plain",
    "plain_places",
    "printable",
    "sentence_around",
    "sentence_ends",
    "sentence_spans",
    "token_spans",
    "token_texts",
    "tokenise",
    "unbroken",
    "unseen_differences",
    "visible",
    "written_beside",
]
