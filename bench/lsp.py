"""How long an editor waits for ``usim lsp``: a client over pipes opens a text, and edits a sentence again and again.

    python -m bench.lsp --words 2000 --edits 200

The time of an edit goes from the change to its diagnostics, with the pause in which the server waits for more.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Sequence
from functools import partial
from statistics import median, quantiles

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from bench.common import command, processor_time, sentences

_URI = "file:///bench.txt"
_WRONG = ("She have two cats at home.", "I could of gone there.", "We met in the libary.", "He do not know it.")


async def measure(lines: list[str], edits: int, options: Sequence[str]) -> None:
    """Print the seconds until the first diagnostics of a text, and until those of an edit."""
    rng = random.Random(0)
    diagnostics: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
    client = LanguageClient("bench", "1")
    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(diagnostics.put_nowait))
    await client.start_io(sys.executable, "-m", "usim", "lsp", *options)
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())

    async def told(version: int) -> int:
        while (found := await diagnostics.get()).version != version:
            pass
        return len(found.diagnostics)

    began = time.perf_counter()
    text = lsp.TextDocumentItem(_URI, "plaintext", 0, "\n".join(lines))
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text))
    count, seconds = await told(0), time.perf_counter() - began
    words = sum(len(line.split()) for line in lines)
    print(f"{words} words: first diagnostics after {seconds:.2f} s, {count} of them")
    times = []
    spent = processor_time()
    for version in range(1, edits + 1):
        line = rng.randrange(len(lines))
        span = lsp.Range(lsp.Position(line, 0), lsp.Position(line, len(lines[line])))
        lines[line] = f"{rng.choice(_WRONG)[:-1]} {version}."
        change = lsp.TextDocumentContentChangePartial(span, lines[line])
        began = time.perf_counter()
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, _URI), [change])
        )
        await told(version)
        times.append(time.perf_counter() - began)
    spent = (processor_time() - spent) / len(times)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    figures = f"p50 {median(times):.3f} s, p95 {quantiles(times, n=20)[-1]:.3f} s, {spent:.3f} s of processor time each"
    print(f"{len(times)} edits of a sentence: {figures}")


def main() -> None:
    """Make up a text, and edit it."""
    parser = command(__doc__)
    parser.add_argument("--words", type=int, default=2000, help="of the text (%(default)s)")
    parser.add_argument("--edits", type=int, default=200, help="(%(default)s)")
    arguments, options = parser.parse_known_args()
    rng = random.Random(0)
    lines: list[str] = []
    for place, sentence in enumerate(sentences(arguments.words // 20)):
        lines.append(rng.choice(_WRONG) if place % 5 == 4 else sentence)
        if sum(len(line.split()) for line in lines) >= arguments.words:
            break
    asyncio.run(measure(lines, arguments.edits, options))


if __name__ == "__main__":
    main()
