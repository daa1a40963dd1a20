"""The Dockerfile and the compose file: what they promise stands in them, and their commands run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import urllib.request
from pathlib import Path

import click
import pytest
import yaml

from tests.processes import free_port
from usim.cli import cli
from usim.serve.settings import Limits

ROOT = Path(__file__).parents[2]
KEY = "k" * 32


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def last(name: str) -> str:
    return next(value for key, value in reversed(instructions()) if key == name)


def options_of(arguments: list[str]) -> dict[str, object]:
    command = cli.get_command(click.Context(cli), "serve")  # type: ignore[attr-defined]
    return dict(command.make_context("serve", arguments).params)


def test_the_image() -> None:
    every = instructions()
    names = [name for name, _ in every]
    assert set(names) <= {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert all(re.fullmatch(r"python:3\.\d+-slim(?: AS build)?", value) for name, value in every if name == "FROM")
    assert last("USER") != "0"
    assert last("USER").isdecimal()
    assert f"--uid {last('USER')} " in " ".join(value for name, value in every if name == "RUN")
    # Nothing is installed by the user that runs, and nothing is copied from the source into the last stage.
    assert max(k for k, name in enumerate(names) if name == "RUN") < names.index("USER")
    final = every[max(k for k, name in enumerate(names) if name == "FROM") :]
    assert all("constraints" in value or "--from=build" in value for name, value in final if name == "COPY")
    given = options_of(json.loads(last("CMD")))
    assert json.loads(last("ENTRYPOINT")) == ["usim", "serve"]
    assert last("EXPOSE") == str(given["port"])
    assert given["api_key_file"] == "/run/secrets/keys"
    assert f":{given['port']}/health" in last("HEALTHCHECK")


def test_what_is_sent_to_the_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert all((ROOT / name).exists() for name in kept)
    assert {"usim", "setup.cfg", "pyproject.toml", "constraints.txt"} <= set(kept)


def test_compose() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    service = compose["services"]["usim"]
    assert "ports" not in service
    assert service["expose"] == [last("EXPOSE")]
    proxy = compose["services"]["proxy"]
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])
    assert proxy["volumes"] == ["./nginx.conf:/etc/nginx/nginx.conf:ro"]
    assert f"server usim:{last('EXPOSE')}" in (ROOT / "nginx.conf").read_text(encoding="utf-8")
    assert service["secrets"] == list(compose["secrets"]) == ["keys"]
    for each in (service, proxy):
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]
        assert each["restart"] == "unless-stopped"
    assert int(service["stop_grace_period"].removesuffix("s")) > Limits().seconds


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    """The commands of the image, in an environment without an index: what usim needs comes from this environment."""
    source, wheels, keys = tmp_path / "src", tmp_path / "wheels", tmp_path / "keys"
    source.mkdir()
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        path = ROOT / line[1:]
        if line.startswith("!"):
            copy = shutil.copytree if path.is_dir() else shutil.copy
            copy(path, source / path.name)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    own = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = {
        "PATH": f"{tmp_path / 'env' / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path), "PYTHONPATH": ":".join(own),
        "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_IGNORE_INSTALLED": "1", "OMP_NUM_THREADS": "1",
    }  # fmt: skip

    def here(command: str) -> str:
        command = command.replace("pip wheel ", "pip wheel --no-build-isolation ")
        return command.replace("/wheels", str(wheels)).replace("/run/secrets/keys", str(keys))

    for name, value in instructions():
        if name == "RUN" and not value.startswith("useradd"):
            if wheels.exists():
                shutil.copy(ROOT / "constraints.txt", wheels)
            done = subprocess.run(
                here(value), shell=True, cwd=source, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
    shutil.rmtree(source)
    keys.write_text(KEY)
    port = free_port()
    arguments = [here(word) for word in (*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD")))]
    arguments = [str(port) if word == last("EXPOSE") else word for word in arguments]
    arguments[0] = str(tmp_path / "env" / "bin" / arguments[0])
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*arguments, "--judge", "usim"], env=environment, stdout=log, stderr=log, cwd=tmp_path
        )
    try:
        check = json.loads(last("HEALTHCHECK").partition(" CMD ")[2])
        check = [word.replace(f":{last('EXPOSE')}/", f":{port}/") for word in check]
        until = time.monotonic() + 180
        while subprocess.run(check, env=environment, check=False, capture_output=True).returncode:
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.5)
        request = urllib.request.Request(f"http://localhost:{port}/v2/languages", headers={"X-API-Key": KEY})
        with urllib.request.urlopen(request) as answer:
            assert "en-GB" in {language["longCode"] for language in json.load(answer)}
        shown = Path(f"/proc/{process.pid}/maps")
        assert not shown.exists() or str(ROOT / "usim") not in shown.read_text()
    finally:
        process.terminate()
        process.wait(60)
