"""The prompts of the three papers, and examples for them: those of the ProLex paper, or drawn from training data.

A prompt of a paper is a fact about its experiment and is given word for word as far as its source could be read; each
docstring names the source.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from experiments.baselines.given import marked
from usim.benchmarks import prolex, swords
from usim.benchmarks.case import Place
from usim.errors import InputError
from usim.llm import Message, Messages
from usim.text.files import Path, read_csv


class Shot(NamedTuple):
    """An example in a prompt: the target, its sentence with the target between double asterisks, and substitutes."""

    word: str
    sentence: str
    substitutes: tuple[str, ...]


_SWS = (
    "In the following sentence, please give some suggestions to improve word usage. Please give the results with the"
    ' json format of "original word": ["suggestion 1", "suggestion 2"], and the "original word" should be directly'
    " extracted from the sentence."
)

_PROLEX = (
    "You are about to perform a lexical substitution task, considering the proficiency level of the substitute"
    " compared to the target word in a sentence. The task is to generate a set of candidate substitutes {separated} by"
    " commas for a target word in a given sentence. The target word is highlighted in the sentence, encompassed by two"
    " double asterisks."
)
_PROLEX_CRITERIA = (
    " The candidate substitutes should be: \n a) common collocations or expressions in actual English use, \n"
    " b) grammatically correct, \n c) have an equal or higher language proficiency level compared to the target word."
)

_PROLEX_CANDIDATES = (
    "You are a helpful assistant to perform a lexical substitution task. Specifically, you will be given a tuple of"
    " text consisting of 1) context with target word indicated using asterisks, and a 2) natural language query. You"
    " should generate exactly five substitutes separated by commas. Do not generate the same word as the target word."
    " Here are some examples:"
)


def sws_prompt(sentence: str) -> Messages:
    """Return the prompt of appendix C of Wang et al. 2023 for a sentence, as one message.

    The sentence follows the last words of the prompt, as in the appendix.
    """
    return (Message("user", f"{_SWS} {sentence}"),)


def prolex_prompt(word: str, sentence: str, shots: Sequence[Shot] = ()) -> Messages:
    """Return the prompt that GPT-3.5 and GPT-4 were given in Zhang et al. 2024.

    The wording is that of ``prompt_gpt.py`` in BillyZhang24kobe/LS_Proficiency, both without examples and with 32.
    """
    system = _PROLEX.format(separated="separated")
    if shots:
        system += " \n Here are some examples: \n " + " \n \n ".join(map(_prolex_shot, shots))
    return (Message("system", system), Message("user", _prolex_question(word, sentence)))


def prolex_criteria_prompt(word: str, sentence: str, shots: Sequence[Shot] = ()) -> Messages:
    """Return the prompt that Vicuna and Llama 2 were trained and tested with in Zhang et al. 2024.

    The wording, with its misspelling of "separated", is that of ``format_test_prompt`` in ``evaluate.py`` of
    BillyZhang24kobe/LS_Proficiency; the authors give it no examples.
    """
    text = _PROLEX.format(separated="seperated") + _PROLEX_CRITERIA  # codespell:ignore seperated
    if shots:
        text += " \n Here are some examples: \n " + " \n \n ".join(map(_prolex_shot, shots)) + " \n \n"
    return (Message("user", f"{text} {_prolex_question(word, sentence)}"),)


def _prolex_question(word: str, sentence: str) -> str:
    return f"Target word: {word} \n Sentence: {sentence} \n Substitutes:"


def _prolex_shot(shot: Shot) -> str:
    return f"{_prolex_question(shot.word, shot.sentence)} {', '.join(shot.substitutes)}"


def prolex_candidates_prompt(word: str, sentence: str, shots: Sequence[Shot] = ()) -> Messages:
    """Return the prompt by which the candidates that people judged were made, in Zhang et al. 2024 (table 11).

    The authors give it five examples of SWORDS. Questions have the form of those of SWORDS.
    """
    examples = [f"{_swords_question(shot.word, shot.sentence)} {', '.join(shot.substitutes[:5])}" for shot in shots]
    return (Message("user", " ".join([_PROLEX_CANDIDATES, *examples, _swords_question(word, sentence)])),)


def swords_prompt(word: str, context: str, shots: Sequence[Shot] = ()) -> Messages:
    """Return the prompt that GPT-3 was given in Lee et al. 2021 (appendix D.5), as one message.

    The wording is that of ``swords/methods/gpt3.py`` in p-lambda/swords. GPT-3 completed a text; a model that answers
    chats is given the same text as a message. The authors filled GPT-3's window with examples from the dev part.
    """
    examples = [*(_swords_question(shot.word, shot.sentence) + f" {', '.join(shot.substitutes)}" for shot in shots)]
    return (Message("user", "\n\n".join([*examples, _swords_question(word, context)])),)


def _swords_question(word: str, context: str) -> str:
    return f"{context}\nQ: What are appropriate substitutes for **{word}** in the above text?\nA:"


# Examples

#: The 32 examples of the ProLex paper, by the places of their records in the training set D_L, from 0, in the order of
#: the prompt in ``prompt_gpt.py`` of BillyZhang24kobe/LS_Proficiency; and the targets of the first and the last.
PROLEX_PAPER: tuple[int, ...] = (894, 475, 128, 1277, 1177, 459, 1364, 99, 420, 62, 852, 300, 397, 320, 812, 764)
PROLEX_PAPER += (1045, 1087, 363, 888, 1251, 806, 1264, 515, 706, 181, 587, 1268, 1223, 1222, 419, 16)
_PAPER_ENDS = ("honest", "Filling")


def read_prolex_shots(path: Path) -> list[Shot]:
    """Read the examples of a training set of ProLex (``target_words``, ``tagged_sentences``, ``substitutes``).

    Records without a target or a substitute are left out of what is drawn from, but keep their places.

    Raises:
        InputError, FormatError: the file cannot be read, or a list of substitutes is not one.
    """
    shots = []
    for line, record in read_csv(path, ("target_words", "substitutes", "tagged_sentences")):
        substitutes = prolex.listed(record["substitutes"], "substitutes", path, line)
        shots.append(Shot(record["target_words"], record["tagged_sentences"].strip(), substitutes))
    return shots


def read_swords_shots(path: Path) -> list[Shot]:
    """Read the examples of a data set of SWORDS: the substitutes that somebody accepted, the most accepted first.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    benchmark = swords.Swords.open(path)
    shots = []
    for name, target in benchmark.gold.items():
        shares = {word: sum(label in swords.POSITIVE for label in labels) for word, labels in target.labels.items()}
        accepted = sorted((word for word, count in shares.items() if count), key=lambda word: -shares[word])
        shots.append(Shot(target.word, highlighted(benchmark.contexts[name]), tuple(accepted)))
    return shots


def highlighted(place: Place) -> str:
    """Return the context of a target on one line, with the target between double asterisks."""
    return " ".join(marked(place).split())


def draw(shots: Sequence[Shot], count: int, seed: int | None, path: Path) -> tuple[Shot, ...]:
    """Draw a number of examples.

    Without a seed they are those of the ProLex paper if 32 are wanted and the data are its set D_L, and otherwise as
    with seed 0; ``path`` is the file in errors.

    Raises:
        InputError: there are fewer.
    """
    if seed is None and count == len(PROLEX_PAPER) and len(shots) > max(PROLEX_PAPER):
        paper = tuple(shots[place] for place in PROLEX_PAPER)
        if (paper[0].word, paper[-1].word) == _PAPER_ENDS:
            return paper
    usable = [shot for shot in shots if shot.substitutes and f"**{shot.word}**" in shot.sentence]
    if len(usable) < count:
        raise InputError(f"{count} examples are wanted, and there are {len(usable)} in it", path=path)
    return tuple(random.Random(seed or 0).sample(usable, count))
