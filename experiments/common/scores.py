"""Scores of pairs of sentences, many kinds at once, each sentence parsed once; kept on disk from run to run.

>>> scores = PairScores(measures=("usim", "chrf"))
>>> values = scores([("He go home.", "He goes home."), ("He go home.", "Trees are green.")])
>>> bool(values["usim"][0] > values["usim"][1])
True

The measures (:data:`MEASURES`):

- ``usim``: USim, the mean of the F of both directions;
- ``judge``: the faithfulness that the judge gives;
- ``chrf``, ``edit``: surface similarities, see :mod:`experiments.common.surface`;
- ``match``: each token is matched with the most similar one of the other sentence by the cosine of their vectors in
  context; F of both directions (as BERTScore does, Zhang et al. 2020, without its weights and rescaling);
- ``mean``: the cosine of the sentences' mean vectors;
- ``minilm``: the cosine of sentence vectors by all-MiniLM-L6-v2, where that is installed
  (:func:`experiments.common.surface.minilm_cosines`).

Vectors of tokens are those of usim's parser, see :class:`usim.compare.Analysis`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

import usim
from experiments.common import databases
from experiments.common.databases import digest_key
from experiments.common.statistics import Values
from experiments.common.surface import TextPair, chrf_scores, edit_similarities, minilm_cosines
from usim import __version__
from usim.cli.output import progress
from usim.compare import Analysis
from usim.judge import DEFAULT_JUDGE, Analyser, Judge, LRUCache, load_judge
from usim.measures import DEFAULT, usim_score
from usim.parsing import Parser, load

#: The measures, in the order in which they are reported.
MEASURES = ("usim", "judge", "chrf", "edit", "match", "mean", "minilm")
#: Those that most studies compare and so ask of their scores, with their titles.
KINDS = ("usim", "judge")
TITLES = {"usim": "USim", "judge": "faithfulness"}
#: Those that need no graphs and no vectors.
_SURFACE: dict[str, Callable[[Sequence[TextPair]], list[float]]] = {
    "chrf": chrf_scores, "edit": edit_similarities, "minilm": minilm_cosines
}  # fmt: skip
_BLOCK = 256  # pairs that are scored before they are saved
_HELD = 2048  # sentences held in memory: their vectors take some 40 kB each
_MARK = 0x75737363  # "ussc"
#: Packages of usim that have no influence on a score.
_UPPER = ("batch", "benchmarks", "cli", "gec", "plugins", "records", "report", "suggestions")


class Store:
    """Scores on disk, by how they were computed and the two sentences; one file, safe for several processes.

    Args:
        path: the file; None keeps nothing.

    Raises:
        InputError: the file cannot be used.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._file = databases.Store(":memory:" if path is None else path, _MARK, "store of scores")
        self.close = self._file.close

    def get(self, provenance: str, pairs: Iterable[TextPair]) -> dict[TextPair, float]:
        """Return those scores of pairs that are kept."""
        keys = {digest_key(provenance, *pair): pair for pair in pairs}
        return {keys[key]: float(value) for key, value in self._file.get(keys).items()}

    def put(self, provenance: str, scores: Iterable[tuple[TextPair, float]]) -> None:
        """Keep scores; once this returns they survive the end of the process."""
        self._file.put({digest_key(provenance, *pair): repr(float(value)).encode() for pair, value in scores})


@cache
def code_version(also: str = "") -> str:
    """Digest the files of usim that scores depend on, so that no score outlives the code or model it came from.

    Args:
        also: a package of usim that plays a part too, though it has no influence on the scores of pairs.
    """
    package = Path(usim.__file__).parent
    upper = set(_UPPER) - {also}
    files = [file for file in package.rglob("*") if not upper & set(file.relative_to(package).parts)]
    return _digest([*files, Path(__file__), Path(__file__).with_name("surface.py")])


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(files):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


class PairScores:
    """Scores pairs of sentences by several measures.

    Args:
        parser: the parser, or its name for :func:`usim.parsing.load`.
        judge: the judge, or its name for :func:`usim.judge.load_judge`; None for the default.
        measures: which of :data:`MEASURES`.
        store: where scores are kept.
        progress: whether to report progress on standard error.

    Raises:
        ValueError: no such measure or judge.
        ParsingError: the parser cannot be loaded.
    """

    def __init__(
        self,
        parser: str | Parser = "en",
        judge: str | Judge | None = None,
        *,
        measures: Sequence[str] = ("usim", "judge"),
        store: Store | None = None,
        threads: int = 1,
        progress: bool = False,
    ) -> None:
        if unknown := [name for name in measures if name not in MEASURES]:
            raise ValueError(f"no such measure: {', '.join(unknown)}; there are {', '.join(MEASURES)}")
        self.measures = tuple(measures)
        self.parser = load(parser, threads=threads) if isinstance(parser, str) else parser
        self.judge = load_judge(judge or DEFAULT_JUDGE) if judge is None or isinstance(judge, str) else judge
        # Models in training have the same name again and again: their files tell them apart.
        folder = Path(parser.removeprefix("onnx:")) if isinstance(parser, str) else None
        self._files = _digest(folder.iterdir()) if folder is not None and folder.is_dir() else ""
        self.store = Store() if store is None else store
        self._progress = progress
        self._held: LRUCache[str, Analysis] = LRUCache(_HELD)

    @cached_property
    def signatures(self) -> dict[str, str]:
        """How each measure's scores are computed."""
        parser, version = f"parser:{self.parser.name}", f"v:{__version__}"
        signatures = {
            "usim": f"usim|{parser}|{DEFAULT.signature}|{version}",
            "judge": f"faithfulness|judge:{self.judge.name}|{parser}|{version}",
            "match": f"match|vectors:{self._encoder}|{version}",
            "mean": f"mean|vectors:{self._encoder}|{version}",
        }
        return {name: signatures.get(name, f"{name}|{version}") for name in self.measures}

    def __call__(self, pairs: Sequence[TextPair]) -> dict[str, Values]:
        """Score pairs of a source and an output: shape (pairs,) for each measure, in the order of the pairs.

        Equal pairs are scored once. Scores that the store has are taken from it; new ones go into it block by block.
        """
        distinct = list(dict.fromkeys(pairs))
        kept = {name: self.store.get(self._provenance(name), distinct) for name in self.measures}
        missing = [pair for pair in distinct if any(pair not in kept[name] for name in self.measures)]
        blocks = [missing[start : start + _BLOCK] for start in range(0, len(missing), _BLOCK)]
        for block in (
            progress(blocks, len(blocks), f"blocks of {_BLOCK} pairs", quiet=True) if self._progress else blocks
        ):
            for name, values in self._score(block, kept).items():
                kept[name] |= values
                self.store.put(self._provenance(name), values.items())
        return {name: np.array([kept[name][pair] for pair in pairs], dtype=np.float64) for name in self.measures}

    def _provenance(self, name: str) -> str:
        return f"{self.signatures[name]}|code:{code_version()}{self._files}"

    def _score(self, block: list[TextPair], kept: dict[str, dict[TextPair, float]]) -> dict[str, dict[TextPair, float]]:
        todo = {name: [pair for pair in block if pair not in kept[name]] for name in self.measures}
        analyses = self._analyse([p for name, pairs in todo.items() if name not in _SURFACE for p in pairs])
        scores: dict[str, dict[TextPair, float]] = {}
        for name, pairs in todo.items():
            if not pairs:
                continue
            both = [(analyses[source], analyses[output]) for source, output in pairs if name not in _SURFACE]
            if name in _SURFACE:
                values = _SURFACE[name](pairs)
            elif name == "judge":
                values = [judgement.faithfulness for judgement in self.judge.judge(both)]
            elif name == "usim":
                values = [usim_score(a.graph, b.graph).f for a, b in both]
            else:
                values = [(match_score if name == "match" else mean_cosine)(_vectors(a), _vectors(b)) for a, b in both]
            scores[name] = dict(zip(pairs, values, strict=True))
        return scores

    @cached_property
    def _analyser(self) -> Analyser:
        encoder = self.judge.encoder if "judge" in self.measures else None
        if encoder is None and {"match", "mean"} & set(self.measures):
            encoder = load_judge(DEFAULT_JUDGE).encoder
        return Analyser(self.parser, encoder)

    @cached_property
    def _encoder(self) -> str:
        from usim.parsing.embedded import EmbeddedParser

        return self.parser.name if isinstance(self.parser, EmbeddedParser) else "en"

    def _analyse(self, pairs: list[TextPair]) -> dict[str, Analysis]:
        sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
        analyses = {s: known for s in sentences if (known := self._held.get(s)) is not None}
        if new := [s for s in sentences if s not in analyses]:
            analyses |= dict(zip(new, self._analyser.analyse(new), strict=True))
        for sentence, analysis in analyses.items():
            self._held.keep(sentence, analysis, size=1)
        return analyses


class ScoreGrid:
    """Scores of sources with each of several outputs.

    Args:
        outputs: by name, an output for each source.

    Attributes:
        names: the names of the outputs, in the order of the columns.
        same: whether an output equals its source, shape (sources, outputs).
    """

    def __init__(self, sources: Sequence[str], outputs: Mapping[str, Sequence[str]], scores: PairScores) -> None:
        self.names = list(outputs)
        pairs = [(source, texts[i]) for i, source in enumerate(sources) for texts in outputs.values()]
        shape = len(sources), len(outputs)
        self.same = np.array([source == output for source, output in pairs]).reshape(shape)
        self._values = {kind: values.reshape(shape) for kind, values in scores(pairs).items()}

    def columns(self, names: Iterable[str]) -> list[int]:
        """Return the columns of outputs."""
        return [self.names.index(name) for name in names]

    def __getitem__(self, kind: str) -> Values:
        """Return the scores of one measure, shape (sources, outputs)."""
        return self._values[kind]


def _vectors(analysis: Analysis) -> npt.NDArray[np.float32]:
    if analysis.vectors is None:  # an analyser that was asked for vectors must give them
        raise ValueError("an analysis without vectors")
    return analysis.vectors


def match_score(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Match the tokens of two sentences by their vectors, shapes (n, width) and (m, width); return a score in [0, 1].

    The score is the F of two means: for the tokens of each side, the cosine with the most similar token of the other
    side, not below 0. Two sentences without tokens match (1); one without tokens and one with do not (0).
    """
    if not len(a) or not len(b):
        return float(len(a) == len(b))
    cosines = np.maximum(_unit(a) @ _unit(b).T, 0.0)
    recall, precision = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def mean_cosine(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Compute the cosine of the mean vectors of two sentences; without tokens on both sides it is 1, on one side 0."""
    if not len(a) or not len(b):
        return float(len(a) == len(b))
    return float(_unit(a.mean(axis=0)) @ _unit(b.mean(axis=0)))


def _unit(vectors: npt.NDArray[np.float32]) -> Values:
    wide = vectors.astype(np.float64)
    return np.asarray(wide / np.maximum(np.linalg.norm(wide, axis=-1, keepdims=True), 1e-12))
