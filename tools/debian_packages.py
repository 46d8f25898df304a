"""Debian's packages as CycloneDX components: who owns a file, in which version, under which licence."""

import functools
import pathlib
import re
import subprocess
import urllib.parse

# What Debian calls licences, where SPDX has another name for the same text.
SPDX = {"Apache": "Apache-2.0", "Apache-2": "Apache-2.0", "Apache-2.0": "Apache-2.0", "BSD-2-clause": "BSD-2-Clause",
        "BSD-2-Clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "BSD-3-Clause": "BSD-3-Clause", "Expat": "MIT",
        "ISC": "ISC", "MIT": "MIT", "MPL-2": "MPL-2.0", "MPL-2.0": "MPL-2.0", "Zlib": "Zlib", "zlib": "Zlib",
        "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-3+": "GPL-3.0-or-later", "LGPL-2.1+": "LGPL-2.1-or-later"}


def listed(names: list) -> dict:
    """What dpkg says of names that it knows: it fails if one of them has no owner, but tells of the others."""
    owner = {}
    for start in range(0, len(names), 1000):
        told = subprocess.run(["dpkg", "-S", *names[start:start + 1000]], capture_output=True, text=True, check=False)
        for line in told.stdout.splitlines():
            packages, _, name = line.partition(": ")
            if not line.startswith("diversion by"):
                owner[name] = packages.split(", ")[0]
    return owner


def other_names(path: str) -> list:
    """The lists say /lib of some files that are in /usr/lib, and know no links that were made later."""
    real = str(pathlib.Path(path).resolve())
    return [real, "/usr" + path, real.removeprefix("/usr"), path.removeprefix("/usr")]


def owners(paths: list) -> dict:
    """The package of each path that one owns; behind a colon its architecture, if there may be several."""
    found = listed(paths)
    others = {path: other_names(path) for path in paths if path not in found}
    owner = listed(sorted({name for names in others.values() for name in names}))
    for path, names in others.items():
        found.update({path: owner[name] for name in reversed(names) if name in owner})
    return found


@functools.cache
def distribution() -> tuple:
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.MULTILINE))
    return fields["ID"], fields.get("VERSION_CODENAME", fields.get("VERSION_ID", ""))


def licence(text: str) -> dict | None:
    """What a copyright file says of all files, if it is written for machines."""
    if not re.match(r"Format:\s*https?://\S*copyright-format", text):
        return None
    for stanza in re.split(r"\n\s*\n", text):
        named = re.search(r"^License:[ \t]*(\S.*)$", stanza, re.MULTILINE)
        if named and re.search(r"^Files:\s*\*\s*$", stanza, re.MULTILINE):
            name = named.group(1).strip()
            return {"license": {"id": SPDX[name]} if name in SPDX else {"name": name}}
    return None


@functools.cache
def component(package: str) -> dict:
    asked = "${Package}\t${Version}\t${Architecture}\t${Homepage}"
    told = subprocess.run(["dpkg-query", "-W", f"-f={asked}", package], check=True, capture_output=True, text=True)
    name, version, architecture, homepage = told.stdout.split("\t")
    vendor, release = distribution()
    purl = f"pkg:deb/{vendor}/{urllib.parse.quote(name)}@{urllib.parse.quote(version, safe=':~')}"
    found = {"type": "library", "name": name, "version": version, "purl": f"{purl}?arch={architecture}&distro={release}"}
    file = pathlib.Path("/usr/share/doc") / name / "copyright"
    stated = licence(file.read_text(encoding="utf-8", errors="replace")) if file.exists() else None
    if stated:
        found["licenses"] = [stated]
    if homepage:
        found["externalReferences"] = [{"type": "website", "url": homepage}]
    return found
