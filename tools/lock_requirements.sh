#!/bin/sh
# Pins what the *.in files of python/ name, and all that it needs, by version and by hash, for the
# Python of Debian 12; read the difference before it lands.
#   tools/lock_requirements.sh [--upgrade]
set -eu
cd "$(dirname "$0")/../python"
env=../build/lock-env
[ -x "$env/bin/uv" ] || { python3 -m venv "$env" && "$env/bin/pip" install -q --disable-pip-version-check uv==0.13.8; }

# Where packages come from is the matter of who installs them: no file names a host.
for names in wheel-requirements.in tests/requirements.in tests/spark/requirements.in; do
  "$env/bin/uv" pip compile -q "$@" --generate-hashes --no-emit-index-url --no-emit-find-links --python-version 3.11 \
    --custom-compile-command tools/lock_requirements.sh -o "${names%.in}.txt" "$names"
done
