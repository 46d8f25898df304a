#!/bin/sh
# A Python environment with what a file of requirements pins by hash, unless it is there already.
#   tools/python_environment.sh build/NAME REQUIREMENTS
set -eu
cd "$(dirname "$0")/.."
cmp -s "$2" "$1/requirements.txt" && exit 0
[ -x "$1/bin/python" ] || python3 -m venv "$1"
"$1/bin/pip" install -q --disable-pip-version-check --require-hashes -r "$2"
cp "$2" "$1/requirements.txt"
