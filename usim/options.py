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
    """All choices for :class:`usim.scorer.Scorer`, :class:`usim.screen.Screen` and :class:`usim.batch.Task`.

    Options load nothing by themselves, so they can be made, compared and sent to other processes at no cost.

    Raises:
        OptionError: there is no such policy.

    Attributes:
        model: the name of a model, for its parser and its judge (:mod:`usim.registry`).
        parser: a parser instead of the model's, or the name of one for :func:`usim.parsing.load`.
        judge: a judge instead of the model's, or the name of one for :func:`usim.judge.load_judge`; ``usim`` for USim
            alone.
        reader: the folder of a cross-encoder of entailment instead of the trained judge's own reader
            (:class:`usim.judge.CrossEncoder`).
        keep, drop: where verdicts change; by default the judge's own thresholds.
        risk: the share of kept pairs that may be unfaithful, and of dropped pairs that may be faithful; the judge's own
            thresholds depend on it. ``strict`` is :data:`usim.verdicts.thresholds.STRICT_RISK`.
        policy: what an output may do: ``same``, say the same; ``shorten``, leave details out, but neither add nor
            change anything; ``expand``, add details, but neither leave out nor change anything.
        ask: a judge that decides the pairs that would be ``review``, or the name of one, such as ``llm:NAME``; it sees
            no other pairs.
        preset: how graphs are aligned and compared, or the name of a preset in :data:`usim.measures.PRESETS`.
        tokenised: whether the texts of pairs are cut into tokens at blanks. Only for scoring.
        inflect: whether substitutes are lemmas, which the screen puts into the form of their targets
            (:class:`usim.suggestions.Inflector`). Only for screening.
        context: whether judges that read words read a sentence together with the text around it, up to
            :data:`usim.text.CONTEXT_PIECES` word pieces on each side. By default they do if that is best for the model
            (:class:`usim.registry.Model`).
        max_tokens: how many tokens a text that is judged as one may have, see :func:`usim.text.check_length`; when
            screening, the sentence around a suggestion. Texts of more than 5,792 tokens are never aligned.
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
        """The risk as a share; raises an OptionError if it is neither a share nor ``strict``."""
        if self.risk == "strict":
            return STRICT_RISK
        if isinstance(self.risk, str) or not 0 < self.risk < 1:
            raise OptionError(f"a risk lies between 0 and 1, or is strict: {self.risk}", option="risk")
        return self.risk

    def load_parser(self) -> Parser:
        """Return the parser; raise an OptionError if there is no such model, a ParsingError if files are damaged."""
        parser = find_model(self.model).parser if self.parser is None else self.parser
        return load(parser) if isinstance(parser, str | PathLike) else parser

    def load_judge(self) -> Judge:
        """Return the judge; raise an OptionError if there is no such judge, a ParsingError if files are damaged."""
        judge = find_model(self.model).name if self.judge is None else self.judge
        if isinstance(judge, str):
            return load_judge(judge, preset=self.load_preset(), reader=self.reader)
        if self.reader is not None:
            raise OptionError("a reader needs a trained judge that is given by its name", option="reader")
        return judge

    def thresholds_for(self, judge: Judge) -> Thresholds:
        """Return the chosen thresholds, or those of a judge; raise an OptionError if they contradict each other."""
        own = judge.thresholds
        if self.keep is None and self.drop is None:
            own.at(self.policy, BANDS[0], self.risk_share)  # raises if the judge does not know the risk
            return own
        keep = own.keep if self.keep is None else self.keep
        drop = own.drop if self.drop is None else self.drop
        if drop > keep:
            both = None not in (self.keep, self.drop)
            hint = "" if both else f"; the judge's own are {own.keep} and {own.drop}: give both"
            raise OptionError(f"drop {drop} is above keep {keep}{hint}", option="thresholds")
        return Thresholds(keep, drop)

    def load_preset(self) -> Preset:
        """Return the preset; raise an OptionError if there is no such preset."""
        if isinstance(self.preset, Preset):
            return self.preset
        if self.preset not in PRESETS:
            raise OptionError(f"no such preset: {self.preset!r}; there are {', '.join(PRESETS)}", option="preset")
        return PRESETS[self.preset]

    def load_pipeline(self) -> JudgePipeline:
        """Return the parser and the judge at work together; see the other methods for the errors."""
        judge = self.load_judge()
        thresholds = self.thresholds_for(judge)  # before the parser, which is slow to load
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
        """Return whether sentences are read in their text; by default as is best for the judge's model."""
        if self.context is not None:
            return self.context
        judge = self.judge if isinstance(self.judge, str) else self.model
        return judge not in MODELS or MODELS[judge].reads_context

    def sentence_of(self, sentence: Sentence) -> str | tuple[str, ...]:
        """Return a sentence as text or tokens; with ``tokenised``, a text becomes the tokens between its blanks."""
        if isinstance(sentence, str):
            return tuple(sentence.split()) if self.tokenised else sentence
        return tuple(sentence)
