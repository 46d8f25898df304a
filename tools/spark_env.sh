#!/bin/sh
# An environment with PySpark and the wheel of this tree, at build/spark-env.
set -eu
cd "$(dirname "$0")/.."
tools/python_environment.sh build/spark-env python/tests/spark/requirements.txt
build/spark-env/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps build/dist/*.whl
