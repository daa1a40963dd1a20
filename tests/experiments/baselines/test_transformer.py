"""Contextual vectors of a model of the user's."""

from pathlib import Path

import numpy as np
import pytest

from experiments.baselines.rankers import by_context
from experiments.baselines.transformer import TransformerVectors
from usim.benchmarks.case import Case, Place
from usim.errors import UsimError


@pytest.mark.slow
def test_a_token_has_the_mean_of_its_pieces(tiny: Path) -> None:
    import torch
    import transformers

    vectors = TransformerVectors(str(tiny))
    (sentence, short) = vectors([["a", "dearly", "friend", "."], ["she"]])
    assert (sentence.shape, short.shape, vectors.lower) == ((4, 8), (1, 8), 8)
    model = transformers.AutoModel.from_pretrained(str(tiny)).eval()
    tokeniser = transformers.AutoTokenizer.from_pretrained(str(tiny))
    pieces = tokeniser.convert_tokens_to_ids(["[CLS]", "a", "dear", "##ly", "friend", ".", "[SEP]"])
    with torch.inference_mode():
        states = model(torch.tensor([pieces])).last_hidden_state[0].numpy()
    assert sentence[1] == pytest.approx(states[2:4].mean(axis=0), abs=1e-5)
    assert sentence[2] == pytest.approx(states[4], abs=1e-5)


@pytest.mark.slow
def test_substitutes_are_ranked_by_them_and_tokens_beyond_the_model_have_none(tiny: Path) -> None:
    (vectors,) = TransformerVectors(str(tiny))([["a"] * 60])
    assert np.abs(vectors[:38]).sum(axis=1).min() > 0
    assert not vectors[38:].any()
    case = Case(0, "t", Place("an old friend .", 3, 6, "ADJ"), {"close": "acceptable", "dear": "wrong"})
    scores = by_context(TransformerVectors(str(tiny)), name="tiny").scores([case])
    assert set(scores) == {("t", "close"), ("t", "dear")}
    assert all(-1 <= score <= 1 for score in scores.values())


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsimError, match=r"transformers|cannot be loaded"):
        TransformerVectors(str(tmp_path))
