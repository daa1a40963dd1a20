"""Whole texts: two versions of a document, sentence by sentence; see :meth:`usim.scorer.Scorer.compare_texts`."""

from usim.documents._align import PassageLink, PassageReader, link_texts
from usim.documents._blocks import TextBlock
from usim.documents._compare import TextComparison, TextFinding, compare_texts
from usim.documents._cut import MAX_CHARACTERS, CutText, Passage, cut_text
from usim.documents._files import ChangedFile, changed_files, read_document
from usim.documents._outline import Outline
from usim.documents._pairs import judge_in_blocks
from usim.documents._word import Document, WordPlace

__all__ = [
    "MAX_CHARACTERS",
    "ChangedFile",
    "CutText",
    "Document",
    "Outline",
    "Passage",
    "PassageLink",
    "PassageReader",
    "TextBlock",
    "TextComparison",
    "TextFinding",
    "WordPlace",
    "changed_files",
    "compare_texts",
    "cut_text",
    "judge_in_blocks",
    "link_texts",
    "read_document",
]
