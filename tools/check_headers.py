#!/usr/bin/env python3
"""Public headers: each compiles alone and includes the standard library and sqmax, nothing else.

    tools/check_headers.py ROOT COMPILER
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r"^\s*#\s*include\s*(.*?)\s*(//.*)?$", re.MULTILINE)
ALLOWED = re.compile(r'<[a-z_0-9]+>|"sqmax/[\w/]+\.h"')
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
         "-Werror", "-x", "c++", "-"]


def foreign_includes(root: pathlib.Path, header: pathlib.Path) -> list[str]:
    text = (root / "include" / header).read_text(encoding="utf-8")
    return [f"{header}: a public header may not include {match[1]}"
            for match in INCLUDE.finditer(text) if not ALLOWED.fullmatch(match[1])]


def compile_alone(root: pathlib.Path, compiler: str, header: pathlib.Path) -> list[str]:
    """Twice in a row: a header without an include guard fails as well."""
    source = f'#include "{header}"\n' * 2
    done = subprocess.run([compiler, f"-I{root / 'include'}", *FLAGS], input=source, text=True,
                          capture_output=True, check=False)
    return [] if done.returncode == 0 else [f"{header} does not compile alone:\n{done.stderr}"]


def problems(root: pathlib.Path, compiler: str) -> list[str]:
    base = root / "include"
    headers = [path.relative_to(base) for path in sorted(base.rglob("*.h"))]
    if not headers:
        return [f"{base}: no header found, so nothing was checked"]
    found = [problem for header in headers for problem in foreign_includes(root, header)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda header: compile_alone(root, compiler, header), headers):
            found += result
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1]), sys.argv[2])) or 0)
