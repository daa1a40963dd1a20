"""The scorers of three benchmarks of word suggestions, each as its authors score it.

- :mod:`usim.benchmarks.sws`: Smart Word Suggestions (Wang et al. 2023);
- :mod:`usim.benchmarks.prolex`: ProLex (Zhang et al. 2024);
- :mod:`usim.benchmarks.swords`: SWORDS (Lee et al. 2021), with the measures of SemEval-2007 task 10.

Each has readers for the benchmark's own files, and a function ``score`` from gold and predictions, as values, to a
:class:`~usim.benchmarks.result.Result`: so a system's output can be changed in between and scored again.
"""

from __future__ import annotations

from usim.benchmarks.result import Result

__all__ = ["Result"]
