"""The screen: which suggestions of a writing assistant may be shown.

>>> from usim import Screen
>>> screen = Screen()                                          # loads the parser and the judge once
>>> text = "She bought a big house. It was an old one."
>>> big, old = screen.screen(text, 34, 37, ["big", "old"])
>>> big.text, old.verdict                                      # the text says old already
('She bought a big house. It was a big one.', 'keep')

The screen puts a substitute into its text as a writer would (:mod:`usim.suggestions`) and judges the sentence around it
before and after (:mod:`usim.judge`). A source sentence is analysed once, however many suggestions it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from usim.errors import InputError, UsimError
from usim.evidence import Finding
from usim.judge import AnalysisCache
from usim.options import Options
from usim.records import Line, Part, Record, bad_record
from usim.scorer import Scorer, check_text, warn_of_language
from usim.signature import Signature
from usim.suggestions import Inflector, Suggestion, check_span
from usim.text import Context, check_length, context_of, unseen_differences
from usim.text.codec import values_of
from usim.text.lru import LRUCache
from usim.verdicts import Cause, Judgement, Result, Verdict

_BLOCK = 256  # changed sentences a block: enough to group sentences of like length, few enough to stay responsive
_SIZE = 500  # characters that a verdict counts as, besides its sentences

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class SuggestionResult:
    """What usim says about one suggestion.

    Attributes:
        substitute: the substitute, or the correction, as it was given.
        text: the whole text after the change.
        judgement: how faithful the change is, what to do, and why, as of a :class:`usim.judge.Result` without graphs.
            The places of tokens in findings count within ``source`` and ``output``.
        usim: USim in one number, in [0, 1].
        source: the sentence around the target before the change, or the sentences that the change reaches into.
        output: the same after the change.
        offset: where that sentence begins in the whole text, before and after the change, in characters from 0; to be
            added to the place of a finding.
        language: the language of both sentences, see :func:`usim.text.language_of_pair`.
    """

    substitute: str
    text: str
    judgement: Judgement
    usim: float
    source: str
    output: str
    offset: int = 0
    language: str | None = None

    @property
    def faithfulness(self) -> float:
        """The faithfulness of the judgement, in [0, 1]; 1 where nothing changed."""
        return self.judgement.faithfulness

    @property
    def verdict(self) -> Verdict:
        """The verdict of the judgement: ``keep``, ``review`` or ``drop``."""
        return self.judgement.verdict

    @property
    def cause(self) -> Cause | None:
        """What decided, and what *keep* and *drop* need for this kind of change."""
        return self.judgement.cause

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What speaks against the change, the gravest first."""
        return self.judgement.findings

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that people see, see :attr:`usim.judge.Judgement.shown`."""
        return self.judgement.shown

    @property
    def notes(self) -> tuple[str, ...]:
        """What does not change the meaning: other characters that look the same, and a new error of grammar."""
        return (*unseen_differences(self.source, self.output).notes, *self.judgement.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the whole text as JSON values."""
        names = "substitute faithfulness verdict cause findings usim source output offset language".split()
        values: dict[str, Any] = values_of({name: getattr(self, name) for name in names})
        return values | ({"notes": list(self.notes)} if self.notes else {})

    def __repr__(self) -> str:
        figures = f"faithfulness {self.faithfulness:.3f}, USim {self.usim:.3f}"
        return f"<SuggestionResult {self.substitute!r}: {self.verdict}, {figures}>"


class Screen:
    """Screens suggestions: puts each substitute into its text, and judges the sentence around it.

    If no parser is named and the judge reads words, a substitute with the part of speech of its target takes the
    target's place in the graph of the source (:mod:`usim.judge.substituted`), so a list of suggestions needs one parse.

    Attributes:
        scorer: the scorer with the parser and the judge, made from the same arguments.
        sources: the analyses of the latest sources, see :class:`usim.judge.AnalysisCache`.
        remembered: earlier verdicts, if this is set to a :class:`VerdictCache`; by default None.

    Raises:
        InputError: with all methods, something is no text, or a sentence is too long (:func:`usim.text.check_length`).
        SuggestionError: with all methods, a span lies outside of its text or cuts a word.
        ParsingError: with all methods, a sentence cannot be parsed.
    """

    def __init__(self, *, options: Options | None = None, **given: Any) -> None:
        self.scorer = Scorer(options=options, **given)
        self._inflector = Inflector() if self.scorer.options.inflect else None
        self._in_place = self.scorer.options.parser is None and self.scorer.judge.encoder is not None
        self.sources = AnalysisCache()
        self.remembered: VerdictCache | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the screen to another process as its options, as a scorer is."""
        return partial(Screen, options=self.scorer.options), ()

    @cached_property
    def signature(self) -> Signature:
        """What the verdicts were made with, e.g. ``usim|parser:en-1.0|…|judge:usim|keep:0.9|drop:0.6|v:1.0.0rc1``."""
        graphs = {"substitutes": "in-place"} if self._in_place else {}
        inflected = {} if self._inflector is None else {"inflect": self._inflector.name}
        return self.scorer.signature.extended(graphs, inflected)

    def screen(self, sentence: str, start: int, end: int, substitutes: Iterable[str]) -> list[SuggestionResult]:
        """Screen the substitutes of one target.

        Args:
            sentence: a sentence, or a longer text. Only the sentence around the target is parsed.
            start, end: the target, in characters from 0, the end exclusive; equal to insert something.
            substitutes: what may stand in its place; an empty one deletes the target.
        """
        if isinstance(substitutes, str):
            raise TypeError("substitutes must be a list of strings; for one, pass [substitute]")
        check_text(sentence)
        check_span(sentence, start, end)
        (screened,) = self.screen_texts([(sentence, [Suggestion(s, (start, end)) for s in substitutes])])
        return screened

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[SuggestionResult]]:
        """Screen the suggestions of many texts, which may be a stream; yield for each the results in their order."""
        for _, screened in self._stream((None, self._changes(text, suggestions)) for text, suggestions in texts):
            yield screened

    def screen_records(self, parts: Iterable[Part]) -> Iterator[tuple[Part, list[SuggestionResult]]]:
        """Screen the records of a file, as :func:`usim.records.read_suggestions` yields its parts.

        Each part comes out with the results of its suggestions, in their order; bad records, and the text between them,
        without results. A record whose suggestions do not fit its text comes out as a bad one. Memory holds some
        hundred suggestions at a time.

        Raises:
            InputError, FormatError: the file cannot be read, or not to its end; earlier parts have come out by then.
        """
        return self._stream(map(self._part, parts))

    def _part(self, part: Part) -> tuple[Part, list[_Change]]:
        if not isinstance(part, Record):
            return part, []
        try:
            return part, self._changes(part.text, part.suggestions)
        except InputError as problem:
            return bad_record(problem, part.id, Line(part.line, part.raw), None), []

    def _changes(self, text: str, suggestions: Iterable[object]) -> list[_Change]:
        check_text(text)
        changes = []
        for suggestion in suggestions:
            if not isinstance(suggestion, Suggestion):
                kind = type(suggestion).__name__
                raise InputError(f"a suggestion must be a usim.Suggestion with its words and their span, not a {kind}")
            check_text(suggestion.substitute)
            placed = suggestion.placed(text, self._inflector)
            (start, end), (new_start, new_end) = placed.around(text)
            # The text around the sentence is the same before and after: no edit reaches beyond the sentence.
            context = context_of(text, start, end) if self.scorer.pipeline.reads_context else None
            output = placed.text[new_start:new_end]
            for sentence, what in ((text[start:end], "a sentence"), (output, "a changed sentence")):
                check_length(sentence, what, max_tokens=self.scorer.options.max_tokens)
            changes.append(_Change(suggestion.substitute, placed.text, text[start:end], output, start, context))
        return changes

    def _stream(self, items: Iterable[tuple[T, list[_Change]]]) -> Iterator[tuple[T, list[SuggestionResult]]]:
        for block in _blocks(items):
            screened = self._screen_changes([change for _, changes in block for change in changes])
            for item, changes in block:
                yield item, list(islice(screened, len(changes)))

    def _screen_changes(self, changes: Sequence[_Change]) -> Iterator[SuggestionResult]:
        for start in range(0, len(changes), _BLOCK):
            block = changes[start : start + _BLOCK]
            known = [None if self.remembered is None else self.remembered.recall(change) for change in block]
            new = [change for change, result in zip(block, known, strict=True) if result is None]
            pairs, contexts = [(change.source, change.output) for change in new], [change.context for change in new]
            judge = self.scorer.pipeline.judge_pairs
            judged = iter(judge(pairs, contexts, cache=self.sources, in_place=self._in_place))
            for change, result in zip(block, known, strict=True):
                if result is None:
                    result = _screened(change, next(judged))
                    if self.remembered is not None:
                        self.remembered.remember(change, result)
                warn_of_language(result.language)
                yield result


class _Change(NamedTuple):
    """A suggestion put into its text, with the sentence around it before and after, and the text around that."""

    substitute: str
    text: str
    source: str
    output: str
    offset: int
    context: Context | None


#: What a verdict depends on besides the options of the screen: the sentence before and after, and the text around it.
_Key = tuple[str, str, Context | None]


class VerdictCache(LRUCache[_Key, SuggestionResult]):
    """The verdicts of a screen by sentence, for a text that is screened again after a few changes.

    ``room`` is how many characters the sentences may have together, with some hundred more for each verdict. Unless
    ``in_context``, a sentence keeps its first verdicts whatever the text around it becomes, which suits a text that
    somebody is writing.
    """

    def __init__(self, room: int = 2**22, *, in_context: bool = True) -> None:
        super().__init__(room)
        self._in_context = in_context

    def recall(self, change: _Change) -> SuggestionResult | None:
        """Return the verdict on a change; None if the cache lacks it."""
        known = self.get(self._key(change))
        return known and replace(known, substitute=change.substitute, text=change.text, offset=change.offset)

    def remember(self, change: _Change, result: SuggestionResult) -> None:
        """Keep the verdict on a change, unless the judge gave no answer."""
        if result.judgement.is_answered:
            self.keep(self._key(change), replace(result, text=""), _SIZE + len(change.source) + len(change.output))

    def _key(self, change: _Change) -> _Key:
        return change.source, change.output, change.context if self._in_context else None


def _screened(change: _Change, result: Result) -> SuggestionResult:
    substitute, text, source, output, offset, _ = change
    judgement = replace(result.judgement, usim_score=None)
    return SuggestionResult(substitute, text, judgement, result.score, source, output, offset, result.language)


def _blocks(items: Iterable[tuple[T, list[_Change]]]) -> Iterator[list[tuple[T, list[_Change]]]]:
    """Cut a stream into blocks of at most ``_BLOCK`` changes; an item with more is a block of its own.

    An error in reading is raised after the unfinished block, so that nothing read before is lost.
    """
    block: list[tuple[T, list[_Change]]] = []
    size = 0
    try:
        for item in items:
            own = max(1, len(item[1]))  # so that a block ends where no record has suggestions
            if block and size + own > _BLOCK:
                yield block
                block, size = [], 0
            block.append(item)
            size += own
    except UsimError:
        yield block
        raise
    yield block


def ranking(suggestions: Sequence[Suggestion], screened: Sequence[SuggestionResult]) -> list[int]:
    """Return the places of suggestions by target, those of each sorted by their faithfulness, the highest first.

    Suggestions of equal faithfulness stay in their order.

    >>> def screened(faithfulness):
    ...     return SuggestionResult("", "", Judgement(faithfulness, ()), 1.0, "", "")
    >>> targets = [(0, 2), (0, 2), (3, 5), (3, 5)]
    >>> ranking([Suggestion("", target) for target in targets], [screened(f) for f in (0.3, 0.9, 0.2, 0.1)])
    [1, 0, 2, 3]
    """
    order = {span: k for k, span in enumerate(dict.fromkeys(suggestion.span for suggestion in suggestions))}
    return sorted(range(len(suggestions)), key=lambda k: (order[suggestions[k].span], -screened[k].faithfulness))
