"""The Dockerfile and the compose file: what they promise stands in them, and their commands run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import yaml

from usim.cli import cli
from usim.serve.settings import Limits

ROOT = Path(__file__).parents[2]


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def last(name: str) -> str:
    return next(value for key, value in reversed(instructions()) if key == name)


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
    command = cli.get_command(click.Context(cli), "serve")  # type: ignore[attr-defined]
    given = command.make_context("serve", json.loads(last("CMD"))).params
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
