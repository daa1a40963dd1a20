"""``usim samples``: small files to try the commands on."""

from __future__ import annotations

import os
from importlib.resources import files

import click

from usim.cli import options as shared
from usim.errors import InputError


@shared.subcommand("usim samples tried")
@click.argument("folder", metavar="DIR")
def samples(folder: str) -> None:
    """Write small files into the folder DIR, to try the commands of the documentation on.

    They are parallel texts, two versions of a letter, suggestions, a text with errors, and labelled pairs. The command
    overwrites no file.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        for sample in sorted(files("usim").joinpath("samples").iterdir(), key=lambda sample: sample.name):
            path = os.path.join(folder, sample.name)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                file.write(sample.read_text(encoding="utf-8"))
            click.echo(path)
    except FileExistsError as e:
        raise InputError("there is a file of this name: give another folder", path=e.filename) from e
    except OSError as e:
        raise InputError(e.strerror or str(e), path=folder) from e
