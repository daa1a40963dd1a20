"""Options: one object for scorers, screens and batches."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from click import Context

from tests.support.flat import Flat
from usim.batch import Task
from usim.cli.serve import serve
from usim.errors import OptionError
from usim.judge import Thresholds
from usim.measures import DEFAULT, PAPER
from usim.options import Options
from usim.scorer import Scorer
from usim.screen import Screen
from usim.verdicts.thresholds import RISKS


def test_scorer_and_screen_are_made_from_options() -> None:
    parser = Flat()
    options = Options(parser=parser, judge="usim", preset="paper", keep=0.8, drop=0.25)
    scorer, screen = Scorer(options=options), Screen(options=options)
    assert scorer.parser is parser
    assert scorer.pipeline.preset == PAPER
    assert scorer.thresholds == screen.scorer.thresholds == Thresholds(0.8, 0.25)
    assert scorer.signature == screen.signature
    assert screen.scorer.score("a b", "a") == scorer.score("a b", "a")
    keywords = {"parser": parser, "judge": "usim", "preset": PAPER, "keep": 0.8, "drop": 0.25}
    assert Scorer(**keywords).signature == Screen(**keywords).signature == scorer.signature


def test_one_threshold_leaves_the_other_to_the_judge() -> None:
    assert Options(judge="usim", parser=Flat(), keep=0.75).load_pipeline().thresholds == Thresholds(0.75, 0.6)
    assert Options(judge="usim", parser=Flat(), drop=0.25).load_pipeline().thresholds == Thresholds(0.9, 0.25)


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        (Options(judge="solomon"), "judge", "no such judge: 'solomon'"),
        (Options(judge="usim", preset="other"), "preset", "no such preset: 'other'; there are default, paper"),
        (Options(judge="usim", keep=0.2), "thresholds", "drop 0.6 is above keep 0.2; the judge's own are 0.9 and 0.6"),
        (Options(judge="usim", keep=0.2, drop=0.3), "thresholds", r"drop 0.3 is above keep 0.2$"),
        (Options(judge="usim", keep=2.0), "thresholds", "0 <= drop <= keep <= 1"),
        (Options(judge="usim", risk=1.5), "risk", "between 0 and 1, or is strict: 1.5"),
        (Options(judge="usim", risk="lax"), "risk", "between 0 and 1, or is strict: lax"),
    ],
)
def test_options_that_cannot_be(options: Options, option: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as raised:
        options.load_pipeline()
    assert raised.value.option == option


def test_the_strict_risk_is_the_smallest_that_the_models_have_thresholds_for() -> None:
    assert Options(risk="strict").risk_share == min(RISKS)
    assert Options(judge="usim", parser=Flat(), risk="strict").load_pipeline().risk == min(RISKS)
    risk = next(option for option in serve.params if option.name == "risk")
    assert risk.process_value(Context(serve), "strict") == "strict"


def test_texts_are_cut_at_blanks_where_that_is_asked_for() -> None:
    assert Options().sentence_of("don't  go") == "don't  go"
    assert Options(tokenised=True).sentence_of("don't  go") == ("don't", "go")
    assert Options(tokenised=True).sentence_of(["a b", "c"]) == ("a b", "c")
    scorer = Scorer(options=Options(parser=Flat(), judge="usim", tokenised=True))
    assert scorer.score("don't  go", "do n't go").source_graph.tokens == ("don't", "go")
    assert scorer.parse(["don't  go"])[0].tokens == ("don't", "go")


def test_a_task_is_options_and_what_to_do() -> None:
    task = Task("screen", judge="usim", context=True)
    assert isinstance(task, Options)
    assert (task.kind, task.context, task.preset, task.fields) == ("screen", True, DEFAULT, ("source", "output"))
    assert pickle.loads(pickle.dumps(task)) == task


def test_nothing_is_loaded_before_it_is_asked_for(tmp_path: Path) -> None:
    assert Options(parser=f"xml:{tmp_path / 'nowhere'}", judge="nobody").judge == "nobody"
