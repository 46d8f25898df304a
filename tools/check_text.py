#!/usr/bin/env python3
"""Text that our files must not contain, and why.

    tools/check_text.py ROOT
"""

import os
import pathlib
import re
import sys

SKIPPED = {".git", "build", ".venv", "node_modules"}
SOURCES = re.compile(r".*\.(h|cc|py|sh|cmake|cmake\.in|ts|css|html)|CMakeLists\.txt|Makefile")
BUILD_FILES = re.compile(r".*\.(cmake|cmake\.in)|CMakeLists\.txt|CMakePresets\.json|Makefile")
# (which files, which text, why not). Character classes keep this table from finding itself.
RULES = [
    (SOURCES, r"\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b", "an unfinished thought belongs in an issue"),
    (BUILD_FILES, r"-march=nativ[e]", "one binary serves every CPU; Highway dispatches at run time"),
    (BUILD_FILES, r"-ffast-mat[h]|-Ofas[t]", "the same bytes everywhere: no reassociation"),
]


def problems(root: pathlib.Path) -> list[str]:
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED)
        for path in (pathlib.Path(folder, name) for name in sorted(names)):
            rules = [rule for rule in RULES if rule[0].fullmatch(path.name)]
            text = path.read_text(encoding="utf-8") if rules else ""
            for _, pattern, reason in rules:
                for match in re.finditer(pattern, text):
                    line = text.count("\n", 0, match.start()) + 1
                    found.append(f"{path}:{line}: {match[0]}: {reason}")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1]))) or 0)
