"""usim as a metric of gec-metrics: the example of the documentation, on that library's own base class.

Importing the library takes all its metrics and their models along, so its base class is loaded alone.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import pytest

from tests.processes import ROOT
from usim.scorer import Scorer

pytestmark = pytest.mark.model

SOURCES = ["She have two cat .", "He go home .", "I like a tea ."]
GOOD = ["She has two cats .", "He goes home .", "I like tea ."]
POOR = ["She has cats .", "Trees are green today .", "Rain ."]


@pytest.fixture
def metrics(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of gec-metrics with its base classes and an empty registry."""
    try:
        path = distribution("gec-metrics").locate_file("gec_metrics/metrics/base.py")
    except PackageNotFoundError:
        pytest.skip("gec-metrics is not installed (pip install --no-deps gec-metrics)")
    pytest.importorskip("trueskill")
    gecommon = ModuleType("gecommon")
    gecommon.apply_edits = None  # type: ignore[attr-defined]  # nothing of usim's edits anything by its means
    spec = spec_from_file_location("gec_metrics.metrics", str(path))
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    module.METRIC_ID2CLS = {}
    for each in (gecommon, ModuleType("gec_metrics"), module):
        monkeypatch.setitem(sys.modules, each.__name__, each)
    spec.loader.exec_module(module)
    return module


def test_the_page_makes_a_metric_without_references(metrics: Any) -> None:
    page = (ROOT / "docs" / "how-to" / "plugins.md").read_text(encoding="utf-8")
    block = page.partition("## gec-metrics")[2].partition("```python\n")[2].partition("```")[0]
    exec(block, {"__name__": __name__})
    kind = metrics.METRIC_ID2CLS["usim"]
    metric = kind(kind.Config(model="en-fast"))
    assert isinstance(metric, metrics.MetricBase)
    given = metrics.inputs_handler(metric, SOURCES, GOOD, [GOOD])
    assert set(given) == {"sources", "hypotheses"}
    expected = [r.judgement.faithfulness for r in Scorer(model="en-fast").score_pairs(zip(SOURCES, GOOD, strict=True))]
    assert metric.score_sentence(SOURCES, GOOD) == pytest.approx(expected, abs=2e-5)
    good, poor = metric.rank_systems(SOURCES, [GOOD, POOR])
    assert good > poor
