"""Large language models behind an OpenAI-compatible server that the user names, by the package ``openai``.

- :mod:`usim.llm.endpoint`: which server, which model, and the limits;
- :mod:`usim.llm.client`: asks, with retries, several requests at a time;
- :mod:`usim.llm.cache`: keeps answers in a file, so that an interrupted run goes on and nothing is paid for twice.

Nothing here opens a connection to any address but that of the :class:`Endpoint`. The package ``openai`` (extra ``llm``)
is imported with the first request.
"""

from __future__ import annotations

from usim.llm.client import ChatModel
from usim.llm.endpoint import Endpoint, read_key
from usim.llm.messages import Answer, LlmError, Message, Messages, without_thoughts

__all__ = [
    "Answer",
    "ChatModel",
    "Endpoint",
    "LlmError",
    "Message",
    "Messages",
    "read_key",
    "without_thoughts",
]
