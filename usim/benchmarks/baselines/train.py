"""Fine-tune a masked language model for Smart Word Suggestions, on data of ``usim generate``.

:func:`train` makes a folder of weights for :class:`usim.benchmarks.baselines.trained.Trained`. While it works, its
state is in a folder beside it, ``NAME.part``; the same call goes on from there, and comes to the same weights as a run
that was never stopped, because every step draws from its own seed. The folder gets its name when it is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from usim.benchmarks.baselines.trained import Encoded, TrainingSentence, TwoHeads
from usim.errors import FormatError, InputError
from usim.text import Path as FileName
from usim.text import read_lines

_STATE = "state.pt"
_WARMUP = 0.1  # of the steps


@dataclass(frozen=True)
class Settings:
    """How to train.

    Attributes:
        model: a folder, or a name that ``transformers`` knows.
        epochs: how often each sentence is seen.
        batch: sentences a step.
        rate: the highest learning rate; it rises over the first tenth of the steps and falls to zero.
        seed: of the first head, the order of sentences and the model's dropout.
        most: how many sentences to read; None for all.
    """

    model: str
    epochs: int = 1
    batch: int = 32
    rate: float = 5e-5
    seed: int = 0
    most: int | None = None


def read_examples(path: FileName, *, most: int | None = None) -> list[TrainingSentence]:
    """Read sentences with targets: what ``usim generate`` writes, a JSON object a line; ``most`` of them, None for all.

    Raises:
        InputError: the file cannot be read, or has no sentence.
        FormatError: a line is not of that form.
    """
    examples: list[TrainingSentence] = []
    for number, line in read_lines(path):
        if not line.strip():
            continue
        if most is not None and len(examples) == most:
            break
        example = _example(line)
        if example is None:
            problem = "a line must be as usim generate writes it, with sentence_split and substitutes within it"
            raise FormatError(problem, path=path, line=number, text=line)
        examples.append(example)
    if not examples:
        raise InputError("no sentence to learn from in the file", path=path)
    return examples


def _example(line: str) -> TrainingSentence | None:
    try:
        record = json.loads(line)
        words = tuple(record["sentence_split"])
        targets = []
        for (start, end), suggestions, _ in record["substitutes"]:
            better = max(suggestions, key=suggestions.get)
            if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(words):
                return None
            targets.append((start, end, str(better)))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return TrainingSentence(words, tuple(targets)) if words and all(isinstance(word, str) for word in words) else None


def train(
    examples: Sequence[TrainingSentence],
    out: FileName,
    settings: Settings,
    *,
    device: str = "cpu",
    save_every: int = 500,
    say: Callable[[str], None] = print,
) -> Path:
    """Fine-tune a model and write its folder.

    Args:
        examples: what to learn from; sentences that are too long for the model are left out.
        out: the folder to make.
        settings: how to train.
        device: where the model runs.
        save_every: after how many steps the state is saved.
        say: takes a line on how it goes whenever the state is saved.

    Raises:
        InputError: the folder is there already, holds the state of another training, or cannot be written; the model
            cannot be loaded; no sentence fits it.
        UsimError: ``transformers`` or ``torch`` is not installed.
    """
    folder = Path(out)
    if folder.exists():
        raise InputError("is there already: choose another folder, or delete it", path=out)
    model = TwoHeads(settings.model, device=device)
    rows = [(encoded, example) for example in examples if (encoded := model.encode(example.words)) is not None]
    if not rows:
        raise InputError("no sentence of the data is short enough for the model", path=settings.model)
    part = folder.with_name(folder.name + ".part")
    try:
        part.mkdir(parents=True, exist_ok=True)
        about = {**asdict(settings), "data": _digest(examples), "sentences": len(rows)}
        run = _Run(model, rows, settings, part / _STATE, about)
        run.resume()
        while run.step < run.steps:
            run.take()
            if run.step % save_every == 0 or run.step == run.steps:
                run.save()
                say(f"step {run.step} of {run.steps}, loss {run.loss:.4f}")
        weights = part / "weights"
        shutil.rmtree(weights, ignore_errors=True)
        weights.mkdir()
        model.save(weights, {**about, "steps": run.steps, "loss": round(run.loss, 6)})
        weights.rename(folder)
        shutil.rmtree(part)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=part) from e
    return folder


def _digest(examples: Sequence[TrainingSentence]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        digest.update(repr(example).encode())
    return digest.hexdigest()[:16]


class _Run:
    """A training and where it stands."""

    def __init__(
        self,
        model: TwoHeads,
        rows: Sequence[tuple[Encoded, TrainingSentence]],
        settings: Settings,
        state: Path,
        about: dict[str, Any],
    ) -> None:
        self._model = model
        self._rows = rows
        self._settings = settings
        self._state = state
        self._about = about
        self._torch = model.torch
        model.start(settings.seed)
        self._weights = [*model.body.parameters(), *model.detection.parameters()]
        self._optimiser: Any = self._torch.optim.AdamW(self._weights, lr=settings.rate)
        self._parts = {"body": model.body, "head": model.detection, "optimiser": self._optimiser}
        self._an_epoch = -(-len(rows) // settings.batch)
        self.steps = self._an_epoch * settings.epochs
        self.step = 0
        self.loss = float("nan")

    def resume(self) -> None:
        """Go on from a saved state, if there is one.

        Raises:
            InputError: it is of a training with other settings or data, or cannot be read.
        """
        if not self._state.exists():
            return
        try:
            state = self._torch.load(self._state, map_location=self._model.device, weights_only=True)
        except (RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError) as e:
            raise InputError("not the state of a training; delete its folder to begin again", path=self._state) from e
        if state["about"] != self._about:
            problem = "the state of a training with other settings or data; delete its folder to begin again"
            raise InputError(problem, path=self._state)
        for name, part in self._parts.items():
            part.load_state_dict(state[name])
        self.step, self.loss = state["step"], state["loss"]

    def save(self) -> None:
        """Save the state, whole or not at all."""
        state = {"about": self._about, "step": self.step, "loss": self.loss}
        state |= {name: part.state_dict() for name, part in self._parts.items()}
        fresh = self._state.with_suffix(".new")
        self._torch.save(state, fresh)
        os.replace(fresh, self._state)

    def take(self) -> None:
        """Take a step: draw its sentences, and change the weights."""
        epoch, place = divmod(self.step, self._an_epoch)
        order = list(range(len(self._rows)))
        random.Random(f"{self._settings.seed}:{epoch}").shuffle(order)
        first = place * self._settings.batch
        rows = [self._rows[number] for number in order[first : first + self._settings.batch]]
        self._torch.manual_seed(self._settings.seed * 1_000_003 + self.step)
        self._model.body.train()
        for group in self._optimiser.param_groups:
            group["lr"] = self._settings.rate * self._share()
        loss = self._model.loss(rows)
        self._optimiser.zero_grad()
        loss.backward()
        self._torch.nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimiser.step()
        self.step += 1
        # The mean of about the last hundred steps.
        value = float(loss.detach())
        self.loss = value if self.loss != self.loss else 0.99 * self.loss + 0.01 * value

    def _share(self) -> float:
        """Return the share of the highest learning rate that the step has."""
        warm = max(1, int(_WARMUP * self.steps))
        return (self.step + 1) / warm if self.step < warm else (self.steps - self.step) / max(1, self.steps - warm)
