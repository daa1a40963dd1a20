"""One benchmark of word suggestions: gold data with the settings that they are scored by.

A subclass says how its files are read and written, what each record adds to which sum (:meth:`Benchmark.tally`), and
what the gold data say of each suggestion (:meth:`Benchmark.cases`). Scoring, screening before and after, reranking
and the command ``usim NAME`` follow from that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, Unpack

from usim.benchmarks.case import Case
from usim.benchmarks.result import BenchmarkResult, Bootstrap, FigureComparison, Tally, compare
from usim.errors import OptionError
from usim.text.files import Path

if TYPE_CHECKING:
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.screening import Effect
    from usim.screen import Screen

P = TypeVar("P")
#: From the key of a target and its substitutes, best first, to those that take their place.
Change = Callable[[Hashable, list[str]], list[str]]
Warn = Callable[[str], None]


class Setting(NamedTuple):
    """A setting of a benchmark, which its command has as an option.

    Attributes:
        name: of the argument of :meth:`Benchmark.open`; of the option with hyphens.
        help: what the command says of it.
        default: its default, a whole number of at least 1; of several values, a tuple.
    """

    name: str
    help: str
    default: int | tuple[int, ...]


class Benchmark(ABC, Generic[P]):
    """Gold data, and how they are scored; ``P`` is what a system's predictions are.

    Attributes:
        name: of the command and in signatures.
        scale: of its figures, 100 for per cent.
        digits: the number of decimals that its figures are printed with.
        about: the help of its command, in paragraphs.
        options: what :meth:`open` takes beside the file.
        example: the ending of its files in examples.
    """

    name: ClassVar[str]
    scale: ClassVar[float] = 1
    digits: ClassVar[int] = 4
    about: ClassVar[str]
    options: ClassVar[Sequence[Setting]] = ()
    example: ClassVar[str] = "json"

    # Files

    @classmethod
    @abstractmethod
    def open(cls, path: Path, *arguments: Any, **options: Any) -> Benchmark[Any]:
        """Read the gold data.

        Raises:
            InputError, FormatError: the file cannot be read, or is not of its form.
            OptionError: the options contradict each other.
        """

    @abstractmethod
    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> P:
        """Read a system's output; ``warn`` is called with what is odd about it.

        Raises:
            InputError, FormatError: the file cannot be read, is not of its form, or does not fit the gold data.
        """

    # Scoring

    @abstractmethod
    def tally(self, predictions: P) -> Tally:
        """Count what each record adds to the figures.

        Raises:
            InputError: predictions for a record that is not in the gold data.
        """

    @abstractmethod
    def cases(self, predictions: P) -> list[Case]:
        """Return the suggestions in their texts, with their labels.

        Raises:
            InputError: a target has no text.
        """

    @abstractmethod
    def changed(self, predictions: P, change: Change) -> P:
        """Return the predictions with another list for each target."""

    def judged(self) -> P:
        """Return all substitutes that people judged, as if a system had suggested them."""
        raise OptionError(f"the data of {self.name} do not say what people rejected", option="ranking")

    def ranking(self, ranked: P, ranker: str) -> Tally:
        """Count what each record adds to the figures of :meth:`rank`; ``ranker`` is a signature."""
        raise OptionError(f"the data of {self.name} do not say what people rejected", option="ranking")

    def score(self, predictions: P, **bootstrap: Unpack[Bootstrap]) -> BenchmarkResult:
        """Compute the figures of a system's output; what it has nothing for counts as missed.

        ``bootstrap`` is for the intervals over records, see :class:`~usim.benchmarks.result.Bootstrap`.

        Raises:
            InputError: nothing to score, or predictions for a record that is not in the gold data.
        """
        return self.tally(predictions).result(**bootstrap)

    def screen(self, predictions: P, screen: Screen, **bootstrap: Unpack[Bootstrap]) -> Effect:
        """Score a system before and after screening: without the suggestions that ``screen`` would drop.

        Raises:
            InputError: as for :meth:`score`, or a target has no text.
        """
        from usim.benchmarks.screening import screened

        return screened(self, predictions, screen, **bootstrap)

    def rerank(self, predictions: P, ranker: Ranker, **bootstrap: Unpack[Bootstrap]) -> FigureComparison:
        """Score a system before and after a ranker gives its lists another order; what is in a list stays in it.

        With lists that are no longer than the number of substitutes that count, some figures cannot change. Arguments
        and errors are as for :meth:`screen`.
        """
        after = self.tally(self._ordered(predictions, ranker))
        parts = {**after.parts, "rank": ranker.signature}
        return compare(self.tally(predictions), replace(after, parts=parts), **bootstrap)

    def rank(self, ranker: Ranker, **bootstrap: Unpack[Bootstrap]) -> BenchmarkResult:
        """Score a ranker on all substitutes that people judged, by generalised average precision.

        What it cannot rank stays last.

        Raises:
            InputError: nothing to rank, or a target has no text.
            OptionError: the data do not say what people rejected.
        """
        return self.ranking(self._ordered(self.judged(), ranker), ranker.signature).result(**bootstrap)

    def _ordered(self, predictions: P, ranker: Ranker) -> P:
        """Return the predictions with each list in the ranker's order; what it cannot rank stays last."""
        scores = ranker.scores(self.cases(predictions))

        def ranked(target: Hashable, substitutes: list[str]) -> list[str]:
            return sorted(substitutes, key=lambda substitute: -scores.get((target, substitute), float("-inf")))

        return self.changed(predictions, ranked)
