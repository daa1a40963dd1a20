"""Roles: two participants that have changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from operator import itemgetter

from msgspec.structs import replace

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import Finding, HandledTokens, make_finding
from usim.evidence._matching import lexical_relation
from usim.evidence._sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CONVERSE_PLACES, are_converse

#: How far from its verb a participant of a relative clause is looked for, in tokens.
_NEAR_VERB = 4
#: So many participants on either side of a verb, a preposition or a link are looked at, the nearest ones.
_NEAREST = 16

#: A token of the source, and the one that stands for it in the output.
Pair = tuple[int, int]


def detect_converses(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find a verb that gave way to its converse (*bought*, *sold*): a finding unless the roles turned with it."""
    a, b = comparison.source, comparison.output
    new = [j for j in comparison.new if j in b.verbs]
    for i in comparison.gone:
        if i not in a.verbs:
            continue
        j = next((j for j in new if are_converse(a.words[i], b.words[j])), -1)
        if j < 0:
            continue
        participants = _participants(comparison)
        subject = _subject(a, i, [pair[0] for pair in participants])
        new_subject = _subject(b, j, [pair[1] for pair in participants])
        to = dict(participants)
        if subject < 0 or new_subject < 0:
            continue
        if (i in a.passives) != (j in b.passives):  # the voice turned, too: whether the roles did is not seen
            is_turned = len(participants) > 2
        elif to[subject] != new_subject:
            is_turned = to[subject] > j and next(k for k, m in participants if m == new_subject) > i
        else:
            is_turned = False
            if len(participants) > 1:
                case, places = "roles-swapped.converse", ((subject, i), (new_subject, j))
                yield make_finding(comparison, case, *places, old=a.tokens[i], new=b.tokens[j])
                handled.add((i,), (j,))
        if is_turned:
            handled.add((i, *_beside(a, comparison.gone)), (j, *_beside(b, comparison.new)))
            handled.converses.add(i)


def detect_turned_comparisons(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Take an opposite and an exchange for no findings where both say the same: *A is older than B*, *B is younger*.

    That holds of what is compared by *than*, and of words for places, orders and relations: *above*, *the parent of*.
    """
    participants = _participants(comparison, with_adjectives=True)
    for (i, j), pivot in _opposites(comparison):
        behind = next((pair for pair in participants if pair[0] > pivot[0]), None)
        new_behind = min((pair for pair in participants if pair[1] > pivot[1]), key=itemgetter(1), default=None)
        if behind and new_behind and behind[1] < pivot[1] and new_behind[0] < pivot[0]:
            handled.add((i, behind[0], new_behind[0]), (j, behind[1], new_behind[1]))
            handled.converses.add(i)
    yield from ()


def _opposites(comparison: Comparison) -> Iterator[tuple[Pair, Pair]]:
    """Yield the words that may turn round with what they compare or place, and where that stands: behind *than*."""
    a, b = comparison.source, comparison.output
    new = [(j, b.words[j]) for j in comparison.new]
    changed = [(i, a.words[i], a.entries[i].opposed) for i in comparison.gone]
    yield from (((i, j),) * 2 for i, old, _ in changed for j, word in new if word in CONVERSE_PLACES.get(old, ()))
    compared = [(m.source, m.output) for m in comparison.matches if lexical_relation(m) == "opposite"]
    compared += [(i, j) for i, _, opposed in changed for j, word in new if word in opposed]
    for i, j in compared:
        if (than := _than_behind(a, i)) and (new_than := _than_behind(b, j)):
            yield (i, j), (than, new_than)


def _than_behind(view: SentenceView, i: int) -> int:
    """Return the place of *than* behind a word in its clause; 0 for none."""
    than = view.words.index("than", i) if "than" in view.words[i:] else 0
    return than if than and not _is_clause_cut(view, i, than, i) else 0


def _subject(view: SentenceView, verb: int, participants: Sequence[int]) -> int:
    """Return the last participant before a verb in its clause that no preposition governs; -1 for none."""
    before = [i for i in participants if i < verb and not view.governors[i]]
    return max(before, default=-1)


def _beside(view: SentenceView, changed: Sequence[int]) -> list[int]:
    """Return the changed *to*, *from* and *by*, which turn with a converse."""
    return [i for i in changed if view.words[i] in ("to", "from", "by")]


def detect_swapped_roles(comparison: Comparison, handled: HandledTokens) -> list[Finding]:
    """Find two participants that changed places around a verb, a preposition or a link that kept its own.

    An active sentence made passive changes the order and not the roles, and the other way round, so both are compared.
    """
    a, b = comparison.source, comparison.output
    participants = _participants(comparison)
    if len(participants) < 2 or handled.converses:
        return []
    if not comparison.in_order and (turned := _turned_in_relative_clause(comparison, participants)) is not None:
        return [turned]
    is_crossed = any(before[1] > after[1] for before, after in pairwise(participants))
    pivots = [
        (i, j)
        for i, j in sorted(comparison.partner.items())
        if (i in a.verbs and a.is_content[i]) or a.entries[i].is_preposition or a.entries[i].links
    ]
    exchanged = (
        (first, second)
        for pivot in (pivots if is_crossed else ())
        for firsts, seconds in _exchangeable(comparison, participants, pivot)
        for first, second in product(firsts, seconds)
        if _are_exchanged(comparison, first, second, pivot)
    )
    if couple := min(exchanged, default=None):
        return [_swapped(comparison, *couple)]
    for pivot in pivots:
        if pivot[0] in a.verbs and (pivot[0] in a.passives) != (pivot[1] in b.passives):
            side = int(pivot[0] in a.passives)  # in the order of the active sentence
            ordered = sorted(participants, key=itemgetter(side))
            for first, second in product(*_around((a, b)[side], ordered, pivot[side], side=side)):
                if _is_voice_turned(comparison, first, second, pivot):
                    found = _swapped(comparison, first, second, "roles-swapped.voice")
                    return [replace(found, is_certain=_is_surely_swapped(comparison, first, second, pivot))]
    return []


def _exchangeable(
    comparison: Comparison, participants: Sequence[Pair], pivot: Pair
) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Yield participants of which the first ones may be exchanged with the second ones around a pivot."""
    (p, q), view, other = pivot, comparison.source, comparison.output
    yield _around(view, participants, p)
    if _links_one_way(view, p):
        # x because y → y because x: behind the link stand its next content words, before it anything.
        end, output_end = _next_content(view, p), _next_content(other, q)
        moved = sorted((pair for pair in participants if q < pair[1] <= output_end), key=itemgetter(1))
        yield moved[:_NEAREST], [pair for pair in participants if p < pair[0] <= end][:_NEAREST]
        # if x, y → if y, x
        of_link = [pair for pair in participants if view.clause_starts[pair[0]] == p]
        of_output_link = [pair for pair in participants if other.clause_starts[pair[1]] == q]
        yield of_link[:_NEAREST], of_output_link[:_NEAREST]


def _around(
    view: SentenceView, participants: Sequence[Pair], pivot: int, *, side: int = 0
) -> tuple[list[Pair], list[Pair]]:
    """Return the nearest participants, in the order of a side, before and behind a pivot in its clause there."""
    start = next((t for t in range(pivot - 1, -1, -1) if _cuts_clause(view, t)), 0)
    end = next((t for t in range(pivot + 1, len(view.words)) if _cuts_clause(view, t)), len(view.words))
    before = [pair for pair in participants if start <= pair[side] < pivot]
    return before[-_NEAREST:], [pair for pair in participants if pivot < pair[side] <= end][:_NEAREST]


def _swapped(comparison: Comparison, first: Pair, second: Pair, case: str = "roles-swapped") -> Finding:
    tokens = comparison.source.tokens
    places = (first[0], second[0]), (first[1], second[1])
    return make_finding(comparison, case, *places, old=tokens[first[0]], new=tokens[second[0]])


def _participants(comparison: Comparison, *, with_adjectives: bool = False) -> list[Pair]:
    """Return the nouns, names and pronouns of the source, each with what stands for it in the output, in order."""
    a, b = comparison.source, comparison.output
    pairs = comparison.partner.items()
    participants = [pair for pair in pairs if a.may_be_participant(pair[0], or_adjective=with_adjectives)]
    new_pronouns = [(j, b.entries[j].person) for j in comparison.new if b.entries[j].person]
    for i in comparison.gone:
        person = a.entries[i].person
        for j, other in new_pronouns if person else ():
            if person == other:
                participants.append((i, j))
                new_pronouns.remove((j, other))
                break
    return sorted(participants)


def _are_exchanged(comparison: Comparison, first: Pair, second: Pair, pivot: Pair) -> bool:
    """Return whether ``first … pivot … second`` became ``second … pivot … first`` with the roles exchanged."""
    a, b = comparison.source, comparison.output
    (i, j), (k, m), (p, q) = first, second, pivot
    e = a.entries[p]
    links_one_way = _links_one_way(a, p)
    if not (i < p < k and m < q < j):
        # if x, y → if y, x
        are_behind = p < i and q < m and p == a.clause_starts[i] and q == b.clause_starts[m]
        return links_one_way and are_behind and "," in a.words[i:k] and "," in b.words[m:j]
    before, after = a.governors, b.governors
    if p in a.verbs:
        is_same_voice = (p in a.passives) == (q in b.passives)
        are_roles = is_same_voice and not before[i] and not after[m] and before[k] == after[j]
    elif e.is_preposition and e.form not in ("with", "like"):
        are_roles = before[k] == e.form == after[j] and before[i] == after[m] != e.form and i not in a.verbs
    else:
        return links_one_way and k <= _next_content(a, p) and j <= _next_content(b, q)
    return are_roles and not _is_clause_cut(a, i, k, p) and not _is_clause_cut(b, m, j, q)


def _turned_in_relative_clause(comparison: Comparison, participants: Sequence[Pair]) -> Finding | None:
    """Return the finding that somebody does in a relative clause what was done to them: *whom the dog saw*."""
    a, b = comparison.source, comparison.output
    for p, q in sorted(comparison.partner.items()):
        if p not in a.verbs or not a.is_content[p] or p in a.passives or q in b.passives:
            continue
        pronoun, new_pronoun = _relative_before(a, p), _relative_before(b, q)
        if pronoun < 0 or new_pronoun < 0:
            continue
        for i, j in participants:
            is_subject, is_subject_now = pronoun < i < p, new_pronoun < j < q
            if is_subject == is_subject_now or a.governors[i] or b.governors[j]:
                continue
            if p < i <= p + _NEAR_VERB or q < j <= q + _NEAR_VERB:
                case, old, new = "roles-swapped.relative", a.tokens[i], a.tokens[p]
                return make_finding(comparison, case, (i, p), (j, q), old=old, new=new)
    return None


def _relative_before(view: SentenceView, verb: int) -> int:
    """Return the relative pronoun that begins the clause of a verb; -1 for none."""
    for t in range(verb - 1, max(-1, verb - 1 - _NEAR_VERB), -1):
        if view.words[t] in ("who", "whom", "that", "which"):
            return t if t and view.is_content[t - 1] and t - 1 not in view.verbs else -1
        if not view.entries[t].is_word:
            return -1
    return -1


def _is_voice_turned(comparison: Comparison, first: Pair, second: Pair, pivot: Pair) -> bool:
    """Return whether the voice changed, and another one does it: *she told him*, *she was told by him*."""
    sides = [(comparison.source, first[0], second[0], pivot[0]), (comparison.output, first[1], second[1], pivot[1])]
    (a, i, k, p), (b, j, m, q) = sides if pivot[0] not in comparison.source.passives else sides[::-1]
    if not (i < p < k and q < m) or a.governors[i] or a.governors[k] == "by":
        return False
    is_cut = _is_clause_cut(a, i, k, p) or _is_clause_cut(b, min(j, q), max(j, m), q)
    return b.governors[m] == "by" != b.governors[j] and not is_cut


def _is_surely_swapped(comparison: Comparison, first: Pair, second: Pair, pivot: Pair) -> bool:
    """Return whether the verb is the same, and the participants are two: a pronoun may stand for the other one."""
    a, b = comparison.source, comparison.output
    words = {a.words[first[0]], a.words[second[0]], b.words[first[1]], b.words[second[1]]}
    persons = any(view.entries[pair[side]].person for pair in (first, second) for side, view in enumerate((a, b)))
    return relation(a.words[pivot[0]], b.words[pivot[1]]).same_lemma and len(words) > 1 and not persons


def _is_clause_cut(view: SentenceView, i: int, k: int, pivot: int) -> bool:
    """Return whether another verb, a link or a mark stands between two words, so that they are not of one clause."""
    return any(t != pivot and _cuts_clause(view, t) for t in range(i + 1, k))


def _cuts_clause(view: SentenceView, t: int) -> bool:
    e = view.entries[t]
    return bool(e.links or not e.is_word or (t in view.verbs and e.is_content))


def _links_one_way(view: SentenceView, t: int) -> bool:
    links = view.entries[t].links
    return bool(links and not links & COMPARING["the same both ways round"])


def _next_content(view: SentenceView, link: int) -> int:
    """Return the first content word behind a link, verbs aside; the length of the sentence if there is none."""
    n = len(view.words)
    return next((t for t in range(link + 1, n) if view.is_content[t] and t not in view.verbs), n)
