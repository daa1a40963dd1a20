"""Findings as they count beside corrected errors: lighter where an error explains them, graver where none does.

The networks are trained with the weights of the detectors, so findings are weighed anew once they have been read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rapidfuzz.distance import OSA

from usim.evidence._comparison import Comparison
from usim.evidence._finders.claims import is_asked_for
from usim.evidence._finders.finding import WEIGHTS, Finding, make_finding
from usim.evidence._sentence import SentenceView
from usim.lexicon.tables import COMPARING, classes_of, read_tables
from usim.spelling.spelling import skeleton, sound

#: The verb and the time of its forms that show no other verb's.
_FINITE = classes_of(read_tables("comparing.tsv")["finite"])
#: The weight of another time, and of another person, that no error explains.
_OTHER = 0.6
#: The persons whose verbs have no ending in the present.
_BARE = frozenset(("i", "you", "we", "they"))
#: Lighter pronouns are hardly other persons: *he*, *this*.
_PERSON = 0.35
#: Persons that a noun before them may ask for.
_THIRD = frozenset(("he", "she", "they", "it", "one", "this"))
#: One of two words that differ by so many slips, and in this share of their letters at the most, may be the other
#: misspelt.
_SLIPS, _SHARE = 2, 0.5
#: Verbs that learners put for one another, with all else as it should be.
_CONFUSED = COMPARING["confused verbs"]
#: What is found of a word alone, or of two words, by what they mean elsewhere.
_OF_WORDS = frozenset(
    ("sense", "unrelated", "scene-lost", "scene-added", "participant-lost", "participant-added", "modifier-lost",
     "modifier-added", "adverbial-lost", "adverbial-added", "connective", "category")
)  # fmt: skip
#: So near behind an auxiliary stands its verb, in tokens.
_NEAR = 5
#: Places of more changed words are reworded: their words stand for no single ones.
_NARROW = 3
#: A time, and the verb where it was and where it is now.
_Times = tuple[int, int, str, str]


def reweighed(comparison: Comparison, found: Sequence[Finding]) -> list[Finding]:
    """Return findings as they count beside corrected errors, the gravest first.

    Of a word that gave way to one that is nearly written or said alike, which may have been meant, they say little.
    Another time that neither another verb nor another word asks for, and another person, are no correction.
    """
    slips = _slips(comparison)
    findings = [_of_person(comparison, _of_slip(comparison, finding, slips)) for finding in found]
    for i, j, time, new_time in _times(comparison):
        # The time of an auxiliary is that of the verb behind it.
        same = [f for f in findings if f.kind == "tense" and f.source[0] in range(i, i + _NEAR)]
        grave = make_finding(comparison, "tense", (i,), (j,), _OTHER, before=time, after=new_time)
        grave = replace(same[0], weight=_OTHER) if same else grave
        findings = [*(finding for finding in findings if finding not in same), grave]
    return sorted(dict.fromkeys(findings), key=lambda finding: -finding.weight)


def _slips(comparison: Comparison) -> dict[int, int]:
    """Return the words that may have been put for others by a slip, and those that took their places."""
    a, b = comparison.source, comparison.output
    pairs = [(g.source[0], g.output[0]) for g in comparison.groups if len(g.source) == len(g.output) == 1]
    pairs += [(i, comparison.to[i]) for i in comparison.gone if comparison.to[i] in comparison.new]
    return {
        i: j
        for i, j in pairs
        if (a.is_content[i] or b.is_content[j]) and a.entries[i].word.lemmas.isdisjoint(b.entries[j].word.lemmas)
        if _are_alike(a.words[i], b.words[j])
        or (_CONFUSED.issuperset((a.words[i], b.words[j])) and len(comparison.gone) == len(comparison.new) == 1)
    }


def _are_alike(old: str, new: str) -> bool:
    if not (old.isalpha() and new.isalpha()):
        return False
    return OSA.distance(old, new) <= min(_SLIPS, _SHARE * max(len(old), len(new))) or sound(old) == sound(new)


def _of_slip(comparison: Comparison, finding: Finding, slips: dict[int, int]) -> Finding:
    """Return a finding; one of words that may be a slip as two words that may mean something else.

    A negation must sound like the other word: *no* and *know*, but not *not* and *now*.
    """
    a, b = comparison.source, comparison.output
    for i, j in slips.items():
        is_slip = {i}.issuperset(finding.source) and {j}.issuperset(finding.output)
        if finding.kind == "roles-swapped":
            is_slip = i in finding.source and j in finding.output
        elif finding.kind not in _OF_WORDS:
            is_slip &= finding.kind == "negation" and skeleton(a.words[i]) == skeleton(b.words[j])
        if is_slip and finding.weight > WEIGHTS["sense.slip"]:
            return make_finding(comparison, "sense.slip", (i,), (j,))
    return finding


def _of_person(comparison: Comparison, finding: Finding) -> Finding:
    """Return a pronoun of another person; a graver one unless a noun before it may have asked for the new one."""
    if finding.kind != "pronoun" or not (finding.source and finding.output) or finding.weight < _PERSON:
        return finding
    i, j = finding.source[0], finding.output[0]
    persons = {comparison.source.entries[i].person, comparison.output.entries[j].person}
    is_agreeing = persons <= _THIRD and any(map(comparison.source.may_be_participant, range(i)))
    if is_agreeing or not _is_narrow(comparison, i):
        return finding
    return replace(finding, weight=max(finding.weight, _OTHER))


def _is_narrow(comparison: Comparison, i: int) -> bool:
    """Return whether a changed word of the source is one of few."""
    return any(i in group.source and max(map(len, group)) <= _NARROW for group in comparison.groups)


def _times(comparison: Comparison) -> Iterator[_Times]:
    """Yield the verbs whose time changed though nothing else in the source asks for the new one."""
    a, b = comparison.source, comparison.output
    for i, j, time, new_time in (*_of_auxiliaries(comparison), *_of_verbs(comparison)):
        others = {t for k, t in a.tenses.items() if k != i} | {
            _FINITE[word].split()[1] for k, word in enumerate(a.words) if k != i and word in _FINITE
        }
        # The time of a misspelt verb is seen once it is spelt.
        others |= {b.tenses[k] for _, k in comparison.respelled.words if k != j and k in b.tenses}
        if new_time not in others and not is_asked_for(new_time, a, b) and _is_narrow(comparison, i):
            yield i, j, time, new_time


def _of_auxiliaries(comparison: Comparison) -> Iterator[_Times]:
    """Yield the forms of *be*, *have*, *do* and *will* that gave way to others of their verb, of another time.

    Of two verbs one says what is over, and the other what will be. A form behind an auxiliary has no time, and *had
    gone* is mostly an error for *have gone*.
    """
    a, b = comparison.source, comparison.output
    for i in comparison.gone:
        verb, _, time = _FINITE.get(a.words[i], "").partition(" ")
        if not verb or any(a.entries[k].modal or a.words[k] == "to" for k in range(max(0, i - 2), i)):
            continue
        for j in comparison.new:
            new_verb, _, new_time = _FINITE.get(b.words[j], "").partition(" ")
            is_over = [t == "past" or (v == "have" and k not in view.tenses)
                       for view, k, v, t in ((a, i, verb, time), (b, j, new_verb, new_time))]  # fmt: skip
            is_other = time != new_time and not (is_over[0] and verb == "have" and new_time == "present")
            if "will" in (verb, new_verb):
                is_other = any(is_over) and bool(new_verb)
            elif verb != new_verb:
                continue
            if is_other and comparison.are_at_one_place(i, j):
                yield i, j, time, new_time
                break


def _of_verbs(comparison: Comparison) -> Iterator[_Times]:
    """Yield other verbs that were in the present and are in the past, or the other way round."""
    a, b = comparison.source, comparison.output
    for i, time in a.tenses.items():
        j = comparison.partner.get(i, -1)
        is_misspelt = i in comparison.respelled.tokens[0] and not a.words[i].endswith(("ed", "s"))
        if i in comparison.kept_source or a.words[i] in _FINITE or is_misspelt:
            continue
        old_time, new_time = _shown(a, i, time), _shown(b, j, b.tenses.get(j, ""))
        if {old_time, new_time} == {"past", "present"}:
            yield i, j, old_time, new_time


def _shown(view: SentenceView, i: int, time: str) -> str:
    """Return the time of a verb; a bare one behind a person that asks for no ending is in the present."""
    return "present" if time == "bare" and i and view.words[i - 1] in _BARE else time
