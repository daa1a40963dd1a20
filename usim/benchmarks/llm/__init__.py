"""Large language models as systems for SWS, ProLex and SWORDS: prompts as published, answers read strictly.

- :mod:`usim.benchmarks.llm.prompts`: the prompts, with their sources;
- :mod:`usim.benchmarks.llm.shots`: examples in a prompt, drawn from training data;
- :mod:`usim.benchmarks.llm.answers`: answers to suggestions; what is no list of words is nothing;
- :mod:`usim.benchmarks.llm.systems`: data to predictions in the form that the benchmark's scorer reads.
"""

from __future__ import annotations

from usim.benchmarks.llm.systems import TASKS, Outcome, Task, load_task

__all__ = ["TASKS", "Outcome", "Task", "load_task"]
