"""Which changed content word stands for which: settled by meaning what the alignment of words leaves open.

Among the changed words of one place, those belong together that are most alike, by WordNet, by their letters, and by
their vectors. Words far apart belong together only as forms of one word, synonyms, or derivations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Levenshtein

from usim.evidence._respelled import Respelled
from usim.evidence._sentence import SentenceView
from usim.lexicon import WordRelation, relation

if TYPE_CHECKING:
    from usim.evidence._comparison import Comparison

#: The least score of words in one place that belong together; two that are the only ones always do.
_WORTH = 0.45
#: More pairs than this in one place are compared by letters and vectors alone.
_MANY = 40
#: The least share of its uses in which each of two synonyms that stand far apart has their common sense.
_SHARE_APART = 0.1
#: From this share of the senses on, a direct antonym counts as the opposite though the words share a sense, too.
_OPPOSITE_SHARE = 0.02
#: From this similarity by Lin on, words without another relation are called related.
_RELATED_LIN = 0.5


class Match(NamedTuple):
    """A content word and the one that stands for it.

    Attributes:
        source, output: their positions.
        relation: what WordNet knows of them.
        chars: the similarity of their letters, in [0, 1].
        cosine: the cosine of their vectors; NaN without vectors.
        spelling: whether one of them is taken for a misspelling of the other.
        equivalent: whether they, or phrases that they begin, say the same by the table of equivalents.
    """

    source: int
    output: int
    relation: WordRelation
    chars: float
    cosine: float
    spelling: bool
    equivalent: bool = False


def lexical_relation(match: Match) -> str:
    """Return the name of the relation between the words of a match; ``form`` says that they are forms of one word."""
    r = match.relation
    relations = (
        ("spelling", match.spelling),
        ("equivalent", match.equivalent),
        ("unknown", not r.known),
        ("form", r.same_lemma),
        ("opposite", r.antonym == "direct" and r.antonym_share >= _OPPOSITE_SHARE),
        ("synonym", r.synonym),
        ("derived", r.derived),
        ("opposite", r.antonym),
        ("similar", r.similar),
        ("broader", r.hypernym > 0),
        ("narrower", r.hypernym < 0),
        ("sibling", r.sibling),
        ("related", r.entails or r.part or r.lin >= _RELATED_LIN),
    )
    return next((name for name, is_so in relations if is_so), "unrelated")


def match_words(changes: Comparison, respelled: Respelled) -> tuple[list[Match], list[int], list[int]]:
    """Return which changed content words stand for each other, in the order of the source; those lost, and added."""
    a, b = changes.source, changes.output
    used = set(respelled.tokens[0]), set(respelled.tokens[1])
    pairs = [_match(changes, i, j, spelling=True) for i, j in respelled.words]
    pairs += [_match(changes, x[0], y[0], spelling=True) for x, y in respelled.joined]
    pairs += [_match(changes, x[0], y[0])._replace(equivalent=True) for x, y in respelled.equivalents]
    for group in changes.groups:
        source_words = [i for i in group.source if i not in used[0] and a.is_content[i]]
        output_words = [j for j in group.output if j not in used[1] and b.is_content[j]]
        for i, j in _pair(changes, source_words, output_words):
            used[0].add(i)
            used[1].add(j)
            pairs.append(_match(changes, i, j))
    lost = [i for i in changes.gone if i not in used[0] and a.is_content[i]]
    added = [j for j in changes.new if j not in used[1] and b.is_content[j]]
    if lost and added and len(lost) * len(added) <= 4 * _MANY:
        for i in list(lost):
            for j in added:
                r = relation(a.words[i], b.words[j])
                if r.same_lemma or r.derived or (r.synonym and min(r.share_a, r.share_b) >= _SHARE_APART):
                    pairs.append(_match(changes, i, j))
                    lost.remove(i)
                    added.remove(j)
                    break
    return sorted(pairs, key=lambda m: (m.source, m.output)), lost, added


def _match(changes: Comparison, i: int, j: int, *, spelling: bool = False) -> Match:
    x, y = changes.source.words[i], changes.output.words[j]
    source_phrase = _phrase(changes.source, i, changes.kept_source)
    output_phrase = _phrase(changes.output, j, changes.kept_output)
    between = relation(source_phrase, output_phrase)
    cosine = changes.cosine(i, j)
    if not between.known:
        between = relation(x, y)
    elif source_phrase != x:  # the particle may carry the meaning
        cosine = max(cosine, changes.cosine(i + 1, j))
    elif output_phrase != y:
        cosine = max(cosine, changes.cosine(i, j + 1))
    return Match(i, j, between, Levenshtein.normalized_similarity(x, y), cosine, spelling)


def _phrase(view: SentenceView, i: int, kept: set[int]) -> str:
    """Return a word with the particle after it, where both were changed and WordNet knows them together."""
    word = view.words[i]
    if i + 1 < len(view.words) and i + 1 not in kept and view.entries[i + 1].is_preposition:
        phrase = f"{word} {view.words[i + 1]}"
        if relation(phrase, phrase).known:
            return phrase
    return word


def _pair(changes: Comparison, source_words: Sequence[int], output_words: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Return the content words of one place that belong together, those that are most alike first."""
    if len(source_words) == len(output_words) == 1:
        return zip(source_words, output_words, strict=True)
    a, b = changes.source.words, changes.output.words
    many = len(source_words) * len(output_words) > _MANY
    ranked = []
    for i, j in product(source_words, output_words):
        worth = _alike(a[i], b[j], None if many else relation(a[i], b[j]), changes.cosine(i, j))
        worth += 0.15 * (changes.to[i] == j)
        if worth >= _WORTH:
            ranked.append((-worth, abs(i - j), i, j))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(ranked):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs.items()


def _alike(x: str, y: str, between: WordRelation | None, cosine: float) -> float:
    """Return how much speaks for two words to belong together, in [0, 1.1]."""
    chars = Levenshtein.normalized_similarity(x, y)
    worth = chars if chars >= 0.6 else 0.5 * chars
    if cosine == cosine:
        worth = max(worth, cosine)
    if between is not None and between.known:
        if between.same_lemma:
            worth = 1.1
        elif between.synonym:
            worth = max(worth, 0.8 + 0.2 * min(between.share_a, between.share_b))
        else:
            worths = {0.85: between.derived, 0.7: between.antonym, 0.65: between.similar}
            worths[0.6] = between.hypernym or between.sibling
            worth = max(worth, next((value for value, is_so in worths.items() if is_so), 0.5 * between.lin))
    return worth


def find_stand_ins(
    view: SentenceView,
    lost: Sequence[int],
    other_view: SentenceView,
    groups: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> dict[int, int]:
    """Return the pronoun or auxiliary in the place of each lost content word of a sentence that has one."""
    stand_ins: dict[int, int] = {}
    used: set[int] = set()
    for i, others in ((i, others) for places, others in groups for i in places if i in lost):
        parts = view.entries[i].word.parts
        for j in others:
            e = other_view.entries[j]
            is_pronoun = parts.get("n", 0.0) > 0.3 and (e.person or e.form in ("one", "ones", "that", "those"))
            if j not in used and (is_pronoun or (parts.get("v", 0.0) > 0.3 and e.is_auxiliary and not e.modal)):
                stand_ins[i] = j
                used.add(j)
                break
    return stand_ins
