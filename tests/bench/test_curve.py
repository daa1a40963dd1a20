"""The curve of quality against time and size."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from bench.curve import Point, main, sizes

POINTS = (
    Point("small", (81.0, 55.0, 80.5), (79.0, 58.0, 78.5), 1.75, 3.0, 18.3, 6.0),
    Point("large", (84.0, 60.0, 83.5), (81.0, 58.0, 80.5), 16.2, 19.0, 82.2, 24.7),
)


def test_measured_points_become_a_table_and_a_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, drawing = tmp_path / "points.json", tmp_path / "curve.svg"
    file.write_text("".join(json.dumps(asdict(point)) + "\n" for point in POINTS), encoding="utf-8")
    main(["--read", str(file), "--svg", str(drawing)])
    rows = capsys.readouterr().out.splitlines()
    assert rows[2] == "| `small` | 81.00 / 55.00 / 80.50 | 79.00 / 58.00 / 78.50 | 1.8; 3.0 | 18.3 (6.0) |"
    assert len(rows) == 4
    before = drawing.read_bytes()
    assert b"<svg" in before
    main(["--read", str(file), "--svg", str(drawing)])
    assert drawing.read_bytes() == before


def test_sizes_count_shared_files_and_a_parsers_own(tmp_path: Path) -> None:
    for folder, names in (("words", ("words.npy",)), ("trunk", ("trunk.onnx",)), ("model", ("model.onnx",))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_bytes(bytes(1_000_000))
    trunk = json.dumps({"sha256": {"trunk.onnx": ""}})
    (tmp_path / "trunk/settings.json").write_text(trunk, encoding="utf-8")
    own = json.dumps({"trunk": "../trunk", "sha256": {"model.onnx": "", "../words/words.npy": ""}})
    (tmp_path / "model/settings.json").write_text(own, encoding="utf-8")
    whole, alone = sizes(tmp_path / "model")
    assert whole == pytest.approx(3 + (len(own) + len(trunk)) / 1e6)
    assert alone == pytest.approx(1 + len(own) / 1e6)


def test_models_need_sentences_to_parse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["en"])
    assert "pass --wiki-dev and --ewt-dev" in capsys.readouterr().err
