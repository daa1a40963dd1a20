"""``python -m experiments papers``: rows of tables, as printed and as measured."""

import json
from pathlib import Path

import pytest

from experiments import papers
from experiments.common.printed import Figure, Report, Reports, Row, Value, figures_of, measure, models, printed
from experiments.data import SETS
from usim.errors import InputError


def row(name: str, *files: str, value: float = 1.0, printed: float = 1.0, **more: object) -> Row:
    return Row(name, files, lambda *paths: [Figure("F", value)], printed={"F": printed}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("printed", "measured", "agrees"),
    [(20.2, 20.249, True), (20.2, 20.151, True), (20.2, 20.26, False), (0.25, 0.2549, True), (20, 20.4, True),
     (None, 1.0, None), (1.0, None, None), ("no", "yes", False)],
)  # fmt: skip
def test_agreement_is_to_the_last_printed_digit(printed: Value, measured: Value, agrees: bool | None) -> None:
    assert Figure("F", measured, printed=printed).agrees is agrees


class TestMeasuring:
    def test_a_missing_file_stops_only_its_row(self, tmp_path: Path) -> None:
        files = {"a": "swords/here.txt", "b": "swords/rogets.pkl", "c": "outputs/mine.json", "d": "set/here.txt"}
        rows = [row(name, file) for name, file in files.items()]
        (tmp_path / "swords").mkdir()
        (tmp_path / "swords" / "here.txt").touch()
        (tmp_path / "here.txt").touch()  # outside of the folder of its set
        report = measure("P", rows, tmp_path)
        assert [figure.measured for figure in report.figures] == [1.0, None, None, 1.0]
        assert report.figures[1].printed == 1.0
        assert report.figures[1].why == f"no rogets.pkl here: python -m experiments data swords --to {tmp_path}"
        assert report.figures[2].why == f"no mine.json here: a file of yours, as {tmp_path / 'outputs/mine.json'}"
        assert report.problems == []

    def test_printed_figures_are_filled_in_by_row_and_name(self, tmp_path: Path) -> None:
        def figures(*paths: Path) -> list[Figure]:
            return figures_of({"F": 2.0, "G": 3.0}, {"G": "rounded"})

        rows = [Row("a", (), figures, printed={"F": 2.1}), Row("b", ("swords/none",), figures, printed={"F": 4.0})]
        assert measure("P", rows, tmp_path).figures[:2] == [
            Figure("F", 2.0, "unexplained", 2.1, "a"), Figure("G", 3.0, "not published; rounded", row="a")
        ]  # fmt: skip
        assert [figure.printed for figure in measure("P", rows, tmp_path).figures] == [2.1, None, 4.0]

    def test_a_file_that_cannot_be_read_is_a_problem_of_its_row(self, tmp_path: Path) -> None:
        def broken() -> list[Figure]:
            raise InputError("not JSON", path=tmp_path / "x")

        report = measure("P", [Row("a", (), broken), row("b")], tmp_path)
        assert [figure.measured for figure in report.figures] == [None, 1.0]
        assert len(report.problems) == 1
        assert report.problems[0].startswith("a: ")

    def test_text_has_a_digit_more_than_the_paper_and_says_what_agrees(self, tmp_path: Path) -> None:
        rows = [row("a", value=20.249, printed=20.2), row("b", value=7.0)]
        report = measure("P (2020), Title", rows, tmp_path)
        lines = Reports([report]).render("text").splitlines()
        assert lines[0] == "P (2020), Title"
        assert lines[3].split() == ["a", "F", "20.2", "20.25", "="]
        assert lines[4].split() == ["b", "F", "1.0", "7.00", "≠", "unexplained"]
        markdown = Reports([report]).render("markdown").splitlines()
        assert markdown[2] == "## P (2020)"
        assert markdown[8] == "| a | F 20.25 (20.2 =) |  |"
        (first, _) = json.loads(Reports([report]).render("json"))["figures"]
        assert (first["measured"], first["agrees"]) == (20.249, True)

    def test_a_page_has_a_line_for_each_row_with_what_explains_all_of_its_figures(self) -> None:
        figures = [
            Figure("F", 1.5, "+0.50 [+0.10, +0.90] by reranking; of 37 targets", row="a"),
            Figure("P", 2.5, "-0.50 [-0.90, -0.10] by reranking; of 37 targets; of dev", row="a"),
            Figure("R", None, "not measured", row="a"),
            Figure("F", None, "needs a file", 3.0, row="b"),
        ]
        assert Report("P (2020)", figures).by_row()[1:] == [
            ("a", "F 1.5 +0.50 [+0.10, +0.90]; P 2.5 -0.50 [-0.90, -0.10]", "by reranking; of 37 targets"),
            ("b", "F – (3.0)", "needs a file"),
        ]


class TestCommand:
    @pytest.mark.parametrize("name", papers.PAPERS)
    def test_every_paper_has_a_citation_and_rows(
        self, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = papers.load(name)
        assert all(row.name == key for key, row in rows.items())
        assert papers.main([name, "--list"]) == 0
        out = capsys.readouterr().out
        assert out.startswith(papers.PAPERS[name])
        assert len(out.splitlines()) == 2 + len(rows)
        assert set(printed(name)) <= set(rows)
        # Without files, every row says what it needs.
        assert papers.main([name, "--data", str(tmp_path), "--format", "json"]) == 0
        for figure in json.loads(capsys.readouterr().out)["figures"]:
            assert figure["measured"] is not None or figure["why"], figure

    def test_a_slow_row_is_measured_where_it_is_named_itself(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = {name: row(name, slow=True) for name in ("table 6: judge", "table 6: USim")}
        monkeypatch.setattr(papers, "load", lambda name: rows)
        for arguments, measured in (
            (["--row", "table 6"], [None, None]),
            (["--row", "table 6: USim", "--row", "table 6: judge"], [1.0, 1.0]),
            (["--slow"], [1.0, 1.0]),
        ):
            assert papers.main(["swords", "--data", str(tmp_path), *arguments, "--format", "json"]) == 0
            figures = json.loads(capsys.readouterr().out)["figures"]
            assert [figure["measured"] for figure in figures] == measured
            waiting = "takes minutes: --row 'table 6: judge', or --slow"
            assert (figures[0]["why"] == waiting) is (measured[0] is None)

    def test_all_rows_of_the_judge_are_measured_by_one_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = [row("a", judged=True, slow=True), row("b"), row("c", "swords/none.txt", judged=True)]
        monkeypatch.setattr(papers, "load", lambda name: {own.name: own for own in rows})
        assert papers.main(["all", "--data", str(tmp_path), "--judged", "--format", "json"]) == 0
        reports = json.loads(capsys.readouterr().out)
        assert [report["paper"] for report in reports] == list(papers.PAPERS.values())
        assert all([(f["row"], f["measured"]) for f in report["figures"]] == [("a", 1.0)] for report in reports)

    @pytest.mark.parametrize("name", ["prolex", "swords"])
    def test_every_file_can_be_fetched_or_is_the_users_own(self, name: str) -> None:
        files = {file for entry in papers.load(name).values() for file in entry.files}
        known = {f"{folder}/{file.name}" for folder, of_set in SETS.items() for file in of_set.files}
        unknown = {file for file in files - known if not file.startswith("outputs")}
        assert files
        assert not unknown

    def test_bad_usage(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert papers.main(["prolex", "--data", str(tmp_path), "--row", "table 99"]) == 2
        assert "no row is called so" in capsys.readouterr().err
        assert papers.main(["prolex", "--data", str(tmp_path / "nothing")]) == 2
        assert "no such folder" in capsys.readouterr().err
        with pytest.raises(SystemExit) as error:
            papers.main(["prolex"])
        assert error.value.code == 2


@pytest.mark.model
def test_the_page_of_the_models_rows_is_of_the_models_that_ship() -> None:
    page = Path(__file__).parents[2] / "docs" / "papers" / "judge.md"
    command = "the command of experiments/papers/__init__.py"
    title = page.read_text(encoding="utf-8").splitlines()[0]
    assert title == f"# Rows of the papers, by {models()}", f"the page is of other models: {command} > {page}"


def test_a_row_that_can_is_measured_on_the_first_targets_alone(tmp_path: Path) -> None:
    def figures(limit: int | None = None) -> list[Figure]:
        return [Figure("F", float(limit or 100))]

    rows = [Row("a", (), figures, limited=True), row("b")]
    first, second = measure("P", rows, tmp_path, limit=5).figures
    assert (first.measured, first.why) == (5, "not published; of the first 5 alone")
    assert second == Figure("F", 1.0, "", 1.0, "b")
    assert measure("P", rows, tmp_path).figures[0].measured == 100
