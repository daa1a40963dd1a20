"""The worked example of the USim paper (Choshen and Abend 2018, §4.5): a sentence, a good correction and a poor one.

The poor one is the output of a corrector that was stopped early in its training (Sakaguchi et al. 2017), for a sentence
of JFLEG dev. The paper prints USim .71 for the reference and .33 for the corrector.

The authors' repository (``borgr/assess_learner_language``, folder ``data/jfleg/dev/xmls``) has the graphs that TUPA
made of these sentences; ``usim_example.mrp`` has them. So the measure can be looked at without the parser.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from usim.ucca import Graph
from usim.ucca.files import read_graph

SOURCE = "the good student must know how to understand and work hard to get the iede ."
REFERENCE = "A good student must be able to understand and work hard to get the idea ."
CORRECTOR = "The good student must know how to understand and work hard to get on ."

PRINTED = {"reference": 0.71, "corrector": 0.33}


class Example(NamedTuple):
    """The graphs of the three sentences."""

    source: Graph
    reference: Graph
    corrector: Graph


#: The graphs of TUPA in the authors' repository (sentence 196 of ``dev.src``, ``dev.ref3`` and ``mle_1.txt``, from 0).
TUPA = Example(*(read_graph(Path(__file__).with_suffix(".mrp"), name) for name in Example._fields))
