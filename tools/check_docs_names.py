#!/usr/bin/env python3
"""Documents: every file and name of the code that they quote exists.

    tools/check_docs_names.py ROOT

Quoted is what stands between backticks: `src/solve/cg.cc`, `RowSystem::multiply`, `exact_push`. The changelog may
speak of what is gone.
"""

import pathlib
import re
import sys
from collections.abc import Iterator

from check_docs_links import files

SOURCES = (".h", ".cc", ".py", ".ts", ".sh", ".in", ".toml", ".cmake", ".txt", ".json", ".yml", ".html")
HISTORY = {"CHANGELOG.md"}
BLOCK = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)+\.(h|cc|py|ts|sh|toml|cmake)")
NAME = re.compile(r"\w+(::\w+)+(\(\))?|[a-z]+(_[a-z0-9]+)+(\(\))?")


def names_and_words(root: pathlib.Path) -> tuple[str, set[str]]:
    """The names of all files, a line each with a slash before it, and every word of the code."""
    names, words = [], set()
    for path in files(root, lambda name: True):
        names.append(f"/{path.relative_to(root).as_posix()}\n")
        if path.name.endswith(SOURCES) or path.name == "Makefile":
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
    return "".join(names), words


def problems(root: pathlib.Path) -> Iterator[str]:
    names, words = names_and_words(root)
    for page in files(root, lambda name: name.endswith(".md") and name not in HISTORY):
        # Blocks keep their line breaks, so that the line numbers below stay right.
        text = BLOCK.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), page.read_text(encoding="utf-8"))
        for match in QUOTED.finditer(text):
            quoted = match[1]
            gone = (PATH.fullmatch(quoted) and f"/{quoted}\n" not in names) or (
                NAME.fullmatch(quoted) and not words.issuperset(re.findall(r"\w+", quoted)))
            if gone:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{page}:{line}: `{quoted}` is nowhere in the code"


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1]))) or 0)
