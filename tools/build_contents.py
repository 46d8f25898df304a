"""What a build put into a program: the headers it compiled, the files it embedded, the libraries it links, and the tools
that did it. All of it is asked of the build itself (Ninja, CMake, the loader), so that a list cannot be forgotten."""

import json
import pathlib
import re
import shlex
import subprocess


def headers(build: pathlib.Path, objects: str) -> list:
    """Files that went into objects whose name begins so, without those of the build itself."""
    told = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    found, wanted = set(), False
    for line in told.splitlines():
        if line and not line.startswith(" "):
            wanted = line.startswith(objects)
        elif line and wanted:
            found.add(str((build / line.strip()).resolve()))
    if not found:
        raise SystemExit(f"make_sbom.py: {build} has no objects {objects}*: build it first.")
    return sorted(found)


def embedded(build: pathlib.Path, objects: str) -> list:
    """Files whose bytes sqmax_embed() put into these objects."""
    found = set()
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(command["command"])
        source = pathlib.Path(command["file"])
        if words[words.index("-o") + 1].startswith(objects) and (build / "generated").resolve() in source.parents:
            text = source.read_text(encoding="utf-8")
            found.update(re.findall(r'^EMBED\(\w+, "([^"]+)"\)', text, re.MULTILINE))
    return sorted(found)


def linked(binary: pathlib.Path) -> list:
    """Libraries that the loader finds for it, and those that they need."""
    told = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    lost = re.findall(r"(\S+) => not found", told)
    if lost:
        raise SystemExit(f"make_sbom.py: {binary} needs {lost[0]}, which is not found.")
    return sorted(set(re.findall(r"(/\S+) \(0x", told)))


def tools(build: pathlib.Path) -> list:
    """Compiler, assembler, linker and those that call them."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    names = ("CMAKE_CXX_COMPILER", "CMAKE_COMMAND", "CMAKE_MAKE_PROGRAM", "CMAKE_LINKER", "PKG_CONFIG_EXECUTABLE")
    found = [re.search(rf"^{name}:\w+=(.+)$", cache, re.MULTILINE) for name in names]
    return [str(pathlib.Path(each.group(1)).resolve()) for each in found if each]
