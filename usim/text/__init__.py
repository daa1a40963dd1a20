"""Text: files opened, sentences checked and cut into tokens, and the words around a sentence."""

from __future__ import annotations

from usim.text.checksums import check_digests, digest_of, model_settings
from usim.text.display import printable
from usim.text.files import (
    DEEPEST_JSON,
    LONGEST_LINE,
    PACKING_ERRORS,
    Line,
    Path,
    fail,
    member,
    open_binary,
    parse_json,
    read_bounded,
    read_csv,
    read_json,
    read_lines,
    read_text,
    split_lines,
    text_lines,
    written_whole,
)
from usim.text.inputs import check_batch, check_pair, check_sentence
from usim.text.language import is_foreign, language_of, language_of_pair
from usim.text.sentences import Span, sentence_around, sentence_spans
from usim.text.tables import is_header
from usim.text.tokens import Token, is_punct, sentence_ends, token_spans, token_texts, tokenise
from usim.text.window import CONTEXT_PIECES, Context, context_of

__all__ = [
    "CONTEXT_PIECES",
    "DEEPEST_JSON",
    "LONGEST_LINE",
    "PACKING_ERRORS",
    "Context",
    "Line",
    "Path",
    "Span",
    "Token",
    "check_batch",
    "check_digests",
    "check_pair",
    "check_sentence",
    "context_of",
    "digest_of",
    "fail",
    "is_foreign",
    "is_header",
    "is_punct",
    "language_of",
    "language_of_pair",
    "member",
    "model_settings",
    "open_binary",
    "parse_json",
    "printable",
    "read_bounded",
    "read_csv",
    "read_json",
    "read_lines",
    "read_text",
    "sentence_around",
    "sentence_ends",
    "sentence_spans",
    "split_lines",
    "text_lines",
    "token_spans",
    "token_texts",
    "tokenise",
    "written_whole",
]
