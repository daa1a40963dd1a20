"""Every regular expression of usim takes a time that grows with the length of the text, not with its square.

Patterns are found in the source, and each is fed what keeps it busy: what comes before a repetition in it, the
repetition, thousands of times, and an end that lets it fail; and runs of all that, since a search begins anywhere.
"""

from __future__ import annotations

import ast
import gc
import importlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser
from time import process_time
from typing import Any

import pytest

import usim
from usim.benchmarks import tsar
from usim.checkers import Checked, Fault, _harper, only_mistakes
from usim.checkers._learners import learner_findings
from usim.documents import cut_text
from usim.errors import UsimError
from usim.parsing import wordpieces
from usim.report import word
from usim.serve._languagetool import AnnotatedText
from usim.serve.lsp import Places
from usim.servers.llm import without_thoughts
from usim.suggestions._place import check_span, difference, put
from usim.text import (
    check_length,
    context_between,
    foreign_sentences,
    language_of,
    sentence_around,
    sentence_spans,
    token_spans,
    token_texts,
    tokenise,
)

ROOT = Path(usim.__file__).parent
METHODS = "match fullmatch search finditer findall sub subn split".split()
#: What a class of characters is fed with: a blank of each kind, a letter, a digit, a mark, a line end.
ANY = [" ", "\xa0", "\n", "a", "A", "1", ".", "_", "-"]
FLOOR = 0.002  # seconds below which a measured time says nothing
LONGEST = 16_384
#: Patterns that are put together in a function, by module.
BUILT = {
    "usim.benchmarks.tsar": lambda: tsar._as_word("aa"),
    "usim.parsing.wordpieces": lambda: wordpieces._characters().words,
    "usim.report.word": lambda: word._words_of("one two"),
}
CLASSES = {
    code.CATEGORY_SPACE: str.isspace,
    code.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    code.CATEGORY_DIGIT: str.isdecimal,
    code.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    code.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    code.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


def grows_too_fast(work: Callable[[str], Any], unit: str, before: str = "", after: str = "") -> bool:
    """Whether twice as many units take more than 2.5 times as long; no, where a long text takes next to nothing."""

    def seconds(n: int) -> float:
        text = before + unit * n + after
        gc.disable()
        began = process_time()
        work(text)
        took = process_time() - began
        gc.enable()
        return took

    n = 500
    while seconds(n) < FLOOR:
        n *= 2
        if n * len(unit) > LONGEST:
            return False
    # What else the machine does makes some measurements longer, and none shorter.
    return all(min(seconds(2 * n) for _ in range(3)) > 2.5 * min(seconds(n) for _ in range(3)) for _ in range(8))


# -- patterns --


def _is_in(character: str, items: list[Any]) -> bool:
    found = False
    for kind, value in items:
        if kind is code.LITERAL:
            found |= character == chr(value)
        elif kind is code.RANGE:
            found |= value[0] <= ord(character) <= value[1]
        elif kind is code.CATEGORY:
            found |= CLASSES[value](character)
    return found != (items[0][0] is code.NEGATE)


def samples(tree: Any) -> list[str]:
    """Texts that a part of a pattern matches, a few for each class of characters in it."""
    texts = [""]
    for kind, value in tree:
        if kind is code.LITERAL:
            ways = [chr(value)]
        elif kind in (code.NOT_LITERAL, code.ANY):
            ways = [c for c in ANY if c != "\n" and (kind is code.ANY or ord(c) != value)][:4]
        elif kind is code.IN:
            named = [chr(v if k is code.LITERAL else v[0]) for k, v in value if k in (code.LITERAL, code.RANGE)]
            ways = [c for c in dict.fromkeys([*ANY, *named[:4]]) if _is_in(c, value)][:6]
        elif kind is code.BRANCH:
            ways = [way for branch in value[1] for way in samples(branch)[:2]]
        elif kind is code.SUBPATTERN:
            ways = samples(value[-1])
        elif kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            ways = [way * max(1, value[0]) for way in samples(value[2])]
        else:  # places and what is looked ahead to
            continue
        # Not all with all: the first of each with all of the others.
        texts = [*(text + ways[0] for text in texts), *(texts[0] + way for way in ways[1:])] if ways else texts
    return list(dict.fromkeys(texts))


def attacks(tree: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What comes before a repetition in a pattern, and what it repeats."""
    for kind, value in tree:
        if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            if value[1] > 50:
                yield from ((before, unit) for unit in samples(value[2]))
            yield from attacks(value[2], before)
        elif kind is code.SUBPATTERN:
            yield from attacks(value[-1], before)
        elif kind is code.BRANCH:
            for branch in value[1]:
                yield from attacks(branch, before)
        elif kind in (code.ASSERT, code.ASSERT_NOT):
            yield from attacks(value[1], before)
        before += samples([(kind, value)])[0]


def hostile(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Beginnings and units of texts that keep a pattern busy."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    found = set(attacks(tree))
    found |= {("", before + unit) for before, unit in found}
    found |= {("", before) for before, _ in found if before}
    found |= {("", character) for sample in samples(tree) for character in sample}
    return {(before, unit) for before, unit in found if unit}


def _patterns(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _patterns(each)


def found_patterns() -> dict[str, tuple[re.Pattern[str], list[str]]]:
    """All patterns of usim by module and text, with the methods by which they are used."""
    found: dict[str, tuple[re.Pattern[str], list[str]]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(("usim", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        tree = ast.parse(path.read_text())
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        ours = [call for call in calls if ast.unparse(call.func.value) == "re" and call.func.attr != "escape"]
        if not ours:
            continue
        module = importlib.import_module(name)
        of_module: dict[re.Pattern[str], str] = {}
        for variable, value in vars(module).items():
            of_module |= dict.fromkeys(_patterns(value), variable)
        for call in ours:
            try:  # within a function: what is written there
                flags = [
                    *(call.args[1:] if call.func.attr == "compile" else ()),
                    *(k.value for k in call.keywords if k.arg == "flags"),
                ]
                given = [eval(ast.unparse(value), vars(module)) for value in (call.args[0], *flags)]
            except NameError as e:
                if name in BUILT:
                    of_module[BUILT[name]()] = "words"
                elif not any(isinstance(vars(module)[variable], list | tuple) for variable in of_module.values()):
                    raise ValueError(f"a pattern in {path} that this test cannot find") from e
                continue
            of_module.setdefault(re.compile(*given), "" if call.func.attr == "compile" else f"re.{call.func.attr}")
        for pattern, variable in of_module.items():
            used = {call.func.attr for call in calls if ast.unparse(call.func.value) == variable} & {*METHODS}
            methods = [variable[3:]] if variable.startswith("re.") else sorted(used) or ["match", "search"]
            found[f"{name}:{variable}:{pattern.pattern[:40]}"] = pattern, methods
    return found


def run(pattern: re.Pattern[str], method: str) -> Callable[[str], Any]:
    if method in ("sub", "subn"):
        return lambda text: pattern.sub("", text)
    if method == "finditer":
        return lambda text: sum(1 for _ in pattern.finditer(text))
    return getattr(pattern, method)  # type: ignore[no-any-return]


PATTERNS = found_patterns()


def test_patterns_are_found() -> None:
    assert len(PATTERNS) > 80


@pytest.mark.parametrize("name", PATTERNS)
def test_the_time_of_a_pattern_grows_with_the_text(name: str) -> None:
    pattern, methods = PATTERNS[name]
    slow = (
        (method, before, unit, after)
        for method in methods
        for before, unit in sorted(hostile(pattern))
        for after in ("", "\0", "\n!")
        if grows_too_fast(run(pattern, method), unit, before, after)
    )
    assert next(slow, None) is None


# -- what is more than a pattern --

UNITS = [
    *" \t\n\xa0\u2028\r>`#*_~[]()|-=.,'\"<&\\!?@:;a1A’é\u0301\u200b",
    "> ", "<!--", "<think>", "](", "[a](", "a. ", "1. ", "- ", "a-", "Mr. ", "a,\n", "Dear ", "a\n\n", "`a", "~~~\n",
    "```\n", "| ", "a@", "www.", "A. ", "it's ", "*a", "<a ", "a.m. ", "“", "Cats ran. ", "cats ", "\n> ", "&amp;",
]  # fmt: skip
FINDING = Fault(1, 2, "", ("x",), "rule", "TYPOS")
WORK: dict[str, Callable[[str], Any]] = {
    "tokenise": tokenise,
    "token_spans": lambda text: token_spans(text, token_texts(text)),
    "sentence_spans": sentence_spans.__wrapped__,
    "context_between": lambda text: context_between.__wrapped__(text, text),
    "language_of": language_of,
    "foreign_sentences": foreign_sentences,
    "check_length": lambda text: check_length(text, max_tokens=len(text)),
    "cut_text": lambda text: cut_text(text).keys,
    "cut_text, Markdown": lambda text: cut_text(text, is_markdown=True).keys,
    "without_thoughts": without_thoughts,
    "check_span": lambda text: check_span(text, len(text) // 2, len(text)),
    "put": lambda text: put(text, 0, 1, text),
    "delete": lambda text: put(text, len(text) // 2, len(text) // 2 + 1, ""),
    "difference": lambda text: difference(text, f"{text}x"),
    "learner_findings": lambda text: sum(1 for _ in learner_findings(text)),
    "sentence_around": lambda text: _all_sentences(text),
    "only_mistakes": lambda text: only_mistakes(text, Checked([FINDING])),
    "code": lambda text: sum(1 for _ in _harper._CODE.finditer(text)),
    "annotated": lambda text: AnnotatedText([(c, None) for c in text]),
    "places": lambda text: Places(text).position(len(text)),
}


def _all_sentences(text: str) -> list[tuple[int, int]]:
    # An equal text that is kept from an earlier run would be compared letter by letter at each call.
    sentence_spans.cache_clear()
    return [sentence_around(text, n, n) for n in range(0, len(text), 20)]


def _refused(work: Callable[..., Any], *arguments: Any) -> None:
    with suppress(UsimError):
        work(*arguments)


@pytest.mark.parametrize("name", WORK)
def test_the_time_of_reading_grows_with_the_text(name: str) -> None:
    work = partial(_refused, WORK[name])
    slow = (unit for unit in UNITS for end in ("", "x") if grows_too_fast(work, unit, after=end))
    assert next(slow, None) is None
