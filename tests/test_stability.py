"""The page of what stays as it is names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.flat import Flat, scorer_of
from usim import Screen

PAGE = (Path(__file__).parents[1] / "docs/reference/stability.md").read_text(encoding="utf-8")


def names(begin: str, end: str) -> set[str]:
    """Return the names between two places of the page."""
    part = PAGE[PAGE.index(begin) :]
    return set(re.findall("`([a-z_0-9]+)`", part[: part.index(end)]))


def test_the_members_of_results() -> None:
    result = scorer_of().score("a b c", "a b").to_dict()
    rows = set(re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE[PAGE.index("## Results") :], re.MULTILINE))
    members = {name for row in rows for name in re.findall(r"\w+", row)}
    assert members - {"notes"} == set(result)
    (screened,) = Screen(Flat(), judge="usim").screen("a b c", 2, 3, ["d"])
    assert names("Of a suggestion", "Of a reason") - {"notes"} == set(screened.to_dict())
    assert names("Of a reason", "`shown`") | {"shown"} == set(result["reasons"][0])
