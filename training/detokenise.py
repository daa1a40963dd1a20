"""Tokens to text as people write it, with the place of each token in the text.

>>> detokenise("He did n't say ' It 's $ 1 , 000 ( or so ) ' .".split())[0]
"He didn't say 'It's $1,000 (or so)'."
>>> detokenise("The well - known singer 's 1990 – 95 tour".split())[0]
"The well-known singer's 1990–95 tour"
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from usim.text import Token

_BEFORE = frozenset(", . ; : ! ? ) ] } % ” … ... .. !! ??".split())
_AFTER = frozenset("( [ { $ £ € # “ ‘".split())
_CLITIC = re.compile(r"(?i)(['’](s|re|ve|ll|d|m)|n['’]?t)$")
_ENDINGS = {("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta"), ("let", "s")}
_QUOTES = frozenset("\" ' `` ''".split())
_CURLY = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}


def detokenise(tokens: Sequence[str], apart: frozenset[int] = frozenset()) -> tuple[str, list[Token]]:
    """Return the text of tokens, and these with their places; hyphens at places ``apart`` have blanks around them."""
    words = [_CURLY.get(t, t) for t in tokens]
    text = ""
    placed: list[Token] = []
    opened: set[str] = set()
    glue = True  # whether the next token follows without a blank
    for i, word in enumerate(words):
        before = words[i - 1] if i else ""
        after = words[i + 1] if i + 1 < len(words) else ""
        space, follow = True, False
        if word in _QUOTES:
            if word == "'" and word not in opened and before.endswith("s") and "'" not in words[i + 1 :]:
                space = False  # the genitive of a plural
            elif word in opened:
                opened.discard(word)
                space = False
            else:
                opened.add(word)
                follow = True
        elif word in _BEFORE or re.fullmatch(r"[.!?…]+", word):
            space = False
            # 1,000 and 1.5 were written without blanks
            number = before[-1:].isdigit() and after[:1].isdigit()
            follow = number and (
                (word == "," and len(after) == 3 and len(before) <= 3) or (word in ".:" and after.isdigit())
            )
        elif word in _AFTER:
            follow = True
        elif (
            (_CLITIC.match(word) and before[-1:].isalnum())
            or (word == "s" and before.isalpha())
            or (before.lower(), word.lower()) in _ENDINGS
        ):
            space = False
        elif word in ("-", "/", "–", "&") and before[-1:].isalnum() and after[:1].isalnum():
            ranges = before[-1].isdigit() and after[0].isdigit()
            dash = i in apart if word in ("-", "/") else word == "&" or not ranges
            space, follow = dash, not dash
        if text and space and not glue:
            text += " "
        placed.append(Token(word, len(text), len(text) + len(word)))
        text += word
        glue = follow
    return text, placed
