#!/usr/bin/env python3
"""The Debian package dependency graph, from the package lists that apt has on this machine.

    tools/make_debian_graph.py [FOLDER]          FOLDER: examples/data unless given

Writes debian-12-dependencies.tsv.zst (package, dependency) and debian-12-titles.tsv.zst (package,
title), both sorted, so that the same lists give the same bytes.
"""

import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

FIELDS = ("Depends", "Pre-Depends", "Recommends", "Suggests")
NAME = re.compile(r"\s*([a-z0-9][a-z0-9+.-]*)")


def stanzas() -> Iterator[dict[str, str]]:
    """Field → first line, for each package. Relations are one line each in these lists."""
    dump = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True).stdout
    for stanza in dump.decode("utf-8").split("\n\n"):
        lines = (line.split(":", 1) for line in stanza.split("\n") if re.match(r"[A-Za-z-]+:", line))
        fields = {field: text.strip() for field, text in lines}
        if fields:
            yield fields


def links(package: dict[str, str]) -> Iterator[str]:
    """Names in 'a (>= 1) | b:any, c [amd64]': every alternative, without version or architecture."""
    for field in FIELDS:
        for relation in re.split(r"[,|]", package.get(field, "")):
            if name := NAME.match(relation):
                yield name[1]


def write(path: pathlib.Path, header: str, rows: set[tuple[str, str]]) -> None:
    lines = [tuple(header.split("\t")), *sorted(rows)]
    text = "".join(f"{a}\t{b}\n" for a, b in lines).encode("utf-8")
    # The size tells zstd how small a window is enough: readers need no 128 MB for it.
    command = ["zstd", "--ultra", "-22", f"--stream-size={len(text)}", "-qf", "-", "-o", str(path)]
    subprocess.run(command, input=text, check=True)
    print(f"{path}: {len(rows)} rows, {path.stat().st_size} bytes")


def main() -> None:
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "examples/data")
    packages = list(stanzas())
    graph = {(p["Package"], name) for p in packages for name in links(p)}
    wanted = {name for _, name in graph}
    titles = {(p["Package"], p["Description"].replace("\t", " "))
              for p in packages if p["Package"] in wanted and p.get("Description")}
    write(folder / "debian-12-dependencies.tsv.zst", "package\tdependency", graph)
    write(folder / "debian-12-titles.tsv.zst", "package\ttitle", titles)
    print(f"{len({a for a, _ in graph})} packages link to {len(wanted)} names")


if __name__ == "__main__":
    main()
