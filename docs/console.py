"""The snippets of the documentation, and what they show: ``python -m docs.console`` runs them and writes it anew.

A snippet that cannot run here stands under an HTML comment that says why: ``<!-- not run: needs the weights -->``.
In what a command shows, ``…`` stands for anything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.command import usim_here
from usim.parsing import load
from usim.ucca import write_xml

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\n)?^(?P<indent> *)```(?P<language>\S*)\n(?P<code>.*?)^(?P=indent)```$",
    re.M | re.S,
)
_COMMAND = re.compile(r"^\$ (.*)\n", re.M)


class Snippet(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    code: str
    reason: str | None

    def exchanges(self) -> Iterator[tuple[str, str]]:
        """Yield each command of a block of a console with what it shows."""
        before, *parts = _COMMAND.split(self.code)
        assert not before, f"{self.page}:{self.line}: begin with a command"
        yield from zip(parts[::2], parts[1::2], strict=True)


def snippets(page: Path) -> Iterator[Snippet]:
    """Yield the snippets of a page."""
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        yield Snippet(page, line, match["language"], textwrap.dedent(match["code"]), match["reason"])


def prepare(folder: Path) -> None:
    """Write the files that the snippets name into a folder."""
    for samples in (folder, folder / "tried"):
        assert usim_here("samples", samples).returncode == 0
    gold = json.loads((ROOT / "notebooks/data/sws.json").read_text(encoding="utf-8"))
    for file in ("sws_test.json", "sws_eval.json"):
        (folder / file).write_text(json.dumps(gold), encoding="utf-8")
    predictions = {
        key: {
            "input_words": record["sentence_split"],
            "substitute_topk": [
                [[" ".join(record["sentence_split"][start:end]), start, end], list(votes)]
                for (start, end), votes, *_ in record["substitutes"]
            ],
        }
        for key, record in gold.items()
    }
    (folder / "my_output.json").write_text(json.dumps(predictions), encoding="utf-8")
    source, output = load().parse(["He go home.", "He goes home."])
    for file, graph in (
        ("source.xml", source), ("output.xml", output), ("gold/1.xml", source), ("predicted/1.xml", source),
    ):  # fmt: skip
        (folder / file).parent.mkdir(exist_ok=True)
        write_xml(graph, folder / file)


class Console:
    """Runs the commands ``usim``, in this process, and ``curl``, against a service in this process."""

    def __init__(self) -> None:
        from starlette.testclient import TestClient

        from usim.serve.app import create_app
        from usim.serve.settings import Settings

        self._client = TestClient(create_app(Settings()), base_url="http://localhost:8080")

    def output(self, command: str) -> str:
        """Return what a command prints on standard output."""
        program, *arguments = shlex.split(command)
        if program == "usim":
            return usim_here(*arguments).stdout
        assert program == "curl", f"{program} is not run here"
        headers, data, address = {}, None, ""
        words = iter(arguments)
        for word in words:
            if word == "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            elif word == "-d":
                data = next(words)
            elif word != "-s":
                address = word
        path = "/" + address.partition("/")[2]
        method = "GET" if data is None else "POST"
        return self._client.request(method, path, content=data, headers=headers).text + "\n"


def shows(shown: str, output: str) -> bool:
    """Return whether a page shows what a command prints."""
    return re.fullmatch(".*?".join(map(re.escape, shown.split("…"))), output, re.S) is not None


def rewrite(page: Path, console: Console) -> None:
    """Write what the commands of a page print into it, where it shows something else."""
    text = page.read_text(encoding="utf-8")

    def anew(match: re.Match[str]) -> str:
        if match["language"] != "console" or match["reason"]:
            return match[0]
        snippet = Snippet(page, 0, "console", textwrap.dedent(match["code"]), None)
        code = ""
        for command, shown in snippet.exchanges():
            output = console.output(command)
            code += f"$ {command}\n{shown if shows(shown, output) else output}"
        return match[0].replace(match["code"], textwrap.indent(code, match["indent"]))

    rewritten = _FENCE.sub(anew, text)
    if rewritten != text:
        page.write_text(rewritten, encoding="utf-8")
        print(page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        os.chdir(folder)
        for page in PAGES:
            rewrite(page, Console())
