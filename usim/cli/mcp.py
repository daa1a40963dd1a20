"""``usim mcp``: tools for agents that rewrite texts."""

from __future__ import annotations

from typing import Any

from usim.cli.options import model_option, subcommand, verdict_options
from usim.cli.serve import limit_option, read_limits
from usim.errors import InputError
from usim.serve.settings import Settings


@subcommand("mcp", "usim mcp", "usim mcp --limit seconds=120")
@limit_option
@verdict_options
@model_option
def command(limits: tuple[str, ...], **options: Any) -> None:
    """Serve an agent, which starts this command, by the Model Context Protocol; see docs/how-to/assistant.md.

    Its tools are check_rewrite, compare_documents and best_of. Needs the extra mcp. What is sent stays on this machine.
    """
    try:
        from usim.serve.mcp import make_server
    except ImportError as e:
        raise InputError(f"tools for agents need more packages ({e.name}): pip install mcp prometheus-client") from e
    make_server(Settings(options=options, limits=read_limits(limits))).run()
