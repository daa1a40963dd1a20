"""The files of the package ``en-large``, as they lie in the repository."""

from __future__ import annotations

import json
from pathlib import Path

from usim.parsing import load

PACKAGE = Path(__file__).parents[2] / "models/large/usim_model_en_large"


def test_its_parser_parses_and_its_parts_are_where_the_package_says() -> None:
    parts = json.loads((PACKAGE / "models.json").read_text(encoding="utf-8"))["en-large"]
    assert parts["parser"] == "parser"
    assert all((PACKAGE / folder / "settings.json").is_file() for folder in parts.values())
    parser = load(PACKAGE / parts["parser"])  # checks the SHA-256 of every file
    assert parser.name == "en-large-1.0"
    graph, other = parser.parse(["Ann came in and sat down.", ""])
    assert str(graph) == "[H [A Ann] [P [C came] [D in] ] ] [L and] [H [P sat down] [A* Ann] ] [U .]"
    assert other.tokens == ()
