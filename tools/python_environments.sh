#!/bin/sh
# The two Python environments, unless they are there already: build/wheel-env, which makes the wheel,
# and build/python-env, which tests it.
set -eu
cd "$(dirname "$0")/.."

filled() {  # ENVIRONMENT REQUIREMENTS
  cmp -s "$2" "$1/requirements.txt" && return
  [ -x "$1/bin/python" ] || python3 -m venv "$1"
  "$1/bin/pip" install -q --disable-pip-version-check -r "$2"
  cp "$2" "$1/requirements.txt"
}

filled build/wheel-env python/wheel-requirements.txt
filled build/python-env python/tests/requirements.txt
