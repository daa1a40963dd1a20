"""How much a check finds: right findings, and those of the patterns beside Harper's."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from experiments import findings
from tests.support.corrections import corpus
from usim.checkers import Checked, Fault


class Checker:
    def check(self, request: Any) -> Checked:
        text = request.text
        wrong = {"freind": ("friend", "SpellCheck"), "goes": ("go", "LearnerAgreement"), "cat": ("dog", "SpellCheck")}
        return Checked(
            [
                Fault(text.index(old), text.index(old) + len(old), "", (new,), rule)
                for old, (new, rule) in wrong.items()
                if old in text and rule not in request.disabled_rules
            ]
        )


class Screen:
    signature = "made-up"

    def screen_texts(self, items: Iterable[Any]) -> Iterator[list[Any]]:
        for text, suggestions in items:
            changed = [text[: s.span[0]] + s.substitute + text[s.span[1] :] for s in suggestions]
            yield [SimpleNamespace(text=one, faithfulness=0.8, verdict="keep") for one in changed]


def test_findings_are_counted_by_what_they_mend(tmp_path: Path) -> None:
    folder = corpus(
        tmp_path / "made",
        src="My freind left ./They goes home ./The cat sleeps ./All is well .",
        ref0="My friend left ./They go home ./The cat sleeps now ./All is well .",
        ref1="My friend left ./They go home ./The cat sleeps now ./All is well .",
    )
    study = findings.run([folder], Checker(), Screen(), resamples=20)  # type: ignore[arg-type]
    rows = [(*row[1:4], *(round(cell.value, 2) for cell in row[4:])) for row in study.tables[0].rows]  # type: ignore[union-attr]
    assert rows == [
        ("Harper", 2, 1, 0.5, 0.33),
        ("Harper and usim", 3, 2, 0.67, 0.67),
    ]
