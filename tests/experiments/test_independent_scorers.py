"""The papers' formulas, written from their texts alone, against the scorers of usim on made-up and on published data."""

import ast
import csv
import gzip
import json
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.papers.usim_example import EMBEDDED, TUPA
from tests.experiments.made_up import made_up_prolex, made_up_swords, made_up_sws
from usim.benchmarks import prolex, swords, sws
from usim.lexicon import WordNetLemmatiser
from usim.measures import PRESETS, align_graphs, usim_score
from usim.ucca import Graph


def harmonic(precision: float, recall: float, beta: float = 1.0) -> float:
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall) if precision + recall else 0.0


def top_k(lists: Sequence[Sequence[str]], wanted: Sequence[set[str]], k: int = 10) -> list[float]:
    """SWORDS §5.2 and ProLex §5.2: P^k, R^k and F^k, summed over the targets."""
    right = sum(len(set(own[:k]) & gold) for own, gold in zip(lists, wanted, strict=True))
    precision = right / sum(len(own[:k]) for own in lists)
    recall = right / sum(min(k, len(gold)) for gold in wanted)
    return [precision, recall, harmonic(precision, recall)]


def agrees(scorer: Any, predictions: Path, expected: dict[str, float]) -> None:
    figures = scorer.score(scorer.read_predictions(predictions), resamples=0).figures
    assert {name: figures[name] for name in expected} == pytest.approx(expected)


def check_sws(gold: Path, made: Path) -> None:
    """§4.1, §4.2, §6.1 and the example of appendix D; pooled, as the tables are."""
    sentences, predictions, pairs = json.loads(gold.read_text()), json.loads(made.read_text()), []
    for name, sentence in sentences.items():
        new = {(start, end): words for (_, start, end), words in predictions[name]["substitute_topk"]}
        pairs.append(({tuple(span): votes for span, votes, _ in sentence["substitutes"]}, new))
    both = [(own[span], new[span]) for own, new in pairs for span in own.keys() & new.keys()]
    targets, found = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    right = sum(words[0] in votes for votes, words in both)
    index = [(sum(votes.values()), span in new) for own, new in pairs for span, votes in own.items()]
    p_det, p_e2e, r_det, r_e2e = (n / of for of in (found, targets) for n in (len(both), right))

    def dcg(gains: Sequence[int], m: int) -> float:
        return sum(gain / math.log2(1 + i) for i, gain in enumerate(gains[:m], 1))

    weighted = sum(v for v, hit in index if hit) / sum(v for v, _ in index)
    named = sum(end - start for _, new in pairs for start, end in new)
    expected = {
        "p_detection": p_det, "r_detection": r_det, "f_detection_05": harmonic(p_det, r_det, 0.5),
        "p_e2e": p_e2e, "r_e2e": r_e2e, "f_e2e_05": harmonic(p_e2e, r_e2e, 0.5),
        "acc_recommendation": right / len(both), "weighted_acc_detection": weighted,
        "substitute_rate": named / sum(len(sentence["sentence_split"]) for sentence in sentences.values()),
    }  # fmt: skip
    gains = [([votes.get(word, 0) for word in words], sorted(votes.values(), reverse=True)) for votes, words in both]
    expected |= {
        f"ndcg@{m}": sum(dcg(own, m) / dcg(ideal, m) for own, ideal in gains) / len(both) for m in (1, 2, 3, 4)
    }
    agrees(sws.Sws.open(gold), made, expected)


def check_swords(gold: Path, made: Path) -> None:
    """§3.3 and §5.2: labels of one lemma together, without UNSURE; above .5 is acceptable, from .1 on conceivable."""
    data, predictions = json.loads(gzip.decompress(gold.read_bytes())), json.loads(made.read_text())
    lemma = WordNetLemmatiser()
    labels: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in data["targets"]}
    for sid, substitute in data["substitutes"].items():
        target = substitute["target_id"]
        given = [label for label in data["substitute_labels"][sid] if label != "UNSURE"]
        labels[target][lemma(substitute["substitute"].lower(), data["targets"][target]["pos"])] += given
    known, lists = [], []
    for name, target in data["targets"].items():
        ranked = [s for s, _ in sorted(predictions.get(name, []), key=lambda pair: -pair[1])]
        word, *own = (lemma(s.lower(), target["pos"]) for s in (target["target"], *ranked))
        lists.append([s for s in dict.fromkeys(own) if s != word])
        judged = {s: given for s, given in labels[name].items() if given and s != word}
        known.append({s: sum(x.startswith("TRUE") for x in given) / len(given) for s, given in judged.items()})
    lenient = [[s for s in own if s in shares] for own, shares in zip(lists, known, strict=True)]
    expected = {}
    for kind, least in (("a", 0.5 + 1e-6), ("c", 0.1)):
        wanted = [{s for s, share in shares.items() if share >= least} for shares in known]
        for view, own in (("lenient", lenient), ("strict", lists)):
            expected |= {f"{view}_{kind}_{x}@10": 100 * v for x, v in zip("prf", top_k(own, wanted), strict=True)}
    agrees(swords.Swords.open(gold), made, expected)


def check_prolex(gold: Path, made: Path, settings: Sequence[str]) -> None:
    """§5.2; a target without a gold substitute counts in neither precision nor recall."""
    rows = list(csv.DictReader(gold.read_text().splitlines()))
    lists = [line.split(" ::: ")[1].split(";") for line in made.read_text().splitlines()]
    for aspect, column in (("acceptable", "acc_subs"), ("proficient", "prof_acc_subs")):
        wanted = [set(ast.literal_eval(row[column])) for row in rows]
        values = top_k(*zip(*((own, known) for own, known in zip(lists, wanted, strict=True) if known), strict=True))
        for setting in settings:
            expected = {f"{setting}_{aspect}_{x}@10": value for x, value in zip("prf", values, strict=True)}
            agrees(prolex.ProLex.open(gold), made, expected)


@pytest.mark.parametrize("seed", range(5))
def test_made_up_data(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    check_sws(*made_up_sws(rng, tmp_path))
    check_swords(*made_up_swords(rng, tmp_path))
    check_prolex(*made_up_prolex(rng, tmp_path), ("hard", "soft"))


@pytest.mark.data
def test_published_data(data: Path) -> None:
    """The lemmas of ProLex's soft setting are spaCy's, so that only the hard one can be computed anew."""
    for name in "ab":
        check_sws(data / "sws_eval.json", data / f"scorer-golden/sws_pred_{name}.json")
        check_swords(data / "swords-v1.1_dev.json.gz", data / f"scorer-golden/swords_pred_{name}.json")
    check_prolex(data / "ProLex_v1.0_dev.csv", data / "prolex-parals-dev/lspro.out.embed.0.02.oot", ("hard",))


@pytest.mark.parametrize(("a", "b"), [(x, y) for e in (TUPA, EMBEDDED) for x in e for y in e])
def test_usim(a: Graph, b: Graph) -> None:
    """§3 to the letter: w leaves ties open, so that recall lies between those of the worst and of the best choice."""
    aligned = align_graphs(a, b, "lev").to_output
    words = [[{p for p in g.positions(u) if not g.terminals[p].is_punct} for u in range(len(g.units))] for g in (a, b)]
    labels = [{}, {}]  # type: list[dict[tuple[int, bool], set[str]]]
    for graph, own in zip((a, b), labels, strict=True):
        for edge in graph.edges:
            if not graph.units[edge.child].is_punct:
                # As documented: several remote edges into one unit count as one, which has the labels of all.
                own.setdefault((edge.child, edge.is_remote), set()).update(edge.categories)
    worst = best = 0
    for (unit, is_remote), wanted in labels[0].items():
        images = {int(aligned[p]) for p in words[0][unit] if aligned[p] >= 0}
        weights = {u: len(images & own) / len(own) for u, own in enumerate(words[1]) if u and own}
        highest = max(weights.values(), default=0.0)
        same = [bool(wanted & labels[1].get((u, is_remote), set())) for u, w in weights.items() if w == highest > 0]
        best += any(same)
        worst += bool(same) and all(same)
    recall = usim_score(a, b, PRESETS["paper-plain"]).s2r.recall * len(labels[0])
    assert worst - 1e-9 <= recall <= best + 1e-9
