"""Does faithfulness order correctors as people do, beside measures that learned from ratings? (SEEDA)

    python -m experiments.seeda --data DIR [--model NAME] [--out DIR]

SEEDA (Kobayashi, Mita and Komachi 2024) has the outputs of twelve neural correctors, of GPT-3.5 and of two people for
sentences of CoNLL-2014, which people ranked by sentences and by edits. SOME, IMPARA, Scribendi Score, PT-ERRANT and the
other published measures are those of the authors' readme, over the whole of CoNLL-2014. USim with GLEU and with ERRANT
is the mean of both after each has mean 0 and deviation 1 over the systems that are compared.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.scores import KINDS, TITLES, score_pairs
from experiments.common.statistics import pearson, spearman
from experiments.common.study import Study
from usim.errors import FormatError, InputError
from usim.options import Options
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.text.files import read_text, text_lines

_HEADER, *_LINES = (line.split("\t") for line in Path(__file__).with_name("seeda.tsv").read_text("utf-8").splitlines())
#: The measures whose scores are published, and the systems with these, in the order of the files of people's scores
#: (github.com/tmu-nlp/SEEDA, readme).
METRICS = tuple(_HEADER[1:])
PUBLISHED = {system: tuple(map(float, values)) for system, *values in _LINES}
#: What the field puts beside these, and what it needs.
_NEEDED = (
    "Not there: LLM evaluators (Kobayashi et al. 2024), of which no scores by system were published, need a model "
    "behind a server; GREEN (on JFLEG: experiments.papers usim) and CLEME 2.0 (the authors' program) need the "
    "references of CoNLL-2014."
)
_SYSTEMS = tuple(PUBLISHED)
_NOT_BASE = ("GPT-3.5", "INPUT", "REF-F")
#: People's scores: expected wins and TrueSkill, by edits and by sentences.
HUMAN = ("EW_edit", "EW_sent", "TS_edit", "TS_sent")


def _lines(path: Path) -> list[str]:
    if not path.exists():
        raise InputError("no such file; python -m experiments.data seeda --to DIR fetches it", path=path)
    return [line.strip() for line in text_lines(read_text(path).rstrip("\r\n"))]


def run(data: Path, options: Options) -> Study:
    """Study the folder of SEEDA: ``SYSTEM.txt`` for each system and the input, and people's scores."""
    scorer = Scorer.from_options(options)
    sources = _lines(data / "INPUT.txt")
    means: dict[str, list[float]] = {TITLES[kind]: [] for kind in KINDS}
    for system in _SYSTEMS:
        outputs = _lines(data / f"{system}.txt")
        if len(outputs) != len(sources):
            raise InputError(f"{len(outputs)} lines for {len(sources)} sources", path=data / f"{system}.txt")
        values = score_pairs(scorer, list(zip(sources, outputs, strict=True)))
        for kind in KINDS:
            means[TITLES[kind]].append(float(values[kind].mean()))
    measures = means | {name: [PUBLISHED[system][k] for system in _SYSTEMS] for k, name in enumerate(METRICS)}
    people = {name: _scores(data / f"{name}.txt") for name in HUMAN}
    sets = {
        "base": [k for k, system in enumerate(_SYSTEMS) if system not in _NOT_BASE],
        "all but the input": [k for k, system in enumerate(_SYSTEMS) if system != "INPUT"],
    }
    rows: list[Row] = []
    for of, places in sets.items():
        compared = {name: np.array(own)[places] for name, own in measures.items()}
        for name in ("GLEU", "ERRANT"):
            both = [(own - own.mean()) / (own.std() or 1) for own in (compared[TITLES["usim"]], compared[name])]
            compared[f"{TITLES['usim']} and {name}"] = np.mean(both, axis=0)
        for name, a in compared.items():
            cells: list[float] = []
            for human in people.values():
                b = np.array(human)[places]
                cells += [pearson(a, b), spearman(a, b)]
            rows.append((of, name, *cells))
    columns = ("systems", "measure", *(f"{human} {r}" for human in HUMAN for r in ("r", "ρ")))
    by_system = tuple((system, *(own[k] for own in measures.values())) for k, system in enumerate(_SYSTEMS))
    return Study(
        "seeda",
        "Does faithfulness order correctors as people do?",
        (
            Table("correlations", f"Correlation with people's scores: {len(sources)} sentences", columns, tuple(rows)),
            Table("systems", "Means by system", ("system", *measures), by_system),
        ),
        {"scores": str(scorer.signature)},
        {"folder": data, "sentences": len(sources)},
        notes=(_NEEDED,),
    )


def _scores(path: Path) -> list[float]:
    values = " ".join(_lines(path)).split()
    try:
        numbers = [float(value) for value in values]
    except ValueError as e:
        raise FormatError(f"not a list of numbers ({e})", path=path) from e
    if len(numbers) != len(_SYSTEMS):
        raise FormatError(f"{len(numbers)} numbers for {len(_SYSTEMS)} systems, in the order of their names", path=path)
    return numbers


main = Command(
    run,
    Option("--data", type=Path, required=True, metavar="DIR", help="the folder that experiments.data seeda filled"),
    shared=("out", "model", "parser", "judge", "threads"),
)

if __name__ == "__main__":
    sys.exit(main())
