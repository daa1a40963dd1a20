"""Public names are made of the words of the glossary in docs/architecture.md, or of words that need no entry."""

from __future__ import annotations

import re
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from usim.documents import TextBlock
from usim.evidence import Comparison, Fact, Finding
from usim.evidence._sentence import GROUPS
from usim.verdicts import Cause, Judgement, Opinion, Result

GLOSSARY = Path(__file__).parents[1] / "docs/architecture.md"
#: Words that other names had before; one concept has one name.
RETIRED = frozenset("reason entry found told settle settled restated drift telling target".split())
ENTRIES = re.findall(
    r"^\| ([a-z]+) \| ", GLOSSARY.read_text("utf-8").split("## The glossary")[1].split("## The map")[0], re.M
)[1:]


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def test_it_has_twenty_words_of_which_each_is_a_name() -> None:
    assert len(ENTRIES) == len(set(ENTRIES)) == 20
    names = {name for module in MODULES for name in import_module(module).__all__}
    names |= {field for kind in (Opinion, Judgement, Cause, Finding, Result) for field in kind.__annotations__}
    names |= {"category", *GROUPS}
    named = {word for name in names for word in words_of(name)}
    assert [entry for entry in ENTRIES if entry not in named and f"{entry}s" not in named] == []


MODULES = (
    "usim",
    "usim.ucca",
    "usim.measures",
    "usim.evidence",
    "usim.verdicts",
    "usim.judge",
    "usim.documents",
    "usim.spelling",
)


@pytest.mark.parametrize("module", [module for module in MODULES if module != "usim.ucca"])
def test_no_public_name_has_a_retired_word(module: str) -> None:
    names = import_module(module).__all__
    assert names
    assert [name for name in names if words_of(name) & RETIRED] == []


@pytest.mark.parametrize("kind", [Comparison, Fact, Finding, Judgement, Opinion, Result, TextBlock])
def test_no_field_has_a_retired_word(kind: type) -> None:
    fields = {*vars(kind), *kind.__annotations__, *signature(kind).parameters}
    assert [field for field in sorted(fields) if not field.startswith("_") and words_of(field) & RETIRED] == []
