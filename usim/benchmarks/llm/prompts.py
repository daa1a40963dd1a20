"""The prompts of the three papers.

A prompt of a paper is a fact about its experiment and is given word for word as far as its source could be read; each
docstring names the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from usim.llm import Message, Messages


class Shot(NamedTuple):
    """An example in a prompt: the target, its sentence with the target between double asterisks, and substitutes."""

    word: str
    sentence: str
    substitutes: tuple[str, ...]


_SWS = (
    "In the following sentence, please give some suggestions to improve word usage. Please give the results with the"
    ' json format of "original word": ["suggestion 1", "suggestion 2"], and the \'original word\' should be directly'
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


def swords_prompt(word: str, context: str, shots: Sequence[Shot] = ()) -> Messages:
    """Return the prompt that GPT-3 was given in Lee et al. 2021 (appendix D.5), as one message.

    The wording is that of ``swords/methods/gpt3.py`` in p-lambda/swords. GPT-3 completed a text; a model that answers
    chats is given the same text as a message. The authors filled GPT-3's window with examples from the dev part.
    """
    examples = [*(_swords_question(shot.word, shot.sentence) + f" {', '.join(shot.substitutes)}" for shot in shots)]
    return (Message("user", "\n\n".join([*examples, _swords_question(word, context)])),)


def _swords_question(word: str, context: str) -> str:
    return f"{context}\nQ: What are appropriate substitutes for **{word}** in the above text?\nA:"
