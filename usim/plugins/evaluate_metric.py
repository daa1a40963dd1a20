"""usim as a metric of Hugging Face's evaluate; ``evaluate.load`` takes the path of this file.

    import evaluate
    from usim.plugins import evaluate_metric_path

    metric = evaluate.load(evaluate_metric_path())
    metric.compute(sources=["He go home."], predictions=["He goes home."])

The library copies the file into its cache of modules and imports it there. It is not a dependency of usim:
``pip install evaluate``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import datasets
import evaluate

from usim.scorer import Scorer

_DESCRIPTION = (
    "How much of the meaning of each source is in its prediction: faithfulness, USim, verdicts; no reference."
)
_INPUTS = """
Args:
    sources: the sentences before the change.
    predictions: the sentences after it.
    parser, judge: as for usim.Scorer, by name.
Returns:
    faithfulness, usim: the means, in [0, 1].
    verdicts: how many pairs are to keep, to review, to drop.
    faithfulness_scores, usim_scores: of each pair.
    signature: what they were computed with; quote it with the figures.
"""
_CITATION = """
@inproceedings{choshen-abend-2018-reference,
    title = "Reference-less Measure of Faithfulness for Grammatical Error Correction",
    author = "Choshen, Leshem and Abend, Omri",
    booktitle = "Proceedings of NAACL-HLT 2018",
    year = "2018"
}
"""


@lru_cache(maxsize=1)
def _scorer(parser: str, judge: str) -> Scorer:
    """Return the scorer of these names; the last one is kept."""
    return Scorer(parser, judge=judge)


class Usim(evaluate.Metric):  # type: ignore[misc]  # that library has no types
    """How much of the meaning of sources is in predictions."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features({"sources": datasets.Value("string"), "predictions": datasets.Value("string")}),
        )

    def _compute(
        self, sources: Sequence[str], predictions: Sequence[str], parser: str = "en", judge: str = "en"
    ) -> dict[str, Any]:
        scorer = _scorer(parser, judge)
        results = list(scorer.score_pairs(zip(sources, predictions, strict=True)))
        faithfulness = [result.judgement.faithfulness for result in results]
        usim = [result.score for result in results]
        verdicts = [result.judgement.verdict for result in results]
        return {
            "faithfulness": sum(faithfulness) / len(faithfulness),
            "usim": sum(usim) / len(usim),
            "verdicts": {verdict: verdicts.count(verdict) for verdict in ("keep", "review", "drop")},
            "faithfulness_scores": faithfulness,
            "usim_scores": usim,
            "signature": str(scorer.signature),
        }
