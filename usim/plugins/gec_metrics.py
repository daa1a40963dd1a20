"""usim as a metric of gec-metrics, beside SOME, IMPARA, Scribendi and the others that need no reference.

    from usim.plugins import gec_metrics as plugin

    metric = plugin.USim(plugin.USim.Config(figure="faithfulness"))
    metric.score_sentence(sources, hypotheses)                     # a figure for each sentence
    metric.rank_systems(sources, [first_system, second_system])    # a figure for each system

    plugin.register()                                              # gives the metric its name in that library
    gec_metrics.get_metric("usim")

    python -m usim.plugins.gec_metrics --metric usim --src FILE --hyps FILE…

The last is that library's command ``gecmetrics-eval`` with one more metric. The library is not a dependency of usim;
install it with ``pip install gec-metrics``. Its documentation, https://gec-metrics.readthedocs.io, says what it asks of
a metric (class ``MetricBaseForReferenceFree``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from usim.checkers import load_checker
from usim.errors import InputError, OptionError
from usim.gec import CheckerGrammar
from usim.gec.combined import CombinedScorer
from usim.judge import Judge
from usim.parsing import Parser
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.scorer import Scorer
from usim.signature import Signature

try:
    from gec_metrics.metrics import METRIC_ID2CLS, MetricBaseForReferenceFree
except ImportError as e:
    raise ImportError(f"this module needs the library gec-metrics: {e}; pip install gec-metrics") from e

#: What can be measured of a pair of sentences; all figures are in [0, 1].
FIGURES = ("faithfulness", "usim", "combined")


class USim(MetricBaseForReferenceFree):  # type: ignore[misc]  # that library has no types
    """How much of the meaning of the source is in the hypothesis, in [0, 1], or how good a correction it is.

    Args:
        config: see :class:`USim.Config`; by default its defaults.

    Raises:
        OptionError: there is no such figure or judge.
        InputError: the checker's package is not installed.
        ParsingError: the parser cannot be loaded.
    """

    @dataclass
    class Config(MetricBaseForReferenceFree.Config):  # type: ignore[misc]
        """What is measured, with which parser and judge.

        Attributes:
            model: the name of a model, for its parser and its judge (:mod:`usim.registry`).
            parser: a parser in place of the model's, or the name of one for :func:`usim.parsing.load`.
            judge: a judge in place of the model's, or the name of one for :func:`usim.judge.load_judge`.
            figure: ``faithfulness``, what the judge says; ``usim``, the mean of the F-scores of both directions; or
                ``combined``, grammar, spelling and meaning in one score (:mod:`usim.gec.combined`).
            checker: who finds the mistakes for ``combined``: ``harper`` (extra ``harper``), or the address of a
                LanguageTool server.
            batch: how many pairs are held in memory at a time; within them each distinct sentence is parsed once.
            threads: how many threads the parser may use.
        """

        model: str = DEFAULT_MODEL
        parser: str | Parser | None = None
        judge: str | Judge | None = None
        figure: str = "faithfulness"
        checker: str = "harper"
        batch: int = 256
        threads: int = 1

    def __init__(self, config: Config | None = None) -> None:
        super().__init__(config)
        if self.config.figure not in FIGURES:
            message = f"no such figure: {self.config.figure!r}; there are {', '.join(FIGURES)}"
            raise OptionError(message, option="figure")
        given = self.config
        self._scorer = Scorer(given.parser, judge=given.judge, threads=given.threads, model=given.model)
        self._combined: CombinedScorer | None = None
        if given.figure == "combined":
            self._combined = CombinedScorer(self._scorer, CheckerGrammar(load_checker(given.checker), given.checker))

    @cached_property
    def signature(self) -> Signature:
        """All that is needed to get the same figures again; see :attr:`usim.scorer.Scorer.signature`."""
        scorer = self._scorer if self._combined is None else self._combined
        return Signature.of(scorer.signature, {"figure": self.config.figure})

    def score_systems(self, sources: Sequence[str], hypotheses: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return the figures of several systems, shape (systems, sentences).

        Each source is parsed once for all systems.

        Args:
            sources: the sentences before correction.
            hypotheses: for each system, the sentences after it, in the order of the sources.

        Raises:
            InputError: a system has more or fewer sentences than there are sources.
            TypeError: there is a text in place of a list of sentences.
            ParsingError: a sentence cannot be parsed.
        """
        for name, sentences in (("sources", sources), *((f"system {k}", s) for k, s in enumerate(hypotheses, start=1))):
            if isinstance(sentences, str):
                raise TypeError(f"{name}: a list of sentences is needed, not a text; for one, pass [sentence]")
            if len(sentences) != len(sources):
                raise InputError(f"{name}: {len(sentences)} sentences for {len(sources)} sources")
        pairs = ((source, system[place]) for place, source in enumerate(sources) for system in hypotheses)
        if self._combined is None:
            results = self._scorer.score_pairs(pairs, batch=self.config.batch)
            figures = [r.score if self.config.figure == "usim" else r.judgement.faithfulness for r in results]
        else:
            figures = [result.score for result in self._combined.score_pairs(pairs)]
        return [figures[k :: len(hypotheses)] for k in range(len(hypotheses))]

    def score_sentence(self, sources: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
        """Return the figure of each sentence; see :meth:`score_systems`."""
        (scores,) = self.score_systems(sources, [hypotheses])
        return scores

    def score_corpus(self, sources: Sequence[str], hypotheses: Sequence[str]) -> float:
        """Return the mean over the sentences; see :meth:`score_systems`.

        Raises:
            InputError: also if there is no sentence.
        """
        return _mean(self.score_sentence(sources, hypotheses))

    def score_pairwise(self, sources: Sequence[str], hypotheses: Sequence[Sequence[str]]) -> list[list[list[int]]]:
        """Compare each two systems on each sentence: 1 if the first wins, -1 if it loses, 0 if neither.

        The shape is (sentences, systems, systems); see :meth:`score_systems`.
        """
        compared: list[list[list[int]]] = self.make_pairwise_scores(self.score_systems(sources, hypotheses))
        return compared

    def rank_systems(
        self, sources: Sequence[str], hypotheses: Sequence[Sequence[str]], aggregation: str = "default"
    ) -> list[float]:
        """Return a figure for each system: the mean over the sentences, or its TrueSkill from pairwise comparisons.

        Args:
            sources, hypotheses: see :meth:`score_systems`.
            aggregation: ``default`` or ``trueskill``.

        Raises:
            OptionError: there is no such aggregation.
            InputError: also if there is no sentence.
        """
        if aggregation == "default":
            return [_mean(scores) for scores in self.score_systems(sources, hypotheses)]
        if aggregation != "trueskill":
            message = f"no such aggregation: {aggregation!r}; there are default, trueskill"
            raise OptionError(message, option="aggregation")
        ranked: list[float] = super().rank_systems(sources, hypotheses, aggregation=aggregation)
        return ranked


def _mean(scores: Sequence[float]) -> float:
    if not scores:
        raise InputError("a corpus without sentences has no figure")
    return sum(scores) / len(scores)


def register() -> None:
    """Make the metric known as ``usim`` to ``gec_metrics.get_metric`` and to the library's commands."""
    METRIC_ID2CLS["usim"] = USim


if __name__ == "__main__":
    from gec_metrics.cli.evaluate import main

    register()
    main()
