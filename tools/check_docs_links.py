#!/usr/bin/env python3
"""Documents: every relative link resolves, every page cited in a comment exists, every loss has one.

    tools/check_docs_links.py ROOT
"""

import os
import pathlib
import re
import sys
from collections.abc import Iterator

SKIPPED = {".git", "build", ".venv", "node_modules"}
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|#")
# A page or folder below docs/; patterns such as docs/losses/<name>.md or docs/*.md are not cited.
CITED = re.compile(r"(?<![\w/.-])docs/[\w./-]*[\w/](?![\w./-]*[<*{])")


def files(root: pathlib.Path, wanted) -> Iterator[pathlib.Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED)
        for name in sorted(names):
            if wanted(name):
                yield pathlib.Path(folder, name)


def broken_links(root: pathlib.Path) -> Iterator[str]:
    for page in files(root, lambda name: name.endswith(".md")):
        # Code keeps its line breaks, so that the line numbers below stay right.
        text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), page.read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            if ELSEWHERE.match(target):
                continue
            path = target.split("#")[0]
            start = root if path.startswith("/") else page.parent
            if not (start / path.lstrip("/")).exists():
                line = text.count("\n", 0, match.start()) + 1
                yield f"{page}:{line}: the link {target} leads nowhere"


def missing_citations(root: pathlib.Path) -> Iterator[str]:
    def is_source(name):
        return name.endswith((".h", ".cc", ".cmake")) or name == "CMakeLists.txt"

    for source in files(root, is_source):
        text = source.read_text(encoding="utf-8")
        for match in CITED.finditer(text):
            if not (root / match[0]).exists():
                line = text.count("\n", 0, match.start()) + 1
                yield f"{source}:{line}: cites {match[0]}, which does not exist"


def losses_without_page(root: pathlib.Path) -> Iterator[str]:
    for loss in sorted((root / "src/loss/losses").glob("*.cc")):
        names = (loss.stem, loss.stem.replace("_", "-"))
        if not any((root / "docs/losses" / f"{name}.md").exists() for name in names):
            yield f"{loss}: has no page docs/losses/{names[1]}.md"


def problems(root: pathlib.Path) -> list[str]:
    return [*broken_links(root), *missing_citations(root), *losses_without_page(root)]


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1]))) or 0)
