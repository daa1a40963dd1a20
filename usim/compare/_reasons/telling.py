"""Which reasons a writer can follow: a word for a word only where one can stand for the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from usim.compare._comparison import Comparison
from usim.compare._places import Group
from usim.compare._reasons.reason import Reason, are_of_one_class, say, words_at
from usim.compare._sentence import SentenceView
from usim.lexicon import relation
from usim.measures import UsimScore

#: One word that gave way to another of another meaning.
_REPLACED = frozenset(("sense", "unrelated"))
#: Content that is only on one side.
_ALONE = frozenset(
    f"{kind}-{status}" for kind in ("participant", "scene", "adverbial", "modifier") for status in ("lost", "added")
)
#: What clearly speaks against a text that was reworded, if it weighs enough: oppositions and facts.
_CLEAR = frozenset(
    "negation opposite number unit time name quantifier direction roles-swapped tense modality question address "
    "not-meant fact emoji comparison claim".split()
)
CLEAR_WEIGHT = 0.5
#: From this share of changed and moved words on, at more than one place, a text counts as reworded; words that gave
#: way one for one do not count.
_REWORDED_SHARE = 0.4
#: From this share of its uses on, a word may be of a part of speech.
_PART_SHARE = 0.2
#: Words of a place that are quoted together.
_LONGEST_PLACE = 5


def tellable(
    reasons: Sequence[Reason], source: SentenceView, target: SentenceView, score: UsimScore
) -> tuple[list[Reason], list[Reason]]:
    """Return reasons, and those of them that people are not told.

    In a text that was reworded only clear reasons are told. Elsewhere the words of one place that gave way to another
    number of words are told together, and of several words at one place none is said to have become one of another
    part of speech.
    """
    changes = Comparison(source, target, score)
    if _is_reworded(changes):
        return list(reasons), [r for r in reasons if r.kind not in _CLEAR or r.weight < CLEAR_WEIGHT]
    told, hidden = list(reasons), list[Reason]()
    for *apart, together in _of_not_all(reasons, changes):
        told.append(together)
        hidden += apart
    for group in changes.groups:
        own = [r for r in told if r.kind in _REPLACED | _ALONE and _is_within(r, group)]
        replaced = [r for r in own if r.kind in _REPLACED]
        if replaced and len(own) > len(replaced) and _is_short(group):
            words = words_at(changes.source, group.source), words_at(changes.target, group.target)
            gravest = max(own, key=lambda r: r.weight)
            told.append(structs.replace(
                replaced[0], kind="sense", text=say("sense", *words), source=group.source, target=group.target,
                source_spans=(), target_spans=(), weight=gravest.weight,
            ))  # fmt: skip
            hidden += own
    swapped = {group for group in changes.groups if len(group.source) == len(group.target) == 1}
    hidden += [
        r
        for r in told
        if r.kind in _REPLACED and (r.source, r.target) not in swapped and not _may_stand_for(changes, r)
    ]
    return told, hidden


def _of_not_all(reasons: Sequence[Reason], changes: Comparison) -> Iterator[tuple[Reason, Reason, Reason]]:
    """Yield a negation before a quantifier, that quantifier, and the reason about both: *not all* became *some*."""
    quantifiers = [r for r in reasons if r.kind == "quantifier" and r.source and r.target]
    for r in reasons if quantifiers else ():
        for q in quantifiers if r.kind == "negation" else ():
            pairs = (r.source, q.source), (r.target, q.target)
            if any(len(own) == 1 and own[0] + 1 == other[0] for own, other in pairs):
                at, to = (tuple(sorted(own + other)) for own, other in pairs)
                text = say("quantifier", words_at(changes.source, at), words_at(changes.target, to))
                yield r, q, structs.replace(q, text=text, source=at, target=to)


def _is_reworded(changes: Comparison) -> bool:
    """Return whether much of a text changed or moved, at more than one place."""
    count = len(changes.source.words) + len(changes.target.words)
    swapped = sum(len(group.source) == len(group.target) == 1 for group in changes.groups)
    share = (len(changes.gone) + len(changes.new) + 2 * (len(changes.moved) - swapped)) / max(1, count)
    return share >= _REWORDED_SHARE and len(changes.groups) + len(changes.moved_runs) > 1


def _is_within(reason: Reason, group: Group) -> bool:
    return set(reason.source) <= set(group.source) and set(reason.target) <= set(group.target)


def _is_short(group: Group) -> bool:
    """Return whether a place is one stretch of few words on either side."""
    return all(0 < len(at) <= _LONGEST_PLACE and at[-1] - at[0] + 1 == len(at) for at in group)


def _may_stand_for(changes: Comparison, reason: Reason) -> bool:
    """Return whether the two words of a reason are related, or of one part of speech where they stand."""
    if len(reason.source) != 1 or len(reason.target) != 1:
        return True
    (i,), (j,) = reason.source, reason.target
    a, b = changes.source, changes.target
    between = relation(a.words[i], b.words[j])
    if between.known and (between.synonym or between.derived or between.hypernym or between.similar or between.sibling):
        return True
    if a.is_content[i] != b.is_content[j] or not are_of_one_class(a, i, b, j):
        return False
    if i in a.verbs or a.names.isdisjoint((i,)) != b.names.isdisjoint((j,)):
        return True
    parts = [_parts(view.entries[k].word.parts) for view, k in ((a, i), (b, j))]
    return not all(parts) or not parts[0].isdisjoint(parts[1])


def _parts(shares: Mapping[str, float]) -> set[str]:
    return {part for part, share in shares.items() if part != "v" and share >= _PART_SHARE}
