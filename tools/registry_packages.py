"""Packages of npm and PyPI as CycloneDX components, and Python's own headers."""

import base64
import email
import json
import pathlib
import re
import zipfile


def pypi(name: str, version: str = "") -> dict:
    name = re.sub(r"[-_.]+", "-", name).lower()
    found = {"type": "library", "name": name, "purl": f"pkg:pypi/{name}" + f"@{version}" * bool(version)}
    return {**found, "version": version} if version else found


def owner(path: str):
    """Of a header that no Debian package owns: a package of a Python environment, what that carries, or a Python."""
    if "/nanobind/ext/robin_map/" in path:  # carried by nanobind, which does not tell its version
        return {"type": "library", "name": "robin-map", "purl": "pkg:github/tessil/robin-map",
                "licenses": [{"license": {"id": "MIT"}}]}
    installed = re.match(r"(.*/site-packages)/(\w+)/", path)
    if installed:
        folder = next(pathlib.Path(installed.group(1)).glob(f"{installed.group(2)}-*.dist-info"))
        return pypi(*folder.name.removesuffix(".dist-info").split("-"))
    python = re.match(r".*/include/python3\.\d+/", path)
    if python:
        text = pathlib.Path(python.group(), "patchlevel.h").read_text(encoding="utf-8")
        version = re.search(r'#define PY_VERSION\s+"(.+)"', text).group(1)
        return {"type": "library", "name": "cpython", "version": version, "purl": f"pkg:generic/cpython@{version}"}
    return None


def pinned(requirements: pathlib.Path) -> list:
    text = requirements.read_text(encoding="utf-8")
    return [pypi(name, version) for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE)]


def required_by(wheel: pathlib.Path) -> list:
    """What pip installs with a wheel, and whether only for an extra; which version is for pip to find."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
    return [(pypi(re.match(r"[\w.-]+", line).group()), "extra ==" in line) for line in told]


def libraries_in(wheel: pathlib.Path) -> set:
    """Names of libraries that auditwheel copied in, without the digits that it adds to them."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name.rpartition("/")[2] for name in archive.namelist() if ".libs/" in name]
    return {re.sub(r"-[0-9a-f]{8}(?=\.so)", "", name) for name in names if name}


def of_npm(lock: pathlib.Path) -> list:
    """Each package, and whether it is bundled or only builds."""
    found = []
    for path, about in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if path and "version" in about:
            name = path.rpartition("node_modules/")[2]
            component = {"type": "library", "name": name, "version": about["version"],
                         "purl": f"pkg:npm/{name.replace('@', '%40')}@{about['version']}"}
            if re.fullmatch(r"[\w.+-]+", about.get("license", "")):
                component["licenses"] = [{"license": {"id": about["license"]}}]
            if about.get("integrity", "").startswith("sha512-"):
                digest = base64.b64decode(about["integrity"].removeprefix("sha512-"))
                component["hashes"] = [{"alg": "SHA-512", "content": digest.hex()}]
            found.append((component, not about.get("dev")))
    return found
