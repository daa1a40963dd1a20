"""Outputs of grammatical error correction: how grammatical they are, their order, and one score for all of it.

- ``usim.gec._grammar``: grammaticality from the number of mistakes that a checker finds;
- :mod:`usim.records.nbest`: files with several candidates for each source;
- ``usim.gec._rerank``: candidates in the order of faithfulness and grammaticality;
- :mod:`usim.gec.combined`: grammar, fluency and meaning in one score, with weights tuned on people's ratings.
"""

from __future__ import annotations

from usim.gec._grammar import CheckerGrammar, Grammar
from usim.gec._rerank import GAMMA, Ranked, Reranker

__all__ = [
    "GAMMA",
    "CheckerGrammar",
    "Grammar",
    "Ranked",
    "Reranker",
]
