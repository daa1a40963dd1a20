"""Benchmarks of word suggestions, each scored as its authors score it.

- :mod:`usim.benchmarks.sws`: Smart Word Suggestions (Wang et al. 2023);
- :mod:`usim.benchmarks.prolex`: ProLex (Zhang et al. 2024);
- :mod:`usim.benchmarks.swords`: SWORDS (Lee et al. 2021), with the measures of SemEval-2007 task 10;
- :mod:`usim.benchmarks.tsar`: lexical simplification, as TSAR-2022 and MLSP-2024 score it.

Each is a :class:`~usim.benchmarks.benchmark.Benchmark`: gold data that score a system, and the same system before and
after screening. Gold data and predictions are plain values, so a system's output can be changed and scored again. A new
benchmark is a module with such a class, and a line in :data:`BENCHMARKS`; its command follows.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from usim.benchmarks.benchmark import Benchmark

#: The benchmarks, by the names of their commands: the class, and what the benchmark is called.
BENCHMARKS = {
    "sws": ("usim.benchmarks.sws:Sws", "Smart Word Suggestions"),
    "prolex": ("usim.benchmarks.prolex:ProLex", "ProLex"),
    "swords": ("usim.benchmarks.swords:Swords", "SWORDS"),
    "tsar": ("usim.benchmarks.tsar:Tsar", "TSAR-2022"),
    "mlsp": ("usim.benchmarks.tsar:Mlsp", "MLSP-2024"),
}


def load(name: str) -> type[Benchmark[Any]]:
    """Return a benchmark's class by the name of its command."""
    benchmark: type[Benchmark[Any]] = resolve_name(BENCHMARKS[name][0])
    return benchmark


__all__ = ["BENCHMARKS", "load"]
