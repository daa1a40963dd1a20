"""Whole texts: two versions of a document, sentence by sentence.

:meth:`usim.scorer.Scorer.compare_texts` and :func:`usim.compare_texts` are what most users need.
"""

from __future__ import annotations

from usim.texts._align import PassageLink, PassageReader, link_texts
from usim.texts._blocks import TextBlock, judge_in_blocks, worst_verdict
from usim.texts._compare import TextComparison, TextFinding, compare_texts
from usim.texts._cut import MAX_CHARACTERS, CutText, Passage, cut_text
from usim.texts._files import read_document

__all__ = [
    "MAX_CHARACTERS",
    "CutText",
    "Passage",
    "PassageLink",
    "PassageReader",
    "TextBlock",
    "TextComparison",
    "TextFinding",
    "compare_texts",
    "cut_text",
    "judge_in_blocks",
    "link_texts",
    "read_document",
    "worst_verdict",
]
