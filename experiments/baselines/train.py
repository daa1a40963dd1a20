"""Fine-tune a masked language model for Smart Word Suggestions, on data of ``experiments generate``.

:func:`train` makes a folder of weights for :class:`experiments.baselines.trained.Trained`. While it works, its
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

from experiments.baselines.trained import TrainingSentence, TwoHeads
from usim.errors import FormatError, InputError
from usim.text.files import Path as FileName
from usim.text.files import read_lines

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
    """Read sentences with targets from what ``experiments generate`` writes; ``most`` of them, None for all.

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
            problem = "a line must be as experiments generate writes it, with sentence_split and substitutes within it"
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
    model.start(settings.seed)
    weights = [*model.body.parameters(), *model.detection.parameters()]
    optimiser: Any = model.torch.optim.AdamW(weights, lr=settings.rate)
    parts = {"body": model.body, "head": model.detection, "optimiser": optimiser}
    an_epoch = -(-len(rows) // settings.batch)
    steps = an_epoch * settings.epochs
    about = {**asdict(settings), "data": _digest(examples), "sentences": len(rows)}
    part = folder.with_name(folder.name + ".part")
    try:
        part.mkdir(parents=True, exist_ok=True)
        first, mean = _resumed(part / _STATE, about, parts, model)
        for step in range(first, steps):
            epoch, place = divmod(step, an_epoch)
            order = list(range(len(rows)))
            random.Random(f"{settings.seed}:{epoch}").shuffle(order)
            batch = order[place * settings.batch : (place + 1) * settings.batch]
            model.torch.manual_seed(settings.seed * 1_000_003 + step)
            model.body.train()
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * _share_of_rate(step, steps)
            loss = model.loss([rows[number] for number in batch])
            optimiser.zero_grad()
            loss.backward()
            model.torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            value = float(loss.detach())
            mean = value if mean != mean else 0.99 * mean + 0.01 * value  # of about the last hundred steps
            if (step + 1) % save_every == 0 or step + 1 == steps:
                state = {name: own.state_dict() for name, own in parts.items()}
                fresh = (part / _STATE).with_suffix(".new")
                model.torch.save({"about": about, "step": step + 1, "loss": mean, **state}, fresh)
                os.replace(fresh, part / _STATE)
                say(f"step {step + 1} of {steps}, loss {mean:.4f}")
        whole = part / "weights"
        shutil.rmtree(whole, ignore_errors=True)
        whole.mkdir()
        model.save(whole, {**about, "steps": steps, "loss": round(mean, 6)})
        whole.rename(folder)
        shutil.rmtree(part)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=part) from e
    return folder


def _resumed(path: Path, about: dict[str, Any], parts: dict[str, Any], model: TwoHeads) -> tuple[int, float]:
    """Load a saved state, if there is one; return the number of steps that it has taken, and its loss."""
    if not path.exists():
        return 0, float("nan")
    try:
        state = model.torch.load(path, map_location=model.device, weights_only=True)
    except (RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError) as e:
        raise InputError("not the state of a training; delete its folder to begin again", path=path) from e
    if state["about"] != about:
        problem = "the state of a training with other settings or data; delete its folder to begin again"
        raise InputError(problem, path=path)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    return state["step"], state["loss"]


def _digest(examples: Sequence[TrainingSentence]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        digest.update(repr(example).encode())
    return digest.hexdigest()[:16]


def _share_of_rate(step: int, steps: int) -> float:
    """Return the share of the highest learning rate that a step has."""
    warm = max(1, int(_WARMUP * steps))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)
