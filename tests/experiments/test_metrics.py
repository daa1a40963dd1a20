"""Metrics of corrections side by side: on made-up data, with gec-metrics' own meta-evaluation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from experiments import metrics
from tests.servers.server import LlmServer, serving
from usim.errors import InputError
from usim.options import Options

SOURCES = ["He go home .", "I like a tea .", "She have cats .", "It rain ."]
GOOD = ["He goes home .", "I like tea .", "She has cats .", "It rains ."]


def longer(sources: Any, outputs: Any, references: Any) -> list[float]:
    """A metric that likes outputs as long as their sources."""
    return [-abs(len(output) - len(source)) for source, output in zip(sources, outputs, strict=True)]


def test_tmu_gfm_by_sentence_and_by_system(tmp_path: Path) -> None:
    header = "source,output,grammer,fluency,meaning,system,ave_g,ave_f,ave_m"
    rows = [f'{s},{o},,,,"{system}",{m},{m},{m}' for s, o, system, m in
            [("abc", "abc", "a,b", 4), ("abc", "ab", "a", 3), ("abc", "a", "b", 2), ("xyz", "xyzw", "a", 3)]]  # fmt: skip
    path = tmp_path / "tmu.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    figures = metrics.tmu_gfm(path, longer, None, 10, 0)
    assert figures["meaning, sentences"].value == pytest.approx(1)  # type: ignore[union-attr]
    # a has 0, -1 and -1, rated 4, 3, 3; b has 0 and -2, rated 4 and 2.
    assert figures["meaning, 2 systems"] == pytest.approx(1)


def test_jfleg_has_people_and_systems(tmp_path: Path) -> None:
    files = {"dev.src": SOURCES, "dev.ref0": GOOD, "dev.ref1": GOOD, "dev.none.out": SOURCES, "dev.cut.out": ["."] * 4}
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    figures = metrics.jfleg(tmp_path, longer, None)
    assert figures["systems, highest"] == 0
    assert figures["people"] == pytest.approx(np.mean(longer(SOURCES, GOOD, ())))


def test_cleme_has_four_aspects_and_needs_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = [GOOD[0], "I like a cup .", *SOURCES[2:]]
    files = {"dev.src": SOURCES, "dev.ref0": GOOD, "dev.ref1": GOOD, "dev.half.out": half}
    for name, lines in files.items():
        (tmp_path / "jfleg").mkdir(exist_ok=True)
        (tmp_path / "jfleg" / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert metrics.main(["cleme", "--data", str(tmp_path)]) == 0
    # Of four errors one is hit and two are missed; "a tea" lost its article, but its noun was changed as well.
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["people", "1.000", ".000", ".000", ".000", "1.000"] in shown
    assert ["half", ".250", ".250", ".500", ".000", ".500"] in shown
    assert np.isnan(metrics.make("cleme", Options())(SOURCES, GOOD, ())).all()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    with serving(lambda request: '```json\n{"target1_score": 2, "target2_score": 5}\n```') as server:
        monkeypatch.setenv("USIM_LLM_ENDPOINT", server.url)
        yield server


def test_a_language_model_compares_the_outputs_of_a_source(server: LlmServer) -> None:
    score = metrics.make("llm:m:meaning", Options())
    scores = score(["s", "s", "t"], ["b", "a", "c"], ())
    assert scores == [5, 2, 2]
    (asked,) = (text for text in (own["messages"][0]["content"] for own in server.requests) if "a\nb" in text)
    assert "# source\ns\n\n# targets\na\nb\n" in asked
    assert "preserving the meaning" in asked
    with pytest.raises(InputError, match="the criteria are grammaticality, fluency, meaning"):
        metrics.make("llm:m:taste", Options())


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    """gec-metrics without the metrics that need models: its base classes, GREEN, and its meta-evaluation of SEEDA."""
    try:
        package = Path(str(distribution("gec-metrics").locate_file("gec_metrics")))
    except PackageNotFoundError:
        pytest.skip("gec-metrics is not installed (pip install --no-deps gec-metrics)")
    pytest.importorskip("trueskill")
    loaded: dict[str, Any] = {}
    for name in ("gecommon", "seaborn", "gec_metrics", "gec_metrics.metrics.llm_kobayashi24"):
        loaded[name] = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, loaded[name])
    loaded["gecommon"].apply_edits = None
    loaded["gec_metrics.metrics.llm_kobayashi24"].LLMKobayashi24 = type("LLMKobayashi24", (), {})
    has_torch = find_spec("torch") is not None and find_spec("transformers") is not None
    for name, file in {
        "gec_metrics.metrics": "metrics/base.py",
        "gec_metrics.metrics.base": "metrics/base.py",
        "gec_metrics.meta_eval.base": "meta_eval/base.py",
        "gec_metrics.meta_eval.utils": "meta_eval/utils.py",
        "gec_metrics.meta_eval": "meta_eval/seeda.py",
        "gec_metrics.metrics.green": "metrics/green.py",
        **({"gec_metrics.metrics.impara": "metrics/impara.py"} if has_torch else {}),
    }.items():
        if name == "gec_metrics.metrics.base":
            monkeypatch.setitem(sys.modules, name, loaded["gec_metrics.metrics"])
            continue
        paths = [str(package / file.partition("/")[0])] if name.count(".") == 1 else None
        spec = spec_from_file_location(name, package / file, submodule_search_locations=paths)
        assert spec is not None
        assert spec.loader is not None
        loaded[name] = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, loaded[name])
        spec.loader.exec_module(loaded[name])
    ids = {"green": loaded["gec_metrics.metrics.green"].GREEN}
    if has_torch:
        ids["impara"] = loaded["gec_metrics.metrics.impara"].IMPARA
    loaded["gec_metrics"].get_metric_ids = lambda: list(ids)
    loaded["gec_metrics"].get_metric = ids.__getitem__
    return loaded["gec_metrics.meta_eval"].MetaEvalSEEDA


def test_a_metric_of_the_library_with_settings(library: Any) -> None:
    green = metrics.make("green:n=1,unit=word", Options())
    assert green(SOURCES, GOOD, [GOOD]) == [1] * 4
    assert all(score < 1 for score in green(SOURCES, SOURCES, [GOOD]))
    assert np.isnan(green(SOURCES, GOOD, ())).all()
    with pytest.raises(InputError, match="green has the settings n, beta, unit"):
        metrics.make("green:size=2", Options())
    with pytest.raises(InputError, match="no such metric; there are usim, judge, llm:NAME, cleme, green"):
        metrics.make("grene", Options())


def test_impara_with_a_small_model_of_a_folder(library: Any, tmp_path: Path) -> None:
    torch, transformers = (pytest.importorskip(name) for name in ("torch", "transformers"))
    (tmp_path / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"hegosam"]))
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=12, num_labels=1, **sizes)
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    settings = f"model_qe={tmp_path},model_se={tmp_path},no_cuda=True,threshold=-1"
    scores = metrics.make(f"impara:{settings}", Options())(SOURCES, GOOD, ())
    assert len(scores) == len(SOURCES)
    assert all(0 <= score <= 1 for score in scores)
    assert metrics.make(f"impara:{settings[:-2]}2", Options())(SOURCES, GOOD, ()) == [0] * 4  # nothing is so similar


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the library closes no file
def test_seeda_by_its_own_meta_evaluation(library: Any, tmp_path: Path) -> None:
    folder = tmp_path / "SEEDA"
    for part in ("outputs/subset", "scores/human", "data"):
        (folder / part).mkdir(parents=True)
    systems = library.MODELS
    # System k adds k letters to each sentence; people like the shorter ones better.
    texts = {name: [f"{source}{'x' * k}" for source in SOURCES] for k, name in enumerate(systems)}
    for name, lines in (texts | {"INPUT": SOURCES, "REF0": GOOD, "REF1": GOOD}).items():
        (folder / "outputs" / "subset" / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in library.SCORE_ID:
        (folder / "scores" / "human" / f"{name}.txt").write_text("\n".join(str(-k) for k in range(len(systems))) + "\n")
    ranked = "".join(f'<translation rank="{k}" system="{name}"/>' for k, name in enumerate(systems))
    items = "".join(f'<ranking-item src-id="{k}">{ranked}</ranking-item>' for k in range(len(SOURCES)))
    for kind in ("edit", "sent"):
        text = f"<r><error-correction-ranking-result>{items}</error-correction-ranking-result></r>"
        (folder / "data" / f"judgments_{kind}.xml").write_text(text)
    figures = metrics.seeda(folder, longer)
    assert figures["SEEDA-E, sentences"] == figures["SEEDA-S, sentences"] == 1
    assert figures["SEEDA-E, systems"] > 0.9  # type: ignore[operator]
    # GREEN sees no difference between them, and SEEDA counts ties as wrong.
    assert metrics.seeda(folder, metrics.make("green", Options()))["SEEDA-S, sentences"] == -1
    # CLEME sees that the first one changes nothing needlessly, by SEEDA's references, and no other difference: of the
    # 66 pairs of the twelve systems that SEEDA compares, eleven are right.
    assert metrics.seeda(folder, metrics.make("cleme", Options()))["SEEDA-S, sentences"] == pytest.approx(22 / 66 - 1)
