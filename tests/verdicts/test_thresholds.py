"""Thresholds by policy, band and risk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from usim import Scorer
from usim.errors import OptionError
from usim.judge import Thresholds
from usim.report.words import verdict_lines
from usim.verdicts import Opinion
from usim.verdicts.nouns import BANDS
from usim.verdicts.thresholds import RISKS, RiskTable, band_of, risk_thresholds

TABLE = RiskTable(
    keep=0.5,
    drop=0.1,
    values={
        "same": {"rewritten": {0.05: Thresholds(0.97, 0.01), 0.1: Thresholds(0.9, 0.05), 0.2: Thresholds(0.8, 0.3)}}
    },
)


class TestBands:
    @pytest.mark.parametrize(
        ("gone", "new", "respelled", "places", "widest", "band"),
        [
            (0.0, 0.0, 0, 0, 0, "edit"),
            (0.2, 0.2, 0, 2, 4, "edit"),
            (0.2, 0.2, 0, 4, 2, "edits"),
            (0.4, 0.1, 0, 3, 4, "reworded"),
            (0.1, 0.4, 0, 1, 4, "reworded"),
            (0.9, 0.9, 0, 3, 4, "rewritten"),
            (0.2, 0.1, 1, 3, 4, "corrected"),
            (0.4, 0.1, 1, 3, 4, "recast"),
            (0.9, 0.9, 1, 3, 4, "rewritten"),
            # A short sentence in which one or two places changed.
            (1.0, 1.0, 0, 2, 3, "edit"),
            (1.0, 1.0, 1, 1, 1, "corrected"),
        ],
    )
    def test_the_side_with_more_changes_counts(
        self, gone: float, new: float, respelled: int, places: int, widest: int, band: str
    ) -> None:
        assert band_of(gone, new, respelled, places, widest) == band

    @given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 3), st.integers(0, 9), st.integers(0, 9))
    def test_both_directions_have_one_band(
        self, gone: float, new: float, respelled: int, places: int, widest: int
    ) -> None:
        assert band_of(gone, new, respelled, places, widest) == band_of(new, gone, respelled, places, widest) in BANDS

    def test_mended_errors_make_a_correction(self) -> None:
        mended = [band_of(share, share, 0, 4, 4, is_mended=True) for share in (0.2, 0.4, 0.9)]
        assert mended == ["corrected", "recast", "recast"]
        assert band_of(1, 1, 0, 1, 1, is_mended=True) == "corrected"


class TestTable:
    def test_a_risk_between_two_takes_the_smaller(self) -> None:
        keeps = [TABLE.at("same", "rewritten", risk).keep for risk in (0.09, 0.1, 0.19)]
        assert keeps == [0.97, 0.9, 0.9]
        with pytest.raises(OptionError, match=r"smallest risk of this judge is 0\.05"):
            TABLE.at("same", "rewritten", 0.01)

    def test_a_small_risk_makes_keep_rarer_and_silences_no_alarm(self) -> None:
        assert TABLE.at("same", "rewritten", 0.05) == Thresholds(0.97, 0.05)
        assert TABLE.at("same", "rewritten", 0.2) == Thresholds(0.8, 0.3)

    def test_all_else_has_the_thresholds_for_all(self) -> None:
        own = Thresholds(0.5, 0.1)
        assert TABLE.at("same", "edit", 0.1) == TABLE.at("shorten", "rewritten", 0.1) == own
        assert own.at("expand", "rewritten", 0.3) is own

    def test_comes_back_from_json(self) -> None:
        again = RiskTable.from_dict(Thresholds(TABLE.keep, TABLE.drop), TABLE.to_dict())
        assert again.to_dict() == TABLE.to_dict()
        assert again.digest == TABLE.digest != replace(TABLE, keep=0.6).digest

    def test_signature_names_risk_table_and_policy(self) -> None:
        assert TABLE.signature("same", 0.1) == {"risk": 0.1, "bands": TABLE.digest}
        assert TABLE.signature("shorten", 0.1)["policy"] == "shorten"
        assert Thresholds(0.5, 0.1).signature("same", 0.1) == {"keep": 0.5, "drop": 0.1}


class TestChoice:
    """Chosen thresholds keep the risk on pairs that did not choose them."""

    @given(st.integers(0, 10_000), st.sampled_from(RISKS))
    @settings(max_examples=25, deadline=None)
    def test_what_is_certain_is_decided(self, seed: int, risk: float) -> None:
        said = np.random.default_rng(seed).random(500)
        chosen = risk_thresholds(said, said > 0.5, risk)
        assert chosen.drop <= chosen.keep
        kept, dropped = said >= chosen.keep, said < chosen.drop
        assert not kept.any() or (said[kept] <= 0.5).mean() <= risk
        assert not dropped.any() or (said[dropped] > 0.5).mean() <= risk

    def test_risk_holds_on_other_pairs_in_nine_of_ten_draws(self) -> None:
        failed = 0
        for seed in range(60):
            rng = np.random.default_rng(seed)
            said = rng.random(6000)
            label = rng.random(6000) < said
            chosen = risk_thresholds(said[:1000], label[:1000], 0.1)
            kept = said[1000:] >= chosen.keep
            failed += bool(kept.any() and (~label[1000:][kept]).mean() > 0.1)
        assert failed <= 10

    def test_noise_few_pairs_or_none_decide_nothing(self) -> None:
        rng = np.random.default_rng(1)
        few = np.array([0.1, 0.2, 0.8, 0.9])
        noise = rng.random(2000), rng.random(2000) < 0.5
        for said, label in (noise, (few, few > 0.5), (np.zeros(0), np.zeros(0, bool))):
            assert risk_thresholds(said, label, 0.1) == Thresholds(1.0, 0.0)

    def test_each_set_keeps_the_risk_by_itself(self) -> None:
        said = np.tile(np.linspace(0, 1, 400), 2)
        label = np.concatenate([said[:400] > 0.2, said[400:] > 0.7])
        names = ["easy"] * 400 + ["hard"] * 400
        chosen = risk_thresholds(said, label, 0.1, names)
        assert (~label[400:][said[400:] >= chosen.keep]).mean() <= 0.1
        assert chosen.keep > risk_thresholds(said, label, 0.1).keep


@pytest.mark.model
class TestPolicies:
    def test_faithfulness_follows_the_policy(self, fast: Scorer) -> None:
        pair = ("She met him in Rome on Monday.", "She met him in Rome.")
        same = fast.score(*pair).judgement
        assert fast.under("shorten").score(*pair).judgement.faithfulness == same.supported
        assert fast.under("expand").score(*pair).judgement.faithfulness == same.covered
        assert fast.under("same") is fast
        assert "policy:shorten" in fast.under("shorten").signature
        assert "policy" not in fast.signature
        equal = fast.score("He slept.", "He slept.").judgement
        assert (equal.supported, equal.covered) == (1.0, 1.0)

    def test_a_judge_without_directions_refuses(self) -> None:
        with pytest.raises(OptionError, match="knows only the policy"):
            Scorer(judge=Asked(0.9), policy="shorten").score("He slept.", "He sleeps.")

    @pytest.mark.parametrize("wrong", [{"policy": "shrink"}, {"risk": 0.0}, {"risk": 1.5}, {"risk": 0.001}])
    def test_options_are_checked(self, wrong: dict[str, object]) -> None:
        with pytest.raises(OptionError):
            Scorer(model="en-fast", **wrong)  # type: ignore[arg-type]


class Asked:
    """A judge that answers what it is told to, and remembers what it was asked."""

    name = "asked"
    encoder = None
    thresholds = Thresholds(0.8, 0.5)

    def __init__(self, share: float | None) -> None:
        self.share, self.pairs = share, []  # type: ignore[var-annotated]

    def judge(self, pairs):  # type: ignore[no-untyped-def]
        self.pairs += [(source.text, output.text) for source, output in pairs]
        return [Opinion(self.share or 0.5, is_answered=self.share is not None) for _ in pairs]


@pytest.mark.model
class TestAsk:
    PAIRS = (
        ("He paid 20 euros.", "He paid 25 euros."),
        ("He slept.", "He slept."),
        ("He left.", "He went away at last."),
    )

    def test_only_what_would_be_reviewed_is_asked(self) -> None:
        asked = Asked(0.9)
        # Between these thresholds everything but equal sentences is to be reviewed.
        scorer = Scorer(model="en-fast", keep=1.0, drop=0.03, ask=asked)
        first, second, third = (result.judgement for result in scorer.score_pairs(self.PAIRS))
        assert asked.pairs == [self.PAIRS[2]]
        assert (first.verdict, second.verdict, third.verdict) == ("drop", "keep", "keep")
        assert (first.decided_by, third.decided_by) == ("", "asked")
        assert third.faithfulness < 0.9  # the first judge's own: what another one says is in the cause
        assert third.cause is not None
        assert (third.cause.by, third.cause.keep, third.cause.compared) == ("model", 0.8, 0.9)
        assert any("the judge that was asked says 0.900: keep needs 0.800" in line for line in verdict_lines(third))
        assert not third.shown
        assert "ask:asked" in scorer.signature

    def test_no_answer_leaves_review(self) -> None:
        scorer = Scorer(model="en-fast", keep=1.0, drop=0.03, ask=Asked(None))
        assert [r.judgement.verdict for r in scorer.score_pairs(self.PAIRS)] == ["drop", "keep", "review"]
