#!/usr/bin/env python3
"""Layers: a module includes only the modules that its row of ARCHITECTURE allows.

    tools/check_layers.py ROOT
"""

import pathlib
import re
import sys

EVERYTHING = {"core", "kernels", "data", "loss", "model", "solve", "rank", "train", "report", "serve"}
MAY_INCLUDE = {
    "core": set(),
    "kernels": {"core"},
    "data": {"core"},
    "loss": {"core", "kernels", "data"},
    "model": {"core", "data"},
    "solve": {"core", "kernels", "data", "model", "loss"},
    "rank": {"core", "kernels", "data", "model"},
    "train": {"core", "kernels", "data", "model", "loss", "solve", "rank"},
    "report": {"core", "rank", "train"},
    "serve": {"core", "kernels", "data", "model", "solve", "rank"},
    "cli": EVERYTHING,
    "python": EVERYTHING,
}
#"sqmax/<module>/…", <sqmax / <module> /…>(public) and "<module>/…"(private, and generated lists).
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?:sqmax/)?|<sqmax/)(\w+)/', re.MULTILINE)


def problems(root: pathlib.Path) -> list[str]:
    found = []
    for base in (root / "include" / "sqmax", root / "src"):
        for path in sorted(p for p in base.rglob("*") if p.suffix in {".h", ".cc"}):
            module = path.relative_to(base).parts[0]
            if module not in MAY_INCLUDE:
                found.append(f"{path}: '{module}' is no module of the table in check_layers.py")
                continue
            text = path.read_text(encoding="utf-8")
            for match in INCLUDE.finditer(text):
                used = match[1]
                if used in MAY_INCLUDE and used not in MAY_INCLUDE[module] | {module}:
                    line = text.count("\n", 0, match.start(1)) + 1
                    found.append(f"{path}:{line}: {module} may not include {used}")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1]))) or 0)
