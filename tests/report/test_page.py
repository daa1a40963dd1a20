"""Results as a page: read back from every form that usim writes, counted, and shown in a real browser."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.command import usim_here
from tests.support.flat import Flat, scorer_of
from usim.errors import FormatError, InputError
from usim.evidence import KINDS
from usim.judge import Judgement, Result
from usim.judge import corrected as corrections
from usim.report import read_results, report_html
from usim.report.page import Collection
from usim.report.values import explanation_record

pytest.importorskip("jinja2", reason="pages need jinja2")

PAIRS = [("He has two cats.", "He has three cats."), ("She left </script> early.", "She left."), ("Yes.", "Yes.")]


def records() -> list[dict[str, Any]]:
    return [{"line": k, **scorer_of().score(*pair).to_dict()} for k, pair in enumerate(PAIRS, start=1)]


def write(path: Path, values: Sequence[object]) -> Path:
    text = "".join(value if isinstance(value, str) else json.dumps(value) + "\n" for value in values)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def results_of(path: Path) -> list[Result]:
    results = [result for result in read_results(path) if isinstance(result, Result)]
    assert results == list(read_results(path))
    return results


def values(result: Result) -> tuple[object, ...]:
    judgement = result.judgement
    return result.source, result.output, judgement.faithfulness, judgement.verdict, result.score


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_what_score_wrote_is_read_back(tmp_path: Path, name: str) -> None:
    results = results_of(write(tmp_path / name, records()))
    expected = [scorer_of().score(*pair) for pair in PAIRS]
    assert [values(result) for result in results] == [values(result) for result in expected]
    shown = [[finding.text for finding in result.judgement.findings] for result in results]
    assert shown == [[finding.text for finding in e.judgement.shown] for e in expected]
    marked = [PAIRS[1][0][a:b] for finding in results[1].judgement.findings for a, b in finding.source_spans]
    assert marked == ["<", "/", "script", ">", "early"]


def test_other_forms(tmp_path: Path) -> None:
    suggestion = {"substitute": "big", "faithfulness": 0.9, "verdict": "keep", "findings": [], "usim": 1.0}
    screened = {"id": "a", "suggestions": [{**suggestion, "source": "a cat", "output": "a big cat", "offset": 0}] * 2}
    (first, second) = results_of(write(tmp_path / "screen.jsonl", [screened]))
    assert (first.name, first.output, first) == ("a", "a big cat", second)
    explained = explanation_record(scorer_of().score(*PAIRS[0]))
    (one,) = results_of(write(tmp_path / "e.jsonl", [explained]))
    assert one.source_graph.tokens == ("He", "has", "two", "cats", ".")
    with pytest.raises(InputError, match="has no graphs"):
        first.to_svg()


PAIR = {"source": "a", "output": "b", "score": 1, "faithfulness": 0.9, "verdict": "keep"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ('{"a": 1}\n', "missing required field `source`"),
        ({**PAIR, "score": 2}, "Expected `float` <= 1.0: `score`"),
        ({**PAIR, "verdict": "yes"}, "Invalid enum value 'yes': `verdict`"),
        (
            {**PAIR, "findings": [{"kind": "n", "text": "t", "weight": 1, "source_spans": [[0, 9]]}]},
            "places in the text",
        ),
        ({**PAIR, "graphs": {}}, "`graphs` must have"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: object, message: str) -> None:
    path = write(tmp_path / "r.jsonl", [records()[0], line])
    good, bad = read_results(path)
    assert isinstance(good, Result)
    assert isinstance(bad, FormatError)
    assert message in str(bad)
    assert str(bad).startswith(f"{path}:2: ")


def test_what_could_not_be_scored_is_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [{"line": 3, "source": "a", "error": "not UTF-8"}, *records()])
    assert next(iter(read_results(path))) == "not UTF-8"
    assert "1 record could not be scored" in report_html(read_results(path))


def result(number: int, faithfulness: float) -> Result:
    return Result("a", "b", 1.0, Judgement(faithfulness, (), verdict="keep"), name=str(number))


def test_the_list_has_the_worst_and_the_figures_count_all() -> None:
    collection = Collection([result(k, (k * 7919 % 1000) / 1000) for k in range(1000)], most=20)
    assert [result.judgement.faithfulness for _, result in collection.worst] == [k / 1000 for k in range(20)]
    assert (collection.results, collection.bars.total()) == (1000, 1000)


def test_the_page_is_whole_and_safe(tmp_path: Path) -> None:
    page = report_html(read_results(write(tmp_path / "r.jsonl", records())), title="<b> & co")
    assert "<title>&lt;b&gt; &amp; co</title>" in page
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"|url\(|@import", page)  # nothing is fetched
    assert page.count("</script>") == 3  # that of a sentence is written in another way
    lines = page.split('id="pairs">')[1].split("</script>")[0].splitlines()
    assert [json.loads(line)[1] for line in lines] == sorted(
        (source for source, _ in PAIRS), key=lambda s: scorer_of().score(s, dict(PAIRS)[s]).judgement.faithfulness
    )


def test_every_kind_of_finding_is_described(tmp_path: Path) -> None:
    kinds = [*KINDS, corrections.KIND]
    findings = [{"kind": kind, "text": "t", "weight": 0.5} for kind in kinds]
    page = report_html(read_results(write(tmp_path / "r.jsonl", [{**records()[0], "findings": findings}])))
    about = json.loads(page.split('id="about">')[1].split("</script>")[0])
    assert {kind for kind, count, says in about["kinds"] if says} == set(kinds)


def test_the_command(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [*records(), "nonsense\n"])
    done = usim_here("report", path, "-o", tmp_path / "r.html")
    assert done.returncode == 2
    assert f"{path}:4: not JSON" in done.stderr
    assert "Left out, because not readable: 1 line." in (tmp_path / "r.html").read_text(encoding="utf-8")
    empty = write(tmp_path / "none.jsonl", ["x\n"])
    done = usim_here("report", empty, "-o", tmp_path / "none.html")
    assert (done.returncode, (tmp_path / "none.html").exists()) == (2, False)
    assert "there are no results" in done.stderr
    assert "JSON lines of one system (--format jsonl)" in done.stderr
    assert usim_here("report", path, "-o", path).returncode == 2
    assert usim_here("report", tmp_path / "missing", "-o", tmp_path / "x").returncode == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["none.jsonl", "r.html", "r.jsonl"]


@pytest.mark.slow
def test_in_a_browser(tmp_path: Path) -> None:
    """A hundred thousand pairs open; the list can be searched, filtered and turned; nothing is wrong or fetched."""
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium")
    values = records()
    drawn = explanation_record(scorer_of(Flat()).score(*PAIRS[0])) | {"id": "drawn", "faithfulness": 0.0}
    drawn["findings"] = [finding | {"shown": True} for finding in drawn["findings"]]
    many = ({**values[k % 3], "line": k, "faithfulness": 0.1 + (k % 900) / 1000} for k in range(100_000))
    path = write(tmp_path / "r.jsonl", [drawn, *many])
    assert usim_here("report", path, "-o", tmp_path / "r.html").returncode == 0
    with playwright.sync_playwright() as starter:
        browser = starter.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        problems: list[str] = []
        requests: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "r.html").as_uri())
        assert page.inner_text("#status") == "1 to 50 of 100,000 pairs"
        assert "The list has the 100,000 worst of 100,001 pairs" in page.inner_text("#report-head")
        assert page.inner_text("#list li:first-child mark") == "two"
        page.click("#list li:first-child summary")
        playwright.expect(page.locator("#list img")).to_have_js_property("complete", True)
        assert page.evaluate("document.querySelector('#list img').naturalWidth") > 100
        page.fill("#search", "</script>")
        playwright.expect(page.locator("#status")).to_contain_text("of 33,33")  # the best pair is not in the list
        before = page.inner_text("#list li:first-child").split("\n")
        assert [line for line in before if line.startswith("before")] == ["before She left </script> early."]
        assert "changes the meaning" in page.inner_text(".tiles")
        top = page.locator("#list").bounding_box()
        assert top is not None
        assert top["y"] < 800  # the pairs begin on the first screen
        page.click("#next")
        assert page.inner_text("#status").startswith("51 to 100 of ")
        page.fill("#search", "nothing has this")
        playwright.expect(page.locator("#status")).to_have_text("no pair matches")
        page.pdf()
        assert page.locator("#report-head > details:not([open])").count() == 0  # on paper all figures are there
        page.emulate_media(media="print")
        playwright.expect(page.locator("#filters")).to_be_hidden()
        browser.close()
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
