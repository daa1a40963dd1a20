"""How long an editor waits for ``usim lsp``: a client over pipes opens a text, and edits a sentence again and again.

    python -m bench.lsp --words 2000 --edits 200

The time of an edit goes from the change to its diagnostics, with the pause in which the server waits for more.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from statistics import median, quantiles
from typing import Any

from bench.common import command, processor_time, sentences

_URI = "file:///bench.txt"
_WRONG = ("She have two cats at home.", "I could of gone there.", "We met in the libary.", "He do not know it.")


class Client:
    """Speaks the Language Server Protocol with a server of its own."""

    def __init__(self, *options: str) -> None:
        server = [sys.executable, "-m", "usim", "lsp", *options]
        self.process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        self._read(lambda message: message.get("id") == 1)
        self._send("initialized", {})

    def _send(self, method: str, params: Any, **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self, is_wanted: Any) -> Any:
        assert self.process.stdout is not None
        while True:
            size = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            if not size:
                raise SystemExit("the server has ended")
            message = json.loads(self.process.stdout.read(size))
            if is_wanted(message):
                return message

    def timed(self, method: str, params: Any, version: int) -> tuple[float, int]:
        """Return how many seconds pass until the diagnostics of a version come, and how many there are."""
        start = time.perf_counter()
        self._send(method, params)
        found = self._read(lambda message: message.get("params", {}).get("version") == version)
        return time.perf_counter() - start, len(found["params"]["diagnostics"])

    def open(self, text: str) -> tuple[float, int]:
        """Open a text."""
        document = {"uri": _URI, "languageId": "plaintext", "version": 0, "text": text}
        return self.timed("textDocument/didOpen", {"textDocument": document}, 0)

    def change(self, line: int, length: int, text: str, version: int) -> tuple[float, int]:
        """Put a text in the place of a line."""
        span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": length}}
        params = {"textDocument": {"uri": _URI, "version": version}, "contentChanges": [{"range": span, "text": text}]}
        return self.timed("textDocument/didChange", params, version)

    def close(self) -> None:
        """End the server."""
        self._send("shutdown", None, id=2)
        self._read(lambda message: message.get("id") == 2)
        self._send("exit", None)
        self.process.wait()


def main() -> None:
    """Print the seconds until the first diagnostics, and until those of an edit."""
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
    client = Client(*options)
    seconds, found = client.open("\n".join(lines))
    print(f"{sum(len(line.split()) for line in lines)} words: first diagnostics after {seconds:.2f} s, {found} of them")
    times = []
    spent = processor_time(client.process.pid)
    for version in range(1, arguments.edits + 1):
        line = rng.randrange(len(lines))
        new = f"{rng.choice(_WRONG)[:-1]} {version}."
        times.append(client.change(line, len(lines[line]), new, version)[0])
        lines[line] = new
    spent = (processor_time(client.process.pid) - spent) / len(times)
    client.close()
    told = f"p50 {median(times):.3f} s, p95 {quantiles(times, n=20)[-1]:.3f} s, {spent:.3f} s of processor time each"
    print(f"{len(times)} edits of a sentence: {told}")


if __name__ == "__main__":
    main()
