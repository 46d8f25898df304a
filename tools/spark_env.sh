#!/bin/sh
# An environment with PySpark and the wheel of this tree, at build/spark-env.
set -eu
cd "$(dirname "$0")/.."
env=$PWD/build/spark-env

requirements=python/tests/spark/requirements.txt
[ -x "$env/bin/python" ] || python3 -m venv "$env"
if ! cmp -s "$requirements" "$env/requirements.txt"; then
  "$env/bin/pip" install -q --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$env/requirements.txt"
fi
"$env/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps build/dist/*.whl
