"""Contrast pairs: what the files must be, and how they are read."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments import judges, reasons
from judges.data import contrast
from usim.errors import FormatError, InputError

PAIRS = list(contrast(reasons.PAIRS))
BLIND = list(contrast(judges.BLIND_PAIRS))
HEADER = "id\tphenomenon\tfaithful\tsource\toutput"


def test_pairs_are_balanced_and_numbered_by_phenomenon() -> None:
    assert 0.45 <= sum(pair.label for pair in PAIRS) / len(PAIRS) <= 0.55
    assert set(Counter(pair.kind for pair in PAIRS).values()) == {12}
    assert len({(pair.kind, pair.label) for pair in PAIRS}) == len({pair.kind for pair in PAIRS}), "one label each"
    names = dict.fromkeys(pair.kind for pair in PAIRS)
    assert [pair.key for pair in PAIRS] == [f"{name}-{k:02}" for name in names for k in range(1, 13)]


def test_sentences_are_clean_of_5_to_30_words_and_in_one_pair_only() -> None:
    sentences = Counter(s for p in PAIRS for s in {p.source.casefold(), p.output.casefold()})
    assert [s for s, n in sentences.items() if n > 1] == []
    assert all(s == " ".join(s.split()) and 5 <= len(s.split()) <= 30 for s in sentences)
    assert [p.key for p in PAIRS if (p.source == p.output) != (p.kind == "identical")] == []
    assert "Train nothing on these pairs" in reasons.PAIRS.read_text(encoding="utf-8").split(HEADER)[0]


def test_by_another_hand_each_source_has_a_change_of_either_kind() -> None:
    labels: dict[str, list[float]] = {}
    for pair in BLIND:
        labels.setdefault(pair.source, []).append(pair.label)
    assert len(labels) == 375
    assert all(sorted(both) == [0, 1] for both in labels.values())
    ours = {s.casefold() for pair in PAIRS for s in (pair.source, pair.output)}
    assert not ours & {s.casefold() for pair in BLIND for s in (pair.source, pair.output)}


def test_what_is_wrong_is_named(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    (pair,) = contrast(write("pairs.tsv", f"# about\n{HEADER}\n\na-1\ta\tyes\tHe go.\tHe goes.\n# more\n"))
    assert (pair.key, pair.kind, pair.label, pair.source, pair.output) == ("a-1", "a", 1.0, "He go.", "He goes.")
    for lines in ("id\tsource\n1\tHe go.\n", f"{HEADER}\na-1\ta\tperhaps\tHe go.\tHe goes.\n"):
        with pytest.raises(FormatError, match=r"pairs\.tsv.*a pair has id, phenomenon"):
            list(contrast(write("pairs.tsv", lines)))
    with pytest.raises(InputError, match=r"none\.tsv"):
        list(contrast(tmp_path / "none.tsv"))
