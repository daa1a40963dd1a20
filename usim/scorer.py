"""From two sentences to a score and a judgement: what most users need.

>>> Scorer().score("He go to school.", "He goes to school.").judgement.verdict
'keep'
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Self

from usim.documents import TextComparison, compare_texts, judge_in_blocks
from usim.errors import InputError, LanguageWarning
from usim.evidence import Sentence
from usim.judge import AnalysisCache, Judge, Policy, Result, Thresholds
from usim.options import Options
from usim.parsing import Parser
from usim.rewrites import Best, Repair, repair, rewrite
from usim.servers.llm import ChatModel
from usim.signature import Signature
from usim.text import Context, as_list, check_batch, check_length, check_pair, is_foreign
from usim.ucca import Graph

#: A sentence before and after a change, perhaps with the text around both.
Pair = tuple[Sentence, Sentence] | tuple[Sentence, Sentence, Context | None]

# Pairs a batch: enough to group sentences of like length, and so few that the vectors of all are still kept when pairs
# of several sentences are judged once more in blocks.
_BATCH = 64


class Scorer:
    """Parses, scores and judges pairs of sentences. Threads may share it.

    Args:
        options: all choices at once.
        given: single choices instead of ``options``: the attributes of :class:`usim.options.Options`, such as
            ``model``, ``parser``, ``judge``, ``keep`` and ``drop``.

    Attributes:
        options: what the scorer was made from.
        pipeline: the parser and the judge at work together.
        sources: the analyses of the latest sources, see :class:`usim.judge.AnalysisCache`.

    Raises:
        ParsingError: the parser or the judge cannot be loaded; with all methods, a sentence cannot be parsed.
        OptionError: an option does not exist or contradicts another; with all methods, there is no such policy.
        UsimError: a package that an option needs is not installed.
        InputError: with all methods, something is no text, or too long (:func:`usim.text.check_length`).
    """

    def __init__(self, *, options: Options | None = None, **given: Any) -> None:
        self.options = options or Options(**given)
        self.pipeline = self.options.load_pipeline()
        self.sources = AnalysisCache()

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the scorer to another process as its options; that process loads the models."""
        return partial(Scorer, options=self.options), ()

    @property
    def parser(self) -> Parser:
        """The parser."""
        return self.pipeline.analyser.parser

    @property
    def judge(self) -> Judge:
        """The judge."""
        return self.pipeline.judge

    @property
    def thresholds(self) -> Thresholds:
        """Where verdicts change."""
        return self.pipeline.thresholds

    @property
    def signature(self) -> Signature:
        """What the results were made with, e.g. ``usim|parser:en-1.0|…|judge:usim|keep:0.9|drop:0.6|v:1.0.0rc1``."""
        return self.pipeline.signature

    def under(self, policy: Policy | None, *, risk: float | None = None) -> Self:
        """Return this scorer with another policy or risk, if one is given; both share parser, judge and caches.

        Raises:
            OptionError: there is no such policy, or the judge does not know such a risk.
        """
        own = self.options
        options = replace(own, policy=policy or own.policy, risk=own.risk if risk is None else risk)
        if options == self.options:
            return self
        other = copy.copy(self)
        other.options = options
        options.thresholds_for(self.judge)
        other.pipeline = copy.copy(self.pipeline)
        other.pipeline.policy, other.pipeline.risk = options.policy, options.risk_share
        return other

    def parse(self, sentences: Sequence[Sentence], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences, in batches; see :meth:`usim.parsing.Parser.parse`.

        Raises:
            ParsingError: ``sentences`` is a single string, or there are not as many ids as sentences.
        """
        check_batch(sentences, ids)
        for sentence in sentences:
            check_length(sentence, max_tokens=self.options.max_tokens)
        return self.parser.parse([self.options.sentence_of(sentence) for sentence in sentences], ids=ids)

    def score(self, source: Sentence | Graph, output: Sentence | Graph, context: Context | None = None) -> Result:
        """Parse and score one pair.

        Args:
            source, output: the sentence before and after the change; or the graphs of both, see :meth:`score_graphs`.
            context: the text around both, see :func:`usim.text.context_between`.

        Two empty texts say the same, so they are kept; a note of the result says that there was nothing to compare.
        """
        if isinstance(source, Graph) and isinstance(output, Graph):
            return self.score_graphs(source, output)
        if isinstance(source, Graph) or isinstance(output, Graph):
            raise InputError("a graph needs another graph: parse the sentence, Scorer.parse([sentence])")
        (result,) = self.score_pairs([(source, output, context)])
        return result

    def score_pairs(self, pairs: Iterable[Pair], *, batch: int = _BATCH) -> Iterator[Result]:
        """Parse and score pairs; results come in the order of the pairs.

        Memory holds ``batch`` pairs at a time; each distinct sentence among them is parsed once. The rows of a numpy
        array are pairs as well. If one network reads a pair of several sentences as a whole, the pair is judged as a
        whole; otherwise it is as faithful as the worst of its blocks (:func:`usim.documents.judge_in_blocks`). Where
        something is no pair, or too long, no pair of its batch has a result.
        """
        stream = iter(pairs)
        while block := list(map(as_list, islice(stream, batch))):
            for pair in block:
                check_pair(pair)
                for sentence in pair[:2]:
                    check_length(sentence, max_tokens=self.options.max_tokens)
            sentence_of = self.options.sentence_of
            sentences = [(sentence_of(source), sentence_of(output)) for source, output, *_ in block]
            contexts = [pair[2] if len(pair) == 3 else None for pair in block]
            judged = self.pipeline.judge_pairs(sentences, contexts, cache=self.sources)
            whole = judge_in_blocks(self.pipeline, sentences, judged)
            for result in whole:
                warn_of_language(result.language)
                yield result

    def best(
        self, source: str, candidates: Iterable[str], *, policy: Policy | None = None, context: Context | None = None
    ) -> Best:
        """Score several rewrites of a text, and return the most faithful one that is kept, if there is one.

        Args:
            source: the text.
            candidates: its rewrites. If the text itself is among them, it is kept with faithfulness 1.
            policy: what a rewrite may do, see :class:`usim.options.Options`; by default the scorer's own.
            context: the text around it.

        Raises:
            InputError: there are no candidates.
        """
        if isinstance(candidates, str):
            raise TypeError("candidates must be a list of texts; for one, pass [candidate]")
        scorer = self.under(policy)
        return Best(tuple(scorer.score_pairs((source, candidate, context) for candidate in candidates)))

    def repair(
        self, source: str, output: str, *, policy: Policy | None = None, model: ChatModel | None = None, tries: int = 3
    ) -> Repair:
        """Undo the fewest changes after which an output keeps the meaning of its source.

        Args:
            source, output: the texts.
            policy: what the output may do, see :class:`usim.options.Options`; by default the scorer's own.
            model: a language model that first writes the output anew; it gets the findings against the output.
            tries: how often the model is asked.

        Raises:
            LlmError: the model's server does not answer.
        """
        check_text(source)
        check_text(output)
        scorer = self.under(policy)
        return repair(scorer, source, output) if model is None else rewrite(scorer, source, output, model, tries=tries)

    def compare_texts(
        self, before: str, after: str, *, policy: Policy | None = None, is_markdown: bool = False
    ) -> TextComparison:
        """Compare two versions of a text, whose sentences need not match one to one.

        Args:
            before, after: the texts, of at most :data:`usim.documents.MAX_CHARACTERS`.
            policy: what may happen to the content: ``same``, nothing; ``shorten``, sentences may be left out;
                ``expand``, sentences may be added; by default the scorer's own.
            is_markdown: whether the texts are Markdown, whose code and links are compared as they are.
        """
        check_text(before)
        check_text(after)
        pipeline, most = self.under(policy).pipeline, self.options.max_tokens
        comparison = compare_texts(pipeline, before, after, is_markdown=is_markdown, max_tokens=most)
        warn_of_language(comparison.language)
        return comparison

    def score_graphs(
        self, source_graph: Graph, output_graph: Graph, *, source: str | None = None, output: str | None = None
    ) -> Result:
        """Score two given graphs; the texts come from them, unless they are given.

        A judge that reads vectors of words gets them from the tokens of the graphs.
        """
        given = ((source, source_graph), (output, output_graph))
        before, after = (graph.text() if text is None else text for text, graph in given)
        result = self.pipeline.judge_graphs(source_graph, output_graph, (before, after))
        warn_of_language(result.language)
        return result


def warn_of_language(language: str | None) -> None:
    """Issue a warning, which Python shows once, if a language is not English."""
    if is_foreign(language):
        message = f"a text seems not to be English ({language}): usim reads English, and the result means little"
        warnings.warn(message, LanguageWarning, stacklevel=2)


def check_text(text: object) -> None:
    """Raise an InputError if something is no string."""
    if not isinstance(text, str):
        raise InputError(f"a text must be a string, not of type {type(text).__name__}", text=repr(text))
