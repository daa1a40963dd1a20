"""Tables of figures, as people and programs read them."""

import csv
import html
import io
import re

import pytest
from markdown_it import MarkdownIt

from tests.support.tables import TABLE
from usim.report.tables import Table, show


class TestTable:
    def test_text(self) -> None:
        assert TABLE.as_text().split("\n") == [
            "Means",
            "what  pairs                USim   AUC",
            "a|b       3  .500 [.250, 1.000]  .750",
            "none      0                   –     –",
            "(of something)",
        ]

    def test_markdown(self) -> None:
        lines = TABLE.as_markdown().split("\n")
        assert lines[2:5] == [
            "| what | pairs | USim | AUC |",
            "| --- | ---: | ---: | ---: |",
            "| a\\|b | 3 | .500 [.250, 1.000] | .750 |",
        ]

    def test_names_break_no_table(self) -> None:
        names = ["<script>alert(1)</script>", "a\\|b", "two\nlines", "a\\", "[x](javascript:y)", "R&D \x1b[2J"]
        table = Table(
            "n", "By <b>\nx", ("system", "F|\n"), tuple((name, 0.5) for name in names), signature="a\n\\input"
        )
        shown = table.as_markdown()
        assert "<script" not in shown
        assert "](" not in shown
        rows = shown.split("\n")[2 : 4 + len(names)]
        assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3 for row in rows)
        assert len(table.as_latex().splitlines()) == 13 + len(names)
        assert len(table.as_text().splitlines()) == 2 + len(names)
        for text in (shown, table.as_latex(), table.as_text(), table.as_csv()):
            assert "\x1b" not in text

    @pytest.mark.parametrize(
        "name",
        ["a`b", "`a|b`", r"`a\|b`", "``|", "a | b", "*x*", "_x_", "x_y", "~~x~~", "[x](y)", "x\\", "&amp;", "<i>"],
    )
    def test_markdown_shows_each_cell_as_it_is(self, name: str) -> None:
        table = Table("n", "Means", ("system", name), ((name, 0.5), ("z `", 0.25)))
        shown = MarkdownIt().enable(["table", "strikethrough"]).render(table.as_markdown())
        cells = re.findall(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", shown)
        assert list(map(html.unescape, cells)) == ["system", name, name, ".500", "z `", ".250"]

    def test_csv_has_three_columns_for_an_interval_and_nothing_for_what_is_not_defined(self) -> None:
        assert list(csv.reader(io.StringIO(TABLE.as_csv()))) == [
            ["what", "pairs", "USim", "USim low", "USim high", "AUC"],
            ["a|b", "3", "0.5", "0.25", "1.0", "0.75"],
            ["none", "0", "", "", "", ""],
        ]

    @pytest.mark.parametrize(
        ("cell", "shown"), [(0.0, ".000"), (1.0, "1.000"), (-0.5, "-.500"), (10.25, "10.250"), ("x", "x"), (7, "7")]
    )
    def test_cells(self, cell: float | str, shown: str) -> None:
        assert show(cell) == shown
