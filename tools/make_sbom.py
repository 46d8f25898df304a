#!/usr/bin/env python3
"""What a program or a wheel is made of, as a CycloneDX 1.5 document: libraries that it links or carries, those whose headers are
compiled in, files that are embedded, and, as excluded, what built it. The property sqmax:how says which.

    make_sbom.py BUILD > sbom.cdx.json                            the program of a build
    make_sbom.py BUILD MODULE_BUILD WHEEL > sbom-wheel.cdx.json   a wheel of its library
"""

import hashlib
import json
import pathlib
import re
import sys

import build_contents
import debian_packages
import registry_packages

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Parts:
    """Components by what they are called, each once, with all the ways in which it takes part."""

    def __init__(self):
        self.by_name = {}

    def add(self, component: dict, how: str):
        name = component.get("purl", "file:" + component["name"])
        known = self.by_name.setdefault(name, {"component": {**component, "bom-ref": name}, "how": set()})
        known["how"].add(how)

    def add_owners(self, paths: list, how: str):
        """Whoever owns the files; those of the repository are the product itself."""
        outside = [path for path in paths if ROOT not in pathlib.Path(path).parents or "site-packages" in path]
        owners = debian_packages.owners(outside)
        for path in outside:
            component = debian_packages.component(owners[path]) if path in owners else registry_packages.owner(path)
            if component is None:
                raise SystemExit(f"make_sbom.py: no package owns {path}.")
            self.add({**component, "type": "application"} if how == "builds it" else component, how)

    def add_files(self, paths: list):
        for path in map(pathlib.Path, paths):
            name = path.relative_to(ROOT) if ROOT in path.parents else path
            self.add({"type": "file", "name": str(name), "hashes": [sha256(path)]}, "embedded")

    def add_build(self, build: pathlib.Path, objects: str):
        files = build_contents.embedded(build, objects)
        self.add_files(files)
        self.add_owners(files, "embedded")
        if any("/web/dist/" in file for file in files):
            for component, is_bundled in registry_packages.of_npm(ROOT / "web/package-lock.json"):
                self.add(component, "embedded" if is_bundled else "builds it")
        self.add_owners(build_contents.headers(build, objects), "compiled in")
        self.add_owners(build_contents.tools(build), "builds it")

    def components(self) -> list:
        def finished(part: dict) -> dict:
            scope = {"builds it": "excluded", "asked for, if wanted": "optional"}
            scopes = {scope.get(how, "required") for how in part["how"]}
            return {**part["component"], "scope": min(scopes, key=["required", "optional", "excluded"].index),
                    "properties": [{"name": "sqmax:how", "value": how} for how in sorted(part["how"])]}
        return [finished(self.by_name[name]) for name in sorted(self.by_name)]


def sha256(file: pathlib.Path) -> dict:
    return {"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}


def program_parts(build: pathlib.Path) -> Parts:
    parts = Parts()
    parts.add_build(build, "src/CMakeFiles/")
    parts.add_owners(build_contents.linked(build / "sqmax"), "linked")
    return parts


def wheel_parts(build: pathlib.Path, module: pathlib.Path, wheel: pathlib.Path) -> Parts:
    parts = Parts()
    parts.add_build(build, "src/CMakeFiles/sqmax.dir/")
    parts.add_build(module, "")
    copied = registry_packages.libraries_in(wheel)
    libraries = build_contents.linked(next(module.glob("_core*.so")))
    inside = [library for library in libraries if pathlib.Path(library).resolve().name in copied]
    if len(inside) != len(copied):
        raise SystemExit(f"make_sbom.py: {module} does not link every library that is in {wheel}: make the wheel again.")
    parts.add_owners(inside, "copied in")
    parts.add_owners(sorted(set(libraries) - set(inside)), "linked")
    for component in registry_packages.pinned(ROOT / "python/wheel-requirements.txt"):
        parts.add(component, "builds it")
    for component, is_optional in registry_packages.required_by(wheel):
        parts.add(component, "asked for, if wanted" if is_optional else "asked for")
    return parts


def document(product: dict, parts: Parts) -> dict:
    components = parts.components()
    needed = [each["bom-ref"] for each in components if each["scope"] == "required"]
    product = {**product, "name": "sqmax", "bom-ref": product["purl"], "licenses": [{"license": {"id": "Apache-2.0"}}]}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": product},
            "components": components, "dependencies": [{"ref": product["bom-ref"], "dependsOn": needed}]}


def main():
    paths = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
    project = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"project\(sqmax VERSION (\S+)", project).group(1)
    product = {"version": version, "hashes": [sha256(paths[2] if len(paths) == 3 else paths[0] / "sqmax")]}
    if len(paths) == 3:
        product.update({"type": "library", "purl": f"pkg:pypi/sqmax@{version}?file_name={paths[2].name}"})
        made = document(product, wheel_parts(*paths))
    else:
        product.update({"type": "application", "purl": f"pkg:generic/sqmax@{version}"})
        made = document(product, program_parts(*paths))
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
