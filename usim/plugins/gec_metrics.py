"""usim as a metric of gec-metrics, beside SOME, IMPARA, Scribendi and the others that need no reference.

    from usim.plugins import gec_metrics as plugin

    metric = plugin.USim(plugin.USim.Config(figure="faithfulness"))
    metric.score_sentence(sources, hypotheses)                     # a figure for each sentence
    metric.rank_systems(sources, [first_system, second_system])    # a figure for each system

    plugin.register()                                              # gives the metric its name in that library
    gec_metrics.get_metric("usim")

    python -m usim.plugins.gec_metrics --metric usim --src FILE --hyps FILE…

The last is that library's command ``gecmetrics-eval`` with one more metric. Install the library with ``pip install
gec-metrics``; https://gec-metrics.readthedocs.io documents what all its metrics can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from usim.errors import InputError, OptionError
from usim.judge import Judge
from usim.parsing import Parser
from usim.registry import DEFAULT
from usim.scorer import Scorer
from usim.signature import Signature

try:
    from gec_metrics.metrics import METRIC_ID2CLS, MetricBaseForReferenceFree
except ImportError as e:
    raise ImportError(f"this module needs the library gec-metrics: {e}; pip install gec-metrics") from e


class USim(MetricBaseForReferenceFree):  # type: ignore[misc]  # that library has no types
    """How much of the meaning of the source is in the hypothesis, in [0, 1].

    Raises:
        OptionError: there is no such figure or judge.
        ParsingError: the parser cannot be loaded.
    """

    @dataclass
    class Config(MetricBaseForReferenceFree.Config):  # type: ignore[misc]
        """What is measured, with which parser and judge.

        Attributes:
            figure: ``faithfulness``, what the judge says, or ``usim``, the mean of the F-scores of both directions.
            model, parser, judge, threads: see :class:`usim.options.Options`.
        """

        model: str = DEFAULT
        parser: str | Parser | None = None
        judge: str | Judge | None = None
        figure: str = "faithfulness"
        threads: int = 1

    def __init__(self, config: Config | None = None) -> None:
        super().__init__(config)
        given = self.config
        if given.figure not in ("faithfulness", "usim"):
            raise OptionError(f"no such figure: {given.figure!r}; there are faithfulness, usim", option="figure")
        self._scorer = Scorer(given.parser, judge=given.judge, threads=given.threads, model=given.model)
        #: All that is needed to get the same figures again.
        self.signature = Signature.of(self._scorer.signature, {"figure": given.figure})

    def score_sentence(self, sources: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
        """Return the figure of each sentence.

        Raises:
            InputError: there are more or fewer hypotheses than sources, or one is no sentence.
            ParsingError: a sentence cannot be parsed.
        """
        if len(sources) != len(hypotheses):
            raise InputError(f"{len(hypotheses)} hypotheses for {len(sources)} sources")
        results = self._scorer.score_pairs(zip(sources, hypotheses, strict=True))
        return [r.score if self.config.figure == "usim" else r.judgement.faithfulness for r in results]


def register() -> None:
    """Make the metric known as ``usim`` to ``gec_metrics.get_metric`` and to the library's commands."""
    METRIC_ID2CLS["usim"] = USim


if __name__ == "__main__":
    from gec_metrics.cli.evaluate import main

    register()
    main()
