#!/bin/sh
# Tests of the Python package, installed from its wheel into an environment of its own.
#   tools/test_python.sh [short] [arguments of pytest]
set -eu
cd "$(dirname "$0")/.."
env=$PWD/build/python-env

tools/python_environment.sh build/python-env python/tests/requirements.txt
"$env/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps build/dist/*.whl

chosen=""
[ "${1:-}" = short ] && { chosen="not slow"; shift; }
SQMAX_PROGRAM=$PWD/build/${SQMAX_BUILD:-release}/sqmax exec "$env/bin/python" -m pytest -q -p no:cacheprovider \
  -c python/pyproject.toml ${chosen:+-m "$chosen"} "$@" python/tests
