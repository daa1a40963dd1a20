"""What the trained upper layers make of encoded pairs, for :mod:`judges.head`.

::

    python -m judges.pool encoded/*.pkl --run runs/judge

Writes ``NAME.pool.npy`` beside each file: float16 (pairs, 5 * width).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from judges.encode import load
from judges.network import JudgeNet, collate
from judges.train import batches
from training.encoders import encoder_folder


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path)
    p.add_argument("--run", type=Path, required=True, help="a run of judges.train")
    p.add_argument("--encoder", metavar="DIR")
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    state = torch.load(args.run / "best.pt", weights_only=True)
    net = JudgeNet(str(encoder_folder(args.encoder)), len(state["mean"]))
    net.load_state_dict(state)
    net.eval()
    for path in args.encoded:
        data = load(path)
        pooled: list[np.ndarray | None] = [None] * len(data.pairs)
        for batch in batches([data], [(0, k) for k in range(len(data.pairs))], 3000, random.Random(0)):
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                rows = net.pool(collate([data], batch)).float().numpy().astype(np.float16)
            for (_, k), row in zip(batch, rows, strict=True):
                pooled[k] = row
        np.save(path.with_suffix(".pool.npy"), np.stack([row for row in pooled if row is not None]))


if __name__ == "__main__":
    main()
