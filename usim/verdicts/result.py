"""What usim says about a pair of sentences: graphs, USim and the judgement."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import Any

from usim.evidence import Analysis
from usim.measures import Scores, UsimScore
from usim.signature import Signature
from usim.text import printable, unseen_differences
from usim.text.codec import values_of
from usim.ucca import Graph
from usim.verdicts.nouns import Judgement

_SHOWN = 40  # characters of a sentence in the repr of a result


@dataclass(frozen=True, repr=False)
class Result:
    """What usim says about one pair of sentences.

    A result from a file or from :meth:`summary` has no graphs: :attr:`usim`, the graphs and drawings raise an
    InputError, and :meth:`to_dict` and :meth:`to_row` have only the one number of USim.

    Attributes:
        source: the sentence before the change, as text.
        output: the sentence after the change, as text.
        score: USim in one number: the mean of the F-scores of the two directions, in [0, 1].
        judgement: how faithful the output is, what to do, and why.
        signature: all that is needed to get the same score again; empty for a result from a file.
        language: the language of the sentences, see :func:`usim.text.language_of_pair`: ``en``, the first that is not
            English, or None where it cannot be told.
        name: for a result from a file, the record's id or the number of its line.
    """

    source: str
    output: str
    score: float
    judgement: Judgement
    signature: Signature = field(default_factory=Signature)
    language: str | None = None
    name: str = ""

    @property
    def usim(self) -> UsimScore:
        """The USim scores in both directions, with the graphs and the alignment."""
        return self.judgement.usim

    @property
    def source_graph(self) -> Graph:
        """The parse of the source."""
        return self.usim.source

    @property
    def output_graph(self) -> Graph:
        """The parse of the output."""
        return self.usim.output

    def summary(self) -> Result:
        """Return the result without graphs, for large tables."""
        return replace(self, judgement=replace(self.judgement, usim_score=None))

    @property
    def analyses(self) -> tuple[Analysis, Analysis]:
        """Both sentences with their graphs, without vectors."""
        return Analysis(self.source_graph, None, self.source), Analysis(self.output_graph, None, self.output)

    @property
    def notes(self) -> tuple[str, ...]:
        """What does not change the meaning: other characters that look the same, and a new error of grammar."""
        return (*unseen_differences(self.source, self.output).notes, *self.judgement.notes)

    @property
    def _ways(self) -> dict[str, Scores]:
        score = self.judgement.usim_score
        return {} if score is None else {"s2r": score.s2r, "r2s": score.r2s}

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values; ``score`` is USim in one number, ``usim`` has all its figures, if known."""
        judgement = self.judgement
        values = {
            "source": self.source,
            "output": self.output,
            "score": self.score,
            "faithfulness": judgement.faithfulness,
            "supported": judgement.supported,
            "covered": judgement.covered,
            "verdict": judgement.verdict,
            "cause": judgement.cause,
            "decided_by": judgement.decided_by,
            "findings": judgement.findings,
            "ledger": judgement.ledger.entries,
            **({"usim": self._ways} if self._ways else {}),
            "language": self.language,
        }
        plain: dict[str, Any] = values_of(values | ({"notes": self.notes} if self.notes else {}))
        return plain

    def to_row(self) -> dict[str, str | float]:
        """Return the result as a row of a table; ``pandas.DataFrame(result.to_row() for result in results)``."""
        cause = self.judgement.cause
        return {
            "source": self.source,
            "output": self.output,
            "score": self.score,
            "faithfulness": self.judgement.faithfulness,
            "compared": cause.compared if cause and cause.compared is not None else "",
            "verdict": self.judgement.verdict,
            "findings": "; ".join(finding.text for finding in self.judgement.shown),
            "kinds": "; ".join(finding.kind for finding in self.judgement.shown),
            "language": self.language or "",
            **{f"{way}_{name}": value for way, scores in self._ways.items() for name, value in asdict(scores).items()},
        }

    def to_svg(self, *, width: float = 1080, caption: bool = True, style: bool = True) -> str:
        """Draw both graphs, their alignment and the words of findings as an SVG document.

        Rows are wrapped at a width in pixels. The caption is the verdict and the findings on top. Without its style
        sheet a page must have :data:`usim.draw.STYLE`.
        """
        from usim.draw import Caption, Note, draw_pair

        judgement, usim = self.judgement, self.usim
        figures = f"faithfulness {judgement.faithfulness:.3f}, USim {self.score:.3f}"
        return draw_pair(
            self.source_graph,
            self.output_graph,
            usim.token_alignment.pairs,
            usim.unmatched_source,
            usim.unmatched_output,
            partners=(usim.nodes.to_output.tolist(), usim.nodes.to_source.tolist()),
            soft=[(i, j) for i, j, _ in judgement.opinion.soft_links],
            notes=[Note(finding.text, finding.source, finding.output) for finding in judgement.shown],
            caption=Caption(judgement.verdict, figures) if caption else None,
            width=width,
            style=style,
        )

    def __repr__(self) -> str:
        judgement = self.judgement
        sentences = f"{_short(self.source)} → {_short(self.output)}"
        figures = f"{judgement.verdict}, faithfulness {judgement.faithfulness:.3f}, USim {self.score:.3f}"
        return f"<Result {sentences}: {figures}>"

    def _repr_html_(self) -> str:
        """Return the drawing, for notebooks; the result in one line if the graphs are missing or too large."""
        from usim.draw import is_drawable

        score = self.judgement.usim_score
        if score is None or not (is_drawable(score.source) and is_drawable(score.output)):
            return f"<pre>{escape(printable(repr(self)))}</pre>"
        return self.to_svg()


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
