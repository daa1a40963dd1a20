"""Made-up gold data and predictions of the benchmarks, as files."""

from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks.conftest import swords_data, written

WORDS = [f"x{a}{b}" for a in "bdfgk" for b in "bdfgk"]  # no lemmatiser changes them


def made_up_sws(rng: Random, folder: Path) -> tuple[Path, Path]:
    gold: dict[str, Any] = {}
    made: dict[str, Any] = {}
    for name in map(str, range(30)):
        words, starts = [f"w{k}" for k in range(20)], rng.sample(range(20), 12)
        votes = [{word: rng.randint(1, 4) for word in rng.sample(WORDS, rng.randint(1, 6))} for _ in range(7)]
        targets = [[[k, k + 1], own, rng.randint(1, 2)] for k, own in zip(sorted(starts[:7]), votes, strict=True)]
        gold[name] = {"sentence": " ".join(words), "sentence_split": words, "substitutes": targets}
        lists = [[[words[k], k, k + 1], rng.sample(WORDS, 5)] for k in starts[3:]]
        made[name] = {"input_words": words, "substitute_topk": lists}
    return written(folder / "sws.json", gold), written(folder / "made.json", made)


def made_up_swords(rng: Random, folder: Path) -> tuple[Path, Path]:
    targets = {}
    made = {}
    for name in map(str, range(20)):
        positive = {word: rng.randint(0, 9) for word in rng.sample(WORDS, 15)}
        labels = {word: ["TRUE"] * n + ["FALSE"] * (9 - n) + ["UNSURE"] for word, n in positive.items()}
        targets[name] = ("big", "ADJ", labels)
        made[name] = [[word, -k] for k, word in enumerate(rng.sample(WORDS, rng.randint(5, 20)))]
    gold = swords_data("A big dog.", targets)
    return written(folder / "swords.json.gz", gold), written(folder / "made.json", made)


def made_up_prolex(rng: Random, folder: Path) -> tuple[Path, Path]:
    gold, made = "target word,Sentence,acc_subs,prof_acc_subs\n", ""
    for number in range(20):
        acceptable = rng.sample(WORDS, rng.randint(1, 12))
        gold += f'big,A **big** dog.,"{acceptable}","{acceptable[::2] if number else []}"\n'
        made += f"big.J {number} ::: {';'.join(rng.sample(WORDS, rng.randint(1, 14)))}\n"
    return written(folder / "prolex.csv", gold), written(folder / "made.oot", made)
