"""A large language model, asked by the prompt of a paper (``experiments/prompts.toml``), behind a server of the user's.

``USIM_LLM_ENDPOINT`` names the server, as for ``--judge llm:NAME`` (:mod:`usim.servers.llm`). Each target, or for SWS
each sentence, is asked about once; an answer that cannot be read has no substitutes.
"""

from __future__ import annotations

import ast
import hashlib
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from experiments.baselines.given import Candidate, GivenTarget
from usim.benchmarks import swords
from usim.errors import OptionError
from usim.servers.llm import ChatModel, Endpoint, Message, without_thoughts
from usim.text import Span
from usim.text.files import read_csv

#: The prompts by name: ``source``, ``text``, and where examples are shown ``example`` and how many ``examples``.
PROMPTS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("prompts.toml").read_text(encoding="utf-8")
)
#: Those that ask for substitutes.
NAMES = ("sws", "prolex", "prolex-32", "prolex-candidates", "swords")
_SUGGESTED = re.compile(r"[\"“]([^\"“”]+)[\"”]\s*:\s*\[([^\]]*)\]")
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_POS = ("noun", "verb", "adjective", "adverb")


def filled(prompt: str, **fields: str) -> str:
    """Return a text of a prompt with its fields in braces filled in."""
    return re.sub(r"\{([a-z]+)\}", lambda match: fields.get(match[1], match[0]), prompt)


class Prompted:
    """Proposes what a large language model answers to one of the prompts in :data:`NAMES`, at most ``k`` for a target.

    ``examples`` is a training set of ProLex (``.csv``) or data of SWORDS, from which ``seed`` draws those that it
    shows.

    Raises:
        OptionError: no server, or no examples for a prompt that shows some.
        InputError, FormatError: the examples cannot be read.
    """

    def __init__(self, model: str, prompt: str, *, k: int = 10, examples: str | None = None, seed: int = 0) -> None:
        self._prompt, self._k = PROMPTS[prompt], k
        shown = ""
        if count := self._prompt.get("examples", 0):
            if examples is None:
                raise OptionError(f"the prompt {prompt} shows examples: give --examples", option="examples")
            known = list(_examples(examples))
            drawn = random.Random(seed).sample(known, min(count, len(known)))
            shown = "".join(filled(self._prompt["example"], **fields) for fields in drawn)
        self._examples = shown
        self._model = ChatModel(Endpoint.from_environment(model))
        digest = hashlib.sha256((self._prompt["text"] + shown).encode()).hexdigest()[:6]
        self.signature = f"prompted|model:{model}|prompt:{prompt}+{digest}|k:{k}"

    def _ask(self, **fields: str) -> str:
        text = filled(self._prompt["text"], examples=self._examples, **fields)
        return without_thoughts(self._model.ask((Message("user", text),)).text).strip()

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return the substitutes for a target: what stands between commas in the first line of the answer."""
        marked = [*target.words[: target.start], f"**{target.text}**", *target.words[target.end :]]
        answer = self._ask(target=target.text, sentence=" ".join(marked)).split("\n", 1)[0]
        texts = dict.fromkeys(text.strip(" .*") for text in answer.split(","))
        return [Candidate(text, -float(place)) for place, text in enumerate(filter(None, texts))][: self._k]

    def __call__(self, words: Sequence[str]) -> dict[Span, list[str]]:
        """Return the spans of a sentence that the model would improve, with its suggestions (SWS)."""
        spans: dict[Span, list[str]] = {}
        for found in _SUGGESTED.finditer(self._ask(sentence=" ".join(words))):
            named = found[1].split()
            for start in range(len(words) - len(named) + 1):
                span = start, start + len(named)
                if list(words[slice(*span)]) == named and span not in spans:
                    spans[span] = _QUOTED.findall(found[2])[: self._k]
                    break
        return {span: suggestions for span, suggestions in sorted(spans.items()) if suggestions}


def _examples(path: str) -> Iterator[dict[str, str]]:
    if path.endswith(".csv"):
        for _, record in read_csv(path, ("target_words", "substitutes", "original_sentences")):
            target, sentence = record["target_words"], record["original_sentences"]
            marked = re.sub(rf"\b{re.escape(target)}\b", f"**{target}**", sentence, count=1)
            substitutes = ", ".join(ast.literal_eval(record["substitutes"]))
            yield {"target": target, "sentence": marked, "substitutes": substitutes}
        return
    for own in swords.Swords.open(path).gold.values():
        shares = {substitute: share for substitute, share in swords.positive_shares(own).items() if share}
        if own.place and shares:
            text, start, end, _ = own.place
            marked = f"{text[:start]}**{own.word}**{text[end:]}"
            best_first = sorted(shares, key=lambda substitute: -shares[substitute])
            yield {"target": own.word, "sentence": marked, "substitutes": ", ".join(best_first)}


def synthesised(model: str, sentences: Sequence[str], seed: int) -> Iterator[dict[str, str]]:
    """Yield records of training data as those of D_L (ProLex, table 13), of the sentences whose answers can be read."""
    asked, rng = ChatModel(Endpoint.from_environment(model)), random.Random(seed)
    parts = [rng.choice(_POS) for _ in sentences]
    chats = [
        (Message("user", filled(PROMPTS["prolex-data"]["text"], pos=pos, sentence=sentence)),)
        for pos, sentence in zip(parts, sentences, strict=True)
    ]
    for pos, sentence, answer in zip(parts, sentences, asked.ask_all(chats), strict=True):
        lines = dict(re.findall(r"^([A-Z][\w ]+): *(.+)$", without_thoughts(answer.text), re.MULTILINE))
        target = lines.get("Target word", "").split(" (")[0].strip()
        substitutes = [text.strip() for text in lines.get("Final Substitutes", "").split(",") if text.strip()]
        if target in sentence.split() and substitutes:
            yield {
                "target_words": target,
                "substitutes": str(substitutes),
                "query_pos": pos,
                "original_sentences": sentence,
            }
