"""What is raised where a checker cannot answer."""

from __future__ import annotations

from usim.errors import UsimError


class CheckerError(UsimError):
    """A checker that cannot answer.

    Args:
        message: what is wrong and what to do.
        status: the HTTP status of a service that has to say so.
        retry: after how many seconds to try again.
    """

    def __init__(self, message: str, *, status: int, retry: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry = status, retry
