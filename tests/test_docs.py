"""The documentation is true: its snippets run, what it shows is what the commands print, what it names exists."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from docs.console import PAGES, ROOT, Console, Snippet, prepare, shows, snippets
from usim.cli import cli

pytestmark = pytest.mark.model

SNIPPETS = [snippet for page in PAGES for snippet in snippets(page)]
WITH_PYTHON = sorted({snippet.page for snippet in SNIPPETS if snippet.language == "python" and not snippet.reason})


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the snippets name."""
    folder = tmp_path_factory.mktemp("docs")
    prepare(folder)
    return folder


@pytest.fixture(scope="module")
def console() -> Console:
    return Console()


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name)
def test_python_runs(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippets of a page are one session; what a prompt shows is what comes out."""
    monkeypatch.chdir(folder)
    session: dict[str, object] = {"__name__": "page"}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tried = 0
    for snippet in SNIPPETS:
        if snippet.page != page or snippet.language != "python":
            continue
        if snippet.reason:
            ast.parse(snippet.code)
        elif snippet.code.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(snippet.code, session, name(page), str(page), snippet.line)
            result = runner.run(test, clear_globs=False)
            assert result.failed == 0, f"{name(page)}:{snippet.line}"
            session.update(test.globs)
            tried += result.attempted
        else:
            exec(compile("\n" * (snippet.line - 1) + snippet.code, str(page), "exec"), session)
            tried += 1
    assert tried


@pytest.mark.parametrize(
    "snippet", [s for s in SNIPPETS if s.language == "console"], ids=lambda s: f"{name(s.page)}:{s.line}"
)
def test_the_console_shows_what_the_command_prints(
    snippet: Snippet, folder: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for command, shown in snippet.exchanges():
        if snippet.reason:
            assert shlex.split(command)[0] in ("usim", "python")
            continue
        output = console.output(command)
        assert shown == output or shows(shown, output), "python -m docs.console writes it anew"


def commands() -> Iterator[tuple[str, list[str]]]:
    """The lines of shell snippets, indented ones among them, as words."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        shells = [s.code for s in snippets(page) if s.language in ("bash", "sh")]
        shells += [command for s in snippets(page) if s.language == "console" for command, _ in s.exchanges()]
        indented = re.findall(r"^    ((?:usim|python -m) .*(?:\\\n.*)*)", text, re.M)
        in_line = re.findall(r"`((?:usim|python -m) [^`]+)`", text)
        for line in "\n".join([*shells, *indented, *in_line]).replace("\\\n", " ").splitlines():
            words = re.sub(r"\s#.*", "", line).replace("[", " ").replace("]", " ").split()
            if words:
                yield f"{name(page)}: {line.strip()}", words


COMMANDS = dict(commands())


@pytest.mark.parametrize("line", [line for line, words in COMMANDS.items() if words[0] == "usim"])
def test_commands_and_options_exist(line: str) -> None:
    words = COMMANDS[line][1:]
    context = click.Context(cli)
    if not words or words[0] == "COMMAND" or words[0].startswith("-"):
        return
    command = cli.get_command(context, words[0])
    assert command is not None, line
    if isinstance(command, click.Group):
        command = (command.get_command(context, words[1]) if len(words) > 1 else None) or command
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"-h", "--help"}
    until = next((i for i, word in enumerate(words) if word in ("|", ">", "&&", ";")), len(words))
    for word in words[1:until]:
        if re.fullmatch(r"--?[a-z][\w-]*", word):
            assert word in known, f"{line}: {word}"


def modules() -> Iterator[str]:
    """The modules that the commands run; of ``python -m experiments NAME`` that of the study."""
    for words in COMMANDS.values():
        if words[:2] == ["python", "-m"] and len(words) > 2:
            study = words[3] if words[2] == "experiments" and len(words) > 3 and words[3] != "NAME" else ""
            yield words[2] if not study or study.startswith("-") else f"experiments.{study}"


@pytest.mark.parametrize("module", sorted(set(modules()) - {"spacy"}))
def test_modules_exist(module: str) -> None:
    assert find_spec(module), module


def test_every_package_and_command_is_in_the_reference() -> None:
    """Each page has all modules of its package, and its package's name."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
    documented = set(re.findall(r"^<!-- modules: (\S+) -->$", pages, re.M))
    packages = {f"usim.{path.parent.name}" for path in (ROOT / "usim").glob("*/__init__.py")}
    assert documented == packages - {"usim.cli"} | {"usim"}
    assert "click:: usim.cli:cli" in pages


def test_drawings_are_those_that_the_command_makes(tmp_path: Path) -> None:
    from docs import draw

    draw.draw(tmp_path)
    stored = ROOT / "docs" / "_static"
    assert {path.name for path in stored.glob("*.svg")} == set(draw.DRAWINGS)
    for drawing in draw.DRAWINGS:
        assert (tmp_path / drawing).read_text(encoding="utf-8") == (stored / drawing).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name(page)}: {target}"


def test_the_modules_of_the_map_exist() -> None:
    """What docs/architecture.md names in code type and looks like a path is there."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([\w/]+\.py|[\w/]+/)`", text))
    assert len(paths) > 40
    folders = [ROOT, ROOT / "usim", *(path for path in (ROOT / "usim").rglob("*") if path.is_dir())]
    for path in paths:
        assert any((folder / path).exists() for folder in folders), path


def test_the_readme_is_short_and_the_set_up_is_that_of_ci() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120
    for file in ("CONTRIBUTING.md", ".ci/run"):
        assert "bash tests/run.sh" in (ROOT / file).read_text(encoding="utf-8")
