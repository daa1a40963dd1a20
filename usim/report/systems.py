"""Several systems on the same sentences: their figures, where they differ, and whether by chance.

The first system is the baseline. Differences are tested by paired bootstrap resampling (Koehn 2004) as in sacrebleu.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, get_args

import numpy as np
from rapidfuzz.distance import Levenshtein

from usim.errors import InputError, extra
from usim.evidence import KINDS
from usim.judge import Result, Verdict
from usim.report.tables import Row, Table
from usim.report.words import bounds, decided, one_line
from usim.signature import Signature
from usim.stats import Interval, bootstrap_interval, holm, paired_bootstrap
from usim.text import counted, token_texts
from usim.text.codec import values_of

_MOST_APART = 10  # sentences that are shown
_FEW = 20  # sentences of which the bootstrap knows too little
#: How intervals and tests are drawn: the defaults of :mod:`usim.stats`.
DRAWS = {"resamples": 1000, "seed": 0}
#: The figures that are compared, with their names for people.
FIGURES = {"usim": "USim", "faithfulness": "faithfulness"}


def check_plot(path: str) -> None:
    """Raise an InputError if no plot can be drawn into a file: no matplotlib, a wrong ending, or no such folder."""
    canvas = extra("matplotlib.backend_bases", "a plot needs", of="plot").FigureCanvasBase
    is_known = os.path.splitext(path)[1].lower().removeprefix(".") in canvas.filetypes
    if not is_known or not os.path.isdir(os.path.dirname(path) or "."):
        raise InputError("no plot can be written there: the folder must exist, the name end in .svg or .png", path=path)


def load_errant() -> Callable[[str, str], list[str]]:
    """Return what gives the types of the edits between two sentences (Bryant, Felice & Briscoe 2017), each once.

    Raises:
        InputError: ERRANT, or the model of spaCy that it needs, is not installed.
    """
    try:
        import errant

        annotator = errant.load("en")
    except (ImportError, OSError) as e:  # spaCy raises an OSError where it has no model
        needed = "pip install errant; python -m spacy download en_core_web_sm"
        raise InputError(f"types of errors need a file of M2, which has them, or ERRANT ({needed}): {e}") from e

    def error_types(source: str, output: str) -> list[str]:
        original, corrected = (annotator.parse(" ".join(token_texts(text))) for text in (source, output))
        return sorted({edit.type for edit in annotator.annotate(original, corrected)} - {"noop"})

    return error_types


def word_edits(source: str, output: str) -> Counter[tuple[str, int, str]]:
    """Return the fewest edits of single words between two texts: what is done, at which word, and the new word."""
    old, new = token_texts(source), token_texts(output)
    return Counter(
        (edit.tag, edit.src_pos, "" if edit.tag == "delete" else new[edit.dest_pos])
        for edit in Levenshtein.editops(old, new)
    )


def _f_half(counts: Sequence[float]) -> float:
    """Return F0.5 of the numbers of edits that are right, that were made, and that were needed; 1 if none was."""
    right, made, needed = counts
    return 1.25 * right / (made + 0.25 * needed) if made or needed else 1.0


@dataclass
class Systems:
    """The outcomes of several systems, sentence by sentence.

    Args:
        names: of the systems; the first is the baseline.
        signature: of the results.
        by: what the figures are broken down by, if they are: the name of a column, or ``type``.
    """

    names: Sequence[str]
    signature: Signature
    by: str = ""
    lines: list[int] = field(default_factory=list)
    outcomes: list[tuple[Result, ...]] = field(default_factory=list)
    parts_of: list[Sequence[Sequence[str]]] = field(default_factory=list)
    references: list[Sequence[str]] = field(default_factory=list)

    def add(
        self, line: int, results: Sequence[Result], parts: Sequence[Sequence[str]] = (), references: Sequence[str] = ()
    ) -> None:
        """Add a sentence: its line, the result of each system, for each the parts that it counts in; its references."""
        self.references.append(references)
        self.lines.append(line)
        self.outcomes.append(tuple(result.summary() for result in results))
        self.parts_of.append(parts or [()] * len(results))

    @property
    def full_signature(self) -> Signature:
        """The signature with the number of resamples and the seed, before the version."""
        return self.signature.extended({"bs": DRAWS["resamples"], "seed": DRAWS["seed"]})

    def values(self, system: int, figure: str) -> list[float]:
        """Return a figure of each sentence for a system; the faithfulness where the judge answered for all systems."""
        if figure == "usim":
            return [float(each[system].score) for each in self.outcomes]
        answered = (each for each in self.outcomes if all(outcome.judgement.is_answered for outcome in each))
        return [float(each[system].judgement.faithfulness) for each in answered]

    def record(self, place: int) -> dict[str, Any]:
        """Return a sentence with all outcomes as JSON values."""
        systems = {
            name: {
                "output": outcome.output,
                "usim": outcome.score,
                "faithfulness": outcome.judgement.faithfulness,
                "verdict": outcome.judgement.verdict,
                "cause": values_of(outcome.judgement.cause),
                "findings": [{"kind": finding.kind, "text": finding.text} for finding in outcome.judgement.shown],
            }
            for name, outcome in zip(self.names, self.outcomes[place], strict=True)
        }
        return {"line": self.lines[place], "source": self.outcomes[place][0].source, "systems": systems}

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values; raise an InputError if the judge answered nothing to compare."""
        return {
            "sentences": len(self.outcomes),
            "baseline": self.names[0],
            "systems": {name: self._system(k) for k, name in enumerate(self.names)} if self.outcomes else {},
            "pairs": self.pairs,
            "most_apart": [self.record(place) for place in self._most_apart()],
            **({"by": self.by, "parts": self.parts().to_dicts()} if self.by else {}),
            **DRAWS,
            "signature": self.full_signature,
        }

    def _system(self, system: int) -> dict[str, Any]:
        """Return the figures of a system, its verdicts, and its findings in the order of their kinds."""
        judgements = [outcomes[system].judgement for outcomes in self.outcomes]
        verdicts = Counter(judgement.verdict for judgement in judgements)
        findings = Counter(kind for judgement in judgements for kind in {finding.kind for finding in judgement.shown})
        return {
            **{figure: self._figure(system, figure) for figure in FIGURES},
            "verdicts": {verdict: verdicts[verdict] for verdict in get_args(Verdict)},
            "findings": {kind: findings[kind] for kind in KINDS if findings[kind]},
            **self._amounts(system),
        }

    def _amounts(self, system: int) -> dict[str, float]:
        """Return how much a system changed and, where there are references, how much it mended.

        ``changed`` is the number of edits of words for each word of the sources; ``mended`` the share of the edits of
        the references that were made, and ``f0.5`` weighs it with the share of the edits that were right; of several
        references of a sentence the one that is best for the system counts.
        """
        made = words = 0
        counts = np.zeros(3)
        for outcomes, references in zip(self.outcomes, self.references, strict=False):
            source, edits = outcomes[system].source, word_edits(outcomes[system].source, outcomes[system].output)
            made, words = made + edits.total(), words + len(token_texts(source))
            if references:
                wanted = [word_edits(source, reference) for reference in references]
                of_each = [((edits & each).total(), edits.total(), each.total()) for each in wanted]
                counts += max(of_each, key=_f_half)
        amounts = {"changed": made / max(words, 1)}
        if any(self.references):
            right, _, needed = counts.tolist()
            amounts |= {"mended": right / needed if needed else 1.0, "f0.5": _f_half(counts.tolist())}
        return amounts

    def _figure(self, system: int, figure: str) -> dict[str, Any]:
        values = self.values(system, figure)
        if not values and len(self.names) > 1:
            raise InputError("the judge answered for no sentence of all systems: there is no faithfulness to compare")
        if not values:
            return {"mean": None, "interval": None}
        mean, *interval = bootstrap_interval(values)
        return {"mean": mean, "interval": interval, **(self._difference(0, system, figure) if system else {})}

    def _difference(self, a: int, b: int, figure: str) -> dict[str, Any]:
        """Return the difference of a figure between system ``b`` and system ``a``."""
        before, after = self.values(a, figure), self.values(b, figure)
        (difference, *interval), p = paired_bootstrap(before, after)
        differences = np.subtract(after, before)
        counts = {"higher": int((differences > 0).sum()), "lower": int((differences < 0).sum())}
        return {"difference": difference, "difference_interval": interval, "p": p, **counts}

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """How each system differs from each one before it; p values are corrected for the number of pairs (Holm)."""
        places = list(combinations(range(len(self.names)), 2)) if self.outcomes else []
        pairs = []
        for figure in FIGURES:
            differences = [self._difference(a, b, figure) for a, b in places]
            corrected = holm([difference["p"] for difference in differences])
            for (a, b), difference, p in zip(places, differences, corrected, strict=True):
                named = {"figure": figure, "a": self.names[a], "b": self.names[b]}
                pairs.append({**named, **difference, "p_holm": p})
        return pairs

    def _most_apart(self) -> list[int]:
        """Return the sentences in whose verdicts or faithfulness the systems differ, the widest difference first."""
        spread = []
        for place, outcomes in enumerate(self.outcomes):
            judgements = [outcome.judgement for outcome in outcomes]
            verdicts = len({judgement.verdict for judgement in judgements})
            spread.append((verdicts, float(np.ptp([judgement.faithfulness for judgement in judgements])), place))
        spread.sort(key=lambda each: (-each[0], -each[1], each[2]))
        return [place for verdicts, width, place in spread[:_MOST_APART] if verdicts > 1 or width > 0]

    def tables(self) -> Iterator[Table]:
        """Yield the figures of the systems, the differences of all pairs of systems, and the figures of each part."""
        places = range(len(self.names)) if self.outcomes else ()
        rows = [(self.names[k], *self._cells(k), *self._amounts(k).values()) for k in places]
        title = f"{counted(len(self.outcomes), 'sentence')}, means with 95% intervals"
        amounts = ("changed words", "mended", "F0.5") if any(self.references) else ("changed words",)
        columns = ("system", *FIGURES.values(), *get_args(Verdict), *amounts)
        note = "A system that does less scores higher: compare means at the same share of changed words, or with F0.5."
        yield Table("systems", title, columns, tuple(rows), note, signature=str(self.full_signature))
        if len(self.names) > 1:
            differences = [
                (FIGURES[pair["figure"]], pair["b"], pair["a"],
                 Interval(pair["difference"], *pair["difference_interval"]),
                 pair["higher"], pair["lower"], pair["p"], pair["p_holm"])
                for pair in self.pairs
            ]  # fmt: skip
            title = "Differences of all pairs, paired bootstrap, {resamples} resamples, seed {seed}".format(**DRAWS)
            columns = ("figure", "system", "compared with", "difference", "higher in", "lower in", "p", "p (Holm)")
            notes = [
                "The interval is of drawn differences, p, as in sacrebleu, of their sizes: near .05 they may disagree."
            ]
            if len(self.outcomes) < _FEW:
                notes.append(f"Of fewer than {_FEW} sentences intervals and p values come out too small.")
            yield Table("differences", title, columns, tuple(differences), " ".join(notes), digits=4)
        if self.by:
            yield self.parts()

    def _cells(self, system: int) -> Row:
        record = self._system(system)
        figures = (record[figure] for figure in FIGURES)
        intervals = (None if each["mean"] is None else Interval(each["mean"], *each["interval"]) for each in figures)
        return (*intervals, *record["verdicts"].values())

    def parts(self) -> Table:
        """Return the figures of each part of the sentences, by system; the largest part first."""
        of_part: dict[str, dict[str, list[tuple[Result, ...]]]] = {}
        for outcomes, of_systems in zip(self.outcomes, self.parts_of, strict=True):
            for name, outcome, own_parts in zip(self.names, outcomes, of_systems, strict=True):
                for part in own_parts:
                    of_part.setdefault(part, {}).setdefault(name, []).append((outcome,))
        rows = [
            (part, name, len(own), *Systems([name], self.signature, outcomes=own)._cells(0))
            for part, systems in sorted(of_part.items(), key=lambda item: (-max(map(len, item[1].values())), item[0]))
            for name, own in systems.items()
        ]
        columns = (self.by, "system", "sentences", *FIGURES.values(), *get_args(Verdict))
        return Table("parts", f"By {self.by}, means with 95% intervals", columns, tuple(rows))

    def plot(self, path: str) -> None:
        """Draw the means of the systems with their intervals; the ending says the format, see :func:`check_plot`."""
        check_plot(path)
        from matplotlib.figure import Figure

        systems = self.to_dict()["systems"]
        figure = Figure(figsize=(6, 1.6 + 0.45 * len(systems)), layout="constrained")
        axes = figure.subplots()
        for shift, (key, title) in zip((-0.12, 0.12), FIGURES.items(), strict=True):
            values = np.array([[own[key]["mean"], *own[key]["interval"]] for own in systems.values()]).T
            places = np.arange(len(systems)) + shift
            axes.errorbar(values[0], places, xerr=np.abs(values[1:] - values[0]), fmt="o", label=title)
        axes.set_xlabel("mean with its 95% interval")
        axes.set_yticks(range(len(systems)), list(map(one_line, systems)), parse_math=False)  # names have no formulas
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2, fontsize="small")
        figure.savefig(path)

    def text(self) -> Iterator[str]:
        """Yield the comparison as lines for the terminal."""
        if not self.outcomes:
            return
        for table in self.tables():
            yield from (*table.as_text().splitlines(), "")
        record = self.to_dict()
        systems = record["systems"]
        rows = [(kind, *(each["findings"].get(kind, 0) for each in systems.values())) for kind in KINDS]
        rows = sorted((row for row in rows if any(row[1:])), key=lambda row: -np.ptp(row[1:]))
        if rows:
            table = Table("findings", "Findings, in sentences", ("kind", *systems), tuple(rows))
            yield from (*table.as_text().splitlines(), "")
        places = self._most_apart()
        if places:
            yield "where the systems differ most: faithfulness, from which keep and below which drop is given, verdict"
        width = max(len(one_line(name)) for name in ("system", *systems))
        for place in places:
            yield f"  line {self.lines[place]}: {one_line(self.outcomes[place][0].source)}"
            for name, outcome in zip(self.names, self.outcomes[place], strict=True):
                judgement = outcome.judgement
                told = "; ".join((*(one_line(each.text) for each in judgement.shown[:1]), *decided(judgement)))
                keep, drop = bounds(judgement)
                figures = f"{judgement.faithfulness:.3f}  {keep:>5}  {drop:>5}  {judgement.verdict:6}"
                yield f"    {one_line(name):{width}}  {figures}  {one_line(outcome.output)}{told and f' ({told})'}"
