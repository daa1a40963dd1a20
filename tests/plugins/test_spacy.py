"""usim as a component of spaCy."""

from __future__ import annotations

import pytest

from usim.scorer import Scorer

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (pip install spacy)")
pytest.importorskip("usim.plugins.spacy")  # an installed usim is found by its entry point
pytestmark = pytest.mark.model

TEXTS = ["He has  two cats.\n", "He has three cats."]


def test_graphs_and_verdicts() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("usim", config={"parser": "en-fast"})
    source, output = nlp.pipe(TEXTS)
    scorer = Scorer("en-fast")
    tokens = [["He", "has", "two", "cats", "."], ["He", "has", "three", "cats", "."]]
    assert [source._.ucca, output._.ucca] == scorer.parse(tokens)
    result = output._.usim(source)
    assert (result.source, result.output) == tuple(TEXTS)
    (reason,) = result.judgement.reasons
    assert [TEXTS[0][a:b] for a, b in reason.source_spans] == ["two"]
    assert result.judgement.verdict == scorer.score(*tokens).judgement.verdict
    with pytest.raises(ValueError, match="has no graph"):
        _ = spacy.blank("en")("He left.")._.ucca


def test_documents_and_pipelines_are_saved(tmp_path) -> None:  # type: ignore[no-untyped-def]
    nlp = spacy.blank("en")
    nlp.add_pipe("usim", config={"parser": "en-fast", "judge": "usim"})
    doc = nlp(TEXTS[1])
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.ucca == doc._.ucca
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path)(TEXTS[1])._.ucca == doc._.ucca
