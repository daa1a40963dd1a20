"""The papers' formulas, written from their texts alone, against the scorers of usim on made-up data."""

import math
import random
from collections.abc import Sequence

import pytest

from experiments.papers.usim_example import EMBEDDED, TUPA
from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.sws.gold import Sentence, SwsTarget
from usim.measures import PRESETS, align_graphs, usim_score
from usim.ucca import Graph

SEEDS = range(5)
WORDS = [f"x{a}{b}" for a in "bdfgk" for b in "bdfgk"]  # no lemmatiser changes them


def harmonic(precision: float, recall: float, beta: float = 1.0) -> float:
    weight = beta**2
    return (1 + weight) * precision * recall / (weight * precision + recall) if precision + recall else 0.0


def top_k(lists: Sequence[Sequence[str]], wanted: Sequence[set[str]], k: int = 10) -> list[float]:
    """SWORDS §5.2 and ProLex §5.2: P^k, R^k and F^k, summed over the targets."""
    right = sum(len(set(own[:k]) & gold) for own, gold in zip(lists, wanted, strict=True))
    precision = right / sum(len(own[:k]) for own in lists)
    recall = right / sum(min(k, len(gold)) for gold in wanted)
    return [precision, recall, harmonic(precision, recall)]


@pytest.mark.parametrize("seed", SEEDS)
def test_sws(seed: int) -> None:
    """§4.1, §4.2, §6.1 and the example of appendix D; pooled, as the tables are."""
    rng = random.Random(seed)
    gold: dict[str, Sentence] = {}
    predictions: dict[str, dict[tuple[int, int], list[str]]] = {}
    for name in map(str, range(30)):
        starts = rng.sample(range(20), 12)
        targets = []
        for start in starts[:7]:
            votes = {word: rng.randint(1, 4) for word in rng.sample(WORDS, rng.randint(1, 6))}
            targets.append(SwsTarget(start, start + 1, votes, rng.randint(1, 2)))
        gold[name] = Sentence(tuple(f"w{k}" for k in range(20)), tuple(sorted(targets)))
        predictions[name] = {(start, start + 1): rng.sample(WORDS, 5) for start in starts[3:]}
    s = [{(t.start, t.end): t for t in gold[name].targets} for name in gold]
    s_predicted = [predictions[name] for name in gold]
    pairs = list(zip(s, s_predicted, strict=True))
    detected = sum(len(own.keys() & new.keys()) for own, new in pairs)
    targets_, found = sum(map(len, s)), sum(map(len, s_predicted))
    right = sum(words[0] in own[span].suggestions for own, new in pairs for span, words in new.items() if span in own)
    votes_ = [(t.votes, span in new) for own, new in pairs for span, t in own.items()]
    p_det, r_det, p_e2e, r_e2e = detected / found, detected / targets_, right / found, right / targets_

    def dcg(gains: Sequence[int], m: int) -> float:
        return sum(gain / math.log2(1 + i) for i, gain in enumerate(gains[:m], 1))

    def ndcg(m: int) -> float:
        total = 0.0
        for own, new in pairs:
            for span in own.keys() & new.keys():
                gains = own[span].suggestions
                ideal = sorted(gains.values(), reverse=True)
                total += dcg([gains.get(word, 0) for word in new[span]], m) / dcg(ideal, m)
        return total / detected

    expected = {
        "p_detection": p_det,
        "r_detection": r_det,
        "f_detection_05": harmonic(p_det, r_det, 0.5),
        "acc_recommendation": right / detected,
        "p_e2e": p_e2e,
        "r_e2e": r_e2e,
        "f_e2e_05": harmonic(p_e2e, r_e2e, 0.5),
        "weighted_acc_detection": sum(v for v, hit in votes_ if hit) / sum(v for v, _ in votes_),
        "substitute_rate": found / sum(len(sentence.words) for sentence in gold.values()),
    } | {f"ndcg@{m}": ndcg(m) for m in (1, 2, 3, 4)}
    figures = sws.Sws(gold).score(predictions, resamples=0).figures
    assert {name: figures[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_prolex(seed: int) -> None:
    rng = random.Random(seed)
    gold, lists = {}, []
    for number in range(20):
        acceptable = rng.sample(WORDS, rng.randint(1, 12))
        gold[number] = prolex.ProLexTarget("big", "A **big** dog.", tuple(acceptable), tuple(acceptable[::2]))
        lists.append(rng.sample(WORDS, rng.randint(1, 14)))
    figures = prolex.ProLex(gold).score(dict(enumerate(lists)), resamples=0).figures
    for aspect in ("acceptable", "proficient"):
        expected = top_k(lists, [set(getattr(target, aspect)) for target in gold.values()])
        for setting in ("hard", "soft"):
            assert [figures[f"{setting}_{aspect}_{name}@10"] for name in "prf"] == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_swords(seed: int) -> None:
    rng = random.Random(seed)
    gold, scores, lists = {}, [], []
    for number in range(20):
        positive = {word: rng.randint(0, 10) for word in rng.sample(WORDS, 15)}
        labels = {word: ("TRUE",) * count + ("FALSE",) * (10 - count) for word, count in positive.items()}
        gold[str(number)] = swords.SwordsTarget("big", "ADJ", labels)
        scores.append(positive)
        lists.append(rng.sample(WORDS, rng.randint(5, 20)))
    predictions = {str(k): [(word, -float(place)) for place, word in enumerate(own)] for k, own in enumerate(lists)}
    figures = swords.Swords(gold).score(predictions, resamples=0).figures
    lenient = [[word for word in own if word in known] for own, known in zip(lists, scores, strict=True)]
    for kind, least in (("a", 6), ("c", 1)):
        wanted = [{word for word, count in known.items() if count >= least} for known in scores]
        for view, own in (("lenient", lenient), ("strict", lists)):
            expected = [100 * value for value in top_k(own, wanted)]
            assert [figures[f"{view}_{kind}_{name}@10"] for name in "prf"] == pytest.approx(expected)


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
    total = len(labels[0])
    recall = usim_score(a, b, PRESETS["paper-plain"]).s2r.recall
    assert worst / total - 1e-9 <= recall <= best / total + 1e-9
