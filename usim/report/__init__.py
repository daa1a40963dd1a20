"""Results for people: graphs as trees, tables, pages of HTML, systems side by side.

>>> from usim.report import read_results, report_html
>>> html = report_html(read_results("results.jsonl"), title="Our corrections")  # doctest: +SKIP
"""

from __future__ import annotations

from usim.records.results import read_results
from usim.report.page import report_html
from usim.report.texts import comparison_html

__all__ = ["comparison_html", "read_results", "report_html"]
