"""CoInCo, the thesaurus, people and the oracle as systems on SWORDS."""

import os
import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from experiments.papers import swords_systems as systems
from tests.benchmarks.conftest import refused, swords_data, written
from usim.benchmarks import swords
from usim.errors import FormatError, InputError

GOLD = {
    "targets": {
        "t": {"target": "quick", "pos": "ADJ", "extra": {"coinco_ids": ["7", "9"], "coinco_lemma": "quick"}},
        "u": {"target": "runs", "pos": "VERB", "extra": {"coinco_ids": ["8"], "coinco_lemma": "run"}},
    },
}
COINCO = swords_data(
    "quick other",
    {
        "x": ("quick", "ADJ", {"rapid": ["TRUE_IMPLICIT"], "fast": ["TRUE_IMPLICIT"] * 3, "slow": ["FALSE_IMPLICIT"], "speedy": ["TRUE_IMPLICIT"]}),
        "y": ("other", "ADJ", {"else": ["TRUE_IMPLICIT"]}),
    },
)  # fmt: skip
for _name, _id in (("x", 7), ("y", "9")):
    COINCO["targets"][_name]["extra"] = [{"legacy_id": _id}]
ROGETS = {
    ("quick", "adj."): {"results": ["fast", "brisk"]},
    ("quick", "n."): {"results": ["core"]},
    ("run", "n./v."): {"results": ["dash"]},
    ("quick", "adj./adv."): {"results": ["soon"]},
}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return written(tmp_path / "gold.json", GOLD)


def pickled(path: Path, value: object) -> Path:
    path.write_bytes(pickle.dumps(value))
    return path


LABELS = {"fast": ("TRUE", "TRUE", "UNSURE"), "rapid": ("TRUE", *["FALSE"] * 3), "slow": ("FALSE",), "odd": ("UNSURE",)}


@pytest.mark.parametrize(("kind", "count"), [("a", 1), ("c", 2), ("all", 3)])
def test_what_people_took_to_be_right(kind: str, count: int) -> None:
    kept = [("fast", 1.0), ("rapid", 0.25), ("slow", 0.0)][:count]
    assert systems.annotated({"t": swords.SwordsTarget("quick", "ADJ", LABELS)}, kind) == {"t": kept}
    equal = {"b": ("TRUE",), "a": ("TRUE",)}
    assert systems.annotated({"t": swords.SwordsTarget("quick", "ADJ", equal)}, kind)["t"] == [("b", 1.0), ("a", 1.0)]


def test_coinco_has_the_votes_of_the_first_token(tmp_path: Path, gold: Path) -> None:
    path = written(tmp_path / "coinco.json", COINCO)
    assert systems.read_coinco(path, gold) == {"t": [("fast", 3.0), ("rapid", 1.0), ("speedy", 1.0)]}
    written(path, {**COINCO, "targets": {"x": {"extra": [{"legacy_id": 99}]}}})
    with pytest.raises(InputError, match="of the same part"):
        systems.read_coinco(path, gold)


def test_the_thesaurus_has_the_senses_of_the_lemma_with_its_part_of_speech(tmp_path: Path, gold: Path) -> None:
    path = pickled(tmp_path / "rogets.pkl", defaultdict(list, ROGETS))  # type: ignore[arg-type]
    quick = [("fast", 0.0), ("brisk", -1.0), ("soon", -2.0)]
    assert systems.read_rogets(path, gold) == {"t": quick, "u": [("dash", 0.0)]}
    # A lemma that it lacks has no prediction.
    assert systems.read_rogets(pickled(path, {("run", "n."): {"results": ["dash"]}}), gold) == {"u": []}


def test_nothing_in_the_file_of_the_thesaurus_is_run(tmp_path: Path, gold: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "made"),)

    path = pickled(tmp_path / "rogets.pkl", Hostile())
    with pytest.raises(FormatError, match="may hold strings, lists and dictionaries only"):
        systems.read_rogets(path, gold)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("content", [b"", b"not pickled", pickle.dumps([1]), pickle.dumps({"a": 1})])
def test_what_is_no_thesaurus(tmp_path: Path, gold: Path, content: bytes) -> None:
    (tmp_path / "rogets.pkl").write_bytes(content)
    refused(systems.read_rogets, tmp_path / "rogets.pkl", "rogets", gold)
