#!/bin/sh
# Build the files of the package from a training run: build.sh RUN ENCODER WIKI-TRAIN EWT-TRAIN; see MODEL_CARD.md.
set -eu
here=$(dirname "$0")/usim_model_en_large
rm -f "$here/models.json"
[ -f "$here/trunk/settings.json" ] || python -m parsers.span.large trunk --encoder "$2" --wiki-train "$3" \
    --ewt-train "$4" --out "$here/trunk"
python -m parsers.span.large parser "$1" --encoder "$2" --wiki-train "$3" --ewt-train "$4" --trunk "$here/trunk" \
    --out "$here/parser" --name en-large-1.0 --no-sieve
# The judge comes from judges.larger; without one the model has that of en. Last: without this file there is no model.
judge=
[ ! -f "$here/judge/settings.json" ] || judge=', "judge": "judge"'
printf '{"en-large": {"parser": "parser"%s}}\n' "$judge" >"$here/models.json"
