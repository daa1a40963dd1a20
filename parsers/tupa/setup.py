"""Build the Python environment that TUPA needs today.

    python -m parsers.tupa.setup --python python3.7 --env DIR

TUPA's packages run in Python 3.7 at the latest, and `pip install tupa` fails there too: its dependencies ask for
versions that contradict each other. So every package is pinned (``requirements.txt``) and installed without asking for
more, with an empty spaCy model of English under the name ``en_blank``. ``parsers/tupa/parse.py`` then parses in it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

#: The last versions that run in Python 3.7 and install packages of that time.
_INSTALLERS = ("pip==24.0", "setuptools==59.8.0", "wheel==0.42.0")

_REQUIREMENTS = Path(__file__).with_name("requirements.txt")

#: The spaCy model ``en_blank``: a tokeniser of English and nothing more. TUPA can be trained on it alone, and asks for
#: a model by name; this is where spaCy looks for names.
_BLANK_MODEL = """\
import spacy


def load(**overrides):
    return spacy.blank("en", **overrides)
"""

_PLACE_BLANK_MODEL = f"""\
from spacy.util import get_data_path

folder = get_data_path() / "en_blank"
folder.mkdir(exist_ok=True)
(folder / "__init__.py").write_text({_BLANK_MODEL!r})
"""

_CHECK = "import spacy, tupa.parse; spacy.load('en_blank')"


class SetupError(Exception):
    """A step that failed; the text says which, and what the program printed."""


def build(python: str, environment: Path, *, spacy_model: str | None = None) -> Path:
    """Build the environment, or bring it up to date.

    Args:
        python: a Python 3.7.
        spacy_model: a spaCy 2.1 model to download into it, e.g. ``en_core_web_md``, which published TUPA models need.

    Returns:
        The environment's Python.

    Raises:
        SetupError: ``python`` is not a Python 3.7, or a step failed.
    """

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    version = _run(
        [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], "asking for the version"
    ).strip()
    if version != "3.7":
        raise SetupError(f"{python} is Python {version}: TUPA's packages are there for Python 3.7 alone")
    inside = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not inside.exists():
        say(f"making the environment {environment}")
        _run([python, "-m", "venv", str(environment)], "making the environment")
    # Compiling all files now would take longer than everything else; Python compiles them when they are imported.
    pip = [str(inside), "-I", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile"]
    say("installing the installers")
    _run([*pip, *_INSTALLERS], "installing pip and setuptools")
    say("installing TUPA and what it needs")
    # Source packages are built without isolation, so that they get the setuptools from above and not the newest one.
    _run([*pip, "--no-deps", "--no-build-isolation", "--requirement", str(_REQUIREMENTS)], "installing TUPA")
    _run([str(inside), "-I", "-c", _PLACE_BLANK_MODEL], "adding the empty spaCy model")
    if spacy_model:
        say(f"downloading the spaCy model {spacy_model}")
        _run([str(inside), "-I", "-m", "spacy", "download", spacy_model], f"downloading {spacy_model}")
    say("importing TUPA")
    # Isolated, as it is used: spaCy would try to load the plug-in of a usim that is installed from the current folder.
    _run([str(inside), "-I", "-c", _CHECK], "importing TUPA")
    return inside


def _run(command: Sequence[str], what: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as e:
        raise SetupError(f"{what} failed: {command[0]}: {e.strerror}") from e
    if done.returncode:
        raise SetupError(f"{what} failed with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code: 0 done, 2 something failed."""
    parser = argparse.ArgumentParser(prog="python -m parsers.tupa.setup", description="Build TUPA's environment.")
    parser.add_argument("--python", required=True, metavar="PYTHON", help="a Python 3.7")
    parser.add_argument("--env", required=True, type=Path, metavar="DIR", help="where to build it")
    parser.add_argument("--spacy-model", metavar="NAME", help="a spaCy 2.1 model to download, e.g. en_core_web_md")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        build(options.python, options.env, spacy_model=options.spacy_model)
    except SetupError as e:
        print(f"parsers.tupa.setup: {e}", file=sys.stderr)
        return 2
    print(f"built {options.env.absolute()} in {time.monotonic() - start:.0f} seconds", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
