"""The tables of Smart Word Suggestions (Wang et al. 2023).

The authors published the data and their scorer, but no output of a system, and of the two thesauri of the rule-based
system and of the training data only placeholders. A row that needs such a file is measured where it is put:

- ``sws/outputs/NAME.json``: a system's output as the published scorer reads it (``usim sws`` reads the same);
- ``sws/thesaurus.json``: Merriam-Webster's, as the authors' ``get_thesaurus.py`` writes it;
- ``sws/ppdb-2.0-s-lexical``: PPDB 2.0, English, lexical, size S.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from pathlib import Path

from experiments.baselines.distant import worsened
from experiments.baselines.targets import Finder, RuleBased
from experiments.baselines.thesaurus import Thesaurus, both, either, load
from experiments.common.printed import Figure, Part, Row, Value, figures_of
from usim.benchmarks import sws

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
_GOLD: dict[Part, str] = {"dev": "sws/sws_eval.json", "test": "sws/sws_test.json"}
_THESAURI = ("sws/thesaurus.json", "sws/ppdb-2.0-s-lexical")

# The worked example of appendix D: votes of the gold suggestions, and the system's five suggestions.
_VOTES = {"first": 3, "second": 2, "third": 1, "fourth": 1}
_LIST = ("second", "first", "wrong", "third", "also wrong")


def _worked_example() -> list[Figure]:
    gains, ideal = [_VOTES.get(suggestion, 0) for suggestion in _LIST], [*sorted(_VOTES.values(), reverse=True), 0]
    rounding = "printed terms were rounded before they were added: 3.9 + .43 became 4.4"
    twice = sws.dcg(list(accumulate(gains))) / sws.dcg(list(accumulate(ideal)))
    return [
        Figure("DCG", sws.dcg(gains), rounding),
        Figure("ideal DCG", sws.dcg(ideal), rounding),
        Figure("NDCG", sws.ndcg(_LIST, _VOTES, 5), "printed: 4.4 / 5.1"),
        Figure("NDCG of the published scorer", sws.ndcg(_LIST, _VOTES), "the same"),
        Figure("formula of section 6.2", twice, "sums what is cumulated already; nothing computes it so"),
    ]


def _statistics(gold: Path) -> list[Figure]:
    sentences = sws.Sws.open(gold).gold.values()
    targets = [target for sentence in sentences for target in sentence.targets]
    measured: dict[str, Value] = {
        "sentences": len(sentences),
        "words": sum(len(sentence.words) for sentence in sentences),
        "targets": len(targets),
        "targets of type 1": sum(target.type == 1 for target in targets),
        "targets of type 2": sum(target.type == 2 for target in targets),
        "suggestions": sum(len(target.suggestions) for target in targets),
        "votes": sum(target.votes for target in targets),
        "smallest voting index": min((target.votes for target in targets), default=None),
    }
    return figures_of(measured, {"sentences": "printed in the readme of the data"})


def _votes(gold: Path) -> list[Figure]:
    counts = Counter(target.votes for sentence in sws.Sws.open(gold).gold.values() for target in sentence.targets)
    return [Figure(f"targets of {votes} votes", count, "printed as bars") for votes, count in sorted(counts.items())]


def _appendix_b() -> list[Figure]:
    """Compute the example of appendix B: four targets, of which two, and then three, are predicted."""
    # Of the three predicted suggestions one is the beginning of an annotated one, and another its base form.
    annotated = {"a": {"a one", "a two"}, "b": {"b-ing with"}, "c": {"c one"}, "d": {"d one"}}
    detected, suggested = ("a", "elsewhere"), {"a": "a", "b": "b with", "elsewhere": "e"}
    found = sum(target in annotated for target in detected)
    right = sum(words in annotated.get(target, set()) for target, words in suggested.items())
    why = "the formula of section 4.1 gives 0, as no suggestion of the three is annotated for its target"
    return [
        Figure("detection P", found / len(detected)),
        Figure("detection R", found / len(annotated)),
        Figure("end to end P", right / len(suggested), why),
        Figure("end to end R", right / len(annotated), why),
    ]


def _whole(*parts: Path) -> list[Figure]:
    sentences = [sentence for part in parts for sentence in sws.Sws.open(part).gold.values()]
    targets = [target for sentence in sentences for target in sentence.targets]
    suggestions = [suggestion for target in targets for suggestion in target.suggestions]
    words = [word for sentence in sentences for word in sentence.words]
    marks = sum(not any(character.isalnum() for character in word) for word in words)
    measured: dict[str, Value] = {
        "sentences": len(sentences),
        "targets": len(targets),
        "suggestions": len(suggestions),
        "labels": sum(target.votes for target in targets),
        "distinct words of a sentence": sum(len(set(sentence.words)) for sentence in sentences) / len(sentences),
        "words of a sentence": len(words) / len(sentences),
        "words of a sentence, without marks": (len(words) - marks) / len(sentences),
        "targets of type 1, per cent": 100 * sum(target.type == 1 for target in targets) / len(targets),
        "targets of several words, per cent": 100 * sum(t.end - t.start > 1 for t in targets) / len(targets),
        "suggestions of several words, per cent": 100 * sum(" " in s for s in suggestions) / len(suggestions),
        "suggestions of a target": len(suggestions) / len(targets),
    }
    why = {
        "labels": "the data have the votes alone; targets of one annotator were discarded, perhaps after this count",
        "distinct words of a sentence": "printed as the length of a sentence, in words",
        "suggestions of a target": "the printed total over the printed targets is 2.3, too",
    }
    return figures_of(measured, why)


def _score(gold: sws.Gold, predictions: sws.Predictions, why: str) -> list[Figure]:
    """Return the figures of the main table and of figure 4 by their names there."""
    result = sws.Sws(gold).score(predictions, resamples=0).figures
    columns = COLUMNS | {f"NDCG@{m} (figure 4)": f"ndcg@{m}" for m in sws.POSITIONS}
    votes = (int(name.rpartition(".")[2]) for name in result if name.startswith("r_detection_votes."))
    columns |= {f"detection R, {k} votes (figure 3)": f"r_detection_votes.{k}" for k in sorted(votes)}
    curve = "the figure prints a curve and no numbers"
    return figures_of(
        {name: result[figure] for name, figure in columns.items()},
        {name: "; ".join(filter(None, (why, curve if "(figure" in name else ""))) for name in columns},
    )


def _system(gold_file: Path, output: Path) -> list[Figure]:
    gold = sws.Sws.open(gold_file).gold
    return _score(gold, sws.Sws(gold).read_predictions(output), f"of sws/outputs/{output.name}")


def _rules(gold_file: Path, *thesauri: Path) -> list[Figure]:
    """Measure the rule-based system with the authors' thesauri, or else with WordNet."""
    finder = Finder(both(*map(load, thesauri)), forms=False) if thesauri else Finder(load("wordnet"))
    system = RuleBased(finder, k=_LENGTH, seed=0 if thesauri else None)
    gold = sws.Sws.open(gold_file).gold
    predictions = {
        name: {span: [*own, *["none"] * (_LENGTH - len(own))] for span, own in system(sentence.words).items()}
        for name, sentence in gold.items()
    }
    shuffled = "synonyms are shuffled, as the authors do, but not into their order"
    why = shuffled if thesauri else "not in the paper: WordNet 3.0 in the place of its thesauri"
    return _score(gold, predictions, why)


def _overlap(gold_file: Path, *files: Path) -> list[Figure]:
    """Measure how much of the gold data thesauri have: targets with an entry, and suggestions among the synonyms."""
    thesauri: dict[str, Thesaurus] = {"WordNet 3.0": load("wordnet")}
    if files:
        first, second = map(load, files)
        thesauri = {"thesaurus": first, "PPDB": second, "both": both(first, second), "either": either(first, second)}
    gold = sws.Sws.open(gold_file).gold
    figures = []
    for name, finder in ((name, Finder(thesaurus)) for name, thesaurus in thesauri.items()):
        targets = [(sentence.words, target) for sentence in gold.values() for target in sentence.targets]
        synonyms = [{s.lower() for s in finder.synonyms(words, *target.span)} for words, target in targets]
        paired = zip(targets, synonyms, strict=True)
        listed = sum(suggestion.lower() in own for (_, target), own in paired for suggestion in target.suggestions)
        suggestions = sum(len(target.suggestions) for _, target in targets)
        figures.append(Figure(f"targets with synonyms: {name}", sum(map(bool, synonyms)) / len(targets)))
        figures.append(Figure(f"suggestions among synonyms: {name}", listed / suggestions))
    return figures


def _replaced(gold_file: Path, *thesauri: Path) -> list[Figure]:
    """Measure the share of words that the union of the two thesauri replaces."""
    gold = sws.Sws.open(gold_file).gold
    finder = Finder(either(*map(load, thesauri)), forms=False)
    examples = (worsened(finder, name, " ".join(sentence.words)) for name, sentence in gold.items())
    replaced = sum(target.end - target.start for example in examples if example for target in example.targets)
    share = 100 * replaced / sum(len(sentence.words) for sentence in gold.values())
    return [Figure("words replaced, per cent", share, "of the validation sentences, not of Wikipedia")]


def _of_part(part: Part) -> list[Row]:
    gold = _GOLD[part]
    return [
        Row("data: statistics", (gold,), _statistics, part),
        Row("figure 3: targets by voting index", (gold,), _votes, part),
        Row("table 5: thesauri and suggestions", (gold,), _overlap, part),
        Row("table 5: the authors' thesauri and suggestions", (gold, *_THESAURI), _overlap, part),
        Row("rules: the authors' thesauri", (gold, *_THESAURI), _rules, part),
        Row("rules: WordNet", (gold,), _rules, part),
        Row("systems: local language model", (gold, f"sws/outputs/local-language-model-{part}.json"), _system, part),
    ]


_ROWS = [
    Row("data: both parts", tuple(_GOLD.values()), _whole, "test"),
    Row("appendix B: worked example", (), _appendix_b),
    Row("appendix D: worked example", (), _worked_example),
    *_of_part("test"),
    *(
        Row(f"systems: {t}", (_GOLD["test"], f"sws/outputs/{name}.json"), _system, "test")
        for name, t in SYSTEMS.items()
    ),
    *_of_part("dev"),
    Row("table 5: Wiki-25.4%", (_GOLD["dev"], *_THESAURI), _replaced),
]
ROWS = {row.name: row for row in _ROWS}
