#!/bin/sh
# Installs the Debian packages of the named groups, unless all of them are there already.
#   tools/install_dependencies.sh build [test] [web] [lint] [bench] [python] [spark]
set -eu

packages=""
for group in "$@"; do
  case "$group" in
    build) packages="$packages cmake ninja-build g++ pkg-config libeigen3-dev libhwy-dev libtbb-dev
                     libcli11-dev libfmt-dev nlohmann-json3-dev libabsl-dev libfast-float-dev
                     zlib1g-dev libzstd-dev libxxhash-dev libhnswlib-dev libcpp-httplib-dev
                     libjs-chart.js" ;;
    test)  packages="$packages libgtest-dev libgmock-dev python3 python3-jsonschema zstd" ;;
    # Other Nodes than Debian's bring their own npm, which Debian's package would fight with.
    web)   packages="$packages chromium"
           command -v node >/dev/null || packages="$packages nodejs"
           command -v npm >/dev/null || packages="$packages npm" ;;
    lint)  packages="$packages clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev" ;;
    bench) packages="$packages libbenchmark-dev git python3 python3-venv wrk" ;;
    python) packages="$packages python3 python3-dev python3-venv" ;;
    spark) packages="$packages python3 python3-venv openjdk-17-jre-headless" ;;
    *) echo "install_dependencies.sh: no group called '$group'" >&2; exit 1 ;;
  esac
done

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 -- one word a package
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
