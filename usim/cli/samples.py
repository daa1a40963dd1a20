"""``usim samples``: small files to try the commands on."""

from __future__ import annotations

import os
from importlib.resources import files

import click

from usim.cli.options import subcommand
from usim.errors import InputError
from usim.text.files import written_whole


@subcommand("samples", "usim samples tried")
@click.argument("folder", metavar="DIR")
def command(folder: str) -> None:
    """Write small files into the folder DIR, to try the commands of the documentation on.

    They are parallel texts, two versions of a letter, suggestions, a text with errors, and labelled pairs. No file is
    written over.
    """
    samples = sorted(files("usim").joinpath("samples").iterdir(), key=lambda sample: sample.name)
    paths = [os.path.join(folder, sample.name) for sample in samples]
    for path in paths:
        if os.path.lexists(path):
            raise InputError("there is a file of this name: give another folder", path=path)
    try:
        os.makedirs(folder, exist_ok=True)
        for sample, path in zip(samples, paths, strict=True):
            with written_whole(path) as file:
                file.write(sample.read_text(encoding="utf-8"))
            click.echo(path)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=folder) from e
