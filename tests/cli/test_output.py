"""Lines of tables and figures in JSON."""

from __future__ import annotations

import math

from usim.cli.output import nullable, tsv_line


def test_each_cell_of_a_table_stays_on_one_line_and_undefined_ones_are_empty() -> None:
    assert tsv_line("a\tb\nc", 0.1, None, math.nan, 3) == "a b c\t0.1\t\t\t3"


def test_json_has_null_for_what_is_not_a_number() -> None:
    assert [nullable(0.5), nullable(math.nan)] == [0.5, None]
