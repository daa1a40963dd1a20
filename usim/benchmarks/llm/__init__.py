"""Large language models as systems for SWS, ProLex and SWORDS: prompts as published, answers read strictly."""

from __future__ import annotations

from usim.benchmarks.llm._systems import Task, load_task

__all__ = ["Task", "load_task"]
