#!/usr/bin/env python3
"""Makes the list of what a program or wheel is made of, and says what is wrong with it: fields that CycloneDX wants, libraries
that CMake looks for and it does not name, and bytes that differ from one run to the next.

    check_sbom.py BUILD [MODULE_BUILD WHEEL]
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# What CMake finds, and the component that shows it.
PACKAGES = {"TBB": "libtbb-dev", "fmt": "libfmt-dev", "absl": "libabsl-dev", "hwy": "libhwy-dev", "ZLIB": "zlib1g-dev",
            "Eigen3": "libeigen3-dev", "PkgConfig": "pkgconf-bin", "libzstd": "libzstd-dev", "SQMAX_CHART_JS": "libjs-chart.js",
            "cpp-httplib": "libcpp-httplib-dev", "Python": "cpython|libpython3.*-dev", "nanobind": "nanobind"}

TYPES = {"application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver",
         "firmware", "file", "machine-learning-model", "data"}
DIGITS = {"SHA-256": 64, "SHA-512": 128}


def flaws_of(component: dict) -> list:
    licences = [each.get("license", {}) for each in component.get("licenses", [])]
    wanted = {
        "a name": isinstance(component.get("name"), str) and component["name"],
        "a type of CycloneDX": component.get("type") in TYPES,
        "a scope of CycloneDX": component.get("scope") in {"required", "optional", "excluded"},
        "a purl, or a hash if it is a file": "hashes" in component if component.get("type") == "file"
        else re.match(r"pkg:[a-z]+/[^\s+]+$", component.get("purl", "")),
        "hashes with all their digits": all(re.fullmatch("[0-9a-f]*", each["content"])
                                            and len(each["content"]) == DIGITS.get(each["alg"])
                                            for each in component.get("hashes", [])),
        "licences with an id or a name": all(len(each.keys() & {"id", "name"}) == 1 for each in licences),
    }
    return [f"The component {component.get('name')} lacks {what}." for what, is_there in wanted.items() if not is_there]


def looked_for(cmake: str) -> set:
    """Names in find_package, pkg_check_modules and find_file."""
    lines = re.sub("#.*", "", cmake)
    names = re.findall(r"find_(?:package|file)\((\w+)", lines)
    for modules in re.findall(r"pkg_check_modules\(\w+([^)]*)\)", lines):
        names += [word for word in modules.split() if not word.isupper()]
    return set(names) - {"sqmax"}


def problems(document: dict, cmake: str) -> list:
    fixed = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1}
    found = [f"The field {name} is {document.get(name)!r} in place of {value!r}." for name, value in fixed.items()
             if document.get(name) != value]
    components = document.get("components", [])
    product = document.get("metadata", {}).get("component", {})
    for component in [{"scope": "required", **product}, *components]:
        found += flaws_of(component)
    refs = [each.get("bom-ref") for each in [product, *components]]
    found += [f"The reference {ref} is there twice." for ref in set(refs) if refs.count(ref) > 1]
    found += [f"The reference {ref} names no component." for each in document.get("dependencies", [])
              for ref in [each["ref"], *each["dependsOn"]] if ref not in refs]
    for name in sorted(looked_for(cmake)):
        pattern = PACKAGES.get(name, name)
        if not any(re.fullmatch(pattern.replace("+", r"\+"), each.get("name", "")) for each in components):
            found.append(f"CMake looks for {name}, and no component is called {pattern}.")
    return found


def main():
    command = [sys.executable, str(ROOT / "tools/make_sbom.py"), *sys.argv[1:]]
    first, second = (subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout for _ in range(2))
    files = ["CMakeLists.txt", "src/program.cmake" if len(sys.argv) == 2 else "python/CMakeLists.txt"]
    found = problems(json.loads(first), "\n".join((ROOT / file).read_text(encoding="utf-8") for file in files))
    if first != second:
        found.append("Two runs of make_sbom.py tell different things.")
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
