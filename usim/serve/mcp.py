"""Tools for agents, by the Model Context Protocol (https://modelcontextprotocol.io): rewrites and documents checked.

They have the limits and the queues of the service, and answer with what a language model can act on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from inspect import getdoc
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import Field, ValidationError

from usim._version import __version__
from usim.errors import UsimError
from usim.judge import Result
from usim.options import Options
from usim.registry import find_model
from usim.report.texts import listed_findings
from usim.rewrites import MOST_CHANGES, Best
from usim.serve._models import AskedPolicy, AskedRisk
from usim.serve._service import ProblemError, Service
from usim.serve.settings import Settings
from usim.text import Span

_INSTRUCTIONS = (
    "usim says whether a text still means the same after a change. After rewriting, correcting or shortening a text, "
    "call check_rewrite (a sentence or a paragraph) or compare_documents (a whole text). Verdicts: keep, the meaning "
    "survived; review, somebody should look; drop, the meaning changed. Where the verdict is not keep, do what "
    "put_back says or write again with the findings in mind, and check again, three times at most; then keep the "
    "source."
)
#: What each tool says of the cause in its answer.
_CAUSE = (
    "Of the cause, band is the kind of change, compared the probability that keep and drop are about, raised whether a "
    "finding raised what keep needs, and outlook the verdict at a greater risk."
)
_Text = Annotated[str, Field(description="The text itself, all of it; no path: the server reads no files.")]
P = ParamSpec("P")
T = TypeVar("T")


class _Server(MCPServer):
    """A server whose errors about arguments name them and say what a tool takes, in place of the SDK's report."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as e:
            if not isinstance(e.__cause__, ValidationError):
                raise
            wrong = "; ".join(
                f"{'.'.join(map(str, each['loc']))}: {'missing' if each['type'] == 'missing' else each['msg']}"
                for each in e.__cause__.errors()
            )
            (schema,) = (tool.input_schema for tool in await self.list_tools() if tool.name == name)
            takes = (f"{own}{'' if own in schema['required'] else ' (optional)'}" for own in schema["properties"])
            raise ToolError(f"{name}: {wrong}; call it again: it takes {', '.join(takes)}") from None


def make_server(settings: Settings) -> MCPServer:
    """Return a server with the three tools, which runs over standard input and output (``run()``).

    It answers an agent at once, and loads the models meanwhile: the first call of a tool waits for them, and says it
    where they cannot be loaded.
    """
    options = Options(**settings.options)
    find_model(options.model)
    _ = options.risk_share
    loading: list[asyncio.Task[Service]] = []

    async def loaded() -> Service:
        if not loading:
            loading.append(asyncio.create_task(asyncio.to_thread(Service, settings)))
        return await asyncio.shield(loading[0])

    @asynccontextmanager
    async def lifespan(_: MCPServer) -> AsyncIterator[None]:
        begun = asyncio.create_task(loaded())
        begun.add_done_callback(lambda task: task.cancelled() or task.exception())  # told by the tools
        yield

    server = _Server("usim", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING", lifespan=lifespan)
    seconds = settings.limits.seconds

    def tool(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
        """Add a tool, whose errors say what to do and whose time is limited."""

        @wraps(function)
        async def limited(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                await loaded()
                async with asyncio.timeout(seconds):
                    return await function(*args, **kwargs)
            except TimeoutError as e:
                raise ToolError(f"not done within {seconds:g} s: send less at a time") from e
            except (ProblemError, UsimError) as e:
                raise ToolError(str(e)) from e

        return server.tool(description=f"{getdoc(function)}\n\n{_CAUSE}")(limited)

    @tool
    async def check_rewrite(
        source: str, rewrite: str, policy: AskedPolicy = "same", risk: AskedRisk = None
    ) -> dict[str, Any]:
        """Say whether a rewrite keeps the meaning of its source, what moved, and what to put back."""
        service = await loaded()
        scorer = service.scorer.under(policy, risk=risk)
        (result,) = await service.score(scorer, [(source, rewrite, None)])
        answer = _answer(result)
        work = service.tokens_of_change(source, rewrite) * MOST_CHANGES
        if result.judgement.verdict != "keep" and work <= settings.limits.tokens:
            (repair,) = await service.ask(
                lambda pairs: [scorer.repair(*pair) for pair in pairs], [(source, rewrite)], lambda _: work
            )
            if repair.note:
                answer["note"] = f"{repair.note}: write again with the findings in mind, or keep the source"
            elif (left := repair.result.judgement).verdict == "keep":
                answer |= {"put_back": list(map(str, repair.changes)), "repaired": repair.text}
                answer |= {"still_found": [finding.text for finding in left.shown]} if left.shown else {}
        return answer

    @tool
    async def compare_documents(
        before: _Text,
        after: _Text,
        policy: AskedPolicy = "same",
        risk: AskedRisk = None,
        markdown: Annotated[bool, Field(description="Whether they are Markdown: code is compared as it is.")] = False,
    ) -> dict[str, Any]:
        """Say what a change did to a whole text: each finding with its place and both wordings, the gravest first.

        Send the texts themselves, and say whether they are Markdown: the server reads no files.
        """
        for name, text in (("before", before), ("after", after)):
            if _is_path(text.strip()):
                raise ToolError(f"{name} is the name of a file, as it seems: read the file, and send the text in it")
        service = await loaded()
        comparison = await service.compare(service.scorer.under(policy, risk=risk), before, after, is_markdown=markdown)
        listed = [(each, comparison.blocks[each.block]) for each in listed_findings(comparison)]
        findings = [
            {
                "text": each.why,
                "verdict": each.verdict,
                "where": each.where,
                "before": _place(before, block.before_span, each.before),
                "after": _place(after, block.after_span, each.after),
            }
            for each, block in listed
        ]
        # Here a block has one finding, which says all that was found in it.
        counts = {**comparison.counts, "findings": len(findings)}
        values = comparison.to_dict()
        figures = {name: values[name] for name in ("verdict", "cause", "faithfulness")} | {"counts": counts}
        return {**figures, "findings": findings}

    @tool
    async def best_of(
        source: str,
        candidates: Annotated[list[str], Field(min_length=1, description="Rewrites of the source.")],
        policy: AskedPolicy = "same",
        risk: AskedRisk = None,
    ) -> dict[str, Any]:
        """Return the most faithful of several rewrites, null where none keeps the meaning, and what each changed.

        ``nearest`` is the place of the most faithful candidate; the first is 0.
        """
        service = await loaded()
        scorer = service.scorer.under(policy, risk=risk)
        best = Best(tuple(await service.score(scorer, [(source, candidate, None) for candidate in candidates])))
        place = best.results.index(best.nearest)
        return {"text": best.text, "nearest": place, "candidates": list(map(_answer, best.results))}

    return server


def _answer(result: Result) -> dict[str, Any]:
    """Return the verdict on a rewrite with its findings, each with its words on both sides."""
    values: dict[str, Any] = result.to_dict()
    findings = [
        {
            "text": finding.text,
            "before": _words(result.source, finding.source_spans),
            "after": _words(result.output, finding.output_spans),
        }
        for finding in result.judgement.shown
    ]
    shown: dict[str, Any] = {
        name: values[name] for name in ("verdict", "cause", "faithfulness", "notes") if name in values
    }
    return {**shown, "findings": findings}


def _words(text: str, spans: Sequence[Span]) -> list[str]:
    """Return the words of these places; those that stand side by side together."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        is_next = joined and not text[joined[-1][1] : start].strip()
        joined[-1:] = [(joined[-1][0], max(joined[-1][1], end))] if is_next else [*joined[-1:], (start, end)]
    return [text[slice(*span)] for span in joined]


def _is_path(text: str) -> bool:
    """Return whether a text is but the name of a file: a word with folders or an ending, or a path with both."""
    has_ending = bool(re.search(r"\.[A-Za-z]\w{0,8}$", text))
    if re.search(r"\s", text):
        return has_ending and bool(re.match(r"(?:~|\.{0,2}|[A-Za-z]:|file:)[/\\]", text)) and "\n" not in text
    return has_ending or bool(re.search(r"[/\\]", text))


def _place(text: str, span: Span, words: str) -> dict[str, Any]:
    return {"line": text.count("\n", 0, span[0]) + 1, "words": words}
