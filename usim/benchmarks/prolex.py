"""ProLex: substitutes that fit the context and are at least as advanced as the word they replace (Zhang et al. 2024).

A system's first k substitutes for a target are compared, as sets, with the acceptable ones, and with those of them
that are proficient enough. Precision and recall are ratios of sums over the targets; recall counts at most k
substitutes of a target as wanted; targets without a gold substitute say nothing and are left out. *Hard* compares the
substitutes as they are, *soft* compares lemmas of their first words, by WordNet or, as the published scorer, by spaCy.

>>> gold = {0: ProLexTarget("overall", "But **overall**, no.", ("generally", "on the whole"), ("on the whole",))}
>>> result = ProLex(gold).score({0: ("generally", "finally", "on the whole")}, resamples=0)
>>> result.figures["hard_acceptable_p@10"], result.figures["hard_proficient_r@10"]
(0.6666666666666666, 1.0)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, NamedTuple

from usim.benchmarks.benchmark import Benchmark, Warn
from usim.benchmarks.case import Case, Label, Place, check_form
from usim.benchmarks.result import Figure, FMeasure, Ratio, Tally, check_known
from usim.errors import FormatError, InputError
from usim.lexicon import FirstWordLemmatiser
from usim.records import RecordError, unmarked
from usim.text.files import Path, read_csv, read_text, text_lines

#: The aspects of quality, and the settings of comparison, in the order of print.
ASPECTS = ("acceptable", "proficient")
SETTINGS = ("hard", "soft")
_WORDNET = FirstWordLemmatiser()


class SpacyLemmatiser:
    """The lemma that spaCy gives the first token of a phrase, as in the published scorer.

    Raises:
        InputError: spaCy or the model is not installed.
    """

    def __init__(self, model: str) -> None:
        try:
            import spacy

            self._model = spacy.load(model)
        except (ImportError, OSError) as e:  # spaCy raises an OSError where it has no such model
            how = f"pip install spacy; python -m spacy download {model}"
            raise InputError(f"lemmas of spaCy need a model: {how}") from e
        self.name = f"spacy-{spacy.__version__}-{model}-{self._model.meta['version']}+first-word"

    def __call__(self, phrase: str) -> str:
        """Return the lemma; nothing for an empty phrase."""
        return next((token.lemma_ for token in self._model(phrase)), "")


class ProLexTarget(NamedTuple):
    """A word in its sentence, with its gold substitutes, and those that were judged not to be acceptable."""

    word: str
    sentence: str
    acceptable: tuple[str, ...]
    proficient: tuple[str, ...]
    unacceptable: tuple[str, ...] = ()


#: Targets by their place in the file, from 0, which is also the instance number in ParaLS's files.
Gold = Mapping[int, ProLexTarget]
#: Substitutes for each target, best first.
Predictions = Mapping[int, Sequence[str]]


def listed(text: str, column: str, path: Path, line: int) -> tuple[str, ...]:
    """Return the strings of a cell that holds a list of Python."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        problem = f"the column {column!r} must be a list of strings, as ['a', 'b']"
        raise FormatError(problem, path=path, line=line, text=text)
    return tuple(value)


_INSTANCE = re.compile(
    r"(?P<word>.+?)(?:\.\w*)?[ \t](?P<number>\d{1,18})[ \t]:::?(?:[ \t]|$)(?P<substitutes>.*)", re.DOTALL
)


def _read_instances(text: str, path: Path, gold: Gold) -> dict[int, tuple[str, ...]]:
    substitutes: dict[int, tuple[str, ...]] = {}
    for line, content in enumerate(text_lines(text), 1):
        if not content.strip():
            continue
        match = _INSTANCE.fullmatch(content.rstrip())
        if not match:
            raise FormatError("not of the form 'word.POS number ::: a;b;c'", path=path, line=line, text=content)
        number = int(match["number"])
        if number in substitutes:
            raise FormatError("a second line for this target", path=path, line=line, text=content)
        _same_word(match["word"], number, gold, path, line)
        substitutes[number] = tuple(s.strip() for s in match["substitutes"].split(";") if s.strip())
    return substitutes


def _read_table(text: str, path: Path, gold: Gold) -> dict[int, tuple[str, ...]]:
    substitutes: dict[int, tuple[str, ...]] = {}
    for number, (line, record) in enumerate(read_csv(path, ("Substitutes",), text=text)):
        _same_word(record.get("target word"), number, gold, path, line)
        # The published scorer splits at a comma and a space and at nothing else.
        substitutes[number] = tuple(s for s in record["Substitutes"].split(", ") if s)
    return substitutes


def _same_word(word: str | None, number: int, gold: Gold, path: Path, line: int) -> None:
    if number not in gold:
        problem = f"is not in the gold file, which has {len(gold)} targets; are these the same data?"
    elif word is not None and word.casefold() != gold[number].word.casefold():
        problem = f"is {gold[number].word!r} in the gold file; are the lines in the order of the gold file?"
    else:
        return
    raise FormatError(f"target {number} {problem}", path=path, line=line, text=word)


@dataclass
class ProLex(Benchmark[Predictions]):
    """ProLex; :meth:`score` has the figures ``{hard,soft}_{acceptable,proficient}_{p,r,f}@k`` in [0, 1].

    The first k substitutes of a target count; ``lemmatise`` makes of a substitute what the soft setting compares.

    Raises:
        InputError: k below 1.
    """

    name = "prolex"
    options: ClassVar[dict[str, str]] = {
        "spacy": "Take lemmas from this model of spaCy, not from WordNet; the published scorer has en_core_web_sm."
    }
    example = "csv"
    about = """Score a system on ProLex: acceptability and proficiency, hard and soft.

    GOLD is the benchmark's CSV file. PRED is a CSV file with a column Substitutes ("a, b, c"), in the order of GOLD, or
    lines as those of ParaLS ("word.POS number ::: a;b;c"); - is standard input."""

    gold: Gold
    _: KW_ONLY
    k: int = 10
    lemmatise: FirstWordLemmatiser | SpacyLemmatiser = _WORDNET

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"k must be at least 1, not {self.k}")

    @classmethod
    def open(cls, path: Path, *, k: int = 10, spacy: str | None = None) -> ProLex:
        """Read the targets of ``ProLex_v1.0_*.csv``."""
        gold = {}
        text, columns = read_text(path), ("target word", "Sentence", "acc_subs", "prof_acc_subs")
        is_known = any(column in text.split("\n", 1)[0] for column in columns)
        check_form(is_known, "ProLex", f"CSV with the columns {', '.join(columns)}", path)
        for number, (line, record) in enumerate(read_csv(path, columns, text=text)):
            acceptable, proficient, unacceptable = (
                listed(record.get(column, "[]"), column, path, line)
                for column in ("acc_subs", "prof_acc_subs", "unacc_subs")
            )
            gold[number] = ProLexTarget(record["target word"], record["Sentence"], acceptable, proficient, unacceptable)
        if not gold:
            raise InputError("no target in the gold file", path=path)
        return cls(gold, k=k, lemmatise=SpacyLemmatiser(spacy) if spacy else _WORDNET)

    def read_predictions(self, path: Path, warn: Warn = lambda message: None) -> Predictions:
        """Read a system's substitutes, in one of two forms.

        CSV with the columns ``target word``, ``Sentence`` and ``Substitutes`` (``"a, b, c"``), one record a target in
        the order of the gold file, as the published scorer reads it (the first two may be left out); or the lines of
        ParaLS and SemEval-2007 (``overall.J 0 ::: generally;broadly``), one a target, in any order.
        """
        text = read_text(path)
        header = text.split("\n", 1)[0]
        if "acc_subs" in header and "Substitutes" not in header:
            raise FormatError("gold data given as predictions; they have a column Substitutes", path=path, line=1)
        first = text.lstrip().split("\n", 1)[0].rstrip()
        read = _read_instances if _INSTANCE.fullmatch(first) else _read_table
        substitutes = read(text, path, self.gold)
        missing = sorted(set(self.gold) - set(substitutes))
        if missing:
            count = f"{len(missing)} of {len(self.gold)} targets of the gold file"
            problem, word = f"{count} have no line; write an empty one for each", self.gold[missing[0]].word
            raise FormatError(problem, path=path, text=f"{word} ({missing[0]})")
        return substitutes

    def tally(self, predictions: Predictions) -> Tally:
        check_known(self.gold, predictions, "target")
        forms: dict[str, Callable[[str], str]] = {"hard": str, "soft": self.lemmatise}
        records: list[dict[str, float]] = []
        for number, target in self.gold.items():
            predicted = predictions.get(number, ())
            records.append({})
            for setting in SETTINGS:
                for aspect in ASPECTS:
                    counts = _counts(getattr(target, aspect), predicted, self.k, forms[setting])
                    records[-1] |= {f"{setting} {aspect} {column}": count for column, count in counts.items()}
        parts = {"k": self.k, "avg": "micro", "lemma": self.lemmatise.name}
        return Tally(self.name, records, _figures(self.k), parts)

    def cases(self, predictions: Predictions) -> list[Case]:
        """Return the suggestions, without those for targets that have no acceptable substitute, as the scorer does."""
        cases = []
        for record, (number, target) in enumerate(self.gold.items()):
            if not target.acceptable or number not in predictions:
                continue
            place = self.place(number)
            labels: dict[str, Label] = {self.lemmatise(substitute): "wrong" for substitute in target.unacceptable}
            labels |= {self.lemmatise(substitute): "acceptable" for substitute in target.acceptable}
            own = self.lemmatise(place.word)
            lemmas = {substitute: self.lemmatise(substitute) for substitute in predictions[number]}
            judged: dict[str, Label] = {
                substitute: labels.get(lemma, "unjudged")
                for substitute, lemma in lemmas.items()
                if own not in (substitute, lemma) or labels.get(lemma) == "acceptable"
            }
            cases.append(Case(record, number, place, judged))
        return cases

    def place(self, number: int) -> Place:
        """Return a target in its sentence."""
        try:
            return Place(*unmarked(self.gold[number].sentence))
        except RecordError as e:
            raise InputError(f"target {number} has {e.message}") from e


def _counts(gold: Iterable[str], predicted: Sequence[str], k: int, form: Callable[[str], str]) -> dict[str, int]:
    wanted = {form(substitute) for substitute in gold}
    if not wanted:
        return {}
    # The first k are taken before equal ones are merged, as in the published scorer.
    first = {form(substitute) for substitute in predicted[:k]}
    return {"right": len(wanted & first), "made": len(first), "wanted": min(k, len(wanted))}


def _figures(k: int) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for setting in SETTINGS:
        for aspect in ASPECTS:
            of = f"{setting} {aspect}"
            precision, recall = Ratio(f"{of} right", f"{of} made"), Ratio(f"{of} right", f"{of} wanted")
            measures: dict[str, Figure] = {"p": precision, "r": recall, "f": FMeasure(precision, recall)}
            figures |= {f"{setting}_{aspect}_{measure}@{k}": figure for measure, figure in measures.items()}
    return figures
