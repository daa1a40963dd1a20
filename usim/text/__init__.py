"""Text: files opened, cut into tokens and sentences, and what stands around a sentence."""

from __future__ import annotations

from usim.text.files import fail, member, read_csv, read_json, read_text
from usim.text.sentences import Span, sentence_around, sentences
from usim.text.tokenise import Token, is_punct, sentence_ends, token_texts, tokenise
from usim.text.window import CONTEXT_PIECES, Context, context_of
from usim.text.written import written_whole

__all__ = [
    "CONTEXT_PIECES",
    "Context",
    "Span",
    "Token",
    "context_of",
    "fail",
    "is_punct",
    "member",
    "read_csv",
    "read_json",
    "read_text",
    "sentence_around",
    "sentence_ends",
    "sentences",
    "token_texts",
    "tokenise",
    "written_whole",
]
