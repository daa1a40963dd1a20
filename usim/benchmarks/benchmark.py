"""One benchmark of word suggestions.

A subclass says how its files are read, what each record adds to which sum (:meth:`Benchmark.tally`), and what the gold
data say of each suggestion (:meth:`Benchmark.cases`). Scoring, :func:`usim.benchmarks.screening.screened` and the
command ``usim NAME`` follow from that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, ClassVar, Generic, TypeVar

from usim.benchmarks.case import Case
from usim.benchmarks.result import BenchmarkResult, Tally
from usim.text.files import Path

P = TypeVar("P")
#: From the key of a target and its substitutes, best first, to those that take their place.
Change = Callable[[Hashable, list[str]], list[str]]
Warn = Callable[[str], None]


class Benchmark(ABC, Generic[P]):
    """Gold data, and how they are scored; ``P`` is what a system's predictions are.

    Attributes:
        name: of the command and in signatures.
        scale: of its figures, 100 for per cent.
        digits: the number of decimals that its figures are printed with.
        about: the help of its command, in paragraphs.
        example: the ending of its files in examples.
        options: options of its command that :meth:`open` takes as well, each with its help.
    """

    name: ClassVar[str]
    scale: ClassVar[float] = 1
    digits: ClassVar[int] = 4
    about: ClassVar[str]
    example: ClassVar[str] = "json"
    options: ClassVar[dict[str, str]] = {}

    @classmethod
    @abstractmethod
    def open(cls, path: Path) -> Benchmark[Any]:
        """Read the gold data.

        Raises:
            InputError, FormatError: the file cannot be read, or is not of its form.
        """

    @abstractmethod
    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> P:
        """Read a system's output; ``warn`` is called with what is odd about it.

        Raises:
            InputError, FormatError: the file cannot be read, is not of its form, or does not fit the gold data.
        """

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

    def changed(self, predictions: Any, change: Change) -> Any:
        """Return the predictions with another list for each target."""
        return {target: change(target, list(own)) for target, own in predictions.items()}

    def score(self, predictions: P, *, resamples: int = 1000) -> BenchmarkResult:
        """Compute the figures of a system's output; what it has nothing for counts as missed.

        ``resamples`` is how often records are drawn again for the intervals; 0 for none.

        Raises:
            InputError: nothing to score, or predictions for a record that is not in the gold data.
        """
        return self.tally(predictions).result(resamples=resamples)
