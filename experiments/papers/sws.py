"""The tables of Smart Word Suggestions (Wang et al. 2023).

The authors published the data and their scorer, but no output of a system, and of the two thesauri of the rule-based
system and of the training data only placeholders. Where a row needs such a file, it is looked for under the names that
the row gives, so that whoever has it gets the figure:

- ``sws/annotations.json``: what each of the annotators wrote, as ``usim sws RAW`` reads it;
- ``sws/outputs/NAME.json``: a system's output as the published scorer reads it (``usim sws`` reads the same);
- ``sws/thesaurus.json``: Merriam-Webster's, as the authors' ``get_thesaurus.py`` writes it;
- ``sws/ppdb-2.0-s-lexical``: PPDB 2.0, English, lexical, size S.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Literal

from experiments.papers.figure import Figure, Row, Value, figures_of, located
from usim.benchmarks import sws
from usim.benchmarks.baselines.distant import Generator
from usim.benchmarks.baselines.targets import Finder, RuleBased
from usim.benchmarks.baselines.thesaurus import Thesaurus, both, either, load

PAPER = (
    "Wang, Mao, Ge, Wu, Wang, Xia, Tien and Zhao (2023), Smart Word Suggestions for Writing Assistance, Findings of "
    "ACL. Figures are shares between 0 and 1, pooled as in the published scorer."
)

#: Column → figure of :func:`usim.benchmarks.sws.score`, in the order in which the published scorer prints them.
COLUMNS = {
    "detection P": "p_detection",
    "detection R": "r_detection",
    "detection F0.5": "f_detection_05",
    "weighted accuracy": "weighted_acc_detection",
    "improvable ratio": "substitute_rate",
    "NDCG": "ndcg_recommendation",
    "accuracy": "acc_recommendation",
    "end to end P": "p_e2e",
    "end to end R": "r_e2e",
    "end to end F0.5": "f_e2e_05",
}
#: The systems of the main table, by the names that their outputs have in ``sws/outputs``.
SYSTEMS = {
    "rule-based": "Rule-based",
    "chatgpt": "ChatGPT",
    "bert-spsv": "BERT-sp,sv",
    "lexsubcon": "LexSubCon",
    "cmlm": "CMLM",
    "bert": "BERT fine-tuned on SWS_DS",
    "bart": "BART fine-tuned on SWS_DS",
    "wiki-25.4": "BERT trained on Wiki-25.4%",
}
#: How many suggestions the published systems' lists have, filled up with *none*.
_LENGTH = 10
_Part = Literal["dev", "test"]
_GOLD: dict[_Part, str] = {"dev": "sws/sws_eval.json", "test": "sws/sws_test.json"}
_ANNOTATIONS = "sws/annotations.json"
#: The columns of people's row; its weighted accuracy and NDCG are not printed.
_PEOPLE = [name for name in COLUMNS if name not in ("weighted accuracy", "NDCG")]
_THESAURI = ("sws/thesaurus.json", "sws/ppdb-2.0-s-lexical")

# The worked example of appendix D: votes of the gold suggestions, and the system's five suggestions.
_VOTES = {"first": 3, "second": 2, "third": 1, "fourth": 1}
_LIST = ("second", "first", "wrong", "third", "also wrong")


def _worked_example(data: Path) -> list[Figure]:
    ndcg = sws.PAPER.ndcg
    gains, ideal = ndcg.gains(_LIST, _VOTES), [*sorted(map(float, _VOTES.values()), reverse=True), 0.0]
    rounding = "printed terms were rounded before they were added: 3.9 + .43 became 4.4"
    twice = ndcg.dcg(list(accumulate(gains))) / ndcg.dcg(list(accumulate(ideal)))
    return [
        Figure("DCG", ndcg.dcg(gains), rounding),
        Figure("ideal DCG", ndcg.dcg(ideal), rounding),
        Figure("NDCG", ndcg.of(_LIST, _VOTES)),
        Figure("NDCG of the published scorer", sws.SCRIPT.ndcg.of(_LIST, _VOTES), "the same"),
        Figure("formula of section 6.2", twice, "sums what is cumulated already; nothing computes it so"),
    ]


def _statistics(part: _Part, data: Path) -> list[Figure]:
    gold = sws.read_gold(located(data, _GOLD[part]))
    targets = [target for sentence in gold.values() for target in sentence.targets]
    measured: dict[str, Value] = {
        "sentences": len(gold),
        "words": sum(len(sentence.words) for sentence in gold.values()),
        "targets": len(targets),
        "targets of type 1": sum(target.type == 1 for target in targets),
        "targets of type 2": sum(target.type == 2 for target in targets),
        "suggestions": sum(len(target.suggestions) for target in targets),
        "votes": sum(target.votes for target in targets),
        "smallest voting index": min((target.votes for target in targets), default=None),
    }
    return figures_of(measured, {"sentences": "printed in the readme of the data"})


def _whole(data: Path) -> list[Figure]:
    parts = [sws.read_gold(located(data, name)) for name in _GOLD.values()]
    sentences = [sentence for gold in parts for sentence in gold.values()]
    targets = [target for sentence in sentences for target in sentence.targets]
    suggestions = sum(len(target.suggestions) for target in targets)
    words = [word for sentence in sentences for word in sentence.words]
    measured: dict[str, Value] = {
        "sentences": len(sentences),
        "suggestions, in thousands": suggestions // 1000,
        "votes": sum(target.votes for target in targets),
        "words of a sentence": len(words) / len(sentences),
        "words of a sentence, without marks": sum(map(_has_letters, words)) / len(sentences),
    }
    why = {
        "suggestions, in thousands": f"the abstract says over 16,000; there are {suggestions:,}",
        "votes": "unexplained: the paper counts labels, the data have no others",
        "words of a sentence": "unexplained: neither tokens nor words without marks come to it",
    }
    return figures_of(measured, why)


def _has_letters(word: str) -> bool:
    return any(character.isalnum() for character in word)


def _people(data: Path) -> list[Figure]:
    """Measure one annotator against the others, where what each of them wrote is there."""
    path = located(data, _ANNOTATIONS)
    if not path.exists():
        why = (
            f"the work of the single annotators was not published; put it into {_ANNOTATIONS}, as usim sws RAW reads it"
        )
        return [Figure(name, None, why) for name in _PEOPLE]
    measured = dict(sws.one_against_the_others(sws.read_annotations(path)))
    return figures_of({name: measured[COLUMNS[name]] for name in _PEOPLE}, "mean over the annotators")


def _agreement(data: Path) -> list[Figure]:
    why = "the work of the single annotators was not published; usim sws RAW computes it where it is there"
    return [Figure(name, None, why) for name in ("PA(det)", "PA(sug)")]


def score(gold: sws.Gold, predictions: sws.Predictions, *, pad: int = 0) -> dict[str, Value]:
    """Return the figures of the main table and of figure 4 by their names there."""
    result = sws.Sws(gold, definition=sws.SCRIPT.with_ndcg(pad=pad)).score(predictions, resamples=0).figures
    columns = COLUMNS | {f"NDCG@{m} (figure 4)": f"ndcg@{m}" for m in sws.POSITIONS}
    return {name: result[figure] for name, figure in columns.items()}


def _system(name: str, part: _Part, data: Path) -> list[Figure]:
    output = located(data, f"sws/outputs/{name}.json")
    if not output.exists():
        why = f"its output was not published; put one into sws/outputs/{name}.json"
        return [Figure(column, None, why) for column in COLUMNS]
    gold = sws.read_gold(located(data, _GOLD[part]))
    return figures_of(score(gold, sws.read_predictions(output, gold)), f"of sws/outputs/{name}.json")


def _missing_thesauri(data: Path) -> str:
    return ", ".join(name for name in _THESAURI if not located(data, name).exists())


def _rules(part: _Part, data: Path) -> list[Figure]:
    """Measure the rule-based system as the authors have it, where their thesauri are there."""
    if missing := _missing_thesauri(data):
        why = f"no {missing} here: in the authors' repository they are placeholders"
        return [Figure("all", None, why)]
    agreed = both(*(load(located(data, name)) for name in _THESAURI))
    why = "synonyms are shuffled, as the authors do, but not into their order"
    return _rules_with(part, Finder(agreed, forms=False), why, 0, data)


def _with_wordnet(part: _Part, data: Path) -> list[Figure]:
    why = "not in the paper: WordNet 3.0 in the place of its thesauri"
    return _rules_with(part, Finder(load("wordnet")), why, None, data)


def _rules_with(part: _Part, finder: Finder, why: str, seed: int | None, data: Path) -> list[Figure]:
    gold = sws.read_gold(located(data, _GOLD[part]))
    system = RuleBased(finder, k=_LENGTH, seed=seed)
    predictions = {name: system(sentence.words) for name, sentence in gold.items()}
    return figures_of(score(gold, predictions, pad=_LENGTH), why)


def _overlap(part: _Part, data: Path) -> list[Figure]:
    """Measure how much of the gold data thesauri have: targets with an entry, and suggestions among the synonyms."""
    gold = sws.read_gold(located(data, _GOLD[part]))
    thesauri: dict[str, Thesaurus] = {"WordNet 3.0": load("wordnet")}
    if not _missing_thesauri(data):
        first, second = (load(located(data, name)) for name in _THESAURI)
        thesauri |= {"thesaurus": first, "PPDB": second, "both": both(first, second), "either": either(first, second)}
    figures = []
    for name, thesaurus in thesauri.items():
        entries, listed = _shares(gold, Finder(thesaurus))
        figures.append(Figure(f"targets with synonyms: {name}", entries))
        figures.append(Figure(f"suggestions among synonyms: {name}", listed))
    return figures


def _shares(gold: sws.Gold, finder: Finder) -> tuple[float, float]:
    """Return the share of targets that have synonyms, and of suggestions that are among them."""
    targets = [(sentence.words, target) for sentence in gold.values() for target in sentence.targets]
    entries = listed = 0
    for words, target in targets:
        synonyms = {synonym.lower() for synonym in finder.synonyms(words, *target.span)}
        entries += bool(synonyms)
        listed += sum(suggestion.lower() in synonyms for suggestion in target.suggestions)
    return entries / len(targets), listed / sum(len(target.suggestions) for _, target in targets)


def _replaced(data: Path) -> list[Figure]:
    """Measure the share of words that the union of the two thesauri replaces."""
    figure = "words replaced, per cent"
    if missing := _missing_thesauri(data):
        why = f"no {missing} here; usim generate --thesaurus … --or … makes such data and prints the share"
        return [Figure(figure, None, why)]
    gold = sws.read_gold(located(data, _GOLD["dev"]))
    generate = Generator(Finder(either(*(load(located(data, name)) for name in _THESAURI)), forms=False))
    words = replaced = 0
    for name, sentence in gold.items():
        example = generate(name, " ".join(sentence.words))
        words += len(sentence.words)
        replaced += sum(target.end - target.start for target in example.targets) if example else 0
    measured: dict[str, Value] = {figure: 100 * replaced / words}
    return figures_of(measured, "of the validation sentences, not of Wikipedia")


_OF_PARTS: dict[str, Callable[[_Part, Path], list[Figure]]] = {
    "data: statistics": _statistics,
    "table 5: thesauri and suggestions": _overlap,
    "rules: the authors' thesauri": _rules,
    "rules: WordNet": _with_wordnet,
}
_SYSTEMS = {f"systems: {title}": partial(_system, name) for name, title in SYSTEMS.items()}
_ROWS = [
    Row("data: both parts", tuple(_GOLD.values()), _whole, "test"),
    Row("systems: Human", (), _people),
    Row("data: agreement of annotators", (), _agreement),
    Row("appendix D: worked example", (), _worked_example),
    *(Row(name, (_GOLD["test"],), partial(of, "test"), "test") for name, of in (_OF_PARTS | _SYSTEMS).items()),
    *(Row(f"{name} (dev)", (_GOLD["dev"],), partial(of, "dev"), "dev") for name, of in _OF_PARTS.items()),
    Row("table 5: Wiki-25.4%", (_GOLD["dev"],), _replaced),
]
ROWS = {row.name: row for row in _ROWS}
