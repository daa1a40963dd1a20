#!/usr/bin/env bash
# Everything that must pass: set-up, style, types, layers, documentation, packages, all tests but the long ones. Works in the active
# Python environment.
#   tests/run.sh               all of it
#   tests/run.sh ARGS…         set-up, then pytest with these arguments; the long tests: tests/run.sh -n 2 -m slow
#   tests/run.sh -n 2 --cov    which lines of usim the tests run; slower, so not part of every run
set -euo pipefail
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1
# Hundreds of tests start a process of their own: modules are compiled once, not at every start.
unset PYTHONDONTWRITEBYTECODE
# The constraints keep a new release of a tool from breaking a checkout.
# Most of the modules are never imported: to compile them all would take as long as to install them.
python -m pip install -q --no-compile -c constraints.txt -e '.[test]'
# The ucca toolkit is the oracle of some tests. It asks for a spaCy of 2020, which it does not need for reading and
# evaluating, so it comes without its dependencies.
# gec-metrics asks for torch and what else its own metrics need; ours rests on its base class alone.
python -m pip install -q --no-compile --no-deps 'ucca==1.3.11' 'gec-metrics==0.1.1'
if [ $# -gt 0 ]; then
  exec python -m pytest "$@"
fi
# The documentation is built beside the rest.
python -m sphinx -W -n -q --keep-going docs build/site &
docs=$!
# So are the packages, which the index would refuse for a broken description.
mkdir -p build && rm -rf build/dist
{ python -m build --no-isolation --outdir build/dist . && twine check --strict build/dist/*; } >build/dist.log 2>&1 &
packages=$!
ruff check .
ruff format --check .
mypy
lint-imports
codespell
# The long tests (many processes killed, models trained, real browsers) take as long again and are run by themselves.
# Two workers: the models are small, and the numeric libraries would otherwise fight over the cores.
failed=0
OMP_NUM_THREADS=1 python -m pytest -n 2 -ra -m "not slow" || failed=$?
wait $docs || { failed=$?; echo "The documentation did not build: the messages of sphinx are above." >&2; }
wait $packages || { failed=$?; cat build/dist.log >&2; }
exit $failed
