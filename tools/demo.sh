#!/bin/sh
# The demo: learns which packages go together from the Debian dependency graph.
#   tools/demo.sh PROGRAM
set -eu
cd "$(dirname "$0")/.."
sqmax=$1
graph=examples/data/debian-12-dependencies.tsv.zst
titles=examples/data/debian-12-titles.tsv.zst
work=build/demo
mkdir -p "$work"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
  printf '\033[2m$ %s\033[0m\n' "$*"
  "$@"
}

say "1. Read the graph: packages and the packages they name. Hold out 10 % of each for validation and test."
run "$sqmax" prepare "$graph" --kcore 5 -o "$work/debian.safetensors"

say "2. Tune each method on the validation part, ten trials each, and compare on the test part."
run "$sqmax" compare "$work/debian.safetensors" --losses popularity,wrmf,rg2,rgp \
  --rank 64 --budget 10trials --best-model "$work/model.safetensors" -o "$work/report"

say "3. The best on validation, in detail: every metric on the test part, with intervals."
run "$sqmax" evaluate "$work/model.safetensors" "$work/debian.safetensors"

say "4. Packages that go with a desktop program in Python, for a package the model has never seen."
run "$sqmax" recommend "$work/model.safetensors" --history python3,python3-gi,gir1.2-gtk-3.0 --k 8 \
  --items "$titles"

say "5. Packages like …"
run "$sqmax" similar "$work/model.safetensors" --item texlive-latex-base,libsdl2-2.0-0 --k 5 \
  --items "$titles"

say "The model is $work/model.safetensors; open $work/report/index.html to see the comparison."
echo "To see what it learned, in a browser:"
echo "  $sqmax serve $work/model.safetensors --items $titles"
