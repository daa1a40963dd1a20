"""One place makes verdicts, and nothing writes over a probability."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from usim import Scorer
from usim.evidence import Sentence
from usim.evidence.values import read_alike

ROOT = Path(__file__).parents[2]
#: The one module that decides, and those that name verdicts for people and for readers of files.
DECIDES = ROOT / "usim/verdicts/decide.py"
VERDICTS = frozenset(("keep", "review", "drop"))


def made(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of a module in which a verdict is chosen: named, computed or returned as one."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.keyword)
            and node.arg == "verdict"
            and not isinstance(node.value, ast.Name | ast.Attribute)
        ):
            yield node.value.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
            said = {
                leaf.value for leaf in ast.walk(node.value) if isinstance(leaf, ast.Constant) and leaf.value in VERDICTS
            }
            if "verdict" in names and said - {"review"}:  # the default of what nobody has decided yet
                yield node.lineno
        is_said = isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value in VERDICTS
        is_caused = (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Cause", "Decision")
        )
        if is_said or is_caused:
            yield node.lineno


def test_the_rule_sees_verdicts_that_are_made() -> None:
    code = (
        "verdict = 'keep' if x else 'drop'\nreplace(j, verdict='review')\nreturn 'keep'\nCause('model', '', 0.5, 0.1)"
    )
    assert sorted(made(ast.parse(code))) == [1, 2, 3, 4]
    assert list(made(ast.parse("verdict, cause = decide(opinion)\nJudgement(f, verdict=decision.verdict)"))) == []


def test_one_module_makes_verdicts() -> None:
    found = {path: list(made(ast.parse(path.read_text("utf-8")))) for path in (ROOT / "usim").rglob("*.py")}
    assert found.pop(DECIDES)
    assert {str(path): lines for path, lines in found.items() if lines} == {}


def pairs() -> list[tuple[Sentence, Sentence]]:
    found: list[tuple[Sentence, Sentence]] = []
    for path in sorted((ROOT / "experiments").glob("*.tsv")):
        lines = (line for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if "sentence" in row:
                source = row["sentence"]
                output = row.get("output") or source.replace(row["target"], row["substitute"], 1)
            elif "source" in row:
                source, output = row["source"], row["output"]
            else:  # files before and after a change, which are no pairs
                break
            found.append((source, output))
    return found


@pytest.mark.model
@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_the_faithfulness_is_what_the_judge_says(fast: Scorer, step: int) -> None:
    some = pairs()[::step]
    assert len(some) > 20
    pipeline = fast.pipeline
    results = pipeline.judge_pairs(some)
    # Equal values are read as the source writes them.
    read = [(source, read_alike(str(source), str(output))[0]) for source, output in some]
    analyses = iter(pipeline.analyser.analyse([sentence for pair in read for sentence in pair]))
    for result, pair in zip(results, zip(analyses, analyses, strict=True), strict=True):
        (opinion,) = pipeline.judge.judge([pair])
        assert result.judgement.faithfulness == pytest.approx(opinion.same, abs=2e-5)
        assert result.judgement.verdict != "keep" or result.judgement.faithfulness >= result.judgement.cause.keep
