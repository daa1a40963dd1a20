"""Export networks over pairs that share the encoder and the network of words of a judge that ships.

::

    python -m judges.research runs/head --model en --out models/research/usim_model_research/judge --name research-1.0

The networks are those of ``judges.head`` on what ``judges.shipped`` wrote, calibrated by ``judges.calibrate``. The
settings name the model whose judge has the encoder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch

from judges.export import PairGraph, learned_settings, load_pair_net
from judges.shipped import load_networks
from usim.judge.trained import CLASSIFIER_FILE, ENCODER_FILE, read_settings
from usim.registry import DEFAULT, find_model
from usim.text import digest_of

#: What the settings have in common with those of the judge that has the encoder.
_SHARED = ("features", "feature_schema", "similar_layers", "words_sha256")


def export(of_head: Path, model: str, out: Path, name: str) -> None:
    """Write the files of a judge.

    Args:
        of_head: what ``judges.head`` and ``judges.calibrate`` made.
        model: the model whose judge has the encoder.
        out: the folder to write.
        name: the judge's name.
    """
    shared = find_model(model).judge
    assert shared is not None
    words, _ = load_networks(shared)
    net = load_pair_net(of_head, words.width)
    out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        onnx.save(PairGraph(net, words).build(), str(out / CLASSIFIER_FILE))
    theirs = read_settings(shared)
    settings = {
        "name": name,
        "encoder": model,
        **{key: theirs[key] for key in _SHARED},
        "sha256": {
            ENCODER_FILE: theirs["sha256"][ENCODER_FILE],
            CLASSIFIER_FILE: digest_of(out / CLASSIFIER_FILE),
        },
        **learned_settings(net, of_head),
    }
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("head", type=Path, help="a run of judges.head, calibrated")
    p.add_argument("--model", default=DEFAULT, help="the model whose judge has the encoder")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--name", default="research")
    args = p.parse_args(argv)
    export(args.head, args.model, args.out, args.name)


if __name__ == "__main__":
    main()
