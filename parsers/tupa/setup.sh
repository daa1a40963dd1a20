#!/bin/sh
# Build the Python environment that TUPA needs:  sh parsers/tupa/setup.sh python3.7 DIR
#
# TUPA's packages run in Python 3.7 at the latest, and `pip install tupa` fails there too, because its dependencies ask
# for versions that contradict each other. So every package is pinned (requirements.txt) and installed alone.
set -e
here=$(dirname "$0")
"$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 7) and "TUPA needs Python 3.7, not " + sys.version)'
environment=$2
"$1" -m venv "$environment"
# Python compiles files when they are imported; compiling all of them now would take longer than everything else.
install() { "$environment/bin/python" -I -m pip --disable-pip-version-check install --quiet --no-compile "$@"; }
# The last versions that run in Python 3.7 and install packages of that time.
install pip==24.0 setuptools==59.8.0 wheel==0.42.0
# Source packages are built with the setuptools from above, not with the newest one.
install --no-deps --no-build-isolation --requirement "$here/requirements.txt"
# An empty spaCy model of English, where spaCy looks for names: TUPA asks for a model by name.
"$environment/bin/python" -I - <<'END'
from spacy.util import get_data_path

folder = get_data_path() / "en_blank"
folder.mkdir(exist_ok=True)
(folder / "__init__.py").write_text(
    "import spacy\n\n\ndef load(**overrides):\n    return spacy.blank('en', **overrides)\n"
)
END
"$environment/bin/python" -I -c 'import spacy, tupa.parse; spacy.load("en_blank")'
