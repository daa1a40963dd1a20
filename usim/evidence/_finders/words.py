"""Content words that gave way to another: an opposite, a looser or narrower word, another name, degree or address."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import LEAST_WEIGHT, WEIGHTS, Finding, HandledTokens, make_finding
from usim.evidence._matching import Match, lexical_relation
from usim.evidence._places import pair_off
from usim.evidence._sentence import SentenceView
from usim.lexicon.topics import feeling, is_address

#: What a synonym of a rare sense weighs more; the same where one word is also derived from the other.
RARITY_WEIGHT, DERIVED_RARITY_WEIGHT = 0.4, 0.1
#: What each further step to a broader or narrower word weighs more.
STEP_WEIGHT = 0.05
#: Words without relation weigh less by so much at similarity 1 by Lin.
LIN_WEIGHT = 0.3
#: From these similarities of letters on, a word may be a misspelling of another.
SAME_LETTERS, SIMILAR_LETTERS = 0.75, 0.6
#: From this weight on, words without relation are called unrelated.
UNRELATED_FROM = 0.5

#: What the encoder may change: usual cosines of matches and of their neighbours; how much more a neighbour's counts.
USUAL_COSINE = 0.7
USUAL_NEIGHBOUR_COSINE = 0.95
NEIGHBOUR_SLOPE = 1.5

#: From this similarity of letters on, a name may be another spelling of the same.
_SPELLING_SIMILARITY = 0.7


def detect_words(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find content words that gave way to one that means something else."""
    for m in comparison.matches:
        if handled.has(m):
            continue
        kind, weight = substitution_cost(comparison, m)
        if weight >= LEAST_WEIGHT:
            yield make_finding(comparison, kind, (m.source,), (m.output,), weight)


def substitution_cost(comparison: Comparison, m: Match) -> tuple[str, float]:
    """Return the kind of finding that a match gives, and its weight: 0 for a form or another spelling of the word."""
    how = lexical_relation(m)
    if how in ("spelling", "form", "equivalent"):
        return "sense", 0.0
    x, y = comparison.source.entries[m.source], comparison.output.entries[m.output]
    if x.is_light and y.is_light:
        # The choice between *come* and *go* is often a matter of idiom.
        kind = "opposite" if how == "opposite" else "sense"
        return kind, WEIGHTS[f"{kind}.light"]
    if x.evidence and y.evidence and x.evidence != y.evidence:
        return "modality", WEIGHTS["modality.evidence"]
    if how == "opposite":
        return "opposite", WEIGHTS["opposite" if m.relation.antonym == "direct" else "opposite.indirect"]
    if how in ("unrelated", "unknown"):
        weight = _unrelated_weight(comparison, m, how) * _vector_factor(comparison, m)
        return ("unrelated" if weight >= UNRELATED_FROM else "sense"), weight
    return "sense", _related_weight(m, how) * _vector_factor(comparison, m)


def _unrelated_weight(comparison: Comparison, m: Match, how: str) -> float:
    x, y = comparison.source.entries[m.source], comparison.output.entries[m.output]
    weight = WEIGHTS["unrelated"] - LIN_WEIGHT * m.relation.lin
    if how == "unknown":
        weight = WEIGHTS["unrelated.new" if x.word.known and not y.word.known else "unrelated.unknown"]
    if m.chars >= SAME_LETTERS or _has_same_stem(x.form, y.form):  # real words are misspelt, too
        return min(weight, WEIGHTS["unrelated.same-letters"])
    if m.chars >= SIMILAR_LETTERS:
        return min(weight, WEIGHTS["unrelated.similar-letters"])
    if x.is_light or y.is_light:
        return min(weight, WEIGHTS["unrelated.light"])
    return WEIGHTS["unrelated.degree"] if x.is_degree and y.is_degree else weight


def _related_weight(m: Match, how: str) -> float:
    r = m.relation
    if how == "synonym":
        rarity = 1.0 - float(min(r.share_a, r.share_b) ** 0.5)
        return WEIGHTS["sense.synonym"] + (DERIVED_RARITY_WEIGHT if r.derived else RARITY_WEIGHT) * rarity
    if how in ("broader", "narrower"):
        return min(WEIGHTS[f"sense.{how}"] + STEP_WEIGHT * abs(r.hypernym), WEIGHTS[f"sense.{how}-at-most"])
    return WEIGHTS[f"sense.{how}"]


def _has_same_stem(x: str, y: str) -> bool:
    """Return whether two words share a stretch of five letters or more that is two thirds of the shorter."""
    short, long = sorted((x, y), key=len)
    size = max(5, -(-2 * len(short) // 3))
    return any(short[k : k + size] in long for k in range(len(short) - size + 1))


def bounded(factor: float) -> float:
    """Return a factor of a weight, by vectors, within its bounds."""
    return min(1.3, max(0.6, factor))


def _vector_factor(comparison: Comparison, m: Match) -> float:
    """Return how the encoder changes a weight, by its vectors of the words and of the nearest kept ones."""
    if comparison.cosines is None:
        return 1.0
    change = USUAL_COSINE - m.cosine
    near = [
        comparison.cosine(i, m.output + i - m.source)
        for i in (m.source - 2, m.source - 1, m.source + 1, m.source + 2)
        if i in comparison.kept_source and comparison.to[i] == m.output + i - m.source
    ]
    if near:
        change += NEIGHBOUR_SLOPE * (USUAL_NEIGHBOUR_COSINE - sum(near) / len(near))
    return bounded(1.0 + change)


def detect_names(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find names that gave way to another word; a name that is lost counts as other words do."""
    a, b = comparison.source, comparison.output
    gone, new = a.names - comparison.kept_source - handled.source, b.names - comparison.kept_output - handled.output
    matches = [m for m in comparison.matches if m.source in gone]
    others = [m for m in comparison.matches if m.output in new and m.source not in gone]
    matches += sorted(others, key=lambda m: m.output)
    for m in matches:
        handled.add((m.source,), (m.output,))
        if case := _name_case(comparison, m):
            yield make_finding(comparison, case, (m.source,), (m.output,))


def _name_case(comparison: Comparison, m: Match) -> str:
    """Return the case of a name that gave way to another word; empty where that says the same."""
    a, b = comparison.source, comparison.output
    x, y = a.words[m.source], b.words[m.output]
    r = m.relation
    if r.known and (r.same_lemma or r.synonym or r.derived):
        return ""
    both = m.source in a.names and m.output in b.names
    is_initial = x[0] == y[0] and (x.rstrip(".") in y or y.rstrip(".") in x)
    if is_initial or (m.chars >= _SPELLING_SIMILARITY and not (r.known and both)):
        return "name.spelling"
    if both:
        return "name"
    return "name.related-word" if r.known and (r.hypernym or r.similar) else "name.other-word"


def detect_degrees(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find adjectives and adverbs that are kept in another degree (*older*, *oldest*)."""
    a, b = comparison.source, comparison.output
    for i, j in _candidates(comparison):
        if i in handled.source or j in handled.output:
            continue
        degree, new_degree = _degree(a, i), _degree(b, j)
        if degree == new_degree or None in (degree, new_degree):
            continue
        asked = {"than", "of"} & a.vocabulary & b.vocabulary if 1 in (degree, new_degree) else {}
        is_learner = ("than" in a.vocabulary) == ("than" in b.vocabulary) and bool(asked)
        case = "comparison.asked" if is_learner or comparison.respelled.words else "comparison"
        yield make_finding(comparison, case, (i,), (j,))
        handled.add((i,), (j,))


def _candidates(comparison: Comparison) -> list[tuple[int, int]]:
    a, b = comparison.source, comparison.output
    pairs = [
        (m.source, m.output)
        for m in comparison.matches
        if not m.spelling and m.relation.same_lemma and (_ending(a.words[m.source]) or _ending(b.words[m.output]))
    ]
    # Words behind a "more" or "most" that is gone, or new.
    behind = {i + 1 for i in comparison.gone if a.words[i] in ("more", "most")}
    new_behind = {j + 1 for j in comparison.new if b.words[j] in ("more", "most")}
    return pairs + [(i, j) for i, j in comparison.kept if i in behind or j in new_behind]


def _ending(form: str) -> int:
    """Return the degree that a form ends like: 1 for the comparative, 2 for the superlative, 0 for others."""
    return 1 if form.endswith("er") or form == "worse" else 2 if form.endswith("est") or form == "worst" else 0


def _degree(view: SentenceView, i: int) -> int | None:
    """Return 0 for the positive, 1 for the comparative, 2 for the superlative, None for no adjective or adverb."""
    form, parts = view.words[i], view.entries[i].word.parts
    degree = _ending(form)
    if parts.get("a", 0.0) < 0.3 and not (parts.get("r", 0.0) > 0.3 and (degree or form.endswith("ly"))):
        return None
    before = view.words[i - 1] if i else ""
    return 1 if before in ("more", "less") else 2 if before in ("most", "least") else degree


def detect_addresses(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find addresses that gave way to others, and emoji of another feeling."""
    a, b = comparison.source, comparison.output
    gone = [i for i in comparison.gone if is_address(a.words[i])]
    new = [j for j in comparison.new if is_address(b.words[j])]
    handled.add(gone, new)
    _, gone, new = pair_off(gone, new, lambda i, j: _bare(a.words[i]) == _bare(b.words[j]))
    for at, to in zip_longest(((i,) for i in gone), ((j,) for j in new), fillvalue=()):
        yield make_finding(comparison, "address" if at and to else "address.alone", at, to)
    gone = [i for i in comparison.gone if "emoji" in a.entries[i].topics]
    new = [j for j in comparison.new if "emoji" in b.entries[j].topics]
    handled.add(gone, new)
    feelings = {f for i in gone if (f := feeling(a.words[i]))}
    new_feelings = {f for j in new if (f := feeling(b.words[j]))}
    if feelings and new_feelings and feelings.isdisjoint(new_feelings):
        yield make_finding(comparison, "emoji.feeling", gone, new)
    elif bool(gone) != bool(new):
        yield make_finding(comparison, "emoji", gone, new)


def _bare(address: str) -> str:
    """Return an address without its scheme, ``www.`` and a slash at its end."""
    return address.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
