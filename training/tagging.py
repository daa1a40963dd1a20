"""Parts of speech: the tags of a small lexicon tagger (textblob's), mended by rules where it is known to be wrong.

>>> tags("She has read her old men 's books .".split())
['PRP', 'VBZ', 'VBN', 'PRP$', 'JJ', 'NNS', 'POS', 'NNS', '.']
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

from training.forms import readings

BE = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split())
HAVE = frozenset("have has had having 've ’ve".split())
DO = frozenset("do does did".split())
MODALS = frozenset("can could will would shall should may might must 'll ’ll wo ca sha".split())
_ADVERBS = frozenset("not n't n’t never also always just already ever still only then often since now soon".split())
_NOMINAL = ("NN", "JJ", "CD", "VBG", "VBN", "DT", "PRP$")
_CLITIC_SUBJECTS = frozenset("it he she that there what who here where how everything everyone this let".split())


@cache
def _tagger() -> Any:
    from textblob.en import tag

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # its lexicon is read, and left open, at first use
        tag("word", tokenize=False)
    return tag


def tags(tokens: Sequence[str]) -> list[str]:
    """Return the Penn Treebank tag of each token."""
    if not tokens:
        return []
    # A blank or a slash inside of a token would make two of it.
    plain = [t if t.isalnum() or t[0] in "'’" or t.lower() in ("n't", "n’t") else _plain(t) for t in tokens]
    tagged = _tagger()(" ".join(plain), tokenize=False)
    penn = [tag for _, tag in tagged]
    if len(penn) != len(tokens):
        penn = [_tagger()(word, tokenize=False)[0][1] for word in plain]
    return _mended(list(tokens), [t.split("-")[0] if t[:2] in ("NN", "VB", "JJ", "RB") else t for t in penn])


def _plain(token: str) -> str:
    return "".join(c for c in token if c.isalnum() or c in ".,;:!?()'-\"%$") or ","


def _mended(tokens: list[str], tags_: list[str]) -> list[str]:
    words = [t.lower() for t in tokens]
    for i, word in enumerate(words):
        after = tags_[i + 1] if i + 1 < len(words) else ""
        auxiliary = next((w for w in reversed(words[:i]) if w not in _ADVERBS and not w.endswith("ly")), "")
        if word in MODALS and word not in ("might", "may", "will", "can", "must"):
            tags_[i] = "MD"
        elif word in ("'s", "’s"):
            verb = i and words[i - 1] in _CLITIC_SUBJECTS and not after.startswith("NN")
            tags_[i] = "VBZ" if verb else "POS"
        elif word == "her":
            tags_[i] = "PRP$" if after.startswith(_NOMINAL) else "PRP"
        elif word in ("n't", "n’t", "not", "never"):
            tags_[i] = "RB"
        elif tags_[i] in ("VB", "VBP", "VBD", "VBN", "NN", "JJ") and word.isalpha():
            tags_[i] = _verb(word, tags_[i], auxiliary, words[i - 1] if i else "", tags_[i - 1] if i else "")
        if not tokens[i][0].isalnum() and tags_[i][:2] in ("NN", "VB", "JJ") and word not in BE | HAVE:
            tags_[i] = "." if word in ".!?" else ","
    return tags_


def _verb(word: str, tag: str, auxiliary: str, before: str, tag_before: str) -> str:
    """Return the tag of a possible verb, by the auxiliary before it and the forms that the word can be."""
    can = readings(word)
    if not can:
        return tag
    if tag in ("VB", "VBP", "VBD", "VBN") and tag not in can:
        tag = next((t for t in ("VBD", "VBN", "VB", "VBP") if t in can), tag)
    if tag in ("NN", "JJ"):
        return tag
    if auxiliary in BE or auxiliary in HAVE:
        return "VBN" if "VBN" in can else tag
    if auxiliary in MODALS or auxiliary in DO or before == "to":
        return "VB" if "VB" in can else tag
    if tag == "VBN" and "VBD" in can and tag_before in ("PRP", "NNP") and before not in ("her",):
        return "VBD"
    if tag == "VB" and "VBP" in can and tag_before in ("PRP", "NNS"):
        return "VBP"
    return tag
