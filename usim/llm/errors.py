"""The error of a model that does not answer."""

from __future__ import annotations

from usim.errors import UsimError


class LlmError(UsimError):
    """A server that cannot be reached, refuses a request, or answers with something else."""
