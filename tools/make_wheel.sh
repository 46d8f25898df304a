#!/bin/sh
# A wheel of the Python package at build/dist, with every library in it that a plain Linux lacks, and
# the source distribution beside it. Wants the build in build/$SQMAX_BUILD (release).
set -eu
cd "$(dirname "$0")/.."
root=$PWD
env=$root/build/wheel-env

tools/python_environment.sh build/wheel-env python/wheel-requirements.txt
PATH=$env/bin:$PATH
export PATH

cmake --install "build/${SQMAX_BUILD:-release}" --prefix build/installed >/dev/null
rm -rf build/wheel-raw build/dist build/sdist
mkdir -p build/dist
python -m build --wheel --no-isolation --outdir build/wheel-raw python \
  -C build-dir="$root/build/python" -C cmake.define.CMAKE_PREFIX_PATH="$root/build/installed" >/dev/null
auditwheel repair --wheel-dir build/dist build/wheel-raw/*.whl

# What users get is hardened like the program.
rm -rf build/wheel-unpacked
python -m zipfile -e build/dist/*.whl build/wheel-unpacked
tools/check_hardening.py readelf build/wheel-unpacked/sqmax/_core*.so
tools/check_hardening_flags.py build/python python/bindings
tools/make_sbom.py "build/${SQMAX_BUILD:-release}" build/python build/dist/*.whl >build/sbom-wheel.cdx.json
tools/check_sbom.py "build/${SQMAX_BUILD:-release}" build/python build/dist/*.whl

# The library goes into the source distribution: pip builds it where it is unpacked.
mkdir -p build/sdist/library
cp -rL python/. build/sdist
cp -r CMakeLists.txt cmake include src LICENSE README.md build/sdist/library
python -m build --sdist --no-isolation --outdir build/dist build/sdist >/dev/null
ls -lh build/dist
