"""Text: files opened, sentences checked and cut into tokens, and the words around a sentence."""

from __future__ import annotations

from usim.text.checksums import check_digests, digest_of, model_settings
from usim.text.display import aligned, printable
from usim.text.files import (
    DEEPEST_JSON,
    LONGEST_LINE,
    PACKING_ERRORS,
    Path,
    fail,
    load_zstandard,
    member,
    open_binary,
    parse_json,
    read_bounded,
    read_csv,
    read_json,
    read_lines,
    read_text,
    replace_content,
    split_lines,
    text_lines,
    unpacked_name,
    written_beside,
    written_whole,
)
from usim.text.inputs import MAX_TOKENS, as_list, check_batch, check_length, check_pair
from usim.text.language import foreign_sentences, is_foreign, language_of, language_of_pair
from usim.text.paths import check_distinct
from usim.text.sentences import Span, paragraph_spans, sentence_around, sentence_spans
from usim.text.tables import is_header
from usim.text.tokens import Token, is_punct, sentence_ends, token_spans, token_texts, tokenise
from usim.text.window import CONTEXT_PIECES, Context, context_between, context_of, contexts_in_order

__all__ = [
    "CONTEXT_PIECES",
    "DEEPEST_JSON",
    "LONGEST_LINE",
    "MAX_TOKENS",
    "PACKING_ERRORS",
    "Context",
    "Path",
    "Span",
    "Token",
    "aligned",
    "as_list",
    "check_batch",
    "check_digests",
    "check_distinct",
    "check_length",
    "check_pair",
    "context_between",
    "context_of",
    "contexts_in_order",
    "digest_of",
    "fail",
    "foreign_sentences",
    "is_foreign",
    "is_header",
    "is_punct",
    "language_of",
    "language_of_pair",
    "load_zstandard",
    "member",
    "model_settings",
    "open_binary",
    "paragraph_spans",
    "parse_json",
    "printable",
    "read_bounded",
    "read_csv",
    "read_json",
    "read_lines",
    "read_text",
    "replace_content",
    "sentence_around",
    "sentence_ends",
    "sentence_spans",
    "split_lines",
    "text_lines",
    "token_spans",
    "token_texts",
    "tokenise",
    "unpacked_name",
    "written_beside",
    "written_whole",
]
