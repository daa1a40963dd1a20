"""Find the words with which a reworded text drifted from its source, and judge the text anew by them.

Boosted trees learned from words that the authors of rewrites marked. A logistic regression weighs the worst tokens of
both texts with what the networks say, and with the facts of the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from usim.evidence import Ledger
from usim.judge.inputs import FLAGS, AlignedSide
from usim.lexicon import WordInfo, WordRelation, exchange_cost, link_cost, relation, word_info
from usim.lexicon.topics import stance
from usim.measures.soft import worst
from usim.spelling.trees import Trees

Floats = npt.NDArray[np.float32]

#: The file of a judge that holds the trees and the regression.
DRIFT_FILE = "drift.npz"
#: The number of figures of a token besides its cosines in the layers.
OTHERS = 80 + FLAGS
#: How many of the worst tokens of a side are looked at together.
_WORST = (1, 3)
#: From these logits on tokens are counted.
_COUNTED = (-2.0, -1.0)
#: The number of outputs of the networks, and of figures of a pair beside them.
OUTPUTS = 3
PAIR_FIGURES = 2 * (2 * len(_WORST) + len(_COUNTED) + 2) + 6

_EVIDENCE = {None: 0.0, "weak": 1.0, "strong": 2.0}
_ANTONYM = {"": 0.0, "indirect": 1.0, "direct": 2.0}


def drift_figures(own: AlignedSide, other: AlignedSide) -> Floats:
    """Return the figures of each aligned token of one side, float32 (tokens, layers + :data:`OTHERS`).

    They are those of its vectors, of its change, of the pair, of its word and the one most like it, of the roles and
    the places of both.
    """
    view, nearest, count = own.view, own.nearest[-1], len(own.places)
    last, back = own.best[-1], other.best[-1]
    partners = [other.places[k] for k in nearest.tolist()]
    infos = [view.entries[j] for j in own.places]
    others = [other.view.entries[i] for i in partners]
    gone = [other.view.words[i] for k, i in enumerate(other.places) if other.flag[k] != 1 and other.view.is_content[i]]
    other_words = set(other.view.words)
    words = [
        (view.words[j] in other_words, view.informativeness[j], view.is_content[j], info.is_word)
        for j, info in zip(own.places, infos, strict=True)
    ]
    pairs = [
        (*_of_words(a.form, b.form), *_of_gone(a, gone, is_kept=flag == 1))
        for a, b, flag in zip(infos, others, own.flag.tolist(), strict=True)
    ]
    beside, wider = np.pad(last, 1, constant_values=1.0), np.pad(last, 2, mode="edge")
    near = np.stack([wider[k : k + count] for k in range(5)])
    roles = own.role, other.role[nearest]
    of_vectors = [*own.best, last - last.mean(), beside[:-2], beside[2:], back[nearest]]
    of_pair = [last.mean(), worst(last), back.mean(), worst(back)]
    columns = [
        *roles[0].T, *roles[1].T, *(roles[0] == roles[1]).T,
        (own.nearest == nearest).mean(axis=0), other.nearest[-1][nearest] == np.arange(count),
        np.array(own.places) / len(view.words), np.full(count, len(view.words) / len(other.view.words)),
        np.full(count, (own.flag != 1).mean()), np.full(count, len(gone)), near.mean(axis=0), near.min(axis=0),
        other.flag[nearest],
    ]  # fmt: skip
    parts = [
        np.stack(of_vectors, axis=1), np.eye(FLAGS)[own.flag], words, np.tile(of_pair, (count, 1)),
        *([_of_word(info.form) for info in some] for some in (infos, others)), pairs, np.stack(columns, axis=1),
    ]  # fmt: skip
    figures: Floats = np.concatenate([np.asarray(part, np.float32) for part in parts], axis=1)
    return figures


@lru_cache(8192)
def _of_word(form: str) -> tuple[float, ...]:
    e = word_info(form)
    return (
        e.negation, bool(e.modal), bool(e.quantity), bool(e.links), e.is_preposition, e.is_article, e.is_auxiliary,
        bool(e.person), e.digits, e.counts, e.is_degree, _EVIDENCE[e.evidence], e.frequency, e.is_light, e.is_focus,
    )  # fmt: skip


@lru_cache(16384)
def _of_words(form: str, other: str) -> tuple[float, ...]:
    """Return what is known of two words together; of two content words how WordNet relates them, otherwise -1."""
    a, b = word_info(form), word_info(other)
    attitudes = stance(form), stance(other)
    return (
        exchange_cost("modal", b.modal, a.modal), exchange_cost("quantity", b.quantity, a.quantity),
        link_cost(b.links, a.links), a.negation != b.negation,
        other in a.opposed or form in b.opposed, form == other, bool(attitudes[0]), bool(attitudes[1]),
        None not in attitudes and attitudes[0] != attitudes[1],
        not a.word.lemmas or not set(a.word.lemmas).isdisjoint(b.word.lemmas),
        *(_related(relation(form, other)) if a.is_content and b.is_content else (-1.0,) * 11),
    )  # fmt: skip


def _related(r: WordRelation) -> tuple[float, ...]:
    return (
        r.known, r.same_lemma, r.synonym, _ANTONYM[r.antonym], (r.hypernym > 0) - (r.hypernym < 0), r.sibling,
        r.similar, r.derived, r.entails, r.path, r.lin,
    )  # fmt: skip


def _of_gone(info: WordInfo, gone: Sequence[str], *, is_kept: bool) -> tuple[float, float]:
    """Return the best relation of a word to one that is gone, and whether it is the opposite of one."""
    if is_kept or not info.is_content:
        return float(is_kept) * 2 - 1, 0.0
    relations = [relation(info.form, word) for word in gone]
    return max(map(_nearness, relations), default=0.0), max((_ANTONYM[r.antonym] for r in relations), default=0.0)


def _nearness(r: WordRelation) -> float:
    return 1.0 if r.same_lemma else 0.9 if r.synonym else 0.8 if r.derived else 0.7 if r.similar else min(0.65, r.lin)


def pair_figures(
    logits: Sequence[npt.NDArray[np.float64]], figures: Sequence[Floats], ledger: Ledger
) -> npt.NDArray[np.float64]:
    """Return the figures of a pair, (:data:`PAIR_FIGURES`,), from logits and figures of the tokens of both sides."""
    found: list[float] = []
    for of_side, rows in zip(logits, figures, strict=True):
        ordered = np.sort(of_side)[::-1]
        found += (float(ordered[:count].mean()) for count in _WORST)
        found += (float(np.log1p((of_side > least).sum())) for least in _COUNTED)
        # The logarithm of the odds that any of them drifted.
        found.append(float(np.log(np.expm1(min(30.0, np.logaddexp(0, of_side).sum())) + 1e-9)))
        # What the best cosines in the last layer are by themselves: of translations they say more than the networks.
        cosines = np.sort(rows[:, -OTHERS - 1].astype(np.float64))
        found += (float(cosines.mean()), *(float(cosines[:count].mean()) for count in _WORST))
    for status in ("changed", "lost", "added"):
        for is_certain in (True, False):
            entries = sum(e.status == status and e.is_certain == is_certain for e in ledger.entries)
            found.append(float(np.log1p(entries)))
    return np.array(found)


class DriftModel:
    """Judges reworded pairs; made by ``judges.drift``.

    Args:
        path: the arrays of :class:`usim.spelling.trees.Trees`; ``weights`` (figures,) and ``bias`` (), the
            regression, which reads the logits of the networks and :func:`pair_figures`; ``version``.

    Raises:
        OSError, KeyError, ValueError: it is none.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as arrays:
            self.version = int(arrays["version"])
            self._weights, self._bias = arrays["weights"].astype(np.float64), float(arrays["bias"])
            self._trees = Trees.of(arrays)
        if self._weights.shape != (OUTPUTS + PAIR_FIGURES,):
            raise ValueError("the regression reads other figures than this version of usim has")

    def __call__(self, logits: Sequence[float], sides: tuple[AlignedSide, AlignedSide], ledger: Ledger) -> float:
        """Return the calibrated logit that a pair says the same, from the logits of the networks."""
        source, output = sides
        of_tokens = [drift_figures(source, output), drift_figures(output, source)]
        figures = pair_figures([self._trees(rows) for rows in of_tokens], of_tokens, ledger)
        return float(self._weights @ [*logits, *figures] + self._bias)
