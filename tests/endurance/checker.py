"""``usim check --fix --in-place`` killed at each of its system calls that write; odd texts and places.

The checker and the parser are stand-ins, so that a case takes milliseconds; what reads, screens, puts suggestions into
the text and writes is usim's own.
"""

from __future__ import annotations

import io
import random
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from tests.batch.slow_parser import WordParser
from tests.endurance.system_calls import kill_points, run_traced
from tests.endurance.tally import Tally, Terms
from usim.checkers import Checked, CheckRequest, Finding, fixed, screened_findings
from usim.cli import main
from usim.screen import Screen

_WORDS = ("tset", "naïve", "cafe\u0301", "😀😀", "👩‍👩‍👧", "word", "שלום", "한국", "e\u0301", "\u202eabc", "don’t", "a")
_NEW = ("test", "naïf", "", "😀", "two words", "한", "e\u0301e\u0301", "\ufeff", "x" * 50)
_BETWEEN = (" ", " ", " ", "\r\n", "\n", ". ", "\r\n\r\n", "\t", "\u00a0")


class _Stub:
    """A checker that would have each of some words be another one."""

    def __init__(self, words: dict[str, str]) -> None:
        self.words = words

    async def check(self, request: CheckRequest) -> Checked:
        text = request.text.plain
        places = [(text.find(old), old, new) for old, new in self.words.items() if old in text]
        findings = [Finding(start, start + len(old), "odd", (new,), "ODD") for start, old, new in places]
        return Checked(findings, "en-US")

    async def close(self) -> None:
        pass


def _screen() -> Screen:
    return Screen(WordParser(), judge="usim", keep=0.0, drop=0.0)


def _check(path: Path, stub: _Stub) -> int:
    """Run the command over a file and return its exit code."""
    with (
        mock.patch("usim.checkers.load_checker", return_value=stub),
        mock.patch("usim.cli.check.make_screen", return_value=_screen()),
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        try:
            main(["check", str(path), "--fix", "--in-place"])
        except SystemExit as e:
            return int(e.code or 0)
    return 0


OLD = "\ufeffShe told a tset.\r\n\r\nThe 😀 cafe\u0301 is naïve.\r\n" + "A line of text that stays.\r\n" * 2_000
STUB = _Stub({"tset": "test", "naïve": "naïf"})
NEW = OLD.replace("tset", "test").replace("naïve", "naïf")


def checker(tally: Tally, terms: Terms) -> None:
    """Kill the command, and give it odd texts."""
    assert _check(_written(terms.folder / "warm-up.txt"), STUB) == 0  # what is imported late does not count
    _kills(tally, terms)
    _texts(tally, terms)


def _written(path: Path, mode: int = 0o600) -> Path:
    path.write_bytes(OLD.encode())
    path.chmod(mode)
    return path


def _kills(tally: Tally, terms: Terms) -> None:
    folder = terms.folder / "kills"
    for name, mode in (("file", 0o600), ("link", 0o640)):
        path = folder / name

        def prepare(path: Path = path, mode: int = mode) -> None:
            folder.mkdir()
            _written(folder / "file", mode)
            if path.name == "link":
                path.symlink_to(folder / "file")

        prepare()
        calls, code = run_traced(lambda path=path: _check(path, STUB))
        with tally.case(name):
            assert code == 0
            _check_folder(path, mode, {NEW})
        shutil.rmtree(folder)
        for point, way in kill_points(calls, terms, 12):
            with tally.case(f"{name}, killed at {point} ({way})"):
                prepare()
                run_traced(lambda path=path: _check(path, STUB), kill_at=point, way=way)
                _check_folder(path, mode, {OLD, NEW})
                assert _check(path, STUB) == 0, "the next run failed"
                _check_folder(path, mode, {NEW})
            shutil.rmtree(folder)


def _check_folder(path: Path, mode: int, contents: set[str]) -> None:
    """Check the file and what stands beside it."""
    file = path.parent / "file"
    assert file.read_bytes() in {content.encode() for content in contents}, "neither the old text nor the new one"
    for each in path.parent.iterdir():
        assert each.is_symlink() or not each.stat().st_mode & 0o777 & ~mode, f"{each.name} can be read by others"
    assert file.stat().st_mode & 0o777 == mode, "other permissions"
    assert path.name != "link" or path.is_symlink(), "the link is gone"


def _texts(tally: Tally, terms: Terms) -> None:
    """Findings in odd texts, which overlap, stand in the right places and change nothing else."""
    rng = terms.rng()
    screen = _screen()
    for number in range(terms.count(150, 5_000)):
        words = rng.choices(_WORDS, k=rng.randint(1, 12))
        text = rng.choice(("", "\ufeff", "\r\n")) + "".join(word + rng.choice(_BETWEEN) for word in words)
        spans = []
        place = 0
        for word in words:
            place = text.index(word, place)
            spans.append((place, place + len(word)))
            place += len(word)
        chosen = [_wider(rng, spans) for _ in range(rng.randint(1, 5))]
        found = [Finding(*span, "odd", tuple(rng.sample(_NEW, rng.randint(0, 3))), "ODD") for span in chosen]
        with tally.case(f"text {number}: {text!r}, {chosen}"):
            judged = list(screened_findings(text, found, screen))
            assert [(finding.start, finding.end) for finding in judged] == chosen, "other places"
            edits: list[tuple[int, int, str]] = []
            for finding in sorted((f for f in judged if f.best), key=lambda f: -f.best.faithfulness):  # type: ignore[union-attr]
                assert finding.best is not None
                if all(finding.end < start or end < finding.start for start, end, _ in edits):
                    edits.append((finding.start, finding.end, finding.best.substitute))
            expected = text
            for start, end, value in sorted(edits, reverse=True):
                expected = expected[:start] + value + expected[end:]
            assert fixed(text, judged) == (expected, len(edits)), "another text"


def _wider(rng: random.Random, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the span of some words one after another."""
    first = rng.randrange(len(spans))
    last = min(len(spans) - 1, first + rng.randint(0, 2))
    return spans[first][0], spans[last][1]
