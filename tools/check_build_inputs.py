#!/usr/bin/env python3
"""Whether what a build was made with is what tools/build-inputs.lock pins: each Debian package that is compiled in, linked, embedded,
or that builds the program, in that upstream version. Debian's own revisions of one, its mends, are welcome.

    check_build_inputs.py BUILD             says what differs; 77 on another distribution, of which nothing is pinned
    check_build_inputs.py BUILD --write     pins what is there
"""

import fnmatch
import json
import pathlib
import re
import subprocess
import sys

import debian_packages

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOCK = ROOT / "tools/build-inputs.lock"
SKIPPED = 77
# Their mends have upstream versions of their own: so many parts of one are pinned.
SERIES = {"linux-libc-dev": 2, "libssl-dev": 2, "libssl3": 2}


def upstream(version: str) -> str:
    """1:1.2.13.dfsg-1+deb12u1 is 1.2.13.dfsg, in whatever revision."""
    version = re.sub(r"^\d+:", "", version)
    return re.sub(r"\+deb\d+u\d+$", "", version.rpartition("-")[0] or version)


def pin_of(name: str, version: str) -> str:
    parts = SERIES.get(name)
    return version if parts is None else ".".join(version.split(".")[:parts]) + ".*"


def inputs_of(document: dict) -> dict:
    """Upstream versions by package."""
    return {each["name"]: upstream(each["version"]) for each in document["components"]
            if each.get("purl", "").startswith("pkg:deb/")}


def lock_of(inputs: dict, distribution: str) -> str:
    lines = [f"{name} {pin_of(name, version)}" for name, version in sorted(inputs.items())]
    return "\n".join(["# Debian packages in the program, or that build it, by upstream version: tools/check_build_inputs.py",
                      f"distribution {distribution}", *lines, ""])


def read(lock: str) -> tuple:
    lines = [line.split() for line in lock.splitlines() if not line.startswith("#")]
    pins = dict(lines)
    return pins.pop("distribution"), pins


def problems(inputs: dict, pins: dict) -> list:
    found = [f"{name} {version} is in the build, and {LOCK.name} does not name it." for name, version in sorted(inputs.items())
             if name not in pins]
    return found + [f"{name} is {version}, and {LOCK.name} wants {pins[name]}." for name, version in sorted(inputs.items())
                    if name in pins and not fnmatch.fnmatchcase(version, pins[name])]


def main():
    build = pathlib.Path(sys.argv[1])
    here = "-".join(debian_packages.distribution())
    if "--write" not in sys.argv and (pinned := read(LOCK.read_text(encoding="utf-8")))[0] != here:
        print(f"skipped: {LOCK.name} is of {pinned[0]}, and this is {here}.")
        return SKIPPED
    told = subprocess.run([sys.executable, str(ROOT / "tools/make_sbom.py"), str(build)], check=True, stdout=subprocess.PIPE)
    inputs = inputs_of(json.loads(told.stdout))
    if "--write" in sys.argv:
        LOCK.write_text(lock_of(inputs, here), encoding="utf-8")
        return 0
    found = problems(inputs, pinned[1])
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
