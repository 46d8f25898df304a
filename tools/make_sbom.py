#!/usr/bin/env python3
"""What a program is made of, as a CycloneDX 1.5 document: libraries of Debian by their installed versions, what the pages
bundle from npm, and the compiler.

    make_sbom.py ROOT > sbom.cdx.json
"""

import json
import pathlib
import re
import subprocess
import sys


def build_packages(root: pathlib.Path) -> list:
    """Those that tools/install_dependencies.sh installs to build."""
    script = (root / "tools/install_dependencies.sh").read_text(encoding="utf-8")
    listed = re.search(r'build\)\s+packages="\$packages([^"]*)"', script).group(1)
    return listed.split()


def debian_component(package: str) -> dict:
    told = subprocess.run(["dpkg-query", "-W", "-f=${Version} ${Architecture} ${Homepage}", package], check=True,
                          capture_output=True, text=True).stdout.split()
    version, architecture = told[:2]
    component = {"type": "library", "name": package, "version": version,
                 "purl": f"pkg:deb/debian/{package}@{version}?arch={architecture}&distro=bookworm"}
    if len(told) > 2:
        component["externalReferences"] = [{"type": "website", "url": told[2]}]
    return component


def page_components(root: pathlib.Path) -> list:
    """What web/dist carries; what only builds it is marked as such."""
    lock = json.loads((root / "web/package-lock.json").read_text(encoding="utf-8"))
    components = []
    for path, about in sorted(lock["packages"].items()):
        if not path or "version" not in about:
            continue
        name = path.rpartition("node_modules/")[2]
        component = {"type": "library", "name": name, "version": about["version"],
                     "purl": f"pkg:npm/{name.replace('@', '%40')}@{about['version']}",
                     "scope": "excluded" if about.get("dev") else "required"}
        components.append(component)
    return components


def document(root: pathlib.Path) -> dict:
    project = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(sqmax VERSION (\S+)", project).group(1)
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": {"type": "application", "name": "sqmax", "version": version,
                                       "licenses": [{"license": {"id": "Apache-2.0"}}],
                                       "purl": f"pkg:generic/sqmax@{version}"}},
            "components": [debian_component(each) for each in build_packages(root)] + page_components(root)}


def main():
    print(json.dumps(document(pathlib.Path(sys.argv[1])), indent=1))


if __name__ == "__main__":
    main()
