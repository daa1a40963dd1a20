"""The pairs that were written for training: how their tables are read, and what they are not."""

from pathlib import Path

import pytest

import experiments
from judges import data
from judges.data import IN_TEXT, written

pytest.importorskip("lemminflect")


def test_written_pairs(tmp_path: Path) -> None:
    """A table says by its columns what it is; comments, and quotation marks, are taken as they are."""
    tables = {
        "pairs": '# A comment.\nsource\toutput\tlabel\tkind\nA "b.\tB.\t.9\tnear-same\n',
        "words": "sentence\ttarget\tsubstitute\tlabel\nIt is a big house.\tbig\told\t.1\n",
        "texts": "before\tsentence\tafter\toutput\tlabel\nA river.\tThe bank.\t\tThe shore.\t.95\n",
        "wordings": "segment\ttext\tlabel\twrong\n1\tHe left.\t1\t-\n1\tHe went.\t1\t-\n1\tHe came.\t0\tcame\n",
    }
    for name, text in tables.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    pairs = list(written(tmp_path))
    assert [(p.source, p.output, p.label) for p in pairs] == [
        ('A "b.', "B.", 0.9),
        ("The bank.", "The shore.", 0.95),
        ("He left.", "He went.", 0.96),
        ("He went.", "He left.", 0.96),
        ("He left.", "He came.", 0.01),
        ("It is a big house.", "It is an old house.", 0.1),
    ]
    assert (pairs[1].before, pairs[1].kind, pairs[5].key) == ("A river.", IN_TEXT, "It is a big house.")


def test_the_pairs_that_are_learned_from_are_not_those_that_measure() -> None:
    pairs = list(written(Path(data.__file__).parent / "written"))
    learned = {pair.source for pair in pairs}
    assert len(learned) > 1000
    assert 0.4 < sum(pair.label >= 0.5 for pair in pairs) / len(pairs) < 0.6
    for name in ("otherwise_pairs", "suggestion_lists", "context_pairs"):
        assert not learned & {pair.source for pair in written(Path(experiments.__file__).parent / f"{name}.tsv")}
    for path in (Path(data.__file__).parent / "written/authors").glob("*.tsv"):
        learned |= {row["source"] for row in data.commented_table(path)}
    for name in ("light_edits", "single_changes"):
        measuring = data.contrast(Path(experiments.__file__).parent / f"{name}.tsv")
        assert not learned & {pair.source for pair in measuring}
