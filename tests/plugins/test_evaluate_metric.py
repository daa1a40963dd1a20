"""usim as a metric of Hugging Face's evaluate."""

from __future__ import annotations

from pathlib import Path

import pytest

from usim.scorer import Scorer

pytestmark = pytest.mark.model

PLUGIN = Path(__file__).parents[2] / "usim" / "plugins" / "evaluate_metric.py"


def test_the_metric_computes_what_the_scorer_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HOME", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed (pip install evaluate)")
    metric = evaluate.load(str(PLUGIN), cache_dir=str(tmp_path))
    sources, predictions = ["He has two cats.", "She like milk."], ["He has three cats.", "She likes milk."]
    figures = metric.compute(sources=sources, predictions=predictions, parser="en-fast", judge="usim")
    results = list(Scorer("en-fast", judge="usim").score_pairs(zip(sources, predictions, strict=True)))
    assert figures["faithfulness_scores"] == [result.judgement.faithfulness for result in results]
    assert figures["usim"] == sum(result.score for result in results) / 2
    assert figures["signature"] == results[0].signature
    assert sum(figures["verdicts"].values()) == 2
