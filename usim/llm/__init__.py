"""Large language models behind an OpenAI-compatible server that the user names, by the package ``openai``.

- ``usim.llm._endpoint``: which server, which model, and the limits;
- ``usim.llm._client``: asks, with retries, several requests at a time;
- ``usim.llm._cache``: keeps answers in a file, so that an interrupted run goes on and nothing is paid for twice.

Nothing here opens a connection to any address but that of the :class:`Endpoint`. The package ``openai`` (extra ``llm``)
is imported with the first request.
"""

from __future__ import annotations

from usim.llm._client import ChatModel
from usim.llm._endpoint import Endpoint
from usim.llm._messages import ChatAnswer, LlmError, Message, Messages, without_thoughts

__all__ = [
    "ChatAnswer",
    "ChatModel",
    "Endpoint",
    "LlmError",
    "Message",
    "Messages",
    "without_thoughts",
]
