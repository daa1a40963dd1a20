"""Negation: what was denied is affirmed, or the other way round; and *not*, *only*, *often* about another word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._matching import lexical_relation
from usim.evidence._reasons.finding import WEIGHTS, Finding, HandledTokens, make_finding, quote, words_at
from usim.evidence._respelled import differ_by_negative_prefix
from usim.evidence._sentence import SentenceView
from usim.lexicon import NEGATIVE_PREFIXES, have_opposite_prefixes, relation


def detect_negation(comparison: Comparison, handled: HandledTokens) -> list[Finding]:
    """Find an odd number of negations more or less, prefixes included; two that cancel each other are none."""
    a, b = comparison.source, comparison.target
    flips = [m for m in comparison.matches if not m.spelling and _is_negated_form(a.words[m.source], b.words[m.target])]
    for m in flips:
        handled.add((m.source,), (m.target,))
    gone = [i for i in a.negators if i not in comparison.kept_source and i not in handled.source]
    new = [j for j in b.negators if j not in comparison.kept_target and j not in handled.target]
    handled.add(a.negators, b.negators)
    if not (gone or new or flips):
        return []
    balance = len(_not_repeated(a, gone)) - len(_not_repeated(b, new))
    if (balance + len(flips)) % 2 == 0:
        return []
    at, to = gone + [m.source for m in flips], new + [m.target for m in flips]
    opposites = [m for m in comparison.matches if lexical_relation(m) == "opposite" and m not in flips]
    if len(opposites) == 1:
        m = opposites[0]
        handled.add((m.source,), (m.target,))
        return [make_finding(comparison, "negation.opposite", [*at, m.source], [*to, m.target])]
    strength = max([a.entries[i].negation for i in gone] + [b.entries[j].negation for j in new] + [float(bool(flips))])
    return [make_finding(comparison, "negation", at, to, WEIGHTS["negation"] * strength)]


def _not_repeated(view: SentenceView, negators: Sequence[int]) -> list[int]:
    """Return negators without those that only repeat another one of their scene (*don't know nothing*)."""
    counted: list[int] = []
    for i in negators:
        scene = view.scene[i]
        others_in_scene = [k for k in view.negators if k != i and view.scene[k] == scene]
        if all(k in negators and k not in counted for k in others_in_scene):
            counted.append(i)
    return counted


def _is_negated_form(x: str, y: str) -> bool:
    """Return whether one word is the other with a negative or an opposite prefix, or with -less for -ful."""
    if x.endswith("less") != y.endswith("less"):
        short, long = (x, y) if y.endswith("less") else (y, x)
        return short in (long[:-4], long[:-4] + "ful")
    if have_opposite_prefixes(x, y):
        return relation(x, y).antonym != "direct"
    if len(x) == len(y):
        return False
    short, long = (x, y) if len(x) < len(y) else (y, x)
    if len(short) < 4:
        return False
    for prefix in NEGATIVE_PREFIXES:
        if long.startswith(prefix) and not short.startswith(prefix):
            stem = long[len(prefix) :]
            if stem == short or (len(stem) > 4 and relation(stem, short).same_lemma):
                return True
    has_unknown = not relation(short, short).known or not relation(long, long).known
    return has_unknown and differ_by_negative_prefix(x, y)


def detect_scopes(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find words of scope that are kept and are about another word."""
    a, b, partner, back = comparison.source, comparison.target, comparison.partner, comparison.back
    moved = set(comparison.moved)
    for i, j in comparison.kept:
        e = a.entries[i]
        if not e.is_focus or (e.modal and (i, j) not in moved):
            continue
        is_in_scenes = (i, j) in moved and a.scene[i] and b.scene[j]
        heads, new_heads = a.heads.get(a.scene[i], frozenset()), b.heads.get(b.scene[j], frozenset())
        mapped = {partner[h] for h in heads if h in partner}
        host, new_host = _host(a, i), _host(b, j)
        if is_in_scenes and mapped and mapped.isdisjoint(new_heads) and new_heads & back.keys():
            case, old, new = "scope", sorted(heads), sorted(new_heads)  # another verb has it now
        elif (
            not (e.negation or e.quantity in ("only", "almost") or e.form in ("even", "just"))
            or host < 0
            or new_host not in back
            or partner.get(host, new_host) == new_host
            or (not (back[new_host] < i or partner[host] < j) and (host > i + 1 or new_host > j + 1))
        ):
            continue
        else:
            case, old, new = "scope", [host], [new_host]
            if not e.negation and (host in a.verbs) != (new_host in b.verbs):
                # *Only* before a verb may be about what follows the verb.
                verb, noun = (host, back[new_host]) if host in a.verbs else (back[new_host], host)
                case = "scope.before-verb" if noun > verb and e.quantity == "only" else "scope.verb-or-noun"
        yield make_finding(
            comparison, case, (i, *old), (j, *new),
            word=quote(a.tokens[i]), old=words_at(a, old), new=words_at(b, new),
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
