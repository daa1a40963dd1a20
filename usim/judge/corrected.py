"""A judge that first asks whether a misspelt word was corrected to the word that was meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from rapidfuzz.distance import Levenshtein

from usim.evidence import Analysis, Finding, say
from usim.judge._base import Judge
from usim.lexicon import word_info
from usim.spelling.edits import has_letter
from usim.spelling.model import EVEN, Correction, CorrectionModel, Corrections, is_related
from usim.spelling.words import NAME, UNKNOWN
from usim.verdicts import Opinion
from usim.verdicts.nouns import MISSPELT
from usim.verdicts.thresholds import corrected_band

if TYPE_CHECKING:
    from usim.evidence import Comparison

#: The kind of its findings.
KIND = "not-meant"
#: A word that is written as a name may be one, unless its correction is at least so probable. The second probability is
#: for the head of a sentence, where all words have a capital; in a title all may be names.
_SURE_OF_NAME, _SURE_AT_HEAD = 0.9, 0.7
#: The least weight of the finding that a name or another word may have been meant: such a correction must be very
#: probable to be kept, see :func:`usim.verdicts.decide.needed`.
_DOUBTED = 0.6
#: So few letters may stand for any word.
_SHORT = 3
#: From this share of common letters on, an unknown word is a misspelling; below it, it may be a word that no table has.
_ALIKE = 0.6


class WithCorrections:
    """A judge of meaning together with a model of corrections; a :class:`usim.judge.Judge`.

    If only misspellings changed, the probability is that of the least probable correction. If something else changed as
    well, it is the lesser of that and the probability of the judge of meaning. If no misspelling changed, the judge of
    meaning decides alone.

    That a word which the source writes as a name was corrected is a finding, unless it is nearly certain: no table has
    all names. If a correction is improbable, but no other word is likelier, the opinion is vague.
    """

    def __init__(self, judge: Judge, model: CorrectionModel) -> None:
        self.name = f"{judge.name}+{model.name}"
        self.encoder = judge.encoder
        self.thresholds = judge.thresholds
        self._judge, self._model = judge, model

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`."""
        corrections = [self._model(source.tokens, output.tokens) for source, output in pairs]
        opinions = zip(self._judge.judge(pairs), corrections, pairs, strict=True)
        return [
            self._with_misspelt(_with_corrections(opinion, found, source.tokens) if found.corrected else opinion)
            for opinion, found, (source, _) in opinions
        ]

    def _with_misspelt(self, opinion: Opinion) -> Opinion:
        """Return an opinion with a certain finding for each word that became a misspelling, or the reverse.

        The reverse is a misspelling that became quite another word than the one that it may stand for. A word that the
        table of words has, though WordNet lacks it, is not said to fit nowhere: *postwoman*.
        """
        if opinion.comparison is None:
            return opinion
        findings, words = list(self._misspelt(opinion.comparison)), opinion.comparison.output.tokens
        told = {(finding.source, finding.output) for finding in findings}
        for finding in opinion.findings or ():
            new = words[finding.output[0]].lower() if len(finding.output) == 1 else ""
            info = word_info(new)
            is_rare = not (info.word.known or info.is_function) and self._model.words[new] != UNKNOWN
            is_unfit = finding.kind == KIND and finding.is_certain
            if (finding.source, finding.output) not in told and not (is_unfit and is_rare):
                findings.append(finding)
        return replace(opinion, findings=tuple(findings))

    def _misspelt(self, changes: Comparison) -> Iterator[Finding]:
        for group in changes.groups:
            if len(group.source) == len(group.output) == 1:
                old, new = changes.source.tokens[group.source[0]], changes.output.tokens[group.output[0]]
                is_name = group.source[0] > 0 and old.islower() and new.istitle()
                if self._is_word(old) and self._is_misspelling(old, new, is_name=is_name):
                    case = f"{KIND}.unfit" if is_name else f"{KIND}.no-word"
                    yield Finding(KIND, say(case, old, new), *group, weight=0.9, is_certain=True)
                elif meant := self._exchanged(changes, group.source[0], group.output[0]):
                    yield Finding(KIND, say(KIND, old, new, meant=meant), *group, weight=0.9, is_certain=True)

    def _exchanged(self, changes: Comparison, i: int, j: int) -> str:
        """Return the word that a misspelling surely stands for, if an unrelated word took its place.

        The misspelling is token ``i`` of the source, the word token ``j`` of the output.

        The result is empty if the word is related to any word that the misspelling may stand for. A wrong form of a
        word, such as *goed*, is no misspelling, and writers often reword what links sentences.
        """
        old, new = changes.source.tokens[i], changes.output.tokens[j]
        # Most corrections are near, so the words that a misspelling may stand for are looked up last.
        if not new.islower() or Levenshtein.normalized_similarity(old, new) >= _ALIKE:
            return ""
        is_misspelling = old.islower() and old.isalpha() and len(old) > _SHORT and not _is_formed(old)
        info = word_info(new)
        if not (is_misspelling and info.word.known and not info.is_function):
            return ""
        words = self._model.words_for(old)
        if not words or word_info(words[0]).is_function or any(is_related(word, new) for word in words):
            return ""
        put = [*changes.output.tokens[:j], words[0], *changes.output.tokens[j + 1 :]]
        found = self._model(changes.source.tokens, put).corrected
        return words[0] if any(c.source == (i,) and c.probability >= _SURE_OF_NAME for c in found) else ""

    def _is_word(self, token: str) -> bool:
        info = word_info(token.lower())
        return info.word.known or info.is_function or self._model.words[token.lower()] != UNKNOWN

    def _is_misspelling(self, old: str, new: str, *, is_name: bool) -> bool:
        """Return whether letters are no word, but nearly a word; names and nouns with accents are no misspellings.

        Letters that stand for a word, not for a name, are no name either: *male* and *Malé*.
        """
        if not old.islower() or not (new.islower() or is_name) or not new.isalpha() or len(new) < 4:
            return False
        if self._is_word(new) or (is_name and self._model.words[old].forms == NAME):
            return False
        plain = "".join(c for c in normalize("NFD", new) if not combining(c))
        if plain != new and not is_name and self._model.words[plain].tags.isdisjoint(("VBD", "VBN")):
            return False
        return Levenshtein.normalized_similarity(old, new.lower()) >= _ALIKE


def _is_formed(word: str) -> bool:
    """Return whether letters are a word with a regular ending, even if the word has no such form."""
    stems = (word.removesuffix(ending) for ending in ("s", "es", "d", "ed", "ing"))
    return any(stem != word and word_info(stem).word.known for stem in stems)


def _with_corrections(opinion: Opinion, found: Corrections, source: Sequence[str]) -> Opinion:
    """Return an opinion of a pair in which misspellings were corrected."""
    is_all = found.is_all
    names = {c.source for c in found.corrected if _may_be_name(c, source)}
    # Within a sentence nobody knows which name was meant.
    corrections = [
        c._replace(better="") if c.source in names and not _is_at_head(c, source) else c for c in found.corrected
    ]
    least = min(corrections, key=lambda c: (c.probability, not c.better))
    spelt = round(least.probability, 5)
    same = spelt if is_all else min(opinion.same, spelt)
    # A word that was not meant is not supported, nor does it cover the word that was meant.
    directions = (1.0, 1.0) if is_all else (opinion.supported, opinion.covered)
    supported, covered = (None if known is None else min(known, spelt) for known in directions)
    # That a verb is now of another time is no matter of spelling.
    findings = [f for f in opinion.findings or () if f.kind == "tense" or not _is_about(f, corrections)]
    findings += [
        _finding(c, is_name=c.source in names)
        for c in corrections
        if c.probability < EVEN or c.is_other or c.source in names
    ]
    return replace(
        opinion,
        same=same,
        supported=supported,
        covered=covered,
        band=MISSPELT if is_all else corrected_band(opinion.band),
        is_vague=same == spelt and not least.better,
        findings=tuple(sorted(findings, key=lambda finding: -finding.weight)),  # the order among equals stays
    )


def _may_be_name(correction: Correction, source: Sequence[str]) -> bool:
    """Return whether a corrected word may be a name: it has a capital as names have it, and is no known misspelling."""
    old, new = correction.old, correction.new
    is_meant = correction.probability >= _SURE_OF_NAME or (correction.is_known and not correction.is_other)
    if is_meant or not (old[:1].isupper() and not old.isupper() and new[:1].isupper()):
        return False
    is_title = not any(token.islower() and len(token) > _SHORT for token in source)
    is_unsure = correction.probability < _SURE_AT_HEAD or word_info(new.lower()).word.is_proper
    return is_title or is_unsure or not _is_at_head(correction, source)


def _is_at_head(correction: Correction, source: Sequence[str]) -> bool:
    return not any(has_letter(token) for token in source[: correction.source[0]])


def _is_about(finding: Finding, corrections: Sequence[Correction]) -> bool:
    """Return whether a finding is only about words of one correction."""
    return bool(finding.source or finding.output) and any(
        set(finding.source) <= set(c.source) and set(finding.output) <= set(c.output) for c in corrections
    )


def _finding(correction: Correction, *, is_name: bool) -> Finding:
    case = KIND if correction.better else f"{KIND}.unclear"
    text = say(case, correction.old, correction.new, meant=correction.better)
    is_certain = correction.is_surely_other and not is_name
    least = _DOUBTED if is_name or correction.is_other else 0.0
    weight = 0.9 if is_certain else max(round(1 - correction.probability, 3), least)
    return Finding(KIND, text, correction.source, correction.output, weight=weight, is_certain=is_certain)
