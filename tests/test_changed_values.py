"""A changed value is kept in no way in, and an equal one is dropped in none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from tests.batch.common import lines, write
from tests.command import usim_here
from tests.support.editor import Editor
from tests.support.service import Client
from usim.checkers import Checked, CheckRequest, Fault
from usim.documents import compare_texts
from usim.screen import Screen
from usim.serve.app import create_app
from usim.serve.settings import Settings

pytestmark = pytest.mark.model

#: A sentence with a place for a value, the value, and another one.
CHANGED = (
    ("See {} for the plan.", "Figure 2a", "Figure 2b"),
    ("The PIN is {} for all doors.", "0123", "123"),
    ("It needs Python {} or later.", "3.10", "3.1"),
    ("His blood pressure was {} mmHg today.", "120/80", "120/90"),
    ("The plant makes 40 {} at noon.", "MW", "mW"),
    ("The flask holds pure {} gas.", "CO", "CO2"),
    ("The pause takes 30 {} in all.", "ms", "s"),
    ("The server is at {} today.", "192.168.0.1", "192.168.0.10"),
    ("We paid {} for the room.", "20 euros", "25 euros"),
    ("The report is due on {} at the latest.", "2024-01-12", "2024-12-01"),
)
EQUAL = (
    ("The dose was {} a day.", ".5 mg", "0.5 mg"),
    ("We paid {} for the firm.", "$1.2B", "$1.2 billion"),
    ("The film lasted {} in all.", "90 minutes", "1.5 hours"),
    ("The box weighs {} when empty.", "1500 g", "1.5 kg"),
    ("The town has {} inhabitants.", "2 000", "2,000"),
)
CASES = [(case, False) for case in CHANGED] + [(case, True) for case in EQUAL]


class Fixed:
    """A checker that takes each value of the cases for a mistake, and suggests the other."""

    def check(self, request: CheckRequest) -> Checked:
        text, found = request.text, []
        for (frame, old, new), _ in CASES:
            if text.strip() == frame.format(old):
                start = text.index(old)
                found.append(Fault(start, start + len(old), "Another value.", (new,), "VALUE"))
        return Checked(found, "en-US")


#: The command line with this checker.
WITH_FIXED = """
import usim.checkers
from tests.test_changed_values import Fixed
from usim.cli import main
usim.checkers.load_checker = lambda *args, **options: Fixed()
main()
"""


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    editor = Editor("visual_studio_code", "-c", WITH_FIXED)
    yield editor
    assert editor.close() == 0


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen()


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(Settings()))


def verdicts(
    case: tuple[str, str, str], screen: Screen, client: Client, editor: Editor, folder: Path
) -> dict[str, str]:
    """Return the verdict of each way in on a sentence whose value gave way to another."""
    frame, old, new = case
    source, output = frame.format(old), frame.format(new)
    start = frame.index("{}")
    end = start + len(old)
    found: dict[str, str] = {}
    scorer = screen.scorer
    found["score"] = scorer.score(source, output).judgement.verdict
    found["best"] = "keep" if scorer.best(source, [output]).text == output else "other"
    (found["screen"],) = (each.verdict for each in screen.screen(source, start, end, [new]))

    text = folder / "text.txt"
    text.write_text(source + "\n", encoding="utf-8")
    with mock.patch("usim.checkers.load_checker", return_value=Fixed()):
        told = json.loads(usim_here("check", text, "--all", "--format", "jsonl").stdout)
        (found["check"],) = (each["verdict"] for each in told["suggestions"])
        is_fixed = usim_here("check", text, "--fix").stdout.strip() == output
        found["check --fix"] = "keep" if is_fixed else "other"

    found["compare"] = compare_texts(scorer.pipeline, source, output).verdict
    for ending in ("txt", "md"):
        before, after = (folder / f"{name}.{ending}" for name in ("before", "after"))
        before.write_text(f"# Notes\n\n{source}\n", encoding="utf-8")
        after.write_text(f"# Notes\n\n{output}\n", encoding="utf-8")
        found[f"compare {ending}"] = json.loads(usim_here("compare", before, after, "--format", "json").stdout)[
            "verdict"
        ]

    write(folder / "pairs.jsonl", [{"source": source, "output": output}])
    usim_here("batch", folder / "pairs.jsonl", "-o", folder / "scored.jsonl")
    (found["batch"],) = (each["verdict"] for each in lines(folder / "scored.jsonl"))

    pair = {"source": source, "output": output}
    (found["service score"],) = (each["verdict"] for each in client("/v1/score", {"pairs": [pair]}).json()["results"])
    record = {"sentence": source, "start": start, "end": end, "substitutes": [new]}
    (answer,) = client("/v1/screen", {"records": [record]}).json()["results"]
    (found["service screen"],) = (each["verdict"] for each in answer["suggestions"])
    body = {"source": source, "candidates": [output]}
    found["service best"] = "keep" if client("/v1/best", body).json()["text"] == output else "other"

    diagnostic = editor.open(source)["VALUE"]
    hover = editor.hover(diagnostic.range.start) or ""
    found["editor"] = next(
        verdict for verdict in ("keep", "review", "drop") if f"{verdict} 0." in hover or f"{verdict} 1." in hover
    )
    preferred = [action for action in editor.actions(diagnostic.range, ["quickfix"]) if action.is_preferred]
    found["editor's action"] = "keep" if preferred else "other"
    editor.shut()
    return found


@pytest.mark.parametrize(("case", "is_equal"), CASES, ids=[f"{old}-{new}" for (_, old, new), _ in CASES])
def test_every_way_in_holds_values(
    case: tuple[str, str, str], is_equal: bool, screen: Screen, client: Client, editor: Editor, tmp_path: Path
) -> None:
    unwanted = "drop" if is_equal else "keep"
    found = verdicts(case, screen, client, editor, tmp_path)
    assert {way: verdict for way, verdict in found.items() if verdict == unwanted} == {}
