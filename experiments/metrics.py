"""Metrics of grammatical error correction side by side with USim and the judge: agreement with people, and cost.

    python -m experiments metrics usim judge gleu green impara:model_qe=DIR,model_se=DIR --data DIR [--seeda DIR]

A metric is ``usim``, ``judge`` (of ``--model`` or ``--judge``, so also ``--judge llm:NAME``, usim's yes/no question),
``llm:NAME[:fluency|grammaticality|meaning]``, the prompt of Kobayashi et al. (2024) to a model behind
``USIM_LLM_ENDPOINT``, ``cleme``, CLEME 2.0 with its four aspects, or any metric of gec-metrics (``pip install
gec-metrics``) by its name, with the settings of its ``Config``: ``some``, ``impara``, ``scribendi``, ``pterrant``,
``green``, …; folders of models are the user's.

Measured are the correlations with people's ratings in TMU-GFM by sentence and by system, in SEEDA by gec-metrics' own
meta-evaluation, where its folder is given (``git clone https://github.com/tmu-nlp/SEEDA``), and of JFLEG dev the scores
of a person's corrections and of the systems, for metrics with references by the three other ones. Time is the
processor's. What is not there is left out.
"""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from experiments.baselines.prompted import PROMPTS, filled
from experiments.common import cleme
from experiments.common.command import Command, Option
from experiments.common.corrections import read_corrections
from experiments.common.statistics import Draws, pearson
from experiments.common.study import Study
from experiments.data import located
from training.statistics import grouped
from usim.errors import InputError, extra
from usim.options import Options
from usim.report.tables import Cell, Row, Table
from usim.scorer import Scorer
from usim.servers.llm import ChatModel, Endpoint, Message, without_thoughts
from usim.text.files import read_csv

#: From sources, outputs and references (a list for each annotator) to the scores of the outputs.
Score = Callable[[Sequence[str], Sequence[str], Sequence[Sequence[str]]], list[float]]
#: The metrics of gec-metrics that were made, by what scores with them.
_OF_LIBRARY: dict[Score, Any] = {}
_TOGETHER = 5  # outputs that the prompt of Kobayashi et al. takes at a time
_TIMED = 200  # pairs whose time is taken
_RATINGS = {"meaning": "ave_m", "grammaticality": "ave_g", "fluency": "ave_f"}
_AGREEMENTS = ("edit", "sent")


def make(name: str, options: Options) -> Score:
    """Return a metric by its name with settings."""
    kind, _, settings = name.partition(":")
    if kind in ("usim", "judge"):
        scorer = Scorer(options=options)

        def ours(sources: Sequence[str], outputs: Sequence[str], _: Sequence[Sequence[str]]) -> list[float]:
            results = scorer.score_pairs(list(zip(sources, outputs, strict=True)))
            return [result.usim.f if kind == "usim" else result.judgement.faithfulness for result in results]

        return ours
    if kind == "llm":
        return _asked(*settings.partition(":")[::2])
    if kind == "cleme":
        return _cleme
    return _of_library(kind, settings)


def _of_library(kind: str, settings: str) -> Score:
    library = extra("gec_metrics", "metrics of corrections need", "gec-metrics")
    if kind not in library.get_metric_ids():
        known = ", ".join(library.get_metric_ids())
        raise InputError(f"no such metric; there are usim, judge, llm:NAME, cleme, {known}", text=kind)
    made = library.get_metric(kind)
    types = {field.name: type(field.default) for field in fields(made.Config)}
    values: dict[str, Any] = {}
    for setting in filter(None, settings.split(",")):
        key, equals, value = setting.partition("=")
        if not equals or key not in types:
            raise InputError(f"{kind} has the settings {', '.join(types)}: NAME=VALUE", text=setting)
        read = types[key] if types[key] in (int, float) else str
        values[key] = value == "True" if types[key] is bool else read(value)
    metric = made(made.Config(**values))

    def theirs(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
        given = _handled(metric, sources, outputs, references)
        if not references and "references" in given:
            return [float("nan")] * len(sources)
        return [float(score) for score in metric.score_sentence(**given)]

    _OF_LIBRARY[theirs] = metric
    return theirs


def _handled(
    metric: Any, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Return the arguments that a metric of gec-metrics takes."""
    handler = extra("gec_metrics.metrics", "metrics of corrections need", "gec-metrics").inputs_handler
    arguments: dict[str, Any] = handler(metric, list(sources), list(outputs), [list(own) for own in references])
    return arguments


def _asked(model: str, criterion: str) -> Score:
    """Return the scores, 1 to 5, that a large language model gives by the prompt of Kobayashi et al. (2024)."""
    prompt = PROMPTS["gec-sentence"]
    if criterion and criterion not in prompt["criteria"]:
        raise InputError(f"the criteria are {', '.join(prompt['criteria'])}", text=criterion)
    asked = ChatModel(Endpoint.from_environment(model))
    about = f"\n{prompt['criteria'][criterion]}" if criterion else ""

    def scores(sources: Sequence[str], outputs: Sequence[str], _: Sequence[Sequence[str]]) -> list[float]:
        of_source: dict[str, dict[str, None]] = defaultdict(dict)
        for source, output in zip(sources, outputs, strict=True):
            of_source[source][output] = None
        # Those of one source stand in one question, so that the model compares them.
        asks = [
            (source, sorted(own)[start : start + _TOGETHER])
            for source, own in of_source.items()
            for start in range(0, len(own), _TOGETHER)
        ]
        answers = asked.ask_all(
            (Message("user", filled(prompt["text"], sentence=source, outputs="\n".join(some), criterion=about)),)
            for source, some in asks
        )
        given: dict[tuple[str, str], float] = {}
        for (source, some), answer in zip(asks, answers, strict=True):
            found = dict(re.findall(r'"target_?(\d+)_?(?:score)?"\s*:\s*([\d.]+)', without_thoughts(answer.text)))
            given |= {(source, text): float(found.get(str(k), "nan")) for k, text in enumerate(some, 1)}
        return [given[pair] for pair in zip(sources, outputs, strict=True)]

    return scores


def _counts(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]
) -> list[list[cleme.Counts]]:
    """Count the chunks of outputs by each reference."""
    return [
        cleme.counts(source.split(), cleme.edits(source, output), [cleme.edits(source, own) for own in people])
        for source, output, *people in zip(sources, outputs, *references, strict=True)
    ]


def _cleme(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """Return the scores of CLEME 2.0; without references there are none."""
    if not references:
        return [float("nan")] * len(sources)
    return [cleme.total([own]).aspects()["score"] for own in _counts(sources, outputs, references)]


def tmu_gfm(path: Path, score: Score, limit: int | None, draws: int, seed: int) -> dict[str, Cell]:
    """Correlate a metric with the ratings of TMU-GFM, by sentence and by system; pairs without a score are left out."""
    records = [record for _, record in read_csv(path, ("source", "output", "system", *_RATINGS.values()))][:limit]
    said = np.array(score([r["source"] for r in records], [r["output"] for r in records], ()))
    kept = np.flatnonzero(~np.isnan(said))
    records, said = [records[place] for place in kept], said[kept]
    figures: dict[str, Cell] = {}
    if len(records) < 2:
        return figures
    bootstrap = Draws([record["source"] for record in records], draws, seed)
    for name, column in _RATINGS.items():
        rated = np.array([float(record[column]) for record in records])
        figures[f"{name}, sentences"] = bootstrap.interval(lambda at, rated=rated: pearson(said[at], rated[at]))  # type: ignore[misc]
        systems = ((system, k) for k, record in enumerate(records) for system in record["system"].split(","))
        of_system = grouped(systems)
        means = [(said[at].mean(), rated[at].mean()) for at in of_system.values()]
        figures[f"{name}, {len(means)} systems"] = pearson(*np.array(means).T)
    return figures


def seeda(folder: Path, score: Score) -> dict[str, Cell]:
    """Correlate a metric with SEEDA by gec-metrics: TrueSkill by system (Pearson), pairs by sentence (Kendall)."""
    base = extra("gec_metrics.metrics", "meta-evaluations need", "gec-metrics").MetricBaseForReferenceBased

    class Adapter(base):  # type: ignore[misc, valid-type]
        def score_sentence(self, sources: list[str], hypotheses: list[str], references: list[list[str]]) -> list[float]:
            return score(sources, hypotheses, references)

    metric = _OF_LIBRARY.get(score) or Adapter()
    with contextlib.chdir(folder.resolve().parent):  # it looks for the folder SEEDA below
        meta = extra("gec_metrics.meta_eval", "meta-evaluations need", "gec-metrics").MetaEvalSEEDA()
    systems = meta.corr_system(metric, aggregation="trueskill")
    sentences = meta.corr_sentence(metric)
    figures: dict[str, Cell] = {}
    for kind in _AGREEMENTS:
        figures[f"SEEDA-{kind[0].upper()}, systems"] = getattr(systems, f"ts_{kind}").pearson
        figures[f"SEEDA-{kind[0].upper()}, sentences"] = getattr(sentences, kind).kendall
    return figures


def jfleg(folder: Path, score: Score, limit: int | None) -> dict[str, Cell]:
    """Measure the first annotator and the systems of JFLEG dev, against the other annotators."""
    sources, outputs, others = _jfleg(folder, limit)
    means = {name: _whole(score, sources, own, others) for name, own in outputs.items()}
    own = means.pop("people")
    return {"people": own, "systems, lowest": min(means.values()), "systems, highest": max(means.values())}


def aspects(folder: Path, limit: int | None) -> Table:
    """Measure the four aspects of CLEME 2.0, of the first annotator and of the systems of JFLEG dev."""
    sources, outputs, others = _jfleg(folder, limit)
    found = {name: cleme.total(_counts(sources, own, others)).aspects() for name, own in outputs.items()}
    rows: tuple[Row, ...] = tuple((name, *own.values()) for name, own in found.items())
    return Table("cleme", "CLEME 2.0 on JFLEG dev", ("output", *found["people"]), rows)


def _jfleg(folder: Path, limit: int | None) -> tuple[list[str], dict[str, list[str]], list[list[str]]]:
    """Return the sources of JFLEG dev, the outputs by name, and what the other annotators wrote."""
    corpus = read_corrections(folder, "dev")
    people, *others = (own[:limit] for own in corpus.references.values())
    return corpus.sources[:limit], {"people": people} | {n: o[:limit] for n, o in corpus.systems.items()}, others


def _whole(score: Score, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the score of a corpus: that of gec-metrics' own making or of CLEME, or a mean."""
    if score is _cleme:
        return cleme.total(_counts(sources, outputs, references)).aspects()["score"]
    if (metric := _OF_LIBRARY.get(score)) is None:
        return float(np.nanmean(score(sources, outputs, references)))
    return float(metric.score_corpus(**_handled(metric, sources, outputs, references)))


def run(
    metrics: Sequence[str],
    data: Path,
    seeda_folder: Path | None,
    options: Options,
    *,
    limit: int | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Measure each metric on each set that is there."""
    ratings = located(data, "tmu-gfm/tmu-gfm-dataset.csv")
    ratings = ratings if ratings.exists() else data / "tmu-gfm-dev.csv"
    corpus = next((path for path in (data / "jfleg", data / "jfleg-dev") if path.is_dir()), None)
    sets: dict[str, Callable[[Score], dict[str, Cell]]] = {}
    if ratings.exists():
        sets["TMU-GFM"] = lambda score: tmu_gfm(ratings, score, limit, resamples, seed)
    if seeda_folder is not None:
        sets["SEEDA"] = lambda score: seeda(seeda_folder, score)
    if corpus is not None:
        sets["JFLEG"] = lambda score: jfleg(corpus, score, limit)
    if not sets:
        raise InputError("no TMU-GFM or JFLEG in it: python -m experiments data tmu-gfm jfleg --to DIR", path=data)
    rows: dict[str, dict[str, dict[str, Cell]]] = {name: {} for name in sets}
    costs: list[Row] = []
    for name in metrics:
        score = make(name, options)
        for own, measured in sets.items():
            rows[own][name] = measured(score)
        if corpus is not None:
            costs.append((name, round(_cost(corpus, score, limit), 2)))
        print(f"{name}: done", file=sys.stderr)
    tables = [_table(name, own) for name, own in rows.items() if any(own.values())]
    if corpus is not None and "cleme" in metrics:
        tables.append(aspects(corpus, limit))
    if costs:
        tables.append(Table("cost", "Cost on one core", ("metric", "ms a pair"), tuple(costs)))
    settings = {"data": data, "limit": limit, "seed": seed, "resamples": resamples, "metrics": list(metrics)}
    return Study("metrics", "Metrics of corrections side by side", tuple(tables), {}, settings)


def _cost(folder: Path, score: Score, limit: int | None) -> float:
    """Return the milliseconds that the first annotator's corrections of a corpus take, each."""
    sources, outputs, others = _jfleg(folder, min(limit or _TIMED, _TIMED))
    began = time.process_time()
    score(sources, outputs["people"], others)
    return 1000 * (time.process_time() - began) / len(sources)


def _table(name: str, rows: dict[str, dict[str, Cell]]) -> Table:
    titles = list(dict.fromkeys(title for own in rows.values() for title in own))
    body = tuple((metric, *(own.get(title) for title in titles)) for metric, own in rows.items())
    return Table(name.lower().replace("-", "_"), name, ("metric", *titles), body)


main = Command(
    run,
    Option("metrics", nargs="+", metavar="METRIC", help="usim, judge, llm:NAME, cleme, or one of gec-metrics"),
    Option("--data", type=Path, required=True, metavar="DIR", help="the folder with TMU-GFM and JFLEG"),
    Option("--seeda", dest="seeda_folder", type=Path, metavar="DIR", help="a clone of tmu-nlp/SEEDA, named SEEDA"),
    Option("--limit", type=int, metavar="N", help="the first N pairs and sources"),
)
