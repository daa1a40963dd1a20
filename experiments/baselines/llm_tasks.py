"""From the data of a benchmark to questions, and from the answers to predictions in the form that its scorer reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, TypeVar

from experiments.baselines import llm_answers as answers
from experiments.baselines import llm_prompts as prompts
from experiments.baselines.given import Candidate, GivenTarget, read_sentences, targets_of, write_predictions
from experiments.baselines.given import write as write_given
from usim.benchmarks import prolex, swords
from usim.benchmarks.benchmark import Benchmark
from usim.errors import OptionError
from usim.llm import ChatAnswer, Messages
from usim.text import Span
from usim.text.files import Path, read_json

T = TypeVar("T", bound=Sequence[Any])

#: The benchmarks, and the prompts that each has; the first is the default.
TASKS: Mapping[str, tuple[str, ...]] = {
    "sws": ("paper",),
    "prolex": ("paper", "criteria", "candidates"),
    "swords": ("paper",),
}


@dataclass
class Outcome:
    """What became of the answers: how many were asked for, and how many suggestions there are in them.

    Attributes:
        unparsed: how many answers were no list of words, or were cut off; they count as no suggestion.
        misplaced: how many words of the answers are not in their sentence (SWS).
    """

    questions: int = 0
    unparsed: int = 0
    suggestions: int = 0
    misplaced: int = 0

    def read(self, answer: ChatAnswer, reader: Callable[[str], T | None]) -> T | tuple[()]:
        """Return what a reader makes of an answer, and count it; nothing where it makes nothing of it."""
        self.questions += 1
        items = None if answer.is_cut else reader(answer.text)
        self.unparsed += items is None
        return items or ()

    def text(self) -> str:
        """Return the counts as one line."""
        line = f"{self.questions} questions, {self.suggestions} suggestions, {self.unparsed} answers unparsed"
        return line + (f", {self.misplaced} words not in their sentence" if self.misplaced else "")


@dataclass(frozen=True)
class Task:
    """Questions about the data of a benchmark, and how their answers are written.

    Attributes:
        name: of the benchmark.
        signature: the prompt and its examples, for signatures.
        questions: what is asked, in the order of the data.
        write: writes predictions from the answers, in order, and returns what became of them.
        is_empty: returns whether an answer holds no suggestion that can be read.
    """

    name: str
    signature: str
    questions: tuple[Messages, ...]
    write: Callable[[IO[str], Iterable[ChatAnswer]], Outcome]
    is_empty: Callable[[ChatAnswer], bool]


def load_task(
    name: str,
    data: Path,
    *,
    prompt: str = "paper",
    shots: int = 0,
    shots_from: Path | None = None,
    seed: int | None = None,
    k: int = 10,
) -> Task:
    """Read the data of a benchmark, ``sws``, ``prolex`` or ``swords``; for ``sws`` also a text with a sentence a line.

    Args:
        name, data: the benchmark and its gold data.
        prompt: one of :data:`TASKS`.
        shots, shots_from, seed: how many examples are in the prompt, the data that they are drawn from, and the seed of
            the draw, see ``experiments.baselines.llm_prompts.draw``; none for ``sws``.
        k: how many suggestions of a target are kept.

    Raises:
        OptionError: the options contradict each other.
        InputError, FormatError: a file cannot be read, or is not of its form.
    """
    if prompt not in TASKS[name]:
        raise OptionError(f"{name} has no prompt {prompt!r}; there is {' and '.join(TASKS[name])}", option="prompt")
    if name == "sws" and shots:
        raise OptionError("the prompt of SWS has no examples", option="shots")
    if bool(shots) != (shots_from is not None):
        raise OptionError("examples need a number and a file: give --shots and --shots-from", option="shots")
    examples: tuple[prompts.Shot, ...] = ()
    if shots_from is not None:
        of_swords = name == "swords" or prompt == "candidates"
        read_shots = prompts.read_swords_shots if of_swords else prompts.read_prolex_shots
        examples = prompts.draw(read_shots(shots_from), shots, seed, shots_from)
    drawn = f"|shots:{shots}|seed:{'paper' if seed is None else seed}" if shots else ""
    signature = f"{name}|prompt:{prompt}{drawn}|k:{k}"
    if name == "sws":
        return _of_sentences(signature, data, k)
    benchmark: Benchmark[Any]
    ask: Callable[[str, str, Sequence[prompts.Shot]], Messages]
    if name == "prolex":
        benchmark = prolex.ProLex(prolex.read_gold(data))
        ask = {
            "paper": prompts.prolex_prompt,
            "criteria": prompts.prolex_criteria_prompt,
            "candidates": prompts.prolex_candidates_prompt,
        }[prompt]
        texts = [(target.word, target.sentence) for target in benchmark.gold.values()]
    else:
        benchmark = swords.Swords({}, data)
        ask = prompts.swords_prompt
        texts = [(place.word, prompts.highlighted(place)) for place in benchmark.contexts.values()]
    return _of_targets(name, signature, benchmark, [ask(*text, examples) for text in texts], k)


def _of_sentences(signature: str, data: Path, k: int) -> Task:
    """Return the questions of SWS, in which the model finds the targets."""
    sentences = list(read_sentences(data))
    records: Mapping[str, Any] = read_json(data) if str(data).removesuffix(".gz").endswith(".json") else {}
    # As they were written, where the data say how.
    texts = [records.get(name, {}).get("sentence") for name, _ in sentences]
    questions = [
        prompts.sws_prompt(text if isinstance(text, str) else " ".join(words))
        for text, (_, words) in zip(texts, sentences, strict=True)
    ]

    def write(file: IO[str], given: Iterable[ChatAnswer]) -> Outcome:
        outcome = Outcome()

        def predictions() -> Iterator[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]:
            for (name, words), answer in zip(sentences, given, strict=True):
                spans: dict[Span, Sequence[str]] = {}
                for target, substitutes in outcome.read(answer, answers.read_suggestions):
                    place = answers.find_words(target, words, list(spans))
                    outcome.misplaced += place is None
                    if place is not None and substitutes:
                        spans[place] = substitutes[:k]
                        outcome.suggestions += len(spans[place])
                yield name, words, dict(sorted(spans.items()))

        write_predictions(file, predictions())
        return outcome

    def is_empty(answer: ChatAnswer) -> bool:
        return not any(words for _, words in Outcome().read(answer, answers.read_suggestions))

    return Task("sws", signature, tuple(questions), write, is_empty)


def _of_targets(name: str, signature: str, benchmark: Benchmark[Any], questions: Sequence[Messages], k: int) -> Task:
    """Return questions about targets that are given."""
    targets = targets_of(benchmark)

    def write(file: IO[str], given: Iterable[ChatAnswer]) -> Outcome:
        outcome = Outcome()

        def read() -> Iterator[tuple[GivenTarget, list[Candidate]]]:
            for target, answer in zip(targets, given, strict=True):
                words = outcome.read(answer, partial(answers.read_word_list, target=target.text))[:k]
                outcome.suggestions += len(words)
                yield target, [Candidate(text, -rank) for rank, text in enumerate(words)]

        write_given(benchmark, file, read())
        return outcome

    def is_empty(answer: ChatAnswer) -> bool:
        return not Outcome().read(answer, answers.read_word_list)

    return Task(name, signature, tuple(questions), write, is_empty)
