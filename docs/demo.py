"""Store the answers of the page's demo again: ``python docs/demo.py`` at the root of a checkout.

The documentation has the page itself (:func:`install`), with stored answers to its examples in the place of a service.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

from usim.serve.page.paths import FILES

STORED = Path(__file__).parent / "demo-answers.json"
_WIDTHS = (300, 1080)  # of the drawings: for narrow screens and for others
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
_HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="usim-demo" content="answers.json">
<title>"""
#: What the page reads of an answer.
_MEMBERS = ("source", "output", "score", "faithfulness", "verdict", "cause", "findings", "tokens", "svg")


def questions() -> dict[str, list[dict[str, Any]]]:
    """Return what the page asks when an example is chosen: path → requests."""
    examples = json.loads(FILES["/page/examples.json"][0])
    words = []
    for example in examples["sentences"]:
        start = example["text"].index(example["word"])
        words.append({"text": example["text"], "start": start, "end": start + len(example["word"]), "substitutes": []})
    return {
        "v1/explain": [
            {"source": pair["source"], "output": pair["output"], "format": "view", "width": width}
            for pair in examples["pairs"]
            for width in _WIDTHS
        ],
        "v1/substitutes": words,
        "v1/compare": [
            {
                **{side: texts[side] for side in ("before", "after")},
                "policy": texts.get("policy", "same"),
                "format": "view",
            }
            for texts in examples["rewrites"]
        ],
        "v2/check": [{"text": example["text"]} for example in examples["texts"]],
    }


async def _answers() -> dict[str, list[dict[str, Any]]]:
    import httpx

    from usim.serve.app import create_app
    from usim.serve.settings import Limits, Settings

    app = create_app(Settings(checkers=("harper",), limits=Limits(seconds=600)))
    answers: dict[str, list[dict[str, Any]]] = {}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://localhost", timeout=None
    ) as client:
        for path, requests in questions().items():
            for request in requests:
                body = {"data": {**request, "language": "en-US"}} if path == "v2/check" else {"json": request}
                answer = (await client.post(f"/{path}", **body)).raise_for_status().json()
                if path == "v1/explain":
                    answer = {name: answer[name] for name in _MEMBERS}
                elif path == "v1/compare":
                    answer = {"rows": answer["rows"]}
                answers.setdefault(path, []).append({"request": request, "answer": answer})
    return answers


def install(folder: Path) -> None:
    """Write the demo into a folder of the built documentation."""
    (folder / "page").mkdir(parents=True, exist_ok=True)
    files = {path: data for path, (data, _) in FILES.items()}
    index = files.pop("/").replace(b"<title>", _HEAD.encode(), 1)
    for path, data in {**files, "/index.html": index}.items():
        (folder / path[1:]).write_bytes(data)
    shutil.copyfile(STORED, folder / "answers.json")


if __name__ == "__main__":
    text = json.dumps({"answers": asyncio.run(_answers())}, ensure_ascii=False, separators=(",", ":"))
    STORED.write_text(text + "\n", encoding="utf-8")
