"""Large language models behind a server that the user names and that speaks OpenAI's protocol, by ``httpx``.

No connection is opened to any address but that of the :class:`Endpoint`.
"""

from __future__ import annotations

from usim.llm._cache import ChatAnswer
from usim.llm._client import ChatModel, LlmError, Message, Messages, without_thoughts
from usim.llm._endpoint import Endpoint

__all__ = ["ChatAnswer", "ChatModel", "Endpoint", "LlmError", "Message", "Messages", "without_thoughts"]
