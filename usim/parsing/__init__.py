"""Parsers: from text or tokens to UCCA graphs.

A parser is anything with a ``name`` and a method ``parse`` (:class:`Parser`). The one that comes with usim is loaded by
:func:`load`; it runs on the CPU with onnxruntime and knows English.

>>> from usim.parsing import load
>>> parser = load()
>>> print(parser.parse(["The cat slept ."])[0])
[H [A [E The] [C cat] ] [P slept] ] [U .]
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from usim.errors import ParsingError
from usim.parsing._trunk import Reading, ReadPart, Trunk, Variant, load_trunk
from usim.parsing.network import load_session
from usim.parsing.wordpieces import Pieces
from usim.registry import MODELS
from usim.ucca.files import holds_graphs

if TYPE_CHECKING:
    from usim.ucca import Graph

#: What can stand before the colon of a parser's name.
_SCHEMES = ("xml", "mrp", "onnx", "tupa")


@runtime_checkable
class Parser(Protocol):
    """What usim asks of a parser.

    Attributes:
        name: how the parser is called in signatures, e.g. ``en-1.0``.
    """

    name: str

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences and return their graphs, in order.

        Args:
            sentences: each a text, to be cut into tokens (and into sentences, if there are several), or a sequence of
                tokens, taken as they are.
            ids: names for the graphs.

        Each graph is valid; its terminals are the sentence's tokens. No text makes a parser fail.
        """
        ...


def load(name_or_path: str | os.PathLike[str] = "en", *, guidelines: int | None = None) -> Parser:
    """Load a parser.

    Args:
        name_or_path: the name of a model (:mod:`usim.registry`), or a folder with the files that ``parsers.span``
            exports (also ``onnx:DIR``): an :class:`~usim.parsing.embedded.EmbeddedParser`. A folder or a file of
            graphs that are there already, as UCCA XML or MRP (also ``xml:PATH``, ``mrp:PATH``):
            :mod:`usim.parsing.given`. ``tupa:MODEL`` is a model of TUPA: :mod:`usim.parsing.tupa`.
        guidelines: the version of the UCCA guidelines to follow, 1 (as the English Wiki corpus) or 2 (as the English
            Web Treebank corpus); by default the model's own default. Only embedded parsers have the choice.

    Raises:
        ParsingError: no such parser, or its files cannot be read; or ``guidelines`` for a parser without the choice.
    """
    scheme, colon, path = os.fspath(name_or_path).partition(":")
    if not colon or scheme not in _SCHEMES:
        scheme, path = "", os.fspath(name_or_path)
    is_given = scheme in ("xml", "mrp") or (not scheme and path not in MODELS and holds_graphs(path))
    if guidelines is not None and (is_given or scheme == "tupa"):
        problem = "given graphs, and models of TUPA, follow the guidelines that they were made by: leave the choice out"
        raise ParsingError(problem, text=str(guidelines))
    if scheme == "tupa":
        from usim.parsing.tupa import TupaParser

        return TupaParser(path)
    if is_given:
        from usim.parsing.given import GivenParser

        return GivenParser(path)
    from usim.parsing.embedded import EmbeddedParser

    return EmbeddedParser(Path(path) if scheme else name_or_path, guidelines=guidelines)


__all__ = ["Parser", "Pieces", "ReadPart", "Reading", "Trunk", "Variant", "load", "load_session", "load_trunk"]
