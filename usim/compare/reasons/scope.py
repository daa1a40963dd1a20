"""Scope: words such as *not*, *only* and *often* that are about another word now."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason, words_at
from usim.compare.reasons.wording import quote
from usim.compare.sentence import SentenceView

#: The word is about another verb or noun.
SCOPE_WEIGHT = 0.6
#: The word moved between verb and noun: *only eats fish*, *eats only fish*.
VERB_OR_NOUN_WEIGHT = 0.5
#: *Only* before a verb may be about what follows the verb.
ONLY_BEFORE_VERB_WEIGHT = 0.25


def detect_scopes(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find words of scope that are kept and are about another word."""
    a, b = comparison.source, comparison.target
    reasons = []
    back: dict[int, int] = {}
    moved = set(comparison.moved)
    for i, j in comparison.kept:
        e = a.entries[i]
        if not e.is_focus or (e.modal and (i, j) not in moved):
            continue
        back = back or {target: source for source, target in comparison.partner.items()}
        if (i, j) in moved and a.scene[i] and b.scene[j]:
            # Another verb has it now.
            heads, new_heads = a.heads.get(a.scene[i], frozenset()), b.heads.get(b.scene[j], frozenset())
            mapped = {comparison.partner[h] for h in heads if h in comparison.partner}
            if mapped and new_heads and mapped.isdisjoint(new_heads) and new_heads & back.keys():
                reasons.append(_scope_reason(comparison, (i, *heads), (j, *new_heads), SCOPE_WEIGHT))
                continue
        if not (e.negation or e.quantity in ("only", "almost") or e.form in ("even", "just")):
            continue
        host, new_host = _host(a, i), _host(b, j)
        if host < 0 or new_host < 0 or comparison.partner.get(host, new_host) == new_host or new_host not in back:
            continue
        if not (back[new_host] < i or comparison.partner[host] < j) and (host > i + 1 or new_host > j + 1):
            continue
        if e.negation or (host in a.verbs) == (new_host in b.verbs):
            weight = SCOPE_WEIGHT
        else:
            verb, noun = (host, back[new_host]) if host in a.verbs else (back[new_host], host)
            weight = ONLY_BEFORE_VERB_WEIGHT if noun > verb and e.quantity == "only" else VERB_OR_NOUN_WEIGHT
        reasons.append(_scope_reason(comparison, (i, host), (j, new_host), weight))
    return reasons


def _scope_reason(comparison: Comparison, source: tuple[int, ...], target: tuple[int, ...], weight: float) -> Reason:
    (word, *old), new = source, target[1:]
    return make_reason(
        comparison, "scope", source, target, weight,
        word=quote(comparison.source.tokens[word]),
        old=words_at(comparison.source, sorted(old)),
        new=words_at(comparison.target, sorted(new)),
    )  # fmt: skip


def _host(view: SentenceView, i: int) -> int:
    """Return the word that a *not* or *only* is about: the next content word or quantifier, -1 for none."""
    for t in range(i + 1, len(view.words)):
        e = view.entries[t]
        if view.is_content[t] or e.person or e.quantity in ("all", "most", "both", "many"):
            return t
        if not e.is_word:
            return -1
    return -1
