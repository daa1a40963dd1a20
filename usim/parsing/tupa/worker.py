"""The TUPA side of :mod:`usim.parsing.tupa`: parses sentences that arrive as JSON lines, until standard input ends.

This file runs in TUPA's own environment, in Python 3.7 and without usim, as ``python -I worker.py MODEL``. It is
part of the ``usim`` package, so that whoever has usim has it, in the version that fits the other side.

What goes over the wire, one JSON object a line:

* on start the worker sends ``{"ready": {"tupa": "1.4.2", "python": "3.7.16"}}``, or what an error looks like;
* a request is ``{"id": 7, "name": "000007", "tokens": [["Go", false], ["!", true]]}``, the flag being punctuation;
* an answer is ``{"id": 7, "units": [...], "edges": [...], "remarks": [...]}``, with a unit as ``[its tokens' positions,
  is it implicit, is it punctuation]`` and an edge as ``[parent, child, categories, is it remote, is it uncertain]``; or
* ``{"id": 7, "error": "ValueError: ...", "traceback": "..."}``, after which the worker goes on with the next request.

Whatever TUPA prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

_FOUNDATIONAL = ("FN", "PNCT")  # the kinds of units; linkages lie outside of what usim compares


def check_spacy_model(model: str) -> None:
    """Check that the spaCy model of the TUPA model is installed: otherwise TUPA would download it.

    Raises:
        RuntimeError: it is not there; with what to do.
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
    except OSError as error:
        raise RuntimeError(
            f"no spaCy model {name!r} in this environment ({reason}): "
            f"install it with `{sys.executable} -m spacy download {name}`"
        ) from error


class Tupa:
    """TUPA with a model in memory."""

    def __init__(self, model: str) -> None:
        check_spacy_model(model)
        sys.argv = ["tupa", "--models", model, "--log", os.devnull]  # TUPA and DyNet read their options from here
        from tupa.__version__ import VERSION
        from tupa.config import Config
        from tupa.parse import Parser

        self.version = VERSION
        self.remarks: list[str] = []
        # Where TUPA gives up on a sentence, it tells only its log, and hands out what it has got by then.
        Config.log = lambda config, message: self.remarks.append(message)
        self.parser = Parser(model_files=[model], config=Config())
        list(self.parser.parse([]))  # loads the model

    def parse(self, name: str, tokens: list[tuple[str, bool]]) -> dict[str, Any]:
        """Return the graph of a sentence, as units and edges."""
        from ucca import core, layer0, layer1

        # No "format" among the passage's extras: TUPA then keeps to the constraints of UCCA, as in training. For
        # "text", which its own reader of plain text sets, it knows none.
        passage = core.Passage(name, attrib={"lang": "en"})
        terminals = layer0.Layer0(passage)
        layer1.Layer1(passage)
        for token, is_punct in tokens:
            terminals.add_terminal(text=token, punct=is_punct)
        self.remarks.clear()
        ((parsed,),) = self.parser.parse([passage], display=False)
        nodes = [node for node in parsed.layer(layer1.LAYER_ID).all if node.tag in _FOUNDATIONAL]
        number = {node.ID: i for i, node in enumerate(nodes)}
        units, edges = [], []
        for node in nodes:
            held = []
            for edge in node.outgoing:
                if edge.child.layer.ID == layer0.LAYER_ID:
                    held.append(edge.child.position - 1)
                elif edge.child.ID in number:
                    categories = [category.tag for category in edge.categories]
                    flags = [bool(edge.attrib.get(flag)) for flag in ("remote", "uncertain")]
                    edges.append([number[node.ID], number[edge.child.ID], categories, *flags])
            units.append([held, bool(node.attrib.get("implicit")), node.tag == "PNCT"])
        return {"units": units, "edges": edges, "remarks": list(self.remarks)}


def failure(error: BaseException) -> dict[str, str]:
    """Return an error as it goes over the wire."""
    return {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}


def main(model: str) -> int:
    """Answer requests until standard input ends."""
    # The wire is a copy of standard output. Standard output itself becomes standard error: TUPA prints to it, and so do
    # the libraries below it that are not Python.
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(message: dict[str, Any]) -> None:
        wire.write(json.dumps(message).encode("ascii") + b"\n")
        wire.flush()

    os.environ.setdefault("TQDM_DISABLE", "1")  # a progress bar for each sentence would drown what matters
    try:
        tupa = Tupa(model)
    except BaseException as error:  # whatever it is, an exit from within a library too: the other side must hear it
        send(failure(error))
        return 1
    send({"ready": {"tupa": tupa.version, "python": ".".join(map(str, sys.version_info[:3]))}})
    for line in sys.stdin.buffer:
        request = json.loads(line.decode("utf-8"))
        try:
            answer = tupa.parse(request["name"], request["tokens"])
        except Exception as error:
            answer = failure(error)
        answer["id"] = request["id"]
        send(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
