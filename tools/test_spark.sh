#!/bin/sh
# Tests of sqmax.spark on a standalone cluster, from the wheel, in an environment of their own.
#   tools/test_spark.sh [short] [arguments of pytest]
set -eu
cd "$(dirname "$0")/.."
tools/spark_env.sh

chosen=""
[ "${1:-}" = short ] && { chosen="not slow"; shift; }
SQMAX_PROGRAM=$PWD/build/${SQMAX_BUILD:-release}/sqmax exec build/spark-env/bin/python -m pytest -q -p no:cacheprovider \
  -c python/pyproject.toml ${chosen:+-m "$chosen"} "$@" python/tests/spark
