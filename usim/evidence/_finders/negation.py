"""Negation: what was denied is affirmed, or the other way round; and *not*, *only*, *often* about another word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, takewhile

from msgspec.structs import replace

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import WEIGHTS, Finding, HandledTokens, make_finding, quote, words_at
from usim.evidence._matching import lexical_relation
from usim.evidence._respelled import differ_by_negative_prefix
from usim.evidence._sentence import SentenceView
from usim.lexicon import NEGATIVE_PREFIXES, have_opposite_prefixes, relation
from usim.lexicon.phrases import Phrase
from usim.lexicon.tables import COMPARING

#: Limits by their classes: whether they say that it is so much or more.
_FROM_BELOW = {"least": True, "over": True, "most": False, "under": False}

#: Kinds of phrases those of one class of which say the same.
_EQUAL = frozenset(("quantifier", "manner"))
#: What ends a sentence, or a clause that stands alone.
_ENDS = frozenset(".?!;:")
#: What begins a condition.
_IFS = frozenset(("if", "when", "unless", "provided", "once"))


def detect_negation(comparison: Comparison, handled: HandledTokens) -> list[Finding]:
    """Find an odd number of negations more or less, prefixes included; two that cancel each other are none."""
    a, b = comparison.source, comparison.output
    flips = [m for m in comparison.matches if not m.spelling and _is_negated_form(a.words[m.source], b.words[m.output])]
    for m in flips:
        handled.add((m.source,), (m.output,))
    even = [m for m in flips if is_turned_back(comparison, (m.source,), (m.output,))]
    flips = [m for m in flips if m not in even]
    gone, new = (
        [i for i in view.negators if i not in kept and i not in done and _host(view, i) not in hosts]
        for view, kept, done, hosts in (
            (a, comparison.kept_source, handled.source, {m.source for m in even}),
            (b, comparison.kept_output, handled.output, {m.output for m in even}),
        )
    )
    handled.add(a.negators, b.negators)
    if not (gone or new or flips):
        return []
    balance = len(_not_repeated(a, gone)) - len(_not_repeated(b, new))
    if (balance + len(flips)) % 2 == 0:
        return []
    at, to = gone + [m.source for m in flips], new + [m.output for m in flips]
    opposites = [m for m in comparison.matches if lexical_relation(m) == "opposite" and m not in flips]
    if len(opposites) == 1:
        m = opposites[0]
        handled.add((m.source,), (m.output,))
        return [make_finding(comparison, "negation.opposite", [*at, m.source], [*to, m.output])]
    strength = max([a.entries[i].negation for i in gone] + [b.entries[j].negation for j in new] + [float(bool(flips))])
    return [make_finding(comparison, "negation", at, to, WEIGHTS["negation"] * strength)]


def equal_forms(comparison: Comparison, finding: Finding) -> tuple[set[int], set[int]] | None:
    """Return the words that deny alike where negations are gone or new, of both sides; None where they turn it round.

    What turns a text round is counted, and an even count turns nothing. A negation counts where the other sentence says
    the word that it is about, in any form: *without delay* is *promptly*. So does a word that denies in its own way
    (*unless*, *unable*, *painless*), and a limit from above that became one from below: *nobody under 16* is *a minimum
    age of 16*. The *or not* of *whether* denies nothing.
    """
    a, b = comparison.source, comparison.output
    limits = _turned_limits(a, b)
    count, words, unsaid = int(any(limits)), (set[int](), set[int]()), [0, 0]
    for side, (view, other, places, links) in enumerate(
        ((a, b, finding.source, comparison.partner), (b, a, finding.output, comparison.back))
    ):
        if not set(view.negators).issuperset(places):
            return None  # a prefix is among them
        negators = [i for i in places if not (view.words[i - 1] == "or" and "whether" in view.words[:i])]
        about = [_about(view, i) for i in _not_repeated(view, negators)]
        said = sum(any(k < 0 or _has_related_word(view, k, other, links.get(k)) for k in phrase) for phrase in about)
        count, unsaid[side] = count + said, len(about) - said
        hosts = [view.words[i] for i, *_ in about if i >= 0]
        words[side].update(i for i in range(len(view.words)) if _denies(view, i, other))
        words[1 - side].update(j for j in other.content if any(_is_negated_form(h, other.words[j]) for h in hosts))
    is_even = (count + len(words[0]) + len(words[1])) % 2 == 0
    # What a negation is about may be said by the word that denies on the other side: *repairs excepted*.
    if not (is_even or any(unsaid[side] and words[1 - side] for side in (0, 1))):
        return None
    return words[0].union(limits[0], finding.source), words[1].union(limits[1], finding.output)


def equal_phrases(comparison: Comparison) -> tuple[set[int], set[int]]:
    """Return the words of phrases of one class that gave way to one another where one denies: *rarely*, *almost never*.

    They stand at one place, or are the only ones of their class that changed.
    """
    a, b = comparison.source, comparison.output
    left, right = (
        [cue for cue in view.cues if cue.is_own and cue.kind in _EQUAL and not kept.issuperset(cue.places)]
        for view, kept in ((a, comparison.kept_source), (b, comparison.kept_output))
    )
    words = set[int](), set[int]()
    for x, y in product(left, right):
        if (x.kind, x.name) != (y.kind, y.name) or x.text == y.text or not (_is_denied(a, x) or _is_denied(b, y)):
            continue
        alike = [sum((cue.kind, cue.name) == (x.kind, x.name) for cue in cues) for cues in (left, right)]
        if alike == [1, 1] or any(comparison.are_at_one_place(i, j) for i, j in product(x.places, y.places)):
            words[0].update(x.places)
            words[1].update(y.places)
    return words


def is_turned_back(comparison: Comparison, source: Sequence[int], output: Sequence[int]) -> bool:
    """Return whether one of two opposite words is denied: *unlocked*, *not locked*."""
    sides = (comparison.source, source), (comparison.output, output)
    denied = [any(_host(view, i) in places for i in view.negators) for view, places in sides]
    return denied[0] != denied[1]


def _is_denied(view: SentenceView, cue: Phrase) -> bool:
    return any(view.entries[i].negation for i in cue.places)


def _turned_limits(a: SentenceView, b: SentenceView) -> tuple[set[int], set[int]]:
    """Return the words of the limits of both sentences, if all are from below in one, and from above in the other."""
    cues = [[cue for cue in view.cues if cue.kind == "bound" and cue.is_own] for view in (a, b)]
    ways = [{_FROM_BELOW.get(cue.name) for cue in own} for own in cues]
    is_turned = ways in ([{False}, {True}], [{True}, {False}])
    source, output = ({i for cue in own if is_turned for i in cue.places} for own in cues)
    return source, output


def _about(view: SentenceView, i: int) -> list[int]:
    """Return the words that a negation is about: -1 for none, of *without* all of its phrase, else one.

    Of a verb that denies it is the verb behind that: *pay* of *not fail to pay*.
    """
    host = _host(view, i)
    if host >= 0 and view.words[host] in COMPARING["turning"] and view.words[host + 1 : host + 2] == ("to",):
        host = _host(view, host + 1)
    if view.words[i] != "without" or host < 0:
        return [host]
    behind = takewhile(lambda k: view.entries[k].is_word and k not in view.verbs, range(host + 1, len(view.words)))
    return [host, *(k for k in behind if view.is_content[k])]


def _has_related_word(view: SentenceView, i: int, other: SentenceView, partner: int | None) -> bool:
    """Return whether another sentence has a word in some form, one that is related to it, or a verb in its place."""
    if i in view.verbs and partner in other.verbs:
        return True
    if other.says(view.entries[i]):
        return True
    words = [other.words[j] for j in other.content]
    bare = [word[len(prefix) :] for word in words for prefix in NEGATIVE_PREFIXES if word.startswith(prefix)]
    between = (relation(view.words[i], word) for word in words + bare)
    return any(
        r.known and (r.synonym or r.derived or r.similar or r.hypernym or r.antonym == "direct") for r in between
    )


def _denies(view: SentenceView, i: int, other: SentenceView) -> bool:
    """Return whether a word denies and is no negator, and the other sentence lacks it; *only* may be *just* there.

    *Only with* denies twice: *not without*.
    """
    word, entry = view.words[i], view.entries[i]
    is_turning = word in COMPARING["turning"] or word in COMPARING["denying"] or _is_opposed_by_prefix(word)
    if not is_turning or word in other.vocabulary or (word == "only" and _is_condition(view, i)):
        return False
    others = (e for e in other.entries if e.is_focus and not (e.negation or e.modal))
    return not (entry.is_focus and any(e.form not in view.vocabulary for e in others))


def _is_condition(view: SentenceView, i: int) -> bool:
    """Return whether *only* makes what follows a condition: *only with a ticket*, *you only enter if you pay*."""
    behind = list(takewhile(lambda word: word not in _ENDS, view.words[i + 1 :]))
    return bool(behind) and (behind[0] in COMPARING["of conditions"] or not _IFS.isdisjoint(behind))


def _is_opposed_by_prefix(word: str) -> bool:
    """Return whether a word is the opposite of the one without its prefix: *unable*, *impossible*."""
    stems = (word[len(prefix) :] for prefix in NEGATIVE_PREFIXES if word.startswith(prefix))
    return any(relation(word, stem).antonym == "direct" for stem in stems)


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
    a, b, partner, back = comparison.source, comparison.output, comparison.partner, comparison.back
    moved = set(comparison.moved)
    for i, j in comparison.kept:
        e = a.entries[i]
        if not e.is_focus or (e.modal and (i, j) not in moved):
            continue
        is_in_scenes = (i, j) in moved and a.scene[i] and b.scene[j]
        heads, new_heads = a.heads.get(a.scene[i], frozenset()), b.heads.get(b.scene[j], frozenset())
        mapped = {partner[h] for h in heads if h in partner}
        host, new_host = _host(a, i), _host(b, j)
        # So far before the word stands now what it was about, and stood what it is about now.
        ahead = min(j - partner.get(host, j), i - back.get(new_host, i))
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
            if not e.negation and (host in a.verbs) != (new_host in b.verbs) and ahead < 1:
                # *Only* before a verb may be about what follows the verb.
                verb, noun = (host, back[new_host]) if host in a.verbs else (back[new_host], host)
                case = "scope.before-verb" if noun > verb and e.quantity == "only" else "scope.verb-or-noun"
        found = make_finding(
            comparison, case, (i, *old), (j, *new),
            word=quote(a.tokens[i]), old=words_at(a, old), new=words_at(b, new),
        )  # fmt: skip
        # What stands before *only* is not what it is about, unless it stands directly there: *on Mondays only*.
        is_certain = ahead > 1 and not b.entries[new_host].person and _has_one_only(a, i) and _has_one_only(b, j)
        yield replace(found, is_certain=is_certain)


def _has_one_only(view: SentenceView, i: int) -> bool:
    """Return whether a word is the adverb *only*, and the one in a single sentence."""
    is_adverb = i == 0 or not (view.entries[i - 1].is_article or view.words[i - 1].endswith("'s"))
    one = view.words[i] == "only" and view.words.count("only") == 1
    return one and is_adverb and not _ENDS.intersection(view.words[:-1])


def _host(view: SentenceView, i: int) -> int:
    """Return the word that a *not* or *only* is about: the next content word or quantifier, -1 for none."""
    for t in range(i + 1, len(view.words)):
        e = view.entries[t]
        if view.is_content[t] or e.person or e.quantity in ("all", "most", "both", "many"):
            return t
        if not e.is_word:
            return -1
    return -1
