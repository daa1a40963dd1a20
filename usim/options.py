"""The options that scoring, screening and batches share: which parser, which judge, and how they work.

>>> from usim import Scorer
>>> options = Options(judge="usim", keep=0.8)
>>> Scorer(options=options).thresholds
Thresholds(keep=0.8, drop=0.6)
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from usim.errors import OptionError
from usim.evidence import Sentence
from usim.judge import POLICIES, Judge, JudgePipeline, Policy, Thresholds, load_judge
from usim.measures import DEFAULT, PRESETS, Preset
from usim.parsing import Parser, load
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.registry import MODELS, find_model
from usim.text import MAX_TOKENS
from usim.verdicts.nouns import BANDS
from usim.verdicts.thresholds import DEFAULT_RISK, STRICT_RISK


@dataclass(frozen=True, kw_only=True)
class Options:
    """All that :class:`usim.scorer.Scorer`, :class:`usim.screen.Screen` and :class:`usim.batch.Task` can be asked for.

    Nothing is loaded before it is asked for, so options can be made, compared and sent to other processes at no cost.

    Raises:
        OptionError: there is no such policy.

    Attributes:
        model: the name of a model, for its parser and its judge (:mod:`usim.registry`).
        parser: a parser in place of the model's, or the name of one for :func:`usim.parsing.load`.
        judge: a judge in place of the model's, or the name of one for :func:`usim.judge.load_judge`; ``usim`` for USim
            alone.
        reader: the folder of a cross-encoder of entailment in the place of the trained judge's own reader
            (:class:`usim.judge.CrossEncoder`).
        keep, drop: where verdicts change; by default the judge's own thresholds.
        risk: the share of the kept pairs that may be unfaithful, and of the dropped ones that may be faithful; the
            judge's own thresholds depend on it. ``strict`` is :data:`usim.verdicts.thresholds.STRICT_RISK`.
        policy: what an output may do: ``same``, say the same; ``shorten``, leave details out, but neither add nor
            change anything; ``expand``, add details, but neither leave out nor change anything.
        ask: a judge that is asked about what would be ``review``, or the name of one, such as ``llm:NAME``; it gets no
            other text.
        preset: how graphs are aligned and compared, or the name of a preset in :data:`usim.measures.PRESETS`.
        tokenised: whether the texts of pairs are cut into tokens at blanks. Only for scoring.
        inflect: whether substitutes are lemmas, to be put into the form of their targets
            (:class:`usim.suggestions.Inflector`). Only for screening.
        context: whether the words of a sentence are read together with the text around it, up to
            :data:`usim.text.CONTEXT_PIECES` word pieces on each side, where there is some, by judges that read words.
            By default if that is best for the model (:class:`usim.registry.Model`).
        max_tokens: the most tokens of a text that is judged as one, see :func:`usim.text.check_length`; when screening,
            of the sentence around a suggestion. Texts of more than 5,792 tokens are never aligned.
    """

    model: str = DEFAULT_MODEL
    parser: str | Parser | None = None
    judge: str | Judge | None = None
    reader: str | None = None
    keep: float | None = None
    drop: float | None = None
    risk: float | str = DEFAULT_RISK
    policy: Policy = "same"
    ask: str | Judge | None = None
    preset: str | Preset = DEFAULT
    tokenised: bool = False
    inflect: bool = False
    context: bool | None = None
    max_tokens: int = MAX_TOKENS

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise OptionError(f"no such policy: {self.policy!r}; there are {', '.join(POLICIES)}", option="policy")

    @property
    def risk_share(self) -> float:
        """The risk as a share.

        Raises:
            OptionError: it is neither a share nor ``strict``.
        """
        if self.risk == "strict":
            return STRICT_RISK
        if isinstance(self.risk, str) or not 0 < self.risk < 1:
            raise OptionError(f"a risk lies between 0 and 1, or is strict: {self.risk}", option="risk")
        return self.risk

    def load_parser(self) -> Parser:
        """Return the parser; raise an OptionError where there is no such model, a ParsingError for damaged files."""
        parser = find_model(self.model).parser if self.parser is None else self.parser
        return load(parser) if isinstance(parser, str | PathLike) else parser

    def load_judge(self) -> Judge:
        """Return the judge; raise an OptionError where there is none of that name, a ParsingError for damaged files."""
        judge = find_model(self.model).name if self.judge is None else self.judge
        if isinstance(judge, str):
            return load_judge(judge, preset=self.load_preset(), reader=self.reader)
        if self.reader is not None:
            raise OptionError("a reader belongs to a trained judge that is given by its name", option="reader")
        return judge

    def thresholds_for(self, judge: Judge) -> Thresholds:
        """Return the thresholds for a judge, or its own; raise an OptionError where they contradict each other."""
        own = judge.thresholds
        if self.keep is None and self.drop is None:
            own.at(self.policy, BANDS[0], self.risk_share)  # a risk that the judge does not know is refused
            return own
        keep = own.keep if self.keep is None else self.keep
        drop = own.drop if self.drop is None else self.drop
        if drop > keep:
            both = None not in (self.keep, self.drop)
            hint = "" if both else f"; the judge's own are {own.keep} and {own.drop}: give both"
            raise OptionError(f"drop {drop} is above keep {keep}{hint}", option="thresholds")
        return Thresholds(keep, drop)

    def load_preset(self) -> Preset:
        """Return the preset; raise an OptionError where there is none of this name."""
        if isinstance(self.preset, Preset):
            return self.preset
        if self.preset not in PRESETS:
            raise OptionError(f"no such preset: {self.preset!r}; there are {', '.join(PRESETS)}", option="preset")
        return PRESETS[self.preset]

    def load_pipeline(self) -> JudgePipeline:
        """Return the parser and the judge at work together; see the other methods for the errors."""
        judge = self.load_judge()
        thresholds = self.thresholds_for(judge)  # what contradicts itself is refused before a parser is loaded
        return JudgePipeline(
            self.load_parser(),
            judge,
            thresholds=thresholds,
            preset=self.load_preset(),
            policy=self.policy,
            risk=self.risk_share,
            ask=load_judge(self.ask) if isinstance(self.ask, str) else self.ask,
            reads_context=self.reads_context(),
        )

    def reads_context(self) -> bool:
        """Return whether sentences are read in their text; where nobody said so, as is best for the judge's model."""
        if self.context is not None:
            return self.context
        judge = self.judge if isinstance(self.judge, str) else self.model
        return judge not in MODELS or MODELS[judge].reads_context

    def sentence_of(self, sentence: Sentence) -> str | tuple[str, ...]:
        """Return a sentence as text or tokens; with ``tokenised``, a text becomes the tokens between its blanks."""
        if isinstance(sentence, str):
            return tuple(sentence.split()) if self.tokenised else sentence
        return tuple(sentence)
