"""All that speaks against a change: certain facts of the ledger, and what the comparison finds; and what is told of it.

:func:`gather` knows nothing of probabilities and verdicts. :func:`show` marks what people are told once a verdict is
there: a certain finding always, unless the policy allows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import NamedTuple

from msgspec.structs import replace

from usim.evidence._analysis import Analysis
from usim.evidence._comparison import Comparison
from usim.evidence._finders.conditions import without_futures, without_inversions
from usim.evidence._finders.detect import detect_findings
from usim.evidence._finders.finding import (
    HIDDEN,
    IN_REWORDED,
    KINDS,
    LEAST_WEIGHT,
    LIMITS,
    SENTENCES,
    SHOWN_SHARE,
    WEIGHTS,
    Finding,
    are_of_one_class,
    say,
    words_at,
)
from usim.evidence._finders.negation import equal_forms, equal_phrases, is_turned_back
from usim.evidence._finders.unsaid import really_unsaid
from usim.evidence._ledger.build import Fact, Ledger, SoftLink, build_ledger
from usim.lexicon import relation
from usim.lexicon.tables import COMPARING
from usim.text import is_foreign, language_of_pair, unseen_differences
from usim.text.differing import differing

#: Characters of the longest word whose change can be read; the longest words of English have fewer than 50.
LONGEST_WORD = 100
#: The weight of a fact that certainly changed, and of the finding that usim cannot tell.
FACT_WEIGHT, UNSURE_WEIGHT = 0.9, 0.5
#: Of a text that was reworded here and there people are told what is clear and of this weight at least.
CLEAR_WEIGHT = 0.5
#: What weighs less than this alone does not explain that a pair is dropped.
LIGHT_WEIGHT = 0.3
#: Longer stretches, such as clauses, are quoted up to here.
_LONGEST_QUOTE = 60
#: The kinds of findings of kinds of facts; others have the same name, or are cases of ``fact``.
_FINDINGS = {"date": "time", "way": "direction", "order": "fact.order"}
#: One word that gave way to another of another meaning.
_REPLACED = frozenset(("sense", "unrelated"))
#: From this similarity of letters on, an exchanged word may be the correction of another that was written by mistake.
_SAME_LETTERS = 0.6
#: From this share of changed and moved words on, at more than one place, a text counts as reworded; words that gave
#: way one for one do not count.
_REWORDED_SHARE = 0.4
#: From this share of changed words on, a text was reworded as a whole.
_WHOLE_SHARE = 0.5
#: From this share of its uses on, a word may be of a part of speech.
_PART_SHARE = 0.2
#: So many neighbouring words are one place.
_FEW_WORDS = 4
#: The kinds of phrases in which a negation denies nothing.
_BOUNDS = frozenset(("bound", "when"))
#: What leads a relative clause, and how far from its verb at most.
_RELATIVE, _FROM_VERB = frozenset(("that", "which", "who")), 4
#: The modals of a duty.
_DUTIES = frozenset(("must", "shall", "need"))
#: The kinds of findings about what a value is written with.
_OF_VALUES = frozenset(
    ("number", "unit", "time", "quantifier", "comparison", "modifier-lost", "modifier-added", "adverbial-lost",
     "adverbial-added", "unsaid")
)  # fmt: skip
#: The facts that are values: where other words may say one, people are still told that it changed. What limits one is
#: told where nothing was reworded.
_VALUES = frozenset(("number", "unit", "time", "date", "code"))
#: The kinds of words that were left out or put in.
_ONE_SIDED = frozenset(
    f"{what}-{how}" for what in ("scene", "participant", "modifier", "adverbial") for how in ("lost", "added")
)
#: A policy and what it allows to facts.
_ALLOWED_BY = {"lost": "shorten", "added": "expand"}


class Evidence(NamedTuple):
    """What speaks against a change, the gravest first, with the places in the texts; and the facts of both texts.

    ``findings`` are marked with whether people can be told them, whatever the verdict is.
    """

    findings: tuple[Finding, ...]
    ledger: Ledger


def gather(
    source: Analysis,
    output: Analysis,
    comparison: Comparison,
    soft: Iterable[SoftLink] | None,
    *,
    found: Sequence[Finding] | None = None,
    is_reworded: bool = False,
) -> Evidence:
    """Return the evidence of a pair.

    Args:
        soft: words that are alike by their vectors; None without vectors.
        found: what was found in the comparison, if that is known, the gravest first.
        is_reworded: whether the text was reworded as a whole: then single words are not told.
    """
    ledger = build_ledger(source.view, output.view, comparison.score.token_alignment.pairs, soft)
    findings = detect_findings(comparison) if found is None else found
    found = [replace(f, source=source.view.whole(f.source), output=output.view.whole(f.output)) for f in findings]
    found = _without_forms(found, comparison, ledger)
    start, end, stop = differing(comparison.source.words, comparison.output.words)
    is_one_place = max(end, stop) - start <= _FEW_WORDS
    if found and (is_one_place or (found[0].kind == "question" and _is_reordered(comparison))):
        found[0] = replace(found[0], is_alone=True)
    reworded = "whole" if is_reworded else "part" if _is_reworded(comparison) else ""
    facts = list(_of_ledger(ledger, comparison, with_limits=not reworded))
    found = [replace(f, is_shown=f.kind not in HIDDEN and _is_told(f, comparison, reworded)) for f in found]
    found += _unreadable(source, output)
    if not any(f.is_shown for f in (*facts, *found)) and _is_reordered(comparison):
        found.append(Finding("order", say("order"), weight=WEIGHTS["order"]))
    spans = (_located(finding, source, output) for finding in (*facts, *found))
    return Evidence(tuple(sorted(spans, key=lambda finding: (not finding.is_certain, -finding.weight))), ledger)


def _without_forms(found: Sequence[Finding], comparison: Comparison, ledger: Ledger) -> list[Finding]:
    """Return findings without those of words that say the same in another way, and with what is true of the others."""
    found = _without_opposites(_without_equals(found, ledger, comparison), comparison)
    found = [_in_place(_of_common_noun(f, comparison), comparison) for f in found]
    found = [f for f in (really_unsaid(comparison, f) if f.kind == "unsaid" else f for f in found) if f is not None]
    found = [f for f in found if not (_is_duty_elsewhere(f, comparison) or _is_relative(f, comparison))]
    return without_futures(without_inversions(found, comparison, ledger), comparison)


def _is_relative(finding: Finding, comparison: Comparison) -> bool:
    """Return whether the time is that of a participle, which says when no more than its relative clause does.

    *The plant named in the order* is *the plant that the order names*.
    """
    if finding.kind != "tense" or not (finding.source and finding.output):
        return False
    sides = (comparison.source, finding.source[0]), (comparison.output, finding.output[0])
    is_led = [not _RELATIVE.isdisjoint(view.words[max(0, at - _FROM_VERB) : at]) for view, at in sides]
    if is_led[0] == is_led[1]:
        return False
    view, at = sides[is_led[0]]
    is_behind_noun = at > 0 and view.is_content[at - 1] and view.words[at].endswith("ed")
    return is_behind_noun and len(view.tenses) > 1  # another verb is that of the sentence


def _is_duty_elsewhere(finding: Finding, comparison: Comparison) -> bool:
    """Return whether a *must* is gone or new where the other text obliges otherwise: *Fit it*, *the rent is due*."""
    if finding.kind != "modality" or bool(finding.source) == bool(finding.output):
        return False
    own, places, other = (
        (comparison.source, finding.source, comparison.output)
        if finding.source
        else (comparison.output, finding.output, comparison.source)
    )
    first = 1 if other.words[:1] == ("please",) else 0
    is_told_to = first in other.verbs and other.tenses.get(first) == "bare"
    is_obliged = is_told_to or not COMPARING["obliging"].isdisjoint(other.words)
    return is_obliged and all(own.entries[i].modal in _DUTIES for i in places)


def _in_place(finding: Finding, comparison: Comparison) -> Finding:
    """Return a finding of one side, with a sentence that also names the word in its place on the other side."""
    if finding.kind not in _ONE_SIDED or bool(finding.source) == bool(finding.output):
        return finding
    for source, output in comparison.groups:
        if not (len(source) == len(output) == 1 and finding.is_within(set(source), set(output))):
            continue
        words = comparison.source.entries[source[0]], comparison.output.entries[output[0]]
        if all(word.is_word and not word.is_article for word in words):
            text = say("unsaid", words_at(comparison.source, source), words_at(comparison.output, output))
            return replace(finding, text=text)
    return finding


def _of_ledger(ledger: Ledger, comparison: Comparison, *, with_limits: bool) -> Iterator[Finding]:
    """Yield the findings of facts that certainly changed, each shown once, and then those of values that may have.

    ``with_limits`` says whether limits that may have changed are told, too.
    """
    certain = ledger.findings
    for k, fact in enumerate(certain):
        # An exchange is told once.
        before = [(other.old, other.new) for other in certain[:k] if fact.kind == other.kind == "exchanged"]
        is_new = (fact.new, fact.old) not in before
        is_alone = ledger.is_all and fact.kind != "moved"  # the same words may be about the same things
        yield replace(_of_fact(fact, is_certain=True, is_alone=is_alone), is_shown=is_new)
    kinds = _VALUES | {"bound"} if with_limits else _VALUES
    for fact in dict.fromkeys(ledger.entries):
        old, new = {comparison.source.words[i] for i in fact.source}, {comparison.output.words[j] for j in fact.output}
        # Other words may say a unit that was only left out or put in: 34 years of age, 34.
        is_less = fact.kind == "unit" and (old <= new or new <= old)
        is_changed = fact.status == "changed" and fact.kind in kinds and not is_less
        is_told = any({*fact.source} <= {*other.source} and {*fact.output} <= {*other.output} for other in certain)
        if is_changed and not is_told:
            yield _of_fact(fact, is_certain=False)


def show(
    findings: Sequence[Finding],
    source: Analysis,
    output: Analysis,
    comparison: Comparison,
    *,
    verdict: str,
    policy: str,
    is_reworded: bool = False,
    is_likely: bool = False,
    is_unlikely: bool = False,
    is_corrected: bool = False,
) -> tuple[Finding, ...]:
    """Return findings, each marked with whether people are told it, and one that says so where nothing else is told.

    Of a change that is kept they are told none: the judge has weighed the findings, and they did not count. Of another
    change they are told the certain ones that the policy does not allow, and the gravest others; of several about the
    same words the gravest one. Of corrections they are always told which words were exchanged besides: the judge weighs
    these together with errors that were mended.

    Args:
        findings: those of :func:`gather`.
        is_reworded: whether the text was reworded as a whole.
        is_likely: whether at the default risk the pair would be kept: then people are told what is grave alone.
        is_unlikely: whether it probably says something else, by the judge.
        is_corrected: whether errors were corrected.
    """
    exchanged = _exchanged(findings, comparison) if is_corrected else []
    least = CLEAR_WEIGHT if is_likely else LIGHT_WEIGHT if verdict == "drop" else 0.0
    allowed = [finding for finding in findings if finding.is_certain and finding.allowed_by == policy]
    told = [f for f in findings if f.is_shown and f not in allowed and (f.is_certain or f.weight >= least)]
    told = [f for f in findings if (f in told and verdict != "keep") or f in exchanged]
    # Of a text in another language that is all: a noun of German, say, is no name.
    told = [finding for finding in told if finding.kind == "language"] or told
    heaviest = max((LEAST_WEIGHT / SHOWN_SHARE, *(finding.weight for finding in told)))
    to_output, to_source = {}, {}
    for i, j in comparison.score.token_alignment.pairs:
        to_output[int(i)], to_source[int(j)] = int(j), int(i)
    about: tuple[set[int], set[int]] = (set(), set())
    marked = []
    for finding in findings:
        source_places, output_places = _telling(finding, comparison)
        adds = not (about[0].issuperset(source_places) and about[1].issuperset(output_places))
        is_grave = finding.is_certain or finding in exchanged or finding.weight >= heaviest * SHOWN_SHARE
        is_shown = finding in told and is_grave and (adds or not (finding.source or finding.output))
        if is_shown:
            about[0].update(finding.source, (to_source[j] for j in finding.output if j in to_source))
            about[1].update(finding.output, (to_output[i] for i in finding.source if i in to_output))
        marked.append(replace(finding, is_shown=is_shown))
    if verdict != "keep" and not any(finding.is_shown for finding in marked):
        untold = _untold(comparison, is_reworded=is_reworded, is_likely=is_likely, is_unlikely=is_unlikely)
        marked.append(_located(untold, source, output))
    return tuple(marked)


def _telling(finding: Finding, comparison: Comparison) -> tuple[Sequence[int], Sequence[int]]:
    """Return the places that a finding tells of; of what the reader misses the content words: the year of *in 2021*."""
    a, b = comparison.source, comparison.output
    if finding.kind != "unsaid":
        return finding.source, finding.output
    source = [i for i in finding.source if not a.entries[i].is_function]
    output = [j for j in finding.output if not b.entries[j].is_function]
    return (source, output) if source or output else (finding.source, finding.output)


def _exchanged(findings: Sequence[Finding], comparison: Comparison) -> list[Finding]:
    """Return the findings of words that gave way to others of another meaning, besides the errors that were mended."""
    if len(comparison.gone) == len(comparison.new) == 1:  # what was exchanged is the error
        return []
    apart = {((m.source,), (m.output,)) for m in comparison.matches if m.chars < _SAME_LETTERS}
    return [
        finding
        for finding in findings
        if finding.kind in (*_REPLACED, "opposite") and finding.weight >= LIGHT_WEIGHT
        if (finding.source, finding.output) in apart and _may_stand_for(comparison, finding)
    ]


def _of_fact(fact: Fact, *, is_certain: bool, is_alone: bool = False) -> Finding:
    """Return the finding that a fact changed, is gone or is new."""
    case = _FINDINGS.get(fact.kind, fact.kind if fact.kind in KINDS else f"fact.{fact.kind}")
    if fact.kind == "way" and "by" in (fact.old.lower().split(" ")[0], fact.new.lower().split(" ")[0]):
        case = "fact.construction"  # "to" is the opposite of "from", and not of "by"
    alone = f"{case}.alone" if not (fact.old and fact.new) else case
    old, new = (shorten(words, _LONGEST_QUOTE, placeholder=" …") for words in (fact.old, fact.new))
    return Finding(
        case.partition(".")[0],
        say(alone if alone in SENTENCES else case, old, new),
        fact.source,
        fact.output,
        weight=FACT_WEIGHT,
        is_certain=is_certain,
        is_alone=is_alone,
        allowed_by=_ALLOWED_BY.get(fact.status, "") if is_certain and fact.kind not in LIMITS else "",
    )


def _without_equals(found: Sequence[Finding], ledger: Ledger, comparison: Comparison) -> list[Finding]:
    """Return findings without those about the words of equal values, and of numbers that are said once for several.

    *Every two years* is *every second year*; *Ann is thirty and Ben is thirty* is *both are thirty*.
    """
    kept = [entry for entry in ledger.entries if entry.status == "kept" and entry.kind in ("number", "time", "date")]
    source, output = {i for entry in kept for i in entry.source}, {j for entry in kept for j in entry.output}
    a, b = comparison.source, comparison.output
    said = {a.words[i] for i in source}, {b.words[j] for j in output}

    def is_of_equal_value(finding: Finding) -> bool:
        if finding.kind not in _OF_VALUES:
            return False
        if source.issuperset(finding.source) and output.issuperset(finding.output):
            return True
        words = {a.words[i] for i in finding.source}, {b.words[j] for j in finding.output}
        return finding.kind == "number" and not all(words) and words[0] <= said[1] and words[1] <= said[0]

    return [finding for finding in found if not is_of_equal_value(finding)]


def _without_opposites(found: Sequence[Finding], comparison: Comparison) -> list[Finding]:
    """Return findings without opposites that are none.

    A negation that is gone or new beside an opposite word takes it back (*not above*, *below*), as does *less* before
    one of both (*less difficult*, *easier*). A negation within a bound or a deadline (*no later than*) denies nothing,
    and one that gave way to an equal form (*without*, *unless*) turns nothing round, as does an equal phrase (*rarely*,
    *almost never*). Of two negations in different places each takes back its own word.
    """
    sides, equal = (comparison.source, comparison.output), equal_phrases(comparison)
    found = [_beside_less(f, comparison) for f in found if not f.is_within(*equal)]
    turned = next((f for f in found if f.kind == "negation" and f.weight > WEIGHTS["negation.opposite"]), None)
    if turned and (alike := equal_forms(comparison, turned)):
        return [f for f in found if not f.is_within(*alike)]
    negation = next((f for f in found if f.kind == "negation" and not (f.source and f.output)), None)
    opposite = next((f for f in found if f.kind in ("opposite", "direction") and f.source and f.output), None)
    if negation is None or opposite is None:
        found = [f for f in found if not (f.kind == "opposite" and is_turned_back(comparison, f.source, f.output))]
        bounds = [{i for cue in view.cues if cue.kind in _BOUNDS for i in cue.places} for view in sides]
        return [f for f in found if f.kind != "negation" or not f.is_within(*bounds)]
    source = tuple(sorted({*negation.source, *opposite.source}))
    output = tuple(sorted({*negation.output, *opposite.output}))
    text = say("negation.opposite", words_at(sides[0], source), words_at(sides[1], output))
    both = replace(negation, text=text, source=source, output=output, weight=WEIGHTS["negation.opposite"])
    return sorted([*(f for f in found if f not in (negation, opposite)), both], key=lambda f: -f.weight)


def _of_common_noun(finding: Finding, comparison: Comparison) -> Finding:
    """Return a finding; one of a name calls no common noun a name that one text writes as one: *Supplier*."""
    sides = ((comparison.source, finding.source), (comparison.output, finding.output))
    words = [(view, i) for view, places in sides for i in places]
    named = [(view, i) for view, i in words if view.tokens[i][0].isupper()]
    if finding.kind != "name" or len(named) != 1 or len(words) == 1:
        return finding
    ((view, i),) = named
    if not (i and view.entries[i - 1].is_article and all(view.entries[i].word.known for view, i in words)):
        return finding
    text = say("unrelated", words_at(comparison.source, finding.source), words_at(comparison.output, finding.output))
    return replace(finding, text=text)


def _beside_less(finding: Finding, comparison: Comparison) -> Finding:
    """Return a finding; an opposite of which one word stands behind *less* as words that may mean something else."""
    sides = ((comparison.source, finding.source), (comparison.output, finding.output))
    less = [bool(at) and at[0] > 0 and view.words[at[0] - 1] == "less" for view, at in sides]
    if finding.kind != "opposite" or less[0] == less[1]:
        return finding
    source, output = ((at[0] - 1, *at) if is_less else at for (_, at), is_less in zip(sides, less, strict=True))
    text = say("sense", words_at(comparison.source, source), words_at(comparison.output, output))
    return replace(finding, kind="sense", text=text, source=source, output=output, weight=WEIGHTS["sense.similar"])


def _unreadable(source: Analysis, output: Analysis) -> Iterable[Finding]:
    """Yield that usim cannot read what changed: a very long word, letters that look like others, another language."""
    if source.tokens == output.tokens and source.text == output.text:
        return
    long_words = [[word for word in side.tokens if len(word) > LONGEST_WORD] for side in (source, output)]
    if long_words[0] != long_words[1]:
        yield Finding("unreadable", say("unreadable.long"), weight=UNSURE_WEIGHT)
    if unseen_differences(source.text, output.text).is_alike:
        yield Finding("unreadable", say("unreadable.letters"), weight=UNSURE_WEIGHT)
    language = language_of_pair(source.text, output.text)
    if is_foreign(language):
        yield Finding("language", say("language", str(language)), weight=UNSURE_WEIGHT)


def _is_reordered(comparison: Comparison) -> bool:
    words, others = ([e.form for e in view.entries if e.is_word] for view in (comparison.source, comparison.output))
    return words != others and Counter(words) == Counter(others)


def _untold(comparison: Comparison, *, is_reworded: bool, is_likely: bool, is_unlikely: bool) -> Finding:
    """Return the finding that usim cannot tell: of what alone was left out or added, or of one reworded place."""
    how = ".likely" if is_likely else ".unlikely" if is_unlikely else ""
    sides = ((comparison.source, comparison.gone), (comparison.output, comparison.new))
    gone, new = (tuple(i for i in places if view.entries[i].is_word) for view, places in sides)
    if comparison.in_order and bool(gone) != bool(new):
        words = words_at(comparison.source, gone) or words_at(comparison.output, new)
        case = f"reworded.{'cut' if gone else 'longer'}{how}"
        text = say(case, shorten(words, _LONGEST_QUOTE, placeholder=" …"))
        return Finding("reworded", text, gone, new, weight=UNSURE_WEIGHT)
    most = _WHOLE_SHARE * sum(entry.is_word for view, _ in sides for entry in view.entries)
    start, end, stop = differing(comparison.source.words, comparison.output.words)
    if not is_likely and start < min(end, stop) and end + stop - 2 * start <= most:
        at, to = tuple(range(start, end)), tuple(range(start, stop))
        quoted = (words_at(view, places) for (view, _), places in zip(sides, (at, to), strict=True))
        text = say(f"reworded.one{how}", *(shorten(words, _LONGEST_QUOTE, placeholder=" …") for words in quoted))
        return Finding("reworded", text, at, to, weight=UNSURE_WEIGHT)
    is_whole = is_reworded and len(gone) + len(new) > most
    where = "" if is_whole or is_likely else ".part"
    return Finding("reworded", say(f"reworded{where}{how}"), weight=UNSURE_WEIGHT)


def _is_told(finding: Finding, comparison: Comparison, reworded: str) -> bool:
    """Return whether a finding is told of a text that was reworded as a ``whole``, in ``part``, or not.

    In part it is if it is clear. Of several words at one place none is said to become any other.
    """
    if reworded == "whole":
        return finding.kind in IN_REWORDED
    if reworded:
        return (finding.is_clear or finding.kind in IN_REWORDED) and finding.weight >= CLEAR_WEIGHT
    if finding.kind not in _REPLACED or _may_stand_for(comparison, finding):
        return True
    about = finding.source, finding.output
    return any(len(group.source) == len(group.output) == 1 and about == group for group in comparison.groups)


def _is_reworded(changes: Comparison) -> bool:
    """Return whether much of a text changed or moved, at more than one place."""
    count = len(changes.source.words) + len(changes.output.words)
    swapped = sum(len(group.source) == len(group.output) == 1 for group in changes.groups)
    share = (len(changes.gone) + len(changes.new) + 2 * (len(changes.moved) - swapped)) / max(1, count)
    return share >= _REWORDED_SHARE and len(changes.groups) + len(changes.moved_runs) > 1


def _may_stand_for(changes: Comparison, finding: Finding) -> bool:
    """Return whether the two words of a finding are related, or of one part of speech where they stand."""
    if len(finding.source) != 1 or len(finding.output) != 1:
        return True
    (i,), (j,) = finding.source, finding.output
    a, b = changes.source, changes.output
    between = relation(a.words[i], b.words[j])
    if between.known and (between.synonym or between.derived or between.hypernym or between.similar or between.sibling):
        return True
    if a.is_content[i] != b.is_content[j] or not are_of_one_class(a, i, b, j):
        return False
    if i in a.verbs or a.names.isdisjoint((i,)) != b.names.isdisjoint((j,)):
        return True
    shares = a.entries[i].word.parts, b.entries[j].word.parts
    parts = [{part for part, share in own.items() if part != "v" and share >= _PART_SHARE} for own in shares]
    return not all(parts) or not parts[0].isdisjoint(parts[1])


def _located(finding: Finding, source: Analysis, output: Analysis) -> Finding:
    """Return a finding with the places of its words in both texts, as far as they stand there."""
    return replace(
        finding,
        source_spans=tuple(span for i in finding.source if (span := source.spans[i]) is not None),
        output_spans=tuple(span for j in finding.output if (span := output.spans[j]) is not None),
    )
