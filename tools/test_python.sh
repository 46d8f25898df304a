#!/bin/sh
# Tests of the Python package, installed from its wheel into an environment of its own.
#   tools/test_python.sh [short] [arguments of pytest]
set -eu
cd "$(dirname "$0")/.."
env=$PWD/build/python-env

requirements=python/tests/requirements.txt
[ -x "$env/bin/python" ] || python3 -m venv "$env"
if ! cmp -s "$requirements" "$env/requirements.txt"; then
  "$env/bin/pip" install -q --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$env/requirements.txt"
fi
"$env/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps build/dist/*.whl

chosen=""
[ "${1:-}" = short ] && { chosen="not slow"; shift; }
SQMAX_PROGRAM=$PWD/build/release/sqmax exec "$env/bin/python" -m pytest -q -p no:cacheprovider \
  -c python/pyproject.toml ${chosen:+-m "$chosen"} "$@" python/tests
