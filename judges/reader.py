"""Train the reader: the upper half of an encoder that reads source and output together, over the trunk's vectors.

::

    python -m judges.reader lessons --data DIR --model en --out runs/reader [--measured FILE ...]
    python -m judges.reader train --encoder DIR --out runs/reader --minutes 90 [--only SET ...]

``lessons`` writes the pairs, and the trunk's vectors of their texts in shards. ``train`` may begin as soon as some
shards are there, writes a checkpoint every ten minutes, and goes on from it. The learning rate goes by the share of the
minutes that were spent in training, so a run that was stopped and a slow machine end where others do. Where cores are
not equally free, several processes train together: ``--join 1`` beside the first one adds its steps to the same
weights.

Each text has been read by the frozen trunk. The upper layers then see the tokens of both side by side, behind a vector
of their own for the pair. Three things tell them where to look:

* a learned vector of the side, in the place of token types;
* to each token is added a learned map of its *counterpart*, the mean of the other side's tokens weighed by cosines;
* attention between the sides starts from the cosines and from the soft alignment (the *match bias*), with a learned
  weight for each head of each layer; within a side it goes by distance, as it was pretrained.

The token heads say of each token whether the other side does not say it. The pair's logits are those of the vector of
the pair, less learned shares of the logit that any token of a side drifted.
"""

from __future__ import annotations

import argparse
import fcntl
import pickle
import random
import time
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from judges.lessons import Lesson, Vectors, encode, measured, read, texts_of
from training.mpnet import BertLayerByDistance, UpperBert, UpperEncoder, is_mpnet, load_encoder, ranges
from training.precision import half
from training.statistics import auc, grouped
from usim.parsing import load_trunk
from usim.registry import find_model

WRITTEN = Path(__file__).parent / "written"
#: Pairs with marks, a table for each author.
AUTHORS = WRITTEN / "authors"
#: How often a pair of each set is drawn in the beginning and in the end, relative to the size of the set.
WEIGHTS = {
    "snli": (1.0, 0.4), "vitaminc": (0.5, 0.15), "med": (1.0, 0.7), "conjnli": (0.5, 0.25), "fm2": (0.5, 0.3),
    "counterfactual": (1.0, 0.4), "help": (0.7, 0.4), "paws": (1.0, 1.0), "breaking-nli": (0.7, 0.3),
    "summedits": (1.0, 2.0), "swords": (0.15, 0.15), "mqm": (0.7, 0.7), "rewrites": (1.0, 2.5), "authors": (2.0, 4.0),
    "otherwise": (1.0, 2.0), "simpler": (0.5, 1.0), "words": (0.7, 1.0), "corrections": (0.5, 0.7),
    "learners": (0.5, 0.5), "talks": (0.7, 1.0), "clear": (0.5, 0.7), "contexts": (0.3, 0.3),
    "ends": (1.0, 1.0), "joined": (0.7, 1.0), "crossed": (0.7, 1.0),
}  # fmt: skip
#: How much each of the outputs counts, and the tokens.
OF_OUTPUT, OF_TOKENS = (1.0, 0.7, 0.5), 0.5
#: Learning rates: of the pretrained layers; of what is added below them, which all layers stand on (at 8e-4 its random
#: walk spoiled the layers above after some ten thousand pairs); of the heads; and of the few weights of the match bias.
RATES = {"layers": 5e-5, "added": 1e-4, "heads": 4e-4, "match": 4e-3}
#: Tokens of a batch, padding included, and what the length of a pair is rounded to.
BATCH, STEP = 2048, 8
#: The seconds in which the rates rise after each start, the last share of the time in which they fall, and the seconds
#: between checkpoints.
WARM_UP, FALLING, BETWEEN = 120.0, 0.4, 600.0
#: Steps between two exchanges of weights of processes that train together.
EXCHANGE = 8
DROPOUT = 0.05


class ReaderNet(nn.Module):
    """The reader of two texts, over upper layers of :func:`upper_of`; see the module."""

    def __init__(self, upper: Any) -> None:
        super().__init__()
        width, heads = upper.config.hidden_size, upper.config.num_attention_heads
        self.heads, self.layer, self.bias = heads, upper.layer, upper.bias
        count = len(self.layer)
        self.pair = nn.Parameter(torch.randn(width) * 0.02)
        self.side = nn.Embedding(2, width)
        nn.init.normal_(self.side.weight, std=0.02)
        self.sharpness = nn.Parameter(torch.tensor(12.0))
        self.counterpart = nn.Linear(2 * width, width)
        nn.init.normal_(self.counterpart.weight, std=0.005)
        nn.init.zeros_(self.counterpart.bias)
        #: For each layer and head: the weight of the cosine, of the soft alignment, and a constant.
        self.match = nn.Parameter(torch.zeros(count, heads, 3))
        with torch.no_grad():
            self.match[:, :, 0] = torch.linspace(0, 3, heads)
            self.match[:, :, 1] = torch.linspace(4, 0, heads)
            self.match[:, :, 2] = -1.0
        self.dropout = nn.Dropout(DROPOUT)
        self.token = nn.Sequential(nn.Linear(width, 256), nn.GELU(), nn.Linear(256, 1))
        self.of_pair = nn.Sequential(nn.Linear(3 * width, 256), nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(256, 3))
        self.of_drift = nn.Parameter(torch.tensor([[-0.3, -0.3], [0.0, -0.5], [-0.5, 0.0]]))
        with torch.no_grad():
            self.token[-1].bias.fill_(-2.0)

    def forward(self, x: torch.Tensor, side: torch.Tensor, place: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits of the pairs (pairs, 3), and of the tokens (pairs, tokens).

        Args:
            x: the trunk's vectors (pairs, tokens, width), of the source and then of the output; or those of two layers
                side by side, of which the second is compared.
            side: 0 for tokens of the source, 1 for those of the output, 2 for padding, (pairs, tokens).
            place: the place of each token in its text.
        """
        is_token = side < 2
        cross = (side[:, :, None] != side[:, None, :]) & is_token[:, :, None] & is_token[:, None, :]
        width = len(self.pair)
        x, compared = x[..., :width], x[..., -width:]
        unit = F.normalize(compared.float(), dim=-1)
        cosine = unit @ unit.transpose(1, 2)
        # The mean cosine of two tokens of unlike texts is far above 0.
        cosine = (cosine - 0.3) / 0.7
        weight = (self.sharpness * cosine).masked_fill(~cross, -1e4).softmax(-1) * cross.any(-1, keepdim=True)
        other = weight @ x.float()
        h = x + self.side(side.clamp(max=1)) + self.counterpart(torch.cat([other - x, other * x], -1))
        h = torch.cat([self.pair.expand(len(x), 1, -1), h], 1)
        h = self.dropout(h)
        figures = torch.stack([cosine, weight + weight.transpose(1, 2), torch.ones_like(cosine)], -1) * cross[..., None]
        apart = self.near(place, side)
        for layer, match in zip(self.layer, self.match, strict=True):
            added = F.pad((figures @ match.T).permute(0, 3, 1, 2), (1, 0, 1, 0)) + apart
            h = layer(h, None, added.to(h.dtype))[0]
        tokens = self.token(h[:, 1:]).squeeze(-1).float()
        drifted = torch.stack([_any(tokens, side == k) for k in (0, 1)], -1)
        means = [_mean(h[:, 1:], side == k) for k in (0, 1)]
        said = self.of_pair(torch.cat([h[:, 0], *means], -1)).float()
        return said + drifted @ self.of_drift.T, tokens

    def near(self, place: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """Return what attention gains by distance within a side; padding is hidden, (pairs, heads, 1 + tokens, ...)."""
        longest = int(place.max()) + 1
        table = self.bias(ranges(longest, self.bias))
        own = table[place[:, :, None], place[:, None, :]] * (side[:, :, None] == side[:, None, :])[..., None]
        added = F.pad(own.permute(0, 3, 1, 2), (1, 0, 1, 0))
        hidden = F.pad(side == 2, (1, 0))
        return added.masked_fill(hidden[:, None, None, :], -1e4)


def _mean(h: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    return (h * chosen[..., None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1)


def _any(logits: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Return the logit that any of some tokens drifted, (pairs,), cut off at 10 on either side."""
    total = (F.softplus(logits) * chosen).sum(1).clamp(1e-4, 10.0)
    return torch.log(torch.expm1(total))


def _length(lesson: Lesson) -> int:
    """Return how many places a pair takes in a batch, the vector of the pair included.

    Sizes are rounded up: each new shape of a matrix costs the processor's library as much as a step.
    """
    return -(-(sum(map(len, lesson.drifted)) + 1) // STEP) * STEP


def batch_of(lessons: Sequence[Lesson], vectors: Vectors) -> dict[str, torch.Tensor]:
    """Return lessons as the network reads them, padded."""
    sizes = [(len(a), len(b)) for a, b in (lesson.drifted for lesson in lessons)]
    longest = max(map(_length, lessons)) - 1
    width = vectors[lessons[0].source].shape[1]
    x = np.zeros((len(lessons), longest, width), np.float32)
    side, place = np.full((len(lessons), longest), 2), np.zeros((len(lessons), longest), np.int64)
    drifted = np.full((len(lessons), longest), -1)
    for k, (lesson, (n, m)) in enumerate(zip(lessons, sizes, strict=True)):
        x[k, :n], x[k, n : n + m] = vectors[lesson.source], vectors[lesson.output]
        side[k, :n], side[k, n : n + m] = 0, 1
        place[k, :n], place[k, n : n + m] = np.arange(n), np.arange(m)
        drifted[k, : n + m] = lesson.drifted[0] + lesson.drifted[1]
    wanted = np.array([lesson.wanted for lesson in lessons], np.float32)
    arrays = {"x": x, "side": side, "place": place, "drifted": drifted, "wanted": wanted}
    return {name: torch.from_numpy(value) for name, value in arrays.items()}


def loss_of(
    said: torch.Tensor, tokens: torch.Tensor, batch: dict[str, torch.Tensor], share: float = OF_TOKENS
) -> torch.Tensor:
    """Return the loss of a batch: of what is known of its pairs, and of its tokens."""
    wanted, is_known = batch["wanted"].nan_to_num(), ~batch["wanted"].isnan()
    of_pairs = F.binary_cross_entropy_with_logits(said, wanted, reduction="none") * is_known
    of_pairs = (of_pairs * torch.tensor(OF_OUTPUT, device=said.device)).sum(1).mean()
    drifted = batch["drifted"]
    is_marked = drifted >= 0
    of_tokens = F.binary_cross_entropy_with_logits(tokens, drifted.clamp(min=0).float(), reduction="none")
    # A token that drifted is one of many; it counts for three.
    of_tokens = of_tokens * is_marked * (1 + 2 * (drifted == 1))
    return of_pairs + share * (of_tokens.sum(1) / is_marked.sum(1).clamp(min=1)).mean()


def drawn(lessons: Sequence[Lesson], share: float, rng: random.Random, count: int) -> list[Lesson]:
    """Return lessons by chance, with the weights of their sets at this share of the training, half of them turned.

    Hardly any set says which sources follow from their outputs; the pairs of entailment, turned, do.
    """
    weights = [first + (last - first) * share for first, last in (WEIGHTS[lesson.origin] for lesson in lessons)]
    return [one.turned if rng.random() < 0.5 else one for one in rng.choices(lessons, weights, k=count)]


def batches(lessons: Sequence[Lesson], rng: random.Random) -> Iterator[list[Lesson]]:
    """Yield lessons of like length together, in an order by chance."""
    found: list[list[Lesson]] = []
    for size, own in groupby(sorted(lessons, key=_length), key=_length):
        some = list(own)
        rng.shuffle(some)
        each = max(1, BATCH // size)
        found += [some[at : at + each] for at in range(0, len(some), each)]
    rng.shuffle(found)
    yield from found


@torch.no_grad()
def predict(net: ReaderNet, lessons: Sequence[Lesson], vectors: Vectors) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the logits of lessons, (pairs, 3), and those of their tokens."""
    net.eval()
    said, tokens = np.zeros((len(lessons), 3), np.float32), [np.zeros(0)] * len(lessons)
    order = sorted(range(len(lessons)), key=lambda k: sum(map(len, lessons[k].drifted)))
    for at in range(0, len(order), 32):
        some = order[at : at + 32]
        batch = batch_of([lessons[k] for k in some], vectors)
        with half():
            pairs, of_tokens = net(batch["x"], batch["side"], batch["place"])
        said[some] = pairs.float().numpy()
        for row, k in enumerate(some):
            tokens[k] = of_tokens[row, : sum(map(len, lessons[k].drifted))].float().numpy()
    return said, tokens


def figures(net: ReaderNet, lessons: Sequence[Lesson], vectors: Vectors) -> str:
    """Return the AUC of each set that is held out, of what is known of it, and F1 of the marked tokens."""
    said, tokens = predict(net, lessons, vectors)
    parts = []
    for origin in sorted({lesson.origin for lesson in lessons}):
        some = [k for k, lesson in enumerate(lessons) if lesson.origin == origin]
        wanted = np.array([lessons[k].wanted for k in some])
        output = 0 if not np.isnan(wanted[:, 0]).all() else 1
        label = wanted[:, output] >= 0.5
        if label.any() and not label.all():
            own = said[some, output]
            parts.append(f"{origin} {auc(own[label], own[~label]):.3f}")
    labels = [np.array(lesson.drifted[0] + lesson.drifted[1]) for lesson in lessons]
    if marked := [k for k, label in enumerate(labels) if 1 in label]:
        label, logit = (np.concatenate([side[k] for k in marked]) for side in (labels, tokens))
        parts.append(f"tokens F1 {_best_f(logit[label >= 0], label[label >= 0] == 1):.3f}")
    return ", ".join(parts)


class Shared:
    """The weights of a network that several processes train together, in a file that all of them map into memory.

    Each adds what it has learned since its last exchange, and takes what is there then. The process with the number 0
    makes the file.
    """

    def __init__(self, path: Path, net: nn.Module, number: int) -> None:
        self._parameters = list(net.parameters())
        count = sum(p.numel() for p in self._parameters)
        if number == 0:
            with open(path, "wb") as file:
                file.truncate(4 * (count + 1))
        # The last number is the share of the training that was done.
        self._file = open(path, "r+b")  # noqa: SIM115
        self._all = np.memmap(path, np.float32, "r+", shape=(count + 1,))
        if number == 0:
            self._all[:-1] = self._own()
        self._base = self._own()
        self.is_first = number == 0
        self.exchange(0.0)

    def _own(self) -> np.ndarray:
        return np.concatenate([p.detach().numpy().ravel() for p in self._parameters])

    def exchange(self, share: float) -> float:
        """Exchange weights, and return the share of the training that the first process has done."""
        fcntl.flock(self._file, fcntl.LOCK_EX)
        if self.is_first:
            self._all[-1] = share
            own = self._own()
            self._all[:-1] += own - self._base
        elif self._all[-1] > 0:
            self._all[:-1] += self._own() - self._base
        self._base = np.array(self._all[:-1])
        share = float(self._all[-1])
        fcntl.flock(self._file, fcntl.LOCK_UN)
        at = 0
        with torch.no_grad():
            for p in self._parameters:
                p.copy_(torch.from_numpy(self._base[at : at + p.numel()]).view_as(p))
                at += p.numel()
        return share


def _best_f(logit: np.ndarray, is_drifted: np.ndarray) -> float:
    found = [logit > threshold for threshold in np.linspace(-2, 2, 17)]
    return float(max(2 * (some & is_drifted).sum() / max(1, some.sum() + is_drifted.sum()) for some in found))


def upper_of(encoder: Path) -> Any:
    """Return the pretrained layers that the reader of an encoder begins with."""
    if is_mpnet(encoder):
        return UpperEncoder(load_encoder(encoder, DROPOUT))
    return UpperBert(load_encoder(encoder, DROPOUT, attn_implementation="eager"))


def optimizer_of(net: ReaderNet, rate: float) -> torch.optim.Optimizer:
    """Return the optimiser, with this multiple of a rate for each kind of weights (``RATES``)."""
    added = [net.pair, *net.side.parameters(), *net.counterpart.parameters()]
    of_kind = {"layers": [*net.layer.parameters()], "added": added}
    of_kind["heads"] = [*net.token.parameters(), *net.of_pair.parameters(), net.of_drift]
    of_kind["match"] = [net.match, net.sharpness]
    # A BERT has no table of distances: it begins at 0, and at the rate of the layers it learned nothing of order.
    of_kind["match" if isinstance(net.layer[0], BertLayerByDistance) else "layers"] += net.bias.parameters()
    groups = [{"params": of_kind[kind], "lr": own * rate, "of": own * rate} for kind, own in RATES.items()]
    return torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)


def train(
    lessons: Sequence[Lesson],
    vectors: Vectors,
    encoder: Path,
    out: Path,
    *,
    minutes: float,
    each: int,
    join: int,
    rate: float,
    only: Collection[str] = WEIGHTS,
    of_tokens: float = OF_TOKENS,
) -> None:
    """Train for so many minutes with checkpoints, as the process ``join`` of several, on the sets in ``only``."""
    rng = random.Random(1 + join)
    torch.manual_seed(1 + join)
    net = ReaderNet(upper_of(encoder))
    optimizer = optimizer_of(net, rate)
    spent, seen, steps = 0.0, 0, 0
    state = out / "reader.ckpt"
    if state.exists():
        kept = torch.load(state, weights_only=False)
        net.load_state_dict(kept["net"])
        if "optimizer" in kept:
            optimizer.load_state_dict(kept["optimizer"])
        for group, own in zip(optimizer.param_groups, RATES.values(), strict=True):
            group["of"] = own * rate
        spent, seen, steps = kept["spent"], kept["seen"], kept["steps"]
        rng.seed(steps + join)
        print(f"goes on after {seen} pairs", flush=True)
    held = [lesson for lesson in lessons if lesson.is_held_out]
    used = [lesson for lesson in lessons if not lesson.is_held_out and lesson.origin in only]
    losses: list[float] = []
    started, saved, budget = spent, spent, 60 * minutes
    shared = Shared(out / "shared.weights", net, join)
    while spent < budget:
        vectors.refresh()
        there = list(filter(vectors.has, used))
        for some in batches(drawn(there, spent / budget, rng, 6000), rng):
            began = time.perf_counter()
            share = spent / budget
            factor = min((spent - started) / WARM_UP, 1.0, (1 - share) / FALLING)
            for group in optimizer.param_groups:
                group["lr"] = group["of"] * max(factor, 0.01)
            net.train()
            batch = batch_of(some, vectors)
            with half():
                said, tokens = net(batch["x"], batch["side"], batch["place"])
            loss = loss_of(said.float(), tokens.float(), batch, of_tokens)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            seen, steps = seen + len(some), steps + 1
            spent += time.perf_counter() - began
            if steps % EXCHANGE == 0:
                share = shared.exchange(spent / budget)
                spent = spent if join == 0 else share * budget
            if steps % 20 == 0:
                pace, recent = f"{seen / spent:.1f} a second", f"loss {np.mean(losses[-100:]):.4f}"
                print(f"{spent / 60:.1f} min, {seen} pairs of {len(there)}, {pace}, {recent}", flush=True)
            if join == 0 and (spent - saved > BETWEEN or spent >= budget):
                kept = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
                kept |= {"spent": spent, "seen": seen, "steps": steps}
                torch.save(kept, state.with_suffix(".part"))
                if state.exists():
                    state.replace(state.with_suffix(".before"))
                state.with_suffix(".part").replace(state)
                saved = spent
                of_set = grouped((one.origin, one) for one in held if vectors.has(one))
                sample = [one for own in of_set.values() for one in own[:each]]
                print(f"held out: {figures(net, sample, vectors)}", flush=True)
            if spent >= budget:
                break


def main(argv: Sequence[str] | None = None) -> None:
    """Write the lessons, or train the reader."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    prepared, trained = commands.add_parser("lessons"), commands.add_parser("train")
    for q in (prepared, trained):
        q.add_argument("--out", type=Path, required=True)
    prepared.add_argument("--data", type=Path, required=True, help="folder of the published files")
    prepared.add_argument("--model", default="en", help="the model whose trunk the reader stands on")
    prepared.add_argument(
        "--measured", type=Path, nargs="*", default=[], help="tables that only measure, each a set of its own"
    )
    trained.add_argument("--encoder", type=Path, required=True, help="folder of the pretrained encoder")
    trained.add_argument("--minutes", type=float, required=True, help="of training, stops not counted")
    trained.add_argument("--join", type=int, default=0, metavar="N", help="train beside the first process")
    trained.add_argument("--rate", type=float, default=1.0, help="what the learning rates are multiplied by")
    trained.add_argument("--each", type=int, default=150, help="how many pairs of a set measure at each checkpoint")
    trained.add_argument("--only", nargs="+", choices=WEIGHTS, default=[*WEIGHTS], metavar="SET", help="sets to learn")
    trained.add_argument("--without-marks", action="store_true", help="learn nothing from the marked tokens")
    args = p.parse_args(argv)
    if args.command == "lessons":
        lessons = [*measured(args.measured), *read(args.data, WRITTEN, sorted(AUTHORS.glob("*.tsv")))]
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "lessons.pkl").write_bytes(pickle.dumps(lessons))
        encode(texts_of(lessons), load_trunk(find_model(args.model).parser.parent / "trunk"), args.out / "vectors")
        return
    torch.set_num_threads(1)
    lessons = pickle.loads((args.out / "lessons.pkl").read_bytes())
    vectors = Vectors(args.out / "vectors")
    options = {name: getattr(args, name) for name in ("minutes", "each", "join", "rate", "only")}
    of_tokens = 0.0 if args.without_marks else OF_TOKENS
    train(lessons, vectors, args.encoder, args.out, **options, of_tokens=of_tokens)


if __name__ == "__main__":
    main()
