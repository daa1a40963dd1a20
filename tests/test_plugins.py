"""usim as a metric of gec-metrics: the example of the documentation, on that library's own base class.

Importing the library takes all its metrics and their models along. What a metric rests on, ``gec_metrics.metrics.base``
and what is around it, needs little of that: it is taken from the installed distribution as it is, and the other metrics
are left out.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.processes import ROOT
from usim.scorer import Scorer

pytestmark = pytest.mark.model

SOURCES = ["She have two cat .", "He go home .", "I like a tea ."]
GOOD = ["She has two cats .", "He goes home .", "I like tea ."]
POOR = ["She has cats .", "Trees are green today .", "Rain ."]


@pytest.fixture(scope="module")
def library() -> Iterator[ModuleType]:
    """gec-metrics with its own base classes and entry points, without the metrics that it comes with."""
    try:
        installed = distribution("gec-metrics")
    except PackageNotFoundError:
        pytest.skip("gec-metrics is not installed (pip install --no-deps gec-metrics)")
    pytest.importorskip("trueskill")
    folder = Path(str(installed.locate_file("gec_metrics")))
    # Nothing of usim's edits anything by that library's means.
    gecommon = ModuleType("gecommon")
    gecommon.apply_edits = None  # type: ignore[attr-defined]
    metrics, meta_eval = ModuleType("gec_metrics.metrics"), ModuleType("gec_metrics.meta_eval")
    metrics.__path__ = [str(folder / "metrics")]
    meta_eval.METAEVAL_ID2CLS, meta_eval.MetaEvalBase = {}, object  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        for name in [n for n in sys.modules if n.split(".")[0] in ("gec_metrics", "gecommon")]:
            patch.delitem(sys.modules, name)
        for module in (gecommon, metrics, meta_eval):
            patch.setitem(sys.modules, module.__name__, module)
        spec = spec_from_file_location("gec_metrics.metrics.base", folder / "metrics" / "base.py")
        assert spec is not None
        assert spec.loader is not None
        base = module_from_spec(spec)
        patch.setitem(sys.modules, base.__name__, base)
        spec.loader.exec_module(base)
        metrics.__dict__.update({name: x for name, x in vars(base).items() if name.startswith("MetricBase")})
        metrics.METRIC_ID2CLS = {}  # type: ignore[attr-defined]
        yield importlib.import_module("gec_metrics")
    for name in [n for n in sys.modules if n.split(".")[0] == "gec_metrics"]:
        del sys.modules[name]


def test_the_page_makes_a_metric_without_references(library: ModuleType) -> None:
    page = (ROOT / "docs" / "how-to" / "plugins.md").read_text(encoding="utf-8")
    block = page[page.index("```python") :].partition("\n")[2].partition("```")[0]
    exec(block, {"__name__": __name__})
    kind = library.get_metric("usim")
    metric = kind(kind.Config(model="en-fast"))
    assert isinstance(metric, library.MetricBase)
    given = sys.modules["gec_metrics.metrics.base"].inputs_handler(metric, SOURCES, GOOD, [GOOD])
    assert set(given) == {"sources", "hypotheses"}
    expected = [r.judgement.faithfulness for r in Scorer(model="en-fast").score_pairs(zip(SOURCES, GOOD, strict=True))]
    assert metric.score_sentence(SOURCES, GOOD) == pytest.approx(expected, abs=2e-5)
    good, poor = metric.rank_systems(SOURCES, [GOOD, POOR])
    assert good > poor
