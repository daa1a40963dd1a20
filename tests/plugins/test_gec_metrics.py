"""usim as a metric of gec-metrics, on that library's own base class, ``get_metric`` and command.

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
from typing import Any

import pytest

from tests.support.flat import Flat
from usim.errors import InputError
from usim.judge import UsimJudge
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
        patch.delitem(sys.modules, "usim.plugins.gec_metrics", raising=False)
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
    sys.modules.pop("usim.plugins.gec_metrics", None)


@pytest.fixture(scope="module")
def plugin(library: ModuleType) -> ModuleType:
    return importlib.import_module("usim.plugins.gec_metrics")


def metric_of(plugin: ModuleType, **options: Any) -> Any:
    return plugin.USim(plugin.USim.Config(**{"parser": Flat(), "judge": "usim", **options}))


class TestFigures:
    def test_it_is_a_metric_without_references(self, library: ModuleType, plugin: ModuleType) -> None:
        metric = metric_of(plugin)
        base = sys.modules["gec_metrics.metrics.base"]
        assert isinstance(metric, library.MetricBase)
        given = base.inputs_handler(metric, SOURCES, GOOD, [GOOD])
        assert set(given) == {"sources", "hypotheses"}
        assert metric.score_corpus(**given) == pytest.approx(sum(metric.score_sentence(**given)) / 3)

    @pytest.mark.parametrize("figure", ["usim", "faithfulness"])
    def test_figures_are_those_of_the_scorer(self, plugin: ModuleType, figure: str) -> None:
        class Half(UsimJudge):
            name = "half"

            def judge(self, pairs: Any) -> Any:
                return [type(j)(0.5, (), j.usim) for j in super().judge(pairs)]

        results = list(Scorer(Flat(), judge=Half()).score_pairs(zip(SOURCES, POOR, strict=True)))
        wanted = [r.score if figure == "usim" else 0.5 for r in results]
        metric = metric_of(plugin, judge=Half(), figure=figure)
        assert metric.score_sentence(SOURCES, POOR) == wanted
        assert metric.signature.endswith(f"figure:{figure}")

    @pytest.mark.parametrize("aggregation", ["default", "trueskill"])
    def test_systems_are_ranked(self, plugin: ModuleType, aggregation: str) -> None:
        best, least = metric_of(plugin).rank_systems(SOURCES, [GOOD, POOR], aggregation=aggregation)
        assert best > least


class TestBadInput:
    def test_lengths_that_differ(self, plugin: ModuleType) -> None:
        with pytest.raises(InputError, match="2 hypotheses for 3 sources"):
            metric_of(plugin).rank_systems(SOURCES, [GOOD, GOOD[:2]])

    @pytest.mark.parametrize(
        ("option", "message"),
        [({"figure": "bleu"}, "there are faithfulness, usim"), ({"judge": "nobody"}, "no such judge")],
    )
    def test_no_such_figure_or_judge(self, plugin: ModuleType, option: dict[str, str], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            metric_of(plugin, **option)

    def test_without_the_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [n for n in sys.modules if n.split(".")[0] == "gec_metrics"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "gec_metrics", None)
        monkeypatch.delitem(sys.modules, "usim.plugins.gec_metrics", raising=False)
        with pytest.raises(ImportError, match="pip install gec-metrics"):
            importlib.import_module("usim.plugins.gec_metrics")


class TestByName:
    def test_get_metric(self, library: ModuleType, plugin: ModuleType) -> None:
        plugin.register()
        assert "usim" in library.get_metric_ids()
        cls = library.get_metric("usim")
        metric = cls(cls.Config(figure="usim"))  # the parser inside
        same, changed = metric.score_sentence(["Mary gave John a book."] * 2, ["Mary gave John a book.", "Mary gave."])
        assert same == 1.0
        assert 0.0 <= changed < 1.0

    def test_the_command_of_the_library(
        self, plugin: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        pytest.importorskip("yaml")
        for name, lines in {"src": SOURCES, "good": GOOD, "poor": POOR}.items():
            (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        (tmp_path / "config.yaml").write_text("usim:\n figure: usim\n", encoding="utf-8")
        plugin.register()
        given = ["--metric", "usim", "--config", tmp_path / "config.yaml", "--src", tmp_path / "src"]
        given += ["--hyps", tmp_path / "good", tmp_path / "poor"]
        monkeypatch.setattr(sys, "argv", ["gecmetrics-eval", *map(str, given)])
        with pytest.warns(ResourceWarning):  # it leaves its files open
            importlib.import_module("gec_metrics.cli.evaluate").main()
        first, second = capsys.readouterr().out.splitlines()
        figures = [float(line.split("|")[0].removeprefix("Score=")) for line in (first, second)]
        wanted = metric_of(plugin, parser="en", figure="usim").rank_systems(SOURCES, [GOOD, POOR])
        assert figures == pytest.approx(wanted)
