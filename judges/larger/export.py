"""Export a judge on a trunk to the files that ``usim`` loads: its networks as one graph, and its settings.

::

    python -m judges.larger.export runs/large --head runs/large-head --trunk models/large/usim_model_en_large/trunk
                                   --out models/large/usim_model_en_large/judge --name en-large

The settings name the trunk by its way from the folder of the judge.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch

from judges.export import PairGraph, learned_settings, load_pair_net
from judges.larger.encode import LAYERS
from judges.larger.words import new_head
from judges.network import PairNet, WordHead
from usim.compare import FEATURE_SCHEMA, feature_names
from usim.judge.similarities import NAMES as SIMILARITIES
from usim.judge.trained import CLASSIFIER_FILE
from usim.parsing import load_trunk
from usim.text import digest_of


def load_networks(words: Path, of_head: Path) -> tuple[WordHead, PairNet]:
    """Load the network of words and those of pairs."""
    state = torch.load(words / "words.pt", weights_only=True)
    figures = len(state["mean"])
    head = new_head((state["first.weight"].shape[1] - figures) // 3, figures)
    head.load_state_dict(state)
    return head.eval(), load_pair_net(of_head, head.width)


def export(words: Path, of_head: Path, trunk: Path, out: Path, name: str) -> None:
    """Write the files of a judge.

    Args:
        words: what ``judges.larger.words`` made.
        of_head: what ``judges.head`` and ``judges.calibrate`` made.
        trunk: the folder of the trunk.
        out: the folder to write.
        name: the judge's name.
    """
    head, net = load_networks(words, of_head)
    names = feature_names()
    assert len(net.mean) == len(names) + len(LAYERS) * len(SIMILARITIES) + 2
    out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        onnx.save(PairGraph(net, head).build(), str(out / CLASSIFIER_FILE))
    settings = {
        "name": name,
        "trunk": Path(os.path.relpath(trunk, out)).as_posix(),
        "trunk_digest": load_trunk(trunk).digest,
        "layers": list(LAYERS),
        "similar_layers": len(LAYERS),
        "features": list(names),
        "feature_schema": FEATURE_SCHEMA,
        "sha256": {CLASSIFIER_FILE: digest_of(out / CLASSIFIER_FILE)},
        **learned_settings(net, of_head),
    }
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", type=Path, help="a run of judges.larger.words")
    p.add_argument("--head", type=Path, required=True, help="a run of judges.head, calibrated")
    p.add_argument("--trunk", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="en-large")
    args = p.parse_args(argv)
    export(args.words, args.head, args.trunk, args.out, args.name)


if __name__ == "__main__":
    main()
