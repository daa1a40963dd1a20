"""TUPA as a worker of :mod:`usim.parsing.tupa`: it reads sentences and answers with graphs, a JSON line each.

    ENV/bin/python -I tupa_worker.py MODEL

This file runs in the environment that ``parsers/tupa/setup.sh`` builds, in Python 3.7 and without usim. ``MODEL`` is
what TUPA's option ``-m`` takes: the path of the model's files without their endings. The first line says that the model
is loaded: ``{}``. Then for each line ``{"id": "…", "tokens": ["…", …]}`` comes ``{"xml": "…"}`` or ``{"error": "…"}``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import unicodedata
import xml.etree.ElementTree as ET
from itertools import chain
from typing import Any


def check_spacy_model(model: str) -> None:
    """Check that the spaCy model of the TUPA model is installed: otherwise TUPA would download it.

    Raises:
        SystemExit: it is not there; with what to do.
    """
    import spacy

    name, reason = None, "the TUPA model names it"
    if os.path.exists(model + ".nlp.json"):
        with open(model + ".nlp.json", encoding="utf-8") as file:
            name = json.load(file).get("en")
    if not name:
        reason = "the TUPA model names none, and SPACY_MODEL_EN can choose another"
        name = os.environ.get("SPACY_MODEL_EN") or os.environ.get("SPACY_MODEL") or "en_core_web_md"
    try:
        spacy.load(name)
    except OSError:
        sys.exit(
            f"no spaCy model {name!r} in this environment ({reason}): "
            f"install it with `{sys.executable} -m spacy download {name}`"
        )


def load(model: str) -> Any:
    """Load a TUPA model."""
    if not os.path.exists(model + ".json"):
        sys.exit(f"no TUPA model here: there is no {model}.json; give the path without the ending")
    check_spacy_model(model)
    sys.argv = ["tupa", "--models", model, "--log", os.devnull]  # TUPA and DyNet read their options from here
    from tupa.config import Config
    from tupa.parse import Parser

    # TUPA tells only its log where it gives up on a sentence and hands out what it has.
    Config.log = lambda config, message: print(message, file=sys.stderr)
    return Parser(model_files=[model], config=Config())


def parse(parser: Any, name: str, tokens: list[str]) -> Any:
    """Return the UCCA passage of a sentence."""
    from ucca import core, layer0, layer1

    # Without a "format" among the passage's extras TUPA keeps to the constraints of UCCA, as in training. For "text",
    # which its own reader of plain text sets, it knows none.
    passage = core.Passage(name, attrib={"lang": "en"})
    terminals = layer0.Layer0(passage)
    layer1.Layer1(passage)
    for token in tokens:
        terminals.add_terminal(text=token, punct=all(unicodedata.category(c)[0] == "P" for c in token))
    ((parsed,),) = parser.parse([passage], display=False)
    # A poorly trained model leaves tokens out. usim wants each of them in a unit, and the root adds no edge.
    (root,) = parsed.layer(layer1.LAYER_ID).heads
    for terminal in parsed.layer(layer0.LAYER_ID).all:
        if not terminal.incoming:
            root.add(layer1.EdgeTags.Terminal, terminal)
    return parsed


def main(model: str) -> None:
    """Load the model, and answer lines until there are no more."""
    os.environ.setdefault("TQDM_DISABLE", "1")  # a progress bar for each sentence would hide what matters
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what TUPA prints is for people
    parser = load(model)
    from ucca import convert

    answer: dict[str, str] = {}
    for line in chain([""], sys.stdin):
        if line:
            try:
                asked = json.loads(line)
                root = convert.to_standard(parse(parser, asked["id"], asked["tokens"]))
                answer = {"xml": ET.tostring(root, encoding="unicode")}
            except Exception as e:
                traceback.print_exc()
                answer = {"error": f"{type(e).__name__}: {e}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
