"""The parts of the speed benchmark of the parser that are not its clock."""

from pathlib import Path

import pytest

from bench.common import sentences
from bench.parsing import operators, timed_stages
from usim.parsing import embedded, network
from usim.text import token_texts

pytestmark = pytest.mark.model

FOLDER = Path(embedded.__file__).parent.parent / "models" / "en-fast" / "parser"


def test_made_up_sentences_have_the_length_that_is_promised() -> None:
    texts = sentences(20)
    assert len(texts) == 20
    assert all(22 <= len(token_texts(text)) <= 28 for text in texts)


def test_shares_of_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "load_session", network.load_session)  # not the one that the tests share
    shares = operators(FOLDER, sentences(3))
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    # Which operator comes first depends on the processor.
    assert any(name.startswith("MatMul") for name in shares)
    assert not network.session_options().enable_profiling  # of models that are loaded afterwards


def test_stages_are_timed_and_left_as_they_were() -> None:
    ticks = iter(range(10**6))
    plain = embedded.join
    with timed_stages(lambda: float(next(ticks))) as spent:
        embedded.EmbeddedParser("en").parse(sentences(2))
    assert embedded.join is plain
    assert all(spent[stage] > 0 for stage in ("tokenise", "encode", "model", "chart", "graph"))
